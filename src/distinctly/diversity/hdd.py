"""`hdd`: the expected type-token ratio of a random sample of a text."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, TokenRichness
from distinctly.metrics import Direction
from distinctly.options import Value, option
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals
from distinctly.statistics.rarefaction import expected_types


@dataclass(frozen=True, kw_only=True)
class Hdd(TokenRichness):
    """HD-D (McCarthy & Jarvis, 2007): the expected type-token ratio of a random sample of tokens.

    ``Σ_g P(g in a sample of s) / s`` with hypergeometric probabilities P. It is `rarefied` with n = 1, as a
    mean over texts. Known bias: none in length for tokens drawn at random; a random sample does not see that
    the words of a passage cluster.

    Attributes
    ----------
    sample
        s, the number of tokens.

    Examples
    --------
    >>> import distinctly as dy
    >>> round(dy.measure(["a a b c"], "hdd:sample=2")[0].value, 4)   # (5/6 + 1/2 + 1/2) / 2
    0.9167
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "mccarthy2007vocd",
            author="McCarthy, P. M. and Jarvis, S.",
            title="vocd: A theoretical and empirical evaluation",
            journal="Language Testing",
            year=2007,
            volume=24,
            pages="459--488",
        ),
    )
    aliases: ClassVar[tuple[str, ...]] = ("hypergeometric_distribution_diversity",)
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)
    depends_on_length: ClassVar[bool] = False
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"sample": 42, **LEXICALRICHNESS},
        "kyle": {"sample": 42, "short": "zero", **KYLE},
    }

    sample: int = option(42, at_least=1)

    @property
    def required(self) -> str:
        """At least as many tokens as the sample."""
        return f"at least {self.sample:,} tokens"

    def formula(self, grams: Grams) -> Reals:
        """Return the expected number of types, divided by s."""
        types = expected_types(grams.counts, grams.types, grams.bounds, grams.total, [self.sample])
        # Rounding must not give more types than tokens.
        return (types[:, 0] / self.sample).clip(max=1.0)

    def parts(self, grams: Grams) -> dict[str, int | float]:
        """Return N and C of all tokens, the texts, and the number of types expected of the sample."""
        expected = float(self.formula(grams)[0]) * self.sample
        return {"expected": expected, "sample": self.sample, **super().parts(grams)}
