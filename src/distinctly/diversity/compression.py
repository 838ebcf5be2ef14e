"""`compression`: by how much the texts shrink when compressed together."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np

from distinctly.metrics import Direction, Family, Sizable, Sized
from distinctly.options import option
from distinctly.references import bibtex
from distinctly.score import Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.compressed import Algorithm, Compressed, Sizes
from distinctly.views.base import ViewKind


@dataclass(frozen=True, kw_only=True)
class Compression(Sizable):
    """Compression ratio of all texts together: bytes over compressed bytes (Shaib et al., 2024).

    The texts, encoded in UTF-8 and joined by newlines, are compressed in several random orders, since a
    compressor finds nearby repetitions more easily; the value is the mean ratio. Known bias: it grows with
    the size of the corpus, and is low in small ones because of the compressor's header.

    Attributes
    ----------
    algorithm
        ``gzip`` at level 9, ``xz`` at level 6, ``zstd`` at level 3.
    shuffles
        The number of random orders; 0 keeps the given order.
    seed
        The seed of the orders and, with `at`, of the draws.

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.measure(["the cat sat on the mat"] * 100, "compression")[0]
    >>> score.parts["bytes"], score.value > 30, score.parts["spread"]  # 100·22 + 99; all orders are the same
    (2299, True, 0.0)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "misc",
            "shaib2024standardizing",
            author="Shaib, C. and Barrow, J. and Sun, J. and Siu, A. and Wallace, B. and Nenkova, A.",
            title=(
                "Standardizing the measurement of text diversity: A tool and a comparative analysis of scores"
            ),
            year=2024,
        ),
    )
    family: ClassVar[Family] = "repetition"
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    sees: ClassVar[ViewKind] = "texts"
    runs_in_threads: ClassVar[bool] = True

    algorithm: Algorithm = "gzip"
    shuffles: int = option(5, at_least=0)
    seed: int = option(0, at_least=0, last=True)

    @property
    def ordered(self) -> bool:
        """Whether the texts are compressed in the given order."""
        return self.shuffles == 0

    @property
    def sized(self) -> Sized:
        """The number of texts."""
        return "texts"

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the sizes before and after compression."""
        seed = 0 if self.ordered else self.seed
        return (Compressed(self.algorithm, self.shuffles, seed, view=self.view),)

    def for_left_out(self) -> Compression:
        """Return the metric of one order, in which the texts that stay are as they were."""
        return self if self.ordered else replace(self, shuffles=1)

    def score(self, *summaries: Any) -> Score:
        """Return the mean of the ratios."""
        sizes: Sizes = summaries[0]
        parts: dict[str, int | float] = {"texts": sizes.count, "bytes": sizes.original}
        if not sizes.compressed:
            why = "no text has any characters." if sizes.count else "there are no texts."
            return self.scored(math.nan, parts, undefined=why)
        ratios = [sizes.original / size for size in sizes.compressed]
        value = math.fsum(ratios) / len(ratios)
        # The harmonic mean of the sizes: the mean ratio is `bytes` divided by it.
        parts["compressed"] = sizes.original / value
        if len(ratios) > 1:
            parts["spread"] = float(np.std(ratios, ddof=1))
        return self.scored(value, parts)
