"""How the counts of terms in a candidate differ from those in a reference: evidence and size of the effect.

Sizes of effects are positive for terms that the candidate uses more often.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from distinctly.arrays import Reals
from distinctly.statistics.contingency import chi_squared, log_likelihood

# In logarithms of rates, a term that a corpus lacks counts as half an occurrence (Hardie, 2014).
HALF = 0.5


@dataclass(frozen=True)
class KeynessMeasures:
    """Measures of many terms, one number per term.

    Attributes
    ----------
    reference, candidate
        The count of each term in both corpora.
    totals
        The number of all n-grams of the reference and of the candidate; larger than 0.
    prior
        The number of occurrences that the prior of `log_odds` is worth; None for as many as there are.

    Examples
    --------
    >>> terms = KeynessMeasures([1, 3], [5, 1], (100, 200))
    >>> terms.per_million[1].tolist()
    [25000.0, 5000.0]
    >>> terms.log_ratio.round(3).tolist()  # log2(0.025 / 0.01), log2(0.005 / 0.03)
    [1.322, -2.585]
    """

    reference: ArrayLike
    candidate: ArrayLike
    totals: tuple[int, int]
    prior: float | None = None

    @cached_property
    def _counts(self) -> tuple[Reals, Reals]:
        return np.asarray(self.reference, np.float64), np.asarray(self.candidate, np.float64)

    @cached_property
    def _table(self) -> tuple[Reals, Reals, Reals, Reals]:
        """The four cells: occurrences in the candidate and in the reference, and of all other n-grams."""
        reference, candidate = self._counts
        return candidate, reference, self.totals[1] - candidate, self.totals[0] - reference

    @cached_property
    def per_million(self) -> tuple[Reals, Reals]:
        """The occurrences per million n-grams in the reference and in the candidate."""
        reference, candidate = self._counts
        return 1e6 * reference / self.totals[0], 1e6 * candidate / self.totals[1]

    @cached_property
    def direction(self) -> Reals:
        """1 for terms that the candidate uses more often, −1 for those that the reference does, else 0."""
        reference, candidate = self._counts
        return np.asarray(np.sign(candidate * self.totals[0] - reference * self.totals[1]), np.float64)

    @cached_property
    def g2(self) -> Reals:
        """The log-likelihood ratio G² of all four cells (Dunning, 1993)."""
        return log_likelihood(*self._table)

    @cached_property
    def chi2(self) -> Reals:
        """Pearson's χ²."""
        return chi_squared(*self._table)

    @cached_property
    def chi2_yates(self) -> Reals:
        """Pearson's χ² with the continuity correction of Yates."""
        return chi_squared(*self._table, yates=True)

    @cached_property
    def log_ratio(self) -> Reals:
        """The binary logarithm of the ratio of the rates; a count of 0 is taken as ½ (Hardie, 2014)."""
        reference, candidate = (np.maximum(counts, HALF) for counts in self._counts)
        return np.asarray(
            np.log2(candidate / self.totals[1]) - np.log2(reference / self.totals[0]), np.float64
        )

    @cached_property
    def percent_difference(self) -> Reals:
        """By how many percent the rate of the candidate is larger (%DIFF); NaN if the reference has none."""
        reference, candidate = self.per_million
        with np.errstate(divide="ignore", invalid="ignore"):
            return np.where(reference > 0, 100 * (candidate - reference) / reference, np.nan)

    @cached_property
    def difference_coefficient(self) -> Reals:
        """The difference of the rates divided by their sum: −1 to 1 (Hofland & Johansson, 1982)."""
        reference, candidate = self.per_million
        return (candidate - reference) / (candidate + reference)

    @cached_property
    def pmi(self) -> Reals:
        """The pointwise mutual information of term and candidate, ``ln(O/E)``; NaN if it has none."""
        reference, candidate = self._counts
        with np.errstate(divide="ignore", invalid="ignore"):
            share = np.float64(self.totals[1]) / sum(self.totals)
            return np.where(candidate > 0, np.log(candidate / ((reference + candidate) * share)), np.nan)

    @cached_property
    def log_odds(self) -> Reals:
        """The logarithm of the ratio of the odds, with an informative Dirichlet prior (Monroe et al., 2008).

        ``δ = ln((b+α)/(B+α₀−b−α)) − ln((a+α)/(A+α₀−a−α))``: a and b are the counts in the reference and the
        candidate, A and B the totals, and α = α₀·(a+b)/(A+B) is the prior of the term.
        """
        return self._log_odds[0]

    @cached_property
    def log_odds_z(self) -> Reals:
        """`log_odds` divided by its standard error ``√(1/(a+α) + 1/(b+α))``."""
        return self._log_odds[1]

    @cached_property
    def _log_odds(self) -> tuple[Reals, Reals]:
        reference, candidate = self._counts
        total = sum(self.totals)
        mass = total if self.prior is None else self.prior
        prior = (reference + candidate) * (mass / total)
        with np.errstate(divide="ignore", invalid="ignore"):
            odds = [
                (counts + prior) / (size + mass - counts - prior)
                for counts, size in ((reference, self.totals[0]), (candidate, self.totals[1]))
            ]
            difference = np.log(odds[1]) - np.log(odds[0])
            error = np.sqrt(1 / (reference + prior) + 1 / (candidate + prior))
            return difference, difference / error
