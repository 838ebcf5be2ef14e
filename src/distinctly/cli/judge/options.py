"""Options that all trials share: saving, figures and output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, get_args

import click

from distinctly.cli import say
from distinctly.cli.grouped import Decorator, option, settings, together, with_default
from distinctly.cli.options import (
    EMBEDDERS,
    IN_MEMORY,
    Output,
    file_options,
    given,
    output_of,
    progress_bar,
    reading_options,
    tokenizer_option,
)
from distinctly.config import RunConfig
from distinctly.errors import SpecError
from distinctly.judging.page import page_of
from distinctly.judging.trial import Trial
from distinctly.report import formats
from distinctly.run.resampling import Resampling

shown_options = together(
    option(
        "--format",
        "output_format",
        group="Output",
        metavar="FORMAT",
        help=with_default(
            f"Format of the output: {', '.join(formats('trials'))}. json and csv can be read again; findings "
            "is CSV of the findings.",
            "table",
        ),
    ),
    file_options,
    option(
        "--plots",
        group="Output",
        metavar="FOLDER",
        help='Also draw the figures, as PNG and SVG (pip install "distinctly[plots]").',
    ),
)
# Options for running a trial and its output; `run_options` are for trials that draw texts.
work_options = together(
    option(
        "--save",
        group="Output",
        metavar="FILE",
        help="Save the results in a .json or .csv file; a run that was interrupted is resumed from it.",
    ),
    shown_options,
    settings(RunConfig, without=("engine", "address", "checkpoint"), changed={"memory": IN_MEMORY}),
)
run_options = together(settings(Resampling, "seed"), work_options)


def agreement_options(default: str) -> Decorator[Any]:
    """Return the options that decide which annotators are left out; `default` is an `AgreementWith`."""
    from distinctly.judging.people.annotations import LEAST_AGREEMENT, AgreementWith

    return together(
        option(
            "--least-agreement",
            group="What",
            default=str(LEAST_AGREEMENT),
            metavar="R",
            help=with_default(
                "Smallest correlation of an annotator with the rest; annotators below are left out, none "
                "keeps all.",
                LEAST_AGREEMENT,
            ),
        ),
        option(
            "--agreement-with",
            group="What",
            type=click.Choice(get_args(AgreementWith)),
            metavar="WHOM",
            help=with_default(
                "Correlation that decides who is left out: with the mean of the others, or with the average "
                "of all annotators, as in Liu et al. (2022): others, average.",
                default,
            ),
        ),
    )


# The report of a trial does not list rows that are skipped, so a bad row is an error.
_NOT_READ = ("id", "tags", "prompt", "quality", "partition", "skip_bad")
text_options = together(tokenizer_option, reading_options(without=_NOT_READ))
embedders_option = option(
    "--embedder",
    group="What",
    multiple=True,
    metavar="SPEC",
    help=with_default(f"{EMBEDDERS[:-1]}; repeatable, to compare embedders.", "wordllama"),
)
beside_option = option(
    "--beside",
    group="Output",
    metavar="FILE",
    help="Show published values beside ours, from a .csv file with the columns metric, measure, value, "
    "and where needed a, b, n, k, repetitions (judge similarity only).",
)


def check_shown(options: dict[str, Any]) -> None:
    """Replace the options of the output by one, ``output``.

    Raises an error before anything is measured if the format does not exist, the file cannot be written, or
    matplotlib is missing.
    """
    saved, written = options.get("save"), options["output_file"]
    if saved is not None and written is not None and Path(saved).resolve() == Path(written).resolve():
        raise SpecError("--save and --output name the same file. Choose another one for the report.")
    options["output"] = output_of(options, "trials")
    if options["plots"] is not None:
        from distinctly.report.drawing import need_matplotlib

        need_matplotlib()


def show(trial: Trial, output: Output, plots: str | None) -> None:
    """Show a trial, and draw it if requested."""
    if plots is not None:
        from distinctly.judging.figures import save_figures

        for file in save_figures(trial, plots):
            say(f"distinctly: drew {file}", err=True)
    output.write(page_of(trial))


def listed(values: Sequence[str]) -> list[str] | None:
    """Return the values as a list; None if there are none, which stands for the default."""
    return list(values) or None


def words(given: str | None) -> list[str] | None:
    """Split at commas; None if nothing was given."""
    return None if given is None else [word.strip() for word in given.split(",")]


def run_trial(
    trial: Callable[..., Trial], *inputs: object, output: Output, plots: str | None, **options: object
) -> None:
    """Run a trial with the options that were given, and show it."""
    with progress_bar() as progress:
        results = trial(*inputs, **given(options), progress=progress)
    show(results, output, plots)
