"""The energy distance of IBM's comparing-corpora, as in its repository after the release compcor 1.0.6."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.metrics.pairwise import cosine_similarity

# Angles up to this share of half a turn are rounding there, so none.
ZERO = 0.005


def energy(reference: Any, candidate: Any) -> float:
    """Return the root of twice the mean angle between the two, less the mean angles within each."""
    between, own, other = _angles(reference, candidate), _angles(reference), _angles(candidate)
    return float(np.sqrt(2 * between.mean() - own.mean() - other.mean()))


def _angles(one: Any, other: Any = None) -> Any:
    found = np.arccos(np.clip(cosine_similarity(one, other), -1, 1)) / np.pi
    found[found <= ZERO] = 0.0
    return found
