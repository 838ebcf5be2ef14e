"""`distinctly study power`: how many sets and annotators are needed to tell two metrics apart?"""

from __future__ import annotations

from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.options import output_of
from distinctly.cli.study.options import output_options
from distinctly.errors import SpecError

EPILOG = """\b
Examples:
  distinctly study power --with-people 0.7 0.6 --metrics-correlation 0.9
  distinctly study power --with-people 0.7 0.67 --metrics-correlation 0.95 --sets 200,1000,5000 \\
      --annotators 3,5 --noise 0.8
\b
From a pilot study with the intraclass correlation ICC2, the noise is √((1 − ICC2) / ICC2).
"""


@grouped_command("power", epilog=EPILOG)
@option(
    "--with-people",
    group="What",
    type=float,
    nargs=2,
    required=True,
    metavar="R1 R2",
    help="True correlations of two metrics with human judgement.",
)
@option(
    "--metrics-correlation",
    group="What",
    type=float,
    required=True,
    metavar="R",
    help="Correlation of the two metrics with each other.",
)
@option(
    "--sets",
    group="What",
    default="50,100,200,500,1000",
    metavar="N,…",
    help="Numbers of sets.  [default: 50,100,200,500,1000]",
)
@option(
    "--annotators",
    group="What",
    default="1,3,5,10",
    metavar="N,…",
    help="Numbers of annotators.  [default: 1,3,5,10]",
)
@option(
    "--noise",
    group="What",
    type=float,
    default=1.0,
    metavar="S",
    help="Standard deviation of the answers of an annotator for one set, relative to the spread of the true "
    "diversity of sets.  [default: 1]",
)
@option(
    "--alpha",
    group="What",
    type=float,
    default=0.05,
    metavar="P",
    help="Level of significance.  [default: 0.05]",
)
@option(
    "--repetitions",
    group="What",
    type=click.IntRange(min=1),
    default=1000,
    metavar="N",
    help="Number of simulated studies per size.  [default: 1000]",
)
@option(
    "--seed", group="What", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.  [default: 0]"
)
@output_options
def command(
    with_people: tuple[float, float],
    metrics_correlation: float,
    sets: str,
    annotators: str,
    noise: float,
    alpha: float,
    repetitions: int,
    seed: int,
    **options: Any,
) -> None:
    """Simulate studies in which two metrics are compared by their correlation with people.

    The power is the share of studies in which Williams' test tells the metrics apart.
    """
    from distinctly.studies.power import Assumptions, page_of_power, simulate_power

    output = output_of(options)
    assumptions = Assumptions(with_people, metrics_correlation, noise, alpha)
    sizes, people = _numbers(sets, "--sets"), _numbers(annotators, "--annotators")
    powers = simulate_power(assumptions, sizes, people, repetitions=repetitions, seed=seed)
    output.write(page_of_power(assumptions, powers))


def _numbers(given: str, flag: str) -> list[int]:
    """Return the numbers of a list that is separated by commas."""
    try:
        return sorted({int(word) for word in given.split(",")})
    except ValueError:
        raise SpecError(f"Expected {flag} to be numbers separated by commas, got '{given}'.") from None
