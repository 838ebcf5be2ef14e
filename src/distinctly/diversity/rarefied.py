"""`rarefied`: Distinct of a random sample of n-grams, for single long texts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from distinctly.diversity.base import NgramCounted
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.options import bounds as allowed
from distinctly.references import GOTELLI_2001, bibtex
from distinctly.statistics.lengths import LengthSums
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import seen_in_sample


@dataclass(frozen=True, kw_only=True)
class Rarefied(NgramCounted):
    """Distinct-n expected of a random sample of s n-grams: rarefaction, in ecology (Hurlbert, 1971).

    ``E[N_s] / s`` with ``E[N_s] = Σ_g 1 − C(C−c_g, s) / C(C, s)``, exactly, without drawing. It assumes that
    n-grams are drawn independently, as from one long text. Known bias: the n-grams of a text cluster, so of
    two corpora of many texts the one with fewer texts scores lower; compare those by `distinct` with `at`,
    which draws texts.

    Attributes
    ----------
    sample
        s, the number of n-grams.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["the cat sat", "the cat ran", "the dog ran"]
    >>> [round(dy.measure(texts, f"rarefied:n=1,sample={s}")[0].value, 4) for s in (2, 4, 9)]
    [0.9306, 0.8036, 0.5556]
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "hurlbert1971nonconcept",
            author="Hurlbert, S. H.",
            title="The nonconcept of species diversity: a critique and alternative parameters",
            journal="Ecology",
            year=1971,
            volume=52,
            pages="577--586",
        ),
        GOTELLI_2001,
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    depends_on_length: ClassVar[bool] = False
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (1, 2, 3, 4)}

    sample: int = field(metadata=allowed(at_least=1))

    def formula(self, grams: Grams) -> Reals:
        """Return E[N_s] / s."""
        values = np.full(len(grams.total), np.nan)
        for i in np.flatnonzero(grams.total >= self.sample):
            entries = slice(grams.bounds[i], grams.bounds[i + 1])
            if grams.total[i] == self.sample:
                values[i] = grams.distinct[i] / self.sample
            else:
                probabilities = seen_in_sample(grams.counts[entries], int(grams.total[i]), self.sample)
                values[i] = grams.types[entries] @ probabilities / self.sample
        return values

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N and C of all n-grams, the texts, and the number expected of the sample."""
        expected = float(self.formula(grams)[0]) * self.sample
        return {"expected": expected, "sample": self.sample, **super().parts(grams)}

    def why_undefined(self, lengths: LengthSums, grams: Grams | None = None) -> str:
        """Return that the corpus is smaller than the sample, or why it has no n-grams."""
        if grams is None or not grams.total[0]:
            return super().why_undefined(lengths, grams)
        few = f"there are {grams.total[0]:,} {self.n}-grams, fewer than sample={self.sample:,}"
        return f"{few}: choose a smaller sample."
