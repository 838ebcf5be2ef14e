"""`SentenceLengths`: the lengths of the sentences of a corpus."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import Mergeable
from distinctly.views.sentences import Sentences, SentenceView
from distinctly.views.tokens import WORDS


@dataclass(frozen=True)
class SentenceSums:
    """Exact sums over texts.

    Attributes
    ----------
    texts, empty
        The number of texts, and of those without a sentence.
    sentences, words
        The number of sentences, and of their words.
    squares
        The sum of the squared lengths of sentences.
    """

    texts: int
    empty: int
    sentences: int
    words: int
    squares: int

    def __add__(self, other: SentenceSums) -> SentenceSums:
        return SentenceSums(
            self.texts + other.texts,
            self.empty + other.empty,
            self.sentences + other.sentences,
            self.words + other.words,
            self.squares + other.squares,
        )


@dataclass(frozen=True)
class SentenceLengths(Mergeable[SentenceSums, SentenceSums]):
    """The lengths of all sentences in tokens.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> from distinctly.config import RunConfig
    >>> lengths = SentenceLengths()
    >>> lengths.collect(lengths.view.make(Batch.of(["a b c. d!", ""]), RunConfig()))
    SentenceSums(texts=2, empty=1, sentences=2, words=6, squares=20)
    """

    view: SentenceView = field(default=SentenceView(WORDS), kw_only=True)

    def collect(self, sentences: Sentences) -> SentenceSums:
        """Add up the lengths of a batch."""
        return self.index(sentences).summarize(np.arange(len(sentences)))

    def summarize(self, state: SentenceSums) -> SentenceSums:
        """Return the sums: the state is the summary."""
        return state

    def index(self, sentences: Sentences) -> SentenceIndex:
        """Add up the lengths of each text."""
        lengths = sentences.tokens.lengths
        columns = [np.ones_like(lengths), lengths, lengths * lengths]
        return SentenceIndex(np.stack([np.diff(bounds_of(column)[sentences.bounds]) for column in columns]))


@dataclass(frozen=True)
class SentenceIndex:
    """The number of sentences and words of each text, and the sum of the squared lengths, in three rows."""

    columns: Integers

    def summarize(self, rows: Integers) -> SentenceSums:
        """Add up the texts in these rows."""
        selected = self.columns[:, rows]
        sentences, words, squares = selected.sum(axis=1).tolist()
        return SentenceSums(len(rows), int((selected[0] == 0).sum()), sentences, words, squares)
