"""Embedders: texts → vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from distinctly.embedders.base import Embedder
from distinctly.errors import unknown

AnyEmbedder = str | Embedder | Callable[[list[str]], Any]
DEFAULT_EMBEDDER = "wordllama"


def find_embedder(wanted: AnyEmbedder) -> Embedder:
    """Return the embedder that a spec or a function means."""
    if isinstance(wanted, Embedder):
        return wanted
    raise unknown("embedder", str(wanted), [])
