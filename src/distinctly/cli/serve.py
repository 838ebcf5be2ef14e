"""`distinctly serve`: a calculator, comparisons, reports and studies in the browser."""

from __future__ import annotations

import importlib
import os
import socket
from pathlib import Path
from typing import TYPE_CHECKING

import click

from distinctly.cli import say
from distinctly.errors import InputError, SpecError, missing_extra

if TYPE_CHECKING:
    from distinctly.web.settings import Settings

EPILOG = """\b
Examples:
  distinctly serve
  distinctly serve --port 9000 --study ratings.study
  distinctly serve --host 0.0.0.0 --token "$(python -c 'import secrets; print(secrets.token_urlsafe())')"
"""
_PACKAGES = {
    "fastapi": "FastAPI",
    "uvicorn": "uvicorn",
    "jinja2": "Jinja2",
    "python_multipart": "python-multipart",
}
# The variable that holds the token, so that it need not be on the command line, which other users can read.
VARIABLE = "DISTINCTLY_TOKEN"


@click.command("serve", epilog=EPILOG)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    metavar="N",
    help="Port to listen at; 0 for any that is free.  [default: 8765]",
)
@click.option(
    "--host",
    metavar="ADDRESS",
    help="Address to listen at; any but this machine's own needs --token.  [default: 127.0.0.1]",
)
@click.option(
    "--token",
    metavar="SECRET",
    help="Secret of at least 16 characters that every request needs.  [default: $DISTINCTLY_TOKEN]",
)
@click.option(
    "--public-address",
    metavar="URL",
    help="Address of a reverse proxy in front of the server, as https://study.example.org; needs --token.",
)
@click.option(
    "--study",
    "studies",
    multiple=True,
    metavar="FILE",
    help="Study to serve, made by `distinctly study new`; repeatable.  [default: *.study in this folder]",
)
def command(
    port: int | None,
    host: str | None,
    token: str | None,
    public_address: str | None,
    studies: tuple[str, ...],
) -> int:
    """Measure texts in the browser: calculator, comparisons, reports, studies, and a JSON API.

    The server listens on this machine only, unless --host says otherwise. Ctrl-C ends it.
    """
    for module, package in _PACKAGES.items():
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise missing_extra("distinctly serve", package, "web") from error
    from distinctly.web.settings import DEFAULT_HOST, DEFAULT_PORT, Settings

    for study in studies:
        if not Path(study).is_file():
            raise SpecError(f"The study {study} does not exist. Make it with: distinctly study new.")
    settings = Settings(
        host=host or DEFAULT_HOST,
        port=DEFAULT_PORT if port is None else port,
        token=token or os.environ.get(VARIABLE) or None,
        public_address=public_address,
        studies=tuple(Path(study) for study in studies) or _studies_here(),
    )
    _serve(settings)
    return 0


def _studies_here() -> tuple[Path, ...]:
    """Return the studies of the current folder; a file that is no study is named, and left out."""
    from distinctly.studies.store import StudyStore

    studies = []
    for path in sorted(Path().glob("*.study")):
        try:
            StudyStore(path).close()
        except InputError as error:
            say(f"distinctly: {error}", err=True)
        else:
            studies.append(path)
    return tuple(studies)


def _serve(settings: Settings) -> None:
    """Listen until the process is interrupted or stopped."""
    from dataclasses import replace

    import uvicorn

    from distinctly.web.app import create_app

    listening = _listen(settings.host, settings.port)
    with listening:
        settings = replace(settings, port=listening.getsockname()[1])
        config = uvicorn.Config(
            create_app(settings),
            log_level="warning",
            access_log=False,
            server_header=False,
            proxy_headers=False,
            timeout_keep_alive=15,
            timeout_graceful_shutdown=3,
            limit_concurrency=256,
            ws="none",
        )
        public = f"public address: {settings.public_address}; " if settings.public_address else ""
        say(f"distinctly: serving at {settings.address} ({public}Ctrl-C ends it)")
        uvicorn.Server(config).run([listening])


def _listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; if the port is taken, the error suggests another."""
    try:
        family, _, _, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, socket.SOCK_STREAM)
        # On Windows, SO_REUSEADDR would let two programs listen at the same port.
        option = getattr(socket, "SO_EXCLUSIVEADDRUSE", socket.SO_REUSEADDR)
        listening.setsockopt(socket.SOL_SOCKET, option, 1)
    except OSError as error:
        raise SpecError(f"The address {host} cannot be used ({error.strerror or error}).") from error
    try:
        listening.bind(address)
        listening.listen(128)
    except OSError as error:
        listening.close()
        problem = f"Cannot listen at {host}, port {port} ({error.strerror or error})."
        raise SpecError(f"{problem} Try --port {_free_port(family, host)}, or --port 0.") from error
    return listening


def _free_port(family: int, host: str) -> int:
    """Return a port that is free now."""
    try:
        with socket.socket(family, socket.SOCK_STREAM) as probe:
            probe.bind((host, 0))
            number: int = probe.getsockname()[1]
            return number
    except OSError:
        return 0
