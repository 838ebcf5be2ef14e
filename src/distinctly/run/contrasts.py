"""A reference and a candidate: their distances, with tests, noise floors and intervals.

Exchanges, random parts and blocks are selections of one pool of texts, whose tokens and vectors are computed
once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.config import RunConfig
from distinctly.distance.base import Distance
from distinctly.hashing import block_labels
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.corpora import Sampled, Subcorpus
from distinctly.run.estimating import FEW_UNITS, LEAST_UNITS, NO_SPREAD
from distinctly.run.plan import Plan, Reference, identifying_view
from distinctly.run.resampling import (
    BLOCKS,
    FLOORS,
    ROUNDING,
    SHUFFLES,
    Resampling,
    Units,
    around,
    describe_exchange,
    deviations,
    exchanged,
    hash_names,
    holm,
    p_values,
    shared_names,
)
from distinctly.run.scoring import Distances, Scorer, length_warning
from distinctly.score import Floor, Note, Score, Scores, Test
from distinctly.spec import Request
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.pool import Pool
from distinctly.views.base import View
from distinctly.views.tokens import TokenView

# The number of draws per noise floor.
FLOOR_DRAWS = 20
# An interval needs as many texts (or groups) of each corpus.
SAME_GROUPS = Note(
    "Both corpora have texts of the same groups (answers to the same prompts), so they may be nearer than "
    "two parts of the reference, which share no group. Judge by the p-value, not by the floor.",
    "warning",
    "corpus",
)
UNDEFINED_BLOCK = Note("No interval: the distance is undefined without some of the texts.")
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

    @property
    def sampled(self) -> Sampled | None:
        """The sample that one of the corpora is, or both are; None if both are all texts."""
        return self.candidate.sampled or self.reference.sampled

    def scores(self, requests: Sequence[Request]) -> list[Score]:
        """Score the candidate against the reference, with the requested tests and intervals.

        Draws depend only on the texts as the view that identifies them in a signature has them, so metrics
        are scored by view. Metrics that share statistics have the same view.
        """
        places: dict[View[Any], list[int]] = {}
        for place, request in enumerate(requests):
            places.setdefault(identifying_view(request.metric), []).append(place)
        scores: dict[int, Score] = {}
        resampling = self.resampling if self.sampled is None else replace(self.resampling, interval=True)
        for view, chosen in places.items():
            metrics = [requests[place].metric for place in chosen]
            sides = Sides(
                self.reference.pool,
                self.reference.units(view),
                self.candidate.units(view),
                Distances([metric for metric in metrics if isinstance(metric, Distance)]),
                resampling,
                self.config,
            )
            notes = (*self._notes_on_samples(), *self._warnings(sides))
            for place, score in zip(chosen, sides.scores()):
                parts = score.parts if self.sampled is None else {**score.parts, "sample": self.sampled.size}
                scores[place] = replace(score, parts=parts, notes=(*score.notes, *notes))
        return [scores[place] for place in range(len(requests))]

    def finished(self, plan: Plan) -> list[Score]:
        """Score the candidate, with common notes and signatures."""
        reference = Reference(self.reference.name, self.reference.summaries)
        scorer = Scorer(self.candidate.name, self.candidate.summaries, plan, reference)
        return [
            scorer.finish(request, score, **self.facts(request.metric))
            for request, score in zip(plan.requests, self.scores(plan.requests))
        ]

    def facts(self, metric: Metric) -> dict[str, str]:
        """Return the facts of a signature that determine the subsample and the interval."""
        facts: dict[str, str] = {}
        resampling = self.resampling
        if self.reference.grouped and (resampling.interval or resampling.subsample is not None):
            known: Content = self.reference.summaries[Contents(view=identifying_view(metric))]
            # The hash of the groups of the candidate is added by `Scorer.finish`, as that of its texts is.
            facts["groups"] = str(_groups(self.candidate))
            facts["reference_groups"] = f"{_groups(self.reference)}#{known.grouped_hash:016x}"
        if resampling.subsample is not None:
            facts |= {"subsample": str(resampling.subsample), "seed": str(resampling.seed)}
        if self.sampled is not None:
            return facts | {"interval": "yes"} | self.sampled.facts
        return facts | ({"interval": "yes"} if resampling.interval else {})

    def _notes_on_samples(self) -> tuple[Note, ...]:
        """Return the note on the distance of samples."""
        if self.sampled is None:
            return ()
        measured = [
            f"{len(corpus.rows):,} texts" if corpus.sampled is None else str(corpus.sampled)
            for corpus in (self.reference, self.candidate)
        ]
        why = f"(seed {self.sampled.seed}), since it needs all texts in memory."
        text = f"Measured on samples: {measured[0]} of the reference, {measured[1]} of the candidate {why}"
        general = f"Measured on samples of {self.sampled.size:,} texts of each corpus {why}"
        return (Note(text, general=general),)

    def _warnings(self, sides: Sides) -> tuple[Note, ...]:
        """Return warnings that apply to all distances."""
        notes: list[Note] = []
        corpora = (("reference", sides.reference.texts), ("candidate", sides.candidate.texts))
        fewest = min(len(rows) for _, rows in corpora)
        if fewest < FEW_TEXTS:
            advice = (
                f"{FEW_TEXTS:,} are safe): compare only with distances at this size, and look at the noise "
                "floor (--noise-floor)."
            )
            few = f"Few texts ({fewest:,}; {advice}"
            notes.append(Note(few, "warning", "corpus", f"Few texts ({advice}"))
        if self.tokens is not None and fewest:
            lengths = [sides.pool.view(self.tokens).lengths[rows] for _, rows in corpora]
            little = f"have fewer than {SHORT} tokens, so there is little to compare."
            notes += [
                Note(f"Half of the texts of the {what} {little}", "warning", "corpus")
                for (what, _), of_texts in zip(corpora, lengths)
                if float(np.median(of_texts)) < SHORT
            ]
            notes += notes_on_lengths([float(of_texts.mean()) for of_texts in lengths])
        return tuple(notes)


@dataclass(frozen=True)
class Contrasts:
    """Several corpora in one pool, compared with one of them or each with every other.

    Attributes
    ----------
    corpora
        The corpora.
    plan
        The distances.
    resampling, config
        What to draw, and how to run.
    tokens
        As for `Contrast`.
    """

    corpora: Sequence[Subcorpus]
    plan: Plan
    resampling: Resampling
    config: RunConfig
    tokens: TokenView | None
    _roles: dict[tuple[int, int], Subcorpus] = field(default_factory=dict, repr=False, compare=False)

    def compare(self, first: int, *, matrix: bool = False, explain: int = 0) -> Scores:
        """Compare with the corpus at the place `first`, or each with every other.

        Parameters
        ----------
        first
            The place of the reference, which is described first.
        matrix
            Compare each corpus with every other.
        explain
            The number of tokens, texts and clusters that drive the distances to list.
        """
        scores: list[Score] = []
        count = len(self.corpora)
        for left, right in pairs_of(count, None if matrix else first):
            scores += self._contrast(left, right).finished(self.plan)
        reference = self.corpora[first]
        descriptions = [Scorer(reference.name, reference.summaries, self.plan).facts()]
        for left, right in pairs_of(count, first):
            contrast = self._contrast(left, right)
            facts = Scorer(contrast.candidate.name, contrast.candidate.summaries, self.plan).facts()
            if explain:
                from distinctly.run.explain import explain_distance

                facts["drivers"] = explain_distance(
                    contrast.reference, contrast.candidate, self.plan, explain, self.config
                )
            descriptions.append(facts)
        return Scores(corrected(scores), descriptions)

    def _contrast(self, left: int, right: int) -> Contrast:
        reference, candidate = self._in_role(left, 0), self._in_role(right, 1)
        return Contrast(reference, candidate, self.resampling, self.config, self.tokens)

    def _in_role(self, place: int, role: int) -> Subcorpus:
        """Return a corpus in a role (0 for the reference, 1 for a candidate), with the texts to compare."""
        if (place, role) not in self._roles:
            corpus, resampling = self.corpora[place], self.resampling
            if resampling.subsample is not None:
                chosen = resampling.subsample, resampling.seed, role
                corpus = Subcorpus(
                    corpus.name,
                    corpus.pool,
                    corpus.rows,
                    corpus.summaries,
                    chosen,
                    first_row=corpus.first_row,
                )
            self._roles[place, role] = corpus
        return self._roles[place, role]


def pairs_of(corpora: int, first: int | None) -> list[tuple[int, int]]:
    """Return the place `first` of a reference with that of each other corpus; all pairs if it is None.

    Examples
    --------
    >>> pairs_of(3, 1), len(pairs_of(3, None))
    ([(1, 0), (1, 2)], 6)
    """
    places = range(corpora)
    return [(left, right) for left in places if first in (None, left) for right in places if right != left]


def notes_on_lengths(means: Sequence[float]) -> tuple[Note, ...]:
    """Return a warning if texts of the reference and the candidate differ in their mean number of tokens."""
    if length_warning(means) is None:
        return ()
    advice = "so part of the distance may be due to length. Compare texts of equal length."
    longer = (
        f"Texts have {means[0]:.1f} tokens on average in the reference and {means[1]:.1f} in the "
        f"candidate, {advice}"
    )
    general = f"Texts are longer or shorter on average than those of the reference, {advice}"
    return (Note(longer, "warning", "corpus", general),)


def corrected(scores: Sequence[Score]) -> list[Score]:
    """Correct the p-values of all scores of a run for their number, by Holm's method."""
    p = holm([math.nan if score.test is None else score.test.p for score in scores])
    return [
        score if score.test is None else replace(score, test=replace(score.test, p_holm=p_holm))
        for score, p_holm in zip(scores, p)
    ]


@dataclass(frozen=True)
class Sides:
    """The units of a reference and of a candidate by the contents of one view, and distances.

    Attributes
    ----------
    pool
        The pool of both.
    reference, candidate
        Their texts, or the groups of these.
    distances
        The distances of this view.
    resampling, config
        What to draw, and how to run.
    """

    pool: Pool
    reference: Units
    candidate: Units
    distances: Distances
    resampling: Resampling
    config: RunConfig

    def scores(self) -> list[Score]:
        """Return the distances, with the requested tests, floors and intervals."""
        rows = self.reference.texts, self.candidate.texts
        scores = self.distances.scores(self.pool, (self.pool.select(rows[0]), self.pool.select(rows[1])))
        if not all(map(len, rows)):
            return scores
        if self.resampling.permutations:
            scores = self._tested(scores, self.resampling.permutations)
        if self.resampling.noise_floor:
            scores = self._with_floor(scores)
        if self.resampling.interval:
            scores = self._with_interval(scores)
        return scores

    @property
    def _texts(self) -> int:
        return len(self.reference.texts) + len(self.candidate.texts)

    def _tested(self, scores: Sequence[Score], times: int) -> list[Score]:
        """Add p-values to the scores: how often exchanged texts are as far apart."""
        draw = self.resampling.stream(SHUFFLES)
        values = self._values(
            exchanged(self.reference, self.candidate, times, draw), self._texts, "shuffling texts", times
        )
        how = f"{describe_exchange(self.reference, self.candidate)}, {times:,} times"
        return [
            replace(
                score,
                test=Test(
                    p=math.nan if math.isnan(score.value) else float(p),
                    p_holm=math.nan,  # known when all corpora of the run are scored
                    permutations=times,
                    how=how,
                ),
            )
            for score, p in zip(scores, p_values(values.T))
        ]

    def _with_floor(self, scores: Sequence[Score]) -> list[Score]:
        """Add noise floors to the scores: the distance of two random parts of the reference.

        Parts are as large as the candidate, or half of the reference. The distance at that size is also
        measured, since many distances fall as corpora grow.
        """
        size = min(len(self.reference.texts) // 2, len(self.candidate.texts))
        if not size:
            none = Note("No noise floor: the reference has one text.", scope="corpus")
            return [replace(score, notes=(*score.notes, none)) for score in scores]
        values = self._values(self._parts(size), 2 * size, "drawing parts of the reference", 2 * FLOOR_DRAWS)
        floors, at_size = values[:, :FLOOR_DRAWS].mean(axis=1), values[:, FLOOR_DRAWS:].mean(axis=1)
        notes = (SAME_GROUPS,) if shared_names(self.reference, self.candidate) else ()
        return [
            replace(
                score,
                floor=Floor(mean=float(floor), texts=size, distance_at_size=float(same_size)),
                notes=(*score.notes, *notes),
            )
            for score, floor, same_size in zip(scores, floors, at_size)
        ]

    def _parts(self, size: int) -> Iterator[tuple[Integers, Integers]]:
        """Yield disjoint parts of the reference, then parts of the reference and of the candidate."""
        reference, draw = self.reference, self.resampling.stream(FLOORS)
        for _ in range(FLOOR_DRAWS):
            drawn = reference.some_texts(2 * size, draw)
            # Groups are drawn at random already, and their texts stay together.
            order = np.arange(len(drawn)) if reference.are_groups else draw.permutation(len(drawn))
            yield drawn[np.sort(order[:size])], drawn[np.sort(order[size:])]
        for _ in range(FLOOR_DRAWS):
            yield reference.some_texts(size, draw), self.candidate.some_texts(size, draw)

    def _with_interval(self, scores: Sequence[Score]) -> list[Score]:
        """Add intervals to the scores, from the distances with one block of a side left out at a time.

        A block that both sides share has one influence: the sum of the two.
        """
        if min(len(self.reference), len(self.candidate)) < LEAST_UNITS:
            return [replace(score, notes=(*score.notes, FEW_UNITS)) for score in scores]
        labels = self._blocks()
        blocks = [np.unique(side) for side in labels]
        total = sum(map(len, blocks))
        values = self._values(self._left_out(labels, blocks), self._texts, "leaving out blocks", total)
        influence = np.zeros((len(scores), 2 * BLOCKS))
        for places, of_side in zip(blocks, np.split(values, [len(blocks[0])], axis=1)):
            influence[:, places] += deviations(of_side)
        errors = np.sqrt((influence**2).sum(axis=1))
        degrees = min(map(len, blocks)) - 1
        return [
            _with_interval(score, float(error), metric, degrees)
            for score, error, metric in zip(scores, errors, self.distances.metrics)
        ]

    def _blocks(self) -> tuple[Integers, Integers]:
        """Return the block of each unit of both sides; a group of both sides is in the same block of both."""
        reference, candidate = self.reference, self.candidate
        if not shared_names(reference, candidate):
            return block_labels(reference.keys, BLOCKS), BLOCKS + block_labels(candidate.keys, BLOCKS)
        names = sorted({*reference.names, *candidate.names})
        block_of = dict(zip(names, block_labels(hash_names(names), BLOCKS).tolist()))
        of_reference, of_candidate = (
            np.array([block_of[name] for name in side.names], np.int64) for side in (reference, candidate)
        )
        return of_reference, of_candidate

    def _left_out(
        self, labels: tuple[Integers, Integers], blocks: Sequence[Integers]
    ) -> Iterator[tuple[Integers, Integers]]:
        """Yield the reference without each of its blocks, then the candidate without each of its blocks."""
        first, second = self.reference.texts, self.candidate.texts
        block_of_first = labels[0][self.reference.labels[first]]
        block_of_second = labels[1][self.candidate.labels[second]]
        for block in blocks[0]:
            yield first[block_of_first != block], second
        for block in blocks[1]:
            yield first, second[block_of_second != block]

    def _values(
        self, pairs: Iterator[tuple[Integers, Integers]], texts: int, what: str, total: int
    ) -> NDArray[np.float64]:
        """Return the value of each distance (rows) on each pair (columns), of about `texts` texts."""
        values = self.distances.values(self.pool, pairs, texts, self._report(what, total))
        # Contiguous rows are summed in the same order, whatever the other rows.
        return np.ascontiguousarray(values.T)

    def _report(self, what: str, total: int) -> Callable[[int], None]:
        report = None if self.config.progress is None else self.config.report
        return lambda done: None if report is None else report(what, min(done, total), total)


def _with_interval(score: Score, error: float, metric: Distance, degrees: int) -> Score:
    """Return a score with its interval, or with the reason why it has a value but no interval."""
    if math.isnan(score.value) or error > ROUNDING:
        return around(score, error, metric.bounds, degrees)
    reason = UNDEFINED_BLOCK if math.isnan(error) else NO_SPREAD
    return replace(score, notes=(*score.notes, reason))


def _groups(corpus: Subcorpus) -> int:
    """Return the number of groups of a corpus."""
    groups = corpus.pool.rows.batch.groups
    return 0 if groups is None else len(set(groups.take(corpus.rows).tolist()))
