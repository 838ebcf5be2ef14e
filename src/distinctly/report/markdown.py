"""Markdown: tables, with the legend, notes and signatures below them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import groupby

from distinctly.report.cells import clipped
from distinctly.report.page import (
    MARKS,
    Block,
    Cell,
    Code,
    Column,
    Concordance,
    HeatMap,
    Listing,
    Notes,
    Page,
    Paragraph,
    Section,
    Signatures,
    Table,
    TextMap,
)

# Longer texts of a corpus are shortened.
LONGEST = 1000
# Characters that begin emphasis, code or links; those that begin tags and entities; and those that begin a
# heading, a list or a quotation at the beginning of a paragraph.
_MARKUP = re.compile(r"[\\`*|\[\]~]|(?<!\w)_|_(?!\w)")
_HTML = re.compile(r"<(?=[A-Za-z/!?])|&(?=#?\w+;)")
_BLOCK = re.compile(r"[#>+=-]")


def render(page: Page) -> str:
    """Write the blocks in order; the signatures describe the corpora, so headings are left out."""
    chunks = (chunk for _, blocks in groupby(page.blocks, _is_difference) for chunk in _chunks(list(blocks)))
    return "\n\n".join(chunk for chunk in chunks if chunk) + "\n"


def _is_difference(block: Block) -> bool:
    return isinstance(block, Paragraph) and block.role == "difference"


def _chunks(blocks: Sequence[Block]) -> Iterator[str]:
    """Yield what blank lines separate; differences are one list."""
    if _is_difference(blocks[0]):
        yield "\n".join(f"- {_paragraph(block.text)}" for block in blocks if isinstance(block, Paragraph))
        return
    for block in blocks:
        if isinstance(block, Paragraph):
            text = _paragraph(block.text)
            yield f"**Bold**: {text}" if block.of_best else text
        elif isinstance(block, Table):
            yield from _table(block)
        elif isinstance(block, Listing):
            yield from _listing(block)
        elif isinstance(block, Concordance):
            yield from _table(block.table)
        elif isinstance(block, Notes):
            # An empty line of the quotation makes each note a paragraph.
            yield "\n>\n".join(f"> {_paragraph(line)}" for line in block.lines)
        elif isinstance(block, Signatures):
            yield "\n".join(f"- {_code(line)}" for line in block.lines)
        elif isinstance(block, Section):
            yield f"## {_escaped(block.title)}"
            yield _paragraph(block.meaning)
        elif isinstance(block, Code):
            yield _fenced(block.text)
        elif isinstance(block, HeatMap):
            yield from _table(block.table)
        elif isinstance(block, TextMap):
            yield from _table(_of_regions(block))


def _of_regions(text_map: TextMap) -> Table:
    """Return the regions of a map with the share of the texts of each corpus; the points are a picture."""
    corpora = list(dict.fromkeys(corpus for region in text_map.regions for corpus in region.shares))
    columns = [Column("region", "name"), *map(Column, corpora), Column("remark", "text")]
    rows = [
        [
            Cell(region.name),
            *(Cell(f"{region.shares[corpus]:.1%}", value=region.shares[corpus]) for corpus in corpora),
            Cell(region.remark),
        ]
        for region in text_map.regions
    ]
    return Table(columns, rows, text_map.title, text_map.meaning)


def _fenced(text: str) -> str:
    """Return text as a block of code, between fences that it does not contain."""
    fence = "`" * max(3, max(map(len, re.findall("`+", text)), default=0) + 1)
    return f"{fence}\n{text}\n{fence}"


def _table(table: Table) -> Iterator[str]:
    if table.title:
        meaning = f": {_escaped(table.meaning)}" if table.meaning else ""
        yield f"**{_escaped(table.title)}**{meaning}"
    rules = ["---:" if column.kind == "number" else "---" for column in table.columns]
    titles = [_escaped(column.title) for column in table.columns]
    rows = [
        [_shown(cell, heading=place in table.sections) for cell in row]
        for place, row in enumerate(table.rows)
    ]
    yield "\n".join(f"| {' | '.join(row)} |" for row in (titles, rules, *rows))


def _shown(cell: Cell, *, heading: bool) -> str:
    """Return a cell with its marks; the best value is bold, and the title of a section in italics."""
    text = _escaped(cell.text)
    if text and cell.best:
        text = f"**{text}**"
    elif text and heading:
        text = f"*{text}*"
    return "&emsp;" * cell.indented + text + MARKS[cell.mark]


def _escaped(text: str) -> str:
    """Return text on one line, in which nothing is markup; `<` and `&` are entities, also for plain HTML."""
    line = _HTML.sub(lambda special: _entity(special[0]), " ".join(text.split()))
    return _MARKUP.sub(lambda special: f"\\{special[0]}", line)


def _paragraph(text: str) -> str:
    """Return escaped text that begins neither a heading nor a list."""
    line = _escaped(text)
    return f"\\{line}" if _BLOCK.match(line) else line


def _entity(character: str) -> str:
    return {"<": "&lt;", "&": "&amp;"}.get(character, f"&#{ord(character)};")


def _listing(listing: Listing) -> Iterator[str]:
    lines = []
    for item in listing.items:
        texts = " | ".join(_code(clipped(text, LONGEST)) for text in item.texts)
        example = f"… {_code(clipped(item.example, LONGEST))}" if item.example else ""
        words = (_escaped(item.label), texts, _escaped(item.remark), example)
        lines.append(f"- {' '.join(filter(None, words))}")
    yield f"{_paragraph(listing.title)}:"
    yield "\n".join(lines or [f"- {_escaped(listing.nothing)}"])


def _code(text: str) -> str:
    """Return text as a code span, in which no character is special."""
    if not _HTML.search(text):
        fence = "`" * (max(map(len, re.findall("`+", text)), default=0) + 1)
        space = " " if text.startswith("`") or text.endswith("`") else ""
        return f"{fence}{space}{text}{space}{fence}"
    # Not every renderer keeps tags in a code span from the browser.
    inert = re.sub(r"[!-/:-@\[-`{-~]", lambda mark: _entity(mark[0]), text)
    return f"<code>{inert}</code>"
