"""Embedders: from texts to vectors. Optional packages are imported when an embedder needs them."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

from distinctly.embedders.base import Embedder
from distinctly.embedders.function import Function
from distinctly.embedders.given import GivenVectors
from distinctly.embedders.minilm import MiniLM
from distinctly.embedders.onnx import Onnx
from distinctly.embedders.sbert import Sbert
from distinctly.embedders.vectors import FileVectors
from distinctly.embedders.wordllama import WordLlama
from distinctly.errors import SpecError, UntrustedError
from distinctly.loading import load_named
from distinctly.options import HasOptions, option_names, read_options, split_spec

AnyEmbedder = str | Embedder | Callable[[list[str]], Any]
DEFAULT_EMBEDDER = "wordllama"
# Embedders that are packages, and those whose spec begins with a path or a name: sbert:all-MiniLM-L6-v2.
Packaged = WordLlama | MiniLM
InFiles = Sbert | Onnx | FileVectors
PACKAGED: dict[str, type[Packaged]] = {kind.name: kind for kind in (WordLlama, MiniLM)}
IN_FILES: dict[str, type[InFiles]] = {kind.name: kind for kind in (Sbert, Onnx, FileVectors)}
EMBEDDERS: dict[str, type[Packaged | InFiles]] = {**PACKAGED, **IN_FILES}


def find_embedder(wanted: AnyEmbedder, *, trust: bool = True) -> Embedder:
    """Return the embedder of a spec, or of a function or its name; an embedder is returned as it is.

    Parameters
    ----------
    wanted
        The embedder.
    trust
        Whether a spec may name functions, files outside the working folder, and models that run code.

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
                f"Expected the name of an embedder or a function from texts to vectors, got {wanted!r:.60}."
            )
        return Function(call=wanted)
    name, _, rest = wanted.partition(":")
    name = name.strip()
    if name in (Function.name, GivenVectors.name):
        raise SpecError(
            "The vectors came from a Python function or array: pass the function as `embedder`, or the array "
            "in place of the texts."
        )
    if name in PACKAGED:
        return PACKAGED[name](**_options(PACKAGED[name], split_spec(wanted)[1]))
    if name not in IN_FILES:
        return _function(wanted.strip(), trust=trust)
    kind = IN_FILES[name]
    source, words = _split_source(kind, rest)
    if not trust and (needed := kind.needs_trust(source)):
        raise UntrustedError(
            f"The signature names {needed}: pass trust=True if you trust its author, or your own copy as "
            "`embedder`."
        )
    return kind(source=source, **_options(kind, words))


def _function(spec: str, *, trust: bool) -> Function:
    """Return the embedder of `module:function` or `file.py:function`, with options after a comma."""
    call, options = load_named(spec, "embedder", EMBEDDERS, trust=trust)
    return Function(call=call, **_options(Function, split_spec(f"{Function.name}:{options}")[1]))


def _options(kind: type[Packaged | InFiles | Function], words: Mapping[str, str]) -> dict[str, Any]:
    return dict(read_options(kind, kind.name, words))


def _split_source(kind: type[HasOptions], text: str) -> tuple[str, dict[str, str]]:
    """Split `anything,option=value` into the source and the options: a path may contain commas."""
    names = "|".join(name for name, field in option_names(kind).items() if field != "source")
    source, *words = re.split(rf",(?=(?:{names})=)", text)
    pairs = (word.partition("=") for word in words)
    return source, {key: value for key, _, value in pairs}
