"""`distinctly keyness`: which words and phrases does a corpus use more often than another?"""

from __future__ import annotations

from typing import Any, get_args

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings, with_default
from distinctly.cli.options import (
    by_option,
    check_plot_file,
    format_options,
    given,
    open_named,
    output_of,
    plot_option,
    progress_bar,
    reading_of,
    reading_options,
    term_options,
)
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.report.pages.keyness import page_of_keyness
from distinctly.run.keyness import SHOWN, Sort
from distinctly.run.resampling import Resampling
from distinctly.terms import keyness

EPILOG = """\b
Examples:
  distinctly keyness human.txt model.txt
  distinctly keyness human.txt model.txt --phrases
  distinctly keyness human.txt model.txt --n 1-3 --min-count 5 --min-range 3 -o keyness.xlsx
  distinctly keyness a.jsonl b.jsonl --field response --permutations 1000 --lines 3
  distinctly keyness essays.csv::Text --by Rating --reference rest
  distinctly keyness a.txt b.txt --tokenizer jieba --stopwords stopwords.txt -o keyness.html
  distinctly keyness human.txt model.txt --of tags --tagger hanta --n 3
  distinctly state save human.txt --keyness 1-3 -o human.state
  distinctly keyness human.state model.txt --n 1-3 --plot keyness.png
"""


@grouped_command("keyness", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="REFERENCE [CANDIDATE]...")
@option(
    "--n",
    group="What",
    metavar="N",
    help="Number of tokens per term: 2, 1-3 or 1,3.  [default: 1; 2-5 with --phrases]",
)
@term_options
@option(
    "--phrases",
    group="What",
    is_flag=True,
    help="List overused phrases by log-odds and range, without those that are parts of longer ones.",
)
@option(
    "--reference",
    "against",
    group="What",
    metavar="NAME",
    help="Name of the corpus that is the reference, or its value of --by; rest: each corpus is compared with "
    "all others together.  [default: the first]",
)
@option(
    "--min-count",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help=with_default("Smallest count of a term in both corpora together.", 1),
)
@option(
    "--min-range",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help="Smallest number of texts (or groups) with the term in both corpora together.  "
    "[default: 1; 2 with --phrases]",
)
@option(
    "--stopwords",
    group="What",
    metavar="FILE",
    help="File with one word per line: terms of these words alone are left out. Totals stay as they are.",
)
@option(
    "--prior",
    group="What",
    type=float,
    metavar="N",
    help="Number of occurrences that the prior of the log-odds is worth.  [default: as many as there are]",
)
@reading_options(without=("id", "prompt", "quality", "partition"))
@by_option
@settings(Resampling, "permutations", "seed", changed={"permutations": {"default": "0"}})
@option(
    "--sort",
    group="Output",
    type=click.Choice(get_args(Sort)),
    help=with_default("What orders the terms.", "g2"),
)
@option(
    "--show",
    "shown",
    group="Output",
    type=click.IntRange(min=1),
    metavar="K",
    help=with_default("Number of terms of each direction in tables.", SHOWN),
)
@option(
    "--most",
    group="Output",
    type=click.IntRange(min=1),
    metavar="K",
    help="Number of terms of each direction and length in csv, json and xlsx.  [default: all; 10,000 of more "
    "than 200,000]",
)
@option(
    "--lines",
    group="Output",
    type=click.IntRange(min=0),
    metavar="K",
    help="Number of lines with each shown term in its context.  [default: 0; 2 with --phrases]",
)
@plot_option
@format_options
@settings(RunConfig)
def command(files: tuple[str, ...], by: str | None, plot_file: str | None, **options: Any) -> None:
    """Show which terms each CANDIDATE uses more often than the REFERENCE, and the reverse.

    Per term: counts, rates per million, tests of G² and χ² that are corrected for all terms, sizes of the
    effect, and how many texts have it. Files are as for `distinctly measure`, and states that were saved with
    --keyness. With --by, one file is enough: its texts are split by a field.
    """
    if len(files) < 2 and by is None:
        raise SpecError("Expected a reference and a candidate, or one file and --by FIELD to split it.")
    reading = reading_of(options, by)
    output = output_of(options)
    check_plot_file(plot_file)
    reference, *candidates = open_named(files, reading, systems=files[1:])
    with progress_bar() as progress:
        result = keyness(reference, candidates or None, by=by, progress=progress, **given(options))
    if plot_file is not None:
        result.plot(plot_file)
    output.write(page_of_keyness(result))
