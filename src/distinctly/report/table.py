"""A table for the terminal, with the notes and signatures below it."""

from __future__ import annotations

import io
import shutil
import sys

from distinctly.report.grid import frequent, grid, notes, printable
from distinctly.score import Scores


def render(scores: Scores) -> str:
    """Draw the table as wide as the terminal; nothing is cut where the output is no terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    terminal = sys.stdout.isatty()
    drawn = io.StringIO()
    width = shutil.get_terminal_size((100, 24)).columns if terminal else 200
    console = Console(
        file=drawn, force_terminal=terminal, width=width, highlight=False, emoji=False, markup=False
    )

    for corpus in scores.corpora:
        console.print(
            Text(printable(corpus["name"]), style="bold")
            + Text(
                f"  {corpus['texts']:,} texts, {corpus['tokens']:,} tokens ({corpus['tokenizer']})",
                style="default",
            )
        )
    header, rows = grid(scores)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for place, title in enumerate(header):
        words = place == 0 or title == "made of"
        table.add_column(
            Text(title),
            justify="left" if words else "right",
            overflow="fold",
            style="dim" if title == "made of" else None,
        )
    for row in rows:
        table.add_row(*(Text(cell) for cell in row))
    console.print(table)
    for title, ngrams in frequent(scores):
        console.print(Text(title, style="bold"))
        for text, count in ngrams:
            console.print(Text(f"  {count:>9,}  {text}"), soft_wrap=True)
    for note in notes(scores):
        console.print(Text(f"Note: {note}", style="yellow"), soft_wrap=not terminal)
    console.print(Text("Signatures (give one with every number you report):", style="dim"))
    for score in scores:
        console.print(Text(f"  {score.signature}", style="dim"), soft_wrap=True)
    lines = drawn.getvalue().splitlines()
    return "\n".join(line if terminal else line.rstrip() for line in lines) + "\n"
