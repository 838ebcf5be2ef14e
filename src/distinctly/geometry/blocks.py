"""Blocks of rows: a large table is worked on some rows at a time."""

from __future__ import annotations

from collections.abc import Iterator

# Rows per block.
BLOCK = 2048


def row_blocks(rows: int, start: int = 0) -> Iterator[slice]:
    """Yield slices of `BLOCK` rows each that cover the rows from `start` on; the last one may be shorter.

    Examples
    --------
    >>> list(row_blocks(3000))
    [slice(0, 2048, None), slice(2048, 3000, None)]
    """
    for first in range(start, rows, BLOCK):
        yield slice(first, min(first + BLOCK, rows))
