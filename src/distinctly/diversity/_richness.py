"""Base classes of the lexical richness metrics: one value per text, and its mean."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, Literal

import numpy as np

from distinctly.diversity.base import CountDiversity, Pool, Pooled, Short, SizedCounts, ratio
from distinctly.metrics import Family
from distinctly.options import Value, option
from distinctly.score import Note, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.means import Mean
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Reals
from distinctly.statistics.stream_means import GroupWalkMean, TextWalkMean, WholeWalk
from distinctly.statistics.streams import Walk, Walked, WindowSums

Compare = Literal["<", "<="]

# A note warns of fewer tokens than this; our choice.
FEW_TOKENS = 50
# Presets that read the tokens of another package: LexicalRichness, and Kyle's lexical-diversity.
LEXICALRICHNESS: Mapping[str, Value] = {"of": "lexicalrichness"}
KYLE: Mapping[str, Value] = {"of": "kyle"}


class _Requires(Pooled):
    """A metric of words that states what a text needs to have a value."""

    default_view: ClassVar[str] = "words(punct=no;lc=yes)"
    family: ClassVar[Family] = "richness"

    @property
    @abstractmethod
    def required(self) -> str:
        """What a text needs to have a value, to follow "no text has"."""

    def lacking(self) -> str:
        """Return that the requirement is not met."""
        return f"do not have {self.required}"

    def remarks(self, lengths: LengthSums, summary: Any = None) -> tuple[str, ...]:
        """Warn of texts that are too short for a reliable value."""
        tokens = lengths.tokens / max(lengths.texts if self.pool == "text" else 1, 1)
        if not 0 < tokens < FEW_TOKENS:
            return ()
        if self.pool == "text":
            tokens_of, owner = f"The texts have {tokens:.3g} tokens on average", "The texts have"
            remedy = "measure longer texts"
        else:
            tokens_of, owner = f"The corpus has {tokens:.3g} tokens", "The corpus has"
            remedy = "measure more text"
        general = f"{owner} too few tokens for a reliable value: {remedy}."
        return (Note(f"{tokens_of}, too few for a reliable value: {remedy}.", "warning", general=general),)

    def why_undefined(self, lengths: LengthSums, summary: Any = None) -> str:
        """Return that there are no texts, or that none meets the requirement."""
        if not lengths.texts:
            return "there are no texts."
        if self.pool == "corpus":
            return f"the texts together do not have {self.required}."
        return f"no {self.pool} has {self.required}."


@dataclass(frozen=True, kw_only=True)
class TokenRichness(_Requires, CountDiversity):
    """A formula on the counts of single tokens.

    Attributes
    ----------
    pool
        ``text``: the mean of one value per text. ``corpus``: one value of all tokens together.
        ``group``: the mean of one value per group of texts.
    short
        How such a mean treats a text (or group) without a value: leave it out (``skip``), count it as 0
        (``zero``), or make the mean undefined (``nan``).
    """

    pool: Pool = "text"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """1: single tokens are counted."""
        return 1

    @property
    def required(self) -> str:
        """At least one token."""
        return "any tokens"

    def counted(self) -> NgramCounts:
        """Return the counts of single tokens."""
        return NgramCounts(1, view=self.view)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C and the number of texts."""
        return {
            "N": grams.distinct[0].item(),
            "C": int(grams.total[0]),
            "texts": int(grams.texts[0]),
        }


@dataclass(frozen=True, kw_only=True)
class Richness(SizedCounts, TokenRichness):
    """A formula on the counts of single tokens that depends on their number."""


@dataclass(frozen=True, kw_only=True)
class StreamRichness(_Requires, Generic[Walked]):
    """A formula on a walk through the tokens, in their order.

    Attributes
    ----------
    pool
        ``text``: the mean of one value per text. ``corpus``: one value of all texts, concatenated in
        their order. ``group``: the mean of one value per group, whose texts are concatenated.
    short
        How such a mean treats a text (or group) without a value: leave it out (``skip``), count it as 0
        (``zero``), or make the mean undefined (``nan``).
    """

    pool: Pool = "text"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """1: single tokens are counted."""
        return 1

    @abstractmethod
    def walk(self) -> Walk[Walked]:
        """Return the walk."""

    @abstractmethod
    def formula(self, sums: Walked) -> Reals:
        """Return one value per stream; NaN where it is undefined."""

    @abstractmethod
    def parts(self, sums: Walked) -> dict[str, int | float]:
        """Return the numbers that the value of the corpus is computed from, except the number of texts."""

    @property
    def ordered(self) -> bool:
        """Whether texts are concatenated, so that their order matters."""
        return self.pool != "text"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the walk through all texts (or the mean over texts or groups) and the lengths."""
        walk = self.walk()
        pooled: dict[Pool, AnyStatistic] = {
            "text": TextWalkMean(walk, self, view=self.view),
            "corpus": WholeWalk(walk, view=self.view),
            "group": GroupWalkMean(walk, self, view=self.view),
        }
        return pooled[self.pool], Lengths(view=self.view)

    def score(self, *summaries: Any) -> Score:
        """Apply the formula to the single stream, or return the score of the mean."""
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
        Tokens per window.
    shrink
        Whether a text that is shorter than the window has the type-token ratio of all its tokens. Otherwise
        it has no value.
    """

    window: int = option(50, at_least=1)
    shrink: bool = False

    @property
    def required(self) -> str:
        """At least one window."""
        return "any tokens" if self.shrink else f"at least {self.window:,} tokens"

    def formula(self, sums: WindowSums) -> Reals:
        """Return the mean of the ratios, which have the same denominator."""
        window = np.minimum(self.window, sums.tokens) if self.shrink else self.window
        return ratio(sums.types, sums.windows * window)


@dataclass(frozen=True, kw_only=True)
class FactorRichness(StreamRichness[Walked]):
    """The mean length of a factor: the tokens until their type-token ratio has fallen to a threshold.

    Attributes
    ----------
    threshold
        The ratio at which a factor ends.
    compare
        Whether the ratio must fall below the threshold (``<``) or only reach it (``<=``).
    minimum
        The smallest number of tokens of a factor.
    """

    threshold: float = option(0.72, above=0, below=1)
    compare: Compare = "<"
    minimum: int = option(0, at_least=0)

    @property
    def required(self) -> str:
        """At least one token."""
        return "any tokens"
