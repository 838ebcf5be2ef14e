"""Options that all trials share: saving, figures and output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from distinctly.cli.options import WORKING, reading_of, with_options
from distinctly.cli.progress import ProgressBar
from distinctly.errors import unknown
from distinctly.judging.page import FORMS, render_trial
from distinctly.judging.trial import Trial

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_SHOWN = (
    click.option(
        "--format",
        "output_format",
        default="table",
        show_default=True,
        metavar="FORMAT",
        help=f"{', '.join(FORMS)}. json and csv contain all records; findings is a CSV file of the summary.",
    ),
    click.option(
        "--plots",
        metavar="FOLDER",
        help='Draw figures into this folder, as PNG and SVG (pip install "distinctly[plots]").',
    ),
)
_SEED = click.option(
    "--seed", type=int, default=0, metavar="N", help="Seed of the random draws.  [default: 0]"
)
_SAVE = click.option(
    "--save",
    metavar="FILE",
    help="Save the results to a .json or .csv file; resume an interrupted run from it.",
)


def shown_options(command: Decorated) -> Decorated:
    """Add the options for the output of a trial to a command."""
    return with_options(command, _SHOWN)


def work_options(command: Decorated) -> Decorated:
    """Add the options for running and showing a trial without random draws to a command."""
    return with_options(command, (_SAVE, *WORKING, *_SHOWN))


def run_options(command: Decorated) -> Decorated:
    """Add the options for running and showing a trial to a command."""
    return _SEED(work_options(command))


def embedders_option(command: Decorated) -> Decorated:
    """Add the option for one or more embedders to a command."""
    return click.option(
        "--embedder",
        "embedders",
        multiple=True,
        metavar="SPEC",
        help="Embedder of the texts: wordllama, sbert:NAME, onnx:PATH, vectors:FILE; may be repeated "
        "to compare several.  [default: wordllama]",
    )(command)


def beside_option(command: Decorated) -> Decorated:
    """Add the option for published values that are shown beside ours to a command."""
    return click.option(
        "--beside",
        metavar="FILE",
        help="Show published values beside ours, from a .csv file with the columns metric, measure, value, "
        "and where needed a, b, n, k, repetitions (judge similarity only).",
    )(command)


def check_shown(output_format: str, plots: str | None) -> None:
    """Raise an error if the format is unknown or matplotlib is missing, before anything is measured."""
    if output_format not in FORMS:
        raise unknown("format", output_format, FORMS)
    if plots is not None:
        from distinctly.judging.figures import need_matplotlib

        need_matplotlib()


def show(trial: Trial, output_format: str, plots: str | None) -> None:
    """Show a trial, and draw its figures if a folder is given."""
    if plots is not None:
        from distinctly.judging.figures import save_figures

        for file in save_figures(trial, plots):
            click.echo(f"distinctly: drew {file}", err=True)
    render_trial(trial, output_format)


def listed(values: Sequence[str]) -> list[str] | None:
    """Return the values as a list, or None if there are none, so that the default applies."""
    return list(values) or None


def words(given: str | None) -> list[str] | None:
    """Split words at commas; None if nothing was given."""
    return None if given is None else [word.strip() for word in given.split(",")]


# Options whose names are the same in Python.
_SAME_NAMES = ("tokenizer", "seed", "save", "batch_size", "threads", "device")


@dataclass(frozen=True)
class Shared:
    """The options that trials share.

    Attributes
    ----------
    arguments
        Keyword arguments of the function that runs the trial.
    reading
        Keyword arguments of `Corpus.read`.
    output_format, plots
        Format of the report, and folder of the figures.
    """

    arguments: dict[str, Any]
    reading: dict[str, Any]
    output_format: str
    plots: str | None

    @classmethod
    def of(cls, options: dict[str, Any]) -> Shared:
        """Select the shared options; raise an error if the results could not be shown."""
        rest = dict(options)
        output_format, plots = rest.pop("output_format"), rest.pop("plots")
        check_shown(output_format, plots)
        arguments = {name: rest.pop(name) for name in _SAME_NAMES if name in rest}
        arguments |= {"cache": not rest.pop("no_cache"), "embedder": listed(rest.pop("embedders"))}
        if "vectors" in rest:
            arguments["vectors"] = listed(rest.pop("vectors"))
        return cls(arguments, reading_of(id_=None, **rest) if rest else {}, output_format, plots)

    def run(self, function: Callable[..., Trial], *positional: object, **options: object) -> None:
        """Run a trial with a progress bar, and show it."""
        with ProgressBar() as progress:
            trial = function(*positional, **options, **self.arguments, progress=progress)
        show(trial, self.output_format, self.plots)
