"""The most frequent n-grams as text: counted by their hashes first, spelled by a second reading."""

from __future__ import annotations

import numpy as np

from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.views.tokens import Tokens


def least_of_the_top(grams: Grams, top: int) -> int:
    """Return the count of the last of the `top` most frequent n-grams."""
    from_above = np.cumsum(grams.types[::-1])
    enough = int(np.searchsorted(from_above, top))
    return int(grams.counts[::-1][min(enough, len(from_above) - 1)]) if len(from_above) else 1


class Sought:
    """N-grams known by their hashes, ascending, and by how often they occur."""

    def __init__(self, statistic: NgramCounts, hashes: Hashes, counts: Hashes) -> None:
        self._statistic, self._hashes, self._counts = statistic, hashes, counts
        self._missing = np.ones(len(hashes), np.bool_)
        self._found: list[tuple[str, int]] = []

    def look_through(self, view: Tokens) -> None:
        """Spell those that the view has and none before it had."""
        if not self._missing.any():
            return
        grams = view.grams(self._statistic.n)
        places: Integers = np.minimum(np.searchsorted(self._hashes, grams), len(self._hashes) - 1)
        here = np.flatnonzero((self._hashes[places] == grams) & self._missing[places])
        which, first = np.unique(places[here], return_index=True)
        starts = view.starts(self._statistic.n)[here[first]]
        for place, start in zip(which.tolist(), starts.tolist()):
            self._found.append((view.spell(start, self._statistic.n), int(self._counts[place])))
        self._missing[which] = False
        # More may tie for the last place than there are places: only the first in order stay.
        self._found = list(self.ranked())

    def ranked(self) -> tuple[tuple[str, int], ...]:
        """Return the most frequent ones, ties in order of text."""
        self._found.sort(key=lambda pair: (-pair[1], pair[0]))
        return tuple(self._found[: self._statistic.top])
