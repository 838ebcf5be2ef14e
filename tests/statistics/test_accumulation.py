"""Accumulation curves: by hand, against all choices of texts, merging, and selections."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import leaving_out as oracle

from distinctly.errors import InputError
from distinctly.statistics import accumulation
from distinctly.statistics.accumulation import Curve, GroupCurve, SeenTables, TextCurve
from distinctly.strings import Strings
from distinctly.views.tokens import Tokens

WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
TEXTS = st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=7)


def curve_of(texts: list[list[str]], n: int = 1) -> Curve:
    """Return the curve of texts."""
    statistic = TextCurve(n)
    return statistic.summarize(statistic.collect(Tokens.of(texts)))


def as_numbers(curve: Curve) -> tuple[object, ...]:
    """Return the fields of a curve, to compare."""
    sizes = curve.units, curve.total, curve.tokens, curve.texts, curve.short
    return *sizes, curve.frequencies.tolist(), curve.types.tolist()


def test_by_hand() -> None:
    # "a a b" and "a c": a is in both texts, b and c in one each. One text has 2 types, both have 3.
    curve = curve_of([["a", "a", "b"], ["a", "c"]])
    assert (curve.units, curve.total) == (2, 5)
    assert [curve.expected(units) for units in (0, 1, 1.25, 2)] == [0, 2, 2.25, 3]
    # 4 of 5 tokens are 4 · 2 / 5 = 1.6 texts: 2 + 0.6 · (3 − 2) types.
    assert curve.at(4).distinct.tolist() == pytest.approx([2.6])
    assert curve.at(4).tokens.tolist() == [4]


@given(texts=TEXTS, n=st.integers(1, 2), data=st.data())
def test_against_all_choices_of_texts(texts: list[list[str]], n: int, data: st.DataObject) -> None:
    curve = curve_of(texts, n)
    units = [[text] for text in texts]
    drawn = data.draw(st.integers(1, len(texts)))
    assert curve.expected(drawn) == pytest.approx(oracle.types_in_units(units, n, drawn))
    if curve.total:
        size = data.draw(st.integers(1, curve.total))
        assert curve.at(size).distinct[0] == pytest.approx(min(oracle.types_at(units, n, size), size))


@given(texts=TEXTS, groups=st.lists(st.sampled_from(["x", "y", "z"]), min_size=7, max_size=7))
def test_groups_are_units(texts: list[list[str]], groups: list[str]) -> None:
    names = groups[: len(texts)]
    tokens = Tokens.of(texts, Strings.encode(names))
    curve = GroupCurve(1).summarize(GroupCurve(1).collect(tokens))
    units = [[text for text, name in zip(texts, names) if name == group] for group in sorted(set(names))]
    assert curve.units == len(units)
    assert curve.expected(1) == pytest.approx(oracle.types_in_units(units, 1, 1))


@given(texts=TEXTS, cut=st.integers(0, 7), rows=st.lists(st.integers(0, 6), unique=True, max_size=7))
@pytest.mark.parametrize("statistic", [TextCurve(1), TextCurve(2), GroupCurve(1)])
@pytest.mark.parametrize("compiled", [False, True])
def test_states_merge_and_selections_are_cut(
    statistic: Any, compiled: bool, texts: list[list[str]], cut: int, rows: list[int]
) -> None:
    groups = Strings.encode([f"g{place % 3}" for place in range(len(texts))])
    tokens = Tokens.of(texts, groups, compiled=compiled)
    everything = np.arange(len(texts))
    parts = [tokens.select(part) for part in np.split(everything, [min(cut, len(texts))])]
    merged = statistic.collect(parts[0]) + statistic.collect(parts[1])
    whole = as_numbers(statistic.summarize(statistic.collect(tokens)))
    assert as_numbers(statistic.summarize(merged)) == whole
    chosen = np.array([row for row in rows if row < len(texts)], np.int64)
    alone = statistic.summarize(statistic.collect(tokens.select(chosen)))
    assert as_numbers(statistic.index(tokens).summarize(chosen)) == as_numbers(alone)


@pytest.mark.parametrize("together", [1, 1000])
@pytest.mark.parametrize("compiled", [False, True])
@given(TEXTS, st.integers(1, 2), st.booleans(), st.data())
def test_many_selections_at_once(
    together: int, compiled: bool, texts: list[list[str]], n: int, grouped: bool, data: st.DataObject
) -> None:
    rows = st.integers(0, len(texts) - 1)
    groups = data.draw(st.lists(st.sampled_from("gh"), min_size=len(texts), max_size=len(texts)))
    tokens = Tokens.of(texts, Strings.encode(groups) if grouped else None, compiled=compiled)
    index = (GroupCurve(n) if grouped else TextCurve(n)).index(tokens)
    # Texts may be drawn twice, and several of one group: then there is no product.
    selections = [np.array(drawn, np.int64) for drawn in data.draw(st.lists(st.lists(rows), max_size=6))]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(accumulation, "_TOGETHER", together)
        curves = list(index.each(selections))
    assert [as_numbers(curve) for curve in curves] == [
        as_numbers(index.summarize(selection)) for selection in selections
    ]


@given(TEXTS, st.integers(1, 20))
def test_tables_of_probabilities_change_no_bit(texts: list[list[str]], size: int) -> None:
    curve, seen = curve_of(texts), SeenTables()
    if curve.total:
        for ngrams in (min(size, curve.total), curve.total):
            expected = curve.at(ngrams).distinct
            assert [curve.at(ngrams, seen).distinct for _ in range(2)] == [expected, expected]


def test_tables_of_probabilities_are_not_all_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accumulation, "_KEPT", 20)
    seen = SeenTables()
    for drawn in range(1, 9):
        assert seen[9, drawn][1] == pytest.approx(drawn / 9)
        assert len(seen) <= 3


def test_groups_are_required() -> None:
    with pytest.raises(InputError, match="unit=group needs groups"):
        GroupCurve(1).collect(Tokens.of([["a"]]))
