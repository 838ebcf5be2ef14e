"""A reference and a candidate: their distances, with tests, noise floors and intervals.

Permutations, halves of the reference and subsamples are selections of one pool of texts, whose tokens and
vectors are computed once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from distinctly.config import RunConfig
from distinctly.distance.base import Distance
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.resampling import (
    FLOORS,
    HALVES,
    SHARE,
    SHUFFLES,
    Resampling,
    around,
    describe_exchange,
    exchanged,
    holm,
    p_values,
)
from distinctly.run.scoring import Distances
from distinctly.score import Floor, Note, Score, Test
from distinctly.spec import Request
from distinctly.views.tokens import TokenView

# The number of pairs of parts of the reference per floor.
FLOOR_DRAWS = 20
SAME_GROUPS = Note(
    "Both corpora have texts of the same groups (answers to the same prompts), so they may be nearer than "
    "two parts of the reference, which share no group. Judge by the p-value, not by the floor.",
    "warning",
    "corpus",
)
# With fewer texts, or fewer tokens per text, there is a warning.
FEW_TEXTS, SHORT = 1000, 3


@dataclass(frozen=True)
class Contrast:
    """A reference and a candidate in one pool.

    Attributes
    ----------
    tokens
        The view that counts tokens, for a warning on short texts; None if there are only vectors.
    """

    reference: Subcorpus
    candidate: Subcorpus
    resampling: Resampling
    config: RunConfig
    tokens: TokenView | None

    def scores(self, requests: Sequence[Request]) -> list[Score]:
        """Score the candidate against the reference, with the requested tests and intervals."""
        metrics = [request.metric for request in requests if isinstance(request.metric, Distance)]
        distances = Distances(metrics)
        pair = self.reference.selection, self.candidate.selection
        notes = self._warnings()
        scores = [
            replace(score, notes=(*score.notes, *notes))
            for score in distances.scores(self.reference.pool, pair)
        ]
        if not len(self.reference) or not len(self.candidate):
            return scores
        if self.resampling.permutations:
            scores = self._tested(scores, distances, self.resampling.permutations)
        if self.resampling.noise_floor:
            scores = self._with_floor(scores, distances)
        if self.resampling.interval:
            scores = self._with_interval(scores, distances)
        return scores

    def _tested(self, scores: Sequence[Score], distances: Distances, times: int) -> list[Score]:
        """Add p-values to the scores: how often exchanged texts are as far apart."""
        reference, candidate = self.reference.units, self.candidate.units
        paired = reference.are_groups and list(reference.names) == list(candidate.names)
        values = distances.values(
            self.reference.pool,
            exchanged(reference, candidate, times, self.resampling.stream(SHUFFLES), paired=paired),
            len(self.reference) + len(self.candidate),
            self._report("shuffling texts", times),
        )
        known = [
            math.nan if math.isnan(score.value) else float(p) for score, p in zip(scores, p_values(values))
        ]
        how = f"{describe_exchange(len(reference) if paired else 0)}, {times:,} times"
        return [
            replace(score, test=Test(p=p, p_holm=p_holm, permutations=times, how=how))
            for score, p, p_holm in zip(scores, known, holm(known))
        ]

    def _with_floor(self, scores: Sequence[Score], distances: Distances) -> list[Score]:
        """Add noise floors to the scores: the distance of two random parts of the reference.

        Parts are as large as the candidate, or half of the reference. The distance at that size is also
        measured, since many distances fall as corpora grow.
        """
        reference, candidate = self.reference.units, self.candidate.units
        size = min(len(self.reference) // 2, len(self.candidate))
        if not size:
            none = Note("No noise floor: the reference has one text.", scope="corpus")
            return [replace(score, notes=(*score.notes, none)) for score in scores]
        draw = self.resampling.stream(FLOORS)

        def parts() -> Iterator[tuple[Integers, Integers]]:
            for _ in range(FLOOR_DRAWS):
                drawn = reference.some_texts(2 * size, draw)
                # Groups are drawn at random already, and their texts stay together.
                order = np.arange(len(drawn)) if reference.are_groups else draw.permutation(len(drawn))
                yield drawn[np.sort(order[:size])], drawn[np.sort(order[size:])]
            for _ in range(FLOOR_DRAWS):
                yield reference.some_texts(size, draw), candidate.some_texts(size, draw)

        report = self._report("halving the reference", 2 * FLOOR_DRAWS)
        values = distances.values(self.reference.pool, parts(), 2 * size, report)
        floors, at_size = values[:FLOOR_DRAWS], values[FLOOR_DRAWS:].mean(axis=0)
        notes = (SAME_GROUPS,) if set(reference.names) & set(candidate.names) else ()
        return [
            replace(
                score,
                floor=Floor(
                    mean=float(column.mean()),
                    high=float(np.quantile(column, 0.95)) if len(column) else math.nan,
                    texts=size,
                    distance_at_size=float(same_size),
                ),
                notes=(*score.notes, *notes),
            )
            for score, column, same_size in zip(scores, floors.T, at_size)
        ]

    def _with_interval(self, scores: Sequence[Score], distances: Distances) -> list[Score]:
        """Add intervals to the scores, from the spread over halves of both corpora."""
        sides = self.reference, self.candidate
        sizes = [max(round(len(side) * SHARE), 1) for side in sides]
        if min(map(len, sides)) < 4:
            none = Note("No interval: it needs four texts per corpus.", scope="corpus")
            return [replace(score, notes=(*score.notes, none)) for score in scores]
        draw = self.resampling.stream(HALVES)

        def halves() -> Iterator[tuple[Integers, Integers]]:
            for _ in range(self.resampling.subsamples):
                first, second = (side.units.some_texts(size, draw) for side, size in zip(sides, sizes))
                yield first, second

        report = self._report("measuring subsamples", self.resampling.subsamples)
        values = distances.values(self.reference.pool, halves(), sum(sizes), report)
        texts = sum(map(len, sides))
        errors = [self.resampling.standard_error(column, texts, sum(sizes)) for column in values.T]
        return [
            around(score, error, metric.bounds)
            for score, error, metric in zip(scores, errors, distances.metrics)
        ]

    def _report(self, what: str, total: int) -> Callable[[int], None]:
        report = None if self.config.progress is None else self.config.report
        return lambda done: None if report is None else report(what, min(done, total), total)

    def _warnings(self) -> tuple[Note, ...]:
        """Return warnings that apply to all distances."""
        notes = []
        fewest = min(len(self.reference), len(self.candidate))
        if fewest < FEW_TEXTS:
            notes.append(
                f"Few texts ({fewest:,}; {FEW_TEXTS:,} are safe): compare only with distances at this size, "
                "and look at the noise floor (--noise-floor)."
            )
        for what, side in (("reference", self.reference), ("candidate", self.candidate)):
            if self.tokens is None or not len(side):
                continue
            if float(np.median(side.pool.view(self.tokens).lengths[side.rows])) < SHORT:
                notes.append(
                    f"Half of the texts of the {what} have fewer than {SHORT} tokens, so there is little to "
                    "compare."
                )
        return tuple(Note(text, "warning", "corpus") for text in notes)
