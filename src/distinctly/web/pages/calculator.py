"""The calculator: paste texts, and read their scores."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.web.rendering import page

router = APIRouter(include_in_schema=False)
NAVIGATION = (1, "/", "Calculator")


@router.get("/")
async def show(request: Request) -> Response:
    """Show the calculator."""
    return page(request, "calculator.html")
