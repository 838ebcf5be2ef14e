"""A sample of texts, with Python's whole numbers: all keys are listed and sorted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from hashlib import blake2b

MASK = 2**64 - 1


def mixed(x: int) -> int:
    """Scramble 64 bits, with the constants of David Stafford's variant 13 of MurmurHash3's finaliser."""
    x ^= x >> 30
    x = x * 0xBF58476D1CE4E5B9 & MASK
    x ^= x >> 27
    x = x * 0x94D049BB133111EB & MASK
    return x ^ x >> 31


def key(text: str, number: int, seed: int) -> int:
    """Return the key of a copy of a text."""
    data = text.encode("utf-8", "surrogatepass")
    content = int.from_bytes(blake2b(data, digest_size=8, person=b"distinctly").digest(), "little")
    copy = mixed((content + number * 0x9E3779B97F4A7C15) & MASK)
    return mixed((copy + mixed(2 * seed + 1)) & MASK)


def sample(texts: Sequence[str], size: int, seed: int = 0) -> list[str]:
    """Return the sample, in the order of its keys."""
    numbers: Counter[str] = Counter()
    keys = []
    for text in texts:
        keys.append((key(text, numbers[text], seed), text))
        numbers[text] += 1
    return [text for _, text in sorted(keys)[:size]]
