"""How well the values of a metric follow levels that are known: the measures of known-diversity corpora."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

import numpy as np

from distinctly.judging.measures import (
    Accuracy,
    Judgements,
    Reals,
    accuracy,
    linearity,
    monotonicity,
    separability,
)
from distinctly.judging.records import Key, mean_of
from distinctly.ragged import Integers

Measure = Literal["accuracy", "weighted_accuracy", "monotonicity", "separability", "linearity"]
MEASURES: tuple[Measure, ...] = (
    *("accuracy", "weighted_accuracy", "monotonicity", "separability", "linearity"),
)


def ordered_pairs(levels: Integers) -> Judgements:
    """Return what can be said beforehand: of two corpora of different levels, the lower has the lower value.

    Examples
    --------
    >>> pairs = ordered_pairs(np.array([0, 0, 1, 2]))
    >>> list(zip(pairs.inner.tolist(), pairs.outer.tolist(), pairs.harder.tolist()))
    [(0, 2, 1), (0, 3, 2), (1, 2, 1), (1, 3, 2), (2, 3, 1)]
    """
    lower, higher = np.nonzero(levels[:, None] < levels[None, :])
    return Judgements(lower, higher, levels[higher] - levels[lower], np.ones(len(lower), np.int64))


@dataclass(frozen=True)
class Ordering:
    """The values that a metric gave to corpora of known levels, by repetition.

    Attributes
    ----------
    metric, embedder, part
        As in a `Finding`.
    levels
        The number of each corpus's level: 0, 1, 2 …
    values
        Larger is more diverse: a metric that falls with diversity has its sign changed.
    notes
        Why values are missing.
    """

    metric: str
    embedder: str
    part: str
    levels: tuple[Integers, ...]
    values: tuple[Reals, ...]
    notes: tuple[str, ...] = ()

    @property
    def key(self) -> Key:
        """The metric, its embedder and its part."""
        return self.metric, self.embedder, self.part

    def measured(self, measure: Measure) -> list[float]:
        """Return a measure in each repetition."""
        if measure == "accuracy":
            return [one.plain for one in self.accuracies]
        if measure == "weighted_accuracy":
            return [one.weighted for one in self.accuracies]
        formula = {"monotonicity": monotonicity, "separability": separability, "linearity": linearity}[
            measure
        ]
        return [formula(levels, values) for levels, values in zip(self.levels, self.values)]

    @cached_property
    def accuracies(self) -> list[Accuracy]:
        """How many pairs of corpora are in order, in each repetition."""
        return [accuracy(values, ordered_pairs(levels)) for levels, values in zip(self.levels, self.values)]

    def parts(self, measure: Measure) -> dict[str, float]:
        """Return what else there is to know of a measure: of shares, what they are where a tie is wrong."""
        if measure not in ("accuracy", "weighted_accuracy"):
            return {}
        plain = measure == "accuracy"
        return {
            "strict": mean_of([one.strict if plain else one.strict_weighted for one in self.accuracies]),
            "ties": mean_of([one.ties for one in self.accuracies]),
            "pairs": ordered_pairs(self.levels[0]).count,
        }

    def why_undefined(self, measure: Measure) -> tuple[str, ...]:
        """Say why a measure has no value, in all repetitions or in some."""
        missing = [math.isnan(value) for value in self.measured(measure)]
        if any(missing) and self.notes:
            return self.notes[:1]
        if not all(missing):
            return ()
        if all((values == values[0]).all() for values in self.values):
            return (f"Undefined: every corpus has the same value, {abs(self.values[0][0]):g}.",)
        return ("Undefined: a level has one corpus only. Choose --corpora 2 or more.",)
