"""States of statistics over some texts: for texts that come in pieces, or from several machines."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from distinctly.corpus import Corpus
from distinctly.engine.local import AnyStatistic, Summaries, same_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.tokens import Tokens, tokenizer_for


@dataclass(frozen=True)
class Folded:
    """The states of some statistics over the texts so far, and the tokenizer that cut them.

    Adding in any order and any split gives the same summaries, to the bit.
    """

    states: Mapping[AnyStatistic, Any] = field(default_factory=dict)
    tokenizer: Tokenizer | None = None

    def __add__(self, other: Folded) -> Folded:
        if not self.states or not other.states:
            return self if self.states else other
        tokenizer = same_tokenizer(self.tokenizer, other.tokenizer)
        return Folded({key: state + other.states[key] for key, state in self.states.items()}, tokenizer)

    def summaries(self) -> Summaries:
        """Return the summary of each statistic."""
        return Summaries({key: key.summarize(state) for key, state in self.states.items()}, self.tokenizer)


def fold(corpus: Corpus, statistics: Iterable[AnyStatistic], tokenizer: Tokenizer) -> Folded:
    """Read a corpus once and keep the states of all statistics."""
    wanted = list(dict.fromkeys(statistics))
    total = Folded()
    for batch in corpus.batches():
        used = tokenizer_for(batch, tokenizer)
        view = Tokens.cut(batch, used)
        # A batch without texts was cut by nothing, and goes with any other.
        total += Folded({one: one.collect(view) for one in wanted}, used if len(batch) else None)
    return total
