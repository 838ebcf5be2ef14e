"""`maas`: Maas's index."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.diversity._richness import KYLE, LEXICALRICHNESS, Richness
from distinctly.diversity.base import Reads, ratio
from distinctly.metrics import Direction
from distinctly.options import Value
from distinctly.references import bibtex
from distinctly.statistics.ngram_counts import Grams, Reals


@dataclass(frozen=True, kw_only=True)
class Maas(Richness):
    """Maas's a² (Maas, 1972).

    ``(log C − log N) / (log C)²``: 0 where no token is repeated. Less is more diverse. Known bias: it
    depends on the length of texts, but less than `ttr`.

    Attributes
    ----------
    log
        ``natural`` logarithms, or those of base ``10``, which make the value 2.303 times as large.

    Examples
    --------
    >>> import distinctly as dy
    >>> [round(dy.measure(["a a b b c c d d"], spec)[0].value, 4) for spec in ("maas", "maas:log=10")]
    [0.1603, 0.3691]
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "article",
            "maas1972zusammenhang",
            author="Maas, H.-D.",
            title=r"{\"U}ber den {Z}usammenhang zwischen {W}ortschatzumfang und {L}{\"a}nge eines {T}extes",
            journal=r"Zeitschrift f{\"u}r Literaturwissenschaft und Linguistik",
            year=1972,
            volume=8,
            pages="73--79",
        ),
    )
    more_is: ClassVar[Direction] = "less diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, float("inf"))
    reads: ClassVar[Reads] = "sizes"
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {
        "lexicalrichness": {"log": "natural", **LEXICALRICHNESS},
        "kyle": {"log": "10", "short": "zero", **KYLE},
    }

    log: Literal["natural", "10"] = "natural"

    @property
    def required(self) -> str:
        """Two tokens: the logarithm of 1 is 0."""
        return "at least 2 tokens"

    def formula(self, grams: Grams) -> Reals:
        """Return (log C − log N) / (log C)²."""
        log = np.log if self.log == "natural" else np.log10
        log_total = log(np.maximum(grams.total, 1))
        missing = log_total - log(np.maximum(grams.distinct, 1))
        # The expected N of a sample may exceed C by a rounding error.
        return ratio(np.maximum(missing, 0), log_total**2)
