"""Pages: Jinja templates that escape everything, with the nonce of the request."""

from __future__ import annotations

import functools
from pathlib import Path

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined

from distinctly.version import __version__

FOLDER = Path(__file__).parent
STATIC = {path.name: path for path in (FOLDER / "static").iterdir() if path.is_file()}


@functools.cache
def templates() -> Environment:
    """Return the templates; every value is escaped, and a missing one is an error."""
    return Environment(
        loader=FileSystemLoader(FOLDER / "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )


def page(
    request: Request,
    template: str,
    status: int = 200,
    headers: dict[str, str] | None = None,
    **context: object,
) -> HTMLResponse:
    """Return a page.

    Parameters
    ----------
    request
        The request, which has the nonce of its scripts.
    template
        The name of the template.
    status, headers
        The HTTP status, and further headers.
    context
        The values that the template shows. It also knows `request`, `nonce`, `links` (the navigation),
        `settings` and `version`.
    """
    state = request.app.state
    html = (
        templates()
        .get_template(template)
        .render(
            request=request,
            nonce=request.state.nonce,
            links=state.links,
            settings=state.settings,
            signed_in=state.settings.token is not None,
            version=__version__,
            **context,
        )
    )
    # A title may have half of a surrogate pair, which UTF-8 does not have.
    return HTMLResponse(html.encode("utf-8", "replace"), status, headers)
