"""`SentenceView`: texts as sentences of tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import ClassVar

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch, TokenColumn
from distinctly.config import RunConfig
from distinctly.hashing import Hashes
from distinctly.ragged import Integers, bounds_of, positions
from distinctly.strings import Strings
from distinctly.tokenizers.sentences import sentence_ends
from distinctly.views.base import Described, View, ViewKind
from distinctly.views.tokens import Tokens, TokenView


@dataclass(frozen=True)
class Sentences:
    """The sentences of some texts that have tokens.

    Attributes
    ----------
    tokens
        The tokens of each sentence.
    bounds
        Text i has the sentences ``bounds[i]`` to ``bounds[i + 1]``.
    groups
        One group per text, if there are groups.
    """

    tokens: Tokens
    bounds: Integers
    groups: Strings | None = None

    def __len__(self) -> int:
        return len(self.bounds) - 1

    @cached_property
    def text_hashes(self) -> Hashes:
        """The hash of each text: of its sentences, in order."""
        return hashing.sequence(self.tokens.text_hashes, self.bounds)

    def select(self, rows: Integers) -> Sentences:
        """Return the sentences of the texts in these rows."""
        where, bounds = positions(self.bounds, rows)
        groups = None if self.groups is None else self.groups.take(rows)
        return Sentences(self.tokens.select(where), bounds, groups)


@dataclass(frozen=True)
class SentenceView(View[Sentences]):
    """The sentences of texts, each of them tokenized; those without tokens are left out.

    `tokenizers.sentences` has the rule. Token lists are joined by spaces to find their sentences; a token
    belongs to the sentence that it begins in.

    Examples
    --------
    >>> from distinctly.views.tokens import WORDS
    >>> sentences = SentenceView(WORDS).make(Batch.of(["It rains. Go home!", "", "No"]), RunConfig())
    >>> sentences.tokens.token_lists(), sentences.bounds.tolist()
    ([['It', 'rains', '.'], ['Go', 'home', '!'], ['No']], [0, 2, 2, 3])
    """

    words: TokenView
    kind: ClassVar[ViewKind] = "tokens"

    def make(self, batch: Batch, config: RunConfig) -> Sentences:
        """Find the sentences, and tokenize them."""
        texts: list[list[str]] | list[list[list[str]]]
        if batch.bounds is None:
            texts = [_cut(text) for text in batch.strings]
        else:
            texts = [_cut_tokens(tokens) for tokens in TokenColumn(batch.strings, batch.bounds).tolist()]
        pieces: list[str | list[str]] = []
        for text in texts:
            pieces += text
        tokens = self.words.make(Batch.of(pieces), config)
        bounds = bounds_of([len(text) for text in texts])
        filled = tokens.lengths > 0
        kept = bounds_of(filled.astype(np.int64))
        return Sentences(tokens.select(np.flatnonzero(filled)), kept[bounds], batch.groups)

    def join(self, pieces: Sequence[Sentences]) -> Sentences:
        """Concatenate the sentences of several batches."""
        lengths = [np.diff(piece.bounds) for piece in pieces]
        groups = [piece.groups for piece in pieces if piece.groups is not None]
        return Sentences(
            Tokens.join([piece.tokens for piece in pieces]),
            bounds_of(np.concatenate([np.zeros(0, np.int64), *lengths])),
            Strings.concatenate(groups) if groups and len(groups) == len(pieces) else None,
        )

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the tokenizer and its options."""
        return self.words.describe(came_as_tokens=came_as_tokens)


def _cut(text: str) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *sentence_ends(text)])]


def _cut_tokens(tokens: list[str]) -> list[list[str]]:
    """Return the tokens of each sentence.

    Examples
    --------
    >>> _cut_tokens(["No", ".", "Yes"])
    [['No', '.'], ['Yes']]
    """
    starts = np.cumsum([0, *(len(token) + 1 for token in tokens)])[:-1]
    *ends, _ = sentence_ends(" ".join(tokens))
    places = np.searchsorted(starts, ends).tolist()
    return [tokens[start:end] for start, end in pairwise([0, *places, len(tokens)])]
