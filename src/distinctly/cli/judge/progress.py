"""`distinctly judge progress`: does the distance fall as training goes on?"""

from __future__ import annotations

import math
from typing import Any

import click

from distinctly.cli.judge.options import Shared, embedders_option, run_options
from distinctly.cli.options import metric_option, open_named, text_options, vectors_option
from distinctly.errors import SpecError
from distinctly.judging.progress.trial import DEFAULT_PROGRESS, training_progress

EPILOG = """\b
Examples:
  distinctly judge progress human.txt step-*.txt
  distinctly judge progress human.txt step-*.txt -m mauve -m frechet -m distinct:n=2 --plots figures/
  distinctly judge progress human.jsonl base.txt tuned.txt rlhf.txt --steps 0,1000,5000 --n 500
  distinctly judge progress human.txt step-100.txt step-200.txt --save run.json
  distinctly judge progress human.txt step-300.txt --save run.json
"""


@click.command("progress", epilog=EPILOG)
@click.argument("reference", metavar="REFERENCE")
@click.argument("checkpoints", nargs=-1, required=True, metavar="CHECKPOINT...")
@metric_option(DEFAULT_PROGRESS)
@click.option(
    "--steps",
    metavar="N,N,…",
    help="The step of each checkpoint.  [default: the number in which their names differ, or 1, 2, 3 …]",
)
@click.option(
    "--n",
    "size",
    type=click.IntRange(min=1),
    metavar="TEXTS",
    help="Texts a side.  [default: the smallest checkpoint, half of the reference at most]",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    help="How often samples are drawn.  [default: 5]",
)
@text_options
@embedders_option
@vectors_option
@run_options
def command(
    reference: str,
    checkpoints: tuple[str, ...],
    metrics: tuple[str, ...],
    steps: str | None,
    size: int | None,
    repetitions: int,
    **shared: Any,
) -> None:
    """Measure each CHECKPOINT, a file with what a model wrote at a step, against the REFERENCE.

    Both sides are drawn to one size. The floor is the distance of two samples of the reference that share
    no text. An effective metric falls with the step: its rank correlation ρ is near −1. Metrics of one corpus
    can be given, too; the reference's own value then stands for the floor.

    With --save, checkpoints can be added to the file later, without those that are in it.
    """
    of = Shared.of(shared)
    corpora = open_named([reference, *checkpoints], of.reading)
    of.run(
        training_progress,
        corpora[0],
        corpora[1:],
        metrics or DEFAULT_PROGRESS,
        steps=None if steps is None else [_step(one) for one in steps.split(",")],
        n=size,
        repetitions=repetitions,
    )


def _step(text: str) -> int | float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SpecError(f"Expected --steps as numbers, 100,200,300, got '{text}'.")
    return int(number) if number.is_integer() else number
