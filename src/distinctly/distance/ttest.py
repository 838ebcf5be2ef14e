"""The mean p-value of t-tests on the coordinates of vectors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.arrays import Reals
from distinctly.distance.base import VectorDistance
from distinctly.geometry.moments import TOO_LARGE
from distinctly.geometry.spreads import Spread, Spreads, TwoSpreads
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.score import Score

SIGNIFICANT = 0.05


@dataclass(frozen=True, kw_only=True)
class Ttest(VectorDistance):
    """One minus the mean p-value of a two-sided t-test in each coordinate of the vectors.

    It measures the evidence for a difference of means, not its size. Known bias: its mean is ½ for two
    samples of one source, at any size (their p-values are uniform), and any real difference tends to 1 as
    texts are added.

    Attributes
    ----------
    variance
        ``separate``: one variance per corpus (Welch). ``pooled``: one variance for both (Student).
    constant
        ``count`` coordinates that have the same value in all texts of both corpora (p = 1), or ``skip`` them.

    Examples
    --------
    >>> import distinctly as dy
    >>> reference, candidate = np.array([[1.0], [2.0], [3.0]]), np.array([[2.0], [3.0], [4.0]])
    >>> round(dy.compare(reference, candidate, "ttest")[0].value, 4)  # t = 1.22, 4 degrees of freedom
    0.7121
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "welch1947generalization",
            author="Welch, B. L.",
            title=(
                "The generalization of ``{Student's}'' problem when several different population "
                "variances are involved"
            ),
            journal="Biometrika",
            year=1947,
            volume=34,
            pages="28--35",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("t_test",)
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    least_texts: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "paper": {"variance": "pooled", "constant": "skip"}
    }

    variance: Literal["separate", "pooled"] = "separate"
    constant: Literal["count", "skip"] = "count"

    def pair_statistics(self) -> tuple[Spreads]:
        """Return the means and the sums of squares."""
        return (Spreads(self.view),)

    def score(self, spreads: TwoSpreads) -> Score:
        """Test each coordinate."""
        reference, candidate = spreads
        if any(spread.overflows for spread in spreads):
            return self.scored(math.nan, {"dimensions": len(reference.mean)}, undefined=TOO_LARGE)
        without_variance = (reference.squares == 0) & (candidate.squares == 0)
        constant = without_variance & (reference.mean == candidate.mean)
        p_values = self._p_values(reference, candidate)
        # Without variance there is nothing to test: the means are equal, or they are not.
        p_values = np.where(constant, 1.0, np.where(without_variance, 0.0, p_values))
        if self.constant == "skip":
            p_values = p_values[~constant]
        parts: dict[str, int | float] = {"dimensions": len(constant), "constant": int(constant.sum())}
        if not len(p_values):
            why = "all coordinates are constant: use constant=count to include them."
            return self.scored(math.nan, parts, undefined=why)
        mean = math.fsum(p_values.tolist()) / len(p_values)
        share = float((p_values < SIGNIFICANT).mean())
        return self.scored(1 - mean, {"mean_p": mean, "significant": share, **parts})

    def _p_values(self, reference: Spread, candidate: Spread) -> Reals:
        """Return one p-value per coordinate; NaN where nothing varies."""
        from scipy.special import stdtr

        with np.errstate(divide="ignore", invalid="ignore"):
            if self.variance == "pooled":
                freedom = np.asarray(reference.texts + candidate.texts - 2.0)
                pooled = (reference.squares + candidate.squares) / freedom
                variance = pooled * (1 / reference.texts + 1 / candidate.texts)
            else:
                first, second = (
                    side.squares / (side.texts - 1) / side.texts for side in (reference, candidate)
                )
                variance = first + second
                # Welch–Satterthwaite, in shares of the variance, so that no square underflows.
                freedom = 1 / (
                    (first / variance) ** 2 / (reference.texts - 1)
                    + (second / variance) ** 2 / (candidate.texts - 1)
                )
            t = np.abs(reference.mean - candidate.mean) / np.sqrt(variance)
            p_values: Reals = 2 * stdtr(freedom, -t)
        return p_values
