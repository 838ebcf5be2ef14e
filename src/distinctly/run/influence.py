"""The texts that move a distance most: how it changes without each of them."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly.arrays import Reals
from distinctly.config import RunConfig
from distinctly.distance.base import Distance
from distinctly.embedders.base import Vectors
from distinctly.geometry.moments import Moment, Moments
from distinctly.geometry.transport import frechet_influences
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.plan import Plan, identifying_view
from distinctly.run.scoring import Distances
from distinctly.score import finite
from distinctly.statistics.ngram_counts import NgramCounts, NgramIndex
from distinctly.statistics.pool import Pool
from distinctly.statistics.token_table import TokenTable, TwoCounts
from distinctly.views.base import View
from distinctly.views.texts import TextView
from distinctly.views.tokens import Tokens
from distinctly.views.vectors import VectorTable, VectorView

# If both corpora together have no more different texts, all of them are left out in turn.
ALL = 400
# Otherwise these numbers of texts of each corpus, by each estimate: per text to list, and at least.
PER_LISTED, LEAST = 10, 30
# Smaller relative changes are rounding errors.
ROUNDING = 1e-9
ROLES = ("reference", "candidate")
# An estimate of the influence of each different text of the reference and of the candidate.
Estimates = tuple[Reals, Reals]


@dataclass(frozen=True)
class Side:
    """The texts of a reference or a candidate.

    Attributes
    ----------
    rows
        Their rows in the pool.
    firsts
        The places in `rows` of the first copy of each different text.
    times
        How often each of these occurs.
    """

    rows: Integers
    firsts: Integers
    times: Integers

    @classmethod
    def of(cls, pool: Pool, rows: Integers) -> Side:
        """Find the copies of each text."""
        contents = pool.view(TextView()).text_hashes[rows]
        return cls(rows, *np.unique(contents, return_index=True, return_counts=True)[1:])

    @property
    def different(self) -> Integers:
        """The row of each different text."""
        return self.rows[self.firsts]


def moving_texts(
    reference: Subcorpus, candidate: Subcorpus, plan: Plan, most: int, config: RunConfig
) -> list[dict[str, Any]]:
    """List, for each distance, the texts without which it changes most; at most `most` of each corpus.

    Changes are exact: the distance is measured again without the text, or without one copy of it. Of many
    texts, only those are left out that come first by some estimate of their influence.

    Parameters
    ----------
    reference, candidate
        The corpora, in one pool.
    plan
        The requested distances. Those that change for other reasons, too, are left out.
    most
        The largest number of texts of each corpus to list.
    config
        How to run.
    """
    alike: dict[tuple[View[Any], View[Any], int], dict[str, Distance]] = {}
    for request in plan.requests:
        metric = request.metric
        if isinstance(metric, Distance) and metric.texts_can_be_left_out:
            key = identifying_view(metric), metric.view, metric.ngram_size or 1
            alike.setdefault(key, {})[request.spec] = metric
    listings: dict[str, dict[str, Any]] = {}
    for (identity, view, n), metrics in alike.items():
        sides = [Side.of(corpus.pool, corpus.units(identity).texts) for corpus in (reference, candidate)]
        leaving_out = LeavingOut(reference.pool, (sides[0], sides[1]), view, n)
        listings |= zip(metrics, leaving_out.listings(list(metrics.values()), most, config))
    in_order = (request.spec for request in plan.requests if request.spec in listings)
    return [{"metric": spec, **listings[spec]} for spec in in_order]


@dataclass(frozen=True)
class LeavingOut:
    """Leaves texts of two corpora out, one at a time.

    Attributes
    ----------
    pool
        The pool of the texts.
    sides
        The texts of the reference and of the candidate.
    view, n
        What the distances read of them, and the number of tokens per n-gram.
    """

    pool: Pool
    sides: tuple[Side, Side]
    view: View[Any]
    n: int

    def listings(self, metrics: Sequence[Distance], most: int, config: RunConfig) -> Iterator[dict[str, Any]]:
        """Yield the texts that move each of some distances most."""
        distances = Distances(metrics)
        reference, candidate = (side.rows for side in self.sides)
        whole = distances.scores(self.pool, (self.pool.select(reference), self.pool.select(candidate)))
        chosen = self.chosen(most)
        total = sum(map(len, chosen))
        values = distances.values(
            self.pool,
            self._without_each(chosen),
            len(reference) + len(candidate),
            lambda done: config.report("leaving out texts", min(done, total), total),
        )
        for score, of_metric in zip(whole, values.T):
            changes = np.split(of_metric - score.value, [len(chosen[0])])
            least = ROUNDING * abs(score.value)
            listed = [
                text
                for role, places, of_side in zip((0, 1), chosen, changes)
                for text in self._largest(role, places, of_side, least, most)
            ]
            yield {
                "value": finite(score.value),
                "left_out": {role: len(places) for role, places in zip(ROLES, chosen)},
                "different": {role: len(side.firsts) for role, side in zip(ROLES, self.sides)},
                "texts": sorted(listed, key=lambda text: (-abs(text["change"]), text["text"])),
            }

    def _largest(
        self, role: int, places: Integers, changes: Reals, least: float, most: int
    ) -> Iterator[dict[str, Any]]:
        """Yield the texts of one side with the largest changes; none if a change is rounding or undefined."""
        side, texts = self.sides[role], self.pool.view(TextView()).texts
        for at in np.argsort(-np.abs(changes), kind="stable")[:most].tolist():
            if abs(changes[at]) > least:
                place = int(places[at])
                yield {
                    "text": texts[int(side.different[place])],
                    "corpus": ROLES[role],
                    "times": int(side.times[place]),
                    "change": float(changes[at]),
                }

    def _without_each(self, chosen: tuple[Integers, Integers]) -> Iterator[tuple[Integers, Integers]]:
        """Yield the rows of both sides, each time without one text."""
        reference, candidate = (side.rows for side in self.sides)
        for place in self.sides[0].firsts[chosen[0]].tolist():
            yield np.delete(reference, place), candidate
        for place in self.sides[1].firsts[chosen[1]].tolist():
            yield reference, np.delete(candidate, place)

    def chosen(self, most: int) -> tuple[Integers, Integers]:
        """Return the places, among the different texts of each side, of those to leave out."""
        sizes = [len(side.firsts) for side in self.sides]
        if sum(sizes) <= ALL:
            return np.arange(sizes[0]), np.arange(sizes[1])
        number = max(PER_LISTED * most, LEAST)
        estimates = self._by_vectors(self.view) if isinstance(self.view, VectorView) else self._by_tokens()
        first, second = zip(*([np.argsort(-np.abs(each))[:number] for each in both] for both in estimates))
        return np.unique(np.concatenate(first)), np.unique(np.concatenate(second))

    def _by_tokens(self) -> Iterator[Estimates]:
        """Yield estimates of the influence of texts from their n-grams.

        The first is the derivative of the Jensen–Shannon divergence: the sum of log p/m over the n-grams of
        a text, less its mean, p and m the shares of an n-gram in the corpus and in both. The second is the
        number of n-grams.
        """
        view: View[Tokens] = self.view
        reference, candidate = (side.rows for side in self.sides)
        counts: TwoCounts = self.pool.pair_index(TokenTable(self.n, view=view)).summarize(
            reference, candidate
        )
        index: NgramIndex = self.pool.index(NgramCounts(self.n, view=view))
        shares = [counts.reference / max(counts.totals[0], 1), counts.candidate / max(counts.totals[1], 1)]
        derivatives, sizes = [], []
        for side, share in zip(self.sides, shares):
            logs = np.log(np.where(share > 0, 2 * share, 1.0) / (shares[0] + shares[1]))
            weights = np.zeros(index.size)
            weights[counts.codes] = logs - share @ logs
            number = len(side.firsts)
            texts, grams, times = index.by_unit(side.different, np.arange(number))
            derivatives.append(np.bincount(texts, weights[grams] * times, number).astype(np.float64))
            sizes.append(np.bincount(texts, times, number).astype(np.float64))
        yield derivatives[0], derivatives[1]
        yield sizes[0], sizes[1]

    def _by_vectors(self, view: VectorView) -> Iterator[Estimates]:
        """Yield estimates of the influence of texts from their vectors.

        These are the component along the difference of the means, the distance from the mean of the corpus,
        and the derivative of the Fréchet distance.
        """
        table: VectorTable = self.pool.view(view)
        reference, candidate = (self.pool.select(side.rows)[Moments(view)] for side in self.sides)
        vectors = [table.rows[side.different] for side in self.sides]
        difference = candidate.mean - reference.mean
        yield vectors[0] @ difference, vectors[1] @ difference
        yield _square_distances(vectors[0], reference), _square_distances(vectors[1], candidate)
        if all(moment.texts > 1 and math.isfinite(moment.variance) for moment in (reference, candidate)):
            yield (
                frechet_influences(reference, candidate, vectors[0]),
                frechet_influences(candidate, reference, vectors[1]),
            )


def _square_distances(vectors: Vectors, moment: Moment) -> Reals:
    """Return the squared distance of each vector from the mean."""
    squares: Reals = ((vectors - moment.mean) ** 2).sum(axis=1)
    return squares
