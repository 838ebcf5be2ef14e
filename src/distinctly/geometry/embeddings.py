"""`Embeddings`: the vectors of texts; `Directions`: those that differ, in an order of their own."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly import arrays
from distinctly.embedders.base import Embedder, Positional, Vectors
from distinctly.embedders.cache import embed_texts
from distinctly.geometry.scaling import each_near_one
from distinctly.hashing import hash_rows
from distinctly.ragged import Integers
from distinctly.statistics.derived import Cuttable, Derived
from distinctly.statistics.rows import Rows
from distinctly.views.tokens import Tokens

Reals = NDArray[np.float64]

# Rows that are worked on together.
BLOCK = 2048


@dataclass(frozen=True)
class Embeddings(Cuttable[Vectors]):
    """The vectors of texts, one row a text, in the order of the texts.

    Each different text is embedded once, and in an order that the texts themselves give; what is on
    disk is not embedded at all.

    Examples
    --------
    >>> from distinctly.embedders import find_embedder
    >>> embeddings = Embeddings(find_embedder(lambda texts: [[len(text)] for text in texts]))
    >>> embeddings.derive(Tokens.of([["a", "b"], ["c"]])).tolist()
    [[3.0], [1.0]]
    """

    embedder: Embedder

    def sources(self) -> tuple[Rows]:
        """Return the texts."""
        return (Rows(),)

    def derive(self, view: Tokens) -> Vectors:
        """Embed the texts."""
        if isinstance(self.embedder, Positional):
            return self.embedder.rows_for(len(view))
        return embed_texts(self.embedder, view.texts.tolist())

    def cut(self, whole: Vectors, rows: Integers) -> Vectors:
        """Take the rows."""
        return whole[rows] if len(rows) else np.zeros((0, 0), np.float32)


@dataclass(frozen=True)
class Rays:
    """The vectors that differ, how often each occurs, and in an order that only they give.

    Sums over them come out the same to the bit, whatever the order of the texts.

    Attributes
    ----------
    rows, counts
        The vectors, at any scale, none of them zero, and how many texts have each.
    texts, zeros
        All texts, and those whose vector is zero: they have no direction and are left out.
    """

    rows: Vectors
    counts: Integers
    texts: int
    zeros: int

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def placed(self) -> int:
        """How many texts have a direction."""
        return self.texts - self.zeros

    @cached_property
    def lengths(self) -> Reals:
        """The length of each vector."""
        blocks = (self.rows[start : start + BLOCK] for start in range(0, len(self), BLOCK))
        found = [np.linalg.norm(block.astype(np.float64), axis=1) for block in blocks]
        return np.concatenate([np.zeros(0), *found])

    def units(self, start: int) -> Reals:
        """Return a block of the vectors, scaled to length 1."""
        found: Reals = self.rows[start : start + BLOCK] / self.lengths[start : start + BLOCK, None]
        return found

    def blocks(self) -> Iterator[tuple[slice, Reals]]:
        """Yield the vectors in blocks, scaled to length 1, and where each lies."""
        for start in range(0, len(self), BLOCK):
            yield slice(start, start + BLOCK), self.units(start)


@dataclass(frozen=True)
class Directions(Derived[Rays]):
    """The vectors of texts as what only directions matter to sees them: cosines."""

    embedder: Embedder

    def sources(self) -> tuple[Embeddings]:
        """Return the vectors."""
        return (Embeddings(self.embedder),)

    def derive(self, vectors: Vectors) -> Rays:
        """Keep those that differ, in the order of their hashes."""
        placed = vectors.any(axis=1)
        rows = vectors if placed.all() else vectors[placed]
        _, first, counts = np.unique(hash_rows(rows), return_index=True, return_counts=True)
        return Rays(each_near_one(rows[first]), counts, len(vectors), len(vectors) - len(rows))


@dataclass(frozen=True)
class Eigenvalues:
    """The eigenvalues of K/n, in descending order, and what they are of.

    Attributes
    ----------
    values
        Those that are not zero; they sum to 1.
    texts, zeros
        All texts, and those that are in no relation to any, not even to themselves.
    dimensions
        Of the vectors; 0 where there are none.
    """

    values: Reals
    texts: int
    zeros: int
    dimensions: int = 0

    @classmethod
    def of(cls, matrix: Any, texts: int, zeros: int, dimensions: int = 0) -> Eigenvalues:
        """Find the eigenvalues of a matrix of trace 1 on the device; those under 1e-12 are rounding, so 0."""
        device = arrays.current()
        values = device.take(device.eigenvalues(matrix))[::-1] if len(matrix) else np.zeros(0)
        return cls(values[values >= 1e-12], texts, zeros, dimensions)


@dataclass(frozen=True)
class CosineSpectrum(Derived[Eigenvalues]):
    """The eigenvalues of K/n, K the cosines between n texts.

    They are those of the smaller of two matrices: cosines between vectors that differ, each weighed
    by how many texts have it, and products between dimensions.
    """

    embedder: Embedder

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.embedder),)

    def derive(self, rays: Rays) -> Eigenvalues:
        """Make the smaller matrix and take its eigenvalues."""
        dimensions = rays.rows.shape[1] if len(rays) else 0
        weights = np.sqrt(rays.counts / max(rays.placed, 1))[:, None]
        device = arrays.current()
        matrix = device.put(np.zeros((dimensions, dimensions)))
        if len(rays) <= dimensions:
            units = np.concatenate([np.zeros((0, dimensions)), *(units for _, units in rays.blocks())])
            weighed = device.put(units * weights)
            matrix = device.products(weighed, weighed)
        else:
            for where, units in rays.blocks():
                weighed = device.put(units * weights[where])
                matrix += device.products(weighed.T, weighed.T)
        return Eigenvalues.of(matrix, rays.texts, rays.zeros, dimensions)


@dataclass(frozen=True)
class Resultant:
    """The sum of the unit vectors of texts.

    Attributes
    ----------
    squared
        The square of its length.
    different
        How many vectors differ.
    texts, zeros, dimensions
        All texts, those without a direction, and the dimensions.
    """

    squared: float
    different: int
    texts: int
    zeros: int
    dimensions: int


@dataclass(frozen=True)
class UnitSum(Derived[Resultant]):
    """The sum of the unit vectors of texts."""

    embedder: Embedder

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.embedder),)

    def derive(self, rays: Rays) -> Resultant:
        """Add up the unit vectors, block by block."""
        dimensions = rays.rows.shape[1] if len(rays) else 0
        total = np.zeros(dimensions)
        for where, units in rays.blocks():
            total += (units * rays.counts[where, None]).sum(axis=0)
        return Resultant(float((total * total).sum()), len(rays), rays.texts, rays.zeros, dimensions)


@dataclass(frozen=True)
class Nearest:
    """How far it is from texts to the nearest other text, added up.

    Attributes
    ----------
    total
        The sum of 1 − cosine.
    repeated
        Texts whose vector another text has, too: nothing is nearer.
    texts, zeros, dimensions
        All texts, those without a direction, and the dimensions.
    """

    total: float
    repeated: int
    texts: int
    zeros: int
    dimensions: int


@dataclass(frozen=True)
class NearestOther(Derived[Nearest]):
    """The cosine distance of each text to the nearest other one, without a matrix of all pairs."""

    embedder: Embedder

    def sources(self) -> tuple[Directions]:
        """Return the directions."""
        return (Directions(self.embedder),)

    def derive(self, rays: Rays) -> Nearest:
        """Compare blocks with blocks, each pair of blocks once."""
        best = np.full(len(rays), -1.0)
        for rows, units in rays.blocks():
            cosines = units @ units.T
            np.fill_diagonal(cosines, -1.0)
            np.maximum(best[rows], cosines.max(axis=1), out=best[rows])
            for start in range(rows.stop, len(rays), BLOCK):
                others = slice(start, start + BLOCK)
                cosines = units @ rays.units(start).T
                np.maximum(best[rows], cosines.max(axis=1), out=best[rows])
                np.maximum(best[others], cosines.max(axis=0), out=best[others])
        alone = rays.counts == 1
        # Rounding must not make a distance negative.
        total = float(np.maximum(1.0 - best[alone], 0.0).sum())
        dimensions = rays.rows.shape[1] if len(rays) else 0
        return Nearest(total, int(rays.counts[~alone].sum()), rays.texts, rays.zeros, dimensions)
