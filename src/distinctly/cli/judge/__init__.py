"""`distinctly judge`: one module per trial of metrics, imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping

import click

from distinctly.cli import Commands

TRIALS = {
    "similarity": "Known-similarity corpora: does a distance see how much of B is mixed into A?",
    "diversity": "Known-diversity corpora: does a metric see how many classes or repeats there are?",
    "progress": "Checkpoints against a reference: does the distance fall during training?",
    "length": "Does a score depend on how long the texts are?",
    "people": "Does a metric agree with people?",
    "table": "Show the saved results of a trial again.",
    "plot": "Draw the saved results of a trial.",
}
EPILOG = """\b
Examples:
  distinctly judge similarity a.txt b.txt
  distinctly judge diversity intents.jsonl --label intent
  distinctly judge progress human.txt step-*.txt -m mauve -m frechet
  distinctly judge length replies.txt -m distinct:n=1 -m ead
  distinctly judge people sets.jsonl --human score
  distinctly judge similarity a.txt b.txt -m mymodule:distance --save trial.json --plots figures/
"""


class Trials(Commands):
    """The trials by name."""

    package = "distinctly.cli.judge"
    kind = "trial"
    known: Mapping[str, str] = TRIALS


@click.command("judge", cls=Trials, epilog=EPILOG)
def command() -> None:
    """Put metrics on trial: can their numbers be trusted, on your data?"""
