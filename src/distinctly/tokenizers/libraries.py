"""Other people's packages: import them when needed, quietly, and hold them to a version."""

from __future__ import annotations

import hashlib
import importlib
import warnings
from types import ModuleType

from distinctly.errors import InputError, SpecError, missing_extra


def imported(package: str, tokenizer: str, extra: str) -> ModuleType:
    """Import an optional package that a tokenizer needs, or say how to install it."""
    try:
        with warnings.catch_warnings():
            # What a package thinks of its own age is nothing that our users can mend.
            warnings.simplefilter("ignore")
            return importlib.import_module(package)
    except ImportError as error:
        raise missing_extra(f"The tokenizer '{tokenizer}'", package, extra) from error


def agreed(tokenizer: str, what: str, wanted: str, found: str) -> str:
    """Return the version that is there, unless another one was asked for.

    A signature names the version because the tokens depend on it; to cut with another one in
    silence would make another number under the same name.
    """
    if wanted not in ("", found):
        raise SpecError(
            f"Expected {what} {wanted} for the tokenizer '{tokenizer}', got {found}, which may cut "
            f"differently. Go back to {what} {wanted}, or leave `{what}={wanted}` out and use {found}."
        )
    return found


def check_writable(text: str, tokenizer: str) -> None:
    """Refuse text that has no UTF-8: compiled libraries take it for nothing, or for something else."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"expected text that can be written in UTF-8, got {text!r:.60}, with half a surrogate pair. "
            f"Take it out, or choose another tokenizer than '{tokenizer}'."
        ) from error


def digest(content: bytes) -> str:
    """Return what a signature says of a file's content: the start of its SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]
