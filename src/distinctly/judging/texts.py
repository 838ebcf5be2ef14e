"""Correlations of metrics with a numeric column, over texts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from distinctly.errors import SpecError, unknown
from distinctly.judging.correlations import Correlation, pearson, spearman
from distinctly.judging.measures import Reals
from distinctly.judging.people.rated import as_number
from distinctly.ragged import Integers
from distinctly.run.per_text import TextCorrelation, TextTable

# Groups are left out one by one, or in this number of blocks if there are more.
MOST_BLOCKS = 200
LEAST_BLOCKS = 3
INDEPENDENT = (
    "95 % intervals: Pearson's r by Fisher's z; Spearman's ρ by z with the variance of Bonett and Wright "
    "(2000)."
)
GROUPED = (
    "95 % intervals from leaving out one group at a time (jackknife of Fisher's z), since texts of a group "
    "are not independent."
)


def correlate(table: TextTable, column: str) -> list[TextCorrelation]:
    """Correlate each metric with a numeric column of the table, over the texts of each corpus.

    A text without a value of the metric or of the column is left out. If the texts have groups, the intervals
    come from a jackknife over groups, since texts of a group are not independent.

    Raises
    ------
    SpecError
        If there is no such column.
    InputError
        If a cell of it is not a number.
    """
    name = column if column in table.columns else f"{column} (kept)"
    if name not in table.columns:
        raise unknown("column", column, list(table.columns))
    if column in table.metrics:
        raise SpecError(f"'{column}' is a metric. Choose a column of the input to correlate with.")
    numbers = np.array(
        [
            as_number(cell, column, where, source=source)
            for cell, (source, where) in zip(table.columns[name], table.wheres)
        ]
    )
    names = table.columns.get("corpus", [table.corpora[0]] * len(table))
    correlations = []
    for corpus in table.corpora:
        rows = np.flatnonzero(np.array([owner == corpus for owner in names]))
        groups = None
        if table.groups is not None:
            groups = np.unique(np.array(table.groups, str)[rows], return_inverse=True)[1].astype(np.int64)
        for metric in table.metrics:
            values = np.array(table.columns[metric], np.float64)[rows]
            correlations.append(_correlated(corpus, metric, column, values, numbers[rows], groups))
    return correlations


def _correlated(
    corpus: str, metric: str, column: str, values: Reals, numbers: Reals, groups: Integers | None
) -> TextCorrelation:
    undefined, missing = np.isnan(values), np.isnan(numbers)
    known = ~undefined & ~missing
    pairs = values[known], numbers[known]
    measures = []
    grouped = groups is not None and len(np.unique(groups)) < len(groups)
    for measure in (pearson, spearman):
        result = measure(*pairs, called=f"values of {column}")
        if grouped and groups is not None and not math.isnan(result.value):
            result = _with_groups(measure, result, *pairs, groups[known])
        measures.append(result)
    notes = list(dict.fromkeys(result.note for result in measures if result.note))
    left_out = {"have no value of the metric": undefined, f"have no value of {column}": missing & ~undefined}
    notes += [
        f"{int(rows.sum()):,} of {len(values):,} texts {what} and are left out."
        for what, rows in left_out.items()
        if rows.any()
    ]
    linear, monotonic = measures
    return TextCorrelation(
        corpus,
        metric,
        column,
        linear.value,
        monotonic.value,
        (linear.low, linear.high),
        (monotonic.low, monotonic.high),
        int(known.sum()),
        int(undefined.sum()),
        int((missing & ~undefined).sum()),
        GROUPED if grouped else INDEPENDENT,
        tuple(notes),
    )


def _with_groups(
    measure: Callable[[Reals, Reals], Correlation],
    whole: Correlation,
    values: Reals,
    numbers: Reals,
    groups: Integers,
) -> Correlation:
    """Return a correlation with an interval by a jackknife: blocks of groups are left out in turn.

    The hyperbolic arc tangent of the correlation has the standard error √((k − 1)/k Σ (zᵢ − z̄)²), where zᵢ
    is that without block i of k; the interval uses Student's t of k − 1 degrees of freedom.
    """
    from scipy.special import stdtrit

    present = np.unique(groups)
    blocks = np.searchsorted(present, groups) % min(len(present), MOST_BLOCKS)
    count = int(blocks.max()) + 1
    nothing = replace(whole, low=math.nan, high=math.nan, p=math.nan)
    if count < LEAST_BLOCKS:
        return replace(nothing, note=f"The interval needs {LEAST_BLOCKS} groups, got {count}.")
    if abs(whole.value) >= 1:
        return replace(whole, low=whole.value, high=whole.value, note="")
    kept = [blocks != block for block in range(count)]
    left_out = np.array([measure(values[rows], numbers[rows]).value for rows in kept])
    with np.errstate(divide="ignore"):
        z = np.arctanh(left_out)
    if not np.isfinite(z).all():
        return replace(nothing, note="The interval is undefined: without one group there is no correlation.")
    error = math.sqrt((count - 1) / count * float(((z - z.mean()) ** 2).sum()))
    half = float(stdtrit(count - 1, 0.975)) * error
    middle = math.atanh(whole.value)
    return replace(nothing, low=math.tanh(middle - half), high=math.tanh(middle + half), note="")
