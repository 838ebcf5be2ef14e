"""`Compressed`: the sizes of texts in bytes, before and after compression."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from distinctly import hashing
from distinctly.statistics.base import NeedsRows
from distinctly.strings import Strings
from distinctly.views.base import View
from distinctly.views.texts import Texts, TextView
from distinctly.views.tokens import Tokens

Algorithm = Literal["gzip", "xz", "zstd"]
JOINER = b"\n"


@dataclass(frozen=True)
class Sizes:
    """Sizes in bytes.

    Attributes
    ----------
    count
        The number of texts.
    texts, original
        The size of the texts alone, and of the texts joined by newlines.
    compressed
        The compressed size, for each order of the texts.
    """

    count: int
    texts: int
    original: int
    compressed: tuple[int, ...]


@dataclass(frozen=True)
class Compressed(NeedsRows[Sizes]):
    """The sizes of all texts together, in their order or in random orders.

    The random orders are permutations of an order that depends only on the contents, so the order of
    reading does not matter.

    Examples
    --------
    >>> sizes = Compressed("gzip", shuffles=0, seed=0).summarize(Tokens.of([["a"] * 50, ["a"] * 50]))
    >>> sizes.texts, sizes.original, sizes.compressed[0] < 50
    (198, 199, True)
    """

    algorithm: Algorithm
    shuffles: int
    seed: int
    view: View[Any] = field(default=TextView(), kw_only=True)

    def summarize(self, data: Texts | Tokens) -> Sizes:
        """Join the texts in each order, and compress them."""
        compressed_size = _COMPRESSORS[self.algorithm]
        size, original, sizes = data.texts.size, 0, []
        if size:
            for joined in self._orders(data.texts):
                original = len(joined)
                sizes.append(compressed_size(joined))
        return Sizes(len(data), size, original, tuple(sizes))

    def _orders(self, texts: Strings) -> Iterator[bytes]:
        """Yield the joined texts in each order."""
        raw = texts.data.tobytes()
        pieces = [raw[start:end] for start, end in zip(texts.starts.tolist(), texts.ends.tolist())]
        if not self.shuffles:
            yield JOINER.join(pieces)
            return
        by_content = np.argsort(hashing.hash_contents(texts), kind="stable")
        for shuffle in range(self.shuffles):
            order = np.random.default_rng([self.seed, shuffle]).permutation(by_content)
            yield JOINER.join([pieces[row] for row in order.tolist()])


def _gzip(data: bytes) -> int:
    return len(gzip.compress(data, 9, mtime=0))


def _xz(data: bytes) -> int:
    return len(lzma.compress(data))


def _zstd(data: bytes) -> int:
    import pyarrow as pa

    return len(pa.Codec("zstd", compression_level=3).compress(data, asbytes=True))


_COMPRESSORS: dict[Algorithm, Callable[[bytes], int]] = {"gzip": _gzip, "xz": _xz, "zstd": _zstd}
