"""`hdd`: the type-token ratio of a random sample of a text, without drawing one."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import Richness
from distinctly.metrics import Direction, Sized
from distinctly.options import Value, option
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import expected_types


@dataclass(frozen=True, kw_only=True)
class Hdd(Richness):
    """HD-D (McCarthy & Jarvis, 2007): the type-token ratio to expect of a sample of the tokens.

    ``Σ_g P(g in a sample of s) / s``, the chances hypergeometric. It is `rarefied` with n = 1, as a mean
    over texts. Known bias: none in length for tokens drawn at random; words of a passage go together,
    and no sample at random sees that.

    Attributes
    ----------
    sample
        s: how many tokens.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b c"], "hdd:sample=2")[0].value, 4)   # (5/6 + 1/2 + 1/2) / 2
    0.9167
    """

    aliases: ClassVar[tuple[str, ...]] = ("hypergeometric_distribution_diversity",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"sample": 42},
        "kyle": {"sample": 42},
    }

    sample: int = option(42, at_least=1)

    @property
    def takes(self) -> str:
        """As many tokens as the sample."""
        return f"{self.sample:,} tokens or more"

    @property
    def sized(self) -> Sized:
        """With nothing: the sample is the same for all."""
        return "no"

    def formula(self, grams: Grams) -> Reals:
        """The expected types over s."""
        found = expected_types(grams.counts, grams.types, grams.bounds, grams.total, [self.sample])
        # Rounding must not make more types than tokens.
        return (found[:, 0] / self.sample).clip(max=1.0)
