"""Pair statistics: one that includes another replaces it, and no value changes."""

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
    both, single = Neighbours(view, 5), Neighbours(view, 5, both=False)
    assert both.includes(single)
    assert not single.includes(both)
    assert not both.includes(Neighbours(view, 4, both=False))
    assert not both.includes(Neighbours(view, 5, "angular", both=False))


@pytest.mark.parametrize("permutations", [0, 9])
def test_distances_share_balls_and_equal_separate_ones(
    vectors: list[np.ndarray], permutations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = {name: dy.compare(*vectors, name, permutations=permutations)[0] for name in ("pr", "dc")}
    sizes: list[int] = []
    summarize = NeighbourIndex.summarize

    def counted(self: NeighbourIndex, reference: np.ndarray, candidate: np.ndarray) -> object:
        sizes.append(len(reference))
        return summarize(self, reference, candidate)

    monkeypatch.setattr(NeighbourIndex, "summarize", counted)
    together = dy.compare(*vectors, ["pr", "dc"], permutations=permutations)
    for score in together:
        assert score.value == alone[score.metric].value
        alone_p = alone[score.metric].test and alone[score.metric].test.p
        assert (score.test and score.test.p) == alone_p
    if not permutations:
        assert sizes == [40]
