"""`distinctly judge table`: show saved results again."""

from __future__ import annotations

import click

from distinctly.cli.judge.options import check_shown, show, shown_options
from distinctly.judging import read_trial


@click.command("table")
@click.argument("results", metavar="RESULTS")
@shown_options
def command(results: str, output_format: str, plots: str | None) -> None:
    """Show the RESULTS of a trial, a .json or .csv file that --save or --format wrote."""
    check_shown(output_format, plots)
    show(read_trial(results), output_format, plots)
