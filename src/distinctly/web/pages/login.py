"""The sign-in page of a server with a token."""

from __future__ import annotations

import asyncio
from urllib.parse import parse_qs

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from distinctly.web.refusals import RefusalError
from distinctly.web.rendering import page
from distinctly.web.security import COOKIE, is_equal, session_of
from distinctly.web.settings import Settings

router = APIRouter(include_in_schema=False)
FORM = "application/x-www-form-urlencoded"
LONGEST = 4096
# The number of seconds before a wrong token is answered.
DELAY = 0.5
# With the policy of the other pages, a browser hides the origin of the form. Without encryption, it also does
# not say that the form is ours, and signing in would be refused. The address of this page has no secret.
HEADERS = {"Referrer-Policy": "same-origin"}


@router.get("/login")
async def show(request: Request) -> Response:
    """Show the form."""
    return page(request, "login.html", headers=HEADERS, problem="")


@router.post("/login")
async def sign_in(request: Request) -> Response:
    """Set the cookie of the owner, if the token is right."""
    settings: Settings = request.app.state.settings
    if settings.token is None:
        return RedirectResponse("/", 303)
    if request.headers.get("content-type", "").partition(";")[0] != FORM:
        raise RefusalError(415, f"Expected a form ({FORM}) with the field token.")
    body = await request.body()
    given = parse_qs(body[:LONGEST].decode("utf-8", "replace")).get("token", [""])[0]
    if not is_equal(given.strip(), settings.token):
        await asyncio.sleep(DELAY)
        return page(request, "login.html", 401, HEADERS, problem="This is not the token of the server.")
    response = RedirectResponse("/", 303)
    # Browsers send a secure cookie over an encrypted connection only, or to this machine.
    secure = (settings.public_address or "").startswith("https:")
    response.set_cookie(COOKIE, session_of(settings.token), httponly=True, samesite="strict", secure=secure)
    return response
