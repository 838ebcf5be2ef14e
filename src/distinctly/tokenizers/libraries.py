"""Optional packages: quiet imports when they are needed, and checks of their versions."""

from __future__ import annotations

import hashlib
import importlib
import warnings
from types import ModuleType

from distinctly.errors import InputError, SpecError, missing_extra


def imported(package: str, tokenizer: str, extra: str) -> ModuleType:
    """Import an optional package of a tokenizer; if it is missing, the error says how to install it."""
    try:
        with warnings.catch_warnings():
            # Users cannot fix the deprecation warnings of a package.
            warnings.simplefilter("ignore")
            return importlib.import_module(package)
    except ImportError as error:
        raise missing_extra(f"The tokenizer '{tokenizer}'", package, extra) from error


def check_version(tokenizer: str, what: str, wanted: str, installed: str) -> str:
    """Return the installed version; raise an error if another one was requested.

    The tokens depend on the version, so a signature names it. Another version could give another value
    under the same signature.
    """
    if wanted not in ("", installed):
        raise SpecError(
            f"Expected {what} {wanted} for the tokenizer '{tokenizer}', got {installed}, whose tokens may "
            f"differ. Use {what} {wanted}, or omit `{what}={wanted}` to use {installed}."
        )
    return installed


def check_writable(text: str, tokenizer: str) -> None:
    """Raise an error for text that UTF-8 cannot encode: compiled libraries drop or replace it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InputError(
            f"expected text that can be encoded in UTF-8, got {text!r:.60}, with half a surrogate pair. "
            f"Remove it, or choose another tokenizer than '{tokenizer}'."
        ) from error


def digest(content: bytes) -> str:
    """Return the hash of a file in a signature: the first 16 digits of its SHA-256."""
    return hashlib.sha256(content).hexdigest()[:16]
