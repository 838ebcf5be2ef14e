"""`distinctly judge length`: does a score depend on how long the texts are?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.judge.options import (
    check_shown,
    embedders_option,
    run_options,
    run_trial,
    text_options,
)
from distinctly.cli.options import metric_option, open_named, reading_of
from distinctly.judging.length.bins import BINS
from distinctly.judging.length.sets import DESIGNATED_LENGTHS, TEXTS
from distinctly.judging.length.trial import DEFAULT_METRICS, SETS, length_bias
from distinctly.judging.lines import LEAST_POINTS

EPILOG = """\b
Examples:
  distinctly judge length replies.txt
  distinctly judge length replies.txt --tokenizer whitespace -m ead -m entropy:n=1
  distinctly judge length replies.txt --designated --save length.json --plots figures/
  distinctly judge length --designated --lengths 10:100:10 -m mymodule:score
  distinctly judge length a.txt replies.txt --texts 100 --lengths 5:30
  distinctly judge length essays.jsonl --bins 8
"""


@grouped_command("length", epilog=EPILOG)
@click.argument("files", nargs=-1, metavar="[CORPUS]...")
@metric_option((*DEFAULT_METRICS, "rarefied:n=1 at the size of the shortest texts"))
@text_options
@embedders_option
@option(
    "--designated",
    group="What",
    is_flag=True,
    help="Also, or only, measure texts of independent tokens, nearly uniform over 30,522: a score that "
    "changes with their length is biased.",
)
@option(
    "--lengths",
    group="What",
    metavar="FROM:TO[:STEP]",
    help="Lengths in tokens; if too few texts have exactly these, those between two are cut to the shorter.  "
    "[default: all that have enough texts; for --designated "
    f"{DESIGNATED_LENGTHS[0]}:{DESIGNATED_LENGTHS[-1]}:{DESIGNATED_LENGTHS[1] - DESIGNATED_LENGTHS[0]}]",
)
@option(
    "--bins",
    group="What",
    type=click.IntRange(min=LEAST_POINTS),
    metavar="N",
    help="Put texts into N bins by length, and cut them to the shortest length of their bin.  [default: only "
    f"if too few texts are equally long, as in essays, and then up to {BINS}]",
)
@option(
    "--texts",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Number of texts per set.  [default: {TEXTS:,}; fewer if less than five lengths have that number]",
)
@option(
    "--sets",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Number of sets per length.  [default: {SETS}]",
)
@run_options
def command(files: tuple[str, ...], metrics: tuple[str, ...], **options: Any) -> None:
    """Score sets of texts of equal length, drawn from CORPUS, and test whether the score depends on length.

    Where few texts are equally long, texts of similar length are cut to the same length.

    The slope is that of a line through the mean score per length. A score is level if it changes by less than
    5 % of its mean over all lengths, with 95 % confidence.
    """
    check_shown(options)
    corpora = open_named(files, reading_of(options))
    run_trial(length_bias, corpora or None, metrics or None, **options)
