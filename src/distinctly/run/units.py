"""`Units`: the texts, or groups of texts, that are drawn from a corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from distinctly.hashing import Hashes
from distinctly.ragged import Integers, rows_of_each
from distinctly.statistics.pool import Pool
from distinctly.views.base import View
from distinctly.views.texts import TextView
from distinctly.views.tokens import Tokens


@dataclass(frozen=True)
class Units:
    """Texts of a pool, or their groups, whose texts are drawn together.

    Their order depends only on their contents, so that the order of reading does not change a draw.

    Attributes
    ----------
    names
        The names of the groups, in order; empty if texts are drawn.
    rows
        The rows of each unit in the pool.
    texts
        All rows, in the order of their contents.
    ranks
        The rank of each row of the pool in the order of the contents.
    """

    names: Sequence[str]
    rows: Sequence[Integers]
    texts: Integers
    ranks: Integers

    @classmethod
    def of(cls, rows: Integers, groups: Sequence[str] | None, ranks: Integers) -> Units:
        """Return the units of rows of a pool; `groups` has the group of each row."""
        order = np.argsort(ranks[rows], kind="stable")
        texts = rows[order]
        if groups is None:
            return cls((), list(texts.reshape(-1, 1)), texts, ranks)
        by_name = rows_of_each([groups[place] for place in order.tolist()])
        names = sorted(by_name)
        return cls(names, [texts[by_name[name]] for name in names], texts, ranks)

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def are_groups(self) -> bool:
        """Whether groups are drawn."""
        return bool(self.names)

    @cached_property
    def place(self) -> Mapping[str, int]:
        """The place of each group, by name."""
        return {name: place for place, name in enumerate(self.names)}

    def in_order(self, rows: Integers) -> Integers:
        """Return rows of the pool in the order of their contents."""
        return rows[np.argsort(self.ranks[rows], kind="stable")]

    def chosen(self, rows: Sequence[Integers]) -> Units:
        """Return units of the same pool with these rows."""
        return Units((), rows, np.concatenate([np.zeros(0, np.int64), *rows]), self.ranks)

    def named(self, names: Sequence[str]) -> Units:
        """Return the groups of these names, in this order."""
        return self.chosen([self.rows[self.place[name]] for name in names])

    def half(self, share: float) -> int:
        """Return the number of units of a subsample."""
        return min(max(round(len(self) * share), 1), len(self) - 1)

    def draw_units(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of `times` subsamples of `size` units."""
        return [
            np.concatenate([self.rows[unit] for unit in draw.permutation(len(self))[:size]])
            for _ in range(times)
        ]

    def draw_texts(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of `times` samples of `size` texts, whatever their groups."""
        return [draw.permutation(self.texts)[:size] for _ in range(times)]

    def one_per_group(self, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of one text per group, for `times` draws."""
        return [self._one_of(np.arange(len(self)), draw) for _ in range(times)]

    def one_per_group_of_some(self, size: int, times: int, draw: np.random.Generator) -> list[Integers]:
        """Return the rows of one text per group, for `times` subsamples of `size` groups."""
        return [self._one_of(draw.permutation(len(self))[:size], draw) for _ in range(times)]

    def _one_of(self, chosen: Integers, draw: np.random.Generator) -> Integers:
        sizes = np.array([len(self.rows[unit]) for unit in chosen], np.int64)
        if not len(sizes):
            return np.zeros(0, np.int64)
        rows = np.concatenate([self.rows[unit] for unit in chosen])
        places: Integers = np.cumsum(sizes) - sizes + draw.integers(0, sizes)
        return rows[places]

    def some_texts(self, size: int, draw: np.random.Generator) -> Integers:
        """Return the rows of `size` random texts; if there are groups, whole groups are drawn."""
        if not self.are_groups:
            return self.texts[np.sort(draw.permutation(len(self.texts))[:size])]
        drawn: list[Integers] = []
        for place in draw.permutation(len(self)):
            if sum(map(len, drawn)) >= size:
                break
            drawn.append(self.rows[place])
        return np.concatenate(drawn)[:size] if drawn else self.texts[:0]

    def keep(self, rows: Integers) -> Units:
        """Return the units without texts that are not in these rows."""
        kept = set(rows.tolist())
        parts = [unit[[row in kept for row in unit.tolist()]] for unit in self.rows]
        texts = self.texts[[row in kept for row in self.texts.tolist()]]
        if not self.are_groups:
            return Units((), list(texts.reshape(-1, 1)), texts, self.ranks)
        filled = [place for place, part in enumerate(parts) if len(part)]
        names = [self.names[place] for place in filled]
        return Units(names, [parts[place] for place in filled], texts, self.ranks)


def content_ranks(pool: Pool, view: View[Tokens]) -> Integers:
    """Return the rank of each text in an order that depends only on the contents of the texts."""
    # By tokens, which are already hashed; then by texts, since their vectors may differ.
    hashes: Hashes = pool.view(view).text_hashes
    order = np.argsort(hashes, kind="stable")
    in_order = hashes[order]
    if (in_order[1:] == in_order[:-1]).any():
        order = np.lexsort((pool.view(TextView()).text_hashes, hashes))
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks
