"""`distinctly study`: one module per step of an annotation study, imported when it is called."""

from __future__ import annotations

from collections.abc import Mapping

import click

from distinctly.cli import Commands

STEPS = {
    "new": "Draw sets of responses for annotators, and make a secret link for each of them.",
    "links": "Make a new link for an annotator, or for the owner.",
    "progress": "Show how far the annotators have come.",
    "export": "Write the answers, the sets with their scores, or tasks for Label Studio.",
    "import": "Read the answers that Label Studio has exported.",
    "analyse": "Agreement of the annotators, scores of the methods, and metrics that agree with them.",
    "simulate": "Fill a study with answers of simulated annotators, whose truth is known.",
    "power": "How many sets and annotators are needed to tell two metrics apart?",
}
EPILOG = """\b
Examples:
  distinctly study new responses.jsonl --by method --group prompt --sets 100 --per-set 15 \\
      --annotators 3 --scale 1 50
  distinctly serve --study responses.study
  distinctly study progress responses.study
  distinctly study analyse responses.study -m distinct:n=1 -m ead
  distinctly study export responses.study -o answers.csv
  distinctly study power --with-people 0.7 0.6 --metrics-correlation 0.9
"""
# The name of a module must not be a word of Python.
_MODULES = {"import": "import_"}


class Steps(Commands):
    """The steps by name."""

    package = "distinctly.cli.study"
    kind = "command"
    known: Mapping[str, str] = STEPS

    def module_of(self, name: str) -> str:
        """Return the module of a step."""
        return _MODULES.get(name, name)


@click.command("study", cls=Steps, epilog=EPILOG)
def command() -> None:
    """Ask people: annotators score the diversity of sets of texts, as in Liu et al. (2022)."""
