"""Values with their standard errors: leaving out one unit or one block of units at a time, or drawing units.

A metric that counts types depends on size, so a bootstrap with replacement excludes the value itself. What
can be estimated is the spread: the interval stands around the value of all texts. The unit is the text, or
the group where texts come in groups.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from distinctly.diversity.base import CountDiversity, Pooled, why_not_drawn
from distinctly.hashing import Hashes, block_labels
from distinctly.metrics import Metric, Sizable
from distinctly.ragged import Integers
from distinctly.run.plan import identifying_view
from distinctly.run.resampling import (
    BLOCKS,
    ROUNDING,
    SOME_UNITS,
    Reals,
    Units,
    around,
    deviations,
    quantile,
)
from distinctly.score import Note, Score
from distinctly.statistics.accumulation import UNIT_GROUP
from distinctly.statistics.base import Mergeable
from distinctly.statistics.lengths import Lengths
from distinctly.statistics.means import ValueIndex, without_groups
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.pool import Pool, Selection
from distinctly.statistics.unit_table import UnitTable

if TYPE_CHECKING:
    from distinctly.statistics.left_out import LeftOutSpread, Spread

# Fewer units have no standard error.
LEAST_UNITS = 4
# Draws of a larger share of the units are too alike to show the spread of the value.
LARGEST_SHARE = 0.9
UNDEFINED_DRAW = "a random draw of texts has no value."
FEW_UNITS = Note(f"No interval: it needs at least {LEAST_UNITS} texts (or groups).", scope="corpus")
NO_VALUE = Note("No interval: without some of the texts there is no value.")
NO_SPREAD = Note("No interval: all texts contribute equally, so the spread cannot be estimated.")
ALIKE = Note(
    "All texts contribute equally, so the interval is as wide as if 3 of them could differ (the rule of "
    "three)."
)


@dataclass(frozen=True)
class Estimate:
    """A score with its standard error.

    Attributes
    ----------
    score
        The score, without an interval.
    error, degrees
        The standard error, and its degrees of freedom; NaN if there is none.
    influences
        The scaled change of the value when each unit (or block of units) is left out: their squares sum to
        the square of the error of the value of all texts. Empty if there is no error.
    by_block, by_draws
        Whether blocks are left out, not units; whether the error is that of random draws.
    growth
        By how much the value grows on average with another unit.
    noise
        The part of the error that is due to the number of draws; it is independent of other corpora.
    interval_error
        The standard error for the interval, if it is not that of tests.
    remark
        Why there is no interval, or an unusual one.
    """

    score: Score
    error: float = math.nan
    degrees: float = math.inf
    influences: Reals = field(default_factory=lambda: np.zeros(0))
    by_block: bool = False
    by_draws: bool = False
    growth: float = 0.0
    noise: float = 0.0
    interval_error: float | None = None
    remark: Note | None = None

    def with_interval(self, bounds: tuple[float, float]) -> Score:
        """Return the score with its interval, or with the reason why it has none."""
        error = self.error if self.interval_error is None else self.interval_error
        score = around(self.score, error, bounds, self.degrees)
        return score if self.remark is None else replace(score, notes=(*score.notes, self.remark))


@dataclass(frozen=True)
class Selected:
    """Rows of a pool, and the number of the unit of each."""

    selection: Selection
    labels: Integers
    _tables: dict[NgramCounts, UnitTable] = field(default_factory=dict, repr=False, compare=False)

    @property
    def rows(self) -> Integers:
        """The rows."""
        return self.selection.rows

    def table(self, counts: NgramCounts, units: int) -> UnitTable:
        """Return the n-grams of each unit, counted once."""
        if counts not in self._tables:
            index = self.selection.pool.index(counts)
            self._tables[counts] = UnitTable.of(index, self.rows, self.labels, units)
        return self._tables[counts]


@dataclass(frozen=True)
class Estimator:
    """Texts of a pool over which a value is taken: all of them, or the mean over draws of one per group.

    Attributes
    ----------
    pool, units
        The texts, and the units that are left out or drawn.
    selections
        One selection of all texts, or several of one text per group.
    correct
        Corrects a standard error for the share of a population that is known.
    """

    pool: Pool
    units: Units
    selections: Sequence[Selected]
    correct: Callable[[float, int], float] = lambda error, _: error
    _known: dict[Metric, Estimate] = field(default_factory=dict, repr=False, compare=False)

    @classmethod
    def of_all(cls, pool: Pool, units: Units, correct: Callable[[float, int], float]) -> Estimator:
        """Return the estimator of all texts together."""
        return cls(pool, units, [_selected(pool, units, units.texts)], correct)

    @classmethod
    def of_draws(
        cls, pool: Pool, units: Units, draws: Sequence[Integers], correct: Callable[[float, int], float]
    ) -> Estimator:
        """Return the estimator of the mean over draws of one text per group."""
        return cls(pool, units, [_selected(pool, units, rows) for rows in draws], correct)

    def score(self, metric: Metric) -> Score:
        """Return the score of the selections."""
        if isinstance(metric, Sizable) and metric.unit == "group" and self._are_texts:
            raise without_groups(UNIT_GROUP)
        if isinstance(metric, Sizable) and metric.drawn:
            return self._by_draws(metric)[0]
        if isinstance(metric, Sizable) and metric.at is not None and self._has_table(metric):
            scores = [self._scored_at(metric, selected) for selected in self.selections]
        else:
            scores = [
                metric.score_from(self._ordered(metric, selected.selection)) for selected in self.selections
            ]
        return _mean(scores, mean_parts=metric.gives_several)

    @property
    def _are_texts(self) -> bool:
        return len(self.units) > 0 and not self.units.are_groups

    def estimate(self, metric: Metric, keys: Hashes | None = None) -> Estimate:
        """Return the score with its standard error.

        Parameters
        ----------
        metric
            The metric.
        keys
            The hashes of all groups of several corpora, so that they are cut into the same blocks; by default
            those of the units.
        """
        if keys is not None:
            return self._estimate(metric, keys)
        if metric not in self._known:
            self._known[metric] = self._estimate(metric, None)
        return self._known[metric]

    def _estimate(self, metric: Metric, keys: Hashes | None) -> Estimate:
        if isinstance(metric, Sizable) and metric.drawn:
            return self._drawn_estimate(metric, keys)
        score = self.score(metric)
        if math.isnan(score.value):
            return Estimate(score)
        if len(self.units) < LEAST_UNITS:
            return Estimate(score, remark=FEW_UNITS)
        left_out = self._leave_units(metric)
        by_block = left_out is None
        if left_out is None:
            left_out = self._leave_blocks(metric.for_left_out(), keys)
        if np.isnan(left_out).any():
            return Estimate(score, remark=NO_VALUE)
        influences = deviations(left_out)
        degrees = len(left_out) - 1 if by_block else math.inf
        error = self.correct(float(np.sqrt((influences**2).sum())), len(self.units))
        growth = score.value - float(left_out.mean())
        estimate = Estimate(score, error, degrees, influences, by_block, growth=growth)
        return _alike(metric, estimate, len(self.units)) if error <= ROUNDING else estimate

    def _ordered(self, metric: Metric, selection: Selection) -> Selection:
        """Return the selection in the order of reading, for a metric that depends on it."""
        return self.pool.select(np.sort(selection.rows)) if metric.ordered else selection

    def _has_table(self, metric: Metric) -> bool:
        """Return whether a value is computed from the n-grams of each unit."""
        if not isinstance(metric, CountDiversity) or metric.pool != "corpus" or metric.reads == "columns":
            return False
        drawn_unit = metric.unit if isinstance(metric, Sizable) and metric.at is not None else None
        return drawn_unit is None or (drawn_unit == "group") == self.units.are_groups

    def _scored_at(self, metric: Sizable, selected: Selected) -> Score:
        """Return the score at the size of a metric, from the accumulation curve of the units."""
        if not isinstance(metric, CountDiversity):
            raise TypeError(f"'{metric.metric_name()}' has no accumulation curve")
        curve = selected.table(metric.counted(), len(self.units)).curve
        return metric.score(curve, selected.selection[Lengths(view=metric.view)])

    def _leave_units(self, metric: Metric) -> Reals | None:
        """Return the value without each unit, in closed form; None if there is none."""
        values = [self._without_units(metric, selected) for selected in self.selections]
        known = [column for column in values if column is not None]
        return np.mean(known, axis=0) if len(known) == len(values) else None

    def _without_units(self, metric: Metric, selected: Selected) -> Reals | None:
        if isinstance(metric, CountDiversity) and self._has_table(metric):
            table = selected.table(metric.counted(), len(self.units))
            if isinstance(metric, Sizable) and metric.at is not None:
                return metric.formula(table.left_out_at(metric.size))
            return metric.formula(table.left_out())
        if not isinstance(metric, Pooled):
            return None
        if metric.pool == "text":
            return self._mean_without(metric, self._text_values(metric, selected.rows), selected.labels)
        if metric.pool == "group" and isinstance(metric, CountDiversity) and self.units.are_groups:
            index = self.pool.index(metric.counted())
            values = metric.formula(index.each(selected.labels, len(self.units), selected.rows))
            return self._mean_without(metric, values, np.arange(len(self.units)))
        return None

    def _text_values(self, metric: Metric, rows: Integers) -> Reals | None:
        """Return the value of each text of a mean over texts."""
        statistic = metric.needed[0]
        index = self.pool.index(statistic) if isinstance(statistic, Mergeable) else None
        return index.values[rows] if isinstance(index, ValueIndex) else None

    def _mean_without(self, metric: Pooled, values: Reals | None, labels: Integers) -> Reals | None:
        """Return the mean over texts (or groups) without those of each unit."""
        if values is None:
            return None
        defined = ~np.isnan(values)
        if metric.short == "zero":
            values, defined = np.where(defined, values, 0.0), np.ones(len(values), np.bool_)
        sums = np.bincount(labels[defined], values[defined], len(self.units))
        counts = np.bincount(labels[defined], minlength=len(self.units))
        with np.errstate(invalid="ignore"):
            return np.asarray((sums.sum() - sums) / (counts.sum() - counts), np.float64)

    def _leave_blocks(self, metric: Metric, keys: Hashes | None) -> Reals:
        """Return the value without each block of units."""
        labels = self.blocks(keys)
        blocks = int(labels.max()) + 1
        values = np.empty((len(self.selections), blocks))
        for place, selected in enumerate(self.selections):
            of_texts = labels[selected.labels]
            counted = metric.without_blocks(selected.selection, of_texts, blocks)
            if counted is None:
                kept = (selected.rows[of_texts != block] for block in range(blocks))
                counted = np.array([self._value(metric, rows) for rows in kept])
            values[place] = counted
        return np.asarray(values.mean(axis=0), np.float64)

    def blocks(self, keys: Hashes | None) -> Integers:
        """Return the block of each unit, among the groups of several corpora if their `keys` are given."""
        if keys is None:
            return block_labels(self.units.keys, BLOCKS)
        places = {key: place for place, key in enumerate(keys.tolist())}
        return block_labels(keys, BLOCKS)[[places[key] for key in self.units.keys.tolist()]]

    def _value(self, metric: Metric, rows: Integers) -> float:
        return metric.score_from(self._ordered(metric, self.pool.select(rows))).value

    def _units_to_draw(self, metric: Sizable) -> Units:
        """Return the units of a metric at a size; one text per group is drawn as its group is."""
        single = len(self.selections) == 1
        return self.units.as_texts() if metric.unit == "text" and single else self.units

    def _by_draws(self, metric: Sizable) -> tuple[Score, Reals, int]:
        """Return the mean over draws of some units, the values of the draws, and the units per draw."""
        plain = metric.plain
        whole = [self._ordered(plain, selected.selection) for selected in self.selections]
        template = plain.score_from(whole[0])
        units = self._units_to_draw(metric)
        total = len(whole[0]) if metric.sized == "texts" else self._ngrams(metric)
        expected = metric.size * len(units) / total if total else math.nan
        # Not the parts of all texts, from which the mean over draws cannot be computed.
        parts: dict[str, int | float] = {"texts": len(whole[0])}
        parts |= {} if metric.sized == "texts" else {"total": total}
        if why := why_not_drawn(metric, total, expected):
            return metric.scored(math.nan, parts, undefined=why), np.zeros(0), 0
        parts[f"drawn_{metric.unit or 'text'}s"] = expected
        drawn = min(round(expected), len(units))
        if drawn == len(units):
            values = np.array([self.score(plain).value])
        else:
            values = self._values_of_draws(metric, units, drawn)
        why = template.undefined or UNDEFINED_DRAW
        value = float(values.mean())
        undefined = why if math.isnan(value) else None
        return metric.scored(value, parts, template.notes, undefined=undefined), values, drawn

    def _values_of_draws(self, metric: Sizable, units: Units, drawn: int) -> Reals:
        """Return the value of each draw of units."""
        stream = np.random.default_rng([metric.seed, SOME_UNITS])
        values = np.empty(metric.draws)
        for place in range(metric.draws):
            chosen = stream.permutation(len(units))[:drawn]
            if len(self.selections) == 1:
                rows = units.in_order(units.subset(chosen))
            else:
                selected = self.selections[place % len(self.selections)]
                rows = selected.rows[np.isin(selected.labels, chosen)]
            values[place] = self._value(metric.plain, rows)
        return values

    def _drawn_estimate(self, metric: Sizable, keys: Hashes | None) -> Estimate:
        """Return a mean over draws with its standard error, and the influences on the value of all texts."""
        score, values, drawn = self._by_draws(metric)
        if math.isnan(score.value):
            return Estimate(score)
        units = len(self._units_to_draw(metric))
        plain = self._at_constant_size(metric, self.estimate(metric.plain, keys))
        if len(values) < 2:
            return replace(plain, score=score)
        variance = float(values.var(ddof=1))
        noise = math.sqrt(variance / len(values))
        if drawn > LARGEST_SHARE * units:
            return replace(plain, score=score, error=math.hypot(plain.error, noise), noise=noise)
        spread = self.correct(math.sqrt(variance * drawn / (units - drawn)), len(self.units))
        return replace(
            plain,
            score=score,
            error=math.hypot(spread, noise),
            degrees=len(values) - 1,
            by_draws=True,
            noise=noise,
            interval_error=None,
            remark=None,
        )

    def _at_constant_size(self, metric: Sizable, plain: Estimate) -> Estimate:
        """Return the estimate of all texts with influences at a constant number of n-grams.

        Without a unit the corpus is smaller, and the value changes for that reason too. Two values at one
        size do not differ in that, so the mean growth per n-gram is subtracted. The interval stays that of
        the value of all texts.
        """
        if not isinstance(metric, CountDiversity) or plain.by_block or not len(plain.influences):
            return plain
        tables = [selected.table(metric.counted(), len(self.units)) for selected in self.selections]
        sizes = np.mean([table.ngrams for table in tables], axis=0)
        influences = plain.influences + deviations(plain.growth * sizes / sizes.mean())
        error = self.correct(float(np.sqrt((influences**2).sum())), len(self.units))
        interval_error = plain.error if plain.interval_error is None else plain.interval_error
        return replace(plain, influences=influences, error=error, interval_error=interval_error)

    def _ngrams(self, metric: Metric) -> int:
        """Return the number of n-grams of the texts; of the smallest draw if there are several."""
        return ngrams_in(self.pool, metric, [selected.rows for selected in self.selections])

    def size(self, metric: Metric) -> int:
        """Return the size that a value depends on: the number of n-grams or of texts."""
        if metric.sized == "texts":
            return min(len(selected.rows) for selected in self.selections)
        return self._ngrams(metric)


def _alike(metric: Metric, estimate: Estimate, units: int) -> Estimate:
    """Return an estimate without spread, with the interval that the rule of three gives.

    Of n units that are all alike, up to 3/n may differ in another sample (with 95 % confidence).
    """
    span = metric.bounds[1] - metric.bounds[0]
    if not math.isfinite(span):
        return replace(estimate, remark=NO_SPREAD)
    half = 3 / units * span
    return replace(estimate, interval_error=half / quantile(estimate.degrees), remark=ALIKE)


def left_out_spread(metric: Metric) -> LeftOutSpread | None:
    """Return the statistic of the spread of a value without each text; None if there is none.

    It needs no texts in memory, and is there for formulas that read only the sizes of a corpus.
    """
    if not isinstance(metric, CountDiversity) or metric.pool != "corpus" or metric.reads != "sizes":
        return None
    if isinstance(metric, Sizable) and metric.at is not None:
        return None
    from distinctly.statistics.left_out import LeftOutSpread

    counts = metric.counted()
    return LeftOutSpread(counts, metric) if isinstance(counts, NgramCounts) else None


def spread_interval(
    metric: Metric, score: Score, spread: Spread, correct: Callable[[float, int], float]
) -> Score:
    """Return a score of a corpus without groups with its interval, from the spread of its value."""
    if math.isnan(score.value):
        return score
    if spread.texts < LEAST_UNITS:
        return Estimate(score, remark=FEW_UNITS).with_interval(metric.bounds)
    if math.isnan(spread.error):
        return Estimate(score, remark=NO_VALUE).with_interval(metric.bounds)
    estimate = Estimate(score, correct(spread.error, spread.texts))
    alike = estimate.error <= ROUNDING
    return (_alike(metric, estimate, spread.texts) if alike else estimate).with_interval(metric.bounds)


def score_rows(metric: Metric, pool: Pool, rows: Integers) -> Score:
    """Return the score of some texts of a pool, also for a metric that is a mean over draws of them."""
    if not isinstance(metric, Sizable) or not metric.drawn:
        return metric.score_from(pool.select(rows))
    units = Units.of(pool, rows, identifying_view(metric))
    drawn = units if metric.unit == "group" else units.as_texts()
    return Estimator.of_all(pool, drawn, lambda error, _: error).score(metric)


def ngrams_in(pool: Pool, metric: Metric, selections: Sequence[Integers]) -> int:
    """Return the number of n-grams in the smallest selection of texts, of the n that a metric counts."""
    lengths: Integers = pool.view(metric.view).lengths
    ngrams = np.maximum(lengths - ((metric.ngram_size or 1) - 1), 0)
    return min(int(ngrams[rows].sum()) for rows in selections)


def _selected(pool: Pool, units: Units, rows: Integers) -> Selected:
    return Selected(pool.select(rows), units.labels[rows])


def _mean(scores: Sequence[Score], *, mean_parts: bool) -> Score:
    """Return the first score with the mean of all values.

    Its parts are the means of all parts if these are values in their own right; otherwise those that all
    scores have in common, since a mean of values cannot be computed from the parts of one of them.
    """
    first = scores[0]
    if len(scores) == 1:
        return first
    parts: dict[str, int | float] = {}
    for name, part in first.parts.items():
        others = [score.parts.get(name, math.nan) for score in scores]
        if all(other == part for other in others):
            parts[name] = part
        elif mean_parts:
            parts[name] = float(np.mean(others))
    value = float(np.mean([score.value for score in scores]))
    return replace(first, parts=parts).with_value(value, UNDEFINED_DRAW)
