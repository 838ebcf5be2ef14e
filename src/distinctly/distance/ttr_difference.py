"""`ttr_difference`: the difference of two type-token ratios at a common sample size."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance.base import Distance
from distinctly.options import option
from distinctly.score import Score
from distinctly.statistics.rarefaction import seen_in_sample
from distinctly.statistics.token_table import Spectrum, TokenTable, TwoCounts


@dataclass(frozen=True, kw_only=True)
class TtrDifference(Distance):
    """The absolute difference of the type-token ratios of two corpora, at a common sample size.

    A type-token ratio falls as a corpus grows, so both are the exact expectations for a random sample of s
    tokens: ``Σ_t (1 − C(C−c_t, s) / C(C, s)) / s``. Known bias: none in size; it depends only on the number
    of distinct tokens, not on which tokens they are.

    Attributes
    ----------
    sample
        s, the number of tokens; ``common``: the number of tokens of the smaller corpus.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.compare(["a b"], ["c c d d"], "ttr_difference")[0].value   # 1 and 5/6: 2 of 6 pairs are equal
    0.16666666666666663
    """

    aliases: ClassVar[tuple[str, ...]] = ("type_token_ratio_difference",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    sample: int | Literal["common"] = option("common", at_least=1)

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the token counts of both corpora."""
        return (TokenTable(view=self.view),)

    def score(self, table: TwoCounts) -> Score:
        """Compare the ratios at the sample size."""
        fewest = min(table.totals)
        sample = fewest if self.sample == "common" else self.sample
        parts: dict[str, int | float] = {
            "sample": sample,
            "reference_tokens": table.totals[0],
            "candidate_tokens": table.totals[1],
        }
        if lacking := table.lacking():
            return self.scored(math.nan, parts, undefined=f"the {lacking} has no tokens.")
        if fewest < sample:
            name = "reference" if table.totals[0] == fewest else "candidate"
            why = f"the {name} has {fewest:,} tokens, fewer than sample={sample:,}: choose a smaller sample."
            return self.scored(math.nan, parts, undefined=why)
        reference, candidate = (ratio_in_sample(spectrum, sample) for spectrum in table.spectra)
        parts |= {"reference_ttr": reference, "candidate_ttr": candidate}
        return self.scored(abs(reference - candidate), parts)


def ratio_in_sample(spectrum: Spectrum, sample: int) -> float:
    """Return the expected type-token ratio of a random sample."""
    expected = float(spectrum.types @ seen_in_sample(spectrum.counts, spectrum.total, sample))
    return min(expected / sample, 1.0)
