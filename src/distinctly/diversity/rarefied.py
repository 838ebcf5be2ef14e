"""`rarefied`: Distinct at a common sample, so that corpora of different sizes can be compared."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from distinctly.diversity.base import NgramDiversity, ratio
from distinctly.metrics import Direction, Sized
from distinctly.options import Value, option
from distinctly.statistics.lengths import LengthSums
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import seen_in_sample


@dataclass(frozen=True, kw_only=True)
class Rarefied(NgramDiversity):
    """Distinct-n of a random sample of s n-grams: what rarefaction is to ecology (Hurlbert, 1971).

    ``E[N_s] / s`` with ``E[N_s] = Σ_g 1 − C(C−c_g, s) / C(C, s)``, exactly, without drawing. It does
    not fall with the size of the corpus, as Distinct does. Known bias: none in size; it still falls
    where texts are long and keep to their subject, since n-grams of a text go together.

    Attributes
    ----------
    sample
        s: how many n-grams; ``common``: as many as the smallest corpus that is measured has.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["the cat sat", "the cat ran", "the dog ran"]
    >>> [round(dy.measure(texts, f"rarefied:n=1,sample={s}")[0].value, 4) for s in (2, 4, 9)]
    [0.9306, 0.8036, 0.5556]
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (1, 2, 3, 4)}

    sample: int | Literal["common"] = option("common", at_least=1)

    @property
    def sized(self) -> Sized:
        """Only while the sample is not known."""
        return super().sized if self.sample == "common" else "no"

    def at(self, sample: int) -> Rarefied:
        """Return the metric with its sample."""
        return replace(self, sample=sample)

    def formula(self, grams: Grams) -> Reals:
        """E[N_s] over s."""
        if self.sample == "common":
            return ratio(grams.distinct, grams.total)
        values = np.full(len(grams.total), np.nan)
        for place in np.flatnonzero(grams.total >= self.sample):
            own = slice(grams.bounds[place], grams.bounds[place + 1])
            if grams.total[place] == self.sample:
                values[place] = grams.distinct[place] / self.sample
            else:
                chances = seen_in_sample(grams.counts[own], int(grams.total[place]), self.sample)
                values[place] = grams.types[own] @ chances / self.sample
        return values

    def why_undefined(self, lengths: LengthSums, grams: Grams | None = None) -> str:
        """Say where the corpus is smaller than the sample."""
        if self.sample == "common" or grams is None or not grams.total[0]:
            return super().why_undefined(lengths, grams)
        return f"there are {grams.total[0]:,} {self.n}-grams, fewer than sample={self.sample:,}."
