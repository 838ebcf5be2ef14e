"""`distinctly state merge`: one state of several."""

from __future__ import annotations

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.states import merge_states

EPILOG = """\b
Examples:
  distinctly state merge monday.state tuesday.state -o week.state
"""


@grouped_command("merge", epilog=EPILOG)
@click.argument("states", nargs=-1, required=True, metavar="STATE...")
@option(
    "-o",
    "--output",
    "output_file",
    group="Output",
    required=True,
    metavar="FILE.state",
    help="The file, also of an object store; an existing one is replaced.",
)
def command(states: tuple[str, ...], output_file: str) -> None:
    """Merge STATEs, in this order, into the state of all their texts.

    They must have been saved with the same metrics, tokenizer and embedder.
    """
    merge_states(states, output_file)
    say(f"distinctly: wrote {output_file}", err=True)
