"""`distinctly homogeneity`: how alike do systems answer the same prompts?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.api import homogeneity
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.options import (
    IN_MEMORY,
    by_option,
    embedder_option,
    format_options,
    given,
    open_named,
    output_of,
    progress_bar,
    reading_of,
    reading_options,
    tokenizer_option,
)
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.report.pages.homogeneity import page_of_homogeneity
from distinctly.run.resampling import Resampling

EPILOG = """\b
Examples:
  distinctly homogeneity systems.jsonl --by model --group prompt_id
  distinctly homogeneity a.jsonl b.jsonl c.jsonl --field response --prompt prompt --interval
  distinctly homogeneity systems.jsonl --by model --prompt prompt --context prompt
  distinctly homogeneity systems.jsonl --by model --group prompt_id --n 4 -o alike.html
  distinctly homogeneity logs/
"""


@grouped_command("homogeneity", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@tokenizer_option
@embedder_option
@option(
    "--n",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help="Length of the n-grams that texts share.  [default: 2]",
)
@option(
    "--context",
    group="What",
    metavar="prompt",
    help="prompt: take the direction of the prompt (--prompt) out of the vector of each text.",
)
@reading_options(without=("id", "tags", "quality", "partition"))
@by_option
@settings(Resampling, "interval")
@format_options
@settings(RunConfig, without=("engine", "address", "checkpoint"), changed={"memory": IN_MEMORY})
def command(files: tuple[str, ...], by: str | None, **options: Any) -> None:
    """Measure how alike systems answer the same prompts: all pairs, beside answers to other prompts.

    Each FILE has the answers of one system; with --by, one file has those of all. --group or --prompt names
    the field that says which prompt a text answers. Logs of evaluation tools name the system and the prompt
    themselves. Files are as for `distinctly measure`.
    """
    reading = reading_of(options, by)
    output = output_of(options)
    corpora = open_named(files, reading)
    if len(corpora) < 2 and by is None:
        raise SpecError(
            "Expected the answers of at least two systems: give several files, or one file and --by FIELD, "
            "the field that names the system."
        )
    asked = {"group", "prompt"} & reading.keys()
    if not asked and not all(corpus.is_of_logs for corpus in corpora):
        raise SpecError("Expected --group or --prompt: the field that says which prompt a text answers.")
    with progress_bar() as progress:
        result = homogeneity(corpora, by=by, progress=progress, **given(options))
    output.write(page_of_homogeneity(result))
