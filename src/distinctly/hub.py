"""How the Hugging Face hub is asked: with little patience, and without a word on the screen."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

PATIENCE = 5.0  # seconds that the hub has for its first answer


def knock(hub: Any, utils: Any, name: str, file: str) -> None:
    """Ask for one file, quickly: a download itself asks again for half a minute where nobody answers."""
    utils.get_session().head(hub.hf_hub_url(name, file), timeout=PATIENCE)


@contextlib.contextmanager
def quiet(utils: Any) -> Iterator[None]:
    """Let the hub draw no progress bar, and be afterwards as it was."""
    were_off = utils.are_progress_bars_disabled()
    utils.disable_progress_bars()
    try:
        yield
    finally:
        if not were_off:
            utils.enable_progress_bars()
