"""How much memory counts may take."""

from __future__ import annotations

import os

from distinctly.errors import SpecError
from distinctly.options import bytes_of

SMALLEST = 10_000_000


def parse_memory(amount: str | int) -> int:
    """Return a number of bytes.

    Examples
    --------
    >>> parse_memory("0.5GB"), parse_memory("64 MiB"), parse_memory(10**8)
    (500000000, 67108864, 100000000)
    """
    size = bytes_of(str(amount))
    if size is None or size < SMALLEST:
        raise SpecError(f"Expected `memory` to be an amount of at least 10MB, such as 0.5GB, got '{amount}'.")
    return size


def default_memory() -> int:
    """Return a quarter of the machine's memory, or a gigabyte where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    except (AttributeError, OSError, ValueError):
        return 10**9
