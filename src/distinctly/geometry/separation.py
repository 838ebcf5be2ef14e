"""`Separation`: how well support vector machines separate the texts of two corpora."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import CPU, Reals
from distinctly.hashing import STEP, Hashes, mix
from distinctly.ragged import Integers
from distinctly.statistics.pairing import PairIndex, PairRows, PairStatistic
from distinctly.statistics.pool import Pool
from distinctly.views.vectors import VectorTable, VectorView

Flags = NDArray[np.bool_]
Split = Literal["folds", "once"]

# With a single split, the share of each corpus that is used for training.
LEARNT = 0.8
# Rows of the kernel matrix that are worked on while they are in the processor's cache.
BLOCK = 64


@dataclass(frozen=True)
class Judgements:
    """The number of texts that were classified correctly, each by a machine that was not trained on it.

    Attributes
    ----------
    reference, candidate
        The number of texts of each that were judged.
    reference_correct, candidate_correct
        The number of those that were assigned to their own corpus.
    folds
        The number of machines that were trained.
    sampled
        Whether a corpus has more texts than were used.
    """

    reference: int
    candidate: int
    reference_correct: int
    candidate_correct: int
    folds: int
    sampled: bool = False


@dataclass(frozen=True)
class Separation(PairStatistic[Judgements]):
    """Judge texts by support vector machines with an RBF kernel, trained on the other texts.

    Attributes
    ----------
    view
        The vectors of the texts.
    c
        The cost of an error (C of the support vector machine).
    split, folds
        Judge every text once, in this number of folds; or one fifth of the texts, by one machine.
    standardise
        Scale every dimension to mean 0 and variance 1 over both corpora together. Labels are not used, so
        nothing leaks from the judged texts, and all folds share one kernel matrix.
    balanced
        Weight errors so that both corpora count equally, regardless of their sizes.
    sample
        The largest number of texts of each corpus to use.
    seed
        The seed of the folds and of the sample.
    """

    view: VectorView
    c: float = 1.0
    split: Split = "folds"
    folds: int = 5
    standardise: bool = True
    balanced: bool = True
    sample: int = 3000
    seed: int = 0

    def index(self, pool: Pool) -> SeparationIndex:
        """Number the texts of a pool by their contents."""
        return SeparationIndex(self, pool.view(self.view))


@dataclass(frozen=True)
class Deal:
    """Two corpora together, in an order that depends only on their contents.

    Attributes
    ----------
    rows
        The rows of the pool.
    contents
        A number per row: equal for equal texts with equal vectors, and ascending.
    of_candidate
        Whether a text belongs to the candidate.
    side
        The same, or reversed: the contents decide which class is which, not the roles, so that the same
        machine is trained when the corpora change places.
    fold
        The fold in which each text is judged; −1 for those that are used for training only.
    """

    rows: Integers
    contents: Integers
    of_candidate: Flags
    side: Flags
    fold: Integers


class SeparationIndex(PairIndex[Judgements]):
    """The vectors of a pool; all permutations of the same texts share one kernel matrix."""

    def __init__(self, how: Separation, table: VectorTable) -> None:
        texts = table.content_hashes
        self._how, self._vectors, self._texts = how, table.rows, texts
        # Given vectors can differ for equal texts.
        bits = table.text_hashes
        order = np.lexsort((bits, texts))
        differs = (np.diff(texts[order]) != 0) | (np.diff(bits[order]) != 0)
        self._contents = np.empty(len(order), np.int64)
        self._contents[order] = np.concatenate([[0], np.cumsum(differs)])[: len(order)]

    def summarize(self, reference: Integers, candidate: Integers) -> Judgements:
        """Judge the texts of two selections."""
        return next(self.each([(reference, candidate)]))

    def each(self, pairs: Sequence[PairRows]) -> Iterator[Judgements]:
        """Judge the texts of each pair; the kernel matrix is computed again only if the texts differ."""
        known: Integers | None = None
        for reference, candidate in pairs:
            # A single text cannot be used for both training and judging.
            if min(len(reference), len(candidate)) < 2:
                yield Judgements(len(reference), len(candidate), 0, 0, folds=0)
                continue
            deal = self.deal(reference, candidate)
            if known is None or not np.array_equal(known, deal.contents):
                known, kernels = deal.contents, _Kernels(self._points(deal.rows), self._how.standardise)
            sampled = max(len(reference), len(candidate)) > self._how.sample
            yield replace(self._judged(deal, kernels), sampled=sampled)

    def _judged(self, deal: Deal, kernels: _Kernels) -> Judgements:
        """Train one machine per fold on all texts but those of the fold, and judge these."""
        folds = int(deal.fold.max()) + 1
        correct = np.zeros(len(deal.rows), bool)
        for fold in range(folds):
            judged = deal.fold == fold
            table = kernels.table(~judged)
            correct[judged] = _judge(table, deal.side, judged, self._how) == deal.side[judged]
        of_candidate, tested = deal.of_candidate, deal.fold >= 0
        return Judgements(
            reference=int((tested & ~of_candidate).sum()),
            candidate=int((tested & of_candidate).sum()),
            reference_correct=int(correct[~of_candidate].sum()),
            candidate_correct=int(correct[of_candidate].sum()),
            folds=folds,
        )

    def deal(self, reference: Integers, candidate: Integers) -> Deal:
        """Order the texts of two selections, and deal them to folds."""
        sides = [self._drawn(rows) for rows in (reference, candidate)]
        (_, reference_keys), (_, candidate_keys) = sides
        alone = ~np.isin(reference_keys, candidate_keys), ~np.isin(candidate_keys, reference_keys)
        if self._how.split == "once":
            dealt = [_one_fifth(keys) for _, keys in sides]
        else:
            folds = min(self._how.folds, len(reference_keys), len(candidate_keys))
            dealt = [_dealt(keys, is_alone, folds) for (_, keys), is_alone in zip(sides, alone)]
        rows = np.concatenate([side_rows for side_rows, _ in sides])
        of_candidate = np.arange(len(rows)) >= len(reference_keys)
        # Equal corpora share all texts; then either may be first.
        last = np.uint64(2**64 - 1)
        turned = candidate_keys[alone[1]].min(initial=last) < reference_keys[alone[0]].min(initial=last)
        side: Flags = of_candidate ^ bool(turned)
        order = np.lexsort((side, self._contents[rows]))
        fold = np.concatenate(dealt)
        return Deal(rows[order], self._contents[rows][order], of_candidate[order], side[order], fold[order])

    def _drawn(self, rows: Integers) -> tuple[Integers, Hashes]:
        """Return the texts of a selection, or a sample if they are many, and one key per text.

        A key depends on the text, the seed, and the number of equal texts before it in the selection: equal
        texts of one corpus have different keys, and those of the other corpus have the same ones.
        """
        rows = rows[np.argsort(self._contents[rows], kind="stable")]
        texts = self._texts[rows]
        starts = np.flatnonzero(np.concatenate([[True], texts[1:] != texts[:-1]]))
        before = np.arange(len(rows)) - np.repeat(starts, np.diff(np.append(starts, len(rows))))
        seed = np.array([self._how.seed % 2**64], np.uint64)
        keys = mix(mix(texts + seed * STEP) + before.astype(np.uint64) * STEP)
        if len(rows) > self._how.sample:
            kept = np.sort(np.argsort(keys)[: self._how.sample])
            rows, keys = rows[kept], keys[kept]
        return rows, keys

    def _points(self, rows: Integers) -> Reals:
        """Return the vectors, with mean 0 and variance 1 in each dimension if they are standardised."""
        points: Reals = self._vectors[rows].astype(np.float64)
        # Scaled by powers of 2, so that no square overflows or underflows.
        peaks = np.abs(points).max(axis=0)
        scale = peaks if self._how.standardise else peaks.max(initial=0.0)
        points = np.ldexp(points, -np.frexp(scale)[1])
        if not self._how.standardise:
            return points
        centre, deviations = points.mean(axis=0), points.std(axis=0)
        # A dimension that deviates only by rounding does not vary.
        varies = deviations > 10 * np.finfo(np.float64).eps * np.abs(centre)
        standardised: Reals = (points[:, varies] - centre[varies]) / deviations[varies]
        return standardised


class _Kernels:
    """The kernel matrix of some points: ``exp(−γ‖x − y‖²)``, γ = 1 / (dimensions · variance).

    Standardised points have variance 1 in every fold; the variance of others is that of the training texts.
    """

    def __init__(self, points: Reals, standardised: bool) -> None:
        self._points, self._standardised = points, standardised
        self._gamma: float | None = None
        self._table: Reals = np.zeros((0, 0))

    def table(self, learnt: Flags) -> Reals:
        """Return the table, computed again only if γ has changed."""
        variance = 1.0 if self._standardised else float(self._points[learnt].var())
        gamma = 1 / ((self._points.shape[1] * variance) or 1.0)
        if gamma != self._gamma:
            self._gamma, self._table = gamma, _gaussian(self._points, gamma)
        return self._table


def _gaussian(points: Reals, gamma: float) -> Reals:
    """Return ``exp(−γ‖x − y‖²)`` for all pairs, in float64.

    A machine stops slightly before its optimum. In float32, the last bits of a product, which differ between
    processors, would decide where it stops, and so the class of a text near the border.
    """
    table: Reals = CPU.products(points, points)
    halves = table.diagonal() / 2
    for start in range(0, len(table), BLOCK):
        block = table[start : start + BLOCK]
        block -= halves
        block -= halves[start : start + BLOCK, None]
        block *= 2 * gamma
        np.minimum(block, 0.0, out=block)
        np.exp(block, out=block)
    return table


def _judge(table: Reals, side: Flags, judged: Flags, how: Separation) -> Flags:
    """Train on the texts that are not judged, and return the predicted side of the judged texts."""
    import sklearn
    from sklearn.svm import SVC

    # A weight of 0 leaves a text out: selecting from the table would take longer than training.
    learnt = np.flatnonzero(~judged)
    weights = np.zeros(len(side))
    counts = np.bincount(side[learnt], minlength=2)
    weights[learnt] = (len(learnt) / (2 * counts))[side[learnt].astype(int)] if how.balanced else 1.0
    with sklearn.config_context(assume_finite=True, skip_parameter_validation=True):
        machine = SVC(kernel="precomputed", C=how.c).fit(table, side, sample_weight=weights)
    strengths: Reals = machine.dual_coef_[0]
    # Support vectors are numbered among the texts with a weight; scikit-learn's #27763 would number all
    # texts. The sign of a strength is the side of its text, which distinguishes the two.
    support: Integers = learnt[np.minimum(machine.support_, len(learnt) - 1)]
    if not np.array_equal(side[support], strengths > 0):
        support = machine.support_
    sides: Flags = table[np.flatnonzero(judged)[:, None], support] @ strengths + machine.intercept_[0] > 0
    return sides


def _dealt(keys: Hashes, alone: Flags, folds: int) -> Integers:
    """Deal the texts of a corpus to folds whose sizes differ by at most one.

    Texts that the other corpus also has are dealt first, so that both corpora deal them to the same folds: a
    text that is used for training in one corpus is not judged in the other.
    """
    fold = np.empty(len(keys), np.int64)
    fold[np.lexsort((keys, alone))] = np.arange(len(keys)) % folds
    return fold


def _one_fifth(keys: Hashes) -> Integers:
    """Put the last fifth of the texts of a corpus into the single fold that is judged."""
    fold = np.full(len(keys), -1, np.int64)
    fold[np.argsort(keys)[int(LEARNT * len(keys)) :]] = 0
    return fold
