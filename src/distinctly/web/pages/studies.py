"""The studies of this server: their titles, and how far they have come."""

from __future__ import annotations

from dataclasses import dataclass

from fastapi import APIRouter, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from distinctly.studies.store import StudyStore
from distinctly.web.rendering import page
from distinctly.web.served import studies_of

router = APIRouter(include_in_schema=False)
NAVIGATION = (4, "/studies", "Studies")


@dataclass(frozen=True)
class Counts:
    """How far a study has come."""

    title: str
    annotators: int
    packages: int
    sets: int
    scored: int
    wanted: int


@router.get("/studies")
async def show(request: Request) -> Response:
    """List the studies, without links: only hashes of their secrets are stored."""
    counts = [await run_in_threadpool(_counts, study.store) for study in studies_of(request).served]
    return page(request, "studies.html", studies=counts)


def _counts(study: StudyStore) -> Counts:
    progress = study.progress()
    return Counts(
        study.title,
        len(progress),
        max((each.packages for each in progress), default=0),
        len(study.methods),
        sum(each.scored for each in progress),
        sum(each.sets for each in progress),
    )
