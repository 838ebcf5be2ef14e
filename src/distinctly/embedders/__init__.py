"""Embedders: texts → vectors. Those of other packages import them when they are used."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from distinctly.embedders.base import Embedder
from distinctly.embedders.function import Function
from distinctly.embedders.given import Given
from distinctly.embedders.vectors import FileVectors
from distinctly.embedders.wordllama import WordLlama
from distinctly.errors import SpecError, unknown
from distinctly.options import read_options, split_spec

AnyEmbedder = str | Embedder | Callable[[list[str]], Any]
DEFAULT_EMBEDDER = "wordllama"
KNOWN = (WordLlama.name, FileVectors.name)


def find_embedder(wanted: AnyEmbedder) -> Embedder:
    """Return the embedder that a spec or a function means.

    Examples
    --------
    >>> find_embedder("wordllama:dim=64").options()["dim"]
    '64'
    """
    if isinstance(wanted, Embedder):
        return wanted
    if not isinstance(wanted, str):
        if not callable(wanted):
            raise SpecError(
                f"Expected an embedder's name or a function from texts to vectors, got {wanted!r:.60}."
            )
        return Function(call=wanted)
    name, _, rest = wanted.partition(":")
    name = name.strip()
    if name in (Function.name, Given.name):
        raise SpecError(
            "The vectors came from a Python function or array: pass it as `embedder`, or as the texts."
        )
    if name == FileVectors.name:
        # A path may hold anything; the option comes last.
        hashed = re.search(r",hash=([0-9a-f]+)\Z", rest)
        return (
            FileVectors(source=rest[: hashed.start()], hash=hashed[1]) if hashed else FileVectors(source=rest)
        )
    if name != WordLlama.name:
        raise unknown("embedder", name, KNOWN)
    options: dict[str, Any] = read_options(WordLlama, name, split_spec(wanted)[1])
    return WordLlama(**options)
