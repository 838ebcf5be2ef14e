"""What distances share: two corpora in, one number out, and what to say where there is none."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from distinctly.metrics import Direction, Metric, VectorMetric, single_score
from distinctly.score import Kind, Score
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.pairing import PairStatistic
from distinctly.statistics.pool import Lookup, Pair


@dataclass(frozen=True, kw_only=True)
class Distance(Metric):
    """How far a candidate is from a reference: 0 is the same, and larger is farther.

    `statistics` are those of one corpus: `score` takes the reference's and the candidate's summary of
    each, then the summaries of `pair_statistics`.

    Attributes
    ----------
    symmetric
        Whether the two corpora can change places.
    least_texts
        How many texts each of the two must have.
    """

    kind: ClassVar[Kind] = "distance"
    more_is: ClassVar[Direction] = "farther"
    symmetric: ClassVar[bool] = True

    @property
    def reads_reference(self) -> bool:
        """Whether the number depends on a reference corpus: it does."""
        return True

    def __call__(  # type: ignore[override]  # a distance takes two corpora
        self, reference: object, candidate: object, **options: Any
    ) -> Score:
        """Return how far a candidate is from a reference: `compare` with this distance alone.

        Parameters
        ----------
        reference, candidate
            Whatever `compare` takes; one candidate.
        **options
            Named parameters of `compare`, such as `tokenizer`, `embedder` or `permutations`.

        Raises
        ------
        SpecError
            Where the call has several scores: with several candidates or `by`, `compare` returns all.

        Examples
        --------
        >>> import distinctly as dy
        >>> dy.JensenShannon()(["a b"], ["c d"]).value
        1.0
        """
        return single_score("compare", reference, candidate, self, **options)

    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return what is summarized of each corpus by itself."""
        return ()

    def pair_statistics(self) -> tuple[PairStatistic[Any], ...]:
        """Return what is summarized of the two together."""
        return ()

    def score_pair(self, pair: Pair, summaries: Mapping[PairStatistic[Any], Any]) -> Score:
        """Score two selections of a pool from the summaries of each and those of both."""
        return self.score_sides(pair, (len(pair[0]), len(pair[1])), summaries)

    def score_sides(
        self,
        sides: tuple[Lookup, Lookup],
        texts: tuple[int, int],
        summaries: Mapping[PairStatistic[Any], Any],
    ) -> Score:
        """Score two corpora, given their numbers of texts; undefined where one is too small."""
        sizes = {"reference_texts": texts[0], "candidate_texts": texts[1]}
        for name, count in zip(("reference", "candidate"), texts):
            if not count:
                return self.scored(math.nan, sizes, undefined=f"the {name} has no texts.")
        for name, count in zip(("reference", "candidate"), texts):
            if count < self.least_texts:
                have = "1 text" if count == 1 else f"{count:,} texts"
                why = f"the {name} has {have}, and '{self.metric_name()}' takes {self.least_texts}."
                return self.scored(math.nan, sizes, undefined=why)
        of_each = [side[statistic] for statistic in self.statistics() for side in sides]
        score = self.score(*of_each, *(summaries[statistic] for statistic in self.pair_statistics()))
        return replace(score, parts={**sizes, **score.parts})


@dataclass(frozen=True, kw_only=True)
class VectorDistance(VectorMetric, Distance):
    """A distance between the vectors of texts."""


def left_out(zeros: Sequence[int], texts: Sequence[int]) -> tuple[str, ...]:
    """Say how many texts of the reference, and of the candidate, have no direction, so are left out.

    Examples
    --------
    >>> left_out((0, 1), (5, 4))
    ('1 of 4 texts of the candidate have a vector of zeros, so no direction; they are left out.',)
    """
    return tuple(
        f"{own:,} of {of:,} texts of the {name} have a vector of zeros, so no direction; they are left out."
        for name, own, of in zip(("reference", "candidate"), zeros, texts)
        if own
    )


def f1(one: float, other: float) -> float:
    """Return the harmonic mean; 0 where both are 0.

    Examples
    --------
    >>> f1(0.5, 1.0), f1(0.0, 0.0)
    (0.6666666666666666, 0.0)
    """
    return 2 * one * other / (one + other) if one + other else 0.0
