"""Values with one unit left out, in closed form, against measuring the other units."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import leaving_out as oracle

import distinctly as dy
from distinctly.diversity.base import CountDiversity
from distinctly.registry import find_metric, metric_names
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.unit_table import UnitTable
from distinctly.views.tokens import Tokens

WORDS = st.sampled_from(["a", "b", "c", "d", "e"])
UNITS = st.lists(st.lists(st.lists(WORDS, max_size=5), min_size=1, max_size=3), min_size=2, max_size=6)
SPECS = [
    "distinct:n=1",
    "distinct:n=2,denominator=tokens",
    "types:n=2",
    "ead",
    "ead:vocabulary=chao1",
    "entropy:n=1",
    "entropy:n=2,correction=miller-madow",
    "entropy:n=1,correction=chao-shen",
    "chao1",
    "coverage",
    "hill:q=0",
    "hill",
    "hill:q=2",
    "hill:q=1.0001",
    "hill:q=7.5",
    "hill:q=30",
    "hill:q=5000",
    "hill:q=inf",
    *(
        f"{name}:pool=corpus"
        for name in (
            "ttr",
            "root_ttr",
            "corrected_ttr",
            "herdan",
            "summer",
            "dugast",
            "maas",
            "yule",
            "simpson",
        )
    ),
]


def table_of(units: list[list[list[str]]], n: int, *, compiled: bool) -> UnitTable:
    """Return the table of units, each a list of texts."""
    tokens = Tokens.of([text for unit in units for text in unit], compiled=compiled)
    labels = np.repeat(np.arange(len(units)), [len(unit) for unit in units])
    return UnitTable.of(NgramCounts(n).index(tokens), np.arange(len(tokens)), labels, len(units))


def counted(spec: str) -> CountDiversity:
    """Return a metric of n-gram counts."""
    metric = dy.metric(spec)
    assert isinstance(metric, CountDiversity)
    return metric


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize("spec", SPECS)
@given(units=UNITS)
def test_without_each_unit(spec: str, compiled: bool, units: list[list[list[str]]]) -> None:
    metric = counted(spec)
    counts = metric.counted()
    others = [
        [text for other, unit in enumerate(units) if other != place for text in unit]
        for place in range(len(units))
    ]
    summaries = [counts.summarize(counts.collect(Tokens.of(texts))) for texts in others]
    expected = [float(metric.formula(grams)[0]) for grams in summaries]
    values = metric.formula(table_of(units, metric.counted().n, compiled=compiled).left_out())
    assert values.tolist() == pytest.approx(expected, rel=1e-9, abs=1e-9, nan_ok=True)


def test_every_metric_in_closed_form_is_tested() -> None:
    kinds = [find_metric(name) for name in metric_names(CountDiversity)]
    declared = {
        kind.metric_name()
        for kind in kinds
        if issubclass(kind, CountDiversity) and kind.reads is not CountDiversity.reads
    }
    assert declared == {spec.partition(":")[0] for spec in SPECS}


@pytest.mark.parametrize("compiled", [False, True])
@given(units=UNITS, n=st.integers(1, 2), data=st.data())
def test_at_a_size_without_each_unit(
    compiled: bool, units: list[list[list[str]]], n: int, data: st.DataObject
) -> None:
    table = table_of(units, n, compiled=compiled)
    if not table.curve.total:
        return
    size = data.draw(st.integers(1, table.curve.total))
    at_size = table.left_out_at(size)
    for place in range(len(units)):
        others = [unit for other, unit in enumerate(units) if other != place]
        ngrams = sum(len(oracle.grams(text, n)) for unit in others for text in unit)
        if not ngrams:
            assert math.isnan(at_size.distinct[place])
            continue
        assert at_size.distinct[place] == pytest.approx(oracle.types_at(others, n, size), abs=1e-9)
        tokens = sum(len(text) for unit in others for text in unit)
        assert at_size.tokens[place] == pytest.approx(size * tokens / ngrams)
    assert at_size.total.tolist() == [size] * len(units)


@pytest.mark.parametrize("q", [3, 7, 30, 5000])
def test_without_the_unit_that_has_nearly_all_of_a_sum(q: int) -> None:
    # Without the first text, "a" and "b" occur 10 times each: the number is 2 at any order.
    units = [["z"] * 100_000, *([["a", "b"]] * 10)]
    index = NgramCounts(1).index(Tokens.of(units))
    places = np.arange(len(units))
    table = UnitTable.of(index, places, places, len(units))
    assert dy.Hill(q=q).formula(table.left_out())[0] == pytest.approx(2, rel=1e-12)
