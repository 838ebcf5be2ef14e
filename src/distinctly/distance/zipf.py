"""`zipf`: the difference of two Zipf coefficients."""

from __future__ import annotations

import functools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.distance.base import Distance
from distinctly.options import Value, option
from distinctly.ragged import Integers
from distinctly.references import KOUR_2022, bibtex
from distinctly.score import Note, Score
from distinctly.statistics.token_table import Spectrum, TokenTable, TwoCounts

# Steps per unit of log rank; of the ranks that round to the same step, only the first is kept.
_STEPS = 15
# A note warns if one corpus has this many times the tokens of the other; our choice.
UNEQUAL = 2


@dataclass(frozen=True, kw_only=True)
class Zipf(Distance):
    """The absolute difference of the Zipf coefficients of two corpora (Zipf, 1949).

    A coefficient is the slope of the least-squares line of log frequency on log rank. The many rare tokens
    would outweigh all others, so ranks are thinned to distinct values of ``round(15·log rank)``. Known
    bias: the slope grows steeper with the size of a corpus. The distance does not depend on which tokens
    there are.

    Attributes
    ----------
    top
        The number of most frequent tokens of each corpus.
    ranks
        What the line is fitted on: ``rounded``, the values of ``round(15·log rank)/15``; ``exact``, the log
        rank; or ``released``, rounded and without the last rank, as in the package of the paper.

    Examples
    --------
    >>> import distinctly as dy
    >>> score = dy.compare(["a a a a b b"], ["a b c"], "zipf:ranks=exact")[0]   # 4, 2 and 1, 1, 1
    >>> round(score.parts["reference_coefficient"], 12), round(score.value, 12)
    (-1.0, 1.0)
    """

    references: ClassVar[tuple[str, ...]] = (
        bibtex(
            "book",
            "zipf1949human",
            author="Zipf, G. K.",
            title="Human behavior and the principle of least effort",
            publisher="Addison-Wesley",
            year=1949,
        ),
        bibtex(
            "inproceedings",
            "holtzman2020curious",
            author="Holtzman, A. and others",
            title="The curious case of neural text degeneration",
            booktitle="ICLR",
            year=2020,
        ),
        KOUR_2022,
    )
    bounds: ClassVar[tuple[float, float]] = (0.0, math.inf)
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {"paper": {"ranks": "released"}}

    top: int = option(5000, at_least=2)
    ranks: Literal["rounded", "exact", "released"] = "rounded"

    def pair_statistics(self) -> tuple[TokenTable]:
        """Return the token counts of both corpora."""
        return (TokenTable(view=self.view),)

    def score(self, table: TwoCounts) -> Score:
        """Return the difference of the slopes of the two fitted lines."""
        sides = dict(zip(("reference", "candidate"), table.spectra))
        parts: dict[str, int | float] = {f"{name}_types": side.distinct for name, side in sides.items()}
        for name, side in sides.items():
            last = self._last(side)
            if last < 2:
                have = f"{last} of the two ranks that a line needs" if side.distinct else "no tokens"
                return self.scored(math.nan, parts, undefined=f"the {name} has {have}.")
        slopes = []
        for name, side in sides.items():
            slope, residual = self._line(side)
            parts |= {f"{name}_coefficient": slope, f"{name}_residual": residual}
            slopes.append(slope)
        return self.scored(abs(slopes[0] - slopes[1]), parts, _unequal(*table.totals))

    def _last(self, spectrum: Spectrum) -> int:
        """Return the last rank that is used."""
        return min(spectrum.distinct, self.top) - (self.ranks == "released")

    def _line(self, spectrum: Spectrum) -> tuple[float, float]:
        """Return the slope, and the root mean square distance of log frequencies from the line."""
        kept, steps = thinned(self._last(spectrum))
        x = np.log(kept) if self.ranks == "exact" else steps
        y = np.log(spectrum.at_ranks(kept))
        x, y = x - x.mean(), y - y.mean()
        slope = float(x @ y / (x @ x))
        return slope, float(np.sqrt(np.mean((y - slope * x) ** 2)))


def _unequal(reference: int, candidate: int) -> tuple[str, ...]:
    """Warn of a difference that may be due to size."""
    if max(reference, candidate) < UNEQUAL * min(reference, candidate):
        return ()
    unequal = (
        f"The reference has {reference:,} tokens and the candidate {candidate:,}, but coefficients grow "
        "steeper with the size of a corpus: compare equal numbers of texts (--subsample)."
    )
    return (Note(unequal, "warning"),)


def thinned(last: int) -> tuple[Integers, NDArray[np.float64]]:
    """Return the first rank of each step, up to the last rank, and the log rank of the step.

    Examples
    --------
    >>> thinned(40)[0].tolist()[-5:]   # 15·log 33 and 15·log 32 round to 52, as 15·log 31 does
    [29, 31, 34, 36, 38]
    """
    ranks, steps = _steps(1 << last.bit_length())
    used = int(np.searchsorted(ranks, last, "right"))
    return ranks[:used], steps[:used]


@functools.lru_cache(maxsize=32)
def _steps(last: int) -> tuple[Integers, NDArray[np.float64]]:
    """Return the same for a power of two, cached since every selection of a pool needs it."""
    ranks = np.arange(1, last + 1)
    steps, first = np.unique(np.round(_STEPS * np.log(ranks)), return_index=True)
    return ranks[first], steps / _STEPS
