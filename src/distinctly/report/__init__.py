"""Reports: scores as a table, JSON, CSV, Markdown, LaTeX, or bare numbers."""

from __future__ import annotations

import importlib
import sys

from distinctly.score import Scores

REPORTS = ("table", "json", "csv", "markdown", "latex")
WITH_NGRAMS = ("table", "json", "markdown")


def render(scores: Scores, form: str) -> None:
    """Write a report to standard output."""
    write(importlib.import_module(f"distinctly.report.{form}").render(scores))


def write(text: str) -> None:
    """Write to standard output, whatever it holds."""
    # Lone surrogates and a terminal's encoding must not stop the output.
    encoding = sys.stdout.encoding or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))
