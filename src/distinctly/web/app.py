"""`create_app`: the web application, made of one router per file of `pages`."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from types import ModuleType

from fastapi import FastAPI, Request
from fastapi.responses import FileResponse, Response
from starlette.exceptions import HTTPException

from distinctly.version import __version__
from distinctly.web import pages
from distinctly.web.limits import Limits
from distinctly.web.refusals import NO_PAGE, PEOPLE, RefusalError, answer_refusal
from distinctly.web.rendering import STATIC
from distinctly.web.security import Security
from distinctly.web.served import Studies
from distinctly.web.settings import Settings
from distinctly.web.workers import ClientLeftError, Workers

# Paths that need no token; pages add theirs by `PUBLIC`.
PUBLIC = ("/login", "/static/")
_CONTENT_TYPES = {".css": "text/css", ".js": "text/javascript", ".svg": "image/svg+xml"}


@dataclass(frozen=True)
class Link:
    """An entry of the navigation."""

    path: str
    title: str


def create_app(settings: Settings) -> FastAPI:
    """Return the application.

    Every module of `pages` is a page: it has a `router`. It may declare ``NAVIGATION = (place, path,
    title)``, to be in the navigation, and ``PUBLIC``, the beginnings of paths that need no token.

    Parameters
    ----------
    settings
        The address, the token, the studies and the limits; also available as ``request.app.state.settings``.
    """
    workers = Workers(settings.workers, settings.queue_limit)
    studies = Studies(settings.studies)

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        workers.start()
        yield
        workers.stop()
        studies.close()

    app = FastAPI(
        title="distinctly",
        version=__version__,
        description="How varied texts are, and how far from a reference: the numbers of the command as JSON.",
        docs_url=None,
        redoc_url=None,
        lifespan=lifespan,
    )
    modules = _modules()
    app.state.settings, app.state.workers, app.state.studies = settings, workers, studies
    app.state.links = _links(modules)
    for module in modules:
        app.include_router(module.router)
    public = [*PUBLIC, *(path for module in modules for path in getattr(module, "PUBLIC", ()))]
    # The last that is added is the first that a request meets.
    app.add_middleware(Limits, settings=settings)
    app.add_middleware(Security, settings=settings, public=public)
    app.add_api_route("/static/{name}", _static, include_in_schema=False)
    app.add_exception_handler(RefusalError, _on_refusal)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(ClientLeftError, _on_client_left)
    return app


def _modules() -> list[ModuleType]:
    """Return the modules of pages."""
    return [
        importlib.import_module(f"{pages.__name__}.{module.name}")
        for module in pkgutil.iter_modules(pages.__path__)
        if not module.name.startswith("_")
    ]


def _links(modules: Sequence[ModuleType]) -> list[Link]:
    entries = sorted(module.NAVIGATION for module in modules if hasattr(module, "NAVIGATION"))
    return [Link(path, title) for _, path, title in entries]


async def _static(name: str) -> Response:
    """Return a style sheet, script or picture of the package; other files are never opened."""
    if name not in STATIC:
        raise RefusalError(404, "There is no such file.")
    return FileResponse(STATIC[name], media_type=_CONTENT_TYPES[STATIC[name].suffix])


async def _on_refusal(request: Request, error: Exception) -> Response:
    if not isinstance(error, RefusalError):
        raise error
    return answer_refusal(request, error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    """Answer an error of the framework, such as an unknown path or a wrong method."""
    if not isinstance(error, HTTPException):
        raise error
    messages = {
        404: "There is no such page. The pages are linked at /, the API is described at /docs.",
        405: f"The method {request.method} does not apply here. See /docs.",
    }
    if request.url.path.startswith(PEOPLE):
        messages[404] = NO_PAGE
    message = messages.get(error.status_code, str(error.detail))
    return answer_refusal(request, RefusalError(error.status_code, message, dict(error.headers or {})))


async def _on_client_left(_: Request, __: Exception) -> Response:
    return Response(status_code=499)
