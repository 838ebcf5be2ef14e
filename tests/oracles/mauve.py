"""MAUVE and frontier integrals, the slow and obvious way: from counts in clusters, one number at a time."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence


def shares(counts: Sequence[float]) -> list[float]:
    """Divide by the sum."""
    return [count / sum(counts) for count in counts]


def smoothed(counts: Sequence[float]) -> list[float]:
    """Give every cluster half a text more, and divide by the sum."""
    return shares([count + 0.5 for count in counts])


def divergence(one: Sequence[float], other: Sequence[float]) -> float:
    """Return the Kullback–Leibler divergence of one from the other."""
    return math.fsum(p * math.log(p / r) for p, r in zip(one, other) if p > 0)


def mixture(one: Sequence[float], other: Sequence[float], weight: float) -> list[float]:
    """Mix two distributions."""
    return [weight * p + (1 - weight) * q for p, q in zip(one, other)]


def mauve(one: Sequence[float], other: Sequence[float], scale: float) -> float:
    """Return the area under the curve, strip by strip, with its two ends on the axes."""
    points = [(0.0, 1.0), (1.0, 0.0)]
    for i in range(25):
        mixed = mixture(one, other, 1e-6 + i / 24 * (1 - 2e-6))
        points.append(
            (math.exp(-scale * divergence(other, mixed)), math.exp(-scale * divergence(one, mixed)))
        )
    points.sort(key=lambda point: (point[0], -point[1]))
    return math.fsum((b[0] - a[0]) * (a[1] + b[1]) / 2 for a, b in itertools.pairwise(points))


def frontier_integral(one: Sequence[float], other: Sequence[float], steps: int = 500) -> float:
    """Integrate 2(w·KL(P‖R) + (1−w)·KL(Q‖R)) over the weights w of the mixture, by midpoints."""
    total = []
    for i in range(steps):
        w = (i + 0.5) / steps
        mixed = mixture(one, other, w)
        total.append(2 * (w * divergence(one, mixed) + (1 - w) * divergence(other, mixed)))
    return math.fsum(total) / steps
