"""Fixtures shared by the tests of sources, commands and reports; see their conftest.py."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Run = Callable[..., subprocess.CompletedProcess]
Save = Callable[[str, "str | bytes"], Path]


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Write a file without converting line ends, and return its path."""

    def write(name: str, content: str | bytes) -> Path:
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


@pytest.fixture
def command(tmp_path: Path) -> Run:
    """Run `python -m distinctly` in the folder of the test, as a user would."""

    def run(
        *arguments: object,
        given: str | bytes = b"",
        environment: dict[str, str] | None = None,
        timeout: int = 60,
        raw: bool = False,
    ) -> subprocess.CompletedProcess:
        done = subprocess.run(
            [sys.executable, "-m", "distinctly", *map(str, arguments)],
            input=given.encode() if isinstance(given, str) else given,
            capture_output=True,
            cwd=tmp_path,
            env={**os.environ, "PYTHONIOENCODING": "utf-8", **(environment or {})},
            timeout=timeout,
            check=False,
        )
        if not raw:
            done.stdout, done.stderr = done.stdout.decode(), done.stderr.decode()
        return done

    return run
