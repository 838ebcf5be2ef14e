"""HyperLogLog by its definition: one hash at a time, with the bits written out."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from tests.oracles import hashing
from tests.oracles.ngrams import ngrams


def registers(hashes: Iterable[int]) -> list[int]:
    """Return the largest rank per register: the last 14 of 64 bits choose it, the others have the rank."""
    largest = [0] * 2**14
    for value in hashes:
        bits = f"{value:064b}"
        rank = f"{bits[:50]}1".index("1") + 1
        place = int(bits[50:], 2)
        largest[place] = max(largest[place], rank)
    return largest


def of_ngrams(texts: Iterable[Sequence[str]], n: int) -> list[int]:
    """Return the registers of the n-grams of texts."""
    grams = {gram for text in texts for gram in ngrams(text, n)}
    return registers(int.from_bytes(hashing.ngram(gram), "little") for gram in grams)


def estimate(largest: Sequence[int]) -> float:
    """Return the raw estimate of Flajolet et al. (2007), which is good between 5/2 and 2³²/30 registers."""
    size = len(largest)
    alpha = 0.7213 / (1 + 1.079 / size)
    return alpha * size**2 / math.fsum(2.0**-rank for rank in largest)
