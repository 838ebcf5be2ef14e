"""One row per score, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
import math

from distinctly.score import Score, Scores


def render(scores: Scores) -> str:
    """Write a header and one row per score; parts have columns of their own at the end."""
    records = scores.to_records()
    columns = list(records[0]) if records else list(Score(0.0).to_record())
    output = io.StringIO()
    rows = csv.writer(output, lineterminator="\n")
    rows.writerow(columns)
    rows.writerows([_plain(value) for value in record.values()] for record in records)
    return output.getvalue()


def _plain(value: object) -> object:
    return None if isinstance(value, float) and not math.isfinite(value) else value
