"""How well metrics order corpora of known diversity: from records to findings."""

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

# A larger relative difference between the mean lengths of levels is reported.
SAME_LENGTH = 0.02


@dataclass(frozen=True, kw_only=True)
class DiversityTrial(Trial):
    """How well metrics order corpora of known diversity.

    Attributes
    ----------
    measures
        The measures to compute. The records are sufficient for all of them.
    """

    kind: ClassVar[str] = "diversity"

    measures: tuple[Measure, ...] = MEASURES

    def find(self) -> list[Finding]:
        """Compute the measures of each metric over the repetitions.

        ``accuracy``
            A: the share of pairs of corpora of different levels in which the higher one has at least the
            value of the lower one. In part `strict` a tie is wrong; `ties` is the share of ties. Chance is
            0.5.
        ``weighted_accuracy``
            Aw: the same, with weight 1 / (difference of level numbers) per pair.
        ``monotonicity``
            ρ: Spearman's correlation of level and value.
        ``separability``
            W: ω² of a one-way analysis of variance by level.
        ``linearity``
            L: R² of a line through level number (0, 1, 2 …) and value. The number of classes increases by
            equal factors, so for classes the line is through its logarithm.

        The first measure also has the difference to the best metric (`behind`), with its interval over the
        repetitions (`behind_low`, `behind_high`).
        """
        best = self.ranked[0].measured(self.measures[0]) if self.ranked else []
        return [
            self._finding(ordering, measure, best) for ordering in self.orderings for measure in self.measures
        ]

    def _finding(self, ordering: Ordering, measure: Measure, best: Sequence[float]) -> Finding:
        values, parts = ordering.measured(measure), ordering.parts(measure)
        if measure == self.measures[0]:
            differences = [top - value for top, value in zip(best, values)]
            behind = Finding.over(differences, metric=ordering.metric, measure=measure)
            parts["behind"] = behind.mean
            if behind.low is not None and behind.high is not None:
                parts |= {"behind_low": behind.low, "behind_high": behind.high}
        return Finding.over(
            values,
            metric=ordering.metric,
            embedder=ordering.embedder,
            part=ordering.part,
            measure=measure,
            parts=parts,
            notes=ordering.why_undefined(measure),
        )

    @cached_property
    def orderings(self) -> list[Ordering]:
        """The values per metric, in the order of the request."""
        return [_ordering(key, records) for key, records in self.by_subject.items()]

    @cached_property
    def ranked(self) -> list[Ordering]:
        """The values per metric, best first: by the first measure, then by ρ; undefined ones last."""

        def rank(ordering: Ordering) -> tuple[float, ...]:
            means = [mean_of(ordering.measured(measure)) for measure in (self.measures[0], "monotonicity")]
            return tuple(math.inf if math.isnan(mean) else -mean for mean in means)

        return sorted(self.orderings, key=rank)

    @property
    def repetitions(self) -> int:
        """Number of repetitions."""
        return len({record["repetition"] for record in self.records})

    @cached_property
    def length_difference(self) -> float:
        """The largest relative difference between the mean text lengths of levels."""
        return self._difference("length")

    @cached_property
    def spread_difference(self) -> float:
        """The largest relative difference between the standard deviations of text lengths of levels."""
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
        """Notes on the trial as a whole."""
        notes = list(self.settings.get("notes", ()))
        shared = [number(record, "shared") for record in self.records]
        if any(shared):
            notes.append(
                f"There are too few texts for disjoint corpora: on average {mean_of(shared):.0%} of a corpus "
                "is also in another one of its repetition. Choose smaller or fewer corpora (--n, --corpora)."
            )
        if self.length_difference > SAME_LENGTH:
            fewer, match = "smaller or fewer corpora (--n, --corpora)", "--match-length"
            notes.append(
                f"The mean lengths of levels differ by {self.length_difference:.1%}, which may affect "
                f"metrics. Choose {fewer if self.settings['match_length'] else match}."
            )
        return tuple(notes)


def _ordering(key: Key, records: Sequence[Record]) -> Ordering:
    by_repetition: dict[float, list[Record]] = {}
    for record in records:
        by_repetition.setdefault(number(record, "repetition"), []).append(record)
    runs = list(by_repetition.values())
    return Ordering(
        *key,
        tuple(np.array([int(number(record, "level")) for record in run]) for run in runs),
        tuple(np.array([number(record, "value") * number(record, "sign") for record in run]) for run in runs),
        tuple(dict.fromkeys(str(record["note"]) for record in records if record["note"])),
    )
