"""`ttr_difference`: the difference of two type-token ratios at one size."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

from distinctly.distance.base import Distance
from distinctly.options import option
from distinctly.references import GOTELLI_2001
from distinctly.score import Note, Score
from distinctly.statistics.accumulation import LEAST_DRAWN, Curve, GroupCurve, TextCurve, curve_statistic

FEW = Note(
    f"Fewer than {LEAST_DRAWN} texts (or groups) of a corpus are taken at this size: the value is uncertain.",
    "warning",
)


@dataclass(frozen=True, kw_only=True)
class TtrDifference(Distance):
    """The absolute difference of the type-token ratios of two corpora, at one size.

    A type-token ratio falls as a corpus grows, so both are the exact expectations for random texts with s
    tokens: ``N(x) / s``, where ``N(m) = Σ_t 1 − C(n−d_t, m) / C(n, m)`` is the expected number of tokens in m
    of n texts, d_t of which have token t, and x = s·n/C. Known bias: none in size; it depends only on the
    number of distinct tokens, not on which tokens they are.

    Attributes
    ----------
    at
        s, the number of tokens; by default that of the smaller corpus.
    unit
        What is drawn: each ``text``, or each ``group`` of texts as a whole. By default groups if both corpora
        have some.

    Examples
    --------
    >>> import distinctly as dy
    >>> dy.compare(["a b"], ["c c", "d d"], "ttr_difference")[0].value   # 2/2, and 1/2 in each text of two
    0.5
    """

    references: ClassVar[tuple[str, ...]] = (GOTELLI_2001,)
    aliases: ClassVar[tuple[str, ...]] = ("type_token_ratio_difference",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    at: int | None = option(None, at_least=1)
    unit: Literal["text", "group"] | None = None

    def drawing(self, unit: Literal["text", "group"]) -> TtrDifference:
        """Return the distance with this unit, if it has none."""
        return self if self.unit is not None else replace(self, unit=unit)

    def statistics(self) -> tuple[TextCurve | GroupCurve]:
        """Return the accumulation curve of each corpus."""
        return (curve_statistic(1, self.unit or "text", self.view),)

    def score(self, reference: Curve, candidate: Curve) -> Score:
        """Compare the ratios at one size."""
        curves = {"reference": reference, "candidate": candidate}
        size = min(reference.total, candidate.total) if self.at is None else self.at
        parts: dict[str, int | float] = {
            "size": size,
            "reference_tokens": reference.total,
            "candidate_tokens": candidate.total,
        }
        for name, curve in curves.items():
            if not curve.total:
                return self.scored(math.nan, parts, undefined=f"the {name} has no tokens.")
        for name, curve in curves.items():
            if curve.total < size:
                why = f"the {name} has {curve.total:,} tokens, fewer than at={size}: choose a smaller size."
                return self.scored(math.nan, parts, undefined=why)
        ratios = [float(curve.at(size).distinct[0]) / size for curve in curves.values()]
        parts |= {"reference_ttr": ratios[0], "candidate_ttr": ratios[1]}
        few = min(curve.drawn(size) for curve in curves.values()) < LEAST_DRAWN
        return self.scored(abs(ratios[0] - ratios[1]), parts, (FEW,) if few else ())
