"""`Contents` and `TextOrder`: the identity of texts, for the signature. `SomeTexts`: a few of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from distinctly import hashing
from distinctly.statistics.base import Mergeable, NeedsRows
from distinctly.views.base import View, ViewData
from distinctly.views.texts import Texts, TextView
from distinctly.views.tokens import WORDS

_MODULUS = 2**64
# The number of texts of a sample.
_SOME = 200


@dataclass(frozen=True)
class Content:
    """The number of texts, and a hash of all of them that does not depend on their order or batches.

    A text is hashed as the metrics see it, by its tokens. Equal hashes and tokenizers mean equal
    values, whether the texts came from a file, a list or a table.
    """

    texts: int
    hash: int
    grouped_hash: int

    def __add__(self, other: Content) -> Content:
        return Content(
            self.texts + other.texts,
            (self.hash + other.hash) % _MODULUS,
            (self.grouped_hash + other.grouped_hash) % _MODULUS,
        )


@dataclass(frozen=True)
class Contents(Mergeable[Content, Content]):
    """The identity of texts in a view.

    Examples
    --------
    >>> from distinctly.views.tokens import Tokens
    >>> first, second = (Contents().collect(Tokens.of([text])) for text in (["a", "b"], ["c"]))
    >>> (first + second).hash == Contents().collect(Tokens.of([["c"], ["a", "b"]])).hash
    True
    """

    view: View[Any] = field(default=WORDS, kw_only=True)

    def collect(self, data: ViewData) -> Content:
        """Hash the texts of a batch."""
        hashes = data.text_hashes
        grouped = 0
        if data.groups is not None:
            group_hashes = hashing.hash_strings(data.groups)
            grouped = int(hashing.extend(group_hashes, hashes).sum(dtype=np.uint64))
        return Content(len(data), int(hashes.sum(dtype=np.uint64)), grouped)

    def summarize(self, state: Content) -> Content:
        """Return the content: the state is the summary."""
        return state


@dataclass(frozen=True)
class Few:
    """The different texts with the smallest hashes, so that order and batches do not change the sample."""

    by_hash: Mapping[int, str]

    def __add__(self, other: Few) -> Few:
        both = {**self.by_hash, **other.by_hash}
        return Few({key: both[key] for key in sorted(both)[:_SOME]})


@dataclass(frozen=True)
class SomeTexts(Mergeable[Few, list[str]]):
    """A sample of the different texts, to look at what an embedder knows of them.

    Examples
    --------
    >>> from distinctly.batch import Batch
    >>> some = SomeTexts()
    >>> some.summarize(some.collect(Texts(Batch.of(["a text", "a text"]))))
    ['a text']
    """

    view: View[Texts] = field(default=TextView(), kw_only=True)

    def collect(self, texts: Texts) -> Few:
        """Take the texts of a batch with the smallest hashes."""
        hashes, first = np.unique(texts.text_hashes, return_index=True)
        chosen = texts.texts.take(first[:_SOME]).tolist()
        return Few(dict(zip(hashes[:_SOME].tolist(), chosen)))

    def summarize(self, state: Few) -> list[str]:
        """Return the texts."""
        return list(state.by_hash.values())


@dataclass(frozen=True)
class TextOrder(NeedsRows[int]):
    """A hash of the texts in their order, for metrics that depend on the order."""

    view: View[Any] = field(default=WORDS, kw_only=True)

    def summarize(self, data: ViewData) -> int:
        """Hash the hashes of the texts."""
        return int(hashing.sequence(data.text_hashes, np.array([0, len(data)]))[0])
