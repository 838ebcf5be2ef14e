"""Ragged arrays: rows of different lengths in one array, such as the tokens of texts.

Row i of a ragged array is ``values[bounds[i]:bounds[i + 1]]``, as in Arrow's lists and strings.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

Integers = NDArray[np.int64]


def bounds_of(lengths: Integers | Sequence[int]) -> Integers:
    """Return the bounds of rows of these lengths.

    Examples
    --------
    >>> bounds_of([2, 0, 3]).tolist()
    [0, 2, 2, 5]
    """
    bounds = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=bounds[1:])
    return bounds


def positions(bounds: Integers, rows: Integers) -> tuple[Integers, Integers]:
    """Return the positions of the values of these rows, in order, and the bounds of the selection.

    Examples
    --------
    >>> where, bounds = positions(np.array([0, 2, 2, 5]), np.array([2, 0]))
    >>> where.tolist(), bounds.tolist()
    ([2, 3, 4, 0, 1], [0, 3, 5])
    """
    lengths = np.diff(bounds)[rows]
    selected = bounds_of(lengths)
    return np.arange(selected[-1]) + np.repeat(bounds[rows] - selected[:-1], lengths), selected


def sums(values: NDArray[np.float64], bounds: Integers) -> NDArray[np.float64]:
    """Return the sum of each row; the sum of an empty row is 0.

    Examples
    --------
    >>> sums(np.array([1.0, 2.0, 4.0]), np.array([0, 2, 2, 3])).tolist()
    [3.0, 0.0, 4.0]
    """
    if len(bounds) == 2 and len(values):
        return np.add.reduceat(values, bounds[:1])
    totals = np.zeros(len(bounds) - 1)
    filled = np.diff(bounds) > 0
    if filled.any():
        totals[filled] = np.add.reduceat(values, bounds[:-1][filled])
    return totals


def rows_of_each(names: Iterable[str]) -> dict[str, Integers]:
    """Return the rows of each name; names are in the order of their first occurrence.

    Examples
    --------
    >>> {name: rows.tolist() for name, rows in rows_of_each(["b", "a", "b"]).items()}
    {'b': [0, 2], 'a': [1]}
    """
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(names):
        rows.setdefault(name, []).append(row)
    return {name: np.array(members, np.int64) for name, members in rows.items()}
