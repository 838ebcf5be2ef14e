"""The page of the owner of a study: progress, agreement, means of methods, and the answers as files."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.responses import Response

from distinctly.report.csv import records_as_csv
from distinctly.score import finite
from distinctly.studies.exporting import COLUMNS, answer_rows, comment_rows
from distinctly.studies.live import LiveState
from distinctly.web.answering import run_job
from distinctly.web.jobs import as_json
from distinctly.web.pages.annotating import JSON
from distinctly.web.refusals import NO_PAGE, RefusalError
from distinctly.web.rendering import page
from distinctly.web.served import ServedStudy, studies_of
from distinctly.web.settings import Settings
from distinctly.web.study_jobs import METRICS, analysis_json

router = APIRouter(prefix="/owner", include_in_schema=False)
PUBLIC = ("/owner/",)


def find_study(request: Request, token: str) -> ServedStudy:
    """Return the study whose owner has a secret; an unknown one is answered as a page that does not exist."""
    study = studies_of(request).owner(token)
    if study is None:
        raise RefusalError(404, NO_PAGE)
    return study


StudyOfLink = Annotated[ServedStudy, Depends(find_study)]


@router.get("/{token}")
def show(request: Request, study: StudyOfLink) -> Response:
    """Show the page, which a script fills and keeps up to date."""
    store = study.store
    return page(
        request,
        "owner.html",
        title=store.title,
        low=store.low,
        high=store.high,
        notes=store.notes,
        metrics=" ".join(METRICS),
    )


@router.get("/{token}/state")
def show_state(study: StudyOfLink) -> Response:
    """Return the present state of the study."""
    return Response(as_json(_document(study.state())), media_type=JSON)


@router.post("/{token}/correlations")
async def correlate(request: Request, study: StudyOfLink) -> Response:
    """Return the analysis of the study: agreement, and the correlations of metrics with people."""
    settings: Settings = request.app.state.settings
    body = await request.body()
    path = str(study.store.path.resolve())
    return await run_job(request, analysis_json, path, body, seconds=settings.report_seconds)


@router.get("/{token}/answers.csv")
def download_csv(study: StudyOfLink) -> Response:
    """Return the latest answers, one per row, as `distinctly study export` writes them."""
    text = records_as_csv(answer_rows(study.store), COLUMNS["answers"])
    return _download(text.encode("utf-8", "replace"), "answers.csv", "text/csv; charset=utf-8")


@router.get("/{token}/answers.json")
def download_json(study: StudyOfLink) -> Response:
    """Return all answers in the order of saving, and all comments."""
    document = {
        "title": study.store.title,
        "scale": [study.store.low, study.store.high],
        "answers": answer_rows(study.store, every=True),
        "comments": comment_rows(study.store),
    }
    return _download(as_json(document), "answers.json", JSON)


def _download(body: bytes, name: str, kind: str) -> Response:
    return Response(body, headers={"Content-Disposition": f'attachment; filename="{name}"'}, media_type=kind)


def _document(state: LiveState) -> dict[str, object]:
    annotators = []
    for progress in state.progress:
        agreement = state.agreement.get(progress.annotator)
        annotators.append(
            {
                "annotator": progress.annotator,
                "scored": progress.scored,
                "sets": progress.sets,
                "complete": progress.complete,
                "packages": progress.packages,
                "last": progress.last,
                "last_hour": state.per_annotator.get(progress.annotator, 0),
                "simulated": progress.simulated,
                "average": None if agreement is None else finite(agreement.average),
                "others": None if agreement is None else finite(agreement.others),
            }
        )
    return {
        "annotators": annotators,
        "answers": state.answers,
        "changed": state.changed,
        "comments": state.comments,
        "last_hour": sum(state.per_annotator.values()),
        "hours": list(state.hours),
        "methods": [
            {"method": each.method, "mean": each.mean, "scores": each.scores} for each in state.methods
        ],
    }
