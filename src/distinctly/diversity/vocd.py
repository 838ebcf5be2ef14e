"""`vocd`: the parameter of the curve that fits the type-token ratios of growing samples."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import TokenRichness
from distinctly.metrics import Direction
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import expected_types

SAMPLES = range(35, 51)
# Each step reduces the error about a hundredfold, so this many are always enough.
_STEPS = 200


@dataclass(frozen=True, kw_only=True)
class Vocd(TokenRichness):
    """D of vocd-D (Malvern & Richards, 1997; McKee et al., 2000), without drawing samples.

    ``TTR(N) = D/N · (√(1 + 2N/D) − 1)`` is fitted by least squares to the type-token ratios of samples of
    N = 35, 36, … 50 tokens. The ratios are exact expectations, as in `hdd`; other tools average 100 random
    samples. So there is no seed, and no variation between runs. Known bias: none in length for tokens drawn
    at random, as `hdd`.

    Examples
    --------
    >>> import distinctly as dy
    >>> text = "the cat sat on the mat and the dog sat on the rug by the door " * 4
    >>> round(dy.measure([text], "vocd")[0].value, 4)
    1.5383
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    depends_on_length: ClassVar[bool] = False

    @property
    def required(self) -> str:
        """As many tokens as the largest sample, and a repeated token: otherwise D is infinite."""
        return f"at least {SAMPLES[-1]} tokens and a repeated token"

    def formula(self, grams: Grams) -> Reals:
        """Return D of the best-fitting curve."""
        ratios = expected_types(grams.counts, grams.types, grams.bounds, grams.total, SAMPLES)
        ratios /= np.array(SAMPLES)
        values = np.full(len(ratios), np.nan)
        defined = np.flatnonzero((grams.total >= SAMPLES[-1]) & (grams.distinct < grams.total))
        values[defined] = fitted(ratios[defined], np.array(SAMPLES, np.float64))
        return values


def fitted(ratios: Reals, sizes: Reals) -> Reals:
    """Return D fitted to type-token ratios, one row per text, by Gauss–Newton steps in log D.

    Examples
    --------
    >>> sizes = np.array([35.0, 50.0])
    >>> exact = 2 / (1 + np.sqrt(1 + 2 * sizes / 80.0))
    >>> fitted(exact[None], sizes).round(9).tolist()
    [80.0]
    """
    # A single ratio determines D; that of a middle size is a good start.
    middle = len(sizes) // 2
    missing = np.maximum(1 - ratios[:, middle], np.finfo(np.float64).eps)
    log_d = np.log(sizes[middle] * ratios[:, middle] ** 2 / (2 * missing))
    # Each text converges by itself, so that no other text of its batch changes its last digit.
    active = np.arange(len(ratios))
    for _ in range(_STEPS):
        u = sizes / np.exp(log_d[active])[:, None]
        root = np.sqrt(1 + 2 * u)
        # The curve as 2 / (1 + √…): the usual form loses all digits to cancellation at large D.
        slope = 2 * u / (root * (1 + root) ** 2)
        residuals = ratios[active] - 2 / (1 + root)
        step = np.clip((slope * residuals).sum(axis=1) / (slope * slope).sum(axis=1), -1, 1)
        log_d[active] += step
        active = active[np.abs(step) > 1e-13]
        if not len(active):
            break
    d_values: Reals = np.exp(log_d)
    return d_values
