"""`distinctly judge`: metrics on trial. One file a trial, imported when it is called."""

from __future__ import annotations

import importlib

import click

from distinctly.errors import unknown

TRIALS = {
    "similarity": "Known-similarity corpora: does a distance see how much of B is mixed into A?",
    "diversity": "Known-diversity corpora: does a metric see how many classes, or repeats, there are?",
    "progress": "Checkpoints against a reference: does the distance fall as training goes on?",
    "length": "Does a score depend on how long the texts are?",
    "people": "Does a metric agree with people?",
    "table": "Show the saved results of a trial again.",
    "plot": "Draw the saved results of a trial.",
}
EPILOG = """\b
Examples:
  distinctly judge similarity human.txt other-domain.txt
  distinctly judge diversity intents.jsonl --label intent
  distinctly judge progress human.txt step-*.txt -m mauve -m frechet
  distinctly judge length outputs.txt -m distinct:n=1 -m ead
  distinctly judge people sets.jsonl --human score
  distinctly judge similarity a.txt b.txt -m mymodule:distance --save trial.json --plots figures/
"""


class Trials(click.Group):
    """The trials by name; a trial's module is imported only when it runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(TRIALS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import the trial's command."""
        if cmd_name not in TRIALS:
            raise unknown("trial", cmd_name, TRIALS)
        command = importlib.import_module(f"distinctly.cli.judge.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"distinctly.cli.judge.{cmd_name}.command is no command.")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the trials without importing them."""
        with formatter.section("Trials"):
            formatter.write_dl(list(TRIALS.items()))


@click.command("judge", cls=Trials, epilog=EPILOG)
def command() -> None:
    """Put metrics on trial: can their numbers be trusted, on your data?"""
