"""`utility`: by hand, against a loop, NoveltyBench's files through the command, and errors."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.cli.fixtures import Run, Save, command, save
from tests.oracles import classes as oracle

import distinctly as dy

__all__ = ["command", "save"]

# As NoveltyBench writes them: `generation_scores` are 0 for texts that are not the first of their class.
RECORDS = [
    {
        "id": "curated-0",
        "prompt": "Name a colour.",
        "model": "x",
        "generations": ["red", "red!", "blue", "dark red", "green"],
        "partition": [0, 0, 1, 0, 2],
        "generation_scores": [10, 0, 8, 0, 5],
    },
    {
        "id": "curated-1",
        "prompt": "Roll a die.",
        "model": "x",
        "generations": ["four", "four.", "four", "four", "four"],
        "partition": [0, 0, 0, 0, 0],
        "generation_scores": [6, 0, 0, 0, 0],
    },
]
# 3 and 1 classes; `max(partition)`, which NoveltyBench writes per record, is 2 and 0.
MEAN_ANSWERS = (3 + 1) / 2
# Weights 1, 0.8, 0.64, 0.512, 0.4096, whose sum is 3.3616.
WEIGHTS = 1 + 0.8 + 0.64 + 0.512 + 0.4096
MEAN_UTILITY = ((10 + 0.64 * 8 + 0.4096 * 5) / WEIGHTS + 6 / WEIGHTS) / 2
# Texts are equivalent if they have a word in common, whatever the punctuation.
STUB = """
def words(text):
    return set(text.strip("!.").split())


def equivalent(first, second):
    return [bool(words(a) & words(b)) for a, b in zip(first, second)]
"""


def measured(texts: list[str], spec: str, **columns: Any) -> dy.Score:
    return dy.measure(texts, spec, **columns)[0]


def test_by_hand() -> None:
    # Texts 1, 3 and 4 are the first of their class: (4 + 0.25·2 + 0.125·(−1)) / (1 + 0.5 + 0.25 + 0.125).
    columns = {"partition": list("aabc"), "quality": [4, 9, 2, -1]}
    score = measured(list("wxyz"), "utility:by=partition,patience=0.5", **columns)
    assert score.value == pytest.approx(4.375 / 1.875, rel=1e-12)
    assert score.parts == {
        "texts": 4,
        "classes": 3,
        "largest_class": 2,
        "largest_share": 0.5,
        "mean_quality": 3.5,
    }
    # All texts count the same, or the first alone.
    assert measured(list("wxyz"), "utility:by=partition,patience=1", **columns).value == 5 / 4
    assert measured(list("wxyz"), "utility:by=partition,patience=0", **columns).value == 4


def test_the_default_patience() -> None:
    # (1 − 0.8) / (1 − 0.8²) · (1·3 + 0.8·5) = 0.2 / 0.36 · 7
    value = measured(["a", "b"], "utility:by=partition", partition=["0", "1"], quality=[3, 5]).value
    assert value == pytest.approx(0.2 / 0.36 * 7, rel=1e-12)


@given(
    rows=st.lists(st.tuples(st.integers(0, 3), st.integers(-5, 5)), min_size=1, max_size=8),
    patience=st.sampled_from([0.0, 0.3, 0.8, 1.0]),
)
def test_against_a_loop(rows: list[tuple[int, int]], patience: float) -> None:
    classes, quality = [str(name) for name, _ in rows], [worth for _, worth in rows]
    texts = [f"text {place}" for place in range(len(rows))]
    spec = f"utility:by=partition,patience={patience}"
    value = measured(texts, spec, partition=classes, quality=quality).value
    assert value == pytest.approx(oracle.utility(classes, quality, patience), rel=1e-9, abs=1e-12)


def test_the_order_matters_and_is_signed() -> None:
    columns = {"partition": ["0", "0"], "quality": [1, 2]}
    scores = [measured(texts, "utility:by=partition", **columns) for texts in (["a", "b"], ["b", "a"])]
    swapped = measured(["b", "a"], "utility:by=partition", partition=["0", "0"], quality=[2, 1])
    weights = 1 + 0.8
    assert scores[0].value == pytest.approx(1 / weights)
    assert swapped.value == pytest.approx(2 / weights)
    assert len({score.signature for score in (*scores, swapped)}) == 3
    again = dy.measure(["a", "b"], signature=scores[0].signature, **columns)[0]
    assert (again.value, again.signature) == (scores[0].value, scores[0].signature)


def test_classes_by_vectors_and_by_a_classifier() -> None:
    vectors = {"a": [1.0, 0], "b": [2.0, 0.1], "c": [0, 1.0], "": [0, 0]}
    options = {"embedder": lambda texts: [vectors[text] for text in texts]}
    # a and b are one class, and c another. A text without a vector keeps its place and adds nothing.
    quality = [1, 2, 4, 8]
    score = measured(["a", "b", "", "c"], "utility:threshold=0.9,patience=0.5", quality=quality, **options)
    assert score.value == pytest.approx((1 + 0.125 * 8) / 1.875)
    assert score.parts["zero_vectors"] == 1
    same = dy.Utility(by="classifier", classifier=lambda a, b: np.ones(len(a)), patience=1)
    assert same(["a", "b"], quality=[3, 5]).value == 1.5


def test_undefined_without_classes() -> None:
    score = measured(["", ""], "utility:by=partition", partition=["0", "0"], quality=[1, 2])
    assert (math.isnan(score.value), score.undefined) == (True, "no text has any characters.")
    assert measured([], "utility:by=partition").undefined == "there are no texts."


def test_missing_quality() -> None:
    with pytest.raises(dy.SpecError, match="--quality"):
        measured(["a", "b"], "utility:by=partition", partition=["0", "1"])
    with pytest.raises(dy.SpecError, match=r"as in utility:threshold=0\.8"):
        measured(["a", "b"], "utility", quality=[1, 2], embedder=lambda texts: np.ones((len(texts), 2)))


def test_files_of_noveltybench(command: Run, save: Save) -> None:
    path = save("scores.jsonl", "".join(f"{json.dumps(record)}\n" for record in RECORDS))
    stub = save("stub.py", STUB)
    fields = ("--field", "generations", "--prompt", "prompt", "--partition", "partition")
    fields += ("--quality", "generation_scores")
    judged = f"preset=noveltybench,by=classifier,classifier={stub}:equivalent"
    metrics = ["answers:by=partition", f"answers:{judged}", "utility:by=partition", f"utility:{judged}"]
    flags = [flag for metric in metrics for flag in ("-m", metric)]
    done = command("measure", str(path), *fields, *flags, "--format", "json")
    assert done.returncode == 0, done.stderr
    scores = [score for score in json.loads(done.stdout)["scores"] if score["scope"] == "within"]
    values = [score["value"] for score in scores]
    assert values == pytest.approx([MEAN_ANSWERS, MEAN_ANSWERS, MEAN_UTILITY, MEAN_UTILITY], rel=1e-12)
    assert [score["parts"]["groups"] for score in scores] == [2] * 4


@pytest.mark.parametrize(("metric", "flag"), [("answers", "--partition"), ("utility", "--quality")])
def test_the_command_names_the_option(command: Run, tmp_path: Path, metric: str, flag: str) -> None:
    path = tmp_path / "texts.jsonl"
    path.write_text('{"text": "a b", "class": 1}\n', encoding="utf-8")
    given = () if flag == "--partition" else ("--partition", "class")
    done = command("measure", str(path), *given, "-m", f"{metric}:by=partition")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert flag in done.stderr
