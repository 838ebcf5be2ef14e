"""T-tests of the means of the coordinates of two clouds of vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.arrays import Reals
from distinctly.distance.base import VectorDistance
from distinctly.geometry.spreads import Spread, Spreads, TwoSpreads
from distinctly.options import Value
from distinctly.score import Score

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True)
class Ttest(VectorDistance):
    """One minus the mean p-value of a two-sided t-test in each coordinate of the vectors.

    A measure of the evidence for a difference of means, not of its size. Known bias: two samples of one
    source have ½ in the mean, at any size (their p-values are uniform), and any real difference goes to 1
    as texts are added.

    Attributes
    ----------
    variance
        ``separate``: of each corpus its own (Welch). ``pooled``: one for both (Student).
    constant
        Coordinates that are one and the same number in all texts of both: ``count`` them (p = 1), or
        ``skip`` them.

    Examples
    --------
    >>> import distinctly as dy
    >>> reference, candidate = np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [4.0]])
    >>> round(dy.compare(reference, candidate, "ttest")[0].value, 4)  # t = 1.22, 4 degrees of freedom
    0.7121
    """

    aliases: ClassVar[tuple[str, ...]] = ("t_test",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    least_texts: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "paper": {"variance": "pooled", "constant": "skip"}
    }

    variance: Literal["separate", "pooled"] = "separate"
    constant: Literal["count", "skip"] = "count"

    def pair_statistics(self) -> tuple[Spreads]:
        """Return the means and spreads."""
        return (Spreads(self.view),)

    def score(self, spreads: TwoSpreads) -> Score:
        """Test each coordinate."""
        reference, candidate = spreads
        still = (reference.squares == 0) & (candidate.squares == 0)
        alike = still & (reference.mean == candidate.mean)
        found = self._p_values(reference, candidate)
        # Where nothing varies there is nothing to test: the two are the same, or they are not.
        p_values = np.where(alike, 1.0, np.where(still, 0.0, found))
        if self.constant == "skip":
            p_values = p_values[~alike]
        parts: dict[str, int | float] = {"dimensions": len(alike), "constant": int(alike.sum())}
        if not len(p_values):
            why = "all coordinates are constant, and constant=skip leaves them out."
            return self.scored(math.nan, parts, undefined=why)
        mean = math.fsum(p_values.tolist()) / len(p_values)
        share = float((p_values < SIGNIFICANT).mean())
        return self.scored(1 - mean, {"mean_p": mean, "significant": share, **parts})

    def _p_values(self, one: Spread, other: Spread) -> Reals:
        """Return the p-value of each coordinate; NaN where nothing varies."""
        from scipy.special import stdtr

        with np.errstate(divide="ignore", invalid="ignore"):
            if self.variance == "pooled":
                freedom = np.asarray(one.texts + other.texts - 2.0)
                variance = (one.squares + other.squares) / freedom * (1 / one.texts + 1 / other.texts)
            else:
                own = one.squares / (one.texts - 1) / one.texts
                others = other.squares / (other.texts - 1) / other.texts
                variance = own + others
                # Welch and Satterthwaite's, by shares, so that no square is too small.
                freedom = 1 / (
                    (own / variance) ** 2 / (one.texts - 1) + (others / variance) ** 2 / (other.texts - 1)
                )
            found: Reals = 2 * stdtr(freedom, -np.abs(one.mean - other.mean) / np.sqrt(variance))
        return found
