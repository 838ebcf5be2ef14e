"""Pair statistics: one that has all of another is made instead of it, and no number changes."""

from __future__ import annotations

import numpy as np
import pytest

import distinctly as dy
from distinctly.embedders.given import GivenVectors
from distinctly.geometry.balls import NeighbourIndex, Neighbours
from distinctly.views.vectors import VectorView


@pytest.fixture
def vectors() -> list[np.ndarray]:
    draw = np.random.default_rng(0)
    return [draw.standard_normal((40, 3)), draw.standard_normal((30, 3)) + 0.5]


def test_balls_of_both_include_those_of_the_reference(vectors: list[np.ndarray]) -> None:
    view = VectorView(GivenVectors.of(vectors))
    both, one = Neighbours(view, 5), Neighbours(view, 5, both=False)
    assert both.includes(one)
    assert not one.includes(both)
    assert not both.includes(Neighbours(view, 4, both=False))
    assert not both.includes(Neighbours(view, 5, "angular", both=False))


@pytest.mark.parametrize("permutations", [0, 9])
def test_distances_together_are_as_alone_and_balls_are_made_once(
    vectors: list[np.ndarray], permutations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = {name: dy.compare(*vectors, name, permutations=permutations)[0] for name in ("pr", "dc")}
    made: list[int] = []
    summarize = NeighbourIndex.summarize

    def counted(self: NeighbourIndex, one: np.ndarray, other: np.ndarray) -> object:
        made.append(len(one))
        return summarize(self, one, other)

    monkeypatch.setattr(NeighbourIndex, "summarize", counted)
    together = dy.compare(*vectors, ["pr", "dc"], permutations=permutations)
    for score in together:
        assert score.value == alone[score.metric].value
        alone_p = alone[score.metric].test and alone[score.metric].test.p
        assert (score.test and score.test.p) == alone_p
    if not permutations:
        assert made == [40]
