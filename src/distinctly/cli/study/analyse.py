"""`distinctly study analyse`: who agrees, which method is most diverse, which metrics see it."""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option, settings
from distinctly.cli.judge.options import agreement_options, embedders_option, listed
from distinctly.cli.options import IN_MEMORY, given, metric_option, output_of, progress_bar, tokenizer_option
from distinctly.cli.study.options import least_agreement_of, output_options, save_option
from distinctly.config import RunConfig
from distinctly.errors import SpecError

RESCALE = ("none", "package")
EPILOG = """\b
Examples:
  distinctly study analyse responses.study -m distinct:n=1 -m ead
  distinctly study analyse responses.study --rescale package --agreement-with others -o pilot.json
  distinctly study analyse responses.study --no-metrics --values methods.csv --column distinct --column ead
"""


@grouped_command("analyse", epilog=EPILOG)
@click.argument("file", metavar="STUDY")
@metric_option(["all metrics of one corpus"])
@tokenizer_option
@embedders_option
@option("--no-metrics", group="What", is_flag=True, help="Analyse only the annotators and the methods.")
@option(
    "--rescale",
    group="What",
    type=click.Choice(RESCALE),
    metavar="HOW",
    help="Treatment of scores: none averages them as they were given, as in Liu et al. (2022); package "
    "rescales them per annotator and package, so that only contrasts count.  [default: none]",
)
@agreement_options("average")
@option(
    "--values",
    group="Reading",
    metavar="FILE",
    help="Table with a field method and values of other metrics per method, to correlate with people.",
)
@option(
    "--column",
    "columns",
    group="Reading",
    multiple=True,
    metavar="FIELD",
    help="Field of --values that holds the values of a metric; repeatable.",
)
@save_option
@output_options
@settings(RunConfig, without=("engine", "address", "checkpoint"), changed={"memory": IN_MEMORY})
def command(
    file: str,
    metrics: tuple[str, ...],
    no_metrics: bool | None,
    least_agreement: str,
    values: str | None,
    columns: tuple[str, ...],
    **options: Any,
) -> None:
    """Analyse the answers of a STUDY: the latest of each annotator and set counts.

    Shows who is dropped and why, how far annotators agree, the score of each method from 0 to 10, and the
    correlation of metrics with people, over sets and over methods.
    """
    from distinctly.studies.analysis import analyse
    from distinctly.studies.page import page_of_analysis
    from distinctly.studies.reliability import check_installed
    from distinctly.studies.store import StudyStore
    from distinctly.studies.tables import read_columns

    if no_metrics and metrics:
        raise SpecError("--no-metrics cannot be combined with --metric. Remove one of them.")
    if (values is None) != (not columns):
        raise SpecError("--values FILE and --column FIELD belong together: give both, or neither.")
    check_installed()
    output = output_of(options, "trials")
    least = least_agreement_of(least_agreement)
    with StudyStore(file) as study, progress_bar() as progress:
        analysis = analyse(
            study,
            [] if no_metrics else listed(metrics),
            least_agreement=least,
            columns=None if values is None else read_columns(values, columns, study.methods),
            progress=progress,
            **given(options),
        )
    output.write(page_of_analysis(analysis))
