"""`Accumulator` for distances: folded in pieces, merged, pickled, and the same as `compare`."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import distinctly as dy

HUMAN = [f"the {animal} {verb} here" for animal in ("cat", "dog", "fox", "owl") for verb in ("sat", "ran")]
MODEL = [f"a {animal} sat {place}" for animal in ("cat", "dog") for place in ("down", "up", "here")]
SPECS = ["frechet", "medoid", "ttest", "chi", "jensen_shannon:n=2", "zipf", "ttr_difference"]


def state() -> dy.Accumulator:
    return dy.Accumulator(SPECS, embedder="wordllama:dim=64")


def test_pieces_and_merging_give_the_scores_of_compare() -> None:
    first, second = state(), state()
    first.update(reference=HUMAN[:3], candidate=MODEL[:1])
    first.update(candidate=MODEL[1:4])
    second.update(reference=HUMAN[3:])
    second.update(candidate=MODEL[4:])
    merged = pickle.loads(pickle.dumps(first)).merge(second).compute()
    compared = dy.compare(HUMAN, MODEL, SPECS, embedder="wordllama:dim=64")
    for score, expected in zip(merged, compared, strict=True):
        # Counts are exact; moments merge within 1e-9.
        tolerance = 1e-9 if score.metric in ("frechet", "medoid", "ttest") else 0
        assert score.value == pytest.approx(expected.value, rel=tolerance, abs=0)
        assert score.signature == expected.signature
        assert score.parts["reference_texts"] == len(HUMAN)


def test_nothing_is_undefined_with_a_reason() -> None:
    empty = state()
    empty.update(reference=HUMAN)
    assert {score.undefined for score in empty.compute()} == {"the candidate has no texts."}


def test_each_kind_of_metric_has_its_own_update() -> None:
    with pytest.raises(dy.SpecError, match=r"update\(reference=…, candidate=…\)"):
        state().update(HUMAN)
    with pytest.raises(dy.SpecError, match=r"update\(texts\)"):
        dy.Accumulator("distinct:n=1").update(reference=HUMAN)
    with pytest.raises(dy.SpecError, match="dy.compare"):
        dy.Accumulator("dc")


class TestBytes:
    def test_they_add_up_to_the_scores_of_measure(self) -> None:
        specs = ["distinct", "ead", "entropy:n=2", "duplicates", "mtld", "yule", "sentence_length", "vocd"]
        first, second = dy.Accumulator(specs), dy.Accumulator(specs)
        first.update(TEXTS[:3])
        first.update(TEXTS[3:9])
        second.update(TEXTS[9:])
        scores = first.merge_bytes(second.to_bytes()).compute()
        measured = dy.measure(TEXTS, specs)
        assert [score.signature for score in scores] == [score.signature for score in measured]
        assert [score.value for score in scores] == pytest.approx(
            [score.value for score in measured], rel=0, abs=0, nan_ok=True
        )
        # The receiver and the sender are as before.
        assert first.compute()[0].parts["texts"] == 9

    def test_both_sides_of_distances(self) -> None:
        first, second = state(), state()
        first.update(reference=HUMAN)
        second.update(candidate=MODEL)
        both = dy.Accumulator(SPECS, embedder="wordllama:dim=64")
        for each in (first, second):
            both = both.merge_bytes(each.to_bytes())
        compared = dy.compare(HUMAN, MODEL, SPECS, embedder="wordllama:dim=64")
        assert [score.value for score in both.compute()] == pytest.approx(
            [score.value for score in compared], rel=1e-9
        )

    def test_approximate_counts(self) -> None:
        texts = [f"{number} {number % 7}" for number in range(3000)]
        total = dy.Accumulator("types:n=2", approximate=True)
        for start in (0, 1000, 2000):
            part = dy.Accumulator("types:n=2", approximate=True)
            part.update(texts[start : start + 1000])
            total = total.merge_bytes(part.to_bytes())
        assert total.compute()[0].value == dy.measure(texts, "types:n=2", approximate=True)[0].value

    def test_no_texts(self) -> None:
        empty, full = dy.Accumulator("distinct:n=1"), dy.Accumulator("distinct:n=1")
        full.update(TEXTS)
        for scores in (empty.merge_bytes(full.to_bytes()), full.merge_bytes(empty.to_bytes())):
            assert scores.compute()[0].value == dy.measure(TEXTS, "distinct:n=1")[0].value
        assert empty.merge_bytes(empty.to_bytes()).compute()[0].undefined == "there are no texts."

    @pytest.mark.parametrize(
        "other", [{"metrics": "distinct:n=2"}, {"tokenizer": "char"}, {"approximate": True}]
    )
    def test_only_the_same_is_added_up(self, other: dict[str, object]) -> None:
        sender = dy.Accumulator(**{"metrics": "distinct:n=1", **other})
        sender.update(TEXTS)
        with pytest.raises(
            dy.InputError, match="added up only if metrics, tokenizers and versions are the same"
        ):
            dy.Accumulator("distinct:n=1").merge_bytes(sender.to_bytes())

    @pytest.mark.parametrize("data", [b"", b"text", b"\xff" * 99, b"\2" + b"\0" * 7 + b"{}"])
    def test_other_bytes_are_an_error(self, data: bytes) -> None:
        with pytest.raises(dy.InputError, match="damaged"):
            dy.Accumulator("distinct:n=1").merge_bytes(data)

    def test_states_that_are_cut_off_are_an_error(self) -> None:
        full = dy.Accumulator(["distinct:n=1", "duplicates"])
        full.update(TEXTS)
        data = full.to_bytes()
        for end in range(0, len(data), 7):
            with pytest.raises(dy.InputError, match="damaged"):
                full.merge_bytes(data[:end])

    def test_metrics_that_need_the_texts_say_what_to_do_instead(self) -> None:
        with pytest.raises(dy.SpecError, match=r"reads the texts twice.*dy\.measure"):
            dy.Accumulator("self_bleu").to_bytes()
        with pytest.raises(dy.SpecError, match="Pickle"):
            dy.Accumulator("distinct:n=1", interval=True).to_bytes()


TEXTS = [*HUMAN, *MODEL, "the owl", "a cat sat up up up"]
INTERVALS = ["distinct:n=1", "entropy:n=1", "ead", "types:n=2", "distinct:n=1,pool=text", "mtld", "self_bleu"]


class TestIntervals:
    def test_they_are_those_of_measure(self) -> None:
        first, second = (dy.Accumulator(INTERVALS, interval=True) for _ in range(2))
        first.update(TEXTS[:3])
        first.update(TEXTS[3:9])
        second.update(TEXTS[9:])
        scores = pickle.loads(pickle.dumps(first)).merge(pickle.loads(pickle.dumps(second))).compute()
        measured = dy.measure(TEXTS, INTERVALS, interval=True)
        for score, expected in zip(scores, measured, strict=True):
            assert score.low is not None, score.spec
            assert (score.value, score.low, score.high) == (expected.value, expected.low, expected.high)
            assert (score.signature, score.notes) == (expected.signature, expected.notes)

    def test_they_change_no_value(self) -> None:
        with_intervals, without = dy.Accumulator(INTERVALS, interval=True), dy.Accumulator(INTERVALS)
        for state in (with_intervals, without):
            state.update(TEXTS)
        values = [[score.value for score in state.compute()] for state in (with_intervals, without)]
        assert values[0] == values[1]
        assert all(score.low is None for score in without.compute())

    def test_groups_are_units(self) -> None:
        groups = [str(place // 2) for place in range(len(TEXTS))]
        state = dy.Accumulator("distinct:n=1", interval=True)
        state.update(TEXTS[:5], groups=groups[:5])
        state.update(TEXTS[5:], groups=groups[5:])
        measured = dy.measure(TEXTS, "distinct:n=1", groups=groups, interval=True)
        (pooled,) = [score for score in measured if score.scope == "pooled"]
        (score,) = state.compute()
        assert (score.low, score.high, score.signature) == (pooled.low, pooled.high, pooled.signature)

    def test_too_few_texts_have_none_and_a_note(self) -> None:
        state = dy.Accumulator("distinct:n=1", interval=True)
        state.update(TEXTS[:2])
        (score,) = state.compute()
        assert score.low is None
        assert any(note.startswith("No interval") for note in score.notes)

    def test_no_texts(self) -> None:
        (score,) = dy.Accumulator("distinct:n=1", interval=True).compute()
        assert score.undefined == "there are no texts."

    def test_distances_have_none_and_a_note(self) -> None:
        state = dy.Accumulator("chi", interval=True)
        state.update(reference=HUMAN, candidate=MODEL)
        (score,) = state.compute()
        assert score.low is None
        assert any(note.startswith("No interval") and "dy.compare" in note for note in score.notes)

    def test_only_accumulators_with_the_same_intervals_are_merged(self) -> None:
        with pytest.raises(dy.InputError, match="with and without intervals"):
            dy.Accumulator("types:n=1", interval=True).merge(dy.Accumulator("types:n=1"))


class TestNestedLists:
    def test_they_are_read_as_measure_reads_them(self) -> None:
        state = dy.Accumulator("types:n=1")
        state.update([["a b", "c"], ["d"]])
        state.update([["e f"]])
        (score,) = state.compute()
        assert (score.value, score.parts["texts"]) == (6, 4)
        assert any(note.startswith("Read as 3 groups of 4 texts") for note in score.notes)

    def test_texts_and_tokens_are_not_mixed(self) -> None:
        state = dy.Accumulator("types:n=1")
        state.update([["a b", "c"], ["d"]])
        with pytest.raises(dy.InputError, match="tokens=True or tokens=False"):
            state.update([["e"]])

    def test_groups_of_several_updates_need_names(self) -> None:
        state = dy.Accumulator("distinct:n=1,pool=group")
        with pytest.raises(dy.InputError, match="one per list of texts: groups="):
            state.update([["a b", "c"], ["d"]])
        state.update([["a b", "c"], ["d"]], groups=["x", "y"])
        state.update([["a b"]], groups=["z"])
        assert state.compute()[0].parts["groups"] == 3


class TestRepr:
    def test_it_says_what_is_measured_and_how_much_text_there_is(self) -> None:
        state = dy.Accumulator(["distinct:n=1", "ead"])
        assert repr(state) == "Accumulator('distinct:n=1', 'ead': 0 texts, 0 tokens)"
        for _ in range(300):
            state.update(["a cat sat", "the dog ran off"])
        # 3 and 4 tokens.
        assert repr(state) == "Accumulator('distinct:n=1', 'ead': 600 texts, 2,100 tokens)"

    def test_it_computes_no_scores(self, monkeypatch: pytest.MonkeyPatch) -> None:
        state = dy.Accumulator("distinct:n=1", interval=True)
        state.update(["a cat sat"])
        monkeypatch.setattr(dy.Accumulator, "compute", lambda self: pytest.fail("it computes scores"))
        assert repr(state) == "Accumulator('distinct:n=1': 1 text, 3 tokens)"

    def test_both_corpora_of_distances(self) -> None:
        state = dy.Accumulator("chi")
        state.update(reference=["a b"], candidate=["a", "c d"])
        assert (
            repr(state) == "Accumulator('chi': reference of 1 text, 2 tokens; candidate of 2 texts, 3 tokens)"
        )


def test_an_accumulator_of_another_process_can_be_merged(tmp_path: Path) -> None:
    # Python hashes strings differently in each process, unless it is given a seed.
    for seed, text in enumerate(["a b a", "a c"], 1):
        script = (
            "import pickle, distinctly as dy; state = dy.Accumulator(['distinct:n=1', 'mtld']); "
            f"state.update([{text!r}]); open('{seed}', 'wb').write(pickle.dumps(state))"
        )
        paths = os.pathsep.join([str(Path(dy.__file__).parents[1]), os.environ.get("PYTHONPATH", "")])
        environment = {**os.environ, "PYTHONHASHSEED": str(seed), "PYTHONPATH": paths}
        subprocess.run([sys.executable, "-c", script], cwd=tmp_path, env=environment, check=True)
    first, second = (pickle.loads((tmp_path / name).read_bytes()) for name in "12")
    expected = dy.measure(["a b a", "a c"], ["distinct:n=1", "mtld"])
    scores = dy.Accumulator(["distinct:n=1", "mtld"]).merge(first).merge(second).compute()
    assert [score.signature for score in scores] == [score.signature for score in expected]
    assert scores[0].value == 3 / 5  # a, b and c, of five tokens
