"""Base classes of distances: two corpora in, one number out."""

from __future__ import annotations

import math
from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.metrics import Direction, Metric, VectorMetric, single_score
from distinctly.score import Kind, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.listed_words import ListedTable
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Lookup, Pair
from distinctly.statistics.token_table import TokenTable, TwoCounts


@dataclass(frozen=True, kw_only=True)
class Distance(Metric):
    """How far a candidate is from a reference: 0 means equal, and larger is farther.

    `score` takes, for each of `statistics`, the summary of the reference and that of the candidate, then the
    summaries of `pair_statistics`.

    Attributes
    ----------
    symmetric
        Whether the value is the same with reference and candidate exchanged.
    least_texts
        The smallest number of texts that each corpus must have.
    """

    kind: ClassVar[Kind] = "distance"
    more_is: ClassVar[Direction] = "farther"
    symmetric: ClassVar[bool] = True

    @property
    def texts_can_be_left_out(self) -> bool:
        """Whether a change of the value without one text is due to that text alone.

        It is not if what the other texts contribute is fitted, divided or drawn anew.
        """
        return True

    @property
    def reads_reference(self) -> bool:
        """Whether the value depends on a reference corpus: always."""
        return True

    def __call__(  # type: ignore[override]  # a distance takes two corpora
        self, reference: object, candidate: object, **options: Any
    ) -> Score:
        """Return the distance of a candidate from a reference, as `compare` with this distance does.

        Parameters
        ----------
        reference, candidate
            Any corpora that `compare` takes; one candidate.
        **options
            Named parameters of `compare`, such as `tokenizer`, `embedder` or `permutations`.

        Raises
        ------
        SpecError
            If the call has several scores, as with several candidates or `by`: `compare` returns them all.

        Examples
        --------
        >>> import distinctly as dy
        >>> dy.JensenShannon()(["a b"], ["c d"]).value
        1.0
        """
        return single_score("compare", reference, candidate, self, **options)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of each corpus by itself."""
        return ()

    def pair_statistics(self) -> tuple[PairStatistic[Any], ...]:
        """Return the statistics of both corpora together."""
        return ()

    def score_pair(self, pair: Pair, summaries: Mapping[PairStatistic[Any], Any]) -> Score:
        """Score two selections of a pool, given the summaries of `pair_statistics`."""
        return self.score_sides(pair, (len(pair[0]), len(pair[1])), summaries)

    def score_sides(
        self,
        sides: tuple[Lookup, Lookup],
        texts: tuple[int, int],
        summaries: Mapping[PairStatistic[Any], Any],
    ) -> Score:
        """Score two corpora with these numbers of texts; undefined if one is too small."""
        sizes = {"reference_texts": texts[0], "candidate_texts": texts[1]}
        for name, count in zip(("reference", "candidate"), texts):
            if not count:
                return self.scored(math.nan, sizes, undefined=f"the {name} has no texts.")
        for name, count in zip(("reference", "candidate"), texts):
            if count < self.least_texts:
                have = "1 text" if count == 1 else f"{count:,} texts"
                why = f"the {name} has {have}; '{self.metric_name()}' needs at least {self.least_texts}."
                return self.scored(math.nan, sizes, undefined=why)
        of_each = [side[statistic] for statistic in self.statistics() for side in sides]
        of_both = [summaries[statistic] for statistic in self.pair_statistics()]
        score = self.as_score(self.score(*of_each, *of_both))
        return replace(score, parts={**sizes, **score.parts})


@dataclass(frozen=True, kw_only=True)
class SumOverNgrams(Distance):
    """A distance with a part that is a sum over n-grams, so that each n-gram has a share of it.

    Attributes
    ----------
    summed
        The name of the part.
    symbol
        What a listing calls it, to follow "share of".
    """

    summed: ClassVar[str]
    symbol: ClassVar[str]

    @abstractmethod
    def pair_statistics(self) -> tuple[TokenTable | ListedTable]:
        """Return the n-gram counts of both corpora."""

    @abstractmethod
    def contributions(self, counts: TwoCounts) -> tuple[TwoCounts, NDArray[np.float64]]:
        """Return the n-grams that are compared, and what each of them contributes to the part."""


@dataclass(frozen=True, kw_only=True)
class VectorDistance(VectorMetric, Distance):
    """A distance on the vectors of texts."""


def left_out(zeros: Sequence[int], texts: Sequence[int]) -> tuple[str, ...]:
    """Return notes on the texts of the reference and the candidate that have a zero vector.

    Examples
    --------
    >>> left_out((0, 1), (5, 4))
    ('1 of 4 texts of the candidate have a zero vector, which has no direction; they are left out.',)
    """
    return tuple(
        f"{zero:,} of {total:,} texts of the {name} have a zero vector, which has no direction; they are "
        "left out."
        for name, zero, total in zip(("reference", "candidate"), zeros, texts)
        if zero
    )


def f1(precision: float, recall: float) -> float:
    """Return the harmonic mean of two numbers; 0 if both are 0.

    Examples
    --------
    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0
