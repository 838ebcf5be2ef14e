"""Tables for the terminal, with the legend, notes and signatures below them."""

from __future__ import annotations

import io
import re
import shutil
import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING

from distinctly.report.cells import clipped
from distinctly.report.page import Heading, Item, Listing, Notes, Page, Paragraph, Signatures, Table

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table as RichTable

# More signatures than this do not fit a screen.
MOST_SIGNATURES = 12
# Characters per line if the output is not a terminal.
WIDE = 200
# Spaces between two columns, and at the two edges of a table.
GAP, EDGES = 3, 2
# Names are not folded to less than this width.
NARROWEST_NAME = 16


def render(page: Page) -> str:
    """Draw the page at the width of the terminal."""
    terminal = sys.stdout.isatty()
    width = shutil.get_terminal_size((100, 24)).columns if terminal else WIDE
    return draw(page, width, terminal=terminal)


def draw(page: Page, width: int, *, terminal: bool = False) -> str:
    """Draw the page at a width; only in a terminal are sentences wrapped and colours used."""
    from rich.console import Console
    from rich.text import Text

    output = io.StringIO()
    console = Console(
        file=output, force_terminal=terminal, width=width, highlight=False, emoji=False, markup=False
    )
    for block in page.blocks:
        if isinstance(block, Heading):
            console.print(Text(block.text, style="bold") + Text(f"  {block.detail}", style="default"))
        elif isinstance(block, Paragraph):
            indent = "  " * (block.role == "difference")
            console.print(Text(indent + block.text), soft_wrap=not terminal)
        elif isinstance(block, Table):
            _print_table(console, block, width)
        elif isinstance(block, Listing):
            console.print(Text(block.title, style="bold"))
            for line in _lines(block, width):
                console.print(Text(line), soft_wrap=True)
        elif isinstance(block, Notes):
            for line in _notes(block):
                console.print(Text(f"Note: {line}", style="yellow"), soft_wrap=not terminal)
        elif isinstance(block, Signatures):
            for line in _signatures(block):
                console.print(Text(line, style="dim"), soft_wrap=True)
    lines = output.getvalue().splitlines()
    # Terminals may have a background, so they need the spaces at the ends of lines.
    return "\n".join(line if terminal else line.rstrip() for line in lines) + "\n"


def _notes(notes: Notes) -> list[str]:
    lines = [item.text for item in notes.items]
    if notes.most is None or len(lines) <= notes.most:
        return lines
    more = f"… and {len(lines) - notes.most + 1} more notes: see --format json."
    return [*lines[: notes.most - 1], more]


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


def _print_table(console: Console, table: Table, width: int) -> None:
    from rich.text import Text

    if table.title:
        meaning = f": {table.meaning}" if table.meaning else ""
        console.print(Text(f"\n{table.title}{meaning}", style="bold"))
    for part in split(table, width):
        console.print(_drawn(part, width))


def split(table: Table, width: int) -> list[Table]:
    """Return the parts of a table that fit the width, each with the names of the rows.

    Names are folded before columns are split off; in a split table they take up to a third of the width.
    """
    names = _leading_names(table)
    widths = _widths(table)
    if _room_for_names(table, width) >= min(sum(widths[:names]), NARROWEST_NAME):
        return [table]
    room = width - min(sum(widths[:names]) + GAP * names, width // 3) - EDGES
    parts: list[list[int]] = []
    for place in range(names, len(widths)):
        if not parts or not _fits([*parts[-1], place], widths, room):
            parts.append([])
        parts[-1].append(place)
    # The same number of columns in each part, if possible.
    each = -(-(len(widths) - names) // len(parts))
    even = [list(range(start, len(widths)))[:each] for start in range(names, len(widths), each)]
    if all(_fits(part, widths, room) for part in even):
        parts = even
    return [_chosen(table, [*range(names), *part]) for part in parts]


def _fits(places: list[int], widths: list[int], room: int) -> bool:
    return sum(widths[place] for place in places) + GAP * (len(places) - 1) <= room


def _room_for_names(table: Table, width: int) -> int:
    """Return the width left for the names if all other columns are as narrow as possible."""
    names = _leading_names(table)
    return width - EDGES - GAP * (len(table.columns) - 1) - sum(_widths(table)[names:])


def _leading_names(table: Table) -> int:
    kinds = [column.kind for column in table.columns]
    return next((place for place, kind in enumerate(kinds) if kind != "name"), len(kinds))


def _widths(table: Table) -> list[int]:
    """Return the width of each column at which no number, and no word of a title, is broken."""
    widths = []
    for place, column in enumerate(table.columns):
        words = [] if column.breakable else column.title.split()
        # Long remarks may be wrapped.
        cells = [] if column.muted else [row[place].marked for row in table.rows]
        widths.append(max(map(len, [*words, *cells]), default=0))
    return widths


def _chosen(table: Table, places: list[int]) -> Table:
    columns = [table.columns[place] for place in places]
    return Table(columns, [[row[place] for place in places] for row in table.rows])


def _drawn(table: Table, width: int) -> RichTable:
    from rich.box import SIMPLE_HEAD
    from rich.table import Table as RichTable
    from rich.text import Text

    names, widths = _leading_names(table), _widths(table)
    room = max(_room_for_names(table, width), NARROWEST_NAME)
    drawn = RichTable(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    # Titles are wrapped before names are.
    natural = [max(needed, len(column.title)) for needed, column in zip(widths, table.columns)]
    tight = sum(natural) + GAP * (len(natural) - 1) + EDGES > width
    for place, column in enumerate(table.columns):
        fixed = tight and place >= names and not column.breakable and not column.muted
        drawn.add_column(
            Text(column.title),
            justify="right" if column.kind == "number" else "left",
            overflow="fold",
            style="dim" if column.muted else None,
            width=widths[place] if fixed else None,
        )
    for row in table.rows:
        texts = [folded(cell.text, room) if place < names else cell.marked for place, cell in enumerate(row)]
        drawn.add_row(
            *(Text(text, style="bold green" if cell.best else "") for text, cell in zip(texts, row))
        )
    return drawn


def folded(name: str, room: int) -> str:
    r"""Return a name with line breaks after its colon and commas, if it is too long for its column.

    Examples
    --------
    >>> folded("mattr:window=10,pool=corpus", 20)
    'mattr:window=10,\n pool=corpus'
    """
    if len(name) <= room:
        return name
    lines = [""]
    for part in re.split(r"(?<=[:,])", name):
        if lines[-1].strip() and len(lines[-1]) + len(part) > room:
            lines.append(" ")
        lines[-1] += part
    return "\n".join(lines)
