"""The hash of version 1, with Python's whole numbers."""

from __future__ import annotations

from collections.abc import Sequence

MASK = 2**64 - 1
STEP, LENGTH, CHAIN = 0x9E3779B97F4A7C15, 0xD6E8FEB86659FD93, 0xA0761D6478BD642F


def mix(x: int) -> int:
    """Scramble 64 bits."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & MASK
    return x ^ (x >> 31)


def sequence(items: Sequence[int], length: int) -> int:
    """Hash a sequence of 64-bit values."""
    return mix(
        (sum(mix((w + (i + 1) * STEP) & MASK) for i, w in enumerate(items)) + (length + 1) * LENGTH) & MASK
    )


def token(text: str) -> int:
    """Hash a token."""
    data = text.encode("utf-8", "surrogatepass")
    return sequence([int.from_bytes(data[i : i + 8], "little") for i in range(0, len(data), 8)], len(data))


def ngram(tokens: Sequence[str]) -> int:
    """Hash an n-gram."""
    found = token(tokens[0])
    for word in tokens[1:]:
        found = mix((found * CHAIN + token(word)) & MASK)
    return found


def text(tokens: Sequence[str]) -> int:
    """Hash a text."""
    return sequence([token(word) for word in tokens], len(tokens))
