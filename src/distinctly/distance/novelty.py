"""`novelty`: the share of n-grams that a reference corpus does not have."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

import numpy as np

from distinctly import options
from distinctly.distance.base import Distance
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.exact_sum import ExactSum
from distinctly.statistics.matches import LongestMatches, Matches


@dataclass(frozen=True, kw_only=True)
class Novelty(Distance):
    """The share of n-grams of the candidate that occur nowhere in the reference.

    0 if all of them were copied, 1 if all are new. Its parts describe the longest matches: for each token of
    the candidate, the number of tokens from it on that some text of the reference has in sequence. Known
    biases: it falls as the reference grows, and rises with n. What is novel need not be creative, or good.

    Attributes
    ----------
    n
        Tokens per n-gram.
    pool
        The share of all n-grams of the ``corpus``, or the mean over each ``text`` of at least n tokens.

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.compare(["the cat sat"], ["the cat ran"], "novelty:n=2")[0]
    >>> score.value, score.parts["longest_match"]  # "cat ran" is new
    (0.5, 2)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "mccoy2023how",
            author="McCoy, R. T. and Smolensky, P. and Linzen, T. and Gao, J. and Celikyilmaz, A.",
            title="How much do language models copy from their training data? {E}valuating linguistic "
            "novelty in text generation using {RAVEN}",
            journal="Transactions of the Association for Computational Linguistics",
            year=2023,
            volume=11,
            pages="652--670",
        ),
        bibtex(
            "inproceedings",
            "merrill2024evaluating",
            author="Merrill, W. and Smith, N. A. and Elazar, Y.",
            title="Evaluating n-gram novelty of language models using {Rusty-DAWG}",
            booktitle="EMNLP",
            year=2024,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    symmetric: ClassVar[bool] = False
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {"n": tuple(range(1, 11))}

    n: int = field(metadata=options.bounds(at_least=1))
    pool: Literal["corpus", "text"] = "corpus"

    @property
    def ngram_size(self) -> int:
        """Tokens per n-gram."""
        return self.n

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether texts are left out to explain the value: no, the longest passages explain it."""
        return False

    def pair_statistics(self) -> tuple[LongestMatches]:
        """Return the longest match of each token, which gives the value for any n."""
        return (LongestMatches(view=self.view),)

    def score(self, matches: Matches) -> Score:
        """Divide the number of n-grams without a match by the number of all n-grams."""
        ngrams, novel = matches.ngrams(self.n), matches.novel(self.n)
        parts: dict[str, int | float] = {"ngrams": int(ngrams.sum()), "novel": int(novel.sum())}
        if matches.is_reference_empty:
            return self.scored(math.nan, parts, undefined="the reference has no tokens.")
        if not parts["ngrams"]:
            missing = "tokens" if self.n == 1 else f"text of at least {self.n} tokens"
            return self.scored(math.nan, parts, undefined=f"the candidate has no {missing}.")
        parts |= {
            "mean_match": float(matches.lengths.mean()),
            "median_match": matches.quantile(0.5),
            "match_99": matches.quantile(0.99),
            "longest_match": len(matches.number_of) - 1,
            "copied_texts": matches.copied_texts,
        }
        if self.pool == "corpus":
            return self.scored(parts["novel"] / parts["ngrams"], parts)
        long = ngrams > 0
        shares = ExactSum.of(novel[long] / ngrams[long])
        return self.scored(shares.value / int(long.sum()), {**parts, "texts": int(np.count_nonzero(long))})
