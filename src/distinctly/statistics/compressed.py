"""`Compressed`: the sizes of texts in bytes, before and after compression."""

from __future__ import annotations

import gzip
import lzma
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from distinctly import hashing
from distinctly.config import cores
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.sampling import sample_keys
from distinctly.strings import Strings
from distinctly.views.base import View
from distinctly.views.texts import Texts, TextView
from distinctly.views.tokens import Tokens

Algorithm = Literal["gzip", "xz", "zstd"]
JOINER = b"\n"
# From this number of bytes on, orders are compressed on several threads, which a compressor lets run.
PARALLEL_FROM = 20_000


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

    A random order is that of hashes of a text and the number of the order. So the order of reading does not
    matter, and some of the texts are in the order that they have among all of them.

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
        size = data.texts.size
        if not size:
            return Sizes(len(data), size, 0, ())
        compressor = _COMPRESSORS[self.algorithm]
        if size < PARALLEL_FROM or self.shuffles < 2:
            sizes = [compressor(joined) for joined in self._orders(data.texts)]
        else:
            with ThreadPoolExecutor(min(cores(), self.shuffles)) as threads:
                sizes = list(threads.map(compressor, self._orders(data.texts)))
        return Sizes(len(data), size, size + len(JOINER) * (len(data) - 1), tuple(sizes))

    def _orders(self, texts: Strings) -> Iterator[bytes]:
        """Yield the joined texts in each order."""
        raw = texts.data.tobytes()
        pieces = [raw[start:end] for start, end in zip(texts.starts.tolist(), texts.ends.tolist())]
        if not self.shuffles:
            yield JOINER.join(pieces)
            return
        contents = hashing.hash_contents(texts)
        numbers = hashing.copy_numbers(contents)
        for shuffle in range(self.shuffles):
            state = np.random.SeedSequence([self.seed, shuffle]).generate_state(1, np.uint64)
            keys = sample_keys(contents, numbers, int(state[0]))
            yield JOINER.join([pieces[row] for row in np.argsort(keys).tolist()])


def _gzip(data: bytes) -> int:
    return len(gzip.compress(data, 9, mtime=0))


def _xz(data: bytes) -> int:
    return len(lzma.compress(data))


def _zstd(data: bytes) -> int:
    import pyarrow as pa

    return len(pa.Codec("zstd", compression_level=3).compress(data, asbytes=True))


_COMPRESSORS: dict[Algorithm, Callable[[bytes], int]] = {"gzip": _gzip, "xz": _xz, "zstd": _zstd}
