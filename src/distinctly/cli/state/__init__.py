"""`distinctly state`: one module per step with saved states, imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping

import click

from distinctly.cli import Commands

STEPS = {
    "save": "Save what metrics need of a corpus to a file, so that its texts are not read again.",
    "merge": "Merge the states of several corpora into the state of all of them.",
}
EPILOG = """\b
Examples:
  distinctly state save monday.jsonl --field response -m distinct -m entropy -o monday.state
  distinctly state save tuesday.jsonl --field response -m distinct -m entropy -o tuesday.state
  distinctly state merge monday.state tuesday.state -o week.state
  distinctly measure week.state
  distinctly state save human.txt -m jensen_shannon -m frechet -o human.state
  distinctly compare human.state model.txt
"""


class Steps(Commands):
    """The steps by name."""

    package = "distinctly.cli.state"
    kind = "command"
    known: Mapping[str, str] = STEPS


@click.command("state", cls=Steps, epilog=EPILOG)
def command() -> None:
    """States: counts of texts in files that can be merged, measured and compared without the texts."""
