"""The description of the API: a page made from its OpenAPI schema, without scripts of others."""

from __future__ import annotations

from fastapi import APIRouter, Request
from fastapi.responses import Response

from distinctly.web.rendering import page

router = APIRouter(include_in_schema=False)
NAVIGATION = (9, "/docs", "API")


@router.get("/docs")
async def show(request: Request) -> Response:
    """Show the routes, the fields of their requests, and the errors."""
    schema = request.app.openapi()
    routes = [
        {"path": path, "method": method.upper(), **operation}
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
    ]
    return page(request, "docs.html", routes=routes)
