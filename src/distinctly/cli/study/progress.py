"""`distinctly study progress`: how far the annotators have come."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any

import click

from distinctly.cli.grouped import command as grouped_command
from distinctly.cli.options import output_of
from distinctly.cli.study.options import output_options


@grouped_command("progress")
@click.argument("file", metavar="STUDY")
@output_options
def command(file: str, **options: Any) -> None:
    """Show how many sets of a STUDY each annotator has scored."""
    from distinctly.report.cells import printable, words
    from distinctly.report.page import Cell, Column, Page, Paragraph, Table
    from distinctly.studies.store import StudyStore

    output = output_of(options)
    with StudyStore(file) as study:
        progress, methods, title = study.progress(), study.methods, study.title
    rows = [
        [
            words(printable(each.annotator)),
            Cell(f"{each.scored:,} of {each.sets:,}", value=each.scored),
            Cell(f"{each.complete:,} of {each.packages:,}", value=each.complete),
            words(each.last.replace("T", " ")[:19] or "–"),
        ]
        for each in progress
    ]
    columns = [
        Column("annotator", "name"),
        Column("sets scored"),
        Column("complete packages"),
        Column("last answer (UTC)", "text"),
    ]
    records = [asdict(each) for each in progress]
    done = sum(each.scored for each in progress)
    total = sum(each.sets for each in progress)
    share = f"{100 * done / max(total, 1):.0f} %"
    head = f"{title}: {len(methods)} methods, {done:,} of {total:,} scores given ({share})."
    output.write(
        Page(
            [Paragraph(head, "header"), Table(columns, rows)],
            document=lambda: {"title": title, "annotators": records},
            records=lambda: records,
            title="progress",
        )
    )
