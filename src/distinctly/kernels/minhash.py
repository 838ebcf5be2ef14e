"""MinHash: the minima of a set under many hash functions, one band of functions at a time."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import STEP
from distinctly.kernels.compiling import compiled
from distinctly.kernels.sip import hash_ngram, mix

_ONE = np.uintp(1)


@compiled
def band(
    shingles: NDArray[np.uint64], bounds: NDArray[np.int64], first: int, size: int
) -> NDArray[np.uint64]:
    """Return, for each set of shingles, a hash of its minima under the permutations of a band."""
    keys = np.empty(len(bounds) - 1, np.uint64)
    smallest = np.empty(size, np.uint64)
    for row in range(np.uintp(len(bounds) - 1)):
        smallest[:] = ~np.uint64(0)
        for i in range(np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])):
            step = np.uint64(first) * STEP
            for k in range(np.uintp(size)):
                step += STEP
                smallest[k] = min(smallest[k], mix(shingles[i] + step))
        key = np.uint64(0)
        for k in range(np.uintp(size)):
            key = hash_ngram(key, smallest[k])
        keys[row] = key
    return keys
