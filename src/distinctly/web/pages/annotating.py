"""The pages of annotators: instructions, packages of sets in columns, and the saving of every score.

Who has the secret of a link is an annotator, and sees only what `StudyStore.shown` returns.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Callable
from typing import Annotated

from fastapi import APIRouter, Depends, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import Response

from distinctly.errors import DistinctlyError
from distinctly.studies.model import AnswerError
from distinctly.web.jobs import as_json
from distinctly.web.languages import direction_of
from distinctly.web.markdown import as_html
from distinctly.web.refusals import NO_PAGE, RefusalError
from distinctly.web.rendering import page
from distinctly.web.served import ServedStudy, studies_of

router = APIRouter(prefix="/study", include_in_schema=False)
PUBLIC = ("/study/",)
JSON = "application/json"
# The most bytes of an answer or a comment; a comment has 10,000 characters of up to 12 bytes each in JSON.
BODY_LIMIT = 150_000


class Annotator:
    """The annotator who has the secret of a link, and the study."""

    def __init__(self, study: ServedStudy, name: str) -> None:
        self.study, self.store, self.name = study, study.store, name


def find_annotator(request: Request, token: str) -> Annotator:
    """Return the annotator with a secret; an unknown one is answered as a page that does not exist."""
    with_study = studies_of(request).annotator(token)
    if with_study is None:
        raise RefusalError(404, NO_PAGE)
    return Annotator(*with_study)


AnnotatorOfLink = Annotated[Annotator, Depends(find_annotator)]


@router.get("/{token}")
def show(request: Request, token: str, annotator: AnnotatorOfLink) -> Response:
    """Show the instructions; a script shows the packages."""
    study = annotator.store
    places = study.packages_of(annotator.name)
    return page(
        request,
        "study.html",
        title=study.title,
        instructions=as_html(study.instructions),
        example=as_html(study.example),
        question=study.question,
        language=study.language,
        direction=direction_of(study.language),
        low=study.low,
        high=study.high,
        step=step_of(study.low, study.high),
        packages=len(places),
        complete=sum(place.complete for place in places),
        first=next((place.place for place in places if not place.complete), 0),
        started=any(place.scored for place in places),
        # What the browser keeps of answers that are not saved yet is under this name, not under the secret.
        memory=hashlib.sha256(f"memory of {token}".encode("utf-8", "replace")).hexdigest()[:16],
    )


@router.get("/{token}/packages/{place}")
def show_package(place: int, annotator: AnnotatorOfLink) -> Response:
    """Return the sets of a package in the annotator's order, and the packages that are not complete."""
    try:
        shown = annotator.store.shown(annotator.name, place)
    except AnswerError as error:
        raise RefusalError(404, str(error)) from None
    places = annotator.store.packages_of(annotator.name)
    document = {
        "package": shown.place,
        "packages": shown.places,
        "sets": [
            {"column": each.column, "label": each.label, "texts": list(each.texts), "score": each.score}
            for each in shown.sets
        ],
        "comment": shown.comment,
        "incomplete": [state.place for state in places if not state.complete],
    }
    return Response(as_json(document), media_type=JSON)


@router.post("/{token}/answers")
async def save_answer(request: Request, annotator: AnnotatorOfLink) -> Response:
    """Save a score: ``{"package", "column", "score", "key"}``; answered when it is on the disk."""
    return await _save(request, annotator, ServedStudy.save, ("package", "column", "score", "key"))


@router.post("/{token}/comments")
async def save_comment(request: Request, annotator: AnnotatorOfLink) -> Response:
    """Save a comment on a package: ``{"package", "text", "key"}``."""
    return await _save(request, annotator, ServedStudy.comment, ("package", "text", "key"))


async def _save(
    request: Request,
    annotator: Annotator,
    write: Callable[[ServedStudy, str, dict[str, object]], None],
    names: tuple[str, ...],
) -> Response:
    values = await _read(request, names)
    try:
        await run_in_threadpool(write, annotator.study, annotator.name, values)
    except AnswerError as error:
        raise RefusalError(422, str(error)) from None
    except DistinctlyError:  # whose message names a file of this machine
        raise RefusalError(
            503, "This is not saved: the server cannot write to its disk. Please tell the owner of the study."
        ) from None
    return Response(as_json({"saved": True, "key": values["key"]}), media_type=JSON)


async def _read(request: Request, names: tuple[str, ...]) -> dict[str, object]:
    """Return the fields of a small JSON object."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusalError(415, f"Expected the content type {JSON}.")
    body = b""
    async for piece in request.stream():
        body += piece
        if len(body) > BODY_LIMIT:
            raise RefusalError(413, f"Expected at most {BODY_LIMIT:,} bytes.")
    try:
        values = json.loads(body)
    except (ValueError, RecursionError):
        raise RefusalError(400, "Expected a JSON object.") from None
    if not isinstance(values, dict) or set(values) != set(names):
        raise RefusalError(422, f"Expected a JSON object with the fields {', '.join(names)}.")
    return values


def step_of(low: float, high: float) -> float:
    """Return the step of a scale: 1 between whole numbers, or about a hundredth of a short scale.

    Examples
    --------
    >>> step_of(1, 50), step_of(1, 5), step_of(0, 1), step_of(0, 2.5)
    (1.0, 1.0, 0.01, 0.01)
    """
    if float(low).is_integer() and float(high).is_integer() and high - low >= 2:
        return 1.0
    return float(10.0 ** math.floor(math.log10((high - low) / 50)))
