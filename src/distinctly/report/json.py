"""Everything, in full precision; NaN is null, with its note."""

from __future__ import annotations

import json

from distinctly.score import Scores


def render(scores: Scores) -> str:
    """Write `{"corpora": […], "scores": […]}`."""
    return json.dumps(scores.to_dict(), indent=2, ensure_ascii=False, allow_nan=False) + "\n"
