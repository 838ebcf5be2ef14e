"""`distinctly collocations`: which words occur near a word more often than elsewhere?"""

from __future__ import annotations

from typing import Any, get_args

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings, with_default
from distinctly.cli.options import (
    format_options,
    given,
    output_of,
    progress_bar,
    reading_of,
    reading_options,
    term_options,
)
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.errors import SpecError
from distinctly.report.pages.collocations import SHOWN, page_of_collocations
from distinctly.run.collocations import Sort
from distinctly.terms import collocations

EPILOG = """\b
Examples:
  distinctly collocations tea texts.txt
  distinctly collocations "strong tea" texts.txt --window 3 --sort log_dice
  distinctly collocations harbour essays.csv::Text --window 0,1 --min-count 5 --lines 10
  distinctly collocations 酒店 texts.txt --tokenizer jieba -o collocates.xlsx
"""


@grouped_command("collocations", epilog=EPILOG)
@click.argument("word", metavar="WORD")
@click.argument("file", metavar="FILE")
@option(
    "--window",
    group="What",
    metavar="N",
    help="Number of tokens before and after the word that are near it: 5, or 0,2 for none before and two "
    "after it.  [default: 5]",
)
@term_options
@option(
    "--min-count",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help=with_default("Smallest number of times that a collocate is near the word.", 1),
)
@option(
    "--min-range",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help=with_default("Smallest number of texts where a collocate is near the word.", 1),
)
@reading_options(without=("group", "id", "prompt", "quality", "partition"))
@option(
    "--sort",
    group="Output",
    type=click.Choice(get_args(Sort)),
    help=with_default("What orders the collocates.", "g2"),
)
@option(
    "--show",
    "shown",
    group="Output",
    type=click.IntRange(min=1),
    metavar="K",
    help=with_default("Number of collocates in tables.", SHOWN),
)
@option(
    "--lines",
    group="Output",
    type=click.IntRange(min=0),
    metavar="K",
    help=with_default("Number of lines with the word in its context.", 0),
)
@format_options
@settings(RunConfig)
def command(word: str, file: str, window: str | None, shown: int | None, **options: Any) -> None:
    """Show which words occur near WORD (one word, or several in sequence) in a FILE.

    Near are the tokens of the same text within a window; these are compared with all other tokens.
    """
    reading = reading_of(options)
    output = output_of(options)
    if window is not None:
        options["window"] = _window(window)
    with progress_bar() as progress:
        result = collocations(word, Corpus.read(file, **reading), progress=progress, **given(options))
    output.write(page_of_collocations(result, shown or SHOWN))


def _window(text: str) -> tuple[int, int]:
    """Return the numbers of tokens before and after the word."""
    before, _, after = text.partition(",")
    if not before.strip().isdecimal() or not (after or before).strip().isdecimal():
        raise SpecError(f"Expected --window to be a number, or two as in 0,2, got '{text}'.")
    return int(before), int(after or before)
