"""The most frequent n-grams as text: counted by their hashes first, spelled by a second reading."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from distinctly.corpus import Corpus
from distinctly.hashing import Hashes
from distinctly.ragged import Integers
from distinctly.statistics.collector import Runner
from distinctly.statistics.ngram_collector import NgramCollector
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.tokens import Tokens, tokenizer_for


def spelled(
    summaries: dict[NgramCounts, Grams],
    collector: NgramCollector,
    corpus: Corpus,
    tokenizer: Tokenizer,
    run: Runner,
) -> dict[NgramCounts, Grams]:
    """Return the summaries with the most frequent n-grams filled in."""
    sought = {
        counts: Sought(counts, *collector.frequent(counts, least_of_the_top(grams, counts.top), run))
        for counts, grams in summaries.items()
        if counts.top
    }
    if sought:
        for batch in corpus.batches():
            view = Tokens.cut(batch, tokenizer_for(batch, tokenizer), compiled=True)
            for one in sought.values():
                one.look_through(view)
    return {
        counts: replace(grams, top=sought[counts].ranked()) if counts in sought else grams
        for counts, grams in summaries.items()
    }


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
