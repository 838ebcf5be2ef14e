"""The most frequent n-grams as text: counted by hash first, spelled in a second reading."""

from __future__ import annotations

import numpy as np

from distinctly.hashing import Hashes, Keys
from distinctly.ragged import Integers
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.views.tokens import Tokens


def least_of_the_top(grams: Grams, top: int) -> int:
    """Return the smallest count among the `top` most frequent n-grams."""
    cumulative = np.cumsum(grams.types[::-1])
    place = int(np.searchsorted(cumulative, top))
    return int(grams.counts[::-1][min(place, len(cumulative) - 1)]) if len(cumulative) else 1


class Sought:
    """N-grams to spell, known by their hashes, in ascending order, and their counts."""

    def __init__(self, statistic: NgramCounts, hashes: Keys, counts: Hashes) -> None:
        self._statistic, self._hashes, self._counts = statistic, hashes, counts
        self._missing = np.ones(len(hashes), np.bool_)
        self._spelled: list[tuple[str, int]] = []

    def look_through(self, tokens: Tokens) -> None:
        """Spell the n-grams of these tokens that have not been spelled before."""
        if not self._missing.any():
            return
        grams = tokens.keys(self._statistic.n)
        places: Integers = np.minimum(np.searchsorted(self._hashes, grams), len(self._hashes) - 1)
        present = np.flatnonzero((self._hashes[places] == grams) & self._missing[places])
        new_places, first = np.unique(places[present], return_index=True)
        starts = tokens.starts(self._statistic.n)[present[first]]
        for place, start in zip(new_places.tolist(), starts.tolist()):
            self._spelled.append((tokens.spell(start, self._statistic.n), int(self._counts[place])))
        self._missing[new_places] = False
        # Many n-grams may tie for the last place: only the first in alphabetical order are kept.
        self._spelled = list(self.ranked())

    def ranked(self) -> tuple[tuple[str, int], ...]:
        """Return the most frequent n-grams with their counts; ties are in alphabetical order."""
        self._spelled.sort(key=lambda pair: (-pair[1], pair[0]))
        return tuple(self._spelled[: self._statistic.top])
