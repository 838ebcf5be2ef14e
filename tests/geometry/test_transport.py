"""`frechet_influences`: the derivative of the Fréchet distance, against differences of distances."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from distinctly.distance.frechet import distance_terms
from distinctly.geometry.moments import Moment
from distinctly.geometry.transport import frechet_influences


def distance(reference: Moment, candidate: Moment) -> float:
    terms = distance_terms(reference, candidate)
    assert terms is not None
    return sum(terms)


@settings(max_examples=20)
@given(seed=st.integers(0, 1000), dimensions=st.integers(1, 4))
def test_it_is_the_change_without_a_vector_of_many(seed: int, dimensions: int) -> None:
    draw = np.random.default_rng(seed)
    rows = draw.standard_normal((2000, dimensions)) @ draw.standard_normal((dimensions, dimensions))
    others = Moment.of(draw.standard_normal((300, dimensions)) + 1)
    moment, chosen = Moment.of(rows), np.arange(40)
    whole = distance(moment, others)
    changes = [distance(Moment.of(np.delete(rows, place, axis=0)), others) - whole for place in chosen]
    influences = frechet_influences(moment, others, rows)
    # Without one of n vectors the weights of the others grow by 1/(n − 1); and the covariance is unbiased,
    # which adds the same to all changes. The second derivative adds a share of the size of |x|² / n.
    expected = -influences[chosen] / (len(rows) - 1)
    apart = np.array(changes) - np.mean(changes) - (expected - expected.mean())
    lengths = 1 + ((rows[chosen] - moment.mean) ** 2).sum(axis=1) / moment.variance
    assert np.all(np.abs(apart) < 0.02 * lengths * np.abs(expected).max())


def test_directions_without_variance_have_no_part_in_the_map() -> None:
    # All vectors of the corpus are on the first axis: with equal variances there, T is 1 on it, so that
    # nothing but the distance of the means is left: 2 · (−3) · x on the first axis.
    rows = np.array([[-1.0, 0.0], [1.0, 0.0]])
    moment, other = Moment.of(rows), Moment.of(np.array([[2.0, 0.0], [4.0, 0.0]]))
    assert frechet_influences(moment, other, rows) == pytest.approx([6, -6])
    # Equal vectors have no variance at all.
    alone = Moment.of(np.ones((3, 2)))
    assert frechet_influences(alone, other, np.ones((3, 2))) == pytest.approx([0, 0, 0])
