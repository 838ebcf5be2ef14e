"""Intervals and tests: drawing texts, and summarizing the values of the draws.

Metrics that count types depend on size, so the interval of a bootstrap with replacement excludes the value
itself. Here half of the texts are drawn without replacement, many times; the rescaled spread of the values
is the standard error of the value of all texts.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes
from distinctly.options import check_options, setting
from distinctly.ragged import Integers, rows_of_each
from distinctly.score import Score
from distinctly.statistics.pool import Pool
from distinctly.views.base import View
from distinctly.views.texts import TextView
from distinctly.views.tokens import Tokens

Reals = NDArray[np.float64]
Z = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations
# The number of draws of one text per group, and the share of the units in a subsample.
DRAWS, SHARE = 20, 0.5
# Values that differ by less than this share of the largest are ties: float32 sums that would be equal
# without rounding differ by that much.
TIE = 1e-6
# The random streams of a seed, one per kind of draw.
SUBSAMPLES, ONE_PER_GROUP, EXCHANGES, SIGNS, ONE_PER_GROUP_OF_SOME, PAIRED_TEXTS, TEXTS = range(1, 8)
SUBSAMPLE, SHUFFLES, FLOORS, HALVES = range(20, 24)


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """Requested intervals and tests, the number of draws, and their seed.

    Attributes
    ----------
    interval
        Compute the 95 % interval of every value.
    seed
        Seed of the draws; the same seed draws the same texts, whatever their order.
    subsamples
        The number of subsamples for an interval.
    permutations
        The number of exchanges of texts between two corpora per test; 0 for no test. By default 1,000 for
        `paired`, and 0 for distances.
    paired
        For the diversity of several corpora: test the difference of each from the best by exchanging texts,
        within groups that both have (answers to one prompt), otherwise between the two.
    sample
        For the diversity of several corpora: measure metrics that depend on size at the size of the smallest
        corpus (``common``), or on all texts of each (``all``).
    population
        The size of the population of which the texts (or groups) are a random part: the interval is then of
        the value of that population, and narrower. By default unlimited.
    noise_floor
        For distances: also measure the distance between two random parts of the reference.
    subsample
        For distances: the number of random texts of each corpus to compare; by default all.
    """

    interval: bool = setting(False, "Show the 95 % interval of every value.")
    seed: int = setting(0, "Seed of the random draws.", metavar="N", at_least=0)
    subsamples: int = setting(100, "Number of subsamples per interval.", metavar="N", at_least=2)
    permutations: int | None = setting(
        None,
        "Number of random exchanges of texts per test; 0 for no test.",
        metavar="N",
        unset="1000 with --paired; 0 for distances",
        at_least=0,
    )
    paired: bool = setting(
        False,
        "Test the difference of each corpus from the best by exchanging texts, within groups that both have.",
    )
    sample: Literal["common", "all"] = setting(
        "common", "Texts of several corpora to measure: as many as the smallest corpus has, or all."
    )
    population: int | None = setting(
        None,
        "Size of the population of which the texts (or groups) are a random part; narrows intervals.",
        metavar="N",
        unset="unlimited",
        at_least=1,
    )
    noise_floor: bool = setting(False, "Also measure the distance of two random parts of the reference.")
    subsample: int | None = setting(
        None,
        "Number of random texts of each corpus to compare.",
        metavar="N",
        unset="all texts",
        at_least=1,
    )

    def __post_init__(self) -> None:
        check_options(self)

    @property
    def exchanges(self) -> int:
        """The number of exchanges of a paired test."""
        return 1000 if self.permutations is None else self.permutations

    def stream(self, number: int, *more: int) -> np.random.Generator:
        """Return the random generator of one kind of draw."""
        return np.random.default_rng([self.seed, number, *more])

    def error(self, deviation: float, units: int) -> float:
        """Return a standard error, corrected for the known share of the population."""
        known = 0.0 if self.population is None else units / self.population
        return deviation * math.sqrt(max(1 - known, 0.0))

    def standard_error(self, values: Reals, units: int, size: int) -> float:
        """Return the standard error of the value of all units, from the values of subsamples of `size` units.

        The variance of a mean of b of n units is (n−b)/n of that of b of infinitely many units; multiplied
        by b/(n−b) it is that of n. NaN if the metric is undefined on a subsample.
        """
        if len(values) < 2 or np.isnan(values).any():
            return math.nan
        return self.error(math.sqrt(size / (units - size)) * float(values.std(ddof=1)), units)


@dataclass(frozen=True)
class Units:
    """Texts of a pool, or their groups, whose texts are drawn together.

    Their order depends only on their contents, so that the order of reading does not change a draw.

    Attributes
    ----------
    names
        The names of the groups, in order; empty if texts are drawn.
    rows
        The rows of each unit in the pool.
    texts
        All rows, in the order of their contents.
    ranks
        The rank of each row of the pool in the order of the contents.
    """

    names: Sequence[str]
    rows: Sequence[Integers]
    texts: Integers
    ranks: Integers

    @classmethod
    def of(cls, rows: Integers, groups: Sequence[str] | None, ranks: Integers) -> Units:
        """Return the units of rows of a pool; `groups` has the group of each row."""
        order = np.argsort(ranks[rows], kind="stable")
        texts = rows[order]
        if groups is None:
            return cls((), list(texts.reshape(-1, 1)), texts, ranks)
        by_name = rows_of_each([groups[place] for place in order.tolist()])
        names = sorted(by_name)
        return cls(names, [texts[by_name[name]] for name in names], texts, ranks)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def are_groups(self) -> bool:
        """Whether groups are drawn."""
        return bool(self.names)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each group, by name."""
        return {name: place for place, name in enumerate(self.names)}

    def in_order(self, rows: Integers) -> Integers:
        """Return rows of the pool in the order of their contents."""
        return rows[np.argsort(self.ranks[rows], kind="stable")]

    def chosen(self, rows: Sequence[Integers]) -> Units:
        """Return units of the same pool with these rows."""
        return Units((), rows, np.concatenate([np.zeros(0, np.int64), *rows]), self.ranks)

    def named(self, names: Sequence[str]) -> Units:
        """Return the groups of these names, in this order."""
        return self.chosen([self.rows[self.place[name]] for name in names])

    def half(self, share: float) -> int:
        """Return the number of units of a subsample."""
        return min(max(round(len(self) * share), 1), len(self) - 1)

    def draw_units(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of `times` subsamples of `size` units."""
        return [
            np.concatenate([self.rows[unit] for unit in draw.permutation(len(self))[:size]])
            for _ in range(times)
        ]

    def draw_texts(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of `times` samples of `size` texts, whatever their groups."""
        return [draw.permutation(self.texts)[:size] for _ in range(times)]

    def one_per_group(self, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of one text per group, for `times` draws."""
        return [self._one_of(np.arange(len(self)), draw) for _ in range(times)]

    def one_per_group_of_some(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of one text per group, for `times` subsamples of `size` groups."""
        return [self._one_of(draw.permutation(len(self))[:size], draw) for _ in range(times)]

    def _one_of(self, chosen: Integers, draw: np.random.Generator) -> Integers:
        sizes = np.array([len(self.rows[unit]) for unit in chosen], np.int64)
        if not len(sizes):
            return np.zeros(0, np.int64)
        rows = np.concatenate([self.rows[unit] for unit in chosen])
        places: Integers = np.cumsum(sizes) - sizes + draw.integers(0, sizes)
        return rows[places]

    def some_texts(self, size: int, draw: np.random.Generator) -> Integers:
        """Return the rows of `size` random texts; if there are groups, whole groups are drawn."""
        if not self.are_groups:
            return self.texts[np.sort(draw.permutation(len(self.texts))[:size])]
        drawn: list[Integers] = []
        for place in draw.permutation(len(self)):
            if sum(map(len, drawn)) >= size:
                break
            drawn.append(self.rows[place])
        return np.concatenate(drawn)[:size] if drawn else self.texts[:0]

    def keep(self, rows: Integers) -> Units:
        """Return the units without texts that are not in these rows."""
        kept = set(rows.tolist())
        parts = [unit[[row in kept for row in unit.tolist()]] for unit in self.rows]
        texts = self.texts[[row in kept for row in self.texts.tolist()]]
        if not self.are_groups:
            return Units((), list(texts.reshape(-1, 1)), texts, self.ranks)
        filled = [place for place, part in enumerate(parts) if len(part)]
        names = [self.names[place] for place in filled]
        return Units(names, [parts[place] for place in filled], texts, self.ranks)


def content_ranks(pool: Pool, view: View[Tokens]) -> Integers:
    """Return the rank of each text in an order that depends only on the contents of the texts."""
    # By tokens, which are already hashed; then by texts, since their vectors may differ.
    hashes: Hashes = pool.view(view).text_hashes
    order = np.argsort(hashes, kind="stable")
    in_order = hashes[order]
    if (in_order[1:] == in_order[:-1]).any():
        order = np.lexsort((pool.view(TextView()).text_hashes, hashes))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def around(score: Score, error: float, bounds: tuple[float, float]) -> Score:
    """Return a score with its interval."""
    if math.isnan(error) or math.isnan(score.value):
        return score
    low, high = score.value - Z * error, score.value + Z * error
    return replace(score, low=max(low, bounds[0]), high=min(high, bounds[1]))


def exchanged(
    reference: Units, candidate: Units, times: int, draw: np.random.Generator, *, paired: bool
) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows of two corpora, first unchanged, then with units exchanged at random.

    If units are paired (answers to one prompt), unit i of one corpus is exchanged with unit i of the other;
    otherwise all units are shuffled. The test is exact for any distance, even one with random draws, that
    depends only on which text belongs to which corpus. All texts therefore stay in the order of their
    contents, and an exchange changes only the corpus of each.
    """
    units = [*reference.rows, *candidate.rows]
    half = len(reference.rows)
    rows = reference.in_order(np.concatenate([np.zeros(0, np.int64), *units]))
    unit_of_row = np.zeros(len(reference.ranks), np.int64)
    for place, unit in enumerate(units):
        unit_of_row[unit] = place
    unit_of = unit_of_row[rows]
    in_reference = np.arange(len(units)) < half
    # Unchanged, in the same order as in the exchanges.
    yield rows[in_reference[unit_of]], rows[~in_reference[unit_of]]
    for _ in range(times):
        if paired:
            swapped = draw.random(half) < 0.5
            in_reference = np.concatenate([~swapped, swapped])
        else:
            in_reference = draw.permutation(len(units)) < half
        yield rows[in_reference[unit_of]], rows[~in_reference[unit_of]]


def describe_exchange(paired_groups: int) -> str:
    """Describe the exchange: within groups that both corpora have, or between the corpora."""
    if paired_groups:
        return f"texts exchanged within {paired_groups:,} groups"
    return "texts shuffled between the corpora"


def p_values(values: Reals) -> Reals:
    """Return the p-value of each column: the share of exchanges that are as far from 0 as the first row.

    It is ``(b + 1) / (m + 1)``, including ties. An exchange without a value counts as far; a column whose
    first value is undefined has no p-value.

    Examples
    --------
    >>> p_values(np.array([[3.0], [1.0], [3.0], [np.nan], [2.0]])).tolist()
    [0.6]
    """
    rounding = TIE * np.abs(values).max(axis=0, where=np.isfinite(values), initial=0.0)
    as_far = ~(values[1:] < values[0] - rounding)
    p = (as_far.sum(axis=0) + 1) / len(values)
    return np.where(np.isnan(values[0]), np.nan, p)


def sign_flips(differences: Reals, times: int, draw: np.random.Generator) -> Reals:
    """Return the absolute mean of paired differences, first unchanged, then with pairs exchanged."""
    defined = differences[~np.isnan(differences)]
    if not len(defined):
        return np.full(times + 1, np.nan)
    signs = draw.integers(0, 2, (times, len(defined))) * 2 - 1
    return np.concatenate([[abs(defined.mean())], np.abs(signs @ defined / len(defined))])


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for multiple tests (Holm, 1979); NaN is kept and does not count.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    corrected = [math.nan] * len(p_values)
    known = sorted((p, place) for place, p in enumerate(p_values) if not math.isnan(p))
    largest = 0.0
    for rank, (p, place) in enumerate(known):
        largest = max(largest, min(1.0, p * (len(known) - rank)))
        corrected[place] = largest
    return corrected
