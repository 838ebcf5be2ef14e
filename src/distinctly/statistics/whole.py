"""`Whole`: the view of all texts, for user-defined functions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from distinctly.statistics.base import NeedsRows
from distinctly.views.base import View
from distinctly.views.texts import TextView


@dataclass(frozen=True)
class Whole(NeedsRows[Any]):
    """The data of a view."""

    view: View[Any] = field(default=TextView(), kw_only=True)

    def summarize(self, data: Any) -> Any:
        """Return the data."""
        return data
