"""Compilation of kernels: without Python's global lock, and cached for the next process."""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, TypeVar, cast

F = TypeVar("F", bound=Callable[..., Any])

# To colour a message while it compiles, numba replaces `sys.stdout` for all threads, and what another thread
# prints in the meantime can be lost. It reads this variable when it is imported.
_NO_COLOURS = "NUMBA_DISABLE_ERROR_MESSAGE_HIGHLIGHTING"
_was_set = _NO_COLOURS in os.environ
os.environ.setdefault(_NO_COLOURS, "1")
import numba  # noqa: E402

if not _was_set:
    del os.environ[_NO_COLOURS]


def compiled(function: F) -> F:
    """Compile a function when it is first called.

    Numba caches the machine code beside the file or, if that is read-only, in the user's cache folder
    (or NUMBA_CACHE_DIR). If neither is writable, each process compiles again.
    """
    try:
        return cast(F, numba.njit(nogil=True, cache=True)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True)(function))


def inlined(function: F) -> F:
    """Compile a small function into the functions that call it."""
    return cast(F, numba.njit(nogil=True, inline="always")(function))


def summing(function: F) -> F:
    """Compile a function that adds up floats in the fastest order, which is fixed on one machine."""
    order_free = {"contract", "nsz", "reassoc"}
    try:
        return cast(F, numba.njit(nogil=True, cache=True, fastmath=order_free)(function))
    except RuntimeError:
        return cast(F, numba.njit(nogil=True, fastmath=order_free)(function))
