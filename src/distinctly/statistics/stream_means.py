"""Summaries of walks through tokens: the mean over texts or groups, or one walk through all texts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from distinctly.statistics.base import Mergeable, NeedsRows
from distinctly.statistics.means import Mean, ValueIndex
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import Streams, Walk
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

Walked = TypeVar("Walked", contravariant=True)


class WalkFormula(Protocol[Walked]):
    """A metric whose formula turns the result of a walk into values."""

    def formula(self, walked: Walked, /) -> Reals:
        """Return one value per stream; NaN where it is undefined."""


@dataclass(frozen=True)
class TextWalkMean(Mergeable[Mean, Mean]):
    """The mean of a formula over texts, each of which is one stream."""

    walk: Walk[Any]
    of: WalkFormula[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> Mean:
        """Walk through each text of a batch."""
        return Mean.of(self._values(tokens))

    def summarize(self, state: Mean) -> Mean:
        """Return the mean: the state is the summary."""
        return state

    def index(self, tokens: Tokens) -> ValueIndex:
        """Walk through each text once."""
        return ValueIndex(self._values(tokens))

    def _values(self, tokens: Tokens) -> Reals:
        return self.of.formula(self.walk.each(Streams.each_text(tokens)))


@dataclass(frozen=True)
class WholeWalk(NeedsRows[Any]):
    """A walk through all texts, joined into one stream."""

    walk: Walk[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Any:
        """Walk through the stream."""
        return self.walk.each(Streams.whole(tokens))


@dataclass(frozen=True)
class GroupWalkMean(NeedsRows[Mean]):
    """The mean of a formula over groups, the texts of each joined into one stream."""

    walk: Walk[Any]
    of: WalkFormula[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Mean:
        """Walk through each group."""
        return Mean.of(self.of.formula(self.walk.each(Streams.each_group(tokens))))
