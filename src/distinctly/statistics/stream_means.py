"""What a walk through tokens comes to: the value of each text or group in the mean, or of all as one."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Protocol, TypeVar

from distinctly.statistics.base import Mergeable, NeedsRows
from distinctly.statistics.means import Mean, ValueIndex
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import Streams, Walk
from distinctly.views.base import View
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS

Found = TypeVar("Found", contravariant=True)


class WalkFormula(Protocol[Found]):
    """Something with a formula: a metric."""

    def formula(self, found: Found, /) -> Reals:
        """Return one value a stream; NaN where it is undefined."""


@dataclass(frozen=True)
class TextWalkMean(Mergeable[Mean, Mean]):
    """The mean of a formula over texts, each a stream."""

    walk: Walk[Any]
    of: WalkFormula[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, view: Tokens) -> Mean:
        """Walk through each text of a batch."""
        return Mean.of(self._values(view))

    def summarize(self, state: Mean) -> Mean:
        """Return the mean; it is its own summary."""
        return state

    def index(self, view: Tokens) -> ValueIndex:
        """Walk through each text once."""
        return ValueIndex(self._values(view))

    def _values(self, view: Tokens) -> Reals:
        return self.of.formula(self.walk.each(Streams.each_text(view)))


@dataclass(frozen=True)
class WholeWalk(NeedsRows[Any]):
    """A walk through all texts, run on as one stream."""

    walk: Walk[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Any:
        """Walk."""
        return self.walk.each(Streams.whole(view))


@dataclass(frozen=True)
class GroupWalkMean(NeedsRows[Mean]):
    """The mean of a formula over groups, the texts of each run on as one stream."""

    walk: Walk[Any]
    of: WalkFormula[Any]
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Mean:
        """Walk through each group."""
        return Mean.of(self.of.formula(self.walk.each(Streams.each_group(view))))
