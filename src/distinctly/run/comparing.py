"""Compare several corpora: which is the most diverse, and do the others differ from it by more than noise?"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from distinctly.config import RunConfig
from distinctly.diversity.base import SizedCounts
from distinctly.errors import SpecError
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus, joined
from distinctly.run.estimating import Estimate
from distinctly.run.plan import identifying_view
from distinctly.run.resampling import (
    EXCHANGES,
    ROUNDING,
    SIGNS,
    Reals,
    Resampling,
    describe_exchange,
    exchanged,
    holm,
    p_values,
    quantile,
    sign_flips,
    two_sided,
)
from distinctly.run.scopes import Column, Scope
from distinctly.score import Comparison, Relative
from distinctly.statistics.accumulation import SeenTables, Unit, curve_statistic
from distinctly.statistics.pool import Pool

SIGNIFICANT = 0.05
Pair = tuple[int, int]


@dataclass(frozen=True)
class Tested:
    """The p-value of a pair of corpora, and the test in words."""

    p: float
    how: str
    exchanged: bool = False


@dataclass(frozen=True)
class Comparing:
    """The comparison of the corpora of a run in one scope."""

    corpora: Sequence[Subcorpus]
    scope: Scope
    resampling: Resampling
    config: RunConfig

    def compare(self, columns: Sequence[Column]) -> list[Comparison]:
        """Compare each corpus with the best one, per metric.

        The best one is picked after looking, so p-values are corrected for all pairs of corpora and all
        metrics.
        """
        compared = [column for column in columns if column.tested and _sign(column.request.metric)]
        pairs = list(itertools.combinations(range(len(self.corpora)), 2))
        self._check_permutations(len(compared) * len(pairs))
        tests = {
            (number, pair): test
            for number, column in enumerate(compared)
            for pair, test in self._test(column, pairs).items()
        }
        corrected = dict(zip(tests, holm([test.p for test in tests.values()])))
        family = sum(not math.isnan(test.p) for test in tests.values())
        comparisons: list[Comparison] = []
        for number, column in enumerate(compared):
            best = _best(column)
            if best is None:
                continue
            for other in (place for place in range(len(self.corpora)) if place != best):
                pair = min(best, other), max(best, other)
                test, p_holm = tests[number, pair], corrected[number, pair]
                value, best_value = (column.estimates[place].score.value for place in (other, best))
                comparisons.append(
                    Comparison(
                        metric=column.request.spec,
                        scope=self.scope if self.corpora[best].grouped else None,
                        best=self.corpora[best].name,
                        corpus=self.corpora[other].name,
                        difference=value - best_value,
                        p=test.p,
                        p_holm=p_holm,
                        noise=None if math.isnan(p_holm) else p_holm >= SIGNIFICANT,
                        test=test.how,
                        exchanged=test.exchanged,
                        family=family,
                    )
                )
        return comparisons

    def relative(self, column: Column, to: int) -> list[Relative | None]:
        """Return the ratio of each value to that of one corpus, with its interval; None for that corpus.

        With the values a and b, R = a/b, their standard errors, and r and the spreads as for differences,
        ``SE² = (SE_a² + R² SE_b² − 2 R r s_a s_b) / b²`` (the delta method).
        """
        base = column.estimates[to]
        correlations = self._correlations(column)
        relatives: list[Relative | None] = []
        for place, estimate in enumerate(column.estimates):
            if place == to:
                relatives.append(None)
                continue
            known = base.score.value > 0
            ratio = estimate.score.value / base.score.value if known else math.nan
            covariance = correlations[place, to] * _spread(estimate) * _spread(base)
            variance = estimate.error**2 + (ratio * base.error) ** 2 - 2 * ratio * covariance
            low = high = None
            error = math.sqrt(variance) / base.score.value if known and variance > 0 else 0.0
            if error > ROUNDING:  # otherwise all texts contribute equally, and the spread is not known
                half = quantile(min(estimate.degrees, base.degrees)) * error
                low, high = ratio - half, ratio + half
            relatives.append(Relative(to=self.corpora[to].name, ratio=ratio, low=low, high=high))
        return relatives

    def _check_permutations(self, family: int) -> None:
        """Raise if no exchange of texts could be significant after the correction for many comparisons."""
        if not self.resampling.paired or len(self.corpora) < 3:
            return
        # The smallest p-value, 1 / (permutations + 1), times the family must be below the limit.
        needed = math.floor(family / SIGNIFICANT + 0.5)
        if self.resampling.exchanges < needed:
            raise SpecError(
                f"{self.resampling.exchanges:,} permutations are too few for {family:,} comparisons (pairs "
                f"of corpora times metrics): none could be significant. Use --permutations {needed} "
                f"(Python: permutations={needed}), fewer corpora or metrics, or omit --paired."
            )

    def _test(self, column: Column, pairs: Sequence[Pair]) -> dict[Pair, Tested]:
        """Return the test of each pair of corpora."""
        tests = self._by_leaving_out(column, pairs)
        if not self.resampling.paired:
            return tests
        if self.scope == "within":
            return tests | dict(self._sign_tests(column, pairs))
        metric = column.request.metric
        exchangeable = metric.sized == "no" or (isinstance(metric, SizedCounts) and metric.reads == "sizes")
        if self.scope == "across" or not exchangeable:
            return tests
        for pair in pairs:
            if not math.isnan(tests[pair].p):
                tests[pair] = self._exchange(column, pair)
        return tests

    def _by_leaving_out(self, column: Column, pairs: Sequence[Pair]) -> dict[Pair, Tested]:
        """Test differences by their standard errors: ``SE² = SE_A² + SE_B² − 2r·SE_A·SE_B``.

        r is the correlation of the influences of shared groups. In closed form SE² is the sum of the squared
        differences of the influences, which covers paired, partly paired and independent corpora. The noise
        of random draws is independent, so it is added afterwards.
        """
        correlations = self._correlations(column)
        tests = {}
        for pair in pairs:
            estimates = [column.estimates[place] for place in pair]
            errors = [estimate.error for estimate in estimates]
            spreads = [_spread(estimate) for estimate in estimates]
            variance = errors[0] ** 2 + errors[1] ** 2 - 2 * correlations[pair] * spreads[0] * spreads[1]
            error = math.sqrt(max(variance, 0.0)) if not math.isnan(variance) else math.nan
            difference = estimates[0].score.value - estimates[1].score.value
            p = two_sided(difference, error, min(estimate.degrees for estimate in estimates))
            tests[pair] = Tested(p, self._describe(*estimates))
        return tests

    def _describe(self, *estimates: Estimate) -> str:
        """Describe the test of a difference by the less exact of its two errors."""
        unit = "group" if all(corpus.grouped for corpus in self.corpora) else "text"
        if any(estimate.by_draws for estimate in estimates):
            return f"random draws of {unit}s"
        if any(estimate.by_block for estimate in estimates):
            blocks = max(len(estimate.influences) for estimate in estimates)
            return f"{blocks} blocks of {unit}s left out in turn"
        return f"each {unit} left out in turn"

    def _correlations(self, column: Column) -> Reals:
        """Return the correlations of the influences of the same groups between corpora."""
        count = len(self.corpora)
        if not all(corpus.grouped for corpus in self.corpora):
            return np.eye(count)
        view = identifying_view(column.request.metric)
        names = [corpus.units(view).names for corpus in column.corpora]
        places = {name: place for place, name in enumerate(sorted(set().union(*names)))}
        by_block = any(estimate.by_block for estimate in column.estimates)
        width = max(len(estimate.influences) for estimate in column.estimates) if by_block else len(places)
        aligned = np.zeros((count, width))
        for row, estimate in enumerate(column.estimates):
            if by_block:
                aligned[row, : len(estimate.influences)] = estimate.influences
            elif len(estimate.influences):
                aligned[row, [places[name] for name in names[row]]] = estimate.influences
        lengths = np.sqrt((aligned**2).sum(axis=1))
        unit = aligned / np.where(lengths > 0, lengths, 1.0)[:, None]
        return np.asarray(unit @ unit.T, np.float64)

    def _sign_tests(self, column: Column, pairs: Sequence[Pair]) -> Iterator[tuple[Pair, Tested]]:
        """Yield the tests by exchanging the values of groups, of pairs of corpora with the same groups."""
        view = identifying_view(column.request.metric)
        for pair in pairs:
            names = [column.corpora[place].units(view).names for place in pair]
            if list(names[0]) != list(names[1]) or not names[0]:
                continue
            times = self.resampling.exchanges
            flips = sign_flips(
                column.by_group[pair[0]] - column.by_group[pair[1]], times, self.resampling.stream(SIGNS)
            )
            p = float(p_values(flips[:, None])[0])
            yield pair, Tested(p, f"values exchanged within {len(names[0]):,} groups, {times:,} times", True)

    def _exchange(self, column: Column, pair: Pair) -> Tested:
        """Test a difference by exchanging units, with both corpora taken at one size in each exchange."""
        metric = column.request.metric
        view = identifying_view(metric)
        pool, first, second = joined(column.corpora[pair[0]], column.corpora[pair[1]], view)
        times = self.resampling.exchanges
        values = np.empty(times + 1)
        drawn = exchanged(first, second, times, self.resampling.stream(EXCHANGES))
        if isinstance(metric, SizedCounts) and metric.sized == "ngrams":
            differences = _differences_on_curves(metric, pool, drawn)
        else:
            differences = (_difference(metric, pool, rows) for rows in drawn)
        for done, difference in enumerate(differences):
            values[done] = difference
            self.config.report("exchanging texts", done, times)
        p = float(p_values(values[:, None])[0])
        return Tested(p, f"{describe_exchange(first, second)}, {times:,} times", exchanged=True)


def _spread(estimate: Estimate) -> float:
    """Return the standard error without the noise of random draws."""
    return math.sqrt(max(estimate.error**2 - estimate.noise**2, 0.0))


def _difference(metric: Metric, pool: Pool, rows: tuple[Integers, Integers]) -> float:
    """Return the absolute difference of a metric between two selections."""
    first, second = (metric.score_from(pool.select(selected)).value for selected in rows)
    return abs(first - second)


def _differences_on_curves(
    metric: SizedCounts, pool: Pool, drawn: Iterable[tuple[Integers, Integers]]
) -> Iterator[float]:
    """Yield the absolute difference of a metric between each two selections, both at one size."""
    unit: Unit = metric.unit or ("text" if pool.rows.batch.groups is None else "group")
    index = pool.index(curve_statistic(metric.counted().n, unit, metric.view))
    curves, seen = index.each(itertools.chain.from_iterable(drawn)), SeenTables()
    for pair in zip(curves, curves):
        size = min(curve.total for curve in pair)
        size = max(min(size, metric.size) if metric.at is not None else size, 1)
        first, second = (metric.value_on(curve, size, seen) for curve in pair)
        yield abs(first - second)


def _sign(metric: Metric) -> int | None:
    return {"more diverse": 1, "less diverse": -1}.get(metric.more_is)


def _best(column: Column) -> int | None:
    """Return the number of the most diverse corpus; None if fewer than two corpora have a value."""
    sign = _sign(column.request.metric) or 1
    values = [estimate.score.value for estimate in column.estimates]
    known = [place for place, value in enumerate(values) if not math.isnan(value)]
    return max(known, key=lambda place: sign * values[place]) if len(known) > 1 else None
