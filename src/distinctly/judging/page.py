"""The page of a trial: one module per kind of trial defines its contents; the formats are those of scores."""

from __future__ import annotations

import importlib
from collections.abc import Iterable, Sequence
from typing import Any

from distinctly.judging.trial import Finding, Trial
from distinctly.report.page import Block, Drawing, Figure, Notes, OwnedNote, Page, Paragraph, Table
from distinctly.score import Note


def page_of(trial: Trial) -> Page:
    """Lay a trial out for reading, with its records and findings for programs."""
    blocks: list[Block] = importlib.import_module(f"distinctly.judging.{trial.kind}.page").blocks(trial)

    # Figures are above the notes.
    notes = next((place for place, block in enumerate(blocks) if isinstance(block, Notes)), len(blocks))

    def draw() -> Sequence[Drawing]:
        from distinctly.judging.figures import drawings

        return drawings(trial)

    return Page(
        [*blocks[:notes], Figure(trial.kind, draw), *blocks[notes:]],
        document=trial.document,
        records=lambda: trial.records,
        settings=trial.header(),
        findings=[_flat(finding) for finding in trial.findings],
        title=f"Trial of metrics: {trial.kind}",
    )


def lay_out(
    headers: Iterable[str],
    tables: Iterable[Table],
    notes: Sequence[OwnedNote],
    *,
    legend: Iterable[str | Paragraph] = (),
    verdicts: Iterable[str] = (),
) -> list[Block]:
    """Return the blocks of a trial in their order: what was measured, the tables, what they mean, notes."""
    return [
        *(Paragraph(text, "header") for text in headers),
        *tables,
        *(text if isinstance(text, Paragraph) else Paragraph(text, "legend") for text in legend),
        *(Paragraph(text, "verdict") for text in verdicts),
        Notes(notes),
    ]


def meaning_of_best(text: str) -> Paragraph:
    """Return the explanation of the best values, which are emphasized."""
    return Paragraph(text, "legend", of_best=True)


def whole_notes(notes: Iterable[str]) -> list[OwnedNote]:
    """Return the notes about a trial as a whole."""
    return [OwnedNote(Note(note, scope="run")) for note in notes]


def _flat(finding: Finding) -> dict[str, Any]:
    """Return a finding as one row: a column per setting, the notes last."""
    row = finding.to_dict()
    settings, notes = row.pop("settings"), row.pop("notes")
    return {**row, **settings, "notes": " ".join(notes)}
