"""Slow, obvious versions of accumulation curves and leave-one-out errors."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence
from statistics import fmean


def grams(text: Sequence[str], n: int) -> list[tuple[str, ...]]:
    """Return the n-grams of a text."""
    return [tuple(text[i : i + n]) for i in range(len(text) - n + 1)]


def types_in_units(units: Sequence[Sequence[Sequence[str]]], n: int, drawn: int) -> float:
    """Return the mean number of distinct n-grams over all choices of `drawn` units (lists of texts)."""
    choices = list(itertools.combinations(units, drawn))
    return fmean(
        len({gram for unit in choice for text in unit for gram in grams(text, n)}) for choice in choices
    )


def types_at(units: Sequence[Sequence[Sequence[str]]], n: int, size: int) -> float:
    """Return the expected number of distinct n-grams at a size; past the last unit by the last slope."""
    total = sum(len(grams(text, n)) for unit in units for text in unit)
    wanted = size * len(units) / total
    whole = min(math.floor(wanted), len(units) - 1)
    low, high = (types_in_units(units, n, drawn) for drawn in (whole, whole + 1))
    return low + (wanted - whole) * (high - low)


def standard_error(values: Sequence[float]) -> float:
    """Return the jackknife standard error, from the values with one unit left out."""
    mean = fmean(values)
    return math.sqrt((len(values) - 1) / len(values) * math.fsum((value - mean) ** 2 for value in values))


def values_without_each(units: Sequence[object], value: Callable[[list[object]], float]) -> list[float]:
    """Return the value of all units but one, for each unit."""
    return [value([*units[:place], *units[place + 1 :]]) for place in range(len(units))]
