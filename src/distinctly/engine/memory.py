"""How much memory counts may take."""

from __future__ import annotations

import os
import re

from distinctly.errors import SpecError

_UNITS = {
    "": 1,
    "k": 10**3,
    "m": 10**6,
    "g": 10**9,
    "t": 10**12,
    "ki": 2**10,
    "mi": 2**20,
    "gi": 2**30,
    "ti": 2**40,
}
_AMOUNT = re.compile(r"\s*(\d+(?:\.\d+)?)\s*([kmgt]?i?)b?\s*", re.IGNORECASE)
SMALLEST = 10_000_000


def parse_memory(amount: str | int) -> int:
    """Return a number of bytes.

    Examples
    --------
    >>> parse_memory("0.5GB"), parse_memory("64 MiB"), parse_memory(10**8)
    (500000000, 67108864, 100000000)
    """
    found = _AMOUNT.fullmatch(str(amount))
    size = int(float(found[1]) * _UNITS[found[2].lower()]) if found and found[2].lower() in _UNITS else 0
    if size < SMALLEST:
        raise SpecError(f"Expected `memory` to be an amount of at least 10MB, such as 0.5GB, got '{amount}'.")
    return size


def default_memory() -> int:
    """Return a quarter of the machine's memory, or a gigabyte where it does not tell."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    except (AttributeError, OSError, ValueError):
        return 10**9
