"""Tables for the terminal, with the legend, notes and signatures below them."""

from __future__ import annotations

import io
import os
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from distinctly.report.cells import clipped, printable
from distinctly.report.contexts import in_context, length
from distinctly.report.page import (
    Block,
    Cell,
    Column,
    Concordance,
    Heading,
    HeatMap,
    Item,
    Listing,
    Notes,
    Page,
    Paragraph,
    Signatures,
    Table,
)

if TYPE_CHECKING:
    from rich.text import Text

# A long table is shown with its first rows.
SHORTENS = True
# More signatures than this do not fit a screen.
MOST_SIGNATURES = 12
# Characters per line if neither a terminal nor COLUMNS states it.
WIDTH = 100
# Spaces between two columns, if there is room and if there is little; and before a table.
GAP, NARROW_GAP, EDGE = 3, 2, 1
# Names are not folded or shortened, and remarks not wrapped, to less than this width.
NARROWEST_NAME, NARROWEST_REMARK = 16, 24


def render(page: Page, *, whole: bool = False) -> str:
    """Draw the page at the width of the variable COLUMNS, or else of the terminal.

    A page with all rows of its tables is for a file, and has no colours.
    """
    terminal = sys.stdout.isatty() and not whole
    columns = os.environ.get("COLUMNS", "")
    stated = int(columns) if columns.isdecimal() else 0
    measured = shutil.get_terminal_size((WIDTH, 24)).columns if terminal else WIDTH
    return draw(page, stated or measured, terminal=terminal, whole=whole)


def draw(page: Page, width: int, *, terminal: bool = False, whole: bool = False) -> str:
    """Draw the page at a width; only in a terminal are sentences wrapped and colours used.

    A sentence in a file is one line, so that it can be searched for. A long table is shown with its first
    rows, unless the whole of it is requested.
    """
    from rich.console import Console

    output = io.StringIO()
    console = Console(
        file=output, force_terminal=terminal, width=width, highlight=False, emoji=False, markup=False
    )

    after_table = False
    for block in (each.narrow_table if isinstance(each, HeatMap) else each for each in page.blocks):
        # A table ends with an empty line.
        apart = isinstance(block, Table) or (isinstance(block, Heading) and block.of_tables)
        if apart and not after_table:
            console.print()
        after_table = isinstance(block, Table)
        drawn = (
            _table_lines(_printable_table(block), width, whole=whole)
            if isinstance(block, Table)
            else _text_lines(block, width, wrapped=terminal)
        )
        for line in drawn:
            console.print(line, soft_wrap=True)
    lines = output.getvalue().splitlines()
    return "\n".join(line.rstrip() for line in lines) + "\n"


def _text_lines(block: Block, width: int, *, wrapped: bool) -> Iterator[Text]:
    """Yield the lines of a block that is no table; none of a block that a terminal does not show."""
    from rich.text import Text

    if isinstance(block, Heading):
        yield Text.assemble((printable(block.text), "bold"), f"  {printable(block.detail)}")
    elif isinstance(block, Paragraph):
        indent = "  " * (block.role == "difference")
        yield from (Text(indent + line) for line in _sentence(block.plain, width - len(indent), wrapped))
    elif isinstance(block, Listing):
        yield Text(printable(block.title), style="bold")
        yield from (Text(printable(line)) for line in _lines(block, width))
    elif isinstance(block, Concordance):
        yield Text(printable(block.title), style="bold")
        yield from in_context(block, width)
    elif isinstance(block, Notes):
        for note in block.lines:
            yield from (Text(line, style="yellow") for line in _sentence(f"Note: {note}", width, wrapped))
    elif isinstance(block, Signatures):
        yield from (Text(printable(line), style="dim") for line in _signatures(block))


def _sentence(text: str, width: int, wrapped: bool) -> list[str]:
    """Return the lines of a sentence; long words, such as names of files, are not broken."""
    shown = printable(text)
    return textwrap.wrap(shown, width, break_long_words=False, break_on_hyphens=False) if wrapped else [shown]


def _printable_table(table: Table) -> Table:
    """Return a table whose titles and cells contain nothing that a terminal obeys."""
    return replace(
        table,
        columns=[replace(column, title=printable(column.title)) for column in table.columns],
        rows=[
            [cell if cell.text.isprintable() else replace(cell, text=printable(cell.text)) for cell in row]
            for row in table.rows
        ],
        title=printable(table.title),
        meaning=printable(table.meaning),
    )


def _signatures(signatures: Signatures) -> Iterator[str]:
    yield "Signatures (cite one with every number you report):"
    count = len(signatures.lines)
    shown = signatures.lines[: count if count <= MOST_SIGNATURES else 1]
    yield from (f"  {line}" for line in shown)
    if len(shown) < count:
        yield f"  … and {count - 1} more, one per number: see --format json or csv."


def _lines(listing: Listing, width: int) -> Iterator[str]:
    """Yield the lines of a listing, with aligned numbers and the texts shortened to the width."""
    if not listing.items:
        yield f"  {listing.nothing}"
    label_width = max((len(item.label) for item in listing.items), default=0)
    for item in listing.items:
        label = f"{item.label:>{label_width}} " if label_width else ""
        remark = f"  {item.remark}" if item.remark else ""
        line = f"  {label}{_shortened(item, width - len(label) - len(remark) - 2)}{remark}"
        yield line + (clipped(f"   … {item.example}", width - len(line)) if item.example else "")


def _shortened(item: Item, room: int) -> str:
    """Return the texts of an item side by side, each with the same share of the room."""
    each = (room - 3 * (len(item.texts) - 1)) // max(len(item.texts), 1)
    short = [text for text in item.texts if len(text) <= each]
    if len(short) < len(item.texts):
        # Long texts get the room that short ones do not need.
        unused = sum(each - len(text) for text in short)
        each += unused // (len(item.texts) - len(short))
    return " | ".join(clipped(text, each) for text in item.texts)


def _table_lines(table: Table, width: int, *, whole: bool) -> Iterator[Text]:
    from rich.text import Text

    if table.title:
        meaning = f": {table.meaning}" if table.meaning else ""
        yield Text(f"{table.title}{meaning}", style="bold")
        yield Text()
    shown = table if whole or table.most is None else replace(table, rows=table.rows[: table.most])
    for part in split(shown, width):
        yield from _drawn(part, width)
        yield Text()
    if more := len(table.rows) - len(shown.rows):
        yield Text(f"… {more:,} more row{'s' * (more != 1)}: write all of them to a file with -o FILE.")
        yield Text()


@dataclass(frozen=True)
class Widths:
    """The widths of the columns of a table, and the number of spaces between them."""

    columns: Sequence[int]
    gap: int

    @property
    def total(self) -> int:
        """The width of the table."""
        return sum(self.columns) + self.gap * (len(self.columns) - 1) + EDGE


def _fitted(table: Table, width: int) -> Widths:
    """Return the widths of the columns: titles are wrapped first, then gaps and then names get narrower."""
    names = _leading_names(table)
    narrow = _narrowest(table)
    cells = [_widest_cell(table, place) for place in range(len(table.columns))]
    natural = [max(cell, length(column.title)) for cell, column in zip(cells, table.columns)]
    wrapped = [*natural[:names], *narrow[names:]]
    for columns, gap in ((natural, GAP), (wrapped, GAP), (wrapped, NARROW_GAP)):
        widths = Widths(columns, gap)
        if widths.total <= width:
            return Widths(_with_room(table, columns, cells, width - widths.total), gap)
    shrunk = list(wrapped)
    for _ in range(Widths(shrunk, NARROW_GAP).total - width):
        widest = max(range(names), key=lambda place: shrunk[place], default=0)
        if not names or shrunk[widest] <= narrow[widest]:
            break
        shrunk[widest] -= 1
    return Widths(shrunk, NARROW_GAP)


def _with_room(table: Table, columns: Sequence[int], cells: Sequence[int], room: int) -> list[int]:
    """Return the widths with the room that is left given to remarks, and then to the titles of most lines."""
    widths = list(columns)
    for place, column in enumerate(table.columns):
        if column.muted:
            more = max(min(cells[place] - widths[place], room), 0)
            widths[place], room = widths[place] + more, room - more
    titles = [column.title for column in table.columns]
    while titles:
        heights = [len(_wrapped(title, width)) for title, width in zip(titles, widths)]
        tallest = heights.index(max(heights))
        wider = range(widths[tallest], widths[tallest] + room + 1)
        fewer = (width for width in wider if len(_wrapped(titles[tallest], width)) < heights[tallest])
        width = next(fewer, None) if heights[tallest] > 1 else None
        if width is None:
            break
        room -= width - widths[tallest]
        widths[tallest] = width
    return widths


def _narrowest(table: Table) -> list[int]:
    """Return the width of each column at which no number, and no word of a title, is broken."""
    widths = []
    for place, column in enumerate(table.columns):
        title = max(map(length, _wrapped(column.title, 1)), default=0)
        cells = _widest_cell(table, place)
        if column.kind == "name":
            cells = min(cells, NARROWEST_NAME)
        elif column.muted:
            cells = min(cells, NARROWEST_REMARK)
        widths.append(max(title, cells))
    return widths


def _widest_cell(table: Table, place: int) -> int:
    cells = [row[place] for row in table.rows]
    widest = max((length(_name(cell)) for cell in cells), default=0)
    return widest + _mark_width(cells)


def _mark_width(cells: Sequence[Cell]) -> int:
    return max((len(cell.marks) for cell in cells), default=0)


def _name(cell: Cell) -> str:
    return "  " * cell.indented + cell.text


def _wrapped(title: str, width: int) -> list[str]:
    """Return a title in lines of whole words; a word of one character stays with the next one."""
    lines: list[str] = []
    for word in re.findall(r"(?:\S +)*?\S{2,}|\S+", title):
        if lines and length(f"{lines[-1]} {word}") <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return lines


def split(table: Table, width: int) -> list[Table]:
    """Return the parts of a table that fit the width, each with the names of the rows.

    Names are folded before columns are split off; in a split table they take up to a third of the width.
    """
    names = _leading_names(table)
    if _fitted(table, width).total <= width or names == len(table.columns):
        return [table]
    narrow = _narrowest(table)
    named = sum(_widest_cell(table, place) + NARROW_GAP for place in range(names))
    least = sum(narrow[:names]) + NARROW_GAP * names
    room = width - EDGE - max(min(named, width // 3), least)
    parts: list[list[int]] = []
    for place in range(names, len(narrow)):
        if not parts or not _fits([*parts[-1], place], narrow, room):
            parts.append([])
        parts[-1].append(place)
    # The same number of columns in each part, if possible.
    each = -(-(len(narrow) - names) // len(parts))
    even = [list(range(start, len(narrow)))[:each] for start in range(names, len(narrow), each)]
    if all(_fits(part, narrow, room) for part in even):
        parts = even
    return [_chosen(table, [*range(names), *part]) for part in parts]


def _fits(places: list[int], widths: list[int], room: int) -> bool:
    return sum(widths[place] for place in places) + NARROW_GAP * (len(places) - 1) <= room


def _leading_names(table: Table) -> int:
    kinds = [column.kind for column in table.columns]
    return next((place for place, kind in enumerate(kinds) if kind != "name"), len(kinds))


def _chosen(table: Table, places: list[int]) -> Table:
    columns = [table.columns[place] for place in places]
    rows = [[row[place] for place in places] for row in table.rows]
    return Table(columns, rows, sections=table.sections)


def _drawn(table: Table, width: int) -> Iterator[Text]:
    """Yield the lines of a table: titles, a rule, and the rows."""
    from rich.text import Text

    widths = _fitted(table, width)
    names = _leading_names(table)
    columns = list(zip(*table.rows)) if table.rows else [()] * len(table.columns)
    marks = [_mark_width(column) for column in columns]
    gap = " " * widths.gap

    def line(parts: Sequence[str], styles: Sequence[str]) -> Text:
        text = Text(" ")
        for place, (part, style) in enumerate(zip(parts, styles)):
            text.append((gap if place else "") + part, style=style or None)
        return text

    titles = [_wrapped(column.title, room) for column, room in zip(table.columns, widths.columns)]
    height = max(map(len, titles), default=1)
    for number in range(height):
        words = [title[number - height] if number >= height - len(title) else "" for title in titles]
        aligned = [
            _aligned(word, column, room, mark)
            for word, column, room, mark in zip(words, table.columns, widths.columns, marks)
        ]
        yield line(aligned, ["bold"] * len(aligned))
    yield Text(" " + "─" * (widths.total - EDGE))
    short: list[Mapping[str, str]] = [
        _short_names(column, room) for column, room in zip(columns[:names], widths.columns)
    ]
    for place, row in enumerate(table.rows):
        cells = []
        for at, (cell, column, room) in enumerate(zip(row, table.columns, widths.columns)):
            if cell.corpus and at < names:
                cells.append(["  " * cell.indented + short[at][cell.text]])
            elif column.kind == "name":
                cells.append(folded(_name(cell), room).split("\n"))
            elif column.muted:
                cells.append(textwrap.wrap(cell.text, room, break_on_hyphens=False) or [""])
            else:
                cells.append([cell.text])
        styles = [
            "bold green"
            if cell.best
            else "dim"
            if column.muted
            else "bold"
            if place in table.sections
            else ""
            for cell, column in zip(row, table.columns)
        ]
        for number in range(max(map(len, cells))):
            parts = [
                _aligned(lines[number] if number < len(lines) else "", column, room, mark, cell)
                for lines, cell, column, room, mark in zip(cells, row, table.columns, widths.columns, marks)
            ]
            yield line(parts, styles)


def _aligned(text: str, column: Column, width: int, marks: int, cell: Cell | None = None) -> str:
    """Return a text at the width of its column; marks are beside the numbers, which are under each other."""
    after = cell.marks.ljust(marks) if cell is not None else " " * marks
    if column.kind == "number" and (cell is not None or length(text) + marks <= width):
        return " " * (width - marks - length(text)) + text + after
    spaces = " " * (width - length(text))
    return spaces + text if column.kind == "number" else text + spaces


def _short_names(cells: Sequence[Cell], room: int) -> Mapping[str, str]:
    """Return the names of corpora in a column, shortened to its width."""
    indent = 2 * any(cell.corpus and cell.indented for cell in cells)
    names = list(dict.fromkeys(cell.text for cell in cells if cell.corpus))
    return dict(zip(names, shortened(names, room - indent)))


def shortened(names: Sequence[str], room: int) -> list[str]:
    """Return names that are at most `room` wide, and as different from each other as they were.

    A common ending is left out first; then the middle of long names; then what they begin with in common.

    Examples
    --------
    >>> shortened(["gpt-4-turbo.jsonl", "vicuna-7b.jsonl"], 12)
    ['gpt-4-turbo', 'vicuna-7b']
    >>> shortened(["outputs-of-model-a-at-0.7", "outputs-of-model-b-at-0.7"], 14)
    ['outp…-a-at-0.7', 'outp…-b-at-0.7']
    """
    if all(length(name) <= room for name in names):
        return list(names)
    common = names[0][len(names[0]) - _shared([name[::-1] for name in names]) :]
    ending = re.search(r"(\.[A-Za-z]\w*)+$", common)
    bare = [name.removesuffix(ending[0]) for name in names] if ending else []
    if len(names) > 1 and bare and all(bare):
        return shortened(bare, room)
    start = _shared(names) if len(names) > 1 else 0
    ways = [
        *([_cut(name, head, room) for name in names] for head in (room // 2, room // 3, 2 * room // 3)),
        ["…" + _cut(name[max(start - 4, 0) :], room - 1, room - 1) for name in names],
        ["…" + _cut(name[start:], room - 1, room - 1) for name in names],
    ]
    numbered = [_cut(f"{place}: {name}", room // 2, room) for place, name in enumerate(names, 1)]
    return next((way for way in ways if len(set(way)) == len(set(names))), numbered)


def _shared(names: Sequence[str]) -> int:
    """Return the number of characters that all names begin with."""
    return next(
        (place for place, letters in enumerate(zip(*names)) if len(set(letters)) > 1), min(map(len, names))
    )


def _cut(name: str, head: int, room: int) -> str:
    """Return a name without as much of its middle, after `head` characters, as is too much."""
    left, right = name[:head], name[head:]
    if length(name) <= room:
        return name
    while right and length(left) + 1 + length(right) > room:
        right = right[1:]
    while left and length(left) + 1 + length(right) > room:
        left = left[:-1]
    return f"{left}…{right}"


def folded(name: str, room: int) -> str:
    r"""Return a name with line breaks after its colon, commas and spaces, if it is too long for its column.

    Examples
    --------
    >>> folded("mattr:window=10,pool=corpus", 20)
    'mattr:window=10,\n pool=corpus'
    >>> folded("my sister laughs after lunch", 16)
    'my sister laughs\n after lunch'
    """
    if length(name) <= room:
        return name
    lines = [""]
    for part in re.split(r"(?<=[:, ])", name):
        if lines[-1].strip() and len(lines[-1]) + len(part.rstrip()) > room:
            lines.append(" ")
        # What has no place to break, such as a path, is broken anywhere.
        rest = part
        while len(lines[-1]) + len(rest.rstrip()) > room >= NARROWEST_NAME:
            fits = room - len(lines[-1])
            lines[-1] += rest[:fits]
            rest = rest[fits:]
            lines.append(" ")
        lines[-1] += rest
    return "\n".join(line.rstrip() for line in lines if line.strip())
