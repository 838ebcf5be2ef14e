"""`dy.log`: what MLflow, W&B and TensorBoard hold afterwards, as their own files and APIs tell."""

from __future__ import annotations

import csv
import doctest
import io
import json
import math
import re
import struct
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import distinctly as dy
from distinctly.tracking import COLUMNS

# SQLAlchemy warns of what the tables of MLflow use.
pytestmark = pytest.mark.filterwarnings("ignore:The ..noload.. loader strategy:DeprecationWarning")

TEXTS = ["the cat sat", "the dog sat", "a bird sang", "the cat ran"]
# One value with an interval, one without a value, of two corpora, of which W&B and MLflow need other names.
SCORES = dy.measure({"gpt-4": TEXTS * 5, "模型": []}, ["distinct:n=1", "entropy:n=1"], interval=True)
NAMES = ["distinct_n1_gpt_4", "entropy_n1_gpt_4", "distinct_n1_u6a21u578b", "entropy_n1_u6a21u578b"]
LATER = dy.measure({"gpt-4": TEXTS, "模型": TEXTS[:2]}, ["distinct:n=1", "entropy:n=1"])


def same(got: dict[str, float], expected: dict[str, float]) -> bool:
    """Return whether the same names have the same bits; NaN is NaN."""
    return got.keys() == expected.keys() and all(
        got[name] == number or (math.isnan(got[name]) and math.isnan(number))
        for name, number in expected.items()
    )


def test_what_is_logged() -> None:
    """The tests below compare with these numbers, so that they cannot be empty."""
    flat = SCORES.flat()
    assert [name for name in flat if not name.endswith(("_low", "_high"))] == NAMES
    assert flat["distinct_n1_gpt_4"] == 8 / 60  # 8 different words, 5 times 12 tokens
    assert flat["entropy_n1_gpt_4_low"] < flat["entropy_n1_gpt_4"]
    assert math.isnan(flat["distinct_n1_u6a21u578b"])


# MLflow --------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of one store, whose tables take seconds to make."""
    return tmp_path_factory.mktemp("mlflow")


@pytest.fixture
def mlflow(store: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """MLflow with a store of its own: an SQLite file, and artifacts in a folder."""
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("MLFLOW_ENABLE_ARTIFACTS_PROGRESS_BAR", "false")
    monkeypatch.chdir(store)
    mlflow = pytest.importorskip("mlflow", reason='needs MLflow: pip install "distinctly[mlflow]"')
    mlflow.set_tracking_uri(f"sqlite:///{store}/mlflow.db")
    yield mlflow
    while mlflow.active_run() is not None:
        mlflow.end_run()
    mlflow.set_tracking_uri(None)


def history(mlflow: Any, run_id: str) -> dict[str, dict[int, float]]:
    """Return the metrics of a run by name and step."""
    client = mlflow.MlflowClient()
    names = client.get_run(run_id).data.metrics
    points = {name: client.get_metric_history(run_id, name) for name in names}
    assert all(len({point.step for point in each}) == len(each) for each in points.values())
    return {name: {point.step: point.value for point in each} for name, each in points.items()}


def table(mlflow: Any, run_id: str, path: str) -> list[dict[str, str]]:
    """Return the rows of an artifact."""
    local = mlflow.artifacts.download_artifacts(run_id=run_id, artifact_path=path)
    return list(csv.DictReader(io.StringIO(Path(local).read_text(encoding="utf-8"))))


def test_mlflow_holds_the_numbers(mlflow: Any) -> None:
    with mlflow.start_run() as run:
        dy.log(SCORES, to=run, step=10)
        dy.log(LATER, to=run, step=20)
    points = history(mlflow, run.info.run_id)
    assert same({name: steps[10] for name, steps in points.items()}, SCORES.flat())
    later = {name: steps[20] for name, steps in points.items() if 20 in steps}
    assert list(LATER.flat()) == NAMES
    assert same(later, LATER.flat())


def test_mlflow_holds_a_table_with_signatures(mlflow: Any) -> None:
    with mlflow.start_run() as run:
        dy.log(SCORES, to=run, step=10)
    rows = table(mlflow, run.info.run_id, "distinctly/scores-000010.csv")
    assert [list(row) for row in rows] == [list(COLUMNS)] * 4
    assert [row["name"] for row in rows] == NAMES
    assert [row["corpus"] for row in rows] == ["gpt-4", "gpt-4", "模型", "模型"]
    assert [row["signature"] for row in rows] == [score.signature for score in SCORES]
    assert rows[1]["spec"] == "entropy:n=1"
    assert float(rows[1]["low"]) == SCORES[1].low
    assert (rows[2]["value"], rows[2]["undefined"]) == ("", "there are no texts.")
    assert rows[0]["notes"] == " ".join(SCORES[0].notes) != ""
    again = dy.measure(TEXTS * 5, signature=rows[1]["signature"])
    assert (again[0].value, again[0].low) == (float(rows[1]["value"]), float(rows[1]["low"]))


def test_runs_of_mlflow_may_be_given_in_several_ways(mlflow: Any) -> None:
    client = mlflow.MlflowClient()
    other = client.create_run(mlflow.create_experiment("other"))
    with mlflow.start_run() as active:
        dy.log(SCORES[0].evolve(corpus="=a"), to=other)  # not the active run; one score; no step
        dy.log(SCORES, step=1)
        dy.log(SCORES, mlflow, step=2)
        dy.log(SCORES, active, step=3)
    dy.log(SCORES, client.get_run(active.info.run_id), step=4, prefix="eval/")  # ended, and looked up
    assert history(mlflow, other.info.run_id)["distinct_n1"] == {0: 8 / 60}
    assert [row["name"] for row in table(mlflow, other.info.run_id, "distinctly/scores.csv")] == [
        "distinct_n1"
    ]
    points = history(mlflow, active.info.run_id)
    assert points["distinct_n1_gpt_4"] == dict.fromkeys((1, 2, 3), 8 / 60)
    assert points["eval/distinct_n1_gpt_4"] == {4: 8 / 60}
    files = [file.path for file in client.list_artifacts(active.info.run_id, "distinctly")]
    assert files == ["distinctly/eval", *(f"distinctly/scores-00000{step}.csv" for step in (1, 2, 3))]
    assert table(mlflow, active.info.run_id, "distinctly/eval/scores-000004.csv")


def test_a_run_may_be_of_a_class_of_the_user(mlflow: Any) -> None:
    class Named(mlflow.entities.Run):  # type: ignore[misc,name-defined]
        pass

    run = mlflow.MlflowClient().create_run("0")
    dy.log(SCORES, Named(run.info, run.data), step=0)
    assert history(mlflow, run.info.run_id)["distinct_n1_gpt_4"] == {0: 8 / 60}
    assert table(mlflow, run.info.run_id, "distinctly/scores-000000.csv")


def test_distances_are_logged_with_their_tests(mlflow: Any) -> None:
    scores = dy.compare(TEXTS * 3, TEXTS[:2] * 6, ["chi", "zipf"], permutations=10, noise_floor=True)
    with mlflow.start_run() as run:
        dy.log(scores, step=5)
    points = history(mlflow, run.info.run_id)
    assert {"chi", "chi_p", "zipf_p_holm", "zipf_floor_ratio"} <= points.keys()
    assert same({name: steps[5] for name, steps in points.items()}, scores.flat())
    rows = table(mlflow, run.info.run_id, "distinctly/scores-000005.csv")
    assert [(row["reference"], float(row["p"])) for row in rows] == [
        ("reference", score.test.p) for score in scores
    ]


def test_more_metrics_than_mlflow_takes_at_once(mlflow: Any) -> None:
    scores = dy.Scores([dy.Score(i, spec="ead", corpus=f"c{i}") for i in range(1001)])
    with mlflow.start_run() as run:
        dy.log(scores, step=1)
    assert mlflow.MlflowClient().get_run(run.info.run_id).data.metrics == scores.flat()


def test_mlflow_accepts_the_longest_name_and_prefix(mlflow: Any) -> None:
    corpora = ["x" * 300, "x" * 299 + "y"]
    scores = dy.Scores([dy.Score(0.5, spec="ead", corpus=c, low=0.4, high=0.6) for c in corpora])
    with mlflow.start_run() as run:
        dy.log(scores, step=1, prefix="evaluation/on-held_out.texts/")
    assert len(mlflow.MlflowClient().get_run(run.info.run_id).data.metrics) == 6


def test_mlflow_without_a_run(mlflow: Any) -> None:
    with pytest.raises(dy.SpecError, match=r"no active run here. Start one with mlflow.start_run\(\)"):
        dy.log(SCORES, mlflow)
    with pytest.raises(dy.SpecError, match=r"got MlflowClient. Pass client.get_run\(run_id\)"):
        dy.log(SCORES, mlflow.MlflowClient())


# Weights & Biases ----------------------------------------------------------------------------------------


@pytest.fixture
def wandb(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    """W&B without a server: runs are files."""
    for name, value in {
        "WANDB_MODE": "offline",
        "WANDB_DIR": str(tmp_path),
        "WANDB_CACHE_DIR": str(tmp_path / "cache"),
        "WANDB_CONFIG_DIR": str(tmp_path / "config"),
        "WANDB_DATA_DIR": str(tmp_path / "data"),
        "WANDB_SILENT": "true",
        "WANDB_CONSOLE": "off",
        "WANDB_ERROR_REPORTING": "false",
    }.items():
        monkeypatch.setenv(name, value)
    wandb = pytest.importorskip("wandb", reason='needs W&B: pip install "distinctly[wandb]"')
    yield wandb
    wandb.finish()
    wandb.teardown()


def records(path: Path) -> Iterator[bytes]:
    """Yield the records of an offline run: a log of LevelDB, in blocks of 32 KiB of pieces of records."""
    content, place, record = path.read_bytes(), 7, b""  # after the header of W&B
    while place + 7 <= len(content):
        left = 32768 - place % 32768
        if left < 7:  # too little for the head of a piece
            place += left
            continue
        _, size, kind = struct.unpack("<IHB", content[place : place + 7])
        record += content[place + 7 : place + 7 + size]
        place += 7 + size
        if kind in (1, 4):  # a whole record, or the last piece of one
            yield record
            record = b""


def steps_of(wandb: Any, folder: Path) -> list[dict[str, Any]]:
    """Return what an offline run holds, one item per step: what `wandb sync` sends."""
    from wandb.proto import wandb_internal_pb2

    wandb.teardown()  # its service writes the end of the file
    (path,) = folder.glob("wandb/offline-run-*/*.wandb")
    steps = []
    for data in records(path):
        record = wandb_internal_pb2.Record.FromString(data)
        if record.HasField("history"):
            items = record.history.item
            steps.append(
                {"/".join(item.nested_key) or item.key: json.loads(item.value_json) for item in items}
            )
    return steps


def numbers_of(step: dict[str, Any]) -> dict[str, float]:
    """Return the numbers of a step, without those of W&B itself; it writes NaN as text."""
    return {
        name: float(value)
        for name, value in step.items()
        if not name.startswith("_") and not name.startswith("distinctly_scores")
    }


def table_of(step: dict[str, Any], folder: Path, key: str = "distinctly_scores") -> list[dict[str, Any]]:
    """Return the rows of the table of a step, which is a file."""
    path = step[f"{key}/path"] if f"{key}/path" in step else step[key]["path"]
    (files,) = folder.glob("wandb/offline-run-*/files")
    stored = json.loads((files / path).read_text(encoding="utf-8"))
    return [dict(zip(stored["columns"], row)) for row in stored["data"]]


def test_wandb_holds_the_numbers_and_the_table(wandb: Any, tmp_path: Path) -> None:
    run = wandb.init(project="p")
    dy.log(SCORES, to=run, step=10)
    dy.log(LATER, to=run, step=20)
    run.log({}, step=20, commit=True)
    assert run.summary["distinct_n1_gpt_4"] == LATER.flat()["distinct_n1_gpt_4"]
    assert run.summary["entropy_n1_gpt_4_low"] == SCORES.flat()["entropy_n1_gpt_4_low"]  # LATER has none
    run.finish()
    steps = steps_of(wandb, tmp_path)
    assert [step["_step"] for step in steps] == [10, 20]
    assert same(numbers_of(steps[0]), SCORES.flat())
    assert same(numbers_of(steps[1]), LATER.flat())
    rows = table_of(steps[0], tmp_path)
    assert list(rows[0]) == list(COLUMNS)
    assert [row["name"] for row in rows] == NAMES
    assert [row["signature"] for row in rows] == [score.signature for score in SCORES]
    assert (rows[1]["value"], rows[1]["low"]) == (SCORES[1].value, SCORES[1].low)
    assert (rows[2]["value"], rows[2]["undefined"]) == (None, "there are no texts.")


def test_a_step_of_wandb_is_shared_with_what_else_is_logged(wandb: Any, tmp_path: Path) -> None:
    run = wandb.init(project="p")
    run.log({"loss": 1.0}, step=3)
    dy.log(SCORES[0].evolve(corpus="=a"), run, step=3, prefix="eval/")
    run.log({"loss": 0.5}, step=4)
    run.finish()
    steps = steps_of(wandb, tmp_path)
    assert [(step["_step"], step["loss"]) for step in steps] == [(3, 1.0), (4, 0.5)]
    assert steps[0]["eval/distinct_n1"] == 8 / 60
    (row,) = table_of(steps[0], tmp_path, "eval/distinctly_scores")
    assert row["corpus"] == "=a"  # no spreadsheet reads it
    assert "eval/distinct_n1" not in steps[1]


def test_without_a_step_wandb_advances_by_one(wandb: Any, tmp_path: Path) -> None:
    run = wandb.init(project="p")
    dy.log(SCORES)
    dy.log(SCORES, wandb)
    assert run.step == 2
    run.finish()
    steps = steps_of(wandb, tmp_path)
    assert [step["_step"] for step in steps] == [0, 1]
    assert all(same(numbers_of(step), SCORES.flat()) for step in steps)


def test_wandb_without_a_run(wandb: Any) -> None:
    with pytest.raises(dy.SpecError, match=r"no active run here. Start one with wandb.init\(\)"):
        dy.log(SCORES, wandb)
    with pytest.raises(dy.SpecError, match=r"a run of W&B, got Table. Pass what wandb.init\(\) returned"):
        dy.log(SCORES, wandb.Table(columns=["a"], data=[[1]]))


def test_the_run_is_ambiguous_if_both_have_one(mlflow: Any, wandb: Any) -> None:
    with mlflow.start_run(), wandb.init(project="p"):
        with pytest.raises(dy.SpecError, match="both MLflow and W&B have an active run"):
            dy.log(SCORES)
        dy.log(SCORES, mlflow)


# TensorBoard ---------------------------------------------------------------------------------------------


def _tensorboardx(folder: str) -> Any:
    package = pytest.importorskip("tensorboardX", reason='needs pip install "distinctly[tensorboard]"')
    return package.SummaryWriter(folder)


def _torch(folder: str) -> Any:
    pytest.importorskip("torch", reason='needs torch: pip install "distinctly[gpu]"')
    from torch.utils import tensorboard

    return tensorboard.SummaryWriter(folder)


@pytest.mark.parametrize("make", [_tensorboardx, _torch])
def test_tensorboard_holds_the_numbers(tmp_path: Path, make: Callable[[str], Any]) -> None:
    accumulators = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator",
        reason='needs TensorBoard: pip install "distinctly[tensorboard]"',
    )
    writer = make(str(tmp_path))
    dy.log(SCORES, to=writer, step=10, prefix="eval/")
    dy.log(LATER, to=writer, step=20, prefix="eval/")
    writer.close()
    events = accumulators.EventAccumulator(str(tmp_path), size_guidance={"scalars": 0, "tensors": 0})
    events.Reload()
    tags = events.Tags()
    held = {tag: {event.step: event.value for event in events.Scalars(tag)} for tag in tags["scalars"]}

    def in_32_bits(scores: dy.Scores) -> dict[str, float]:
        return {
            f"eval/{name}": struct.unpack("f", struct.pack("f", number))[0]
            for name, number in scores.flat().items()
        }

    assert same({tag: steps[10] for tag, steps in held.items()}, in_32_bits(SCORES))
    assert same({tag: steps[20] for tag, steps in held.items() if 20 in steps}, in_32_bits(LATER))
    (tag,) = tags["tensors"]
    assert tag.startswith("eval/distinctly_scores")
    texts = {event.step: event.tensor_proto.string_val[0].decode() for event in events.Tensors(tag)}
    assert list(texts) == [10, 20]
    head, _, *rows = texts[10].splitlines()
    assert head == "| name | corpus | metric | spec | value | low | high | undefined | notes | signature |"
    assert len(rows) == 4
    assert repr(SCORES[1].value) in rows[1]
    assert "there are no texts." in rows[2]
    assert SCORES[0].signature.replace("|", "\\|") in rows[0]


# Requests ------------------------------------------------------------------------------------------------


class Writer:
    """What is written to a writer of TensorBoard."""

    def __init__(self) -> None:
        self.scalars: dict[str, tuple[float, int | None]] = {}
        self.texts: dict[str, int | None] = {}

    def add_scalar(self, tag: str, value: float, global_step: int | None) -> None:
        self.scalars[tag] = (value, global_step)

    def add_text(self, tag: str, text: str, global_step: int | None) -> None:
        self.texts[tag] = global_step


def test_a_step_may_be_a_number_of_another_library() -> None:
    import numpy as np

    writer = Writer()
    dy.log(SCORES[0], writer, step=np.int64(7))
    assert writer.scalars["distinct_n1"] == (8 / 60, 7)
    assert type(writer.scalars["distinct_n1"][1]) is int
    assert writer.texts == {"distinctly_scores": 7}
    for step in (1.5, "7"):
        with pytest.raises(dy.SpecError, match="Expected step to be a whole number, got"):
            dy.log(SCORES, Writer(), step=step)  # type: ignore[arg-type]


@pytest.mark.parametrize("prefix", ["/", "eval//", "../", "a b", "é/", "eval/.", "eval\n", None])
def test_prefixes_that_trackers_do_not_accept(prefix: Any) -> None:
    writer = Writer()
    with pytest.raises(dy.SpecError, match=r"Expected a prefix of letters, digits and _ \. - /"):
        dy.log(SCORES, writer, prefix=prefix)
    assert not writer.scalars


@pytest.mark.parametrize("to", [{}, "mlflow", print, math])
def test_anything_else_is_an_error_that_lists_the_trackers(to: object) -> None:
    with pytest.raises(dy.SpecError) as error:
        dy.log(SCORES, to)
    for extra in ("mlflow", "wandb", "tensorboard"):
        assert f'pip install "distinctly[{extra}]"' in str(error.value)
    assert "scores.flat()" in str(error.value)
    assert "\n" not in str(error.value)


def test_without_a_tracker_there_is_no_active_run() -> None:
    with pytest.raises(dy.SpecError, match="there is no active run here"):
        dy.log(SCORES)


def test_a_folder_of_logs_is_no_tracker(monkeypatch: pytest.MonkeyPatch) -> None:
    """W&B writes into a folder `wandb`, which Python can import as a package without contents."""
    monkeypatch.setitem(sys.modules, "wandb", ModuleType("wandb"))
    with pytest.raises(dy.SpecError, match="there is no active run here"):
        dy.log(SCORES)


def test_only_scores_are_logged() -> None:
    with pytest.raises(
        dy.SpecError, match="Expected the scores of measure, compare or an Accumulator, got dict"
    ):
        dy.log(SCORES.flat(), Writer())  # type: ignore[arg-type]


def test_no_tracker_is_imported() -> None:
    script = (
        "import sys, distinctly as dy\n"
        "class Writer:\n"
        "    def add_scalar(self, *_): print('scalar')\n"
        "    def add_text(self, *_): print('text')\n"
        "dy.log(dy.measure(['a b'], 'distinct:n=1'), Writer())\n"
        "print([name for name in ('mlflow', 'wandb', 'tensorboard', 'torch') if name in sys.modules])\n"
    )
    run = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert run.stdout.splitlines() == ["scalar", "text", "[]"]


# The page -----------------------------------------------------------------------------------------------


def run_section(root: Path, title: str) -> None:
    """Run the examples of a section of the page, after those of the first one."""
    text = (root / "docs" / "tracking.md").read_text(encoding="utf-8")
    first, *sections = re.split(r"^## ", text, flags=re.MULTILINE)
    (section,) = [each for each in sections if each.startswith(f"{title}\n")]
    test = doctest.DocTestParser().get_doctest(first + section, {}, title, None, 0)
    assert len(test.examples) > len(doctest.DocTestParser().get_examples(first)) > 0
    assert doctest.DocTestRunner().run(test).failed == 0


@pytest.mark.parametrize("title", ["Names", "Reading a run"])
def test_examples_without_a_tracker(root: Path, title: str) -> None:
    run_section(root, title)


def test_mlflow_on_the_page(root: Path, mlflow: Any) -> None:
    run_section(root, "MLflow")


def test_wandb_on_the_page(root: Path, wandb: Any) -> None:
    run_section(root, "Weights & Biases")


def test_tensorboard_on_the_page(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("tensorboardX", reason='needs pip install "distinctly[tensorboard]"')
    pytest.importorskip("tensorboard", reason='needs pip install "distinctly[tensorboard]"')
    monkeypatch.chdir(tmp_path)
    run_section(root, "TensorBoard")
