"""`distinctly judge diversity`: do metrics order corpora by their diversity?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, with_default
from distinctly.cli.judge.options import (
    check_shown,
    embedders_option,
    listed,
    run_options,
    run_trial,
    text_options,
    words,
)
from distinctly.cli.options import metric_option, reading_of
from distinctly.judging.diversity.constructing import CONSTRUCTIONS
from distinctly.judging.diversity.ordering import MEASURES
from distinctly.judging.diversity.trial import known_diversity

EPILOG = """\b
Examples:
  distinctly judge diversity intents.jsonl --label intent
  distinctly judge diversity replies.txt --n 50 --save trial.json --plots figures/
  distinctly judge diversity temperatures.jsonl --construction temperature --label temperature
  distinctly judge diversity intents.jsonl --label intent -m vendi -m self_bleu -m mymodule:score
  distinctly judge diversity intents.jsonl --label intent -m vendi --embedder wordllama --embedder sbert:NAME
"""


@grouped_command("diversity", epilog=EPILOG)
@click.argument("corpus", metavar="CORPUS")
@metric_option(["all of one corpus", "n-grams for n = 1 and 2", "means over texts with pool=corpus"])
@text_options
@embedders_option
@option(
    "--construction",
    group="What",
    type=click.Choice(CONSTRUCTIONS),
    help="Quantity that grows from level to level: the number of classes that a corpus is drawn from, the "
    "share of its texts that are not repeats, or the number that its texts carry.  [default: classes with "
    "--label, otherwise repeats]",
)
@option("--n", group="What", type=int, metavar="TEXTS", help="Number of texts per corpus.  [default: 100]")
@option("--k", group="What", type=int, metavar="LEVELS", help="Number of levels of diversity.  [default: 7]")
@option("--corpora", group="What", type=int, metavar="N", help="Number of corpora per level.  [default: 5]")
@option(
    "--repetitions",
    group="What",
    type=int,
    metavar="N",
    help="Number of times that all corpora are drawn.  [default: 5]",
)
@option(
    "--match-length/--no-match-length",
    group="What",
    default=True,
    help="Choose texts so that all corpora have similar lengths.  [default: match]",
)
@option(
    "--measures",
    group="Output",
    metavar="NAMES",
    help=with_default("Measures to show, separated by commas; the first ranks.", ",".join(MEASURES)),
)
@option(
    "--label", group="Reading", metavar="FIELD", help="Field that holds the class of a text, or its number."
)
@run_options
def command(corpus: str, metrics: tuple[str, ...], measures: str | None, **options: Any) -> None:
    """Rank metrics by how well they order corpora whose diversity is known by construction.

    Corpora are drawn from CORPUS, all of the same number of texts of matched lengths: from ever more of its
    classes, or with ever fewer repeats, or of texts with ever higher numbers, such as a decoding temperature.
    """
    check_shown(options)
    reading = reading_of(options)
    run_trial(known_diversity, corpus, listed(metrics), measures=words(measures), **reading, **options)
