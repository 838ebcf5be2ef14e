"""A Markdown table, with the notes and signatures below it."""

from __future__ import annotations

import re

from distinctly.report.cells import Grid
from distinctly.report.grid import differences, explained, frequent, grids, legend, notes
from distinctly.score import Scores


def render(scores: Scores) -> str:
    """Write the table."""
    lines: list[str] = []
    for one in grids(scores):
        lines += drawn(one)
    lines += [line for text in legend(scores) for line in (text, "")]
    lines += [f"- {one}" for one in differences(scores)]
    for title, ngrams in frequent(scores):
        lines += [f"{title}:", "", *(f"- {count:,} × {_code(text)}" for text, count in ngrams), ""]
    for title, texts in explained(scores):
        lines += [f"{title}:", "", *(f"- {_code(text.strip())}" for text in texts), ""]
    lines += [f"> {note}" for note in notes(scores)]
    lines += ["", *(f"- `{score.signature}`" for score in scores)]
    return "\n".join(lines) + "\n"


def drawn(grid: Grid) -> list[str]:
    """Return the lines of one grid."""
    rules = ["---" if place == 0 or title == "made of" else "---:" for place, title in enumerate(grid.header)]
    title = [f"**{grid.title}**", ""] if grid.title else []
    return [*title, _row(grid.header), _row(rules), *map(_row, grid.rows), ""]


def _row(cells: list[str]) -> str:
    escaped = (cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _code(text: str) -> str:
    """Return text as a code span, in which nothing has a meaning of its own."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"
