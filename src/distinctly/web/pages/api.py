"""The JSON API: `POST /api/measure`, `POST /api/compare`, and the same for files."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.web.answering import run_job
from distinctly.web.calculating import CALCULATE, calculate_json
from distinctly.web.fields import Field, schema_of
from distinctly.web.file_jobs import COMPARE_FILES, MEASURE_FILES, compare_files, measure_files
from distinctly.web.jobs import COMPARE, MEASURE, Answer, compare_json, measure_json
from distinctly.web.refusals import RefusalError
from distinctly.web.uploads import MULTIPART, uploaded

router = APIRouter(prefix="/api", tags=["API"])
JSON = "application/json"
_ERRORS = {
    400: "The request is not JSON.",
    413: "The request is too large.",
    415: "The content type is another than that of the request above.",
    422: "A field is missing, unknown or wrong, or a metric does not exist.",
    503: "Too many requests wait, or the computation took too long; see Retry-After.",
}


def described(fields: Mapping[str, Field], example: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return the keywords of a route that describe its request and its answers in OpenAPI."""
    return _described(JSON, {"schema": schema_of(fields), "example": dict(example)}, answer)


def described_files(names: Sequence[str], options: Mapping[str, Field], answer: str) -> dict[str, Any]:
    """Return the same for a route that takes a form of files, and further options as JSON."""
    files = {"type": "array", "items": {"type": "string", "format": "binary"}}
    properties = {**dict.fromkeys(names, files), "options": schema_of(options)}
    schema = {"type": "object", "properties": properties, "required": list(names)}
    return _described(
        MULTIPART,
        {"schema": schema, "encoding": {"options": {"contentType": JSON}}},
        answer,
    )


def _described(kind: str, content: Mapping[str, Any], answer: str) -> dict[str, Any]:
    error = {"type": "object", "properties": {"error": {"type": "string"}}}
    return {
        "openapi_extra": {"requestBody": {"required": True, "content": {kind: content}}},
        "responses": {
            200: {"description": answer, "content": {JSON: {"schema": {"type": "object"}}}},
            **{
                status: {"description": meaning, "content": {JSON: {"schema": error}}}
                for status, meaning in _ERRORS.items()
            },
        },
        "response_class": Response,
    }


@router.post(
    "/measure",
    summary="Measure how varied texts are",
    **described(
        MEASURE,
        {"texts": ["the cat sat", "the cat ran"], "metrics": ["distinct:n=2", "ead"]},
        "The same document as `distinctly measure --format json`.",
    ),
)
async def measure(request: Request) -> Response:
    """Return the scores of texts, with notes and signatures."""
    return await answer_json(request, measure_json)


@router.post(
    "/compare",
    summary="Measure how far texts are from a reference",
    **described(
        COMPARE,
        {
            "reference": ["a cat sat", "a dog ran"],
            "candidate": ["a cat sat", "a cat sat"],
            "metrics": ["chi"],
        },
        "The same document as `distinctly compare --format json`.",
    ),
)
async def compare(request: Request) -> Response:
    """Return the distances of one or several candidates from a reference."""
    return await answer_json(request, compare_json)


@router.post(
    "/calculate",
    summary="What the calculator shows",
    **described(
        CALCULATE,
        {"texts": ["the cat sat", "the cat ran"], "n": 2},
        "Scores, values of single texts, and the parts of the texts that are repeated.",
    ),
)
async def calculate(request: Request) -> Response:
    """Return scores, values of the first texts, and repeated n-grams."""
    return await answer_json(request, calculate_json)


@router.post(
    "/files/measure",
    summary="Measure files",
    **described_files(("files",), MEASURE_FILES, "The same document as `distinctly measure --format json`."),
)
async def measure_uploads(request: Request) -> Response:
    """Return the scores of files: .txt, .jsonl, .json, .csv, .tsv, .xlsx, .parquet, also compressed."""
    async with uploaded(request) as form:
        return await run_job(
            request, measure_files, form.files.get("files", []), form.texts.get("options", "{}")
        )


@router.post(
    "/files/compare",
    summary="Compare files",
    **described_files(
        ("reference", "candidates"),
        COMPARE_FILES,
        "The same document as `distinctly compare --format json`.",
    ),
)
async def compare_uploads(request: Request) -> Response:
    """Return the distances of files from the file of the reference."""
    async with uploaded(request) as form:
        files = [*form.files.get("reference", [])[:1], *form.files.get("candidates", [])]
        return await run_job(request, compare_files, files, form.texts.get("options", "{}"))


async def answer_json(request: Request, job: Callable[[bytes], Answer]) -> Response:
    """Run a job on the body of a request, which must be JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusalError(415, f"Expected the content type {JSON}, got '{kind[:60]}'. Send JSON.")
    body = await request.body()
    return await run_job(request, job, body)
