"""`distinctly judge progress`: does the distance fall during training?"""

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
    help="Step of each checkpoint.  [default: the number in which their names differ, or 1, 2, 3 …]",
)
@click.option(
    "--n",
    "size",
    type=click.IntRange(min=1),
    metavar="TEXTS",
    help="Texts per sample.  [default: the size of the smallest checkpoint, at most half of the reference]",
)
@click.option(
    "--repetitions",
    type=click.IntRange(min=1),
    default=5,
    metavar="N",
    help="Number of times that samples are drawn.  [default: 5]",
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
    """Measure the distance of each CHECKPOINT, a file of texts that a model wrote, from the REFERENCE.

    All samples have the same number of texts. The floor is the distance between two samples of the reference
    that share no text. The distance should fall with the step, with a rank correlation ρ near −1. Metrics of
    one corpus are also accepted; their value for the reference is shown as the floor.

    With --save, a later run can add checkpoints to the file without repeating the earlier ones.
    """
    of = Shared.of(shared)
    corpora = open_named([reference, *checkpoints], of.reading)
    of.run(
        training_progress,
        corpora[0],
        corpora[1:],
        metrics or DEFAULT_PROGRESS,
        steps=None if steps is None else [_read_step(step) for step in steps.split(",")],
        n=size,
        repetitions=repetitions,
    )


def _read_step(text: str) -> int | float:
    try:
        number = float(text)
    except ValueError:
        number = math.nan
    if not math.isfinite(number):
        raise SpecError(f"Expected --steps as numbers, such as 100,200,300, got '{text}'.")
    return int(number) if number.is_integer() else number
