"""Compare several corpora: which is the most diverse, and do the others differ from it by more than noise?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from distinctly.config import RunConfig
from distinctly.distance._difference import Difference
from distinctly.run.corpora import Subcorpus, joined
from distinctly.run.resampling import (
    EXCHANGES,
    PAIRED_TEXTS,
    SIGNS,
    Resampling,
    describe_exchange,
    exchanged,
    holm,
    p_values,
    sign_flips,
)
from distinctly.run.scopes import Measured, Scope, ngrams_in
from distinctly.run.scoring import Distances
from distinctly.score import Comparison
from distinctly.views.tokens import TokenView

SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Comparing:
    """The comparison of the corpora of a run."""

    corpora: Sequence[Subcorpus]
    resampling: Resampling
    config: RunConfig
    tokens: TokenView

    def compare(self, measured: Sequence[Sequence[Measured]], scope: Scope) -> list[Comparison]:
        """Compare each corpus with the best one, per metric."""
        columns: dict[tuple[int, int], list[int]] = {}
        for column in range(len(measured[0])):
            best = _best([row[column] for row in measured])
            if best is not None:
                for other in range(len(self.corpora)):
                    if other != best:
                        columns.setdefault((best, other), []).append(column)
        comparisons: list[Comparison] = []
        for (best, other), places in columns.items():
            pairs = [(measured[best][place], measured[other][place]) for place in places]
            p, test = self._test(self.corpora[best], self.corpora[other], pairs, scope)
            comparisons += [
                Comparison(
                    metric=first.request.spec,
                    scope=scope if self.corpora[best].units.are_groups else None,
                    best=self.corpora[best].name,
                    corpus=self.corpora[other].name,
                    difference=second.score.value - first.score.value,
                    p=p_value,
                    test=test,
                    exchanged=self.resampling.paired,
                )
                for (first, second), p_value in zip(pairs, p)
            ]
        return comparisons

    def _test(
        self, best: Subcorpus, other: Subcorpus, pairs: Sequence[tuple[Measured, Measured]], scope: Scope
    ) -> tuple[list[float], str]:
        """Return the p-value of each pair of scores, and a description of the test."""
        shared = sorted(set(best.units.names) & set(other.units.names))
        times = f"{self.resampling.exchanges:,} times"
        if scope == "within" and shared:
            places = [np.array([corpus.units.place[name] for name in shared]) for corpus in (best, other)]
            flips = [
                sign_flips(
                    first.by_group[places[0]] - second.by_group[places[1]],
                    self.resampling.exchanges,
                    self.resampling.stream(SIGNS),
                )
                for first, second in pairs
                if first.by_group is not None and second.by_group is not None
            ]
            return p_values(np.stack(flips, axis=1)).tolist(), (
                f"values exchanged within {len(shared):,} groups, {times}"
            )
        if not self.resampling.paired or scope == "within":
            return [_normal(first, second) for first, second in pairs], "spread over subsamples"
        p = self._exchange(best, other, pairs, scope, shared)
        return p, f"{describe_exchange(len(shared))}, {times}"

    def _exchange(
        self,
        best: Subcorpus,
        other: Subcorpus,
        pairs: Sequence[tuple[Measured, Measured]],
        scope: Scope,
        shared: Sequence[str],
    ) -> list[float]:
        """Test differences of metrics in the same way as distances: by exchanging texts."""
        pool, first, second = joined(best, other, self.tokens)
        if shared:
            first, second = first.named(shared), second.named(shared)
        if scope == "across":
            draw = self.resampling.stream(PAIRED_TEXTS)
            first, second = (
                units.chosen([draw.choice(rows, 1) for rows in units.rows]) for units in (first, second)
            )
        differences = []
        for pair in pairs:
            metric, sample = pair[0].request.metric, None
            if metric.sized == "ngrams" and self.resampling.sample == "common":
                sample = min(ngrams_in(pool, metric, units.texts) for units in (first, second))
            differences.append(Difference.of_metric(metric, sample))
        times = self.resampling.exchanges
        values = Distances(differences).values(
            pool,
            exchanged(first, second, times, self.resampling.stream(EXCHANGES), paired=bool(shared)),
            len(first.texts) + len(second.texts),
            lambda done: self.config.report("exchanging texts", min(done, times), times),
        )
        return [float(p) for p in p_values(values)]


def corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    """Correct the p-values of each corpus and scope for the number of metrics."""
    results = list(comparisons)
    for key in dict.fromkeys((comparison.corpus, comparison.scope) for comparison in comparisons):
        places = [place for place, result in enumerate(results) if (result.corpus, result.scope) == key]
        for place, p in zip(places, holm([results[place].p for place in places])):
            noise = None if math.isnan(p) else p >= SIGNIFICANT
            results[place] = replace(results[place], p_holm=p, noise=noise)
    return results


def _best(column: Sequence[Measured]) -> int | None:
    """Return the number of the most diverse corpus; None if the metric has no direction."""
    sign = {"more diverse": 1, "less diverse": -1}.get(column[0].request.metric.more_is)
    known = [place for place, measured in enumerate(column) if not math.isnan(measured.score.value)]
    if sign is None or len(known) < 2:
        return None
    return max(known, key=lambda place: sign * column[place].score.value)


def _normal(first: Measured, second: Measured) -> float:
    """Return the p-value of a difference of two independent values with known standard errors."""
    error = math.hypot(first.error, second.error)
    difference = abs(first.tested - second.tested)
    if math.isnan(error) or math.isnan(difference):
        return math.nan
    return math.erfc(difference / error / math.sqrt(2)) if error else float(difference == 0)
