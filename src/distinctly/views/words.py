"""`TokenView`: texts as the tokens of a tokenizer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import hash_rows
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.given import Given
from distinctly.tokenizers.words import Words
from distinctly.views.base import Described, View, ViewKind
from distinctly.views.tokens import Tokens


@dataclass(frozen=True)
class TokenView(View[Tokens]):
    """The tokens of texts.

    Examples
    --------
    >>> TokenView(Words(lc=True)).make(Batch.of(["The cat"]), RunConfig()).token_lists()
    [['the', 'cat']]
    """

    tokenizer: Tokenizer
    kind: ClassVar[ViewKind] = "tokens"

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _hash(self) -> int:
        return hash((TokenView, self.tokenizer))  # cached, since every lookup of a summary needs it

    def make(self, batch: Batch, config: RunConfig) -> Tokens:
        """Tokenize the texts; texts that came as token lists are only normalized."""
        compiled = bool(config.compiled)
        if batch.only_vectors and batch.vectors is not None:
            return Tokens.of_hashes(hash_rows(batch.vectors))
        if batch.bounds is not None:
            prepared = as_given(self.tokenizer).prepare_all(batch.strings)
            return Tokens.of_column(prepared, batch.bounds, batch.groups, compiled=compiled)
        if compiled and (classes := self.tokenizer.character_classes()) is not None:
            from distinctly.views.scanned import scan

            hashes, bounds, spelling = scan(self.tokenizer.prepare_all(batch.strings), classes)
            return Tokens(hashes, bounds, spelling, batch.groups, compiled=True)
        lists = [self._tokenize(text) for text in batch.strings]
        return Tokens.of(lists, batch.groups, compiled=compiled)

    def join(self, pieces: Sequence[Tokens]) -> Tokens:
        """Concatenate the tokens of several batches."""
        return Tokens.join(pieces)

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the tokenizer and its options."""
        return self._described[came_as_tokens]

    @cached_property
    def _tokenize(self) -> Callable[[str], list[str]]:
        return self.tokenizer.split if self.tokenizer.is_plain else self.tokenizer.tokenize

    @cached_property
    def _described(self) -> tuple[Described, Described]:
        tokenizers = self.tokenizer, as_given(self.tokenizer)
        of_texts, of_tokens = (("tok", tokenizer.name, tokenizer.options()) for tokenizer in tokenizers)
        return of_texts, of_tokens


def as_given(tokenizer: Tokenizer) -> Given:
    """Return the tokenizer for token lists, with the lower-casing and normalization of another."""
    return Given(lc=tokenizer.lc, norm=tokenizer.norm)


# The default view of metrics of tokens.
WORDS = TokenView(Words())
