"""A table for the terminal, with the notes and signatures below it."""

from __future__ import annotations

import io
import shutil
import sys
from typing import TYPE_CHECKING

from distinctly.report.cells import BEST, Grid, printable
from distinctly.report.grid import differences, explained, frequent, grids, legend, notes
from distinctly.score import Scores

if TYPE_CHECKING:
    from rich.console import Console
    from rich.table import Table

# More than this are no use in a terminal.
MOST_SIGNATURES, MOST_NOTES = 12, 12
SCOPES = {
    "within": "each group by itself, the mean over groups",
    "across": "one text a group, the mean over draws",
    "pooled": "all texts together",
}


def render(scores: Scores) -> str:
    """Draw the table as wide as the terminal; nothing is cut where the output is no terminal."""
    from rich.text import Text

    terminal, width, console, written = paper()
    for corpus in scores.corpora:
        console.print(
            Text(printable(corpus["name"]), style="bold")
            + Text(
                f"  {corpus['texts']:,} texts, {corpus['tokens']:,} tokens ({corpus['tokenizer']})",
                style="default",
            )
        )
    for one in grids(scores, width):
        if one.title:
            meaning = f": {SCOPES[one.title]}" if one.title in SCOPES else ""
            console.print(Text(f"\n{one.title}{meaning}", style="bold"))
        console.print(drawn(one))
    for line in [*legend(scores), *(f"  {one}" for one in differences(scores))]:
        console.print(Text(line), soft_wrap=not terminal)
    for title, ngrams in frequent(scores):
        console.print(Text(title, style="bold"))
        for text, count in ngrams:
            console.print(Text(f"  {count:>9,}  {text}"), soft_wrap=True)
    for title, lines in explained(scores, width):
        console.print(Text(title, style="bold"))
        for line in lines:
            console.print(Text(f"  {line}"), soft_wrap=True)
    told = notes(scores)
    if len(told) > MOST_NOTES:
        more = f"… and {len(told) - MOST_NOTES + 1} more notes: --format json has them all."
        told = [*told[: MOST_NOTES - 1], more]
    for note in told:
        console.print(Text(f"Note: {note}", style="yellow"), soft_wrap=not terminal)
    shown = list(scores)[: len(scores) if len(scores) <= MOST_SIGNATURES else 1]
    console.print(Text("Signatures (give one with every number you report):", style="dim"))
    for score in shown:
        console.print(Text(f"  {score.signature}", style="dim"), soft_wrap=True)
    if len(shown) < len(scores):
        rest = f"  … and {len(scores) - 1} more, one a number: --format json or csv."
        console.print(Text(rest, style="dim"), soft_wrap=True)
    return finished(written, terminal)


def paper() -> tuple[bool, int, Console, io.StringIO]:
    """Return what to draw on: whether it is a terminal, how wide it is, the console, and what it fills."""
    from rich.console import Console

    terminal = sys.stdout.isatty()
    written = io.StringIO()
    width = shutil.get_terminal_size((100, 24)).columns if terminal else 200
    console = Console(
        file=written, force_terminal=terminal, width=width, highlight=False, emoji=False, markup=False
    )
    return terminal, width, console, written


def finished(written: io.StringIO, terminal: bool) -> str:
    """Return what was drawn, without the blanks at the ends of lines where nobody sees them."""
    lines = written.getvalue().splitlines()
    return "\n".join(line if terminal else line.rstrip() for line in lines) + "\n"


def drawn(grid: Grid) -> Table:
    """Draw one grid."""
    from rich.box import SIMPLE_HEAD
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for place, title in enumerate(grid.header):
        words = place == 0 or title == "made of"
        table.add_column(
            Text(title),
            justify="left" if words else "right",
            overflow="fold",
            style="dim" if title == "made of" else None,
        )
    for row in grid.rows:
        table.add_row(*(Text(cell, style="bold green" if cell.endswith(BEST) else "") for cell in row))
    return table
