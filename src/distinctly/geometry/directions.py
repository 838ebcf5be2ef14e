"""`Directions`: the different vectors of texts, in an order that depends on the vectors alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np

from distinctly.arrays import CPU, Device, Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.pair_table import PairTable
from distinctly.geometry.scaling import each_near_one, have_directions
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.views.vectors import VectorTable, VectorView


@dataclass(frozen=True)
class Rays:
    """The different vectors of texts and the number of texts per vector, in the order of their hashes.

    Sums over them are the same to the last bit for any order of the texts.

    Attributes
    ----------
    rows, counts
        The vectors, at any scale, none of them zero, and the number of texts per vector.
    texts, zeros
        The number of all texts, and of those whose vector is zero: they have no direction and are left out.
    device
        Where products of the vectors are computed.
    """

    rows: Vectors
    counts: Integers
    texts: int
    zeros: int
    device: Device = field(default=CPU, compare=False)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def placed(self) -> int:
        """The number of texts that have a direction."""
        return self.texts - self.zeros

    @property
    def dimensions(self) -> int:
        """The number of coordinates; 0 if there are no vectors."""
        return self.rows.shape[1] if len(self) else 0

    @cached_property
    def lengths(self) -> Reals:
        """The length of each vector."""
        blocks = (self.rows[where] for where in row_blocks(len(self)))
        norms = [np.linalg.norm(block.astype(np.float64), axis=1) for block in blocks]
        return np.concatenate([np.zeros(0), *norms])

    def table(self, *, directed: bool) -> PairTable:
        """Return the table of all pairs of the vectors, of length 1 if `directed`, in float64."""
        rows = self.rows.astype(np.float64)
        return PairTable.of(rows, self.device, directed=directed, moved=not directed)

    def blocks(self, start: int = 0) -> Iterator[tuple[slice, Reals]]:
        """Yield the vectors from `start` on in blocks, scaled to length 1, and where each block is."""
        for where in row_blocks(len(self), start):
            units: Reals = self.rows[where] / self.lengths[where, None]
            yield where, units


@dataclass(frozen=True)
class Directions(NeedsRows[Rays]):
    """The vectors of texts for statistics of cosines, which depend on directions alone.

    Attributes
    ----------
    view
        The vectors of the texts.
    at_scale
        Whether vectors keep their lengths, for statistics of distances.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[3.0, 0.0], [0.0, 1.0], [0.0, 0.0], [3.0, 0.0]])
    >>> rays = Directions(VectorView(GivenVectors.of([rows]))).summarize(VectorTable(rows))
    >>> len(rays), sorted(rays.counts.tolist()), rays.zeros
    (2, [1, 2], 1)
    """

    view: VectorView
    at_scale: bool = False

    def summarize(self, table: VectorTable) -> Rays:
        """Return the distinct vectors, in the order of their hashes."""
        vectors = table.rows
        placed = have_directions(vectors)
        rows, hashes = vectors, table.text_hashes
        if not placed.all():
            rows, hashes = vectors[placed], hashes[placed]
        _, first, counts = np.unique(hashes, return_index=True, return_counts=True)
        zeros = len(vectors) - len(rows)
        different = rows[first] if self.at_scale else each_near_one(rows[first])
        return Rays(different, counts, len(vectors), zeros, table.device)
