"""`self_repetition`: how often the n-grams of a text recur in other texts."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np

from distinctly.diversity.base import Short, treat_short
from distinctly.metrics import Direction, Family, Sizable, Sized
from distinctly.options import Value, option
from distinctly.ragged import Integers
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.means import Mean
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.recurrence import RecurrenceMean, Recurrences


@dataclass(frozen=True, kw_only=True)
class SelfRepetition(Sizable):
    """Mean logarithm of the number of recurrences of a text's n-grams (Salkar et al., 2022).

    ``log(1 + Σ_g (texts with g − 1))`` over the distinct n-grams g of a text, averaged over texts. Natural
    logarithm. Known bias: it grows with the number of texts and with their length.

    Attributes
    ----------
    n
        Tokens per n-gram.
    short
        How a text with fewer than n tokens is treated: leave it out (``skip``), count it as 0
        (``zero``), or make the mean undefined (``nan``).

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["I would like to thank you", "I would like to ask you", "no idea what this is"]
    >>> round(dy.measure(texts, "self_repetition")[0].value, 4)  # (log 2 + log 2 + log 1) / 3
    0.4621
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "salkar2022self",
            author="Salkar, N. and Trikalinos, T. and Wallace, B. and Nenkova, A.",
            title="Self-repetition in abstractive neural summarizers",
            booktitle="AACL",
            year=2022,
        ),
    )
    family: ClassVar[Family] = "repetition"
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    compares_texts: ClassVar[bool] = True
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"salkar2022": {"n": 4, "short": "zero"}}

    n: int = option(4, at_least=1)
    short: Short = "skip"

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def columns(self) -> Recurrences:
        """Return the statistic from which `each_text` computes one value per text."""
        return Recurrences(self.n, view=self.view)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the mean."""
        return (RecurrenceMean(self.columns(), self),)

    def each_text(self, recurrences: Integers, lengths: Integers) -> Reals:
        """Return one value per text; NaN for a text without n-grams."""
        return np.where(lengths >= self.n, np.log1p(recurrences.astype(np.float64)), np.nan)

    def score(self, *summaries: Any) -> Score:
        """Return the mean."""
        mean: Mean = summaries[0]
        treated = treat_short(self.short, self.n, mean.members, mean.undefined)
        parts: dict[str, int | float] = {"texts": mean.members, "skipped_texts": mean.undefined}
        if treated.undefined is not None:
            return self.scored(math.nan, parts, undefined=treated.undefined)
        only = "There is only one text, so no n-gram can recur in another text."
        notes = (*treated.notes, *((only,) if mean.members == 1 else ()))
        return self.scored(mean.total.value / treated.divisor, parts, notes)
