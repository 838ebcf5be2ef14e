"""`Moments`: against loops, merged, in blocks, and with both methods for the root."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from tests.distance.vector_pairs import Rows, Table, pairs
from tests.oracles import moments as oracle

from distinctly import arrays
from distinctly.embedders.given import GivenVectors
from distinctly.geometry import moments
from distinctly.geometry.moments import Moment, Moments
from distinctly.views.vectors import VectorTable, VectorView


def products(moment: Moment) -> Table:
    return moment.root.T @ moment.root


@given(both=pairs(most=9))
def test_against_loops_and_merged(both: tuple[Rows, Rows]) -> None:
    one, other = (Moment.of(np.array(rows, float)) for rows in both)
    for merged in (one + other, other + one):
        assert merged.texts == len(both[0]) + len(both[1])
        assert merged.mean == pytest.approx(oracle.mean(both[0] + both[1]), abs=1e-12)
        expected = np.array(oracle.scatter(both[0] + both[1]))
        assert products(merged) == pytest.approx(expected, abs=1e-12)
        assert len(merged.root) <= max(merged.dimensions, merged.texts)
    if one.texts > 1:
        trace = np.trace(np.array(oracle.scatter(both[0])))
        assert one.variance == pytest.approx(trace / (one.texts - 1), abs=1e-12)


def test_adding_an_empty_moment_changes_nothing() -> None:
    one, nothing = Moment.of(np.array([[1.0, 2.0]])), Moment.of(np.zeros((0, 0), np.float32))
    assert (one + nothing) is one
    assert (nothing + one) is one


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
def test_one_block_or_many(monkeypatch: pytest.MonkeyPatch, dtype: type) -> None:
    rows = np.random.default_rng(0).standard_normal((500, 12)).astype(dtype) + dtype(100)
    statistic = Moments(VectorView(GivenVectors.of([rows])))
    whole = statistic.collect(VectorTable(rows))
    monkeypatch.setattr(arrays, "CPU_BLOCK", 12 * 8 * 37)
    cut = statistic.collect(VectorTable(rows))
    assert cut.mean == pytest.approx(whole.mean, rel=1e-12)
    assert products(cut) == pytest.approx(products(whole), rel=1e-9, abs=1e-9)  # sums of 500 products


@given(both=pairs(most=9))
def test_batches_add_up_to_all_texts(both: tuple[Rows, Rows]) -> None:
    tables = [VectorTable(np.array(rows, float)) for rows in both]
    statistic = Moments(VectorView(GivenVectors.of([table.rows for table in tables])))
    nothing = statistic.collect(tables[0].select(np.zeros(0, np.int64)))
    merged = nothing + statistic.collect(tables[0]) + nothing + statistic.collect(tables[1])
    found = statistic.summarize(merged)
    whole = statistic.collect(VectorTable(np.concatenate([table.rows for table in tables])))
    assert found.texts == whole.texts
    assert found.mean == pytest.approx(whole.mean, abs=1e-12)
    assert products(found) == pytest.approx(products(whole), abs=1e-12)


def test_numbers_too_large_to_square_do_not_warn() -> None:
    one, other = Moment.of(np.array([[1e300], [-1e300]])), Moment.of(np.array([[3e300]]))
    assert not np.isfinite((one + other).root ** 2).all()


def test_both_methods_for_the_root_agree(monkeypatch: pytest.MonkeyPatch) -> None:
    # Scales from 1e-9 to 1e9, a constant, and a mixture: hard cases for a Cholesky factor.
    draw = np.random.default_rng(1)
    rows = draw.standard_normal((300, 6)) @ draw.standard_normal((6, 6)) * np.logspace(-9, 9, 6)
    rows = np.hstack([rows, np.full((300, 1), 7.0)])
    fast = Moment.of(rows)
    monkeypatch.setattr(moments, "LEAST_PIVOT", np.inf)
    slow = Moment.of(rows)
    scales = np.sqrt(np.diag(products(slow)))
    scales[-1] = 1
    assert products(fast) / np.outer(scales, scales) == pytest.approx(
        products(slow) / np.outer(scales, scales), abs=1e-12
    )
    assert not fast.root[:, -1].any()


def test_dependent_columns_keep_their_digits() -> None:
    # Two coordinates that differ by 1e-9: squares would lose the spread of their difference.
    draw = np.random.default_rng(2)
    x, noise = draw.standard_normal((2, 100))
    rows = np.stack([x, x + 1e-9 * noise], axis=1)
    root = Moment.of(rows).root
    found = np.linalg.norm(root @ np.array([1.0, -1.0]))
    assert found == pytest.approx(
        1e-9 * np.linalg.norm(noise - noise.mean()), rel=1e-5
    )  # 1e-16 in 1e-9, and less
