"""Permutation p-values without a difference: never 0, and p ≤ α with a probability of at most α.

`python -m benchmarks.null` is the same at full size, for every distance.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

import distinctly as dy
from distinctly.distance.base import VectorDistance
from distinctly.score import Score
from distinctly.statistics.whole import Whole
from distinctly.views.vectors import VectorTable

Array = np.ndarray[Any, Any]


@dataclass(frozen=True, kw_only=True)
class FirstText(VectorDistance):
    """Depends on the first text of each corpus only, like a distance that draws texts by position."""

    name: ClassVar[str] = "first_text"
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)

    def statistics(self) -> tuple[Whole]:
        return (Whole(view=self.view),)

    def score(self, reference: VectorTable, candidate: VectorTable) -> Score:
        return self.scored(abs(float(reference.rows[0, 0] - candidate.rows[0, 0])), {})


def p_values(metrics: Any, seeds: int, permutations: int) -> Array:
    """Return the p-values (one column per metric) of pairs from one source; half of the texts have a twin."""
    found = []
    for seed in range(seeds):
        draw = np.random.default_rng(seed)
        rows = draw.standard_normal((40, 3))
        rows[30:] = rows[:10]
        draw.shuffle(rows)
        texts = [" ".join("abcdefgh"[int(abs(4 * x)) % 8] for x in row) for row in rows]
        scores = dy.compare(
            texts[:20],
            texts[20:],
            metrics,
            vectors=(rows[:20], rows[20:]),
            permutations=permutations,
            seed=seed,
        )
        found.append([score.test.p for score in scores])
    return np.array(found)


def test_where_nothing_differs_p_is_seldom_small_and_never_0() -> None:
    found = p_values(["jensen_shannon", "medoid", FirstText()], seeds=200, permutations=39)
    assert found.min() >= 1 / 40
    for level in (0.025, 0.05, 0.1, 0.5):
        limit = level + 3 * math.sqrt(level * (1 - level) / len(found))
        assert (found <= level + 1e-12).mean(axis=0).max() <= limit
    # For continuous distances the probability is exactly α.
    assert (found[:, :2] <= 0.5).mean(axis=0).min() >= 0.5 - 3 * math.sqrt(0.25 / len(found))


def test_a_difference_is_found_at_the_smallest_p_there_is() -> None:
    draw = np.random.default_rng(0)
    score = dy.compare(draw.random((30, 3)), draw.random((30, 3)) - 5, "medoid", permutations=99)[0]
    assert score.test.p == 1 / 100


def test_texts_that_are_all_the_same_are_ties() -> None:
    rows = np.full((20, 3), 0.1, np.float32)
    for score in dy.compare(["a b"] * 20, ["a b"] * 20, vectors=(rows, rows), permutations=19):
        assert score.test.p == 1


def test_of_two_and_two_texts_a_third_of_the_shuffles_are_the_same_pair() -> None:
    # Six ways to choose two of four: the observed one, and the same with exchanged corpora, are ties. That
    # is 1/3 of the shuffles: of 300 of these, 100 ± 3 · 8.2 at the least.
    draw = np.random.default_rng(1)
    for _ in range(10):
        one, other = draw.random((2, 5)).astype(np.float32), draw.random((2, 5)).astype(np.float32) + 3
        assert dy.compare(one, other, "medoid", permutations=300)[0].test.p >= (100 - 25) / 301
