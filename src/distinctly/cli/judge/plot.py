"""`distinctly judge plot`: draw saved results."""

from __future__ import annotations

import click

from distinctly.cli import say
from distinctly.judging import read_trial
from distinctly.judging.figures import save_figures


@click.command("plot")
@click.argument("results", metavar="RESULTS")
@click.option(
    "--to", "folder", default=".", show_default=True, metavar="FOLDER", help="Folder for the figures."
)
def command(results: str, folder: str) -> None:
    """Draw the RESULTS of a trial, a .json or .csv file that --save or --format wrote, as PNG and SVG."""
    for file in save_figures(read_trial(results), folder):
        say(str(file))
