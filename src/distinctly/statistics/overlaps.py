"""`Overlaps`: the longest common subsequence of pairs of texts, as in ROUGE-L."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

import numpy as np

from distinctly.ragged import Integers, bounds_of
from distinctly.statistics.base import NeedsRows
from distinctly.statistics.ngram_counts import Reals
from distinctly.statistics.pairs import Average, draw_pairs
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# The number of code points that Python has; each token becomes one of them.
CHARACTERS = 0x110000
# Enough to keep all cores busy, few enough to need little memory.
_PAIRS_PER_BLOCK = 1 << 19


@dataclass(frozen=True)
class Overlaps(NeedsRows[Average]):
    """The mean ROUGE-L F1 over pairs of texts, ``2·LCS / (length + length)``.

    All pairs are compared if there are at most `pairs` of them. Otherwise `pairs` of them are drawn from
    an order that depends only on the contents, so the order of reading does not matter. The F1 of a pair
    with an empty text is 0.

    Examples
    --------
    >>> Overlaps(10, 0).summarize(Tokens.of([["a", "b", "c"], ["a", "x", "c"], ["y"]])).value * 3
    0.6666666666666666
    """

    pairs: int
    seed: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, tokens: Tokens) -> Average:
        """Compare the two texts of each pair, one block of pairs at a time."""
        texts = len(tokens)
        population = texts * (texts - 1) // 2
        if population > self.pairs:
            tokens = tokens.select(np.argsort(tokens.text_hashes, kind="stable"))
            blocks = _f1_of_pairs(tokens, *draw_pairs(texts, self.pairs, self.seed))
        else:
            blocks = _f1_of_all_pairs(tokens)
        average = Average.of(np.zeros(0), population=0)
        for values in blocks:
            average += Average.of(values, len(values))
        return replace(average, population=population)


def _f1_of_all_pairs(tokens: Tokens) -> Iterator[Reals]:
    """Yield the F1 of each text with every later text, in blocks of texts."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    strings, lengths, texts = _as_strings(tokens), tokens.lengths, len(tokens)
    start = 0
    while start < texts - 1:
        end = min(start + max(_PAIRS_PER_BLOCK // (texts - start), 1), texts - 1)
        common = cdist(
            strings[start:end], strings[start + 1 :], scorer=LCSseq.similarity, dtype=np.int32, workers=-1
        )
        later = np.arange(start + 1, texts) > np.arange(start, end)[:, None]
        sums = (lengths[start:end, None] + lengths[start + 1 :])[later]
        yield _f1(common[later], sums)
        start = end


def _f1_of_pairs(tokens: Tokens, first: Integers, second: Integers) -> Iterator[Reals]:
    """Yield the F1 of the given pairs, in blocks of pairs."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cpdist

    strings, lengths = _as_strings(tokens), tokens.lengths
    for start in range(0, len(first), _PAIRS_PER_BLOCK):
        block = slice(start, start + _PAIRS_PER_BLOCK)
        left, right = first[block], second[block]
        common = cpdist(
            [strings[row] for row in left.tolist()],
            [strings[row] for row in right.tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int32,
            workers=-1,
        )
        yield _f1(common, lengths[left] + lengths[right])


def _f1(common: Integers, lengths: Integers) -> Reals:
    return np.asarray(2.0 * common / np.maximum(lengths, 1))


def _as_strings(tokens: Tokens) -> Sequence[str] | Sequence[list[int]]:
    """Return each text as one character per token, without tokens that occur only once.

    Such a token is in no common subsequence. The most frequent tokens become the characters with the
    smallest code points, since those are compared fastest.
    """
    _, codes, counts = np.unique(tokens.hashes, return_inverse=True, return_counts=True)
    ranks = np.empty(len(counts), np.int64)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    kept = counts[codes] > 1
    characters = ranks[codes[kept]]
    bounds = bounds_of(kept.astype(np.int64))[tokens.bounds].tolist()
    if len(characters) and int(characters.max()) >= CHARACTERS:
        numbers = characters.tolist()
        return [numbers[start:end] for start, end in pairwise(bounds)]
    text = characters.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [text[start:end] for start, end in pairwise(bounds)]
