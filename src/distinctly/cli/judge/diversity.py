"""`distinctly judge diversity`: do metrics order corpora by their diversity?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.judge.options import Shared, embedders_option, listed, run_options, words
from distinctly.cli.options import metric_option, text_options
from distinctly.judging.diversity.constructing import CONSTRUCTIONS
from distinctly.judging.diversity.ordering import MEASURES
from distinctly.judging.diversity.trial import known_diversity

EPILOG = """\b
Examples:
  distinctly judge diversity intents.jsonl --label intent
  distinctly judge diversity outputs.txt --n 50 --save trial.json --plots figures/
  distinctly judge diversity samples.jsonl --construction temperature --label temperature
  distinctly judge diversity intents.jsonl --label intent -m vendi -m self_bleu -m mymodule:score
  distinctly judge diversity intents.jsonl --label intent -m vendi --embedder wordllama --embedder sbert:NAME
"""


@click.command("diversity", epilog=EPILOG)
@click.argument("corpus", metavar="CORPUS")
@metric_option(["all metrics of one corpus", "n-grams for n = 1 and 2", "means over texts with pool=corpus"])
@click.option("--label", metavar="NAME", help="Field with the class of each text, or with its number.")
@click.option(
    "--construction",
    type=click.Choice(CONSTRUCTIONS),
    help="What increases from level to level: the number of classes in a corpus, the share of texts that are "
    "not repeated, or the number given by --label.  [default: classes with --label, else repeats]",
)
@click.option("--n", type=int, default=100, metavar="TEXTS", help="Texts per corpus.  [default: 100]")
@click.option("--k", type=int, default=7, metavar="LEVELS", help="Levels of diversity.  [default: 7]")
@click.option("--corpora", type=int, default=5, metavar="N", help="Corpora per level.  [default: 5]")
@click.option(
    "--repetitions",
    type=int,
    default=5,
    metavar="N",
    help="Number of times that all corpora are drawn.  [default: 5]",
)
@click.option(
    "--match-length/--no-match-length",
    default=True,
    help="Choose texts so that all corpora have similar lengths.  [default: match]",
)
@click.option(
    "--measures",
    metavar="NAMES",
    help=f"Measures to show, separated by commas; the first ranks metrics.  [default: {','.join(MEASURES)}]",
)
@embedders_option
@text_options
@run_options
def command(
    corpus: str,
    metrics: tuple[str, ...],
    label: str | None,
    construction: Any,
    n: int,
    k: int,
    corpora: int,
    repetitions: int,
    match_length: bool,
    measures: str | None,
    **shared: Any,
) -> None:
    """Rank metrics by how well they order corpora whose diversity is known by construction.

    Corpora of equal size and matched lengths are drawn from CORPUS. From level to level they contain more
    classes, fewer repeats, or texts with a higher number, such as a decoding temperature.
    """
    of = Shared.of(shared)
    of.run(
        known_diversity,
        corpus,
        listed(metrics),
        label=label,
        construction=construction,
        n=n,
        k=k,
        corpora=corpora,
        repetitions=repetitions,
        match_length=match_length,
        measures=words(measures) or MEASURES,
        **of.reading,
    )
