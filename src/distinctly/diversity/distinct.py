"""`distinct`: the share of distinct n-grams."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Distinct(NgramDiversity):
    """Share of distinct n-grams: Distinct-n (Li et al., 2016).

    ``N / C``: N distinct n-grams of C in all. Known bias: it falls as texts grow longer or more numerous,
    whoever wrote them: compare only corpora of equal size, or use `ead`.

    Attributes
    ----------
    denominator
        ``ngrams``: C. ``tokens``: the number of all tokens, as in Li et al.

    Examples
    --------
    >>> import distinctly as dy
    >>> scores = dy.measure(["the cat sat", "the cat ran"], metrics=["distinct:n=2"])
    >>> scores["distinct:n=2"].value, scores["distinct:n=2"].parts["N"]
    (0.75, 3)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "li2016diversity",
            author="Li, J. and Galley, M. and Brockett, C. and Gao, J. and Dolan, B.",
            title="A diversity-promoting objective function for neural conversation models",
            booktitle="NAACL-HLT",
            year=2016,
            pages="110--119",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    reads: ClassVar[Reads] = "sizes"
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": (1, 2, 3, 4)}
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "li2016": {"pool": "corpus", "denominator": "tokens"},
        "card": {"pool": "text", "denominator": "tokens", "short": "zero"},
        "blog": {"pool": "corpus", "denominator": "ngrams"},
    }

    denominator: Literal["ngrams", "tokens"] = "ngrams"

    def formula(self, grams: Grams) -> Reals:
        """Return N divided by the n-grams or the tokens."""
        share = ratio(grams.distinct, grams.total if self.denominator == "ngrams" else grams.tokens)
        return np.where(grams.total > 0, share, np.nan)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N, C, and the numbers of tokens and texts; the denominator follows N."""
        tokens = grams.tokens[0].item()
        sizes = {"N": grams.distinct[0].item(), "tokens": tokens} if self.denominator == "tokens" else {}
        return {**sizes, **super().parts(grams), "tokens": tokens}
