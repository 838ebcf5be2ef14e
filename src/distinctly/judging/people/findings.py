"""How metrics agree with people: from records to correlations and their differences."""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from distinctly.judging.correlations import HUMAN, MEASURES
from distinctly.judging.people.agreement import (
    TESTED,
    Judged,
    best_of,
    correlated,
    differences,
    judged_by_subset,
)
from distinctly.judging.people.rated import UNNAMED
from distinctly.judging.trial import Finding, Trial
from distinctly.report.cells import printable


class PeopleTrial(Trial):
    """The agreement of metrics with people.

    There is one record per metric and set, with ``set``, ``subset``, ``human``, ``value``, and ``sign``: −1
    if less is more diverse. Findings are ``pearson``, ``spearman`` and ``kendall`` per subset, with the parts
    ``n``, ``p`` and ``raw``. The sign of a correlation is chosen so that higher is more agreement; ``raw`` is
    the correlation without this change. ``pearson_difference`` and ``spearman_difference`` are differences
    from the best metric, or from `against`, with Williams' and Steiger's tests.
    """

    kind: ClassVar[str] = "people"

    @property
    def subsets(self) -> list[str]:
        """Names of the subsets, in the order of the data."""
        return list(self.settings["subsets"])

    @cached_property
    def judged(self) -> dict[str, list[Judged]]:
        """The values and human scores of all metrics, per subset."""
        return judged_by_subset(self.by_subject, self.subsets, self.called, self.unit)

    @property
    def column(self) -> str:
        """The name of the column with the human scores; empty if it has none, or if annotators gave them."""
        named = self.settings["annotators"] is None and self.settings["human"] != UNNAMED
        return str(self.settings["human"]) if named else ""

    @property
    def called(self) -> str:
        """What sentences call the human scores."""
        return f"values of {printable(self.column)}" if self.column else HUMAN

    @property
    def unit(self) -> str:
        """What has a human score: a set of texts, or a text if all sets have one."""
        return "text" if self.settings["texts"] == [1, 1] else "set"

    @cached_property
    def rivals(self) -> dict[tuple[str, str], Judged | None]:
        """The metric that others are tested against, per subset and measure: by default the best."""
        named = self.settings.get("against")
        return {
            (subset, measure): best_of(several, measure)
            if named is None
            else next((judged for judged in several if judged.metric == named), None)
            for subset, several in self.judged.items()
            for measure in TESTED
        }

    def find(self) -> list[Finding]:
        """Correlate each metric with human scores, and test each against its rival."""
        findings = []
        for subset, several in self.judged.items():
            for judged in several:
                findings += [correlated(judged, measure, subset) for measure in MEASURES]
            for measure in TESTED:
                rival = self.rivals[subset, measure]
                findings += [] if rival is None else differences(several, rival, measure, subset)
        return findings
