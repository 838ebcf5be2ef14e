"""A reference and candidates: the distances, and what chance alone would make of them.

Permutations, halves of the reference, subsamples: all are selections of one pool of texts, whose tokens
and vectors are made once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import permutations as ordered_pairs

import numpy as np

from distinctly.distance.base import Distance
from distinctly.ragged import Integers
from distinctly.score import Floor, Note, Score, Test
from distinctly.spec import Request
from distinctly.statistics.derived import Lookup, TextPool
from distinctly.statistics.pairing import Pair, PairPool, PairStatistic, Selection
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import Chance, Reals, around, holm, standard_error
from distinctly.views.tokens import Tokens

# How many pairs of halves of the reference make a floor.
FLOORS = 20
# Bytes of row numbers that are drawn before they are measured.
DRAWN_AT_ONCE = 64_000_000
# Values nearer than this part of the largest are ties: sums of float32 that are equal differ so much.
TIE = 1e-6
SAME_GROUPS = Note(
    "Both have texts of the same groups (answers to the same prompts), so they may be nearer than two parts "
    "of the reference, which have none in common: judge by the p-value, not by the floor.",
    "warning",
    "corpus",
)
# Fewer texts than this, and tokens a text, that a reader has to be told of.
FEW_TEXTS, SHORT = 1000, 3


@dataclass(frozen=True, kw_only=True)
class Asked:
    """What is asked besides the distances.

    Attributes
    ----------
    permutations
        How often to shuffle the texts of the two for a p-value; 0 for none.
    noise_floor
        Measure how far apart two random parts of the reference are.
    interval
        Give every distance its 95 % interval.
    subsample
        Compare so many texts of each corpus; all where not given.
    have_texts
        Whether the corpora are texts, or vectors alone.
    chance
        Seeds and numbers of draws.
    """

    permutations: int = 0
    noise_floor: bool = False
    interval: bool = False
    subsample: int | None = None
    have_texts: bool = True
    chance: Chance = field(default_factory=Chance)


@dataclass(frozen=True)
class Side:
    """One corpus among those that are compared.

    Attributes
    ----------
    name, tokenizer
        Of the corpus.
    rows
        Its texts in the pool, in an order that only their contents give.
    groups
        The same by group, for texts that belong to one; none otherwise.
    whole
        What all texts of the corpus come to, for the signature.
    """

    name: str
    tokenizer: Tokenizer
    rows: Integers
    groups: dict[str, Integers]
    whole: Lookup

    @property
    def units(self) -> list[Integers]:
        """What is drawn: groups, since their texts go together, or single texts."""
        return list(self.groups.values()) if self.groups else list(self.rows.reshape(-1, 1))

    def draw(self, size: int, draw: np.random.Generator) -> Integers:
        """Draw so many texts, whole groups where there are some, without replacement."""
        if not self.groups:
            return self.rows[np.sort(draw.permutation(len(self.rows))[:size])]
        units = self.units
        found: list[Integers] = []
        for place in draw.permutation(len(units)):
            if sum(map(len, found)) >= size:
                break
            found.append(units[place])
        return np.concatenate(found)[:size] if found else self.rows[:0]


@dataclass(frozen=True)
class Read:
    """A corpus that was read, and which of its texts are of which side; all of one where not split."""

    name: str
    view: Tokens
    tokenizer: Tokenizer
    split: Mapping[str, Integers] | None = None


def make_sides(corpora: Sequence[Read]) -> Sides:
    """Put the texts of several corpora into one pool."""
    pool = TextPool(Tokens.join([one.view for one in corpora]))
    sides, start = [], 0
    for one in corpora:
        everything = {one.name: np.arange(len(one.view))}
        for name, rows in (everything if one.split is None else one.split).items():
            own = in_order(pool.view, start + rows)
            whole = TextPool(one.view).cut(np.arange(len(one.view))) if one.split is None else pool.cut(own)
            sides.append(Side(name, one.tokenizer, own, _by_group(pool.view, own), whole))
        start += len(one.view)
    return Sides(PairPool(pool), sides)


def in_order(view: Tokens, rows: Integers) -> Integers:
    """Return rows in an order that only the contents of their texts give."""
    # Tokens first, since they are hashed already; then the texts, since vectors may tell them apart.
    return rows[np.lexsort((view.content_hashes[rows], view.text_hashes[rows]))]


def _by_group(view: Tokens, rows: Integers) -> dict[str, Integers]:
    if view.groups is None:
        return {}
    groups: dict[str, list[int]] = {}
    for row, name in zip(rows.tolist(), view.groups.take(rows).tolist()):
        groups.setdefault(name, []).append(row)
    return {name: np.array(groups[name], np.int64) for name in sorted(groups)}


@dataclass(frozen=True)
class Sides:
    """Corpora in one pool."""

    pool: PairPool
    sides: Sequence[Side]

    def __iter__(self) -> Iterator[Side]:
        return iter(self.sides)

    def subsampled(self, size: int, chance: Chance) -> Sides:
        """Keep so many random texts of each corpus."""
        kept = []
        for place, side in enumerate(self.sides):
            rows = (
                side.draw(size, np.random.default_rng([chance.seed, 20, place]))
                if size < len(side.rows)
                else side.rows
            )
            chosen = set(rows.tolist())
            groups = {name: own[[row in chosen for row in own.tolist()]] for name, own in side.groups.items()}
            kept.append(replace(side, rows=rows, groups={n: own for n, own in groups.items() if len(own)}))
        return replace(self, sides=kept)

    def pairs(self, reference: int, *, matrix: bool) -> list[tuple[Side, Side]]:
        """Return each candidate with the reference; all pairs for a matrix."""
        if matrix:
            return list(ordered_pairs(self.sides, 2))
        return [(self.sides[reference], one) for i, one in enumerate(self.sides) if i != reference]

    @cached_property
    def _selections(self) -> dict[int, Selection]:
        return {id(side): self.pool.select(side.rows) for side in self.sides}

    def selected(self, side: Side) -> Selection:
        """Return the texts of a corpus; what they come to is made once for all pairs."""
        return self._selections[id(side)]


@dataclass(frozen=True)
class Distances:
    """Requests whose metrics are distances, and all that they read of a pair."""

    requests: Sequence[Request]

    @cached_property
    def metrics(self) -> list[Distance]:
        """The distances."""
        return [request.metric for request in self.requests if isinstance(request.metric, Distance)]

    @cached_property
    def wanted(self) -> list[PairStatistic[object]]:
        """The pair statistics that they read, each once."""
        return list(dict.fromkeys(one for metric in self.metrics for one in metric.pair_statistics()))

    def scores(self, pool: PairPool, pair: Pair) -> list[Score]:
        """Score one pair."""
        found = pool.summaries(pair, self.wanted) if all(map(len, pair)) else {}
        return [metric.score_pair(pair, found) for metric in self.metrics]

    def values(
        self,
        pool: PairPool,
        drawn: Iterator[tuple[Integers, Integers]],
        texts: int,
        told: Callable[[int], None],
    ) -> Reals:
        """Return the value of each distance (columns) on each of many pairs (rows)."""
        rows: list[list[float]] = []
        at_once = max(DRAWN_AT_ONCE // (8 * max(texts, 1)), 8)
        while chunk := [pair for _, pair in zip(range(at_once), drawn)]:
            pairs = [(pool.select(one), pool.select(other)) for one, other in chunk]
            for pair, found in pool.each(pairs, self.wanted):
                rows.append([metric.score_pair(pair, found).value for metric in self.metrics])
                told(len(rows))
        return np.array(rows, np.float64).reshape(-1, len(self.metrics))


def contrast(sides: Sides, one: Side, other: Side, requests: Sequence[Request], asked: Asked) -> list[Score]:
    """Score a candidate against a reference, with all that is asked."""
    distances = Distances(requests)
    scores = distances.scores(sides.pool, (sides.selected(one), sides.selected(other)))
    notes = _warnings(sides.pool.texts.view, one, other, asked)
    scores = [replace(score, notes=(*score.notes, *notes)) for score in scores]
    if not len(one.rows) or not len(other.rows):
        return scores
    if asked.permutations:
        scores = _tested(scores, distances, sides.pool, one, other, asked)
    if asked.noise_floor:
        scores = _floored(scores, distances, sides.pool, one, other, asked)
    if asked.interval:
        scores = _with_interval(scores, distances, sides.pool, one, other, asked)
    return scores


def _tested(
    scores: Sequence[Score], distances: Distances, pool: PairPool, one: Side, other: Side, asked: Asked
) -> list[Score]:
    """Give every score its p-value: how often shuffled texts are as far apart.

    That is exact for whatever a distance does with two sets of texts, draws of its own included, as long as
    it sees nothing but which text is whose: so all texts stand in one order, that of their contents, and a
    shuffle changes only to which corpus each belongs.
    """
    draw = np.random.default_rng([asked.chance.seed, 21])
    paired = bool(one.groups) and one.groups.keys() == other.groups.keys()
    units = [*one.units, *other.units]
    half = len(one.units)
    unit_of = np.zeros(len(pool.texts), np.int64)
    for place, unit in enumerate(units):
        unit_of[unit] = place
    rows = in_order(pool.texts.view, np.concatenate([one.rows, other.rows]))
    own_unit = unit_of[rows]

    def shuffled() -> Iterator[tuple[Integers, Integers]]:
        in_reference = np.arange(len(units)) < half
        # As it is, on the same road as those that it is compared with.
        yield rows[in_reference[own_unit]], rows[~in_reference[own_unit]]
        for _ in range(asked.permutations):
            if paired:
                swapped = draw.random(half) < 0.5
                in_reference = np.concatenate([~swapped, swapped])
            else:
                in_reference = draw.permutation(len(units)) < half
            yield rows[in_reference[own_unit]], rows[~in_reference[own_unit]]

    values = distances.values(
        pool,
        shuffled(),
        len(one.rows) + len(other.rows),
        _telling("shuffling texts", asked.permutations, asked),
    )
    observed = values[0]
    # What is undefined counts against a difference.
    rounding = TIE * np.abs(values).max(axis=0, where=np.isfinite(values), initial=0.0)
    as_far = ~(values[1:] < observed - rounding)
    p_values = (as_far.sum(axis=0) + 1) / (asked.permutations + 1)
    known = [math.nan if math.isnan(score.value) else float(p) for score, p in zip(scores, p_values)]
    exchanged = f"texts exchanged within {half:,} groups" if paired else "texts shuffled between the two"
    how = f"{exchanged}, {asked.permutations:,} times"
    return [
        replace(score, test=Test(p=p, p_holm=corrected, permutations=asked.permutations, how=how))
        for score, p, corrected in zip(scores, known, holm(known))
    ]


def _floored(
    scores: Sequence[Score], distances: Distances, pool: PairPool, one: Side, other: Side, asked: Asked
) -> list[Score]:
    """Give every score its noise floor: the distance of two random parts of the reference.

    Parts as large as the candidate, or half of the reference. Where that is less than what was compared,
    the distance at that size is told, too, since many distances fall as corpora grow.
    """
    size = min(len(one.rows) // 2, len(other.rows))
    if not size:
        none = Note("No noise floor: the reference has one text.", scope="corpus")
        return [replace(score, notes=(*score.notes, none)) for score in scores]
    draw = np.random.default_rng([asked.chance.seed, 22])

    def parts() -> Iterator[tuple[Integers, Integers]]:
        for _ in range(FLOORS):
            drawn = one.draw(2 * size, draw)
            # Groups are drawn at random already, and their texts stay together.
            order = np.arange(len(drawn)) if one.groups else draw.permutation(len(drawn))
            yield drawn[np.sort(order[:size])], drawn[np.sort(order[size:])]
        for _ in range(FLOORS):
            yield one.draw(size, draw), other.draw(size, draw)

    values = distances.values(pool, parts(), 2 * size, _telling("halving the reference", 2 * FLOORS, asked))
    floors, at_size = values[:FLOORS], values[FLOORS:].mean(axis=0)
    told = (SAME_GROUPS,) if one.groups.keys() & other.groups.keys() else ()
    return [
        replace(
            score,
            floor=Floor(
                mean=float(column.mean()),
                high=float(np.quantile(column, 0.95)) if len(column) else math.nan,
                texts=size,
                distance_at_size=float(same_size),
            ),
            notes=(*score.notes, *told),
        )
        for score, column, same_size in zip(scores, floors.T, at_size)
    ]


def _with_interval(
    scores: Sequence[Score], distances: Distances, pool: PairPool, one: Side, other: Side, asked: Asked
) -> list[Score]:
    """Give every score its interval, from the spread over halves of both corpora."""
    chance = asked.chance
    sizes = [max(round(len(side.rows) * chance.share), 1) for side in (one, other)]
    if min(len(one.rows), len(other.rows)) < 4:
        none = Note("No interval: it takes four texts of each.", scope="corpus")
        return [replace(score, notes=(*score.notes, none)) for score in scores]
    draw = np.random.default_rng([chance.seed, 23])

    def halves() -> Iterator[tuple[Integers, Integers]]:
        for _ in range(chance.subsamples):
            yield one.draw(sizes[0], draw), other.draw(sizes[1], draw)

    texts = sum(sizes)
    values = distances.values(
        pool, halves(), texts, _telling("measuring subsamples", chance.subsamples, asked)
    )
    errors = [standard_error(column, len(one.rows) + len(other.rows), texts, chance) for column in values.T]
    return [
        around(score, error, metric.bounds) for score, error, metric in zip(scores, errors, distances.metrics)
    ]


def _telling(what: str, of: int, asked: Asked) -> Callable[[int], None]:
    watch = asked.chance.watch
    return (lambda _: None) if watch is None else (lambda done: watch(what, min(done, of), of))


def _warnings(view: Tokens, one: Side, other: Side, asked: Asked) -> tuple[Note, ...]:
    """Say where a distance is not safe, whichever it is."""
    notes = []
    fewest = min(len(one.rows), len(other.rows))
    if fewest < FEW_TEXTS:
        notes.append(
            f"Few texts ({fewest:,}; {FEW_TEXTS:,} are safe): compare only with distances at this size, and "
            "look at the noise floor (--noise-floor)."
        )
    for what, side in (("reference", one), ("candidate", other)):
        if asked.have_texts and len(side.rows) and float(np.median(view.lengths[side.rows])) < SHORT:
            notes.append(
                f"Half of the texts of the {what} have fewer than {SHORT} tokens: little to compare."
            )
    return tuple(Note(text, "warning", "corpus") for text in notes)
