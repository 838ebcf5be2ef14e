"""`entropy`: how evenly the n-grams are used, in bits."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.lengths import LengthSums
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Entropy(NgramDiversity):
    """Shannon entropy of the n-gram distribution, in bits.

    ``H = −Σ p log2 p`` with p = count / C. Known bias: it is too low on small corpora, since
    unseen n-grams are missing; the corrections estimate the missing part.

    Attributes
    ----------
    correction
        ``none``; ``miller-madow``: H + (N−1) / (2·C·ln 2); ``chao-shen``: coverage-adjusted, for
        corpora in which many n-grams are still unseen.

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.measure(["a b c d"], metrics=["entropy:n=1"])["entropy:n=1"]
    >>> score.value, score.parts["normalised"]
    (2.0, 1.0)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "misc",
            "miller1955note",
            author="Miller, G.",
            title="Note on the bias of information estimates",
            year=1955,
        ),
        bibtex(
            "article",
            "chao2003nonparametric",
            author="Chao, A. and Shen, T.-J.",
            title=(
                "Nonparametric estimation of {Shannon's} index of diversity when there are unseen "
                "species in sample"
            ),
            journal="Environmental and Ecological Statistics",
            year=2003,
            volume=10,
            pages="429--443",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sums"
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (1, 2, 3, 4)}

    correction: Literal["none", "miller-madow", "chao-shen"] = "none"

    def formula(self, grams: Grams) -> Reals:
        """Return H, corrected according to `correction`."""
        bits = _chao_shen(grams) if self.correction == "chao-shen" else grams.entropy
        if self.correction == "miller-madow":
            bits = bits + ratio(grams.distinct - 1, grams.total) / (2 * math.log(2))
        return np.where(grams.total > 0, bits + 0.0, np.nan)  # + 0.0: a single n-gram gives -0.0

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, the texts, and the plain entropy as a share of its maximum, log2 N."""
        maximum = np.log2(np.maximum(grams.distinct, 1))
        return {**super().parts(grams), "normalised": float(ratio(grams.entropy, maximum)[0])}

    def remarks(self, lengths: LengthSums, grams: Grams | None = None) -> tuple[str, ...]:
        """Return a note where the share of the maximum is undefined."""
        if grams is not None and grams.distinct[0] == 1:
            return ("`normalised` is undefined: with a single distinct n-gram the maximum entropy is 0.",)
        return ()


def _chao_shen(grams: Grams) -> Reals:
    """Return the entropy with each term divided by its probability of being seen (Chao & Shen, 2003)."""
    single = np.minimum(grams.seen(1), grams.total - 1)  # a coverage of 0 has no estimate

    def term(counts: Reals, total: Reals, coverage: Reals) -> Reals:
        p = coverage * counts / total
        with np.errstate(divide="ignore"):  # p = 1: log1p(−1) is −∞, and the probability of being seen is 1
            seen = -np.expm1(total * np.log1p(-p))
        return -p * np.log2(p) / seen

    return grams.sum(term, 1 - ratio(single, grams.total))
