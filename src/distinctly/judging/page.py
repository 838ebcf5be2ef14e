"""Reports of trials: one module a kind says what is on the page; how it is drawn is said here, once."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass, field

from distinctly.errors import unknown
from distinctly.judging.trial import Trial
from distinctly.report import latex, markdown, write
from distinctly.report.cells import Grid

FORMS = ("table", "json", "csv", "findings", "markdown", "latex")


@dataclass(frozen=True)
class Page:
    """What a reader is shown of a trial.

    Attributes
    ----------
    head
        Lines above the tables: which corpora, how many texts, how often.
    grids
        The tables.
    sentences
        Lines below: what the tables mean, a verdict.
    notes
        What to mind.
    """

    head: Sequence[str] = ()
    grids: Sequence[Grid] = ()
    sentences: Sequence[str] = ()
    notes: Sequence[str] = field(default=())


def page_of(trial: Trial, width: int = 1000) -> Page:
    """Lay a trial out for reading, on a page of that many characters a line."""
    page: Page = importlib.import_module(f"distinctly.judging.{trial.kind}.page").page(trial, width)
    return page


def render_trial(trial: Trial, form: str) -> None:
    """Write a report of a trial to standard output."""
    write(written(trial, form))


def written(trial: Trial, form: str) -> str:
    """Return a report of a trial.

    ``json`` and ``csv`` have all records, so that they can be read again; ``findings`` is CSV of what was
    found.
    """
    if form == "json":
        return json.dumps(trial.document(), indent=1, allow_nan=False) + "\n"
    if form == "csv":
        return trial.csv()
    if form == "findings":
        return _findings(trial)
    if form not in FORMS:
        raise unknown("format", form, FORMS)
    return {"table": _table, "markdown": _markdown, "latex": _latex}[form](trial)


def _findings(trial: Trial) -> str:
    rows = [_flat(one.to_dict()) for one in trial.findings]
    columns = list(dict.fromkeys(key for row in rows for key in row))
    made = io.StringIO()
    table = csv.DictWriter(made, columns, restval="", lineterminator="\n")
    table.writeheader()
    table.writerows(rows)
    return made.getvalue()


def _flat(finding: dict[str, object]) -> dict[str, object]:
    settings, notes = finding.pop("settings"), finding.pop("notes")
    found = {**finding, **(settings if isinstance(settings, dict) else {})}
    return {**found, "notes": " ".join(notes if isinstance(notes, list) else [])}


def _table(trial: Trial) -> str:
    from rich.text import Text

    from distinctly.report.table import drawn, finished, paper

    terminal, width, console, made = paper()
    page = page_of(trial, width)
    for line in page.head:
        console.print(Text(line), soft_wrap=not terminal)
    for grid in page.grids:
        if grid.title:
            console.print(Text(f"\n{grid.title}", style="bold"))
        console.print(drawn(grid))
    for line in page.sentences:
        console.print(Text(line), soft_wrap=not terminal)
    for note in page.notes:
        console.print(Text(f"Note: {note}", style="yellow"), soft_wrap=not terminal)
    return finished(made, terminal)


def _markdown(trial: Trial) -> str:
    page = page_of(trial)
    lines = [line for text in page.head for line in (text, "")]
    lines += [line for grid in page.grids for line in markdown.drawn(grid)]
    lines += [line for text in page.sentences for line in (text, "")]
    return "\n".join([*lines, *(f"> {note}" for note in page.notes)]) + "\n"


def _latex(trial: Trial) -> str:
    page = page_of(trial)
    lines = [line for grid in page.grids for line in latex.drawn(grid)]
    return "\n".join([*(f"% {line}" for line in [*page.head, *page.sentences, *page.notes]), *lines]) + "\n"
