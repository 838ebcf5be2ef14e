"""Requests to the Hugging Face hub: with a short timeout and without progress bars."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

TIMEOUT = 5.0  # seconds for the first answer of the hub


def check_reachable(hub: Any, utils: Any, name: str, file: str) -> None:
    """Request the head of one file, with a short timeout: a download retries for half a minute."""
    utils.get_session().head(hub.hf_hub_url(name, file), timeout=TIMEOUT)


@contextlib.contextmanager
def quiet(utils: Any) -> Iterator[None]:
    """Disable the progress bars of the hub, and restore the setting afterwards."""
    were_disabled = utils.are_progress_bars_disabled()
    utils.disable_progress_bars()
    try:
        yield
    finally:
        if not were_disabled:
            utils.enable_progress_bars()
