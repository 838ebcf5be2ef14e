"""The JSON API: `POST /api/measure` and `POST /api/compare`."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.web.answering import run_job
from distinctly.web.fields import Field, schema_of
from distinctly.web.jobs import COMPARE, MEASURE, Answer, compare_json, measure_json
from distinctly.web.refusals import RefusalError

router = APIRouter(prefix="/api", tags=["API"])
JSON = "application/json"
_ERRORS = {
    400: "The request is not JSON.",
    413: "The request is too large.",
    415: "The content type is not application/json.",
    422: "A field is missing, unknown or wrong, or a metric does not exist.",
    503: "Too many requests wait, or the computation took too long; see Retry-After.",
}


def described(fields: Mapping[str, Field], example: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """Return the keywords of a route that describe its request and its answers in OpenAPI."""
    error = {"type": "object", "properties": {"error": {"type": "string"}}}
    return {
        "openapi_extra": {
            "requestBody": {
                "required": True,
                "content": {JSON: {"schema": schema_of(fields), "example": dict(example)}},
            }
        },
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


async def answer_json(request: Request, job: Callable[[bytes], Answer]) -> Response:
    """Run a job on the body of a request, which must be JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != JSON:
        raise RefusalError(415, f"Expected the content type {JSON}, got '{kind[:60]}'. Send JSON.")
    body = await request.body()
    return await run_job(request, job, body)
