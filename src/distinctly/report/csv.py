"""One row a score, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io

from distinctly.score import Scores

COLUMNS = ("corpus", "reference", "scope", "spec", "metric", "value", "low", "high", "signature", "notes")


def render(scores: Scores) -> str:
    """Write a header and a row a score; parts have columns of their own at the end."""
    parts = list(dict.fromkeys(name for score in scores for name in score.parts))
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow([*COLUMNS, *parts])
    for score in scores:
        plain = {**score.to_dict(), "spec": score.spec, "notes": " ".join(score.notes)}
        rows.writerow([*(plain[column] for column in COLUMNS), *(plain["parts"].get(name) for name in parts)])
    return written.getvalue()
