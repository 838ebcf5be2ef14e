"""What metrics of lexical richness share: tokens one by one, a value a text, and its mean."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal

from distinctly.diversity.base import CountDiversity, Pool, Pooled, Short, ratio
from distinctly.options import Value, option
from distinctly.score import Note, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.means import Mean
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Reals
from distinctly.statistics.stream_means import GroupWalkMean, TextWalkMean, WholeWalk
from distinctly.statistics.streams import Walk, Walked, WindowSums

Compare = Literal["<", "<="]


# Fewer tokens than this have no richness to speak of; a choice of ours.
FEW_TOKENS = 50


class _Takes(Pooled):
    """A metric that says in words what a text needs to have a value."""

    @property
    @abstractmethod
    def takes(self) -> str:
        """What it takes, as what follows "no text has"."""

    def lacking(self) -> str:
        """Say what it takes."""
        return f"do not have {self.takes}"

    def remarks(self, lengths: LengthSums, summary: Any = None) -> tuple[str, ...]:
        """Say where texts are too short for a number that means much."""
        each = lengths.tokens / max(lengths.texts if self.pool == "text" else 1, 1)
        if not 0 < each < FEW_TOKENS:
            return ()
        what = "Texts have" if self.pool == "text" else "There are"
        average = " on average" if self.pool == "text" else ""
        few = f"{what} {each:.3g} tokens{average}: too few for a number that means much."
        return (Note(few, "warning"),)

    def why_undefined(self, lengths: LengthSums, summary: Any = None) -> str:
        """Say that there are no texts, or what it would take."""
        if not lengths.texts:
            return "there are no texts."
        if self.pool == "corpus":
            return f"the texts together do not have {self.takes}."
        return f"no {self.pool} has {self.takes}."


@dataclass(frozen=True, kw_only=True)
class Richness(_Takes, CountDiversity):
    """A formula of how often each token occurs.

    Attributes
    ----------
    pool
        ``text``: the mean of one value a text. ``corpus``: one value of all tokens together.
        ``group``: the mean of one value a group of texts.
    short
        What a text (or group) without a value counts as in such a mean: it is left out (``skip``),
        counts as 0 (``zero``), or makes the mean undefined (``nan``).
    """

    pool: Pool = "text"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """It counts single tokens."""
        return 1

    @property
    def takes(self) -> str:
        """A token: then there is something to count."""
        return "a token"

    def counted(self) -> NgramCounts:
        """Return single tokens."""
        return NgramCounts(1, view=self.view)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, and the texts."""
        return {
            "N": grams.distinct[0].item(),
            "C": int(grams.total[0]),
            "texts": int(grams.texts[0]),
        }


@dataclass(frozen=True, kw_only=True)
class StreamRichness(_Takes, Generic[Walked]):
    """A formula of what is found on a walk through the tokens, in their order.

    Attributes
    ----------
    pool
        ``text``: the mean of one value a text. ``corpus``: one value of all texts, run on as one
        stream in their order. ``group``: the mean of one value a group, its texts run on likewise.
    short
        What a text (or group) without a value counts as in such a mean: it is left out (``skip``),
        counts as 0 (``zero``), or makes the mean undefined (``nan``).
    """

    pool: Pool = "text"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """It counts single tokens."""
        return 1

    @abstractmethod
    def walk(self) -> Walk[Walked]:
        """Return the walk."""

    @abstractmethod
    def formula(self, found: Walked) -> Reals:
        """Return the value of each stream; NaN where it is undefined."""

    @abstractmethod
    def parts(self, found: Walked) -> dict[str, int | float]:
        """Return what the value of the corpus is made of, besides its texts."""

    @property
    def ordered(self) -> bool:
        """Whether texts run on into each other, so that their order matters."""
        return self.pool != "text"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the walk through all, or the mean over texts or groups, and the lengths."""
        walk = self.walk()
        pooled: dict[Pool, AnyStatistic] = {
            "text": TextWalkMean(walk, self, view=self.view),
            "corpus": WholeWalk(walk, view=self.view),
            "group": GroupWalkMean(walk, self, view=self.view),
        }
        return pooled[self.pool], Lengths(view=self.view)

    def score(self, *summaries: Any) -> Score:
        """Apply the formula to the one stream, or finish the mean."""
        summary, lengths = summaries
        if isinstance(summary, Mean):
            return self.score_mean(summary, lengths)
        value = float(self.formula(summary)[0])
        return self.scored(
            value,
            {**self.parts(summary), "texts": lengths.texts},
            self.remarks(lengths),
            undefined=self.why_undefined(lengths) if math.isnan(value) else None,
        )


@dataclass(frozen=True, kw_only=True)
class WindowRichness(StreamRichness[WindowSums]):
    """The mean type-token ratio of windows of equal length.

    Attributes
    ----------
    window
        Tokens a window.
    """

    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"window": 100},
        "kyle": {"window": 50},
    }

    window: int = option(50, at_least=1)

    @property
    def takes(self) -> str:
        """As many tokens as a window."""
        return f"{self.window:,} tokens or more"

    def formula(self, found: WindowSums) -> Reals:
        """The mean of the ratios: all have the same denominator."""
        return ratio(found.types, found.windows * self.window)


@dataclass(frozen=True, kw_only=True)
class FactorRichness(StreamRichness[Walked]):
    """How long a factor is: tokens until their type-token ratio has fallen to a threshold.

    Attributes
    ----------
    threshold
        The ratio at which a factor ends.
    compare
        Whether the ratio must fall below it (``<``), or reaching it is enough (``<=``).
    minimum
        Tokens that a factor has at least.
    """

    threshold: float = option(0.72, above=0, below=1)
    compare: Compare = "<"
    minimum: int = option(0, at_least=0)

    @property
    def takes(self) -> str:
        """A token."""
        return "a token"
