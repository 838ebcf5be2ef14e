"""`distinctly study import`: the answers that Label Studio has exported."""

from __future__ import annotations

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command

EPILOG = """\b
Examples:
  distinctly study export responses.study --format label-studio --annotator ann -o ann.json
  distinctly study import responses.study export-of-label-studio.json
"""


@grouped_command("import", epilog=EPILOG)
@click.argument("file", metavar="STUDY")
@click.argument("answers", metavar="ANSWERS")
def command(file: str, answers: str) -> None:
    """Read the ANSWERS to tasks of a STUDY that Label Studio has exported, as JSON or JSON-MIN.

    Answers are matched by the study, annotator and package in the data of each task. If one of them does not
    exist, nothing is imported. What was imported before is not stored again.
    """
    from distinctly.studies.label_studio import import_answers
    from distinctly.studies.store import StudyStore

    with StudyStore(file) as study:
        total, new = import_answers(study, answers)
    known = f"; {total - new:,} were known" if new < total else ""
    say(f"{total:,} answers read, {new:,} of them new{known}.")
