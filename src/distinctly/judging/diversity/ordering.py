"""How well the values of a metric follow known levels: the measures of known-diversity corpora."""

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
    """Return the known judgements: of two corpora of different levels, the lower has the lower value.

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
    """The values of a metric for corpora of known levels, per repetition.

    Attributes
    ----------
    metric, embedder, part
        As in a `Finding`.
    levels
        The level number of each corpus: 0, 1, 2 …
    values
        A larger value is more diverse: the sign of a metric that falls with diversity is reversed.
    notes
        Reasons why values are missing.
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
        """Return the values of a measure, one per repetition."""
        if measure == "accuracy":
            return [each.plain for each in self.accuracies]
        if measure == "weighted_accuracy":
            return [each.weighted for each in self.accuracies]
        formula = {"monotonicity": monotonicity, "separability": separability, "linearity": linearity}[
            measure
        ]
        return [formula(levels, values) for levels, values in zip(self.levels, self.values)]

    @cached_property
    def accuracies(self) -> list[Accuracy]:
        """The share of pairs of corpora in the right order, per repetition."""
        return [accuracy(values, ordered_pairs(levels)) for levels, values in zip(self.levels, self.values)]

    def parts(self, measure: Measure) -> dict[str, float]:
        """Return further values of a measure: of accuracies, the value if ties are wrong."""
        if measure not in ("accuracy", "weighted_accuracy"):
            return {}
        plain = measure == "accuracy"
        return {
            "strict": mean_of([each.strict if plain else each.strict_weighted for each in self.accuracies]),
            "ties": mean_of([each.ties for each in self.accuracies]),
            "pairs": ordered_pairs(self.levels[0]).count,
        }

    def why_undefined(self, measure: Measure) -> tuple[str, ...]:
        """Return a note if a measure is undefined in some or all repetitions."""
        missing = [math.isnan(value) for value in self.measured(measure)]
        if any(missing) and self.notes:
            return self.notes[:1]
        if not all(missing):
            return ()
        if all((values == values[0]).all() for values in self.values):
            return (f"Undefined: all corpora have the same value, {abs(self.values[0][0]):g}.",)
        return ("Undefined: there is only one corpus per level. Choose --corpora 2 or more.",)
