"""Intervals and tests of differences: all of them measure selections of one pool again.

Anything that counts types is biased in size, so that a bootstrap with replacement excludes its own
value. Here half of the texts are drawn without replacement, again and again; the spread of what they
measure, rescaled, is the standard error of the value of all.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from distinctly.metric import Metric
from distinctly.ragged import Integers
from distinctly.score import Score
from distinctly.statistics.derived import Lookup, TextPool
from distinctly.statistics.ngram_counts import Grams

Reals = NDArray[np.float64]
Watch = Callable[[str, int, int], None]
Z = 1.959963984540054  # 95 % of a normal distribution lie within so many standard deviations


@dataclass(frozen=True, kw_only=True)
class Chance:
    """How often, and from which seed, is drawn.

    Attributes
    ----------
    seed
        The same seed draws the same texts, in whatever order they come.
    subsamples, share
        How many subsamples an interval takes, and which part of the texts each has.
    permutations
        How often a test exchanges the texts of two corpora.
    draws
        How often one text a group is drawn, for the scope `across`.
    population
        Of how many texts (groups, where there are some) the corpus is a random part; without end where
        not given. The larger the part, the less is left to chance.
    watch
        Called with what is being done, how much of it is done, and of how much.
    """

    seed: int = 0
    subsamples: int = 100
    share: float = 0.5
    permutations: int = 1000
    draws: int = 20
    population: int | None = None
    watch: Watch | None = None

    def error(self, deviation: float, units: int) -> float:
        """Return a standard error, corrected for how much of the population is known."""
        known = 0.0 if self.population is None else units / self.population
        return deviation * math.sqrt(max(1 - known, 0.0))


class Units:
    """What is drawn: texts, or the groups that they belong to, since texts of a group go together.

    They are in an order that only their contents give, so that no order of reading changes a draw.
    """

    def __init__(self, pool: TextPool) -> None:
        view = pool.view
        by_content: Integers = np.argsort(view.text_hashes, kind="stable")
        self.names: list[str] = []
        self.rows: list[Integers] = list(by_content.reshape(-1, 1))
        if view.groups is not None:
            names = view.groups.tolist()
            rows: dict[str, list[int]] = {}
            for row in by_content.tolist():
                rows.setdefault(names[row], []).append(row)
            self.names = sorted(rows)
            self.rows = [np.array(rows[name], np.int64) for name in self.names]
        self.place = {name: place for place, name in enumerate(self.names)}
        self._texts = by_content

    def __len__(self) -> int:
        return len(self.rows)

    def half(self, share: float) -> int:
        """Return how many units a subsample has."""
        return min(max(round(len(self) * share), 1), len(self) - 1)

    def some(self, size: int, chance: Chance) -> list[Integers]:
        """Return, for each subsample of so many units, its rows."""
        draw = np.random.default_rng([chance.seed, 1])
        return [
            np.concatenate([self.rows[unit] for unit in draw.permutation(len(self))[:size]])
            for _ in range(chance.subsamples)
        ]

    def one_each(self, chance: Chance) -> list[Integers]:
        """Return, for each draw, one text of each group."""
        draw = np.random.default_rng([chance.seed, 2])
        return [self._one_of(np.arange(len(self)), draw) for _ in range(chance.draws)]

    def one_each_of_some(self, size: int, chance: Chance) -> list[Integers]:
        """Return, for each subsample of so many groups, one text of each."""
        draw = np.random.default_rng([chance.seed, 5])
        return [self._one_of(draw.permutation(len(self))[:size], draw) for _ in range(chance.subsamples)]

    def texts(self, size: int, chance: Chance) -> list[Integers]:
        """Return, for each draw, so many texts."""
        draw = np.random.default_rng([chance.seed, 7])
        return [draw.permutation(self._texts)[:size] for _ in range(chance.draws)]

    def _one_of(self, chosen: Integers, draw: np.random.Generator) -> Integers:
        sizes = np.array([len(self.rows[unit]) for unit in chosen], np.int64)
        if not len(sizes):
            return np.zeros(0, np.int64)
        laid = np.concatenate([self.rows[unit] for unit in chosen])
        places: Integers = np.cumsum(sizes) - sizes + draw.integers(0, sizes)
        return laid[places]


def score_of(metric: Metric, summaries: Lookup, sample: int | None = None) -> Score:
    """Score some texts; with a sample, what is expected of so many of their n-grams."""
    if sample is None or metric.sized != "ngrams":
        return metric.score(*(summaries[statistic] for statistic in metric.statistics()))
    found = [summaries.at_sample(statistic, sample) for statistic in metric.statistics()]
    # Some selections have fewer n-grams than that: they are taken as they are.
    there_are = [int(one.total[0]) for one in found if isinstance(one, Grams)]
    return metric.at(max(min(sample, *there_are), 1)).score(*found)


def values_of(
    metrics: Sequence[Metric], pool: TextPool, selections: Sequence[Integers], samples: Sequence[int | None]
) -> Reals:
    """Return the value of each metric (columns) on each selection (rows); one cut serves all metrics."""
    values = np.empty((len(selections), len(metrics)))
    for place, rows in enumerate(selections):
        summaries = pool.cut(rows)
        values[place] = [score_of(m, summaries, s).value for m, s in zip(metrics, samples)]
    return values


def ngrams_in(pool: TextPool, n: int, rows: Integers | None = None) -> int:
    """Return how many n-grams some texts have."""
    lengths = pool.view.lengths if rows is None else pool.view.lengths[rows]
    return int(np.maximum(lengths - (n - 1), 0).sum())


def mean_by_draws(
    metrics: Sequence[Metric], pool: TextPool, selections: Sequence[Integers], samples: Sequence[int | None]
) -> Reals:
    """Return the mean value of each metric over the selections."""
    return np.asarray(values_of(metrics, pool, selections, samples).mean(axis=0))


def standard_error(values: Reals, units: int, size: int, chance: Chance) -> float:
    """Turn the values of subsamples into the standard error of the value of all texts.

    The variance of a mean of b of n is (n−b)/n of what b of infinitely many would have; times
    b/(n−b) it is that of n. NaN where the metric was undefined on a subsample.
    """
    if len(values) < 2 or np.isnan(values).any():
        return math.nan
    return chance.error(math.sqrt(size / (units - size)) * float(values.std(ddof=1)), units)


def around(score: Score, error: float, bounds: tuple[float, float]) -> Score:
    """Return a score with its interval."""
    if math.isnan(error) or math.isnan(score.value):
        return score
    low, high = score.value - Z * error, score.value + Z * error
    return replace(score, low=max(low, bounds[0]), high=min(high, bounds[1]))


def exchanged(
    metrics: Sequence[Metric],
    pool: TextPool,
    first: Sequence[Integers],
    second: Sequence[Integers],
    samples: Sequence[int | None],
    chance: Chance,
    *,
    paired: bool,
) -> Reals:
    """Return the p-value of the difference between two corpora, a metric.

    Unit i of one is exchanged with unit i of the other where they are paired (the answers to one
    prompt); otherwise all units are shuffled. p = (b + 1) / (m + 1), ties counted.
    """
    draw = np.random.default_rng([chance.seed, 3])
    units = [*first, *second]
    half = len(first)

    def difference(one: Sequence[Integers], other: Sequence[Integers]) -> Reals:
        both = values_of(metrics, pool, [np.concatenate(one), np.concatenate(other)], samples)
        return np.asarray(both[0] - both[1])

    observed = np.abs(difference(first, second))
    as_extreme = np.zeros(len(metrics))
    for done in range(chance.permutations):
        if chance.watch is not None:
            chance.watch("exchanging texts", done, chance.permutations)
        if paired:
            swapped = draw.random(half) < 0.5
            one = [b if swap else a for a, b, swap in zip(first, second, swapped)]
            other = [a if swap else b for a, b, swap in zip(first, second, swapped)]
        else:
            order = draw.permutation(len(units))
            one, other = [units[i] for i in order[:half]], [units[i] for i in order[half:]]
        # Differences that are the same but for rounding are ties; what is undefined counts against us.
        as_extreme += ~(np.abs(difference(one, other)) < observed * (1 - 1e-12))
    p = (as_extreme + 1) / (chance.permutations + 1)
    return np.where(np.isnan(observed), np.nan, p)


def sign_flipped(differences: Reals, chance: Chance) -> float:
    """Return the p-value of a mean of paired differences, by exchanging the two of a pair."""
    defined = differences[~np.isnan(differences)]
    if not len(defined):
        return math.nan
    draw = np.random.default_rng([chance.seed, 4])
    observed = abs(defined.mean()) * (1 - 1e-12)
    signs = draw.integers(0, 2, (chance.permutations, len(defined))) * 2 - 1
    as_extreme = int((np.abs(signs @ defined / len(defined)) >= observed).sum())
    return (as_extreme + 1) / (chance.permutations + 1)


def holm(p_values: Sequence[float]) -> list[float]:
    """Correct p-values for there being several of them (Holm, 1979); NaN stays and does not count.

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
