"""Reports: scores as a table, JSON, CSV, Markdown, LaTeX, or bare numbers."""

from __future__ import annotations

import importlib
import sys

from distinctly.score import Scores

REPORTS = ("table", "json", "csv", "markdown", "latex")
WITH_NGRAMS = ("table", "json", "markdown")


def render(scores: Scores, form: str) -> None:
    """Write a report to standard output."""
    text: str = importlib.import_module(f"distinctly.report.{form}").render(scores)
    # Whatever a text may hold, lone surrogates and a terminal's encoding must not stop the output.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
