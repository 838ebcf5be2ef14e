"""`distinctly report`: one page on one or several corpora, to hand to others."""

from __future__ import annotations

import shlex
import sys
from typing import Any

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.options import (
    IN_MEMORY,
    by_option,
    given,
    metric_option,
    open_named,
    progress_bar,
    reading_of,
    reading_options,
    view_options,
)
from distinctly.config import RunConfig
from distinctly.overview.reporting import DEFAULT_DISTANCES, DEFAULT_DIVERSITY, check_report, overview_page
from distinctly.report.saving import save_page
from distinctly.run.resampling import Resampling

EPILOG = """\b
Examples:
  distinctly report outputs.txt -o report.html
  distinctly report a.txt b.txt c.txt -o report.html
  distinctly report model.txt --reference human.txt -o report.html
  distinctly report systems.jsonl --by model --group prompt_id -o report.html
  distinctly report systems.jsonl --by model --reference human -o report.html
  distinctly report a.txt b.txt -m distinct:n=2 -m mtld -m frechet -o report.md
  cat outputs.txt | distinctly report - -o report.html
"""


@grouped_command("report", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@option(
    "-o",
    "--output",
    "output_file",
    group="Output",
    required=True,
    metavar="FILE",
    help="Write the report to a file: .html (one page that needs nothing else), .md or .json.",
)
@metric_option((*DEFAULT_DIVERSITY, *DEFAULT_DISTANCES))
@view_options
@option(
    "--reference",
    group="What",
    metavar="FILE",
    help="Corpus that the others are compared with: a file, or one of the values of --by.",
)
@reading_options(without=("id", "prompt", "quality", "partition"))
@by_option
@settings(
    Resampling,
    "seed",
    "permutations",
    "paired",
    "population",
    "subsample",
    changed={
        "permutations": {"default": "enough for the number of tests"},
        "subsample": {"default": "2000"},
    },
)
@settings(RunConfig, without=("engine", "address", "checkpoint"), changed={"memory": IN_MEMORY})
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    reference: str | None,
    by: str | None,
    output_file: str,
    **options: Any,
) -> None:
    """Write one page on how varied each FILE is, and how far from a reference.

    The page has a summary, charts with intervals, the table, length, repetitions, distances, a map of the
    texts, warnings, signatures and references. Files are as for `distinctly measure`.
    """
    check_report(output_file)
    reading = reading_of(options, by)
    corpora = open_named(files, reading, systems=() if reference in files else None)
    if by is None and reference in files:
        reference = corpora[files.index(reference)].name
    with progress_bar() as progress:
        page = overview_page(
            corpora,
            list(metrics) or None,
            reference=reference,
            by=by,
            command=shlex.join(["distinctly", *sys.argv[1:]]),
            progress=progress,
            **given(options),
        )
    save_page(page, output_file)
    for sentence in page.sentences("verdict"):
        say(sentence, err=True)
    say(f"distinctly: wrote {output_file}", err=True)
