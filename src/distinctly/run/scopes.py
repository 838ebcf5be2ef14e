"""Measure corpora in memory as a whole, within groups and across groups, with standard errors."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal

import numpy as np

from distinctly.config import RunConfig, cores
from distinctly.diversity.base import CountDiversity
from distinctly.engine.threads import Threads
from distinctly.hashing import Hashes
from distinctly.metrics import Metric, Sizable
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.estimating import FEW_UNITS, NO_SPREAD, Estimate, Estimator
from distinctly.run.plan import identifying_view
from distinctly.run.resampling import DRAWS, ONE_PER_GROUP, ROUNDING, Reals, Resampling, hash_names
from distinctly.score import Note, Score
from distinctly.spec import Request
from distinctly.statistics.accumulation import LEAST_DRAWN
from distinctly.views.base import View

Scope = Literal["within", "across", "pooled"]
SCOPES: tuple[Scope, ...] = ("within", "across", "pooled")


@dataclass(frozen=True)
class Column:
    """One metric on several corpora in one scope.

    Attributes
    ----------
    request
        The metric.
    estimates
        One per corpus.
    corpora
        The corpora, or samples of them.
    tested
        Whether the corpora are compared by it: it does not depend on size, or is taken at one size.
    by_group
        One value per group and corpus, for the scope `within`.
    plain_spec
        The spec of the value of all texts, for a value at one size; None for other values.
    comparable
        Whether the corpora can be compared by it, or by its value at one size.
    same_order
        The spec of another metric of which this one is a constant multiple at one size, so that only the
        other one is shown at one size.
    """

    request: Request
    estimates: Sequence[Estimate]
    corpora: Sequence[Subcorpus]
    tested: bool
    by_group: Sequence[Reals] = ()
    plain_spec: str | None = None
    comparable: bool = True
    same_order: str | None = None


@dataclass(frozen=True)
class Scoped:
    """Corpora that are measured in one scope.

    Attributes
    ----------
    corpora
        The corpora, each in a separate pool.
    scope
        How their texts are selected.
    resampling
        The requested intervals and tests.
    config
        How to run.
    """

    corpora: Sequence[Subcorpus]
    scope: Scope
    resampling: Resampling
    config: RunConfig
    _estimators: dict[View[Any], list[Estimator]] = field(default_factory=dict, repr=False, compare=False)

    def measure(self, requests: Sequence[Request]) -> list[Column]:
        """Measure each metric; of several corpora of different sizes, also at the size of the smallest."""
        columns: list[Column] = []
        requested = {request.spec for request in requests}
        for done, request in enumerate(requests):
            self.config.report(f"measuring ({self.scope})", done, len(requests))
            differ = self._differ_in_size(request.metric)
            same = _of_same_order(request.metric, requests) if differ else None
            matched = self._at_common_size(request.metric) if differ and same is None else None
            plain = self._column(request, tested=not differ)
            comparable = not differ or matched is not None or same is not None
            columns.append(replace(plain, comparable=comparable, same_order=same))
            if matched is not None:
                spec = _sized_spec(request.spec, matched)
                if spec not in requested:
                    column = self._column(replace(request, spec=spec, metric=matched), tested=True)
                    columns.append(replace(column, plain_spec=request.spec))
        return columns

    def _column(self, request: Request, *, tested: bool) -> Column:
        tested = tested and len(self.corpora) > 1
        errors = self.resampling.interval or tested
        if self.scope == "within":
            return self._within(request, tested=tested)
        metric = request.metric
        keys = self._common_keys(metric) if tested else None

        def estimated(estimator: Estimator) -> Estimate:
            if not errors:
                return Estimate(estimator.score(metric))
            estimate = estimator.estimate(metric)
            if keys is not None and estimate.by_block:
                shared = estimator.estimate(metric, keys)
                estimate = replace(estimate, influences=shared.influences)
            return estimate

        # Each corpus has a pool of its own, so that threads share nothing.
        with Threads(self._threads_for(metric)) as threads:
            return Column(request, list(threads.map(estimated, self._of(metric))), self.corpora, tested)

    def _threads_for(self, metric: Metric) -> int:
        """Return the number of threads; one for small corpora, functions of the user, and vectors."""
        pools = [corpus.pool for corpus in self.corpora]
        if len({id(pool) for pool in pools}) < len(pools):
            return 1
        compiled = all(pool.rows.config.compiled for pool in pools) and isinstance(metric, CountDiversity)
        return (self.config.threads or cores()) if compiled or metric.runs_in_threads else 1

    def _of(self, metric: Metric) -> list[Estimator]:
        """Return the estimator of each corpus, with units in the order of what the metric reads of them."""
        view = identifying_view(metric)
        if view not in self._estimators:
            self._estimators[view] = [self._estimator(corpus, view) for corpus in self.corpora]
        return self._estimators[view]

    def _estimator(self, corpus: Subcorpus, view: View[Any]) -> Estimator:
        units = corpus.units(view)
        if self.scope == "pooled":
            return Estimator.of_all(corpus.pool, units, self.resampling.error)
        draws = units.one_per_group(DRAWS, self.resampling.stream(ONE_PER_GROUP))
        return Estimator.of_draws(corpus.pool, units, draws, self.resampling.error)

    def _common_keys(self, metric: Metric) -> Hashes | None:
        """Return the hashes of the groups of all corpora if they have different groups; None otherwise."""
        units = [estimator.units for estimator in self._of(metric)]
        if not all(each.are_groups for each in units):
            return None
        names = set().union(*(each.names for each in units))
        return None if all(len(each) == len(names) for each in units) else hash_names(sorted(names))

    def _differ_in_size(self, metric: Metric) -> bool:
        """Return whether a value depends on the size of the corpora, and they differ in it."""
        if not isinstance(metric, Sizable) or metric.at is not None or metric.sized == "no":
            return False
        if self.scope == "within" or len(self.corpora) < 2:
            return False
        return len({estimator.size(metric) for estimator in self._of(metric)}) > 1

    def _at_common_size(self, metric: Metric) -> Sizable | None:
        """Return the metric at the size of the smallest corpus; None if that is too small."""
        smallest = min(self._of(metric), key=lambda estimator: estimator.size(metric))
        size, units = smallest.size(metric), smallest.units
        if not isinstance(metric, Sizable) or not size or len(units) < LEAST_DRAWN:
            return None
        return metric.sized_to(size, "group" if units.are_groups else "text")

    def _within(self, request: Request, *, tested: bool) -> Column:
        """Measure each group separately, and return the mean over groups."""
        columns = [self._in_groups(corpus, request.metric) for corpus in self.corpora]
        estimates, values = [estimate for estimate, _ in columns], [by_group for _, by_group in columns]
        return Column(request, estimates, self.corpora, tested, values)

    def _in_groups(self, corpus: Subcorpus, metric: Metric) -> tuple[Estimate, Reals]:
        """Measure each group of one corpus."""
        units, texts = corpus.units(identifying_view(metric)), len(corpus.pool)
        values = metric.each(corpus.pool, units.labels, len(units))
        defined = np.isfinite(values)
        known = np.sort(values[defined])
        parts: dict[str, int | float] = {
            "groups": len(units),
            "undefined_groups": len(values) - len(known),
            "texts": texts,
            "smallest_group": int(units.sizes.min(initial=texts)),
            "largest_group": int(units.sizes.max(initial=0)),
        }
        notes = _group_notes(metric, units.sizes, len(known))
        if not len(known):
            why = "there are no texts." if not len(units) else "no group has a value."
            return Estimate(metric.scored(math.nan, parts, notes, undefined=why)), values
        score = metric.scored(float(known.mean()), parts, notes)
        if len(known) < 2:
            return Estimate(score, remark=FEW_UNITS), values
        influences = np.zeros(len(values))
        influences[defined] = (score.value - values[defined]) / math.sqrt(len(known) * (len(known) - 1))
        error = self.resampling.error(float(np.sqrt((influences**2).sum())), len(units))
        remark = NO_SPREAD if error <= ROUNDING else None
        return Estimate(score, error, math.inf, influences, remark=remark), values


def _of_same_order(metric: Metric, requests: Sequence[Request]) -> str | None:
    """Return the spec of the metric that has the same order of corpora at one size; None if there is none."""
    if not isinstance(metric, Sizable):
        return None
    return next((request.spec for request in requests if metric.is_multiple_of(request.metric)), None)


def _sized_spec(spec: str, metric: Sizable) -> str:
    """Return the spec of a metric at a size, from its spec without."""
    return f"{spec}{',' if ':' in spec else ':'}at={metric.at},unit={metric.unit}"


def _group_notes(metric: Metric, sizes: Integers, defined: int) -> tuple[Note, ...]:
    notes: list[Note] = []
    if alone := int((sizes == 1).sum()):
        result = ", so no value" if metric.least_texts > 1 else ""
        some = f"groups have one text{result}."
        notes.append(Note(f"{alone:,} of {len(sizes):,} {some}", general=f"Some {some}"))
    if len(sizes) > defined and metric.least_texts == 1:
        some = "groups have no value and are left out."
        notes.append(Note(f"{len(sizes) - defined:,} of {len(sizes):,} {some}", general=f"Some {some}"))
    if len(sizes) and metric.sized != "no" and sizes.min() != sizes.max():
        advice = "and the value depends on that. Compare only with groups of similar sizes."
        unequal = f"Groups have from {sizes.min():,} to {sizes.max():,} texts, {advice}"
        general = f"Groups have different numbers of texts, {advice}"
        notes.append(Note(unequal, "warning", general=general))
    return tuple(notes)


def with_parts(score: Score, **parts: int | float) -> Score:
    """Return a score with more parts."""
    return replace(score, parts={**score.parts, **parts})
