"""A server for the tests of this folder."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from fastapi.testclient import TestClient
from tests.cli.fixtures import command, save

from distinctly.web.app import create_app
from distinctly.web.settings import Settings

__all__ = ["command", "save"]
ADDRESS = "http://127.0.0.1:8765"


@pytest.fixture(scope="module")
def client() -> Iterator[TestClient]:
    """A client of a server with one worker process."""
    with TestClient(create_app(Settings(workers=1)), base_url=ADDRESS) as started:
        yield started
