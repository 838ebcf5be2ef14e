"""Intervals and comparisons on samples of real corpora; the full simulation is `benchmarks.uncertainty`."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import numpy as np
import pytest

import distinctly as dy

METRICS = ["distinct:n=1", "entropy:n=1"]


def units_of(path: Path, fields: tuple[str, ...]) -> list[list[str]]:
    """Return the texts of each group of a file, or each text."""
    units: dict[object, list[str]] = {}
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for place, row in enumerate(map(json.loads, lines)):
            name = tuple(row[field] for field in fields) if fields else place
            units.setdefault(name, []).append(row["text"])
    return list(units.values())


def sampled(units: list[list[str]], places: np.ndarray) -> dy.Corpus:
    """Return a corpus of some units."""
    drawn = [(text, str(place)) for place in places for text in units[place]]
    grouped = len(drawn) > len(places)
    return dy.Corpus([text for text, _ in drawn], groups=[name for _, name in drawn] if grouped else None)


@pytest.mark.parametrize(
    ("name", "fields"),
    [("clinc150.jsonl.gz", ()), ("dailydialog-valid-test.jsonl.gz", ("split", "dialog"))],
)
def test_intervals_of_samples_hold_the_expected_value(
    shared: Path, name: str, fields: tuple[str, ...]
) -> None:
    units = units_of(shared / name, fields)
    draw = np.random.default_rng(0)
    scores: dict[str, list[dy.Score]] = {}
    for _ in range(100):
        corpus = sampled(units, draw.permutation(len(units))[:100])
        for score in dy.measure(corpus, METRICS, interval=True):
            if score.scope in (None, "pooled"):
                scores.setdefault(score.metric, []).append(score)
    assert len(scores) == len(METRICS)
    for column in scores.values():
        expected = np.mean([score.value for score in column])
        held = sum(score.low <= expected <= score.high for score in column)
        # 95 of 100 are expected; a fair interval has fewer than 88 with a chance of 1 in 600.
        assert held >= 88


def test_samples_of_different_sizes_are_seldom_called_different(shared: Path) -> None:
    units = units_of(shared / "clinc150.jsonl.gz", ())
    draw = np.random.default_rng(0)
    claimed = 0
    for _ in range(60):
        places = draw.permutation(len(units))
        corpora = {"large": sampled(units, places[:1000]), "small": sampled(units, places[1000:1100])}
        comparisons = dy.measure(corpora, METRICS).comparisons
        assert len(comparisons) == len(METRICS)
        claimed += any(comparison.noise is False for comparison in comparisons)
    # At most 3 of 60 are expected; more than 9 have a chance of 1 in 1,000.
    assert claimed <= 9
