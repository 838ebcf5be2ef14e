"""The comparison of texts with a reference."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.api import DEFAULT_DISTANCES
from distinctly.web.meanings import demonstration, meanings
from distinctly.web.rendering import page

router = APIRouter(include_in_schema=False)
NAVIGATION = (2, "/compare", "Compare")


@router.get("/compare")
async def show(request: Request) -> Response:
    """Show the form; the script fills in the distances."""
    texts, known = demonstration(), meanings(distances=True)
    examples = {
        "reference": texts["english-varied"],
        "candidate": texts["english-repetitive"],
        "meanings": known,
    }
    return page(request, "compare.html", metrics=list(known), defaults=DEFAULT_DISTANCES, examples=examples)
