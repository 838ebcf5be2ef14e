"""Markdown: tables, with the legend, notes and signatures below them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from distinctly.report.cells import clipped
from distinctly.report.page import Listing, Notes, Page, Paragraph, Signatures, Table

# Longer texts of a corpus are shortened.
LONGEST = 1000


def render(page: Page) -> str:
    """Write the blocks in order; the signatures describe the corpora, so headings are left out."""
    lines: list[str] = []
    for block in page.blocks:
        if isinstance(block, Paragraph):
            lines += [f"- {block.text}"] if block.role == "difference" else [block.text, ""]
        elif isinstance(block, Table):
            lines += _table(block)
        elif isinstance(block, Listing):
            lines += _listing(block)
        elif isinstance(block, Notes):
            lines += [f"> {item.text}" for item in block.items]
        elif isinstance(block, Signatures):
            lines += ["", *(f"- `{line}`" for line in block.lines)]
    return "\n".join(lines) + "\n"


def _table(table: Table) -> list[str]:
    rules = ["---:" if column.kind == "number" else "---" for column in table.columns]
    meaning = f": {table.meaning}" if table.meaning else ""
    title = [f"**{table.title}**{meaning}", ""] if table.title else []
    rows = [_row([cell.marked for cell in row]) for row in table.rows]
    return [*title, _row([column.title for column in table.columns]), _row(rules), *rows, ""]


def _row(cells: Sequence[str]) -> str:
    escaped = (cell.replace("\\", "\\\\").replace("|", "\\|") for cell in cells)
    return f"| {' | '.join(escaped)} |"


def _listing(listing: Listing) -> list[str]:
    lines = []
    for item in listing.items:
        texts = " | ".join(_code(clipped(text, LONGEST)) for text in item.texts)
        example = f"… {_code(clipped(item.example, LONGEST))}" if item.example else ""
        lines.append(f"- {' '.join(filter(None, (item.label, texts, item.remark, example)))}")
    return [f"{listing.title}:", "", *(lines or [f"- {listing.nothing}"]), ""]


def _code(text: str) -> str:
    """Return text as a code span, in which no character is special."""
    fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
    space = " " if text.startswith("`") or text.endswith("`") else ""
    return f"{fence}{space}{text}{space}{fence}"
