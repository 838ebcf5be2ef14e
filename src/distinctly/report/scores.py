"""Bare numbers in full precision, one a line."""

from __future__ import annotations

from distinctly.score import Scores


def render(scores: Scores) -> str:
    """Write the values alone."""
    return "".join(f"{score.value!r}\n" for score in scores)
