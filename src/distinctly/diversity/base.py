"""Base classes of the metrics on n-gram counts: pooling, n-gram size, and scores of means."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np

from distinctly.metrics import Approximable, Family, Metric, Sizable, Sized
from distinctly.options import bounds, option
from distinctly.ragged import Integers
from distinctly.score import Note, Score
from distinctly.statistics.accumulation import LEAST_DRAWN, Curve, SeenTables, curve_statistic
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.means import GroupMean, Mean, TextMean
from distinctly.statistics.ngram_counts import Grams, NgramCounts, Reals
from distinctly.statistics.pool import Pool as TextPool

# Our choices: a note warns of fewer n-grams, and of a larger share of distinct n-grams.
FEW, SATURATED = 50, 0.98
Pool = Literal["corpus", "text", "group"]
Short = Literal["skip", "zero", "nan"]
Reads = Literal["sizes", "sums", "columns"]
P = TypeVar("P", bound="Pooled")
C = TypeVar("C", bound="CountDiversity")


class Pooled(Metric):
    """One value of the corpus, or the mean of one value per text or group.

    Subclasses declare the options `pool` and `short`, each with its own default.
    """

    pool: Pool
    short: Short

    @abstractmethod
    def lacking(self) -> str:
        """Return what a text (or group) without a value lacks, to follow "3 of 10 texts"."""

    @abstractmethod
    def why_undefined(self, lengths: LengthSums, summary: Any = None) -> str:
        """Return why there is no value; `summary` is given with ``pool=corpus``."""

    def remarks(self, lengths: LengthSums, summary: Any = None) -> tuple[str, ...]:
        """Return notes specific to the metric; `summary` is given with ``pool=corpus``."""
        return ()

    @property
    def reads_groups(self) -> bool:
        """Whether the value is a mean over groups."""
        return self.pool == "group"

    @property
    def of_one_text(self) -> bool:
        """Whether a single text has a value, which is not that of its group."""
        return super().of_one_text and self.pool != "group"

    def per_text(self: P) -> P:
        """Return the metric as a mean over texts."""
        options: dict[str, Any] = {"pool": "text"}
        return self if self.pool == "text" else replace(self, **options)

    def values_of_texts(self, pool: TextPool) -> Reals:
        """Return the values whose mean is that of the corpus with ``pool=text``."""
        mean = self.per_text().statistics()[0]
        if not isinstance(mean, Mergeable):
            return super().values_of_texts(pool)
        values: Reals = pool.index(mean).values
        is_zero = self.pool == "text" and self.short == "zero"
        return np.where(np.isnan(values), 0.0, values) if is_zero else values

    def why_texts_lack(self, pool: TextPool, rows: Integers) -> Mapping[str, int]:
        """Return what all of these texts lack."""
        return {f"they {self.lacking()}": len(rows)}

    def score_mean(self, mean: Mean, lengths: LengthSums) -> Score:
        """Return the score of a mean over texts or groups."""
        defined = mean.members - mean.undefined
        members = "texts" if self.pool == "text" else "groups"
        parts: dict[str, int | float] = {
            "texts": lengths.texts,
            "tokens": lengths.tokens,
            f"skipped_{members}": mean.undefined,
        }
        if self.pool == "group":
            parts["groups"] = mean.members
        too_short = f"{mean.undefined:,} of {mean.members:,} {members} {self.lacking()}"
        if not mean.members or (not defined and self.short != "zero"):
            return self.scored(math.nan, parts, self.remarks(lengths), undefined=self.why_undefined(lengths))
        if mean.undefined and self.short == "nan":
            why = f"{too_short}, and short=nan makes the mean undefined."
            return self.scored(math.nan, parts, self.remarks(lengths), undefined=why)
        divisor = mean.members if self.short == "zero" else defined
        treated = "count as 0" if self.short == "zero" else "are left out"
        note = Note(
            f"{too_short}; they {treated} (short={self.short}).",
            general=f"Some {members} are too short to have a value; they {treated} (short={self.short}).",
        )
        notes = (note,) if mean.undefined else ()
        return self.scored(mean.total.value / divisor, parts, (*notes, *self.remarks(lengths)))


@dataclass(frozen=True, kw_only=True)
class CountDiversity(Approximable, Pooled):
    """A formula on counts: of the corpus, or as a mean over its texts or groups."""

    @property
    def reads(self) -> Reads:
        """What `formula` reads of the counts.

        ``sizes``: only the numbers of distinct n-grams, of n-grams and of tokens, so that the value at any
        size, and without any text, has a closed form. ``sums``: also `Grams.sum`, `entropy`, `seen`,
        `largest`, `relative_powers` and `chao1`, so that the value without any text has a closed form.
        ``columns``: anything.
        """
        return "columns"

    @abstractmethod
    def counted(self) -> NgramCounts:
        """Return the statistic that counts."""

    @abstractmethod
    def formula(self, grams: Grams) -> Reals:
        """Return one value per selection of texts; NaN where it is undefined."""

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return the numbers that the value of the corpus is computed from."""
        return {
            "N": grams.distinct[0].item(),
            "C": int(grams.total[0]),
            "texts": int(grams.texts[0]),
            "skipped_texts": int(grams.short[0]),
        }

    def omissions(self, lengths: LengthSums, grams: Grams) -> tuple[str, ...]:
        """Return notes on what the value of the corpus leaves out."""
        return ()

    def warnings(self, grams: Grams) -> tuple[str, ...]:
        """Return notes on why the value of the corpus may be unreliable."""
        return ()

    @property
    def why_exact(self) -> str | None:
        """Why the value cannot be computed from an estimate of N; None if it can."""
        if self.pool != "corpus":
            return f"a mean over {self.pool}s is exact without a table of all n-grams"
        if self.reads != "sizes":
            return "it reads how often each n-gram occurs"
        if self.reads_reference:
            return "it reads the n-grams of a reference corpus"
        return None

    def approximated(self: C) -> C:
        """Return the metric of the corpus with an estimate of N; itself for a mean over texts or groups."""
        options: dict[str, Any] = {"approximate": True}
        return replace(self, **options) if self.pool == "corpus" else self

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the counts (or the mean over texts or groups) and the lengths."""
        counts: Mergeable[Any, Any] = self.counted()
        if self.approximate:
            from distinctly.statistics.approximate_counts import ApproximateCounts

            counts = ApproximateCounts(self.counted().n, view=self.view)
        elif self.pool != "corpus":
            counts = (TextMean if self.pool == "text" else GroupMean)(self.counted(), self)
        return counts, Lengths(view=self.view)

    def score_grams(self, grams: Grams, lengths: LengthSums) -> Score:
        """Return the score of the counts of a corpus."""
        value = float(self.formula(grams)[0])
        missing = math.isnan(value)
        notes = () if missing else self.omissions(lengths, grams)
        score = self.scored(
            value,
            self.parts(grams),
            (*notes, *self.remarks(lengths, grams), *self.warnings(grams)),
            undefined=self.why_undefined(lengths, grams) if missing else None,
        )
        return self._estimated(score, grams) if self.approximate and not missing else score

    def _estimated(self, score: Score, grams: Grams) -> Score:
        """Return a score with the interval that the error of N gives."""
        from distinctly.statistics.sketches import ESTIMATED, estimated_within

        sizes = estimated_within(float(grams.distinct[0]), int(grams.total[0]))
        values = [float(self.formula(replace(grams, distinct=np.array([size])))[0]) for size in sizes]
        return replace(score, low=min(values), high=max(values), notes=(*score.notes, ESTIMATED))

    def each(self, pool: TextPool, labels: Integers, selections: int) -> Reals:
        """Apply the formula to all selections at once."""
        if self.pool != "corpus" or self.approximate:
            return super().each(pool, labels, selections)
        return self.formula(pool.index(self.counted()).each(labels, selections))

    def score(self, *summaries: Any) -> Score:
        """Apply the formula to the counts, or return the score of the mean."""
        summary, lengths = summaries
        if isinstance(summary, Mean):
            return self.score_mean(summary, lengths)
        return self.score_grams(summary, lengths)


@dataclass(frozen=True, kw_only=True)
class SizedCounts(Sizable, CountDiversity):
    """A formula on counts that depends on the number of n-grams, unless each text or group has a value."""

    @property
    def sized(self) -> Sized:
        """The number of n-grams, unless each text or group has its own value."""
        return "ngrams" if self.pool == "corpus" else "no"

    @property
    def drawn(self) -> bool:
        """Whether the value at a size has no closed form."""
        return self.at is not None and self.reads != "sizes"

    @property
    def why_exact(self) -> str | None:
        """Why the value cannot be computed from an estimate of N; None if it can."""
        at_size = "its value at a size depends on how many texts have each n-gram"
        return at_size if self.at is not None else super().why_exact

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the counts, or the accumulation curve for a size, and the lengths."""
        if self.at is None or self.drawn:
            return super().statistics()
        n = self.counted().n
        return curve_statistic(n, self.unit or "text", self.view), Lengths(view=self.view)

    def score(self, *summaries: Any) -> Score:
        """Apply the formula to the counts, or to those expected at a size."""
        summary, lengths = summaries
        if not isinstance(summary, Curve):
            return super().score(*summaries)
        drawn, unit = summary.drawn(self.size), self.unit or "text"
        if why := why_not_drawn(self, summary.total, drawn):
            return self.scored(math.nan, {"total": summary.total, f"{unit}s": summary.units}, undefined=why)
        # N and C are those at the size, since the value is computed from them.
        score = self.score_grams(summary.at(self.size), lengths)
        return replace(score, parts={**score.parts, "total": summary.total, f"drawn_{unit}s": drawn})

    def value_on(self, curve: Curve, size: int, seen: SeenTables | None = None) -> float:
        """Return the value at a number of n-grams, as `score` does; NaN if it is undefined."""
        if not curve.total or size > curve.total or curve.drawn(size) < LEAST_DRAWN:
            return math.nan
        return float(self.formula(curve.at(size, seen))[0])


def why_not_drawn(metric: Sizable, total: int, drawn: float) -> str | None:
    """Return why a corpus of a total size has no value at the size of a metric; None if it has one."""
    ngrams = metric.ngram_size or 1
    what = "texts" if metric.sized == "texts" else "tokens" if ngrams == 1 else f"{ngrams}-grams"
    if not total:
        return f"there are no {what}."
    if metric.size > total:
        return f"there are {total:,} {what}, fewer than at={metric.at}: choose a smaller size."
    if drawn < LEAST_DRAWN:
        return (
            f"at={metric.at} draws {drawn:.3g} {metric.unit or 'text'}s on average, fewer than "
            f"{LEAST_DRAWN}: choose a larger size."
        )
    return None


@dataclass(frozen=True, kw_only=True)
class NgramCounted(CountDiversity):
    """A formula on n-gram counts: of the corpus, or as a mean over its texts or groups.

    Attributes
    ----------
    n
        Tokens per n-gram. N-grams do not cross text boundaries.
    pool
        ``corpus``: one value of all n-grams together. ``text``: the mean of one value per text.
        ``group``: the mean of one value per group of texts.
    short
        How such a mean treats a text (or group) without any n-gram: leave it out (``skip``), count it
        as 0 (``zero``), or make the mean undefined (``nan``).
    """

    family: ClassVar[Family] = "lexical"

    n: int = field(metadata=bounds(at_least=1))
    pool: Pool = "corpus"
    short: Short = option("skip", only={"pool": ("text", "group")})

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    def counted(self) -> NgramCounts:
        """Return the counts of n-grams."""
        return NgramCounts(self.n, view=self.view)

    def lacking(self) -> str:
        """Return that there is no n-gram."""
        return f"have no {self.n}-gram"

    def why_undefined(self, lengths: LengthSums, grams: Grams | None = None) -> str:
        """Return why there is no value; `grams` is given with ``pool=corpus``."""
        if not lengths.texts:
            return "there are no texts."
        return Note(
            f"no text has at least {self.n} tokens, so there are no {self.n}-grams.",
            general="no text has as many tokens as the n-grams.",
        )

    def omissions(self, lengths: LengthSums, grams: Grams) -> tuple[str, ...]:
        """Return a note with the number of texts without n-grams."""
        short = int(grams.short[0])
        if not short:
            return ()
        few = f"{short:,} of {lengths.texts:,} texts have fewer than {self.n} tokens"
        general = "Some texts have fewer tokens than the n-grams, and so contain none."
        return (Note(f"{few} and so contain no {self.n}-gram.", general=general),)

    def warnings(self, grams: Grams) -> tuple[str, ...]:
        """Warn of too few n-grams, and of n-grams that are nearly all distinct."""
        total = int(grams.total[0])
        if 0 < total < FEW:
            ngrams = f"{self.n}-gram" if total == 1 else f"{self.n}-grams"
            few = f"The corpus has only {total} {ngrams}, too few for a reliable value: measure more text."
            general = "The corpus has too few n-grams for a reliable value: measure more text."
            return (Note(few, "warning", general=general),)
        if total and grams.distinct[0] > SATURATED * total:
            saturated = (
                f"The value is saturated: nearly all {self.n}-grams are distinct, so corpora can hardly be "
                "distinguished. Use a smaller n or more text."
            )
            general = (
                "The value is saturated: nearly all n-grams are distinct, so corpora can hardly be "
                "distinguished. Use a smaller n or more text."
            )
            return (Note(saturated, "warning", general=general),)
        return ()


@dataclass(frozen=True, kw_only=True)
class NgramDiversity(SizedCounts, NgramCounted):
    """A formula on n-gram counts that depends on the number of n-grams."""


@dataclass(frozen=True)
class Treated:
    """How a mean over texts treats those that are too short.

    Attributes
    ----------
    divisor
        The number of texts of the mean.
    notes
        What is done with texts that are too short, if there are some.
    undefined
        Why there is no mean; None if there is one.
    """

    divisor: int
    notes: tuple[str, ...] = ()
    undefined: str | None = None


def treat_short(short: Short, n: int, texts: int, too_short: int, tokens: str = "tokens") -> Treated:
    """Return how a mean over texts treats those with fewer than n tokens.

    Examples
    --------
    >>> treat_short("skip", 4, texts=10, too_short=3).notes
    ('3 of 10 texts have fewer than 4 tokens; they are left out (short=skip).',)
    """
    divisor = texts if short == "zero" else texts - too_short
    few = f"{too_short:,} of {texts:,} texts have fewer than {n} {tokens}"
    if not texts:
        return Treated(divisor, undefined="there are no texts.")
    if not divisor:
        return Treated(divisor, undefined=f"no text has at least {n} {tokens}, so there are no {n}-grams.")
    if too_short and short == "nan":
        return Treated(divisor, undefined=f"{few}, and short=nan makes the mean undefined.")
    treated = "count as 0" if short == "zero" else "are left out"
    return Treated(divisor, (f"{few}; they {treated} (short={short}).",) if too_short else ())


def ratio(numerator: Integers | Reals, denominator: Integers | Reals) -> Reals:
    """Return the quotients; NaN where the denominator is 0.

    Examples
    --------
    >>> ratio(np.array([1, 0]), np.array([2, 0])).tolist()
    [0.5, nan]
    """
    quotients = np.full(len(numerator), np.nan)
    np.divide(numerator, denominator, out=quotients, where=denominator != 0)
    return quotients
