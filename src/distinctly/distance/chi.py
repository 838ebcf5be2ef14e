"""`chi`: χ² of the most frequent tokens, as a distance and as a test."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.distance.base import SumOverNgrams
from distinctly.options import Value, option
from distinctly.references import KOUR_2022, bibtex
from distinctly.score import Note, Score
from distinctly.statistics.token_table import TokenTable, TwoCounts

# The largest number of steps of the continued fraction; fewer are needed where p underflows.
_STEPS = 100_000
TOO_SMALL = (
    "The p-value of χ² is too small, since it assumes independent tokens and the tokens of a text are not "
    "independent. Use a permutation test (--permutations)."
)


@dataclass(frozen=True, kw_only=True)
class Chi(SumOverNgrams):
    """χ² of the counts of the K most frequent tokens in the reference and the candidate.

    ``χ² = Σ (observed − expected)² / expected``. As a distance it is expressed as Cramér's V (0: the same
    shares; 1: no token in common) with Bergsma's (2013) bias correction, ``√(max(0, χ²/N − (K−1)/(N−1)) ·
    (N−1)/(N−2))``. Known bias: χ² ignores that the tokens of one text are not independent.

    Attributes
    ----------
    top
        K, the number of most frequent tokens of both corpora together; ties are broken by the token.
    value
        ``cramer``; ``p``: 1 − p; ``cbdf``: χ² per degree of freedom (Kilgarriff, 2001).
    degrees
        The degrees of freedom for p: K − 1 (``table``), or 2(K − 1) (``paper``).

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.compare(["a a b b"], ["a c c c"], "chi")[0]   # χ² = 1/3 + 2 + 3, N = 8, K = 3
    >>> round(score.parts["statistic"], 12), round(score.value, 12)
    (5.333333333333, 0.666666666667)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "bergsma2013bias",
            author="Bergsma, W.",
            title=r"A bias-correction for {Cram\'er's} {V} and {Tschuprow's} {T}",
            journal="Journal of the Korean Statistical Society",
            year=2013,
            volume=42,
            pages="323--328",
        ),
        bibtex(
            "article",
            "kilgarriff2001comparing",
            author="Kilgarriff, A.",
            title="Comparing corpora",
            journal="International Journal of Corpus Linguistics",
            year=2001,
            volume=6,
            pages="97--133",
        ),
        KOUR_2022,
    )
    aliases: ClassVar[tuple[str, ...]] = ("chi_squared",)
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"paper": {"value": "p", "degrees": "paper"}}
    summed: ClassVar[str] = "statistic"
    symbol: ClassVar[str] = "χ²"

    top: int = option(5000, at_least=2)
    value: Literal["cramer", "p", "cbdf"] = "cramer"
    degrees: Literal["table", "paper"] = option("table", only={"value": ("p",)})

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the token counts of both corpora."""
        return (TokenTable(view=self.view),)

    def contributions(self, counts: TwoCounts) -> tuple[TwoCounts, NDArray[np.float64]]:
        """Return the most frequent tokens, and what each of them adds to χ² in both corpora together."""
        table = counts.most_frequent(self.top)
        reference_total, candidate_total = table.totals
        if not reference_total or not candidate_total:
            return table, np.zeros(len(table))
        # In integers, so that equal shares differ by exactly 0.
        apart = (table.reference * candidate_total - table.candidate * reference_total).astype(np.float64)
        expected = float(reference_total) * float(candidate_total) * (table.reference + table.candidate)
        return table, apart * apart / expected

    def score(self, counts: TwoCounts) -> Score:
        """Compare the counts with those expected of equal shares."""
        table, terms = self.contributions(counts)
        sizes = {
            "types": len(table),
            "reference_tokens": table.totals[0],
            "candidate_tokens": table.totals[1],
        }
        if lacking := counts.lacking():
            return self.scored(math.nan, sizes, undefined=f"the {lacking} has no tokens.")
        if lacking := table.lacking():
            why = f"the {lacking} has none of the {self.top:,} most frequent tokens: raise `top`."
            return self.scored(math.nan, sizes, undefined=why)
        statistic = float(terms.sum())
        free = len(table) - 1
        degrees = 2 * free if self.degrees == "paper" else free
        plain, corrected = cramer(statistic, len(table), sum(table.totals))
        parts = {
            **sizes,
            "statistic": statistic,
            "degrees_of_freedom": degrees,
            "log_p": log_survival(statistic, degrees),
            "cbdf": statistic / free if free else 0.0,
            "cramer": corrected,
            "cramer_plain": plain,
        }
        value = below(statistic, degrees) if self.value == "p" else parts[self.value]
        once = "no token occurs twice, so chance alone would make the corpora differ as much."
        notes = (
            [Note(f"Cramér's V is undefined: {once}")]
            if math.isnan(corrected) and not math.isnan(value)
            else []
        )
        if len(table) == 1:
            notes.append(Note("Both corpora consist of the same single token."))
        if self.value == "p":
            notes.append(Note(TOO_SMALL, "warning"))
        return self.scored(value, parts, tuple(notes), undefined=once if math.isnan(value) else None)


def cramer(statistic: float, types: int, total: int) -> tuple[float, float]:
    """Return Cramér's V of a table of two rows, plain and with Bergsma's correction.

    The table has `types` columns and `total` tokens. The corrected value is 0/0, and thus NaN, where no token
    occurs twice.

    Examples
    --------
    >>> cramer(4.0, 2, 4), cramer(4.0, 4, 4)
    ((1.0, 1.0), (1.0, nan))
    """
    if types == 1:
        return 0.0, 0.0
    plain = statistic / total
    if types == total:
        return math.sqrt(min(plain, 1.0)), math.nan
    beyond_chance = max(plain - (types - 1) / (total - 1), 0.0) * (total - 1) / (total - 2)
    return math.sqrt(min(plain, 1.0)), math.sqrt(min(beyond_chance, 1.0))


def below(statistic: float, degrees: int) -> float:
    """Return 1 − p, the probability of a smaller χ², with full precision even where it is tiny."""
    from scipy.special import gammainc

    return float(gammainc(degrees / 2, statistic / 2)) if degrees else 0.0


def log_survival(statistic: float, degrees: int) -> float:
    """Return log p, the log probability of this or a larger χ²; finite even where p underflows.

    Examples
    --------
    >>> log_survival(3000.0, 2)   # p = exp(−χ²/2) underflows
    -1500.0
    """
    from scipy.special import gammaincc, gammaln

    if not degrees:
        return 0.0
    a, x = degrees / 2, statistic / 2
    p = float(gammaincc(a, x))
    if p > 1e-290:
        return math.log(p)
    # Legendre's continued fraction of the upper incomplete gamma function, by Lentz's method.
    last = x + 1 - a
    fraction = ratio = 1 / last
    c = math.inf
    for i in range(1, _STEPS):
        term = i * (a - i)
        last += 2
        ratio = 1 / (last + term * ratio)
        c = last + term / c
        fraction *= c * ratio
        if abs(c * ratio - 1) < 1e-15:
            break
    return a * math.log(x) - x - float(gammaln(a)) + math.log(fraction)
