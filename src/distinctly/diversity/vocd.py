"""`vocd`: the parameter of the curve that fits the type-token ratios of growing samples."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from distinctly.diversity._richness import LEXICALRICHNESS, TokenRichness
from distinctly.errors import SpecError
from distinctly.metrics import Direction
from distinctly.options import Value, option
from distinctly.references import bibtex
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.drawn_ratios import DrawnRatios, RandomSamples
from distinctly.statistics.lengths import Lengths
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import expected_types
from distinctly.statistics.stream_means import TextWalkMean

SAMPLES = range(35, 51)
# Each step reduces the error about a hundredfold, so this many are always enough.
_STEPS = 200


def _draws_samples(metric: Vocd) -> bool:
    return metric.draws > 0


@dataclass(frozen=True, kw_only=True)
class Vocd(TokenRichness):
    """D of vocd-D (Malvern & Richards, 1997; McKee et al., 2000), by default without drawing samples.

    ``TTR(N) = D/N · (√(1 + 2N/D) − 1)`` is fitted by least squares to the type-token ratios of samples of
    N = 35, 36, … 50 tokens. The ratios are exact expectations, as in `hdd`; other tools average 100 random
    samples. So there is no seed, and no variation between runs, unless `draws` asks for samples. Known
    bias: none in length for tokens drawn at random, as `hdd`.

    Attributes
    ----------
    draws
        The number of random samples per size, as in LexicalRichness; 0 for exact expectations. Samples need
        ``pool=text``.
    repetitions
        The number of times that all samples are drawn and the curve is fitted; the value is the mean of D.
    seed
        The seed of the samples, of Python's generator, for each text anew.

    Examples
    --------
    >>> import distinctly as dy
    >>> text = "the cat sat on the mat and the dog sat on the rug by the door " * 4
    >>> round(dy.measure([text], "vocd")[0].value, 4)
    1.5383
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "incollection",
            "malvern1997new",
            author="Malvern, D. and Richards, B.",
            title="A new measure of lexical diversity",
            booktitle="Evolving models of language",
            editor="Ryan, A. and Wray, A.",
            year=1997,
        ),
        bibtex(
            "article",
            "mckee2000measuring",
            author="McKee, G. and Malvern, D. and Richards, B.",
            title="Measuring vocabulary diversity using dedicated software",
            journal="Literary and Linguistic Computing",
            year=2000,
            volume=15,
            pages="323--338",
        ),
    )
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    depends_on_length: ClassVar[bool] = False

    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"draws": 100, "repetitions": 3, "seed": 42, **LEXICALRICHNESS},
    }

    draws: int = option(0, only=_draws_samples, at_least=0)
    repetitions: int = option(3, only=_draws_samples, at_least=1)
    seed: int = option(0, only=_draws_samples, at_least=0)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.draws and self.pool != "text":
            raise SpecError(
                f"Expected `pool=text` with `draws={self.draws}` of 'vocd', since samples are drawn from "
                f"each text, got pool={self.pool}. Omit `draws`, and the value is exact."
            )

    @property
    def required(self) -> str:
        """As many tokens as the largest sample, and a repeated token: otherwise D is infinite."""
        tokens = f"more than {SAMPLES[-1]}" if self.draws else f"at least {SAMPLES[-1]}"
        return f"{tokens} tokens and a repeated token"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the counts, or the ratios of random samples, and the lengths."""
        if not self.draws:
            return super().statistics()
        samples = RandomSamples(SAMPLES, self.draws, self.repetitions, self.seed)
        return TextWalkMean(samples, self, view=self.view), Lengths(view=self.view)

    def formula(self, counted: Grams | DrawnRatios) -> Reals:
        """Return D of the best-fitting curve."""
        sizes = np.array(SAMPLES, np.float64)
        if isinstance(counted, DrawnRatios):
            values = np.full(len(counted.ratios), np.nan)
            defined = np.flatnonzero((counted.tokens > SAMPLES[-1]) & (counted.types < counted.tokens))
            curves = counted.ratios[defined].reshape(-1, len(SAMPLES))
            values[defined] = fitted(curves, sizes).reshape(len(defined), self.repetitions).mean(axis=1)
            return values
        ratios = expected_types(counted.counts, counted.types, counted.bounds, counted.total, SAMPLES)
        ratios /= np.array(SAMPLES)
        values = np.full(len(ratios), np.nan)
        defined = np.flatnonzero((counted.total >= SAMPLES[-1]) & (counted.distinct < counted.total))
        values[defined] = fitted(ratios[defined], sizes)
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
