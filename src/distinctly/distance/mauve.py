"""MAUVE: the divergence of two corpora's shares of common clusters."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import ClassVar, Literal

import numpy as np

from distinctly.arrays import Reals
from distinctly.distance.base import VectorDistance
from distinctly.geometry.clusters import ClusterCounts, Clusters
from distinctly.options import option
from distinctly.ragged import Integers
from distinctly.references import bibtex
from distinctly.score import Note, Score

# The mixtures that give the points of the curve, from almost only one corpus to almost only the other.
MIXTURES = np.linspace(1e-6, 1 - 1e-6, 25)
# Thresholds of notes: the spread over seeds, texts of the smaller corpus per cluster, and clusters.
WIDE, FEW_A_CLUSTER, FEW_CLUSTERS = 0.01, 5, 10


@dataclass(frozen=True)
class Driver:
    """A cluster whose shares differ between the two corpora.

    Attributes
    ----------
    reference, candidate
        The share of the texts of each corpus in the cluster.
    divergence
        The contribution to the Jensen–Shannon divergence of the shares, in bits.
    reference_rows, candidate_rows
        The texts of each corpus nearest to the centre, as rows of the pool.
    """

    reference: float
    candidate: float
    divergence: float
    reference_rows: list[int]
    candidate_rows: list[int]


@dataclass(frozen=True, kw_only=True)
class Mauve(VectorDistance):
    """1 − MAUVE (Pillutla et al., 2021): the divergence of the two corpora's shares of clusters.

    The unit vectors of both corpora are reduced to their principal components and clustered together by
    k-means. P and Q are the shares of the clusters. MAUVE is the area under the curve through
    ``(exp(−c·KL(Q‖R)), exp(−c·KL(P‖R)))`` for mixtures ``R = wP + (1−w)Q``. The value is the mean over
    several seeds of k-means. Known bias: it grows as the corpora get smaller: compare at equal numbers of
    texts.

    Attributes
    ----------
    scale
        The c above.
    clusters
        The number of clusters; ``auto`` is a tenth of the texts of the smaller corpus, but at least two.
    explained
        The share of the variance that the principal components explain.
    seeds, seed
        The number of clusterings, and the seed of the first. ``auto`` is 5, or 2 if both corpora have at
        least 10,000 texts, or 1 in a trial, which repeats the metric anyway.
    joint
        Cluster all corpora of the run together, not only the two that are compared.

    Examples
    --------
    >>> import distinctly as dy
    >>> import numpy as np
    >>> reference, candidate = np.array([[1.0, 0], [1, 0.1]]), np.array([[0, 1.0], [0.1, 1]])
    >>> score = dy.compare(reference, candidate, "mauve:scale=1")[0]
    >>> round(score.value, 6), score.parts["clusters"]
    (0.5, 2)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "inproceedings",
            "pillutla2021mauve",
            author=(
                "Pillutla, K. and Swayamdipta, S. and Zellers, R. and Thickstun, J. and Welleck, S. "
                "and Choi, Y. and Harchaoui, Z."
            ),
            title=(
                "{MAUVE}: Measuring the gap between neural text and human text using divergence frontiers"
            ),
            booktitle="NeurIPS",
            year=2021,
        ),
        bibtex(
            "article",
            "pillutla2023mauve",
            author=(
                "Pillutla, K. and Liu, L. and Thickstun, J. and Welleck, S. and Swayamdipta, S. and "
                "Zellers, R. and Oh, S. and Choi, Y. and Harchaoui, Z."
            ),
            title="{MAUVE} scores for generative models: Theory and practice",
            journal="JMLR",
            year=2023,
            volume=24,
        ),
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    scale: float = option(5.0, above=0, below=math.inf)
    clusters: Literal["auto"] | int = option("auto", at_least=1)
    explained: float = option(0.9, above=0, at_most=1)
    seeds: Literal["auto"] | int = option("auto", at_least=1)
    seed: int = option(0, at_least=0)
    joint: bool = False

    def once(self) -> Mauve:
        """Return the metric with a single clustering, unless `seeds` is a number."""
        return replace(self, seeds=1) if self.seeds == "auto" else self

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether a change without one text is due to it: no, clusters would be other ones."""
        return False

    def pair_statistics(self) -> tuple[Clusters]:
        """Return the counts of both corpora in common clusters."""
        clusters, seeds = (0 if number == "auto" else number for number in (self.clusters, self.seeds))
        return (Clusters(self.view, self.explained, clusters, seeds, self.seed, self.joint),)

    def score(self, counts: ClusterCounts) -> Score:
        """Compare the shares of the clusters."""
        texts = len(counts.reference_rows), len(counts.candidate_rows)
        parts: dict[str, int | float] = {"zero_vectors": counts.zeros}
        if not min(texts):
            name = "reference" if not texts[0] else "candidate"
            why = f"all texts of the {name} have a zero vector, which has no direction."
            return self.scored(math.nan, parts, undefined=why)
        plain = _shares(counts.reference, 0.0), _shares(counts.candidate, 0.0)
        smoothed = _shares(counts.reference, 0.5), _shares(counts.candidate, 0.5)
        values = 1 - area(*plain, self.scale)
        parts |= {
            "mauve": float(1 - values.mean()),
            "mauve_star": float(area(*smoothed, self.scale).mean()),
            "frontier_integral": float(frontier_integral(*plain).mean()),
            "frontier_integral_star": float(frontier_integral(*smoothed).mean()),
            "clusters": counts.clusters,
            "dimensions": counts.partition.dimensions,
            "seeds": len(values),
        }
        if len(values) > 1:
            parts |= {
                "spread": float(values.std(ddof=1)),
                "lowest": float(values.min()),
                "highest": float(values.max()),
            }
        return self.scored(float(values.mean()), parts, tuple(self._notes(counts, min(texts), parts)))

    def _notes(self, counts: ClusterCounts, smaller: int, parts: Mapping[str, int | float]) -> Iterator[Note]:
        """Yield notes on left-out texts, few clusters or texts, and the spread over seeds."""
        if counts.zeros:
            have, they = ("text has", "it is") if counts.zeros == 1 else ("texts have", "they are")
            yield Note(f"{counts.zeros:,} {have} a zero vector, which has no direction; {they} left out.")
        if counts.clusters < counts.asked:
            made = "1 cluster is" if counts.clusters == 1 else f"{counts.clusters:,} clusters are"
            yield Note(f"There are fewer distinct vectors than requested clusters: {made} made.", "warning")
        elif self.clusters == "auto" and counts.clusters < FEW_CLUSTERS:
            few = f"There are only {counts.clusters} clusters, too few for a reliable value: use more texts."
            yield Note(few, "warning")
        if smaller < FEW_A_CLUSTER * counts.clusters:
            yield Note(
                f"The smaller corpus has {smaller / counts.clusters:.1f} texts per cluster, so the shares of "
                "clusters are mostly chance: use more texts or fewer `clusters`.",
                "warning",
            )
        if parts.get("spread", 0.0) > WIDE:
            yield Note(
                f"The value depends on the seed of the clustering: from {parts['lowest']:.3f} to "
                f"{parts['highest']:.3f}. Ignore smaller differences between systems.",
                "warning",
            )

    def drivers(self, counts: ClusterCounts, most: int, texts: int = 2) -> list[Driver]:
        """Return the clusters of the first seed whose shares differ most, with typical texts.

        There are none if no text of a corpus has a direction.
        """
        if not (counts.reference.any() and counts.candidate.any()):
            return []
        p, q = _shares(counts.reference[:1], 0.0)[0], _shares(counts.candidate[:1], 0.0)[0]
        logs = _logs((p + q) / 2)
        divergences = (p * (_logs(p) - logs) + q * (_logs(q) - logs)) / math.log(4)
        order = np.argsort(-divergences, kind="stable")[:most]
        return [
            Driver(float(p[i]), float(q[i]), float(divergences[i]), *counts.typical(int(i), texts))
            for i in order
            if divergences[i] > 0
        ]


def area(reference: Reals, candidate: Reals, scale: float) -> Reals:
    """Return MAUVE, the area under the divergence curve, of each row of shares.

    Examples
    --------
    >>> area(np.array([[1.0, 0.0]]), np.array([[0.0, 1.0]]), scale=1).round(6).tolist()
    [0.5]
    """
    p, q = reference[:, None, :], candidate[:, None, :]
    # In this form, equal shares are equal to their mixture to the last bit.
    mixtures = q + MIXTURES[:, None] * (p - q)
    logs = _logs(mixtures)
    up, across = (
        np.exp(-scale * np.maximum((shares * (_logs(shares) - logs)).sum(axis=2), 0.0)) for shares in (p, q)
    )
    ends = np.zeros((len(p), 1)), np.ones((len(p), 1))
    # As the mixture turns from candidate to reference, the curve falls from right to left.
    across = np.concatenate([ends[1], across, ends[0]], axis=1)
    up = np.concatenate([ends[0], up, ends[1]], axis=1)
    strips = (up[:, 1:] + up[:, :-1]) / 2 * (across[:, :-1] - across[:, 1:])
    areas: Reals = np.minimum(strips.sum(axis=1), 1.0)
    return areas


def frontier_integral(reference: Reals, candidate: Reals) -> Reals:
    """Return ``2∫ w·KL(P‖R) + (1−w)·KL(Q‖R) dw`` over all mixtures, of each row: ``Σ (p+q)/2 − L``.

    L is ``pq·log(p/q)/(p−q)``; its limit p where p = q, and 0 where one of them is 0.

    Examples
    --------
    >>> frontier_integral(np.array([[1.0, 0.0], [0.5, 0.5]]), np.array([[0.0, 1.0], [0.5, 0.5]])).tolist()
    [1.0, 0.0]
    """
    means = (reference + candidate) / 2
    apart = reference - candidate
    both = (reference > 0) & (candidate > 0) & (apart != 0)
    shared = np.where(apart == 0, reference, 0.0)
    logs = np.log(reference[both] / candidate[both])
    shared[both] = reference[both] * candidate[both] * logs / apart[both]
    integrals: Reals = (means - shared).sum(axis=1)
    return np.clip(integrals, 0.0, 1.0)


def _shares(counts: Integers, added: float) -> Reals:
    """Return the shares of clusters after adding a constant to each count (½: Krichevsky and Trofimov)."""
    shares: Reals = (counts + added) / (counts + added).sum(axis=1, keepdims=True)
    return shares


def _logs(shares: Reals) -> Reals:
    """Return the logarithms; 0 for a share of 0, which adds nothing to a divergence."""
    logs: Reals = np.log(np.where(shares > 0, shares, 1.0))
    return logs
