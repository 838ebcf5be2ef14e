"""LaTeX tables for papers; all other text is in comments."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from itertools import groupby, pairwise

from distinctly.report.cells import printable
from distinctly.report.page import MARKS, Cell, HeatMap, Notes, Page, Paragraph, Signatures, Table

LISTINGS = False
# More rows than this do not fit a page; a table is divided between its sections.
MOST_ROWS = 45
_ESCAPES = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "|": r"\textbar{}",
    "…": r"\ldots{}",
    "–": "--",
    "—": "---",
    "“": "``",
    "”": "''",
    "‘": "`",
    "’": "'",
    "\u00a0": "~",
}
_MATH = {
    "±": r"\pm",
    "≈": r"\approx",
    "×": r"\times",
    "·": r"\cdot",
    "−": "-",
    "<": "<",
    ">": ">",
    "≤": r"\le",
    "≥": r"\ge",
    "≠": r"\ne",
    "→": r"\to",
    "∞": r"\infty",
    "°": r"^\circ",
    "²": "^2",
    "³": "^3",
    # Forms of letters that have no capital or another name.
    "ς": r"\varsigma",
    "ϕ": r"\phi",
    "ο": "o",
}
# Greek capitals that look as Latin ones do.
_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧ", "ABEZHIKMNOPTX"))
_NAMES = {"lamda": "lambda"}
# pdflatex prints the letters up to this one.
LAST_LATIN = 0x17F


def render(page: Page) -> str:
    """Write each table as a `tabular` with the rules of `booktabs`; listings are left out."""
    lines: list[str] = []
    for block in page.blocks:
        if isinstance(block, Paragraph):
            lines.append(_comment(f"Bold: {block.text}" if block.of_best else block.text))
        elif isinstance(block, Table):
            lines += _table(block)
        elif isinstance(block, HeatMap):
            lines += _table(block.narrow_table)
        elif isinstance(block, (Notes, Signatures)):
            lines += map(_comment, block.lines)
    return "\n".join(lines) + "\n"


def _comment(text: str) -> str:
    """Return a comment; a line end in it would end it."""
    return f"% {' '.join(text.split())}"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        yield _comment(f"{table.title}: {table.meaning}" if table.meaning else table.title)
    texts = [*(column.title for column in table.columns), *(cell.text for row in table.rows for cell in row)]
    foreign = sorted({letter for text in texts for letter in text if not escaped(letter).isascii()})
    if any(ord(letter) > LAST_LATIN for letter in foreign):
        yield f"% Compile with xelatex or lualatex, and a font that has {' '.join(foreign)}"
    alignment = "".join("r" if column.kind == "number" else "l" for column in table.columns)
    for start, end in _pages(table):
        yield f"\\begin{{tabular}}{{{alignment}}}"
        yield r"\toprule"
        yield " & ".join(escaped(column.title) for column in table.columns) + r" \\"
        yield r"\midrule"
        for place in range(start, end):
            if place in table.sections and place > start:
                yield r"\addlinespace"
            heading = place in table.sections
            yield " & ".join(_shown(cell, heading=heading) for cell in table.rows[place]) + r" \\"
        yield r"\bottomrule"
        yield r"\end{tabular}"


def _pages(table: Table) -> list[tuple[int, int]]:
    """Return the first row and the row after the last of each page."""
    starts = [0]
    sections = [*sorted(table.sections), len(table.rows)]
    for section, following in pairwise(sections):
        if section > starts[-1] and following - starts[-1] > MOST_ROWS:
            starts.append(section)
    return list(zip(starts, [*starts[1:], len(table.rows)]))


def _shown(cell: Cell, *, heading: bool) -> str:
    """Return a cell; the best value is bold, and a mark takes no room, so that numbers are aligned."""
    text = escaped(cell.text)
    if text and cell.best:
        text = rf"\textbf{{{text}}}"
    elif text and heading:
        text = rf"\emph{{{text}}}"
    mark = rf"\rlap{{{escaped(MARKS[cell.mark])}}}" if cell.mark else ""
    return r"\quad " * cell.indented + text + mark


def escaped(text: str) -> str:
    r"""Write a text so that LaTeX prints it: special characters are escaped, symbols are in math mode.

    Examples
    --------
    >>> print(escaped("χ² of a_b ±0.1"))
    $\chi^2$ of a\_b $\pm$0.1
    """
    parts: list[str] = []
    for is_symbol, characters in groupby(printable(text), lambda character: bool(_symbol(character))):
        if is_symbol:
            # A space ends the name of a symbol before another one that begins with a letter.
            formula = " ".join(map(_symbol, characters)).replace(" ^", "^")
            parts.append(f"${formula}$")
        else:
            # Two hyphens are no dash.
            plain = "".join(characters).replace("--", "-\u200b-")
            parts += [_ESCAPES.get(character, character) for character in plain]
    return "".join(parts).replace("\u200b", "{}")


def _symbol(character: str) -> str:
    """Return a symbol or a Greek letter as LaTeX has it in math mode; empty if it is neither."""
    if character in _MATH:
        return _MATH[character]
    if character in _LATIN:
        return rf"\mathrm{{{_LATIN[character]}}}"
    words = unicodedata.name(character, "").split(" ")
    if len(words) == 4 and words[0] == "GREEK" and words[2] == "LETTER" and words[1] in ("SMALL", "CAPITAL"):
        name = _NAMES.get(words[3].lower(), words[3].lower())
        return f"\\{name if words[1] == 'SMALL' else name.capitalize()}"
    return ""
