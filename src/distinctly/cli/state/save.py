"""`distinctly state save`: what metrics need of a corpus, in a file."""

from __future__ import annotations

from typing import Any

import click

from distinctly.api import COUNTED_METRICS
from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings, with_default
from distinctly.cli.options import (
    EMBEDDERS,
    TAGGERS,
    given,
    metric_option,
    progress_bar,
    reading_of,
    reading_options,
    tokenizer_option,
)
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.states import save_state

EPILOG = """\b
Examples:
  distinctly state save outputs.jsonl --field response -m distinct -m ead -o outputs.state
  distinctly state save 's3://bucket/day-1/*.parquet' -m distinct:n=2 --engine ray \\
      --checkpoint s3://bucket/states -o s3://bucket/day-1.state
  distinctly state save human.txt --keyness 1-3 -o human.state
"""


@grouped_command("save", epilog=EPILOG)
@click.argument("corpus", metavar="CORPUS")
@metric_option(COUNTED_METRICS)
@tokenizer_option
@option("--embedder", group="What", metavar="SPEC", help=with_default(EMBEDDERS, "wordllama"))
@option("--tagger", group="What", metavar="SPEC", help=TAGGERS)
@option(
    "--keyness",
    group="What",
    metavar="N",
    help="Also save the terms of these numbers of tokens for distinctly keyness: 1, 1-3 or 1,3. Without -m, "
    "only these.",
)
@option(
    "--of",
    group="What",
    metavar="VIEW",
    help="What the terms of --keyness are made of: tags, char …  [default: words in lower case]",
)
@reading_options(without=("prompt", "quality", "partition"))
@option(
    "-o",
    "--output",
    "output_file",
    group="Output",
    required=True,
    metavar="FILE.state",
    help="The file, also of an object store; an existing one is replaced.",
)
@settings(RunConfig)
def command(corpus: str, metrics: tuple[str, ...], output_file: str, **options: Any) -> None:
    """Save what metrics need of a CORPUS (a file, folder or pattern, as for `distinctly measure`).

    Metrics of one corpus and distances can be saved together. Metrics that need the texts themselves, such as
    self_bleu (which reads them twice) or vendi, cannot be saved.
    """
    reading = reading_of(options)
    with progress_bar() as progress:
        texts = Corpus.read(corpus, **reading)
        default = () if options["keyness"] else COUNTED_METRICS
        save_state(texts, output_file, metrics or default, progress=progress, **given(options))
    say(f"distinctly: wrote {output_file}", err=True)
