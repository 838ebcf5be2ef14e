"""Distances of checkpoints from a reference: from records to trends."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from distinctly.judging.progress.curves import Curve, curves_of, findings_of
from distinctly.judging.trial import Finding, Trial


@dataclass(frozen=True, kw_only=True)
class ProgressTrial(Trial):
    """Distances of checkpoints from a reference, and between samples of the reference."""

    kind: ClassVar[str] = "progress"

    @cached_property
    def curves(self) -> list[Curve]:
        """The values by step, one curve per metric."""
        return curves_of(self.by_subject)

    def find(self) -> list[Finding]:
        """Fit a line to the values of each metric, and compare them with the floor."""
        return [finding for curve in self.curves for finding in findings_of(curve)]
