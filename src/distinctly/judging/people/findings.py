"""How metrics agree with people: from records to correlations and their differences."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from distinctly.judging.correlations import MEASURES
from distinctly.judging.people.agreement import (
    TESTED,
    Judged,
    best_of,
    correlated,
    differences,
    judged_by_subset,
)
from distinctly.judging.trial import Finding, Trial


class PeopleTrial(Trial):
    """How metrics agree with people.

    Records are one a metric and set, with ``set``, ``subset``, ``human``, ``value``, and ``sign``: −1 where
    less is more diverse. Findings are ``pearson``, ``spearman`` and ``kendall`` by subset, with the parts
    ``n``, ``p`` and ``raw``: a correlation is turned so that more is more agreement, and ``raw`` is not.
    ``pearson_difference`` and ``spearman_difference`` say how far a metric is from the best one, or from the
    one that was named, with Williams' and Steiger's tests.
    """

    kind: ClassVar[str] = "people"

    @property
    def subsets(self) -> list[str]:
        """The subsets, in the order of the data."""
        return list(self.settings["subsets"])

    @cached_property
    def judged(self) -> dict[str, list[Judged]]:
        """The metrics on trial, by subset."""
        return judged_by_subset(self.by_subject, self.subsets)

    @cached_property
    def rivals(self) -> dict[tuple[str, str], Judged | None]:
        """What the others are tested against, by subset and measure: the best, unless one was named."""
        named = self.settings.get("against")
        return {
            (subset, measure): best_of(several, measure)
            if named is None
            else next((one for one in several if one.metric == named), None)
            for subset, several in self.judged.items()
            for measure in TESTED
        }

    def find(self) -> list[Finding]:
        """Correlate each metric with people, and test each against its rival."""
        found = []
        for subset, several in self.judged.items():
            for one in several:
                found += [correlated(one, measure, subset) for measure in MEASURES]
            for measure in TESTED:
                rival = self.rivals[subset, measure]
                found += [] if rival is None else differences(several, rival, measure, subset)
        return found
