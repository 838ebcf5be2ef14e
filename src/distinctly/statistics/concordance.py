"""Concordance lines: occurrences of terms with the tokens around them (key word in context, KWIC)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from typing import Any

import numpy as np

from distinctly.hashing import Hashes, mix
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.sought_terms import TermKeys
from distinctly.views.base import View
from distinctly.views.tokens import WORDS, Tokens

# The number of lines per term, and of tokens on each side.
LINES, AROUND = 5, 6


@dataclass(frozen=True)
class Line:
    """One occurrence of a term in its context.

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

    @property
    def context(self) -> tuple[str, str, str]:
        """What a reader sees of the line: what is before the match, the match, and what is after it."""
        return self.left, self.match, self.right

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return dict(self.__dict__)


def line_at(tokens: Tokens, start: int, n: int, around: int = AROUND) -> Line:
    """Return the line of n tokens of one text, given the place of the first of them among all tokens.

    Examples
    --------
    >>> line_at(Tokens.of([["so"], ["a", "strong", "tea"]]), 2, 1)
    Line(text=2, position=2, left='a', match='strong', right='tea')
    """
    row = int(np.searchsorted(tokens.bounds, start, "right")) - 1
    first, last = int(tokens.bounds[row]), int(tokens.bounds[row + 1])
    left, end = max(start - around, first), start + n
    right = min(end + around, last)
    return Line(
        row + 1,
        start - first + 1,
        tokens.spell(left, start - left),
        tokens.spell(start, n),
        tokens.spell(end, right - end),
    )


@dataclass(frozen=True)
class RankedLine:
    """A line, and what decides whether it is chosen.

    Attributes
    ----------
    occurrence
        The number of the occurrence in its text, from 0: the first one in each text comes before the second
        one in any text.
    random
        A random number of the text, which depends on its contents alone.
    line
        The line.
    """

    occurrence: int
    random: int
    line: Line

    @property
    def rank(self) -> tuple[int, int, int]:
        """The smallest ranks are chosen; of copies of a text, the first one."""
        return self.occurrence, self.random, self.line.text


@dataclass(frozen=True)
class ChosenLines:
    """The state of `Concordance`.

    Attributes
    ----------
    texts
        The number of texts that were looked through.
    chosen
        The lines of each term, the smallest ranks first, no two of which look the same.
    most
        The largest number of lines per term.
    """

    texts: int
    chosen: tuple[tuple[RankedLine, ...], ...]
    most: int

    def __add__(self, other: ChosenLines) -> ChosenLines:
        later = (
            [replace(each, line=replace(each.line, text=each.line.text + self.texts)) for each in lines]
            for lines in other.chosen
        )
        pairs = zip(self.chosen, later)
        chosen = (best_lines(sorted([*first, *second], key=_rank), self.most) for first, second in pairs)
        return ChosenLines(self.texts + other.texts, tuple(chosen), self.most)


def best_lines(ranked: Sequence[RankedLine] | Iterator[RankedLine], most: int) -> tuple[RankedLine, ...]:
    """Return the first lines that look different, given lines in the order of their ranks."""
    different: dict[tuple[str, str, str], RankedLine] = {}
    for line in ranked:
        different.setdefault(line.line.context, line)
        if len(different) == most:
            break
    return tuple(different.values())


def _rank(ranked: RankedLine) -> tuple[int, int, int]:
    return ranked.rank


@dataclass(frozen=True)
class Concordance(Mergeable[ChosenLines, list[list[Line]]]):
    """Lines of some terms, spread over the texts: the same ones however the texts are divided into batches.

    Attributes
    ----------
    n
        The number of tokens per term.
    terms
        The terms. The summary has the lines of each, in the order of the texts.
    lines
        The largest number of lines per term.
    around
        The number of tokens on each side of a match.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "cat", "and", "a", "dog"], ["a", "bird"]])
    >>> concordance = Concordance(1, TermKeys.of(tokens.hashes[:1]), lines=2, around=2)
    >>> for line in concordance.summarize(concordance.collect(tokens))[0]:
    ...     print(line)
    Line(text=1, position=1, left='', match='a', right='cat and')
    Line(text=2, position=1, left='', match='a', right='bird')
    """

    n: int
    terms: TermKeys
    lines: int = LINES
    around: int = AROUND
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> ChosenLines:
        """Choose lines from a batch."""
        sought, starts = self.terms.occurrences(tokens, self.n)
        rows = np.searchsorted(tokens.bounds, starts, "right") - 1
        order = np.lexsort((starts, sought))
        sought, starts, rows = sought[order], starts[order], rows[order]
        occurrences = _numbers_in_runs(sought, rows)
        randoms = mix(tokens.text_hashes[rows])
        order = np.lexsort((rows, randoms, occurrences, sought))
        bounds = np.searchsorted(sought[order], np.arange(len(self.terms.hashes) + 1))
        chosen = []
        for start, end in pairwise(bounds.tolist()):
            places = order[start:end].tolist()
            ranked = (
                RankedLine(
                    int(occurrences[place]),
                    int(randoms[place]),
                    line_at(tokens, int(starts[place]), self.n, self.around),
                )
                for place in places
            )
            chosen.append(best_lines(ranked, self.lines))
        return ChosenLines(len(tokens), tuple(chosen), self.lines)

    def summarize(self, state: ChosenLines) -> list[list[Line]]:
        """Return the lines of each term, in the order of the texts."""
        return [
            [each.line for each in sorted(ranked, key=lambda each: (each.line.text, each.line.position))]
            for ranked in state.chosen
        ]


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
