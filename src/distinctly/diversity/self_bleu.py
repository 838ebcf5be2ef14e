"""`self_bleu`: how much of each text is made up of n-grams of the others."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, ClassVar, Literal

import numpy as np

from distinctly.metrics import Direction, Family, Sizable, Sized
from distinctly.options import option
from distinctly.ragged import Integers
from distinctly.references import bibtex
from distinctly.score import Note, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.bleu import AgainstAll, AgainstEach, BleuMean, BleuTotal, Matched, PairwiseBleuMean
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.pairs import Average
from distinctly.statistics.pool import Selection

EPSILON = 0.1  # as in NLTK's method1


def _draws_something(metric: SelfBleu) -> bool:
    return metric.mode == "pairwise" or metric.drawn


@dataclass(frozen=True, kw_only=True)
class SelfBleu(Sizable):
    """Mean BLEU of each text with all other texts as its references (Zhu et al., 2018).

    ``BLEU = min(1, e^(1 − r/c)) · (Π p_n)^(1/max_n)``: p_n is the share of the text's n-grams that
    are matched, c its length, r the closest length of another text. Exact, in linear time. Known
    bias: it grows with the number of texts, since each is compared with more of them.

    Attributes
    ----------
    max_n
        The largest n of the n-grams.
    smoothing
        How a p_n without matches is treated. ``none``: it is 0, and so is BLEU. ``epsilon``: it has 0.1
        matches (NLTK's method1). ``add-k``: one match and one n-gram are added for all n > 1 (method2).
        ``exp``: it has ½, ¼, … matches (method3).
    mode
        ``all``: all other texts are the references of a text together. ``pairwise``: the mean over
        ordered pairs of texts, one hypothesis and one reference each.
    pairs, seed
        With ``pairwise``: the largest number of pairs, and the seed of the draw if there are more; with
        `at`, the seed of the draws of texts.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["the cat sat on the mat", "the cat sat on the hat", "a dog"]
    >>> round(dy.measure(texts, "self_bleu:max_n=2")[0].value, 4)
    0.5443
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "zhu2018texygen",
            author="Zhu, Y. and others",
            title="Texygen: A benchmarking platform for text generation models",
            booktitle="SIGIR",
            year=2018,
        ),
    )
    family: ClassVar[Family] = "repetition"
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    least_texts: ClassVar[int] = 2

    max_n: int = option(4, at_least=1)
    smoothing: Literal["none", "epsilon", "add-k", "exp"] = "none"
    mode: Literal["all", "pairwise"] = "all"
    pairs: int = option(1_000_000, only={"mode": ("pairwise",)}, at_least=1)
    seed: int = option(0, only=_draws_something, at_least=0, last=True)

    @property
    def sized(self) -> Sized:
        """The number of texts, unless they are compared in pairs."""
        return "texts" if self.mode == "all" else "no"

    def columns(self) -> AgainstAll:
        """Return the statistic from which `each_text` computes one Self-BLEU per text."""
        return AgainstAll(self.max_n, view=self.view)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the mean and the lengths."""
        lengths = Lengths(view=self.view)
        if self.mode == "all":
            return BleuMean(self.columns(), self), lengths
        pairs = AgainstEach(self.max_n, self.pairs, self.seed, view=self.view)
        return PairwiseBleuMean(pairs, self), lengths

    def each_text(self, matched: Matched) -> Reals:
        """Return the BLEU of each entry; in the mode `all`, one Self-BLEU per text."""
        lengths = matched.lengths.astype(np.float64)
        logs, zeros = np.zeros(len(lengths)), np.zeros(len(lengths))
        for n, counts in enumerate(matched.matches, 1):
            matches, total = counts.astype(np.float64), np.maximum(lengths - (n - 1), 1)
            none = counts == 0
            if self.smoothing == "epsilon":
                matches[none] = EPSILON
            elif self.smoothing == "add-k" and n > 1:
                matches, total = matches + 1, total + 1
            elif self.smoothing == "exp":
                zeros += none
                matches[none] = 0.5 ** zeros[none]
            with np.errstate(divide="ignore"):
                logs += np.log(matches / total)
        brevity = np.minimum(1 - matched.references / np.maximum(lengths, 1), 0)
        # Without a common token, BLEU is 0 with any smoothing.
        return np.where(matched.matches[0] > 0, np.exp(logs / self.max_n + brevity), 0.0)

    def without_blocks(self, texts: Selection, labels: Integers, blocks: int) -> Reals | None:
        """Return the value without each block; only matches that a block alone gives are lost."""
        if self.mode == "pairwise":
            return None
        matched = self.columns().without_blocks(texts.view(self.view), labels, blocks)
        return np.array([self._mean(each) for each in matched])

    def _mean(self, matched: Matched) -> float:
        if len(matched.lengths) < self.least_texts or not matched.lengths.any():
            return math.nan
        return Average.of(self.each_text(matched), matched.population).value

    def score(self, *summaries: Any) -> Score:
        """Return the mean."""
        total: BleuTotal
        lengths: LengthSums
        total, lengths = summaries
        average, short = total.mean, total.short
        parts: dict[str, int | float] = {"texts": lengths.texts}
        if self.mode == "pairwise":
            parts |= {"pairs": average.members, "standard_error": average.error}
        why = ""
        if not lengths.texts:
            why = "there are no texts."
        elif lengths.texts < self.least_texts:
            why = "there is only one text; at least two are needed."
        elif not lengths.tokens:
            why = "no text has any tokens."
        if why:
            parts |= {"standard_error": math.nan} if self.mode == "pairwise" else {}
            return self.scored(math.nan, parts, undefined=why)
        return self.scored(average.value, parts, self._notes(average, short, lengths))

    def _notes(self, average: Average, short: int, lengths: LengthSums) -> tuple[str, ...]:
        notes = []
        if short and self.smoothing == "none":
            few = (
                f" have fewer than {self.max_n} tokens, so their BLEU is 0 without smoothing: choose a "
                "`smoothing` or a smaller `max_n`."
            )
            too_short = f"{short:,} of {lengths.texts:,} texts{few}"
            notes.append(Note(too_short, "warning", general=f"Some texts{few}"))
        if average.sampled:
            sampled = (
                f"The value is estimated from {average.members:,} of {average.population:,} pairs "
                f"(seed={self.seed}); its standard error is {average.error:.2g}."
            )
            notes.append(Note(sampled))
        return tuple(notes)
