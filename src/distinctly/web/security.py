"""`Security`: which requests are let in, and the headers of every answer.

A page of a stranger in the same browser can send requests to this server, and a name of the stranger's can
be made to lead to it (DNS rebinding). So the Host header has to name this server, requests that change or
compute something must not come from another site, and no other site may embed or read an answer.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Sequence

from fastapi import Request
from fastapi.responses import RedirectResponse
from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from distinctly.web.refusals import RefusalError, answer_refusal, wants_page
from distinctly.web.settings import Settings

COOKIE = "distinctly"
_SAFE_METHODS = ("GET", "HEAD")
_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


def policy(nonce: str) -> str:
    """Return the Content-Security-Policy of our pages: only scripts with the nonce run."""
    return (
        f"default-src 'none'; script-src 'nonce-{nonce}'; style-src 'self'; connect-src 'self'; "
        "img-src 'self' data:; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
    )


def session_of(token: str) -> str:
    """Return the value of the cookie of a browser that has given the token."""
    return hmac.new(token.encode(), b"distinctly: session of the owner", hashlib.sha256).hexdigest()


def is_equal(given: str, secret: str) -> bool:
    """Return whether two secrets are equal, in a time that tells nothing about where they differ."""
    return hmac.compare_digest(given.encode("utf-8", "surrogatepass"), secret.encode())


class Security:
    """Refuses requests of strangers, and adds headers to all answers.

    Parameters
    ----------
    app
        The application that answers the other requests.
    settings
        The address and the token.
    public
        The beginnings of paths that need no token: the sign-in page, and the links of annotators.
    """

    def __init__(self, app: ASGIApp, settings: Settings, public: Sequence[str]) -> None:
        self.app, self.settings, self.public = app, settings, tuple(public)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008})
            return
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        nonce = secrets.token_urlsafe(18)
        scope.setdefault("state", {})["nonce"] = nonce

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Content-Security-Policy", policy(nonce))
                if "server" in headers:
                    del headers["server"]
            await send(message)

        request = Request(scope)
        problem = self._problem(request)
        if problem is None:
            await self.app(scope, receive, send_with_headers)
        elif problem.status == 401 and wants_page(request):
            await RedirectResponse("/login", 303)(scope, receive, send_with_headers)
        else:
            await answer_refusal(request, problem)(scope, receive, send_with_headers)

    def _problem(self, request: Request) -> RefusalError | None:
        """Return why a request is refused; None if it is not."""
        headers = request.headers
        host = headers.get("host", "")
        if not self.settings.is_known_host(host):
            return RefusalError(
                400, f"Unknown host. Open {self.settings.address} instead (the Host header is checked)."
            )
        if request.method not in _SAFE_METHODS and not _is_same_site(headers, self.settings.origins_at(host)):
            return RefusalError(
                403, "Requests from other sites are refused. Send it from a page of this server."
            )
        if self.settings.token is not None and not request.url.path.startswith(self.public):
            authorized = _has_token(request, self.settings.token)
            if not authorized:
                return RefusalError(
                    401,
                    "This server needs its token: sign in at /login, or send 'Authorization: Bearer TOKEN'.",
                    {"WWW-Authenticate": "Bearer"},
                )
        return None


def _is_same_site(headers: Headers, origins: Sequence[str]) -> bool:
    """Return whether a request comes from our pages, or from a program that is no browser."""
    site, origin = headers.get("sec-fetch-site"), headers.get("origin", origins[0])
    if site == "same-origin":
        # Browsers hide the origin of forms of pages with the policy no-referrer, as ours have.
        return origin in (*origins, "null")
    return site is None and origin in origins


def _has_token(request: Request, token: str) -> bool:
    kind, _, given = request.headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return is_equal(given.strip(), token)
    return is_equal(request.cookies.get(COOKIE, ""), session_of(token))
