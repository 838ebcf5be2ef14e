"""The calculator: paste texts, and read their scores."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.api import COUNTED_METRICS
from distinctly.web.meanings import demonstration, meanings
from distinctly.web.rendering import page

router = APIRouter(include_in_schema=False)
NAVIGATION = (1, "/", "Calculator")


@router.get("/")
async def show(request: Request) -> Response:
    """Show the calculator."""
    texts, known = demonstration(), meanings(distances=False)
    examples = {
        "english": texts["english-repetitive"],
        "chinese": texts["chinese-repetitive"],
        "meanings": known,
        "file_metrics": COUNTED_METRICS,
    }
    return page(request, "calculator.html", metrics=list(known), examples=examples)
