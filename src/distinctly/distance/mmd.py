"""Maximum mean discrepancy: the distance of two corpora in the space of a kernel."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.distance._paired import paired_notes, undefined_pairs
from distinctly.distance.base import VectorDistance
from distinctly.geometry.gram import PairSums, Sums
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.score import Score


@dataclass(frozen=True, kw_only=True)
class Mmd(VectorDistance):
    """The squared maximum mean discrepancy, estimated without bias (Gretton et al., 2012).

    ``E k(x, x') + E k(y, y') − 2·E k(x, y)`` over pairs of two different texts: the squared distance of the
    means of two corpora in the feature space of the kernel k. Its mean is 0 for two samples of one
    distribution, so it may fall below 0 by chance, with a note.

    Attributes
    ----------
    kernel
        ``polynomial``: (xᵀy/d + 1)³, d the dimension, the kernel of KID (Bińkowski et al., 2018).
        ``rbf``: exp(−‖x−y‖²/2σ²), σ the median distance between two distinct texts of both corpora together.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference, candidate = np.array([[0.0], [1.0]]), np.array([[1.0], [2.0]])
    >>> dy.compare(reference, candidate, "mmd")[0].value  # 1 + 27 − 2·(1 + 1 + 8 + 27)/4
    9.5
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "gretton2012kernel",
            author=r"Gretton, A. and Borgwardt, K. M. and Rasch, M. J. and Sch{\"o}lkopf, B. and Smola, A.",
            title="A kernel two-sample test",
            journal="JMLR",
            year=2012,
            volume=13,
        ),
        bibtex(
            "inproceedings",
            "binkowski2018demystifying",
            author=r"Bi\'nkowski, M. and Sutherland, D. J. and Arbel, M. and Gretton, A.",
            title="Demystifying {MMD} {GANs}",
            booktitle="ICLR",
            year=2018,
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("maximum_mean_discrepancy",)
    bounds: ClassVar[tuple[float, float]] = (-math.inf, math.inf)
    least_texts: ClassVar[int] = 2
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"kid": {"kernel": "polynomial"}}

    kernel: Literal["polynomial", "rbf"] = "polynomial"

    def pair_statistics(self) -> tuple[PairSums]:
        """Return the sums of the kernel."""
        return (PairSums(self.view, self.kernel),)

    def score(self, sums: Sums) -> Score:
        """Compare the mean of the kernel between the corpora with those within each."""
        why = undefined_pairs(sums, least=2)
        if why:
            return self.scored(math.nan, {}, undefined=why)
        between, within = sums.mean_between(), [sums.mean_within(side) for side in (0, 1)]
        value = within[0] + within[1] - 2 * between
        notes = paired_notes(sums)
        if value < 0:
            notes = (
                f"The value is below 0 ({value:.2g}), which happens by chance if nothing differs.",
                *notes,
            )
        if sums.drawn_pairs:
            notes = (*notes, f"The bandwidth is the median over {sums.drawn_pairs:,} random pairs of texts.")
        # The sums leave out the 1 of the polynomial kernel.
        constant = 1.0 if self.kernel == "polynomial" else 0.0
        parts = {
            "between": between + constant,
            "within_reference": within[0] + constant,
            "within_candidate": within[1] + constant,
        }
        if self.kernel == "rbf":
            parts["bandwidth"] = sums.bandwidth
        return self.scored(value, parts, notes)
