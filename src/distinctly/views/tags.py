"""`TagView`: texts as lists of tags, such as parts of speech."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from distinctly.batch import Batch, TokenColumn
from distinctly.config import RunConfig
from distinctly.taggers.base import Tagger
from distinctly.views.base import Described, View, ViewKind
from distinctly.views.sentences import SentenceView
from distinctly.views.tokens import WORDS, Tokens

# What taggers of sentences read.
SENTENCES = SentenceView(WORDS)


@dataclass(frozen=True)
class TagView(View[Tokens]):
    """The tags of texts, which take the place of tokens.

    Examples
    --------
    >>> from distinctly.taggers.function import FunctionTagger
    >>> view = TagView(FunctionTagger(call=lambda text: ["N" for _ in text.split()]))
    >>> view.make(Batch.of(["cats sleep"]), RunConfig()).token_lists()
    [['N', 'N']]
    """

    tagger: Tagger
    kind: ClassVar[ViewKind] = "tokens"

    def make(self, batch: Batch, config: RunConfig) -> Tokens:
        """Tag the texts."""
        column = self._of_sentences(batch, config) if self.tagger.reads_sentences else self.tagger.tag(batch)
        compiled = bool(config.compiled)
        return Tokens.of_column(column.strings, column.bounds, batch.groups, compiled=compiled)

    def _of_sentences(self, batch: Batch, config: RunConfig) -> TokenColumn:
        """Tag each sentence, and join the tags of the sentences of a text."""
        sentences = SENTENCES.make(batch, config)
        column = self.tagger.tag(Batch.of(list(sentences.tokens.token_lists())))
        return TokenColumn(column.strings, column.bounds[sentences.bounds])

    def join(self, pieces: Sequence[Tokens]) -> Tokens:
        """Concatenate the tags of several batches."""
        return Tokens.join(pieces)

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the tagger and its options."""
        return "tag", self.tagger.name, self.tagger.options()
