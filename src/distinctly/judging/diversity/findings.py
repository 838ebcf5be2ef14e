"""How well metrics put corpora of known diversity in order: from records to findings."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.judging.diversity.ordering import MEASURES, Measure, Ordering
from distinctly.judging.records import Key, Record, mean_of, number
from distinctly.judging.trial import Finding, Trial

# Levels whose mean lengths differ by more than this part are told.
SAME_LENGTH = 0.02


@dataclass(frozen=True, kw_only=True)
class DiversityTrial(Trial):
    """How well metrics tell corpora of more diversity from those of less.

    Attributes
    ----------
    measures
        Which ones are found; the records have what it takes for all.
    """

    kind: ClassVar[str] = "diversity"

    measures: tuple[Measure, ...] = MEASURES

    def find(self) -> list[Finding]:
        """Compute the measures of each metric over the repetitions.

        ``accuracy``
            A: the share of pairs of corpora of different levels of which the higher has at least the value
            of the lower; part `strict` where a tie is wrong, `ties` the share of these. Chance is 0.5.
        ``weighted_accuracy``
            Aw: the same, where a pair counts 1 / (difference of the numbers of their levels).
        ``monotonicity``
            ρ: Spearman's correlation of level and value.
        ``separability``
            W: ω² of a one-way analysis of variance by level.
        ``linearity``
            L: R² of a line through the number of the level (0, 1, 2 …) and the value. Classes grow by a
            factor from level to level, so that for them it is a line through the logarithm of their number.

        The first measure also has how far a metric is behind the best one (`behind`), with an interval of
        that difference over the repetitions (`behind_low`, `behind_high`).
        """
        best = self.ranked[0].measured(self.measures[0]) if self.ranked else []
        return [self._finding(one, measure, best) for one in self.orderings for measure in self.measures]

    def _finding(self, one: Ordering, measure: Measure, best: Sequence[float]) -> Finding:
        values, parts = one.measured(measure), one.parts(measure)
        if measure == self.measures[0]:
            behind = Finding.over([x - y for x, y in zip(best, values)], metric=one.metric, measure=measure)
            parts["behind"] = behind.mean
            if behind.low is not None and behind.high is not None:
                parts |= {"behind_low": behind.low, "behind_high": behind.high}
        told = {"metric": one.metric, "embedder": one.embedder, "part": one.part, "measure": measure}
        return Finding.over(values, **told, parts=parts, notes=one.why_undefined(measure))

    @cached_property
    def orderings(self) -> list[Ordering]:
        """The values by metric, in the order in which they were asked for."""
        return [_ordering(key, records) for key, records in self.by_subject.items()]

    @cached_property
    def ranked(self) -> list[Ordering]:
        """The same, the best first: by the first measure, then by ρ; those without a value last."""

        def rank(one: Ordering) -> tuple[float, ...]:
            means = [mean_of(one.measured(measure)) for measure in (self.measures[0], "monotonicity")]
            return tuple(math.inf if math.isnan(mean) else -mean for mean in means)

        return sorted(self.orderings, key=rank)

    @property
    def repetitions(self) -> int:
        """How many there were."""
        return len({record["repetition"] for record in self.records})

    @cached_property
    def length_difference(self) -> float:
        """By which part of their mean the mean lengths of the levels' texts differ at most."""
        return self._difference("length")

    @cached_property
    def spread_difference(self) -> float:
        """By which part of their mean the standard deviations of these lengths differ at most."""
        return self._difference("spread")

    def _difference(self, column: str) -> float:
        corpora: dict[tuple[float, ...], float] = {}
        for record in self.records:
            corpus = tuple(number(record, key) for key in ("level", "repetition", "draw"))
            corpora[corpus] = number(record, column)
        by_level: dict[float, list[float]] = {}
        for (level, *_), value in corpora.items():
            by_level.setdefault(level, []).append(value)
        means = [mean_of(values) for values in by_level.values()]
        return (max(means) - min(means)) / mean_of(means) if any(means) else 0.0

    @property
    def notes(self) -> tuple[str, ...]:
        """What there is to say of the trial as a whole."""
        told = list(self.settings.get("notes", ()))
        shared = [number(record, "shared") for record in self.records]
        if any(shared):
            told.append(
                f"There are too few texts for corpora that share none: {mean_of(shared):.0%} of a corpus is "
                "in another one of its repetition, too. Choose smaller or fewer ones (--n, --corpora)."
            )
        if self.length_difference > SAME_LENGTH:
            fewer, match = "smaller or fewer corpora (--n, --corpora)", "--match-length"
            told.append(
                f"The mean lengths of levels differ by {self.length_difference:.1%}: a metric may see it. "
                f"Choose {fewer if self.settings['match_length'] else match}."
            )
        return tuple(told)


def _ordering(key: Key, records: Sequence[Record]) -> Ordering:
    by: dict[float, list[Record]] = {}
    for one in records:
        by.setdefault(number(one, "repetition"), []).append(one)
    return Ordering(
        *key,
        tuple(np.array([int(number(one, "level")) for one in own]) for own in by.values()),
        tuple(np.array([number(one, "value") * number(one, "sign") for one in own]) for own in by.values()),
        tuple(dict.fromkeys(str(one["note"]) for one in records if one["note"])),
    )
