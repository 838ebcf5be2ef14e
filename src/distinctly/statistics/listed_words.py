"""`ListedTable`: how often each word of a list, and all other words, occur in two corpora."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import ClassVar

import numpy as np

from distinctly.hashing import Hashes, hash_strings
from distinctly.ragged import Integers, positions
from distinctly.statistics.base import Mergeable
from distinctly.statistics.ngram_counts import Run, SpelledCounts
from distinctly.statistics.pairing import MergeablePair, PairIndex
from distinctly.statistics.pool import Pool
from distinctly.statistics.token_table import TwoCounts
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# What a listing calls the words that are not in the list.
OTHERS = "(all other words)"


@dataclass(frozen=True)
class WordList:
    """Different words to count, each as it is or with a typographic apostrophe.

    Attributes
    ----------
    name
        What identifies the list, such as a hash.
    words
        The words.
    """

    name: str
    words: tuple[str, ...] = field(repr=False)

    @cached_property
    def keys(self) -> tuple[Hashes, Integers]:
        """The hashes of all spellings, ascending, and the number of the word of each."""
        numbers = {word: number for number, word in enumerate(self.words)}
        for word, number in list(numbers.items()):
            numbers.setdefault(word.replace("'", "’"), number)
        hashes = hash_strings(list(numbers))
        order = np.argsort(hashes)
        return hashes[order], np.fromiter(numbers.values(), np.int64, len(numbers))[order]

    @cached_property
    def spelled(self) -> SpelledCounts:
        """The words by their number, and the name of all others at the end."""
        names = np.array([*self.words, OTHERS], np.object_)
        numbers = np.arange(len(names))
        return SpelledCounts(Run(numbers.astype(np.uint64), numbers, names))

    def numbers_of(self, tokens: Tokens) -> Integers:
        """Return the number of the word that each token is; that of all other words comes last."""
        hashes, numbers = self.keys
        places = np.searchsorted(hashes, tokens.hashes)
        places[places == len(hashes)] = 0
        return np.where(hashes[places] == tokens.hashes, numbers[places], len(self.words))


@dataclass(frozen=True)
class WordCounts:
    """The number of occurrences of each word of a list, and of all other words."""

    counts: Integers

    def __add__(self, other: WordCounts) -> WordCounts:
        return WordCounts(self.counts + other.counts)


@dataclass(frozen=True)
class ListedWords(Mergeable[WordCounts, WordCounts]):
    """Counts of the words of a list.

    Examples
    --------
    >>> listed = ListedWords(WordList("example", ("the", "don't")))
    >>> listed.collect(Tokens.of([["the", "cat"], ["don’t", "the"]])).counts.tolist()
    [2, 1, 1]
    """

    listed: WordList
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> WordCounts:
        """Count the words of a batch."""
        numbers = self.listed.numbers_of(tokens)
        return WordCounts(np.bincount(numbers, minlength=len(self.listed.words) + 1))

    def summarize(self, state: WordCounts) -> WordCounts:
        """Return the counts: the state is the summary."""
        return state


@dataclass(frozen=True)
class ListedTable(MergeablePair[TwoCounts]):
    """Counts of the words of a list in two corpora, side by side; words that neither has are left out."""

    n: ClassVar[int] = 1

    listed: WordList
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def index(self, pool: Pool) -> ListedIndex:
        """Look up the words of the pool."""
        return ListedIndex(self, pool.view(self.view))

    def side(self) -> ListedWords:
        """Return the statistic of one side."""
        return ListedWords(self.listed, view=self.view)

    def combine(self, reference: WordCounts, candidate: WordCounts) -> TwoCounts:
        """Return the counts of the words that one of the sides has."""
        numbers = np.flatnonzero(reference.counts + candidate.counts)
        return TwoCounts(reference.counts[numbers], candidate.counts[numbers], numbers, self.listed.spelled)


class ListedIndex(PairIndex[TwoCounts]):
    """The words of a pool as numbers in the list."""

    def __init__(self, table: ListedTable, tokens: Tokens) -> None:
        self._table, self._bounds = table, tokens.bounds
        self._numbers = table.listed.numbers_of(tokens)

    def summarize(self, reference: Integers, candidate: Integers) -> TwoCounts:
        """Count the words of both selections."""
        return self._table.combine(self._counted(reference), self._counted(candidate))

    def _counted(self, rows: Integers) -> WordCounts:
        where, _ = positions(self._bounds, rows)
        return WordCounts(np.bincount(self._numbers[where], minlength=len(self._table.listed.words) + 1))
