"""The report: upload files, and get one page with tables, plots and examples."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.web.rendering import page

router = APIRouter(include_in_schema=False)
NAVIGATION = (3, "/report", "Report")


@router.get("/report")
async def show(request: Request) -> Response:
    """Show the form."""
    return page(request, "report.html", problem="", given={})
