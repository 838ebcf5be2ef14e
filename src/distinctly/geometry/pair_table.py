"""`PairTable`: sums of a function over all pairs of vectors, computed in blocks."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np

from distinctly import arrays
from distinctly.arrays import CPU, Device, Reals, threads_for
from distinctly.embedders.base import Vectors
from distinctly.geometry.blocks import row_blocks
from distinctly.geometry.pair_functions import Angular, Euclidean, PairFunction, directions
from distinctly.ragged import Integers
from distinctly.statistics.pairs import draw_pairs

# Up to this number of distinct vectors, everything is computed in float64, since it costs little. Beyond it,
# products of float32 vectors are computed in float32: errors hardly matter to a mean over that many pairs.
FEW = 512
# Pairs nearer than this are in doubt, relative to the lengths of the vectors: in float64, and in float32.
WIDE_DOUBT, NARROW_DOUBT = 1e-6, 1e-2
# A block is computed again in float64 if a larger share of it is in doubt.
DOUBT_SHARE = 1 / 64
# The number of rows that are prepared at once, and of rows of a square on the diagonal that is not halved.
AT_ONCE, SQUARE = 256, 384
# The number of float32 tables of a block's size that are in memory while it is computed, and the number of
# columns of a block that stays in the cache meanwhile.
HELD, TILE = 16, 1024
# From this number of distinct vectors on, angles are computed by a compiled loop.
COMPILED_FROM = 1500
# The median is over all pairs up to this number of texts, and over this number of drawn pairs beyond it.
ALL_PAIRS_UP_TO, DRAWN_PAIRS = 2000, 1 << 15


@dataclass(frozen=True)
class Side:
    """A selection of a pool: its distinct vectors, ascending, and the number of texts per vector.

    Attributes
    ----------
    ids, counts
        The numbers of the vectors, and the number of texts with each.
    zeros
        The number of other texts, which cannot be paired.
    """

    ids: Integers
    counts: Integers
    zeros: int

    @property
    def texts(self) -> int:
        """The number of texts that can be paired."""
        return int(self.counts.sum())

    @property
    def weights(self) -> Reals:
        """The counts as floats."""
        return self.counts.astype(np.float64)


Pair = tuple[Side, Side]


@dataclass(frozen=True)
class _Cut:
    """Some rows of a table, ready to be multiplied: their numbers, the rows, and their squared lengths."""

    ids: Integers
    rows: Any
    squares: Any

    def __getitem__(self, where: slice) -> _Cut:
        return _Cut(self.ids[where], self.rows[where], self.squares[where])


@dataclass(frozen=True)
class PairTable:
    """The table of all pairs of vectors of a pool, which is computed in blocks.

    Attributes
    ----------
    vectors
        The vectors, unscaled.
    directed
        Whether each vector is scaled to length 1.
    unit, centre
        The common divisor of vectors that are not directed, and the vector that is subtracted before they
        are multiplied, since digits are lost if vectors are long relative to their distances.
    device
        The device that computes blocks.
    """

    vectors: Vectors
    directed: bool
    unit: float = 1.0
    centre: Reals | None = None
    device: Device = field(default=CPU, compare=False)

    @classmethod
    def of(cls, vectors: Vectors, device: Device, *, directed: bool, moved: bool) -> PairTable:
        """Choose a scale, and a centre if `moved`, that keep as many digits as possible."""
        if directed:
            return cls(vectors, directed, device=device)
        # A power of 2, which is exact; then no square overflows or underflows.
        _, exponent = np.frexp(np.abs(vectors).max(initial=0.0))
        unit = float(np.ldexp(1.0, exponent - 1))
        if not moved or not len(vectors):
            return cls(vectors, directed, unit, device=device)
        centre = np.divide(vectors, unit, dtype=np.float64).mean(axis=0)
        return cls(vectors, directed, unit, centre, device)

    def _rows(self, ids: Integers) -> Reals:
        """Return the scaled vectors."""
        if self.directed:
            return directions(self.vectors[ids])
        return self.vectors[ids].astype(np.float64) / self.unit

    @property
    def dimensions(self) -> int:
        """The number of coordinates of the vectors."""
        return int(self.vectors.shape[1])

    @cached_property
    def _on_device(self) -> _Cut:
        """All rows on the device, in the precision of the products."""
        wide = self.vectors.dtype == np.float64 or len(self.vectors) <= FEW
        return self._put(np.arange(len(self.vectors)), np.float64 if wide else np.float32)

    @cached_property
    def _squares(self) -> Reals:
        return self.device.take(self._on_device.squares)

    def _put(self, ids: Integers, kind: type[np.floating[Any]]) -> _Cut:
        device = self.device
        rows, squares = np.empty((len(ids), self.dimensions), kind), np.empty(len(ids))
        for start in range(0, len(ids), AT_ONCE):
            where = slice(start, start + AT_ONCE)
            block = self._rows(ids[where])
            if self.centre is not None:
                block -= self.centre
            rows[where] = block
            squares[where] = 1.0 if self.directed else np.einsum("ij,ij->i", block, block)
        return _Cut(ids, device.put(rows), device.put(squares))

    def _cut(self, ids: Integers) -> _Cut:
        whole = self._on_device
        if len(ids) == len(whole.ids):
            return whole
        device = self.device
        where = device.put(ids)
        return _Cut(ids, device.xp.take(whole.rows, where, axis=0), device.xp.take(whole.squares, where))

    def own(self, ids: Integers, function: PairFunction) -> Reals:
        """Return the values of vectors with themselves."""
        return function.own(self._squares[ids])

    def one(self, pair: Pair, function: PairFunction) -> tuple[float, float, float]:
        """Return the sums over all pairs between the two sides, and over all ordered pairs of each side."""
        left, right = (self._cut(side.ids) for side in pair)
        left_weights, right_weights = (side.weights for side in pair)
        with threads_for((len(left.ids) + len(right.ids)) ** 2 * self.dimensions):
            between = self._total(left, left_weights, right, right_weights, function)
            within = self._halved(left, left_weights, function), self._halved(right, right_weights, function)
        return between, *within

    def within(self, weights: Reals, function: PairFunction) -> float:
        """Return the sum over all ordered pairs of vectors, each weighted by the product of two weights."""
        return self._halved(self._on_device, weights, function)

    def row_sums(self, weights: Reals, function: PairFunction) -> Reals:
        """Return, for each vector, the weighted sum over its pairs with all vectors, itself included."""
        device = self.device
        sums = np.zeros(len(weights))
        for rows, columns, values in self._squares_of_blocks(function):
            sums[rows] += device.take(values @ device.put(weights[columns]))
            if columns.start > rows.start:
                sums[columns] += device.take(device.put(weights[rows]) @ values)
        return sums

    def matrix(self, function: PairFunction) -> Reals:
        """Return the whole table."""
        table = np.empty((len(self.vectors), len(self.vectors)))
        for rows, columns, values in self._squares_of_blocks(function):
            block = self.device.take(values)
            table[rows, columns] = block
            table[columns, rows] = block.T
        return table

    def _squares_of_blocks(self, function: PairFunction) -> Iterator[tuple[slice, slice, Any]]:
        """Yield the blocks on and above the diagonal, each after its rows and columns."""
        cut = self._on_device
        for rows in row_blocks(len(cut.ids)):
            for columns in row_blocks(len(cut.ids), rows.start):
                yield rows, columns, self._values(cut[rows], cut[columns], function)

    def _halved(self, rows: _Cut, weights: Reals, function: PairFunction) -> float:
        """Add up a square on the diagonal: two smaller squares, and twice the rectangle between them."""
        if len(rows.ids) <= SQUARE:
            return self._total(rows, weights, rows, weights, function)
        half = len(rows.ids) // 2
        top, bottom = slice(half), slice(half, None)
        squares = sum(self._halved(rows[where], weights[where], function) for where in (top, bottom))
        return squares + 2 * self._total(rows[top], weights[top], rows[bottom], weights[bottom], function)

    def _total(
        self, rows: _Cut, weights: Reals, columns: _Cut, column_weights: Reals, function: PairFunction
    ) -> float:
        """Add up a part of the table."""
        device = self.device
        if device.is_numpy and isinstance(function, Angular) and len(self.vectors) >= COMPILED_FROM:
            sums, wide, held = self._angle_sums, len(columns.ids), 1
        else:
            sums, wide, held = self._sums, TILE if device.is_numpy else len(columns.ids), HELD
        total = 0.0
        for start in range(0, len(columns.ids), max(wide, 1)):
            part = slice(start, start + wide)
            part_columns, part_weights = columns[part], column_weights[part]
            for where in self._blocks(len(rows.ids), len(part_columns.ids), held):
                total += float(weights[where] @ sums(rows[where], part_columns, part_weights, function))
        return total

    def _sums(self, rows: _Cut, columns: _Cut, weights: Reals, function: PairFunction) -> Reals:
        """Add up each row of a block."""
        device = self.device
        return device.take(self._values(rows, columns, function) @ device.put(weights))

    def _angle_sums(self, rows: _Cut, columns: _Cut, weights: Reals, function: PairFunction) -> Reals:
        """Add up the rows of a block of angles, the same as from `_values`, in a compiled loop."""
        from distinctly.kernels.angles import sum_angles

        cosines = self.device.products(rows.rows, columns.rows)
        most = 1 - _doubt(cosines)
        sums, near = sum_angles(cosines, weights, most)
        # A vector is in doubt with itself, but its angle of 0 is correct.
        near[self._shared(rows, columns)[0]] -= 1
        doubtful = np.flatnonzero(near)
        places, second = np.divmod(np.flatnonzero(np.abs(cosines[doubtful]) > most), len(columns.ids))
        first, second = self._apart(rows, columns, doubtful[places], second)
        if self._too_many(first, cosines):
            return self._angle_sums(self._widened(rows), self._widened(columns), weights, function)
        exact = self._exact(rows.ids[first], columns.ids[second], function) * weights[second]
        return sums + np.bincount(first, exact, len(sums))

    def several(self, pairs: Sequence[Pair], together: Integers, function: PairFunction) -> Reals:
        """Return the result of `one` for each pair, as rows, from one pass over the table.

        The table is multiplied by the counts of each vector in each selection.
        """
        device = self.device
        xp = device.xp
        counts = np.zeros((2, len(together), len(pairs)))
        for place, pair in enumerate(pairs):
            for side in (0, 1):
                counts[side, np.searchsorted(together, pair[side].ids), place] = pair[side].counts
        # If the pairs are permutations of the same texts, each candidate is the rest of the texts.
        whole = counts[:, :, :1].sum(axis=0)
        shuffled = bool((counts[0] + counts[1] == whole).all())
        whole = device.put(whole)
        reference, candidate = device.put(counts[0]), device.put(counts[1])
        rows = self._cut(together)
        totals = np.zeros((len(pairs), 3))
        with threads_for(len(together) ** 2 * max(self.dimensions, 2 * len(pairs))):
            for where in self._blocks(len(together), len(together) + 2 * len(pairs), held=4):
                values = self._values(rows[where], rows, function)
                left = values @ reference
                right = values @ whole - left if shuffled else values @ candidate
                sums = (reference[where] * right, reference[where] * left, candidate[where] * right)
                totals += np.stack([device.take(xp.sum(terms, axis=0)) for terms in sums], axis=1)
        return totals

    def median_distance(self, pooled: Integers) -> tuple[float, int]:
        """Return the median distance of two distinct vectors, and the number of pairs drawn for it.

        If the texts are few, all pairs are used and the number is 0.
        """
        function = Euclidean()
        if len(pooled) <= ALL_PAIRS_UP_TO:
            ids, counts = np.unique(pooled, return_counts=True)
            rows = self._put(ids, np.float64)
            distances = [np.zeros(0)]
            for where in self._blocks(len(ids), len(ids)):
                values = self.device.take(self._values(rows[where], rows[where.start :], function))
                apart = np.triu(np.ones(values.shape, bool), 1)
                times = np.outer(counts[where], counts[where.start :])
                distances.append(np.repeat(values[apart], times[apart]))
            return _median(np.concatenate(distances)), 0
        first, second = (pooled[places] for places in draw_pairs(len(pooled), DRAWN_PAIRS, seed=0))
        return _median(self._exact(first, second, function)), DRAWN_PAIRS

    def _blocks(self, rows: int, columns: int, held: int = HELD) -> Iterator[slice]:
        """Yield slices of rows, such that `held` blocks of these rows fit into memory."""
        step = self.device.rows_per_block(columns, 4 * held)
        for start in range(0, rows if columns else 0, step):
            yield slice(start, min(start + step, rows))

    def _values(self, rows: _Cut, columns: _Cut, function: PairFunction) -> Any:
        """Return a block of the table, in float64."""
        device = self.device
        xp = device.xp
        products = device.products(rows.rows, columns.rows)
        table = xp.astype(products, xp.float64)
        if function.squared:
            table *= -2
            table += rows.squares[:, None]
            table += columns.squares
        values = function.values(table, xp)
        doubt = function.in_doubt(table if function.squared else products, rows.squares, _doubt(products), xp)
        if doubt is not None:
            places = device.take(xp.nonzero(xp.reshape(doubt, (-1,)))[0])
            first, second = self._apart(rows, columns, *np.divmod(places, len(columns.ids)))
            if self._too_many(first, products):
                return self._values(self._widened(rows), self._widened(columns), function)
            self._set(values, first, second, self._exact(rows.ids[first], columns.ids[second], function))
        first, second = self._shared(rows, columns)
        self._set(values, first, second, self.own(rows.ids[first], function))
        return values

    def _set(self, values: Any, first: Integers, second: Integers, known: Reals) -> None:
        """Replace values of a block."""
        if len(first):
            put = self.device.put
            values[put(first), put(second)] = put(known)

    def _widened(self, cut: _Cut) -> _Cut:
        return self._put(cut.ids, np.float64)

    @staticmethod
    def _shared(rows: _Cut, columns: _Cut) -> tuple[Integers, Integers]:
        """Return the places in a block where a vector is paired with itself."""
        second = np.minimum(np.searchsorted(columns.ids, rows.ids), len(columns.ids) - 1)
        first = np.flatnonzero(columns.ids[second] == rows.ids)
        return first, second[first]

    @staticmethod
    def _apart(rows: _Cut, columns: _Cut, first: Integers, second: Integers) -> tuple[Integers, Integers]:
        """Return only the places where a vector is not paired with itself."""
        differ = rows.ids[first] != columns.ids[second]
        return first[differ], second[differ]

    @staticmethod
    def _too_many(doubtful: Integers, products: Any) -> bool:
        """Return whether many pairs of a float32 block are in doubt, so that float64 is less work."""
        return _doubt(products) == NARROW_DOUBT and len(doubtful) > DOUBT_SHARE * math.prod(products.shape)

    def _exact(self, first: Integers, second: Integers, function: PairFunction) -> Reals:
        """Return the values of single pairs, to full precision."""
        values = np.zeros(len(first))
        step = max(arrays.CPU_BLOCK // (16 * max(self.dimensions, 1)), 1)
        for start in range(0, len(first), step):
            where = slice(start, start + step)
            values[where] = function.exact(self._rows(first[where]), self._rows(second[where]))
        return values


def _doubt(products: Any) -> float:
    """Return the nearness below which pairs are in doubt, for products of this precision."""
    return WIDE_DOUBT if products.dtype.itemsize == 8 else NARROW_DOUBT


def _median(distances: Reals) -> float:
    """Return the median of the positive distances; 0 if there are none."""
    positive = distances[distances > 0]
    return float(np.median(positive)) if len(positive) else 0.0
