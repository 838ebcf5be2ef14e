"""`distinctly judge table`: show saved results again."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.judge.options import beside_option, check_shown, show, shown_options
from distinctly.errors import SpecError
from distinctly.judging import read_trial
from distinctly.judging.trial import Trial


@grouped_command("table")
@click.argument("results", metavar="RESULTS")
@beside_option
@shown_options
def command(results: str, beside: str | None, **options: Any) -> None:
    """Show the RESULTS of a trial, a .json or .csv file that --save or --format wrote."""
    check_shown(options)
    trial = read_trial(results)
    if beside is not None:
        trial = _with_published(trial, beside)
    show(trial, **options)


def _with_published(trial: Trial, path: str) -> Trial:
    from distinctly.judging.similarity.beside import read_published
    from distinctly.judging.similarity.findings import SimilarityTrial

    if not isinstance(trial, SimilarityTrial):
        raise SpecError(f"--beside is for trials of similarity, got one of {trial.kind}. Leave it out.")
    return replace(trial, beside=read_published(path))
