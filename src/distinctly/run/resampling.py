"""Intervals and tests: the units of a corpus, blocks and draws of them, exchanges, and p-values."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly import hashing
from distinctly.hashing import Hashes
from distinctly.options import check_options, setting
from distinctly.ragged import Integers, bounds_of, positions, rows_of_each
from distinctly.score import Score
from distinctly.statistics.pool import Pool
from distinctly.views.base import View

Reals = NDArray[np.float64]
Z = 1.959963984540054  # 95 % of a normal distribution lie within this many standard deviations
# The number of draws of one text per group, and of blocks that are left out one at a time.
DRAWS, BLOCKS = 20, 20
# Values that differ by less than this share of the largest are ties: float32 sums that would be equal
# without rounding differ by that much.
TIE = 1e-6
# A standard error below this is that of equal values, up to rounding.
ROUNDING = 1e-12
# The random streams of a seed, one per kind of draw.
ONE_PER_GROUP, EXCHANGES, SIGNS, SOME_UNITS = 2, 3, 4, 8
SUBSAMPLE, SHUFFLES, FLOORS = range(20, 23)


@dataclass(frozen=True, kw_only=True)
class Resampling:
    """Requested intervals and tests, the number of draws, and their seed.

    Attributes
    ----------
    interval
        Compute the 95 % interval of every value.
    seed
        Seed of the draws; the same seed draws the same texts, whatever their order.
    permutations
        The number of exchanges of texts between two corpora per test; 0 for no test. By default 1,000 for
        `paired`, and 0 for distances.
    paired
        For the diversity of several corpora: test the difference of each from the best by exchanging texts,
        within groups that both have (answers to one prompt), otherwise between the two.
    population
        The size of the population of which the texts (or groups) are a random part: the interval is then of
        the value of that population, and narrower. By default unlimited.
    noise_floor
        For distances: also measure the distance between two random parts of the reference.
    subsample
        For distances: the number of random texts of each corpus to compare; by default all.
    sample
        The number of random texts to measure, for metrics that need all texts in memory at once; other
        metrics are measured on all texts. By default 20,000 if the texts do not fit in memory, and all
        otherwise.
    """

    interval: bool = setting(False, "Show the 95 % interval of every value.")
    seed: int = setting(0, "Seed of the random draws.", metavar="N", at_least=0)
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
    sample: int | None = setting(
        None,
        "Number of random texts for metrics that need all texts in memory at once; others use all.",
        metavar="TEXTS",
        unset="20000 if the texts do not fit in memory",
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


@dataclass(frozen=True)
class Units:
    """Texts of a pool, or their groups, whose texts stay together.

    Their order depends only on their contents, so that the order of reading does not change a draw.

    Attributes
    ----------
    names
        The names of the groups, in order; empty if the units are texts.
    rows
        The rows of each unit in the pool.
    texts
        All rows, in the order of their contents.
    ranks
        The rank of each row of the pool in the order of the contents.
    contents
        The hash of each row of the pool.
    """

    names: Sequence[str]
    rows: Sequence[Integers]
    texts: Integers
    ranks: Integers
    contents: Hashes

    @classmethod
    def of(cls, pool: Pool, rows: Integers, view: View[Any]) -> Units:
        """Return the units of rows of a pool, identified by a view: groups if there are some, else texts."""
        ranks, contents = pool.content_ranks(view), pool.view(view).text_hashes
        texts = rows[np.argsort(ranks[rows], kind="stable")]
        groups = pool.rows.batch.groups
        if groups is None:
            return cls((), list(texts.reshape(-1, 1)), texts, ranks, contents)
        by_name = rows_of_each(groups.take(texts).tolist())
        names = sorted(by_name)
        return cls(names, [texts[by_name[name]] for name in names], texts, ranks, contents)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def are_groups(self) -> bool:
        """Whether the units are groups."""
        return bool(self.names)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each group, by name."""
        return {name: place for place, name in enumerate(self.names)}

    @cached_property
    def sizes(self) -> Integers:
        """The number of texts of each unit."""
        return np.array([len(rows) for rows in self.rows], np.int64)

    @cached_property
    def _flat(self) -> Integers:
        """The rows of all units, one unit after another."""
        return np.concatenate([np.zeros(0, np.int64), *self.rows])

    @cached_property
    def labels(self) -> Integers:
        """The unit of each row of the pool; −1 for rows of no unit."""
        labels = np.full(len(self.ranks), -1, np.int64)
        labels[self._flat] = np.repeat(np.arange(len(self)), self.sizes)
        return labels

    @cached_property
    def keys(self) -> Hashes:
        """A hash of each unit: of the name of a group; of a text and the number of its earlier copies."""
        if self.are_groups:
            return hash_names(self.names)
        contents = self.contents[self.texts]
        copies = hashing.copy_numbers(contents).astype(np.uint64)
        return hashing.mix(contents + copies * hashing.STEP)

    def in_order(self, rows: Integers) -> Integers:
        """Return rows of the pool in the order of their contents."""
        return rows[np.argsort(self.ranks[rows], kind="stable")]

    def chosen(self, rows: Sequence[Integers], names: Sequence[str] = ()) -> Units:
        """Return units of the same pool with these rows."""
        texts = np.concatenate([np.zeros(0, np.int64), *rows])
        return Units(names, rows, self.in_order(texts), self.ranks, self.contents)

    def as_texts(self) -> Units:
        """Return the texts as units, whatever their groups."""
        return self.chosen(list(self.texts.reshape(-1, 1))) if self.are_groups else self

    def subset(self, places: Integers) -> Integers:
        """Return the rows of the units at these places."""
        where, _ = positions(bounds_of(self.sizes), places)
        return self._flat[where]

    def one_per_group(self, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of one text per group, in the order of the groups, for `times` draws."""
        if not len(self):
            return [np.zeros(0, np.int64)] * times
        rows, starts = self._flat, bounds_of(self.sizes)[:-1]
        return [rows[starts + draw.integers(0, self.sizes)] for _ in range(times)]

    def some_texts(self, size: int, draw: np.random.Generator) -> Integers:
        """Return the rows of `size` random texts; if there are groups, whole groups are drawn."""
        if not self.are_groups:
            return self.texts[np.sort(draw.permutation(len(self.texts))[:size])]
        return self._first_texts(draw.permutation(len(self)), size)

    def subsample(self, size: int, seed: int, draw: np.random.Generator) -> Units:
        """Return units with `size` texts; two corpora that share groups get the same ones."""
        if not self.are_groups:
            rows = self.some_texts(size, draw)
            return self.chosen(list(rows.reshape(-1, 1)))
        order = np.argsort(hashing.mix(self.keys + hashing.mix(np.array([seed], np.uint64))), kind="stable")
        kept = self._first_texts(order, size)
        labels = self.labels[kept]
        places = np.unique(labels)
        return self.chosen(
            [self.in_order(kept[labels == place]) for place in places],
            [self.names[place] for place in places],
        )

    def _first_texts(self, order: Integers, size: int) -> Integers:
        """Return the rows of the first `size` texts of groups in an order."""
        enough = int(np.searchsorted(np.cumsum(self.sizes[order]), size)) + 1
        return self.subset(order[:enough])[:size]


def hash_names(names: Sequence[str]) -> Hashes:
    """Return the hashes of the names of groups."""
    return hashing.hash_strings(names)


def deviations(values: Reals) -> Reals:
    """Return the deviations of leave-one-out values from their mean, scaled: their squares sum to SE².

    Examples
    --------
    >>> float((deviations(np.array([1.0, 2.0, 3.0])) ** 2).sum())  # 2/3 of 1 + 0 + 1
    1.3333333333333333
    """
    count = values.shape[-1]
    scaled: Reals = math.sqrt((count - 1) / max(count, 1)) * (values - values.mean(axis=-1, keepdims=True))
    return scaled


def quantile(degrees: float) -> float:
    """Return the number of standard errors on each side of a 95 % interval; `degrees` of freedom, or inf.

    Examples
    --------
    >>> round(quantile(math.inf), 3), round(quantile(19), 3)
    (1.96, 2.093)
    """
    if math.isinf(degrees):
        return Z
    from scipy.special import stdtrit

    return float(stdtrit(degrees, 0.975))


def two_sided(difference: float, error: float, degrees: float = math.inf) -> float:
    """Return the p-value of a difference with a standard error; NaN if there is none.

    A difference without any error is certain, unless it is rounding.

    Examples
    --------
    >>> round(two_sided(1.96, 1.0), 3), round(two_sided(2.093, 1.0, 19), 3), two_sided(0.0, 0.0)
    (0.05, 0.05, 1.0)
    """
    if math.isnan(error) or math.isnan(difference):
        return math.nan
    if error <= ROUNDING:
        return float(abs(difference) <= ROUNDING)
    if math.isinf(degrees):
        return math.erfc(abs(difference) / error / math.sqrt(2))
    from scipy.special import stdtr

    return float(2 * stdtr(degrees, -abs(difference) / error))


def around(score: Score, error: float, bounds: tuple[float, float], degrees: float = math.inf) -> Score:
    """Return a score with its 95 % interval; without one if there is no spread."""
    if math.isnan(error) or math.isnan(score.value) or error <= ROUNDING:
        return score
    half = quantile(degrees) * error
    return replace(score, low=max(score.value - half, bounds[0]), high=min(score.value + half, bounds[1]))


def exchanged(
    reference: Units, candidate: Units, times: int, draw: np.random.Generator
) -> Iterator[tuple[Integers, Integers]]:
    """Yield the rows of two corpora, first unchanged, then with units exchanged at random.

    Groups that both corpora have (answers to one prompt) are exchanged with each other; all other units are
    shuffled between the corpora. The test is exact for any distance, even one with random draws, that
    depends only on which text belongs to which corpus. All texts therefore stay in the order of their
    contents, and an exchange changes only the corpus of each.
    """
    units = [*reference.rows, *candidate.rows]
    half = len(reference)
    rows = reference.in_order(np.concatenate([np.zeros(0, np.int64), *units]))
    unit_of_row = np.zeros(len(reference.ranks), np.int64)
    for place, unit in enumerate(units):
        unit_of_row[unit] = place
    unit_of = unit_of_row[rows]
    names = shared_names(reference, candidate)
    first = np.array([reference.place[name] for name in names], np.int64)
    second = np.array([half + candidate.place[name] for name in names], np.int64)
    alone = np.setdiff1d(np.arange(len(units)), np.concatenate([first, second]))
    in_reference = np.arange(len(units)) < half
    left = int(in_reference[alone].sum())
    # Unchanged, in the same order as in the exchanges.
    yield rows[in_reference[unit_of]], rows[~in_reference[unit_of]]
    for _ in range(times):
        swapped = draw.random(len(names)) < 0.5
        in_reference[first], in_reference[second] = ~swapped, swapped
        in_reference[alone] = draw.permutation(len(alone)) < left
        yield rows[in_reference[unit_of]], rows[~in_reference[unit_of]]


def shared_names(first: Units, second: Units) -> list[str]:
    """Return the groups that two corpora share, in order."""
    return sorted(set(first.names) & set(second.names))


def describe_exchange(first: Units, second: Units) -> str:
    """Describe the exchange: within groups that both corpora have, or between the corpora."""
    shared = len(shared_names(first, second))
    if not shared:
        return f"{'groups' if first.are_groups else 'texts'} shuffled between the corpora"
    alone = len(first) + len(second) - 2 * shared
    groups = "group" if alone == 1 else "groups"
    others = f", and {alone:,} other {groups} shuffled between the corpora" if alone else ""
    return f"texts exchanged within {shared:,} groups{others}"


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
