"""Options that all trials share: what to save, to draw and to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeVar

import click

from distinctly.cli.options import WORKING, reading_of, with_options
from distinctly.errors import unknown
from distinctly.judging.trial import Trial
from distinctly.report.trials import FORMS, render_trial

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_SHOWN = (
    click.option(
        "--format",
        "output_format",
        default="table",
        show_default=True,
        metavar="FORMAT",
        help=f"{', '.join(FORMS)}. json and csv can be read again; findings is CSV of what was found.",
    ),
    click.option(
        "--plots",
        metavar="FOLDER",
        help='Also draw the figures, as PNG and SVG (pip install "distinctly[plots]").',
    ),
)
_SEED = click.option("--seed", type=int, default=0, metavar="N", help="Where draws begin.  [default: 0]")
_SAVE = click.option(
    "--save",
    metavar="FILE",
    help="Keep the results in a .json or .csv file; a run that was stopped is gone on with.",
)


def shown_options(command: Decorated) -> Decorated:
    """Give a command the options of what is shown of a trial."""
    return with_options(command, _SHOWN)


def work_options(command: Decorated) -> Decorated:
    """Give a command the options of how a trial that draws nothing is run, and of what is shown of it."""
    return with_options(command, (_SAVE, *WORKING, *_SHOWN))


def run_options(command: Decorated) -> Decorated:
    """Give a command the options of how a trial is run, and of what is shown of it."""
    return _SEED(work_options(command))


def embedders_option(command: Decorated) -> Decorated:
    """Give a command the option for embedders, of which there may be several."""
    return click.option(
        "--embedder",
        "embedders",
        multiple=True,
        metavar="SPEC",
        help="What makes vectors of texts: wordllama, sbert:NAME, onnx:PATH, vectors:FILE; may be repeated, "
        "to be tried side by side.  [default: wordllama]",
    )(command)


def check_shown(output_format: str, plots: str | None) -> None:
    """Raise where there is no such report, or nothing to draw with, before anything is measured."""
    if output_format not in FORMS:
        raise unknown("format", output_format, FORMS)
    if plots is not None:
        from distinctly.report.plots import need_matplotlib

        need_matplotlib()


def show(trial: Trial, output_format: str, plots: str | None) -> None:
    """Show a trial, and draw it where that is asked for."""
    if plots is not None:
        from distinctly.report.plots import save_figures

        for file in save_figures(trial, plots):
            click.echo(f"distinctly: drew {file}", err=True)
    render_trial(trial, output_format)


def reading(how: dict[str, Any], label: str | None = None) -> dict[str, Any]:
    """Return how to read, as the trials take it."""
    return reading_of(id_=label, **how)


def listed(values: Sequence[str]) -> list[str] | None:
    """Return what was given; None where nothing was, so that the default holds."""
    return list(values) or None
