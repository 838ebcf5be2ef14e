"""The contents of texts, by which they are put in an order that does not depend on how they were given."""

from __future__ import annotations

from distinctly.hashing import Hashes
from distinctly.views.vectors import VectorTable


def content_hashes(table: VectorTable) -> Hashes:
    """Return a hash of each text, or of its vector, where the table has no hashes of texts.

    Examples
    --------
    >>> import numpy as np
    >>> content_hashes(VectorTable(np.eye(2), content_hashes=np.array([7, 9], np.uint64))).tolist()
    [7, 9]
    """
    return table.text_hashes if table.content_hashes is None else table.content_hashes
