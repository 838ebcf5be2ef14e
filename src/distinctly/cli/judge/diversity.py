"""`distinctly judge diversity`: do metrics put corpora in the order of their diversity?"""

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
@metric_option(["all of one corpus", "n-grams for n = 1 and 2", "means over texts with pool=corpus"])
@click.option("--label", metavar="NAME", help="The field with the class of a text, or with its number.")
@click.option(
    "--construction",
    type=click.Choice(CONSTRUCTIONS),
    help="What grows from level to level: the classes that a corpus is drawn from, the share of its texts "
    "that are no repeats, or the number that its texts carry.  [default: classes with --label, else repeats]",
)
@click.option("--n", type=int, default=100, metavar="TEXTS", help="Texts a corpus.  [default: 100]")
@click.option("--k", type=int, default=7, metavar="LEVELS", help="Levels of diversity.  [default: 7]")
@click.option("--corpora", type=int, default=5, metavar="N", help="Corpora a level.  [default: 5]")
@click.option(
    "--repetitions", type=int, default=5, metavar="N", help="How often all are drawn.  [default: 5]"
)
@click.option(
    "--match-length/--no-match-length",
    default=True,
    help="Choose texts so that lengths are alike in all corpora.  [default: match]",
)
@click.option(
    "--measures",
    metavar="NAMES",
    help=f"Which to show, with commas between them; the first ranks.  [default: {','.join(MEASURES)}]",
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

    Corpora are drawn from CORPUS, all of as many texts of matched lengths: from ever more of its classes, or
    with ever fewer repeats, or of texts with ever higher numbers, such as a decoding temperature.
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
