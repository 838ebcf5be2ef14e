"""Every score of a run of each command comes back from its signature: value, low and high."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.registry import metric_names

pytestmark = pytest.mark.slow  # a process per test

Row = dict[str, str]
REQUIRED = {"rarefied": "rarefied:n=1,sample=20"}
# `utility` needs the quality of texts, and `templates` tags: see their own tests.
WITHOUT = [*metric_names(Distance), "templates", "utility"]
DIVERSITY = [REQUIRED.get(name, name) for name in metric_names() if name not in WITHOUT]
SIZED = [
    "distinct:n=2,at=60",
    "entropy:n=1,at=60,draws=5,seed=3",
    "self_bleu:max_n=1,at=11texts",
    "ead:at=60,unit=text",
]
FAST = [
    "distinct:n=1",
    "entropy:n=2",
    "ttr",
    "self_bleu:max_n=2",
    "compression:shuffles=0",
    "mtld:pool=corpus",
]


def rows_of(seed: int, texts: int, label: str) -> list[Row]:
    """Draw texts of different lengths; every third answers the same prompt."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, 61)
    return [
        {
            "text": " ".join(
                f"w{i}" for i in draw.choice(60, int(draw.integers(1, 12)), p=chances / chances.sum())
            ),
            "prompt": f"p{place // 3:02}",
            "label": label,
        }
        for place in range(texts)
    ]


SYSTEMS = {"alpha": rows_of(1, 39, "alpha"), "beta": rows_of(2, 66, "beta"), "gamma": rows_of(3, 39, "gamma")}


@pytest.fixture
def files(tmp_path: Path) -> Path:
    """Write one file per system, and one with all of them."""
    for name, rows in {**SYSTEMS, "all": list(chain.from_iterable(SYSTEMS.values()))}.items():
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return tmp_path


def run(command: Callable[..., Any], *arguments: str) -> list[dict[str, Any]]:
    """Return the scores of a run, from its JSON."""
    result = command(*arguments, "--format", "json")
    assert result.returncode == 0, result.stderr
    scores: list[dict[str, Any]] = json.loads(result.stdout)["scores"]
    return scores


def corpus_of(name: str, *, grouped: bool) -> dy.Corpus:
    """Return a corpus by the name that a score has."""
    rows = SYSTEMS[name.removesuffix(".jsonl")]
    groups = [row["prompt"] for row in rows] if grouped else None
    return dy.Corpus([row["text"] for row in rows], groups=groups, name=name)


def assert_same(score: dict[str, Any], again: dy.Scores) -> None:
    """Check that one score has the value, the interval and the signature of another."""
    assert len(again) == 1, score["signature"]
    for name in ("value", "low", "high"):
        number = getattr(again[0], name)
        if score[name] is None:
            assert number is None or math.isnan(number), score["signature"]
        else:
            # To the last bit, except for sums over vectors, whose order depends on other texts in memory.
            assert number == pytest.approx(score[name], rel=1e-12), score["signature"]
    assert again[0].signature == score["signature"]


def specs(*names: str) -> list[str]:
    """Return options that name metrics."""
    return [word for name in names for word in ("-m", name)]


MEASURED = {
    "one file": ("alpha.jsonl", *specs(*DIVERSITY, *SIZED)),
    "intervals": ("alpha.jsonl", "--interval", *specs(*FAST, *SIZED)),
    "several files": ("alpha.jsonl", "beta.jsonl", "gamma.jsonl", "--interval", *specs(*FAST)),
    "a seed": ("alpha.jsonl", "--group", "prompt", "--seed", "7", "--interval", *specs(*FAST, *SIZED)),
    "groups": (
        "alpha.jsonl",
        "beta.jsonl",
        "--group",
        "prompt",
        *specs(*FAST, *SIZED, "distinct:n=1,pool=group"),
    ),
    "systems": ("all.jsonl", "--by", "label", "--group", "prompt", "--interval", *specs(*FAST)),
    "a tokenizer": (
        "alpha.jsonl",
        "beta.jsonl",
        "--tokenizer",
        "char:lc=yes",
        "--interval",
        *specs(*FAST, "chamfer"),
    ),
    "another view": (
        "alpha.jsonl",
        "--interval",
        *specs("distinct:n=2,of=char", "entropy:n=1,of=char,at=200"),
    ),
    "tags": ("alpha.jsonl", "--tagger", "hanta", *specs("templates", "distinct:n=2,of=tags")),
    "a population": ("alpha.jsonl", "--interval", "--population", "900", *specs(*FAST)),
    "a paired test": (
        "alpha.jsonl",
        "gamma.jsonl",
        "--group",
        "prompt",
        "--paired",
        "--permutations",
        "19",
        *specs(*FAST),
    ),
}


@pytest.mark.parametrize("case", MEASURED)
def test_measure(case: str, command: Callable[..., Any], files: Path) -> None:
    arguments = [str(files / word) if word.endswith(".jsonl") else word for word in MEASURED[case]]
    grouped = "--group" in arguments
    if "--tagger" in arguments:
        pytest.importorskip("HanTa")
    for score in run(command, "measure", *arguments, "--field", "text"):
        corpus = corpus_of(score["corpus"], grouped=grouped)
        assert_same(score, dy.measure(corpus, signature=score["signature"]))


WORDS = ["chi", "jensen_shannon:n=2", "zipf", "ttr_difference", "ttr_difference:at=50"]
COMPARED = {
    "two files": ("alpha.jsonl", "beta.jsonl", *specs(*metric_names(Distance))),
    "intervals": ("alpha.jsonl", "beta.jsonl", "gamma.jsonl", "--interval", *specs(*WORDS, "dc", "frechet")),
    "a subsample": (
        "alpha.jsonl",
        "beta.jsonl",
        "--subsample",
        "20",
        "--seed",
        "5",
        *specs(*WORDS, "mmd", "mauve"),
    ),
    "groups": (
        *("alpha.jsonl", "beta.jsonl", "--group", "prompt", "--subsample", "20", "--interval"),
        *("--permutations", "9", "--noise-floor", *specs(*WORDS, "energy")),
    ),
    "a tokenizer": (
        "alpha.jsonl",
        "beta.jsonl",
        "--tokenizer",
        "char",
        "--interval",
        "--subsample",
        "25",
        *specs("dc", "chi"),
    ),
    "a matrix": (
        "alpha.jsonl",
        "beta.jsonl",
        "gamma.jsonl",
        "--matrix",
        "--interval",
        "--subsample",
        "30",
        *specs(*WORDS),
    ),
    "systems": ("all.jsonl", "--by", "label", "--reference", "beta", "--interval", *specs(*WORDS, "irpr")),
}


@pytest.mark.parametrize("case", COMPARED)
def test_compare(case: str, command: Callable[..., Any], files: Path) -> None:
    arguments = [str(files / word) if word.endswith(".jsonl") else word for word in COMPARED[case]]
    grouped = "--group" in arguments
    for score in run(command, "compare", *arguments, "--field", "text"):
        pair = [corpus_of(score[side].split(": ")[-1], grouped=grouped) for side in ("reference", "corpus")]
        assert_same(score, dy.compare(pair[0], pair[1], signature=score["signature"]))


def test_other_texts_are_said() -> None:
    texts = [row["text"] for row in SYSTEMS["alpha"]]
    signature = dy.measure(texts, "distinct:n=1")[0].signature
    other = dy.measure(texts[1:], signature=signature)[0]
    assert "Not the same as in the signature: the texts." in other.notes
    assert not dy.measure(texts, signature=signature)[0].notes


def test_refusals() -> None:
    grouped = corpus_of("alpha", grouped=True)
    within = dy.measure(grouped, "distinct:n=1")[0].signature
    with pytest.raises(dy.InputError, match="scope 'within', which these texts do not have: give the groups"):
        dy.measure(corpus_of("alpha", grouped=False), signature=within)
    with pytest.raises(dy.SpecError, match="`metrics` and `signature` cannot both be given"):
        dy.measure(["a"], "ead", signature=within)
    with pytest.raises(dy.SpecError, match="`metrics` and `signature` cannot both be given"):
        dy.compare(["a"], ["b"], "chi", signature=within)
    with pytest.raises(dy.SpecError, match="Expected a signature such as"):
        dy.measure(["a"], signature="nonsense")
