"""Concordance lines: occurrences of n-grams with the tokens around them (key word in context, KWIC)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from distinctly.hashing import Hashes, Keys, mix
from distinctly.ragged import Integers
from distinctly.views.tokens import Tokens

# The number of lines per n-gram, and of tokens on each side.
LINES, AROUND = 5, 6


@dataclass(frozen=True, order=True)
class Line:
    """One occurrence of an n-gram in its context.

    Attributes
    ----------
    text
        The number of the text, from 1.
    position
        The number of the first token of the match in its text, from 1.
    left, match, right
        The tokens before, of and after the match, joined by spaces; all of the same text.

    Examples
    --------
    >>> Line(3, 2, "a", "strong", "tea").to_dict()
    {'text': 3, 'position': 2, 'left': 'a', 'match': 'strong', 'right': 'tea'}
    """

    text: int
    position: int
    left: str
    match: str
    right: str

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return dict(self.__dict__)


# What lines are chosen by: the number of the occurrence in its text, and a random number of the text.
Rank = tuple[int, int]


class Lines:
    """Up to `most` lines for each of several entries, chosen from all occurrences that are offered.

    The first occurrence in a text comes before the second in any text, and texts are in a random order that
    depends on their numbers alone. So the lines are spread over the corpus, and are the same however it was
    divided into batches, and in whatever order these came.
    """

    def __init__(self, entries: int, most: int = LINES, around: int = AROUND) -> None:
        self._most, self._around = most, around
        self._chosen: list[list[tuple[Rank, Line]]] = [[] for _ in range(entries)]

    def offer(self, tokens: Tokens, entries: Integers, starts: Integers, n: int, first_text: int = 1) -> None:
        """Offer occurrences in some texts; the line is made only of those that are chosen.

        Parameters
        ----------
        tokens
            The tokens of the texts. A text must not be divided between two calls.
        entries, starts
            The entry of each occurrence, and the position of its first token in `tokens`.
        n
            The number of tokens per match.
        first_text
            The number of the first of these texts, from 1.
        """
        order = np.lexsort((starts, entries))
        entries, starts = entries[order], starts[order]
        rows = np.searchsorted(tokens.bounds, starts, "right") - 1
        occurrences = _numbers_in_runs(entries, rows)
        texts = rows + first_text
        randoms = mix(texts.astype(np.uint64))
        order = np.lexsort((randoms, occurrences, entries))
        order = order[_numbers_in_runs(entries[order]) < self._most]
        columns = (entries, occurrences, randoms, texts, starts, rows)
        for entry, occurrence, random, text, start, row in zip(
            *(column[order].tolist() for column in columns)
        ):
            chosen, rank = self._chosen[entry], (occurrence, random)
            if len(chosen) < self._most or rank < chosen[-1][0]:
                bounds = int(tokens.bounds[row]), int(tokens.bounds[row + 1])
                chosen.append((rank, self._line(tokens, start, n, bounds, text)))
                chosen.sort()
                del chosen[self._most :]

    def _line(self, tokens: Tokens, start: int, n: int, bounds: tuple[int, int], text: int) -> Line:
        left, end = max(start - self._around, bounds[0]), start + n
        right = min(end + self._around, bounds[1])
        return Line(
            text,
            start - bounds[0] + 1,
            tokens.spell(left, start - left),
            tokens.spell(start, n),
            tokens.spell(end, right - end),
        )

    def of(self, entry: int) -> list[Line]:
        """Return the lines of an entry, in the order of the texts."""
        return sorted(line for _, line in self._chosen[entry])

    def __add__(self, other: Lines) -> Lines:
        """Return the lines of the texts of both, given the same entries."""
        total = Lines(len(self._chosen), self._most, self._around)
        total._chosen = [
            sorted([*first, *second])[: self._most] for first, second in zip(self._chosen, other._chosen)
        ]
        return total


class Concordance:
    """Lines for n-grams that are known by their keys, from tokens that come in one piece or in batches.

    Parameters
    ----------
    keys
        The keys of the n-grams, each once, in any order: what ``Tokens.keys(n)`` returns for them.
    n
        The number of tokens per n-gram.
    lines
        The largest number of lines per n-gram. The first occurrence in each text comes before the second in
        any text; texts are in a random order that depends on their numbers alone.
    around
        The number of tokens on each side of a match.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "cat", "and", "a", "dog"], ["a", "bird"]])
    >>> concordance = Concordance(tokens.keys(1)[:2], n=1, lines=2, around=2)
    >>> concordance.look_through(tokens)
    >>> for line in concordance.lines(tokens.keys(1)[0]):
    ...     print(line)
    Line(text=1, position=1, left='', match='a', right='cat and')
    Line(text=2, position=1, left='', match='a', right='bird')
    """

    def __init__(self, keys: Keys, n: int, lines: int = LINES, around: int = AROUND) -> None:
        self._keys: Keys = np.sort(keys)
        self._n = n
        self._lines = Lines(len(self._keys), lines, around)

    def look_through(self, tokens: Tokens, first_text: int = 1) -> None:
        """Collect lines from some texts; `first_text` is the number of the first of them, from 1."""
        if not len(self._keys):
            return
        grams = tokens.keys(self._n)
        places: Integers = np.minimum(np.searchsorted(self._keys, grams), len(self._keys) - 1)
        present = np.flatnonzero(self._keys[places] == grams)
        if len(present):
            starts = tokens.starts(self._n)[present]
            self._lines.offer(tokens, places[present], starts, self._n, first_text)

    def lines(self, key: Any) -> list[Line]:
        """Return the lines of an n-gram, in the order of the texts; none if it does not occur."""
        place = int(np.searchsorted(self._keys, key))
        if place == len(self._keys) or self._keys[place] != key:
            raise KeyError(f"{key} is not one of the keys")
        return self._lines.of(place)

    def __add__(self, other: Concordance) -> Concordance:
        """Return the concordance of the texts of both, given the same keys."""
        total = Concordance(self._keys, self._n)
        total._lines = self._lines + other._lines
        return total


def _numbers_in_runs(*columns: Integers | Hashes) -> Integers:
    """Return the number of each place in its run of equal entries of all columns, from 0.

    Examples
    --------
    >>> _numbers_in_runs(np.array([4, 4, 4, 7, 4])).tolist()
    [0, 1, 2, 0, 0]
    """
    size = len(columns[0])
    begins = np.zeros(size, np.bool_)
    begins[:1] = True
    for column in columns:
        begins[1:] |= column[1:] != column[:-1]
    places = np.arange(size)
    return places - np.maximum.accumulate(np.where(begins, places, 0))
