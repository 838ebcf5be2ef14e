"""Metrics of torchmetrics: the numbers of `measure`, in one process and in several, and in Lightning."""

from __future__ import annotations

import io
import itertools
import json
import math
import os
import pickle
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

import distinctly as dy
from distinctly.registry import metric_class_names, metric_names

pytest.importorskip("torchmetrics", reason='needs torchmetrics: pip install "distinctly[torchmetrics]"')

import torch
from torchmetrics import MetricCollection

from distinctly.torchmetrics import Distinct, Entropy, JensenShannon, SelfBleu, TextMetric

TEXTS = [
    f"the {animal} {verb} {place}"
    for animal in ("cat", "dog", "owl", "fox")
    for verb in ("sat", "ran", "flew")
    for place in ("here", "there", "away and away")
]
SPECS = ["distinct", "ead", "entropy:n=2", "types:n=1", "duplicates", "mtld", "hill", "yule", "ttr"]
DISTANCES = ["chi", "jensen_shannon:n=2", "zipf", "ttr_difference", "function_words", "novelty:n=1"]
GROUPS = [str(place // 4) for place in range(len(TEXTS))]


def values(scores: dy.Scores) -> list[float]:
    return [score.value for score in scores]


def in_batches(metric: TextMetric, texts: list[str], size: int = 5) -> TextMetric:
    for start in range(0, len(texts), size):
        metric.update(texts[start : start + size])
    return metric


class TestOneProcess:
    def test_batches_give_the_bits_of_measure(self) -> None:
        metric = in_batches(TextMetric(SPECS), TEXTS)
        computed = metric.compute()
        measured = dy.measure(TEXTS, SPECS)
        assert [value.item() for value in computed.values()] == values(measured)
        assert list(computed) == list(measured.flat())
        assert all(value.dtype == torch.float64 and value.shape == () for value in computed.values())
        assert [score.signature for score in metric.scores()] == [score.signature for score in measured]

    def test_every_metric_is_measured_or_says_what_to_do_instead(self) -> None:
        measured, remedies = set(), dict[str, str]()
        for name in metric_names():
            if name == "templates":  # needs tags
                continue
            try:
                metric = TextMetric({"rarefied": "rarefied:n=1,sample=5"}.get(name, name))
            except dy.SpecError as error:
                remedies[name] = str(error)
                continue
            if dy.metric(metric.scores()[0].spec).kind == "distance":
                metric.update(reference=TEXTS[:9], candidate=TEXTS[20:])
                expected = dy.compare(TEXTS[:9], TEXTS[20:], [score.spec for score in metric.scores()])
            else:
                in_batches(metric, TEXTS)
                expected = dy.measure(TEXTS, [score.spec for score in metric.scores()])
            for got, wanted in zip(metric.scores(), expected, strict=True):
                # Counts are exact; moments of vectors merge within 1e-9.
                tolerance = 1e-9 if name in ("frechet", "medoid", "ttest") else 0
                assert got.value == pytest.approx(wanted.value, rel=tolerance, abs=0, nan_ok=True), name
            measured.add(name)
        assert {"distinct", "ead", "entropy", "duplicates", "mtld", "vocd", "chi", "zipf"} <= measured
        assert {"self_bleu", "vendi", "mauve"} <= remedies.keys()
        assert all("dy.measure" in text or "dy.compare" in text for text in remedies.values())

    def test_classes_have_the_options_of_metrics(self) -> None:
        metric = in_batches(Distinct(n=2, tokenizer="char"), TEXTS)
        assert metric.compute().item() == dy.measure(TEXTS, "distinct:n=2", tokenizer="char")[0].value
        with pytest.raises(TypeError, match="'n'"):
            Distinct()
        with pytest.raises(ValueError, match="nothing"):
            Distinct(n=1, nothing=1)
        assert Entropy(n=1).higher_is_better
        assert JensenShannon().higher_is_better is None

    def test_the_names_are_those_of_the_package(self) -> None:
        import distinctly.torchmetrics as module

        assert set(dir(module)) == {"TextMetric", *metric_class_names()}
        assert Distinct is module.Distinct
        with pytest.raises(AttributeError, match="Nothing"):
            _ = module.Nothing

    def test_metrics_that_need_texts_say_what_to_do_instead(self) -> None:
        with pytest.raises(dy.SpecError, match=r"reads the texts twice.*dy\.measure\(texts, 'self_bleu"):
            SelfBleu()
        with pytest.raises(dy.SpecError, match=r"dy\.compare"):
            TextMetric("mauve")

    def test_token_ids(self) -> None:
        # 1 2, 2 3 | 1 2: two of three bigrams differ.
        metric = Distinct(n=2)
        metric.update([[1, 2, 3]])
        metric.update([[1, 2]])
        assert metric.compute().item() == 2 / 3

    def test_groups(self) -> None:
        metric = Distinct(n=1, pool="group")
        metric.update(TEXTS[:20], groups=GROUPS[:20])
        metric.update(TEXTS[20:], groups=GROUPS[20:])
        (expected,) = dy.measure(TEXTS, "distinct:n=1,pool=group", groups=GROUPS)
        assert metric.compute().item() == expected.value

    def test_nothing_is_undefined(self) -> None:
        metric = Distinct(n=1)
        metric.update([])
        assert math.isnan(metric.compute().item())
        assert metric.scores()[0].undefined == "there are no texts."


class TestTorchmetrics:
    def test_forward_gives_the_value_of_the_batch(self) -> None:
        metric = Distinct(n=2)
        batches = [TEXTS[:10], TEXTS[10:]]
        assert [metric(batch).item() for batch in batches] == [
            dy.measure(batch, "distinct:n=2")[0].value for batch in batches
        ]
        assert metric.compute().item() == dy.measure(TEXTS, "distinct:n=2")[0].value

    @pytest.mark.parametrize("call", ["update", "forward"])
    def test_the_state_is_bounded(self, call: str) -> None:
        metric = Distinct(n=1)
        sizes = []
        for _ in range(2):
            for text in TEXTS * 6:  # more than the 200 first texts, which are kept
                getattr(metric, call)([text])
            sizes.append(sum(map(len, metric.states)))
        # The same words again: only the tensors that are not yet added up differ, which are shorter together.
        assert sizes[1] < 2 * sizes[0]
        assert len(metric.states) < 6
        assert metric.compute().item() == dy.measure(TEXTS * 12, "distinct:n=1")[0].value

    def test_copies_pickles_and_checkpoints(self) -> None:
        metric = in_batches(Distinct(n=2, tokenizer="char"), TEXTS[:17])
        for copied in (metric.clone(), pickle.loads(pickle.dumps(metric))):
            copied.update(TEXTS[17:])
            assert copied.compute().item() == dy.measure(TEXTS, "distinct:n=2", tokenizer="char")[0].value
        metric.persistent(True)
        file = io.BytesIO()
        torch.save(metric.state_dict(), file)
        file.seek(0)
        loaded = Distinct(n=2, tokenizer="char")
        loaded.load_state_dict(torch.load(file, weights_only=True))
        loaded.update(TEXTS[17:])
        assert loaded.compute().item() == dy.measure(TEXTS, "distinct:n=2", tokenizer="char")[0].value
        other = Distinct(n=2)
        other.load_state_dict(metric.state_dict())
        with pytest.raises(dy.InputError, match=r"state of distinct\|n:2.*tok:words.*got that of.*tok:char"):
            other.update(["one more"])
        metric.reset()
        assert metric.states == []

    def test_damaged_states_are_an_error(self) -> None:
        metric = in_batches(Distinct(n=2), TEXTS)
        metric.states = [metric.states[0][:-9]]
        with pytest.raises(dy.InputError, match="damaged"):
            metric.compute()

    def test_devices_and_types_leave_the_state_as_it_is(self) -> None:
        metric = in_batches(Distinct(n=2), TEXTS)
        before = metric.compute()
        metric.to("cpu").half().set_dtype(torch.bfloat16)
        metric.update([])
        assert metric.compute() == before
        assert metric.to("meta").states[0].device.type == "meta"

    def test_merge_state(self) -> None:
        first, second = in_batches(Distinct(n=2), TEXTS[:9]), in_batches(Distinct(n=2), TEXTS[9:])
        first.merge_state(second)
        assert first.compute().item() == dy.measure(TEXTS, "distinct:n=2")[0].value

    def test_collections(self) -> None:
        # These two texts have the same words with both tokenizers, later ones do not.
        metrics = {
            "words": Distinct(n=1),
            "white": Distinct(n=1, tokenizer="whitespace"),
            "both": TextMetric(["entropy:n=1", "types:n=1"]),
        }
        collection = MetricCollection(metrics)
        collection.update(["the cat", "a dog"])
        collection.update(["the cat!", "the cat?"])
        texts = ["the cat", "a dog", "the cat!", "the cat?"]
        assert {name: value.item() for name, value in collection.compute().items()} == {
            "words": dy.measure(texts, "distinct:n=1")[0].value,
            "white": dy.measure(texts, "distinct:n=1", tokenizer="whitespace")[0].value,
            "entropy_n1": dy.measure(texts, "entropy:n=1")[0].value,
            "types_n1": dy.measure(texts, "types:n=1")[0].value,
        }


def run(script: str, folder: Path, *arguments: str) -> None:
    """Run a script, and wait for it."""
    (folder / "script.py").write_text(textwrap.dedent(script), encoding="utf-8")
    sources = str(Path(dy.__file__).parents[1])
    ended = subprocess.run(
        [sys.executable, "script.py", *arguments],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": sources, "GLOO_SOCKET_IFNAME": "lo", "OMP_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr


PROCESSES = """
    import json, sys, warnings
    from datetime import timedelta
    from pathlib import Path
    import torch
    import torch.distributed
    import torch.multiprocessing
    from distinctly.torchmetrics import TextMetric

    def work(rank, parts, specs, distances):
        warnings.filterwarnings("ignore", message=".*called before the ``update``")  # an empty rank
        torch.distributed.init_process_group(
            "gloo",
            init_method=f"file://{Path.cwd()}/meeting",
            rank=rank,
            world_size=len(parts),
            timeout=timedelta(seconds=120),
        )
        metric, distance = TextMetric(specs), TextMetric(distances)
        for text in parts[rank]:
            metric.update([text])
            distance.update(**{"candidate" if len(text) % 2 else "reference": [text]})
        first = metric.compute()
        signatures = [score.signature for score in metric.scores()]
        metric.update(["one more", "and more"][:rank])  # goes on with its own texts
        results = [
            [value.item() for value in values.values()]
            for values in (first, metric.compute(), distance.compute())
        ]
        Path(f"{rank}.json").write_text(json.dumps([*results, signatures]))
        torch.distributed.destroy_process_group()

    if __name__ == "__main__":
        arguments = json.loads(sys.argv[1])
        torch.multiprocessing.spawn(work, arguments, nprocs=len(arguments[0]))
"""


@pytest.mark.slow  # starts processes
@pytest.mark.parametrize("cut", [len(TEXTS) // 2, 7, 0], ids=["even", "uneven", "an empty process"])
def test_two_processes_give_the_bits_of_one_call(tmp_path: Path, cut: int) -> None:
    parts = [TEXTS[:cut], TEXTS[cut:]]
    run(PROCESSES, tmp_path, json.dumps([parts, SPECS, DISTANCES]))
    sides = [[text for text in TEXTS if len(text) % 2 == side] for side in (0, 1)]
    measured = dy.measure(TEXTS, SPECS)
    expected = [
        values(measured),
        values(dy.measure([*TEXTS, "one more"], SPECS)),
        values(dy.compare(*sides, DISTANCES)),
        [score.signature for score in measured],
    ]
    for rank in (0, 1):
        assert json.loads((tmp_path / f"{rank}.json").read_text()) == expected


LIGHTNING = """
    import json, sys
    from pathlib import Path
    import lightning
    import torch
    from torch.utils.data import DataLoader
    from distinctly.torchmetrics import Distinct, TextMetric

    class Writer(lightning.LightningModule):
        def __init__(self):
            super().__init__()
            self.layer = torch.nn.Linear(1, 1)
            self.distinct = Distinct(n=2)
            self.several = TextMetric(["entropy:n=1", "ead"])

        def training_step(self, batch, place):
            return self.layer(torch.ones(1, 1)).sum()

        def validation_step(self, texts, place):
            self.distinct(texts)
            self.several.update(texts)
            self.log("distinct", self.distinct, on_step=True, on_epoch=True, batch_size=len(texts))

        def on_validation_epoch_end(self):
            self.log_dict(self.several.compute())
            self.several.reset()

        def configure_optimizers(self):
            return torch.optim.SGD(self.parameters(), lr=0.1)

    if __name__ == "__main__":
        parts = json.loads(sys.argv[1])
        trainer = lightning.Trainer(
            accelerator="cpu", devices=len(parts), strategy="ddp" if len(parts) > 1 else "auto",
            max_epochs=2, logger=False, enable_checkpointing=False, enable_progress_bar=False,
            use_distributed_sampler=False,
        )
        texts = parts[trainer.global_rank]
        trainer.fit(Writer(), DataLoader([0, 1]), DataLoader(texts, batch_size=-(-len(texts) // 3)))
        if trainer.is_global_zero:
            print({name: value.dtype for name, value in trainer.callback_metrics.items()})
            numbers = {name: value.item() for name, value in trainer.callback_metrics.items()}
            Path("numbers.json").write_text(json.dumps(numbers))
"""


@pytest.mark.slow  # starts processes
@pytest.mark.parametrize("cuts", [[0, 36], [0, 11, 36]], ids=["one process", "two processes"])
def test_lightning_logs_the_bits_of_one_call(tmp_path: Path, cuts: list[int]) -> None:
    pytest.importorskip("lightning", reason='needs Lightning: pip install "distinctly[lightning]"')
    run(LIGHTNING, tmp_path, json.dumps([TEXTS[start:end] for start, end in itertools.pairwise(cuts)]))
    numbers = json.loads((tmp_path / "numbers.json").read_text())
    measured = dy.measure(TEXTS, ["distinct:n=2", "entropy:n=1", "ead"]).flat()
    assert numbers["distinct_epoch"] == measured["distinct_n2"]
    assert {name: numbers[name] for name in ("entropy_n1", "ead")} == {
        name: measured[name] for name in ("entropy_n1", "ead")
    }
