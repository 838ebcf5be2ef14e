"""What metrics of counts share: what is pooled, the size of the n-gram, and how a mean is scored."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from distinctly.metrics import Metric, Sized
from distinctly.options import bounds, option
from distinctly.ragged import Integers
from distinctly.score import Note, Score
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.means import GroupMean, Mean, TextMean
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Reals
from distinctly.statistics.pool import Pool as TextPool

# Fewer n-grams than this say little; choices of ours, as is the share from which nearly all differ.
FEW, SATURATED = 50, 0.98
Pool = Literal["corpus", "text", "group"]
Short = Literal["skip", "zero", "nan"]


class Pooled(Metric):
    """One value of the corpus, or the mean of one value a text or a group.

    `pool` and `short` are options of those who inherit it, each with its own default.
    """

    pool: Pool
    short: Short

    @abstractmethod
    def lacking(self) -> str:
        """Say what is true of a text (or group) without a value, as what follows "3 of 10 texts"."""

    @abstractmethod
    def why_undefined(self, lengths: LengthSums, summary: Any = None) -> str:
        """Say why there is no value; `summary` is there where the corpus is what is pooled."""

    def remarks(self, lengths: LengthSums, summary: Any = None) -> tuple[str, ...]:
        """Return the metric's own notes; `summary` is there where the corpus is what is pooled."""
        return ()

    @property
    def reads_groups(self) -> bool:
        """Whether the groups are what is pooled."""
        return self.pool == "group"

    def score_mean(self, mean: Mean, lengths: LengthSums) -> Score:
        """Finish a mean over texts or groups."""
        defined = mean.members - mean.undefined
        what = "texts" if self.pool == "text" else "groups"
        parts: dict[str, int | float] = {
            "texts": lengths.texts,
            "tokens": lengths.tokens,
            f"skipped_{what}": mean.undefined,
        }
        if self.pool == "group":
            parts["groups"] = mean.members
        too_short = f"{mean.undefined:,} of {mean.members:,} {what} {self.lacking()}"
        if not mean.members or (not defined and self.short != "zero"):
            return self.scored(math.nan, parts, self.remarks(lengths), undefined=self.why_undefined(lengths))
        if mean.undefined and self.short == "nan":
            return self.scored(
                math.nan, parts, self.remarks(lengths), undefined=f"{too_short}, and short=nan."
            )
        divisor = mean.members if self.short == "zero" else defined
        treated = "count as 0" if self.short == "zero" else "are left out"
        notes = (f"{too_short}; they {treated} (short={self.short}).",) if mean.undefined else ()
        return self.scored(mean.total.value / divisor, parts, (*notes, *self.remarks(lengths)))


class CountDiversity(Pooled):
    """A formula of counts, over the corpus or as a mean over its texts or groups."""

    @abstractmethod
    def counted(self) -> NgramCounts:
        """Return what is counted."""

    @abstractmethod
    def formula(self, grams: Grams) -> Reals:
        """Return the value of each selection of texts; NaN where it is undefined."""

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return what the value of the corpus is made of."""
        return {
            "N": grams.distinct[0].item(),
            "C": int(grams.total[0]),
            "texts": int(grams.texts[0]),
            "skipped_texts": int(grams.short[0]),
        }

    def told(self, lengths: LengthSums, grams: Grams) -> tuple[str, ...]:
        """Say what the value of the corpus leaves out."""
        return ()

    def warnings(self, grams: Grams) -> tuple[str, ...]:
        """Say why the value of the corpus may mean little."""
        return ()

    @property
    def sized(self) -> Sized:
        """With how many n-grams there are, unless each text is measured by itself."""
        return "ngrams" if self.pool == "corpus" else "no"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the counts, or the mean over texts or groups, and the lengths."""
        counts: Mergeable[Any, Any] = self.counted()
        if self.pool != "corpus":
            counts = (TextMean if self.pool == "text" else GroupMean)(self.counted(), self)
        return counts, Lengths(view=self.view)

    def each(self, pool: TextPool, labels: Integers, selections: int) -> Reals:
        """Apply the formula to all selections at once."""
        if self.pool != "corpus":
            return super().each(pool, labels, selections)
        return self.formula(pool.index(self.counted()).each(labels, selections))

    def score(self, *summaries: Any) -> Score:
        """Apply the formula to the counts, or finish the mean."""
        summary, lengths = summaries
        if isinstance(summary, Mean):
            return self.score_mean(summary, lengths)
        value = float(self.formula(summary)[0])
        missing = math.isnan(value)
        notes = () if missing else self.told(lengths, summary)
        return self.scored(
            value,
            self.parts(summary),
            (*notes, *self.remarks(lengths, summary), *self.warnings(summary)),
            undefined=self.why_undefined(lengths, summary) if missing else None,
        )


@dataclass(frozen=True, kw_only=True)
class NgramDiversity(CountDiversity):
    """A formula of n-gram counts, over the corpus or as a mean over its texts or groups.

    Attributes
    ----------
    n
        Tokens an n-gram; n-grams do not cross from text to text.
    pool
        ``corpus``: one value of all n-grams together. ``text``: the mean of one value a text.
        ``group``: the mean of one value a group of texts.
    short
        What a text (or group) without any n-gram counts as in such a mean: it is left out
        (``skip``), counts as 0 (``zero``), or makes the mean undefined (``nan``).
    """

    n: int = field(metadata=bounds(at_least=1))
    pool: Pool = "corpus"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    def counted(self) -> NgramCounts:
        """Return n-grams."""
        return NgramCounts(self.n, view=self.view)

    def lacking(self) -> str:
        """Say that it takes an n-gram."""
        return f"have no {self.n}-gram"

    def why_undefined(self, lengths: LengthSums, grams: Grams | None = None) -> str:
        """Say why there is no value; `grams` are there where the corpus is what is pooled."""
        if not lengths.texts:
            return "there are no texts."
        return f"no text has {self.n} tokens or more, so there is no {self.n}-gram."

    def told(self, lengths: LengthSums, grams: Grams) -> tuple[str, ...]:
        """Say how many texts have no n-gram."""
        short = int(grams.short[0])
        if not short:
            return ()
        return (
            f"{short:,} of {lengths.texts:,} texts have fewer than {self.n} tokens, so no {self.n}-gram.",
        )

    def warnings(self, grams: Grams) -> tuple[str, ...]:
        """Say where there is too little for the number to mean much."""
        total = int(grams.total[0])
        if 0 < total < FEW:
            few = f"Only {total} {self.n}-grams: too few for a number that means much."
            return (Note(few, "warning"),)
        if total and grams.distinct[0] > SATURATED * total:
            saturated = (
                f"Saturated: nearly every {self.n}-gram differs from all others, so that corpora can hardly "
                "be told apart. Use a smaller n, or more text."
            )
            return (Note(saturated, "warning"),)
        return ()


def ratio(numerator: Integers | Reals, denominator: Integers | Reals) -> Reals:
    """Divide; NaN where the denominator is 0.

    Examples
    --------
    >>> ratio(np.array([1, 0]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    found = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=found, where=denominator != 0)
    return found
