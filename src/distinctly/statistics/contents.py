"""`Contents`, `RawContents`, `TextOrder`: which texts these are, for the signature."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from distinctly import hashing
from distinctly.statistics.base import Statistic
from distinctly.statistics.derived import Derived
from distinctly.statistics.rows import Rows
from distinctly.views.tokens import Tokens

_MODULUS = 2**64


@dataclass(frozen=True)
class Content:
    """How many texts there are, and a hash of all of them that no order or split changes.

    A text is hashed as the metrics see it, by its tokens: the same hash and tokenizer mean the
    same number, whichever file, list or table the texts came from.
    """

    texts: int
    hash: int
    grouped_hash: int
    nulls_skipped: int
    nulls_emptied: int

    def __add__(self, other: Content) -> Content:
        return Content(
            self.texts + other.texts,
            (self.hash + other.hash) % _MODULUS,
            (self.grouped_hash + other.grouped_hash) % _MODULUS,
            self.nulls_skipped + other.nulls_skipped,
            self.nulls_emptied + other.nulls_emptied,
        )


@dataclass(frozen=True)
class Contents(Statistic[Content, Content]):
    """The identity of texts.

    Examples
    --------
    >>> one, two = (Contents().collect(Tokens.of([text])) for text in (["a", "b"], ["c"]))
    >>> (one + two).hash == Contents().collect(Tokens.of([["c"], ["a", "b"]])).hash
    True
    """

    def collect(self, view: Tokens) -> Content:
        """Hash the texts of a batch."""
        hashes = view.text_hashes
        grouped = 0
        if view.groups is not None:
            owners = hashing.hash_strings(view.groups)
            grouped = int(hashing.extend(owners, hashes).sum(dtype=np.uint64))
        return Content(
            len(view), int(hashes.sum(dtype=np.uint64)), grouped, view.nulls_skipped, view.nulls_emptied
        )

    def summarize(self, state: Content) -> Content:
        """Return the content; it is its own summary."""
        return state


@dataclass(frozen=True)
class RawContents(Derived[int]):
    """A hash of the texts as they came, for metrics that see no tokens; no order changes it."""

    def sources(self) -> tuple[Rows]:
        """Return the texts."""
        return (Rows(),)

    def derive(self, view: Tokens) -> int:
        """Add up the hashes of the texts."""
        return int(view.raw_hashes.sum(dtype=np.uint64)) % _MODULUS


@dataclass(frozen=True)
class TextOrder(Derived[int]):
    """A hash of the texts in their order, for metrics on which the order has a bearing.

    Attributes
    ----------
    raw
        Whether the texts as they came count, or their tokens.
    """

    raw: bool

    def sources(self) -> tuple[Rows]:
        """Return the texts."""
        return (Rows(),)

    def derive(self, view: Tokens) -> int:
        """Hash the hashes of the texts."""
        hashes = view.raw_hashes if self.raw else view.text_hashes
        return int(hashing.sequence(hashes, np.array([0, len(view)]))[0])
