"""`VectorClasses`: classes of texts whose vectors have a large cosine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.arrays import CPU, Reals
from distinctly.embedders.base import Vectors
from distinctly.geometry.scaling import each_near_one, have_directions
from distinctly.ragged import Integers
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.classes import (
    MOST_TEXTS,
    Classes,
    Linkage,
    complete_linkage,
    in_order,
    too_many,
)
from distinctly.views.vectors import VectorTable, VectorView

# Cosines are rounded, so that equal ones are equal however they were summed.
DECIMALS = 9


@dataclass(frozen=True)
class VectorClasses(NeedsRows[Classes]):
    """The classes of texts by the cosines of their vectors; texts with equal vectors are in one class.

    Texts whose vector is zero have no class.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[1.0, 0.0], [3.0, 1.0], [0.0, 0.0], [0.0, 1.0]])  # the first cosine is 0.949
    >>> view = VectorView(GivenVectors.of([rows]))
    >>> VectorClasses(view, 0.9, "complete").summarize(VectorTable(rows)).labels.tolist()
    [0, 0, -1, 1]
    """

    view: VectorView
    threshold: float
    linkage: Linkage

    def summarize(self, table: VectorTable) -> Classes:
        """Compare the different vectors."""
        vectors = table.rows
        placed = have_directions(vectors)
        zeros, dimensions = len(vectors) - int(placed.sum()), vectors.shape[1]
        # In the order of the hashes, so that the order of the texts breaks no tie.
        _, first, items = np.unique(table.text_hashes[placed], return_index=True, return_inverse=True)
        if len(first) > MOST_TEXTS:
            return Classes.without(len(vectors), too_many(len(first), MOST_TEXTS), zeros, dimensions)
        names = np.full(len(vectors), -1)
        names[placed] = self._labels(cosines(vectors[placed][first]), items)
        return Classes.of(names, zeros, dimensions)

    def _labels(self, table: Reals, items: Integers) -> Integers:
        if self.linkage == "greedy":
            return in_order(items, lambda first, later: table[first, later], self.threshold)
        return complete_linkage(table, self.threshold)[items]


def cosines(vectors: Vectors) -> Reals:
    """Return the cosines of all pairs of vectors, none of which is zero.

    Examples
    --------
    >>> cosines(np.array([[2.0, 0.0], [1.0, 1.0]])).tolist()
    [[1.0, 0.707106781], [0.707106781, 1.0]]
    """
    rows = each_near_one(vectors).astype(np.float64)
    rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
    table: Reals = np.clip(CPU.products(rows, rows), -1.0, 1.0)
    return np.round(table, DECIMALS, out=table)
