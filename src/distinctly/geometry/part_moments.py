"""`PartMoments`: the moments of all vectors, of random halves, of random thirds …"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly.geometry.moments import Moment, Moments
from distinctly.hashing import block_labels, copy_numbers
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.sampling import sample_keys
from distinctly.views.vectors import VectorTable, VectorView

# The moments of all texts, of both halves, of the three thirds …
Divisions = tuple[tuple[Moment, ...], ...]


@dataclass(frozen=True)
class PartMoments(NeedsRows[Divisions]):
    """The moments of the vectors of all texts, then of 2 random parts of them, of 3, and so on.

    Parts depend only on the contents of the texts and on a seed; copies of a text are dealt to all of them.

    Attributes
    ----------
    view
        The vectors of the texts.
    parts
        The largest number of parts.
    seed
        The seed of the division.

    Examples
    --------
    >>> from distinctly.embedders.given import GivenVectors
    >>> rows = np.array([[0.0], [2.0], [4.0], [6.0], [8.0]])
    >>> divisions = PartMoments(VectorView(GivenVectors.of([rows])), 3).summarize(VectorTable(rows))
    >>> [[part.texts for part in parts] for parts in divisions]
    [[5], [3, 2], [2, 2, 1]]
    """

    view: VectorView
    parts: int
    seed: int = 0

    def summarize(self, table: VectorTable) -> Divisions:
        """Divide the texts, and compute the moments of each part."""
        contents = table.content_hashes
        keys = sample_keys(contents, copy_numbers(contents), self.seed)
        moments = Moments(self.view)
        divisions = []
        for parts in range(1, self.parts + 1):
            labels = block_labels(keys, parts)
            tables = (table.select(np.flatnonzero(labels == part)) for part in range(parts))
            divisions.append(tuple(moments.collect(each) for each in tables))
        return tuple(divisions)
