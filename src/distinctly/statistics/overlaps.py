"""`Overlaps`: the longest common subsequence of pairs of texts, as ROUGE-L takes it."""

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
from distinctly.views.tokens import Tokens
from distinctly.views.words import WORDS

# Python has so many characters; a token becomes one of them.
CHARACTERS = 0x110000
# Pairs at once: enough for all cores, little for memory.
_A_BLOCK = 1 << 19


@dataclass(frozen=True)
class Overlaps(NeedsRows[Average]):
    """The mean ROUGE-L F1 over pairs of texts, ``2·LCS / (length + length)``.

    All pairs where there are no more than `pairs`; otherwise so many, drawn from an order that only
    the contents give, so that no order of reading changes them. With an empty text it is 0, also
    of two empty ones.

    Examples
    --------
    >>> Overlaps(10, 0).summarize(Tokens.of([["a", "b", "c"], ["a", "x", "c"], ["y"]])).value * 3
    0.6666666666666666
    """

    pairs: int
    seed: int
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def summarize(self, view: Tokens) -> Average:
        """Compare the two texts of each pair, a block of pairs at a time."""
        texts = len(view)
        population = texts * (texts - 1) // 2
        if population > self.pairs:
            view = view.select(np.argsort(view.text_hashes, kind="stable"))
            blocks = _drawn(view, *draw_pairs(texts, self.pairs, self.seed))
        else:
            blocks = _all(view)
        average = Average.of(np.zeros(0), population=0)
        for values in blocks:
            average += Average.of(values, len(values))
        return replace(average, population=population)


def _all(view: Tokens) -> Iterator[Reals]:
    """Yield the F1 of each text with all that follow, some texts at a time."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cdist

    strings, lengths, texts = _as_strings(view), view.lengths, len(view)
    start = 0
    while start < texts - 1:
        end = min(start + max(_A_BLOCK // (texts - start), 1), texts - 1)
        common = cdist(
            strings[start:end], strings[start + 1 :], scorer=LCSseq.similarity, dtype=np.int32, workers=-1
        )
        later = np.arange(start + 1, texts) > np.arange(start, end)[:, None]
        sums = (lengths[start:end, None] + lengths[start + 1 :])[later]
        yield _f1(common[later], sums)
        start = end


def _drawn(view: Tokens, first: Integers, second: Integers) -> Iterator[Reals]:
    """Yield the F1 of these pairs."""
    from rapidfuzz.distance import LCSseq
    from rapidfuzz.process import cpdist

    strings, lengths = _as_strings(view), view.lengths
    for start in range(0, len(first), _A_BLOCK):
        one, other = first[start : start + _A_BLOCK], second[start : start + _A_BLOCK]
        common = cpdist(
            [strings[row] for row in one.tolist()],
            [strings[row] for row in other.tolist()],
            scorer=LCSseq.similarity,
            dtype=np.int32,
            workers=-1,
        )
        yield _f1(common, lengths[one] + lengths[other])


def _f1(common: Integers, lengths: Integers) -> Reals:
    return np.asarray(2.0 * common / np.maximum(lengths, 1))


def _as_strings(view: Tokens) -> Sequence[str] | Sequence[list[int]]:
    """Return the texts with a character for each token, without those that occur only once.

    Such a token is in no common subsequence. Frequent tokens become the first characters, since
    texts of small ones are compared fastest.
    """
    _, codes, counts = np.unique(view.hashes, return_inverse=True, return_counts=True)
    ranks = np.empty(len(counts), np.int64)
    ranks[np.argsort(-counts, kind="stable")] = np.arange(len(counts))
    kept = counts[codes] > 1
    tokens = ranks[codes[kept]]
    bounds = bounds_of(kept.astype(np.int64))[view.bounds].tolist()
    if len(tokens) and int(tokens.max()) >= CHARACTERS:
        numbers = tokens.tolist()
        return [numbers[a:b] for a, b in pairwise(bounds)]
    text = tokens.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return [text[a:b] for a, b in pairwise(bounds)]
