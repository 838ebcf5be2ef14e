"""`RefusalError`: why a request is refused, as an HTTP status and one line with a remedy."""

from __future__ import annotations

from http import HTTPStatus

from fastapi import Request
from fastapi.responses import JSONResponse, Response

from distinctly.web.rendering import page

# The beginnings of the secret links of a study.
PEOPLE = ("/study/", "/owner/")
NO_PAGE = "This page does not exist. Check that the address is complete."


class RefusalError(Exception):
    """A request that cannot be answered.

    Parameters
    ----------
    status
        The HTTP status.
    message
        What was expected, what came, and what to do, in one line.
    headers
        Further headers of the answer.
    """

    def __init__(self, status: int, message: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(message)
        self.status, self.message, self.headers = status, message, headers or {}

    def __reduce__(self) -> tuple[object, ...]:
        return (type(self), (self.status, self.message, self.headers))


def answer_refusal(request: Request, problem: RefusalError) -> Response:
    """Return the answer to a request that is refused: JSON for programs, a page for browsers."""
    if wants_page(request):
        title = HTTPStatus(problem.status).phrase
        # People of a study are shown no other pages of the server.
        template = "plain.html" if request.url.path.startswith(PEOPLE) else "problem.html"
        return page(request, template, problem.status, problem.headers, title=title, message=problem.message)
    return JSONResponse({"error": problem.message}, problem.status, problem.headers)


def wants_page(request: Request) -> bool:
    """Return whether the client is a browser that shows what it gets."""
    return not request.url.path.startswith("/api") and "text/html" in request.headers.get("accept", "")
