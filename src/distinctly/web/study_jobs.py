"""The analysis of a study as a job of a worker process."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from distinctly.report.page import Notes, Page, Paragraph, Table
from distinctly.web import fields
from distinctly.web.fields import Field, read_body
from distinctly.web.jobs import RUN, Answer, answered

# The metrics that the page proposes.
METRICS = ("distinct:n=1", "distinct:n=2", "ead", "mattr", "self_bleu")
ANALYSIS: Mapping[str, Field] = {
    "metrics": fields.METRICS,
    "rescale": fields.choice("How scores are treated: none, or package.", "none", "package"),
    "agreement_with": fields.choice("What annotators are compared with.", "average", "others"),
}


def analysis_json(path: str, body: bytes) -> Answer:
    """Analyse a study, and return the blocks of the page of `distinctly study analyse`."""
    return answered(lambda: _analysed(path, read_body(body, ANALYSIS)))


def _analysed(path: str, request: dict[str, Any]) -> dict[str, Any]:
    from distinctly.studies.analysis import analyse
    from distinctly.studies.page import page_of_analysis
    from distinctly.studies.store import StudyStore

    with StudyStore(path) as study:
        analysis = analyse(study, request.pop("metrics", list(METRICS)), **request, **RUN)
    return {"blocks": list(blocks_of(page_of_analysis(analysis)))}


def blocks_of(page: Page) -> Iterator[dict[str, Any]]:
    """Yield the paragraphs, tables and notes of a page as plain data."""
    for block in page.blocks:
        if isinstance(block, Paragraph):
            yield {"kind": "paragraph", "text": block.plain}
        elif isinstance(block, Notes):
            yield {"kind": "notes", "items": [note.text for note in block.items]}
        elif isinstance(block, Table):
            yield {
                "kind": "table",
                "title": block.title,
                "meaning": block.meaning,
                "columns": [{"title": column.title, "kind": column.kind} for column in block.columns],
                "rows": [[{"text": cell.marked, "best": cell.best} for cell in row] for row in block.rows],
                "sections": sorted(block.sections),
            }
