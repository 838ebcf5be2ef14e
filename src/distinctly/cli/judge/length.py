"""`distinctly judge length`: does a score depend on how long the texts are?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.judge.options import Shared, embedders_option, run_options
from distinctly.cli.options import metric_option, open_named, text_options
from distinctly.judging.length.sets import DESIGNATED_LENGTHS, TEXTS
from distinctly.judging.length.trial import DEFAULT_METRICS, SETS, length_bias

EPILOG = """\b
Examples:
  distinctly judge length replies.txt
  distinctly judge length replies.jsonl --field response --tokenizer whitespace -m ead -m entropy:n=1
  distinctly judge length replies.txt --designated --save length.json --plots figures/
  distinctly judge length --designated --lengths 10:100:10 -m mymodule:score
  distinctly judge length a.txt b.txt c.txt --texts 500 --lengths 5:30
"""


@click.command("length", epilog=EPILOG)
@click.argument("files", nargs=-1, metavar="[CORPUS]...")
@metric_option(DEFAULT_METRICS)
@click.option(
    "--designated",
    is_flag=True,
    help="Measure texts of independent tokens, nearly uniform over 30,522, besides or instead of CORPUS. "
    "A score that changes with their length is biased.",
)
@click.option(
    "--lengths",
    metavar="FROM:TO[:STEP]",
    help="Lengths in tokens.  [default: all that have enough texts; for --designated "
    f"{DESIGNATED_LENGTHS[0]}:{DESIGNATED_LENGTHS[-1]}:{DESIGNATED_LENGTHS[1] - DESIGNATED_LENGTHS[0]}]",
)
@click.option(
    "--texts",
    type=click.IntRange(min=1),
    metavar="N",
    help=f"Texts per set.  [default: {TEXTS:,}; fewer if less than five lengths have that number]",
)
@click.option(
    "--sets",
    type=click.IntRange(min=1),
    default=SETS,
    metavar="N",
    help=f"Sets per length.  [default: {SETS}]",
)
@text_options
@embedders_option
@run_options
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    designated: bool,
    lengths: str | None,
    texts: int | None,
    sets: int,
    **shared: Any,
) -> None:
    """Score sets of texts of equal length, drawn from CORPUS: does the score depend on the length?

    A line through the mean score per length gives the slope. A score is called level if its 95 % interval of
    change over all lengths is within 5 % of its mean.
    """
    of = Shared.of(shared)
    of.run(
        length_bias,
        open_named(files, of.reading) or None,
        metrics or DEFAULT_METRICS,
        designated=designated,
        lengths=lengths,
        texts=texts,
        sets=sets,
    )
