"""HyperLogLog: the registers of n-grams, without arrays of n-grams.

The same registers as those of `HyperLogLog.of` in `statistics/sketches.py`, which describes them.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled

_ONE = np.uintp(1)


@compiled
def update(
    registers: NDArray[np.uint8],
    windows: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    n: int,
    bits: int,
) -> None:
    """Raise the ``2 ** bits`` registers to the ranks of the n-grams of all texts, given their windows.

    Windows that cross texts are not n-grams.
    """
    index = np.uint64((1 << bits) - 1)
    index_bits, largest = np.uint64(bits), np.uint64(65 - bits)
    short = np.uintp(n - 1)
    for row in range(np.uintp(len(bounds) - 1)):
        start, end = np.uintp(bounds[row]), np.uintp(bounds[row + _ONE])
        if end - start > short:
            for i in range(start, end - short):
                place, rest = windows[i] & index, windows[i] >> index_bits
                # Whether the rank exceeds the register: seldom, once many n-grams have been seen. A zero is
                # appended, since the largest rank is one more than the number of bits.
                if (rest << np.uint64(1)) >> (largest - np.uint64(registers[place])) == np.uint64(0):
                    rank = largest
                    while rest:
                        rest >>= np.uint64(1)
                        rank -= np.uint64(1)
                    registers[place] = np.uint8(rank)
