"""`WindowView`: the tokens near a word, or all other tokens, for collocations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import hash_words
from distinctly.ragged import Integers, bounds_of
from distinctly.strings import Strings
from distinctly.views.base import DerivedView, Described, View, ViewKind
from distinctly.views.tokens import Tokens


@dataclass(frozen=True)
class PartSpelling:
    """The spelling of some tokens of texts."""

    tokens: Tokens
    where: Integers

    def __getitem__(self, place: int) -> str:
        return self.tokens.spelling[int(self.where[place])]

    def take(self, places: Integers, bounds: Integers) -> Strings:
        """Return a copy of the tokens at these positions."""
        return self.tokens.words_at(self.where[places])


@dataclass(frozen=True)
class WindowView(View[Tokens], DerivedView[Tokens, Tokens]):
    """The tokens that are near a node, a sequence of tokens, in the same text; or those that are not.

    The tokens of nodes are in neither. A token near two nodes is there once.

    Attributes
    ----------
    base
        The tokens of the texts.
    node
        The tokens of the node.
    left, right
        The number of tokens before and after the node that are near it.
    near
        Whether the view has the tokens near a node; otherwise it has the others.

    Examples
    --------
    >>> from distinctly.views.tokens import WORDS
    >>> batch = Batch.of(["a strong cup of tea", "tea and cake"])
    >>> WindowView(WORDS, ("tea",), 2, 1).make(batch, RunConfig()).token_lists()
    [['cup', 'of'], ['and']]
    >>> WindowView(WORDS, ("tea",), 2, 1, near=False).make(batch, RunConfig()).token_lists()
    [['a', 'strong'], ['cake']]
    """

    base: View[Tokens]
    node: tuple[str, ...]
    left: int
    right: int
    near: bool = True
    kind: ClassVar[ViewKind] = "tokens"

    def make(self, batch: Batch, config: RunConfig) -> Tokens:
        """Return the tokens of the texts of a batch."""
        return self.derive(self.base.make(batch, config))

    def derive(self, data: Tokens) -> Tokens:
        """Return the tokens near nodes, or the others."""
        starts = nodes_in(data, self.node)
        rows = np.searchsorted(data.bounds, starts, "right") - 1
        ends = starts + len(self.node)
        first = np.maximum(starts - self.left, data.bounds[rows])
        last = np.minimum(ends + self.right, data.bounds[rows + 1])
        size = len(data.hashes)
        is_near = _covered(first, last, size)
        kept = (is_near if self.near else ~is_near) & ~_covered(starts, ends, size)
        where = np.flatnonzero(kept)
        before = bounds_of(kept.astype(np.int64))
        spelling = PartSpelling(data, where)
        return Tokens(data.hashes[where], before[data.bounds], spelling, data.groups, data.compiled)

    def join(self, pieces: Sequence[Tokens]) -> Tokens:
        """Concatenate the tokens of several batches."""
        return Tokens.join(pieces)

    def describe(self, *, came_as_tokens: bool) -> Described:
        """Return the tokenizer and its options."""
        return self.base.describe(came_as_tokens=came_as_tokens)


def nodes_in(tokens: Tokens, node: tuple[str, ...]) -> Integers:
    """Return the position of the first token of each node.

    Examples
    --------
    >>> nodes_in(Tokens.of([["a", "b", "a"], ["b", "a", "b"]]), ("a", "b")).tolist()
    [0, 4]
    """
    starts = tokens.starts(len(node))
    for place, hashed in enumerate(hash_words(list(node))):
        starts = starts[tokens.hashes[starts + place] == hashed]
    return starts


def _covered(starts: Integers, ends: Integers, size: int) -> NDArray[np.bool_]:
    """Return which positions are in one of some ranges."""
    steps = np.zeros(size + 1, np.int64)
    np.add.at(steps, starts, 1)
    np.add.at(steps, ends, -1)
    covered: NDArray[np.bool_] = np.cumsum(steps[:-1]) > 0
    return covered
