"""A real browser for tests: the Chromium of the system, driven by Playwright."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright
from tests.browser.watching import Watched
from tests.cli.fixtures import command, save

__all__ = ["command", "save"]
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOLDER = Path(__file__).parent


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark all tests of this folder as slow."""
    for item in items:
        if FOLDER in item.path.parents:
            item.add_marker(pytest.mark.slow)


def chromium() -> str | None:
    """Return the path of Chromium: that of the variable CHROMIUM, or the first on the path."""
    paths = (os.environ.get("CHROMIUM"), *map(shutil.which, NAMES))
    return next((path for path in paths if path), None)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Start Chromium once; tests are skipped where it is not installed."""
    path = chromium()
    if path is None:
        pytest.skip("needs Chromium: install it (apt install chromium), or set CHROMIUM to its path")
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield started
        started.close()


@pytest.fixture
def tab(browser: Browser) -> Iterator[Page]:
    """Open an empty tab of 1400 by 900 pixels."""
    context = browser.new_context(viewport={"width": 1400, "height": 900})
    yield context.new_page()
    context.close()


@pytest.fixture
def watched(tab: Page) -> Watched:
    """Open an empty tab that keeps its console messages, errors and requests."""
    return Watched(tab)
