"""The command-line interface: one module per subcommand, imported when it is called."""

from __future__ import annotations

import contextlib
import importlib
import logging
import os
import signal
import sys
import traceback
import warnings
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NoReturn

import click

from distinctly.cli.streams import discard, is_left, prepare
from distinctly.errors import DistinctlyError, ResourceError, escaped, is_full, reason, unknown
from distinctly.version import __version__

COMMANDS = {
    "measure": "How varied is a corpus? Distinct-n, EAD, entropy …",
    "compare": "How far are corpora from a reference? MAUVE, Fréchet, χ² …",
    "keyness": "Which words and phrases does a corpus use more often than another?",
    "collocations": "Which words occur near a word more often than elsewhere?",
    "rarefaction": "How do numbers of distinct n-grams grow with the size of a corpus? Accumulation curves.",
    "homogeneity": "How alike do systems answer the same prompts? All pairs, beside other prompts.",
    "report": "One page to hand to others: charts, tables, distances, a map of the texts …",
    "judge": "Can a metric be trusted? Trials on corpora of known similarity, diversity, length …",
    "study": "What do people say? Annotation studies: make them, analyse them, plan their size.",
    "serve": "Calculator, comparisons, reports and studies in the browser, and a JSON API.",
    "state": "Counts of texts in files, to merge, measure and compare without reading the texts again.",
    "list": "The metrics, tokenizers and embedders, with their options.",
    "cache": "The vectors of texts stored on disk: show or remove them.",
    "demo": "Measure a varied and a repetitive example, and explain the numbers.",
}
EPILOG = """\b
Examples:
  distinctly demo
  distinctly measure outputs.txt
  distinctly measure outputs.jsonl --field response -m distinct:n=2 -m ead:vocabulary=50257
  distinctly measure outputs.txt --require "duplicates<=0.1"
  distinctly compare human.txt model.txt
  distinctly report a.txt b.txt c.txt -o report.html
  distinctly judge similarity a.txt b.txt
  distinctly list
\b
Exit status:
  0  done
  1  a requirement (--require) is not met
  2  an error in the command or the data, explained in one line
  3  a crash, a full disk or a lack of memory; DISTINCTLY_TRACEBACK=1 shows where
  130, 143  interrupted, stopped
"""
# The variable that shows where an error was raised.
TRACEBACK = "DISTINCTLY_TRACEBACK"
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
        return [*self.known]  # `list` may be the module of that subcommand

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command:
        """Import the command."""
        if cmd_name not in self.known:
            raise unknown(self.kind, cmd_name, self.known)
        module = f"{self.package}.{self.module_of(cmd_name)}"
        command = importlib.import_module(module).command
        if not isinstance(command, click.Command):
            raise TypeError(f"{module}.command is not a command.")
        return command

    def module_of(self, name: str) -> str:
        """Return the name of the module of a command."""
        return name

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List the commands without importing them."""
        with formatter.section(f"{self.kind.capitalize()}s"):
            formatter.write_dl([*self.known.items()])


@click.command(cls=Commands, epilog=EPILOG, context_settings=_SETTINGS)
@click.version_option(__version__, prog_name="distinctly")
def cli() -> None:
    """Measure how varied texts are and how far from others, with numbers that can be reproduced."""


def say(text: str, *, err: bool = False, end: str = "\n", as_it_is: bool = False) -> None:
    """Write lines of text to standard output or standard error; the command writes nothing in another way.

    Text may quote any data, so characters that a terminal obeys or hides are escaped. Characters that the
    encoding of the output does not have are escaped too.

    Parameters
    ----------
    text
        The lines.
    err
        Whether to write to standard error.
    end
        What to write after the text.
    as_it_is
        Whether the text is written unchanged: a table with colours, whose cells have been escaped, or a
        format for programs that goes to a file.

    Raises
    ------
    ResourceError
        If standard output cannot be written, usually since a disk is full.
    """
    stream = sys.stderr if err else sys.stdout
    if not as_it_is:
        text = "\n".join(line if line.isprintable() else escaped(line) for line in text.split("\n"))
    encoding = getattr(stream, "encoding", None) or "utf-8"
    try:
        stream.write((text + end).encode(encoding, "backslashreplace").decode(encoding))
        stream.flush()
    except OSError as problem:
        if is_left(problem) and not err:
            raise BrokenPipeError from problem
        discard(stream)
        if not err:
            raise ResourceError(
                f"Standard output cannot be written: {problem.strerror or problem}."
            ) from problem


def one_line(message: object) -> str:
    """Return a message on one line."""
    return " ".join(str(message).split())


class _Stopped(BaseException):
    """The process was asked to end; not an `Exception`, and not what a function of the user may raise."""


def _stop(*_: object) -> NoReturn:
    """Exit as after Ctrl-C, so that temporary files are removed."""
    raise _Stopped


class _Log(logging.Handler):
    """Writes the warnings of libraries, each on one line."""

    def emit(self, record: logging.LogRecord) -> None:
        """Write a warning."""
        try:
            message = record.getMessage()
        except (TypeError, ValueError):  # its values do not fit its text
            message = str(record.msg)
        say(f"distinctly: warning: {one_line(message)}", err=True)


@contextlib.contextmanager
def _saying_warnings() -> Iterator[None]:
    """Write the warnings of libraries as the command writes its own."""

    def warn(message: Warning | str, *_: object, **__: object) -> None:
        say(f"distinctly: warning: {one_line(message)}", err=True)

    root, handler = logging.getLogger(), _Log(logging.WARNING)
    root.addHandler(handler)
    with warnings.catch_warnings():
        warnings.showwarning = warn
        try:
            yield
        finally:
            root.removeHandler(handler)


def main() -> NoReturn:
    """Run the command, and exit with one of the statuses that the help lists."""
    signal.signal(signal.SIGTERM, _stop)
    prepare()
    if sys.stdout is None:
        say("distinctly: error: Standard output is closed.", err=True)
        sys.exit(3)
    with _saying_warnings():
        status = _status()
    sys.exit(status)


def _status() -> int:
    """Run the command, write what went wrong, and return the exit status."""
    problem: BaseException
    try:
        with cli.make_context("distinctly", sys.argv[1:] or ["--help"]) as context:
            status = cli.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as finished:
        return finished.exit_code
    except (KeyboardInterrupt, click.Abort):
        say("distinctly: interrupted", err=True)
        return 130
    except _Stopped:
        say("distinctly: stopped", err=True)
        return 143
    except BrokenPipeError:
        discard(sys.stdout)  # the reader has closed the pipe
        return 0
    except click.ClickException as error:
        code, message, problem = 2, f"error: {error.format_message()}", error
    except ResourceError as error:
        code, message, problem = 3, f"error: {error}", error
    except DistinctlyError as error:
        code, message, problem = 2, f"error: {error}", error
    except Exception as error:
        code, message, problem = 3, _crash(error), error
    else:
        return status if isinstance(status, int) else 0
    if os.environ.get(TRACEBACK):
        say("".join(traceback.format_exception(problem)), err=True, end="")
    say(f"distinctly: {one_line(message)}", err=True)
    return code


def _crash(error: Exception) -> str:
    """Return the message for an exception that no part of the program expected."""
    if isinstance(error, MemoryError) or type(error).__name__ == "OutOfMemoryError":  # the latter is torch's
        return (
            f"error: There is not enough memory ({reason(error)}). Measure fewer texts or metrics at a time, "
            "or keep fewer counts in memory with --memory."
        )
    if isinstance(error, OSError) and is_full(error):
        discard(sys.stdout)  # it may be what is full
        where = f" {error.filename}" if error.filename else ""
        return f"error: There is no space left to write{where} ({error.strerror})."
    frames = traceback.extract_tb(error.__traceback__)
    where = f" ({Path(frames[-1].filename).name}, line {frames[-1].lineno})" if frames else ""
    return (
        f"internal error: {type(error).__name__}: {reason(error)}{where}. This is a bug of distinctly "
        f"{__version__}: please report it, with the output of the same command after {TRACEBACK}=1."
    )
