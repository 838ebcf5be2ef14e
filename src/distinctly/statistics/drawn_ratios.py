"""Type-token ratios of random samples of each stream, drawn as LexicalRichness draws them."""

from __future__ import annotations

import functools
import random
from dataclasses import dataclass

import numpy as np

from distinctly.ragged import Integers
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.streams import Streams, Walk


@dataclass(frozen=True)
class DrawnRatios:
    """The mean ratios of the samples of each stream.

    Attributes
    ----------
    tokens, types
        The numbers of tokens and types of the stream.
    ratios
        The mean type-token ratio by stream, repetition and size of sample; NaN for a stream that is not
        longer than the largest sample.
    """

    tokens: Integers
    types: Integers
    ratios: Reals


@dataclass(frozen=True)
class RandomSamples(Walk[DrawnRatios]):
    """Random samples of tokens, without replacement.

    The positions are those of Python's `random.sample`, which depend on the number of tokens alone. The
    generator is seeded anew for each stream.

    Attributes
    ----------
    sizes
        The sizes of the samples.
    draws, repetitions
        The number of samples per size, and how often all of them are drawn.
    seed
        The seed of the generator.

    Examples
    --------
    >>> from distinctly.views.tokens import Tokens
    >>> streams = Streams.whole(Tokens.of([["a", "b", "a", "c"]]))
    >>> RandomSamples(range(2, 4), 100, 1, 42).each(streams).ratios.round(3).tolist()
    [[[0.885, 0.82]]]
    """

    sizes: range
    draws: int
    repetitions: int
    seed: int

    def each(self, streams: Streams) -> DrawnRatios:
        """Draw from each stream."""
        ratios = np.full((len(streams), self.repetitions, len(self.sizes)), np.nan)
        types = np.zeros(len(streams), np.int64)
        for row, (start, end) in enumerate(zip(streams.bounds[:-1], streams.bounds[1:])):
            distinct, ids = np.unique(streams.hashes[start:end], return_inverse=True)
            types[row] = len(distinct)
            if end - start <= self.sizes[-1]:
                continue
            drawn = _positions(int(end - start), self.sizes, self.draws, self.repetitions, self.seed)
            for column, (size, positions) in enumerate(zip(self.sizes, drawn)):
                sample = np.sort(ids[positions], axis=-1)
                distinct_tokens = 1 + np.count_nonzero(np.diff(sample, axis=-1), axis=-1)
                ratios[row, :, column] = (distinct_tokens / size).mean(axis=-1)
        return DrawnRatios(streams.lengths, types, ratios)


@functools.lru_cache(maxsize=32)
def _positions(tokens: int, sizes: range, draws: int, repetitions: int, seed: int) -> list[Integers]:
    """Return the positions of the samples of each size, by repetition, sample and token."""
    generator = random.Random(seed)  # noqa: S311 - the generator of LexicalRichness
    places = range(tokens)
    drawn = [
        [[generator.sample(places, size) for _ in range(draws)] for size in sizes] for _ in range(repetitions)
    ]
    return [np.array([repetition[column] for repetition in drawn]) for column in range(len(sizes))]
