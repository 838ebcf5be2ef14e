"""The command-line interface: one module per subcommand, imported when it is called."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from collections.abc import Mapping
from typing import NoReturn

import click

from distinctly.errors import DistinctlyError, unknown
from distinctly.version import __version__

COMMANDS = {
    "measure": "How varied is a corpus? Distinct-n, EAD, entropy …",
    "compare": "How far are corpora from a reference? MAUVE, Fréchet, χ² …",
    "judge": "Can a metric be trusted? Trials on corpora of known similarity, diversity, length …",
    "list": "The metrics, tokenizers and embedders, with their options.",
    "cache": "The vectors of texts stored on disk: show or remove them.",
    "demo": "Measure a varied and a repetitive example, and explain the numbers.",
}
EPILOG = """\b
Examples:
  distinctly demo
  distinctly measure outputs.txt
  distinctly measure outputs.jsonl --field text -m distinct:n=2 -m ead:vocabulary=50257
  distinctly measure outputs.txt --require "ead>=0.2"
  distinctly compare human.txt model.txt
  distinctly judge similarity a.txt b.txt
  distinctly list
"""
# Wide terminals show an option and its help on one line.
_SETTINGS = {"help_option_names": ["-h", "--help"], "max_content_width": 100}


class Commands(click.Group):
    """Subcommands by name, each in a module of a package that is imported only when the subcommand runs.

    Subclasses set the package, the subcommands and the word for them.
    """

    package = "distinctly.cli"
    kind = "command"
    known: Mapping[str, str] = COMMANDS

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of the help."""
        return list(self.known)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import the command."""
        if cmd_name not in self.known:
            raise unknown(self.kind, cmd_name, self.known)
        command = importlib.import_module(f"{self.package}.{cmd_name}").command
        if not isinstance(command, click.Command):
            raise TypeError(f"{self.package}.{cmd_name}.command is not a command.")
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section(f"{self.kind.capitalize()}s"):
            formatter.write_dl(list(self.known.items()))


@click.command(cls=Commands, epilog=EPILOG, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="distinctly")
def cli() -> None:
    """Measure how varied texts are and how far from others, with numbers that can be reproduced."""


def _stop(*_: object) -> NoReturn:
    """Exit as after Ctrl-C, so that temporary files are removed."""
    click.echo("distinctly: stopped", err=True)
    sys.exit(143)


def main() -> NoReturn:
    """Run the command; exit with 0 if done, 1 if a requirement is not met, 2 for bad usage or bad input."""
    signal.signal(signal.SIGTERM, _stop)
    try:
        with cli.make_context("distinctly", sys.argv[1:] or ["--help"]) as context:
            status = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as finished:
        status = finished.exit_code
    except (DistinctlyError, click.ClickException) as error:
        message = error.format_message() if isinstance(error, click.ClickException) else str(error)
        # A message may quote any text, including lone surrogates, and is printed on one line.
        shown = " ".join(message.split()).encode("utf-8", "backslashreplace").decode()
        click.echo(f"distinctly: error: {shown}", err=True)
        sys.exit(2)
    except (KeyboardInterrupt, click.Abort):
        click.echo("distinctly: interrupted", err=True)
        sys.exit(130)
    except BrokenPipeError:
        # The reader closed the pipe; leave nothing for the interpreter to flush.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    sys.exit(status if isinstance(status, int) else 0)
