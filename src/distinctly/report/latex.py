"""A LaTeX table for papers, with the signatures as comments."""

from __future__ import annotations

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
        words = ("l" if place == 0 or title == "made of" else "r" for place, title in enumerate(one.header))
        lines += [f"% {one.title}"] if one.title else []
        lines += [
            f"\\begin{{tabular}}{{{''.join(words)}}}",
            r"\toprule",
            _row(one.header),
            r"\midrule",
            *map(_row, one.rows),
            r"\bottomrule",
            r"\end{tabular}",
        ]
    lines += [f"% {line}" for line in [*legend(scores), *differences(scores), *notes(scores)]]
    lines += [f"% {score.signature}" for score in scores]
    return "\n".join(lines) + "\n"


def _row(cells: list[str]) -> str:
    return " & ".join("".join(_ESCAPES.get(c, c) for c in cell) for cell in cells) + r" \\"
