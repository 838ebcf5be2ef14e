"""`distinctly judge progress`: does the distance from a reference fall during training?"""

from __future__ import annotations

import math
from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.judge.options import (
    check_shown,
    embedders_option,
    run_options,
    run_trial,
    text_options,
)
from distinctly.cli.options import metric_option, open_named, reading_of, vectors_option
from distinctly.errors import SpecError
from distinctly.judging.progress.trial import DEFAULT_PROGRESS, training_progress

EPILOG = """\b
Examples:
  distinctly judge progress human.txt step-*.txt
  distinctly judge progress human.txt step-*.txt -m mauve -m frechet -m distinct:n=2 --plots figures/
  distinctly judge progress human.txt base.txt tuned.txt rlhf.txt --steps 0,1000,5000 --n 20
  distinctly judge progress human.txt step-100.txt step-200.txt --save run.json
  distinctly judge progress human.txt step-300.txt --save run.json
"""


@grouped_command("progress", epilog=EPILOG)
@click.argument("reference", metavar="REFERENCE")
@click.argument("checkpoints", nargs=-1, required=True, metavar="CHECKPOINT...")
@metric_option(DEFAULT_PROGRESS)
@text_options
@embedders_option
@vectors_option
@option(
    "--steps",
    group="What",
    metavar="N,N,…",
    help="Step of each checkpoint.  [default: the number in which their names differ, or 1, 2, 3 …]",
)
@option(
    "--n",
    group="What",
    type=click.IntRange(min=1),
    metavar="TEXTS",
    help="Number of texts per side.  [default: the smallest checkpoint, half of the reference at most]",
)
@option(
    "--repetitions",
    group="What",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of times that samples are drawn.  [default: 5]",
)
@run_options
def command(
    reference: str,
    checkpoints: tuple[str, ...],
    metrics: tuple[str, ...],
    steps: str | None,
    **options: Any,
) -> None:
    """Measure each CHECKPOINT, a file with the texts that a model wrote at a step, against the REFERENCE.

    All samples have the same size. The floor is the distance between two disjoint samples of the reference.
    An effective metric falls with the step: its rank correlation ρ is near −1. Metrics of one corpus can also
    be given; the value of the reference is then the floor.

    With --save, checkpoints can be added to the file later, without giving the earlier ones again.
    """
    check_shown(options)
    first, *others = open_named([reference, *checkpoints], reading_of(options), systems=())
    numbers = None if steps is None else [_step(step) for step in steps.split(",")]
    run_trial(training_progress, first, others, metrics or DEFAULT_PROGRESS, steps=numbers, **options)


def _step(text: str) -> int | float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SpecError(f"Expected --steps as numbers, such as 100,200,300, got '{text}'.")
    return int(number) if number.is_integer() else number
