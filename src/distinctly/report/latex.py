"""LaTeX tables for papers; all other text is in comments."""

from __future__ import annotations

from collections.abc import Sequence

from distinctly.report.page import Notes, Page, Paragraph, Signatures, Table

LISTINGS = False
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
    "×": r"$\times$",
    "<": "$<$",
    ">": "$>$",
}


def render(page: Page) -> str:
    """Write each table as a `tabular` with the rules of `booktabs`; listings are left out."""
    lines: list[str] = []
    for block in page.blocks:
        if isinstance(block, Paragraph):
            lines.append(f"% {block.text}")
        elif isinstance(block, Table):
            lines += _table(block)
        elif isinstance(block, Notes):
            lines += [f"% {item.text}" for item in block.items]
        elif isinstance(block, Signatures):
            lines += [f"% {line}" for line in block.lines]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    alignment = "".join("r" if column.kind == "number" else "l" for column in table.columns)
    meaning = f": {table.meaning}" if table.meaning else ""
    return [
        *([f"% {table.title}{meaning}"] if table.title else []),
        f"\\begin{{tabular}}{{{alignment}}}",
        r"\toprule",
        _row([column.title for column in table.columns]),
        r"\midrule",
        *(_row([cell.marked for cell in row]) for row in table.rows),
        r"\bottomrule",
        r"\end{tabular}",
    ]


def _row(cells: Sequence[str]) -> str:
    return (
        " & ".join("".join(_ESCAPES.get(character, character) for character in cell) for cell in cells)
        + r" \\"
    )
