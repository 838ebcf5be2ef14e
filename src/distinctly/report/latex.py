"""A LaTeX table for papers, with the signatures as comments."""

from __future__ import annotations

from distinctly.report.cells import Grid
from distinctly.report.grid import differences, grids, legend, notes
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
    "±": r"$\pm$",
    "≈": r"$\approx$",
}


def render(scores: Scores) -> str:
    """Write a `tabular` with the rules of `booktabs`."""
    lines: list[str] = []
    for one in grids(scores):
        lines += drawn(one)
    lines += [f"% {line}" for line in [*legend(scores), *differences(scores), *notes(scores)]]
    lines += [f"% {score.signature}" for score in scores]
    return "\n".join(lines) + "\n"


def drawn(grid: Grid) -> list[str]:
    """Return the lines of one grid."""
    words = ("l" if place == 0 or title == "made of" else "r" for place, title in enumerate(grid.header))
    return [
        *([f"% {grid.title}"] if grid.title else []),
        f"\\begin{{tabular}}{{{''.join(words)}}}",
        r"\toprule",
        _row(grid.header),
        r"\midrule",
        *map(_row, grid.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: list[str]) -> str:
    return " & ".join("".join(_ESCAPES.get(c, c) for c in cell) for cell in cells) + r" \\"
