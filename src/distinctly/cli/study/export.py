"""`distinctly study export`: answers, sets with their scores, or tasks for Label Studio."""

from __future__ import annotations

import json
from pathlib import Path

import click

from distinctly.cli import say
from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.grouped import option
from distinctly.cli.options import Output
from distinctly.errors import SpecError, unknown

LABEL_STUDIO = "label-studio"
FORMATS = ("csv", "tsv", "json", "jsonl", "xlsx", "parquet", LABEL_STUDIO)
WHAT = ("answers", "sets", "comments")
EPILOG = """\b
Examples:
  distinctly study export responses.study -o answers.csv
  distinctly study export responses.study --what sets -o sets.jsonl
  distinctly judge people sets.jsonl --annotations scores --package package -m ead
  distinctly study export responses.study --format label-studio --annotator ann -o tasks.json
"""


@grouped_command("export", epilog=EPILOG)
@click.argument("file", metavar="STUDY")
@option(
    "--what",
    group="What",
    default="answers",
    metavar="WHAT",
    help="answers, sets (texts and scores by annotator, as `judge people` reads them) or comments.  "
    "[default: answers]",
)
@option(
    "--all", "every", group="What", is_flag=True, help="Every answer, also those that were replaced later."
)
@option(
    "--annotator",
    group="What",
    multiple=True,
    metavar="NAME",
    help="Annotator whose tasks are written for Label Studio; repeatable.  [default: all]",
)
@option(
    "--format",
    "output_format",
    group="Output",
    metavar="FORMAT",
    help="csv, tsv, json (an array), jsonl, xlsx, parquet; or label-studio: tasks in a .json file, and the "
    "labeling configuration in an .xml file beside it.  [default: the ending of the file; csv]",
)
@option(
    "-o", "--output", "output_file", group="Output", metavar="FILE", help="File.  [default: standard output]"
)
@option("--bom", group="Output", is_flag=True, help="Begin csv and tsv with a byte order mark, for Excel.")
@option(
    "--raw-cells", group="Output", is_flag=True, help="Write text cells that look like formulas as they are."
)
def command(
    file: str,
    what: str,
    every: bool | None,
    annotator: tuple[str, ...],
    output_format: str | None,
    output_file: str | None,
    bom: bool | None,
    raw_cells: bool | None,
) -> None:
    """Write the contents of a STUDY, one row per answer: the latest of each annotator and set."""
    if what not in WHAT:
        raise unknown("value", what, WHAT, of="--what")
    if output_format is not None and output_format not in FORMATS:
        raise unknown("format", output_format, FORMATS)
    if every and (what != "answers" or output_format == LABEL_STUDIO):
        raise SpecError("--all is for answers. Leave it out.")
    if output_format == LABEL_STUDIO:
        _write_tasks(file, annotator, output_file)
        return
    if annotator:
        raise SpecError("--annotator is for --format label-studio. Leave it out.")
    target = None if output_file in (None, "-") else output_file
    form = _form(output_format, target)
    _write_rows(file, what, bool(every), Output(form, target, bool(bom), bool(raw_cells)))


def _form(requested: str | None, target: str | None) -> str:
    """Return the format, and check the file before anything is read."""
    if target is None:
        form = requested or "csv"
        if form in ("xlsx", "parquet"):
            raise SpecError(f"--format {form} needs a file: -o FILE.{form}.")
        return form
    from distinctly.report.saving import check_target, format_of

    form = format_of(target, requested)
    if form not in FORMATS:
        raise SpecError(f"Expected a .csv, .tsv, .json, .jsonl, .xlsx or .parquet file, got '{target}'.")
    check_target(target, "scores", form)
    return form


def _write_rows(file: str, what: str, every: bool, output: Output) -> None:
    from distinctly.report.page import Page
    from distinctly.report.saving import write_whole
    from distinctly.studies.exporting import COLUMNS, CONTENTS, answer_rows
    from distinctly.studies.store import StudyStore

    with StudyStore(file) as study:
        rows = answer_rows(study, every=True) if every else CONTENTS[what](study)
    if output.form != "json":
        output.write(Page([], records=lambda: rows, columns=COLUMNS[what], title=what))
        return
    text = json.dumps(rows, indent=1, ensure_ascii=False) + "\n"
    if output.file is None:
        say(text, end="")
        return
    write_whole(output.file, text.encode("utf-8", "backslashreplace"))
    say(f"distinctly: wrote {output.file}", err=True)


def _write_tasks(file: str, annotators: tuple[str, ...], target: str | None) -> None:
    from distinctly.report.saving import check_target, write_whole
    from distinctly.studies.label_studio import labeling_config, tasks_of
    from distinctly.studies.store import StudyStore

    if target is None or Path(target).suffix.lower() != ".json":
        raise SpecError("--format label-studio needs a .json file for the tasks: -o tasks.json.")
    check_target(target)
    config = Path(target).with_suffix(".xml")
    with StudyStore(file) as study:
        known = study.annotators
        for name in annotators:
            if name not in known:
                raise unknown("annotator", name, known)
        tasks = tasks_of(study, list(annotators) or known)
        write_whole(config, labeling_config(study).encode("utf-8", "backslashreplace"))
    write_whole(target, (json.dumps(tasks, indent=1) + "\n").encode())
    say(f"distinctly: wrote {target} ({len(tasks):,} tasks) and {config} (labeling configuration)", err=True)
