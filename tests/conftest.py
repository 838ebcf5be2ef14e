"""Settings of Hypothesis, and the folders that tests need."""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings
from tests.shared import ROOT, SHARED

from distinctly.engine.warming import loader

# Tests run on two processes already: more threads of libraries would slow them down.
for name in ("OMP", "OPENBLAS", "MKL"):
    os.environ.setdefault(f"{name}_NUM_THREADS", "1")

# No deadline and no randomness, so that slow machines or unlucky draws do not fail.
settings.register_profile(
    "default", deadline=None, derandomize=True, max_examples=60, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("default")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests on the public data sets as slow, so that the others take as long with them as without."""
    for item in items:
        if isinstance(item, pytest.Function) and "shared" in item.fixturenames:
            item.add_marker(pytest.mark.slow)


@pytest.fixture(scope="session")
def root() -> Path:
    return ROOT


@pytest.fixture(scope="session")
def shared() -> Path:
    if not SHARED.is_dir():
        pytest.skip("needs the public data sets in ../shared/data, which are not part of the repository")
    return SHARED


@pytest.fixture(scope="session", autouse=True)
def plain_loops_alone() -> None:
    """Test small inputs on the plain path: no number of calls loads compiled loops in the background."""
    loader.calls = -sys.maxsize


@pytest.fixture(scope="session", autouse=True)
def cache_of_their_own() -> Iterator[None]:
    """Keep vectors out of the user's cache folder, in this process and its children."""
    before = os.environ.get("DISTINCTLY_CACHE")
    with tempfile.TemporaryDirectory() as folder:
        os.environ["DISTINCTLY_CACHE"] = folder
        yield
    if before is None:
        del os.environ["DISTINCTLY_CACHE"]
    else:
        os.environ["DISTINCTLY_CACHE"] = before
