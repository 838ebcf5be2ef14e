"""`distinctly rarefaction`: how do numbers of distinct n-grams grow with the size of a corpus?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.api import DEFAULT_CURVE, DEFAULT_POINTS, rarefaction
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings, with_default
from distinctly.cli.options import (
    by_option,
    check_plot_file,
    format_options,
    given,
    metric_option,
    open_named,
    output_of,
    plot_option,
    progress_bar,
    reading_of,
    reading_options,
    tagger_option,
    tokenizer_option,
)
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.report.pages.rarefaction import page_of_rarefaction
from distinctly.run.rarefying import curve_metrics
from distinctly.run.resampling import Resampling
from distinctly.spec import parse_metrics

EPILOG = """\b
Examples:
  distinctly rarefaction a.txt b.txt --plot curves.png
  distinctly rarefaction systems.jsonl --by model --group prompt_id -m distinct:n=2 --interval
  distinctly rarefaction a.txt b.txt --sizes 10000,20000,50000 -o curves.csv
"""


@grouped_command("rarefaction", epilog=EPILOG)
@click.argument("files", nargs=-1, required=True, metavar="FILE...")
@metric_option([DEFAULT_CURVE])
@tokenizer_option
@tagger_option
@option(
    "--sizes",
    group="What",
    metavar="N,N,…",
    help="Sizes, as numbers of n-grams.  [default: --points sizes of each corpus]",
)
@option(
    "--points",
    group="What",
    type=click.IntRange(min=2),
    metavar="K",
    help=with_default("Number of sizes of each curve.", DEFAULT_POINTS),
)
@reading_options(without=("id", "prompt", "quality", "partition"))
@by_option
@settings(Resampling, "interval")
@plot_option
@format_options
@settings(RunConfig)
def command(
    files: tuple[str, ...],
    metrics: tuple[str, ...],
    sizes: str | None,
    by: str | None,
    plot_file: str | None,
    **options: Any,
) -> None:
    """Measure random texts of each FILE at several sizes: accumulation curves.

    Each value is an expectation over all choices of texts (of groups, with --group), in closed form: the one
    of `distinctly measure -m types:n=1,at=SIZE`. Files are as for `distinctly measure`.
    """
    reading = reading_of(options, by)
    output = output_of(options)
    check_plot_file(plot_file)
    wanted = list(metrics) or [DEFAULT_CURVE]
    curve_metrics(parse_metrics(wanted))  # a wrong name is an error before files are opened
    numbers = None if sizes is None else _numbers(sizes)
    corpora = open_named(files, reading)
    with progress_bar() as progress:
        result = rarefaction(corpora, wanted, sizes=numbers, by=by, progress=progress, **given(options))
    if plot_file is not None:
        result.plot(path=plot_file)
    output.write(page_of_rarefaction(result))


def _numbers(sizes: str) -> list[int]:
    """Return sizes that are separated by commas."""
    try:
        return [int(size) for size in sizes.split(",")]
    except ValueError:
        raise SpecError(f"Expected --sizes to be numbers such as 10000,20000, got '{sizes}'.") from None
