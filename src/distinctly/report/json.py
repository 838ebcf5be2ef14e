"""Everything, in full precision; NaN is null, with its note."""

from __future__ import annotations

import json
import sys

from distinctly.score import Scores


def render(scores: Scores) -> str:
    """Write `{"corpora": […], "scores": […]}`."""
    return json.dumps(scores.to_dict(), indent=2, ensure_ascii=not _unicode(), allow_nan=False) + "\n"


def _unicode() -> bool:
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"
