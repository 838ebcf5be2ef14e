"""Options that all trials share: what to save, to draw and to show."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

from distinctly.cli.options import WORKING, reading_of, with_options
from distinctly.cli.progress import ProgressBar
from distinctly.judging.page import render_trial
from distinctly.judging.trial import Trial
from distinctly.report import check_format, formats

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_SHOWN = (
    click.option(
        "--format",
        "output_format",
        default="table",
        show_default=True,
        metavar="FORMAT",
        help=f"{', '.join(formats('trials'))}. json and csv can be read again; findings is CSV of "
        "what was found.",
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


def beside_option(command: Decorated) -> Decorated:
    """Give a command the option for published values that are shown beside ours."""
    return click.option(
        "--beside",
        metavar="FILE",
        help="Show published values beside ours, from a .csv file with the columns metric, measure, value, "
        "and where needed a, b, n, k, repetitions (judge similarity only).",
    )(command)


def check_shown(output_format: str, plots: str | None) -> None:
    """Raise where there is no such report, or nothing to draw with, before anything is measured."""
    check_format(output_format, "trials")
    if plots is not None:
        from distinctly.judging.figures import need_matplotlib

        need_matplotlib()


def show(trial: Trial, output_format: str, plots: str | None) -> None:
    """Show a trial, and draw it where that is asked for."""
    if plots is not None:
        from distinctly.judging.figures import save_figures

        for file in save_figures(trial, plots):
            click.echo(f"distinctly: drew {file}", err=True)
    render_trial(trial, output_format)


def listed(values: Sequence[str]) -> list[str] | None:
    """Return what was given; None where nothing was, so that the default holds."""
    return list(values) or None


def words(given: str | None) -> list[str] | None:
    """Return the words between commas; None where nothing was given."""
    return None if given is None else [word.strip() for word in given.split(",")]


# Options that trials take under the names that they have on the command line.
_AS_THEY_ARE = ("tokenizer", "seed", "save", "batch_size", "threads", "device")


@dataclass(frozen=True)
class Shared:
    """The options that trials share, taken out of those of a command.

    Attributes
    ----------
    arguments
        What a trial takes of them.
    reading
        How to read texts, as `Corpus.read` takes it.
    output_format, plots
        What is shown.
    """

    arguments: dict[str, Any]
    reading: dict[str, Any]
    output_format: str
    plots: str | None

    @classmethod
    def of(cls, options: dict[str, Any]) -> Shared:
        """Take them; raise where results could not be shown, before anything is measured."""
        rest = dict(options)
        output_format, plots = rest.pop("output_format"), rest.pop("plots")
        check_shown(output_format, plots)
        arguments = {name: rest.pop(name) for name in _AS_THEY_ARE if name in rest}
        arguments |= {"cache": not rest.pop("no_cache"), "embedder": listed(rest.pop("embedders"))}
        if "vectors" in rest:
            arguments["vectors"] = listed(rest.pop("vectors"))
        return cls(arguments, reading_of(id_=None, **rest) if rest else {}, output_format, plots)

    def run(self, trial: Callable[..., Trial], *given: object, **own: object) -> None:
        """Run a trial, with its progress, and show it."""
        with ProgressBar() as progress:
            found = trial(*given, **own, **self.arguments, progress=progress, watch=progress.step)
        show(found, self.output_format, self.plots)
