"""Repeated n-grams of texts: which parts of each text to highlight, and the most frequent ones."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from distinctly.tokenizers.base import Tokenizer

# More text than this is slow to show; the n-grams of the rest are not counted.
MOST_CHARACTERS = 100_000
MOST_LISTED = 20

# A part of a text, and how often its most frequent n-gram occurs; 1 for a part without repetition.
Part = tuple[str, int]


class Repeated(NamedTuple):
    """The repeated n-grams of some texts.

    Attributes
    ----------
    texts
        The parts of each text, in order; together they are the text.
    most_frequent
        The most frequent n-grams with their counts, of those that occur more than once.
    """

    texts: list[list[Part]]
    most_frequent: list[tuple[str, int]]


def repeated_ngrams(texts: Sequence[str], tokenizer: Tokenizer, n: int) -> Repeated:
    """Find the n-grams that occur more than once.

    Examples
    --------
    >>> from distinctly.tokenizers import find_tokenizer
    >>> repeated = repeated_ngrams(["the cat sat.", "See the  cat!"], find_tokenizer("words"), 2)
    >>> repeated.texts
    [[('the cat', 2), (' sat.', 1)], [('See ', 1), ('the  cat', 2), ('!', 1)]]
    >>> repeated.most_frequent
    [('the cat', 2)]
    """
    placed = [_Placed(text, tokenizer) for text in texts]
    counts = Counter(ngram for each in placed for ngram in each.ngrams(n))
    listed = sorted(
        ((" ".join(ngram), count) for ngram, count in counts.items() if count > 1),
        key=lambda entry: (-entry[1], entry[0]),
    )
    return Repeated([each.parts(n, counts) for each in placed], listed[:MOST_LISTED])


def shown_part(texts: Sequence[str]) -> list[str]:
    """Return the first texts, of at most `MOST_CHARACTERS` together; the last may be cut."""
    shown: list[str] = []
    left = MOST_CHARACTERS
    for text in texts:
        if left <= 0:
            break
        shown.append(text[:left])
        left -= len(text) + 1
    return shown


class _Placed:
    """The tokens of a text, with their places."""

    def __init__(self, text: str, tokenizer: Tokenizer) -> None:
        prepared = tokenizer.prepare(text)
        self.tokens = tokenizer.split(prepared)
        # A few letters become two in lower case, so that places differ: then the lower case is shown.
        self.text = text if len(text) == len(prepared) else prepared
        self.starts: list[int] = []
        self.ends: list[int] = []
        position = 0
        for token in self.tokens:
            start = prepared.find(token, position)
            if start < 0:  # a tokenizer that changes characters
                self.tokens, self.starts, self.ends = [], [], []
                break
            position = start + len(token)
            self.starts.append(start)
            self.ends.append(position)

    def ngrams(self, n: int) -> list[tuple[str, ...]]:
        return list(zip(*(self.tokens[place:] for place in range(n))))

    def parts(self, n: int, counts: Counter[tuple[str, ...]]) -> list[Part]:
        """Split the text where repeated n-grams begin and end, or the largest count changes."""
        marks = [1] * len(self.tokens)
        # Whether a repeated n-gram has both a token and the one before it.
        joined = [False] * len(self.tokens)
        for place, ngram in enumerate(self.ngrams(n)):
            count = counts[ngram]
            if count > 1:
                for covered in range(place, place + n):
                    marks[covered] = max(marks[covered], count)
                    joined[covered] |= covered > place
        parts: list[Part] = []
        position = 0
        for place, mark in enumerate(marks):
            if mark == 1:
                continue
            if joined[place] and marks[place - 1] == mark:
                before, _ = parts.pop()
                parts.append((before + self.text[position : self.ends[place]], mark))
            else:
                if self.starts[place] > position:
                    parts.append((self.text[position : self.starts[place]], 1))
                parts.append((self.text[self.starts[place] : self.ends[place]], mark))
            position = self.ends[place]
        if position < len(self.text):
            parts.append((self.text[position:], 1))
        return parts
