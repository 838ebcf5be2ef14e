"""`vocd`: the parameter of the curve that the type-token ratio of growing samples follows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import Richness
from distinctly.metrics import Direction, Sized
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import expected_types

SAMPLES = range(35, 51)
# Each step leaves about a hundredth of the error; those that do not end so soon change nothing more.
_STEPS = 200


@dataclass(frozen=True, kw_only=True)
class Vocd(Richness):
    """D of vocd-D (Malvern & Richards, 1997; McKee et al., 2000), without drawing samples.

    ``TTR(N) = D/N · (√(1 + 2N/D) − 1)`` is fitted by least squares to the type-token ratios of samples of
    N = 35, 36, … 50 tokens. They are the expected ones, as in `hdd`, where others average 100 random
    samples: there is no seed, and no spread between runs. Known bias: none in length for tokens drawn at
    random, as `hdd`.

    Examples
    --------
    >>> import distinctly as dy
    >>> text = "the cat sat on the mat and the dog sat on the rug by the door " * 4
    >>> round(dy.measure([text], "vocd")[0].value, 4)
    1.5383
    """

    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))

    @property
    def takes(self) -> str:
        """As many tokens as the largest sample, and one that comes again: otherwise D is infinite."""
        return f"{SAMPLES[-1]} tokens or more, one of them twice"

    @property
    def sized(self) -> Sized:
        """With nothing: the samples are the same for all."""
        return "no"

    def formula(self, grams: Grams) -> Reals:
        """D of the curve that fits best."""
        ratios = expected_types(grams.counts, grams.types, grams.bounds, grams.total, SAMPLES)
        ratios /= np.array(SAMPLES)
        values = np.full(len(ratios), np.nan)
        known = np.flatnonzero((grams.total >= SAMPLES[-1]) & (grams.distinct < grams.total))
        values[known] = fitted(ratios[known], np.array(SAMPLES, np.float64))
        return values


def fitted(ratios: Reals, sizes: Reals) -> Reals:
    """Fit D to type-token ratios, one row a text, by Gauss and Newton's steps in log D.

    Examples
    --------
    >>> sizes = np.array([35.0, 50.0])
    >>> exact = 2 / (1 + np.sqrt(1 + 2 * sizes / 80.0))
    >>> fitted(exact[None], sizes).round(9).tolist()
    [80.0]
    """
    # One ratio alone gives D exactly; that of a middle size is near the best.
    middle = len(sizes) // 2
    missing = np.maximum(1 - ratios[:, middle], np.finfo(np.float64).eps)
    log_d = np.log(sizes[middle] * ratios[:, middle] ** 2 / (2 * missing))
    # A text is done by itself, so that no other text in its batch changes its last digit.
    going = np.arange(len(ratios))
    for _ in range(_STEPS):
        u = sizes / np.exp(log_d[going])[:, None]
        root = np.sqrt(1 + 2 * u)
        # The curve as 2 / (1 + √…): the difference of the usual form has no digits left at large D.
        slope = 2 * u / (root * (1 + root) ** 2)
        short_of = ratios[going] - 2 / (1 + root)
        step = np.clip((slope * short_of).sum(axis=1) / (slope * slope).sum(axis=1), -1, 1)
        log_d[going] += step
        going = going[np.abs(step) > 1e-13]
        if not len(going):
            break
    found: Reals = np.exp(log_d)
    return found
