"""`distinctly study simulate`: answers of simulated annotators, whose truth is known."""

from __future__ import annotations

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.errors import SpecError

EPILOG = """\b
Examples:
  distinctly study simulate responses.study --truth-metric ead --careless 2
  distinctly study simulate pilot.study --truth methods.csv --truth-column human --noise 0.3 --seed 1
\b
methods.csv has one row per method: method,human
"""


@grouped_command("simulate", epilog=EPILOG)
@click.argument("file", metavar="STUDY")
@option(
    "--truth",
    group="What",
    metavar="FILE",
    help="Table of the true diversity, from 0 to 10, of each method or each set: fields method or set, and "
    "truth.",
)
@option(
    "--truth-column",
    group="What",
    default="truth",
    metavar="FIELD",
    help="Field of --truth.  [default: truth]",
)
@option(
    "--truth-metric", group="What", metavar="SPEC", help="Metric whose values are the true diversity of sets."
)
@option(
    "--annotators",
    group="What",
    type=click.IntRange(min=0),
    metavar="N",
    help="Number of careful annotators.  [default: those of the study]",
)
@option(
    "--careless",
    group="What",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Number of annotators who answer at random, in addition.  [default: 0]",
)
@option(
    "--noise",
    group="What",
    type=click.FloatRange(min=0),
    default=0.5,
    metavar="S",
    help="Standard deviation of an answer, on the scale from 0 to 10.  [default: 0.5]",
)
@option(
    "--gain-spread",
    group="What",
    type=click.FloatRange(min=0),
    default=0.2,
    metavar="S",
    help="Standard deviation of the logarithm of the gain of annotators.  [default: 0.2]",
)
@option(
    "--offset-spread",
    group="What",
    type=click.FloatRange(min=0),
    default=0.5,
    metavar="S",
    help="Standard deviation of the offset of annotators.  [default: 0.5]",
)
@option(
    "--drift",
    group="What",
    type=click.FloatRange(min=0),
    default=0.0,
    metavar="S",
    help="Standard deviation of the offset of an annotator between packages.  [default: 0]",
)
@option(
    "--seed", group="What", type=click.IntRange(min=0), default=0, metavar="N", help="Seed.  [default: 0]"
)
def command(
    file: str,
    truth: str | None,
    truth_column: str,
    truth_metric: str | None,
    annotators: int | None,
    careless: int,
    noise: float,
    gain_spread: float,
    offset_spread: float,
    drift: float,
    seed: int,
) -> None:
    """Answer all packages of a STUDY that has no answers, by annotators whose truth is known.

    The annotators of the study answer first; if there are more, they are added to it. An analysis says that
    their answers are simulated.
    """
    from distinctly.studies.simulating import Behaviour, simulate, truth_of_metric, truth_of_table
    from distinctly.studies.store import StudyStore

    if (truth is None) == (truth_metric is None):
        raise SpecError("Expected the true diversity: either --truth FILE or --truth-metric SPEC.")
    with StudyStore(file) as study:
        true = (
            truth_of_table(study, truth, truth_column)
            if truth is not None
            else truth_of_metric(study.sets(), str(truth_metric))
        )
        people = simulate(
            study,
            true,
            annotators=annotators,
            careless=careless,
            behaviour=Behaviour(noise, gain_spread, offset_spread, drift),
            seed=seed,
        )
        answers = len(study.answers())
    say(f"{file}: {answers:,} answers of {len(people):,} simulated annotators.")
    width = max(len(person.name) for person in people)
    for person in people:
        kind = "careless" if person.careless else f"gain {person.gain:.2f}, offset {person.offset:+.2f}"
        say(f"  {person.name.ljust(width)}  {kind}; r with the truth {person.r:.3f}")
    say(f"\nAnalyse them with: distinctly study analyse {file}")
