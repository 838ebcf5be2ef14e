"""A LaTeX table for papers, with the signatures as comments."""

from __future__ import annotations

from distinctly.report.grid import grid, notes
from distinctly.score import Scores

_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}


def render(scores: Scores) -> str:
    """Write a `tabular` with the rules of `booktabs`."""
    header, rows = grid(scores)
    columns = "".join("l" if place == 0 or title == "made of" else "r" for place, title in enumerate(header))
    lines = [
        f"\\begin{{tabular}}{{{columns}}}",
        r"\toprule",
        _row(header),
        r"\midrule",
        *map(_row, rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]
    lines += [f"% {note}" for note in notes(scores)]
    lines += [f"% {score.signature}" for score in scores]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return " & ".join("".join(_ESCAPES.get(c, c) for c in cell) for cell in cells) + r" \\"
