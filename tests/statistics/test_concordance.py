"""Concordance lines against loops over token lists, in one piece and in batches."""

from __future__ import annotations

import functools
import operator

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import TOKEN_LISTS

from distinctly.statistics.concordance import Concordance, Line
from distinctly.statistics.sought_terms import TermKeys
from distinctly.views.tokens import Tokens

# Enough different texts to see in which order they are chosen.
NUMBERED = [["x", "a", str(number)] for number in range(40)]


def lines_by_loops(texts: list[list[str]], ngram: list[str], around: int) -> list[Line]:
    """Return all lines of an n-gram."""
    n = len(ngram)
    return [
        Line(
            number,
            place + 1,
            " ".join(text[max(place - around, 0) : place]),
            " ".join(ngram),
            " ".join(text[place + n : place + n + around]),
        )
        for number, text in enumerate(texts, start=1)
        for place in range(len(text) - n + 1)
        if text[place : place + n] == ngram
    ]


def summary(concordance: Concordance, *batches: list[list[str]]) -> list[list[Line]]:
    states = [concordance.collect(Tokens.of(batch)) for batch in batches]
    return concordance.summarize(functools.reduce(operator.add, states))


def different(lines: list[Line]) -> list[Line]:
    """Return the first of the lines that look the same; they are in the order of the texts."""
    looks: dict[tuple[str, str, str], Line] = {}
    for line in lines:
        looks.setdefault((line.left, line.match, line.right), line)
    return list(looks.values())


@given(TOKEN_LISTS, st.integers(1, 3), st.integers(0, 3))
def test_all_different_lines_are_those_of_loops(texts: list[list[str]], n: int, around: int) -> None:
    tokens = Tokens.of(texts)
    keys, first = np.unique(tokens.grams(n), return_index=True)
    listed = summary(Concordance(n, TermKeys.of(keys), lines=1000, around=around), texts)
    for start, lines in zip(tokens.starts(n)[first].tolist(), listed):
        ngram = [tokens.spelling[start + k] for k in range(n)]
        expected = different(lines_by_loops(texts, ngram, around))
        assert {(line.left, line.right) for line in lines} == {(line.left, line.right) for line in expected}
        assert len(lines) == len(expected)
        assert set(lines) <= set(lines_by_loops(texts, ngram, around))
        assert lines == sorted(lines, key=lambda line: (line.text, line.position))


@given(TOKEN_LISTS, st.integers(0, 10), st.integers(0, 10), st.integers(1, 4))
def test_lines_do_not_depend_on_batches(texts: list[list[str]], first: int, second: int, lines: int) -> None:
    keys = TermKeys.of(np.unique(Tokens.of(texts).hashes))
    concordance = Concordance(1, keys, lines)
    first, second = sorted((first, second))
    whole = summary(concordance, texts)
    assert summary(concordance, texts[:first], texts[first:second], texts[second:]) == whole
    states = [concordance.collect(Tokens.of(part)) for part in (texts[:first], texts[first:])]
    nested = states[0] + (concordance.collect(Tokens.of([])) + states[1])
    assert concordance.summarize(nested) == whole


@given(TOKEN_LISTS, st.integers(1, 6))
def test_a_text_gives_a_second_line_only_after_every_text_gave_one(texts: list[list[str]], most: int) -> None:
    # Numbers make all lines different, so that none of them is left out as a copy.
    numbered = [
        [token for place, word in enumerate(text) for token in (word, f"{row}-{place}")]
        for row, text in enumerate(texts)
    ]
    keys = np.unique(Tokens.of(texts).hashes)
    tokens = Tokens.of(numbered)
    for key, lines in zip(keys, summary(Concordance(1, TermKeys.of(keys), most), numbered)):
        counts = [int((tokens.hashes[a:b] == key).sum()) for a, b in zip(tokens.bounds, tokens.bounds[1:])]
        chosen = [0] * len(texts)
        for line in lines:
            chosen[line.text - 1] += 1
        assert sum(chosen) == min(most, sum(counts))
        # As evenly as possible: a text with a line fewer than another has no occurrence left.
        assert all(count == has for count, has in zip(counts, chosen) if has < max(chosen, default=0) - 1)


def test_lines_come_from_the_whole_corpus() -> None:
    keys = TermKeys.of(Tokens.of([["a"]]).hashes)
    (lines,) = summary(Concordance(1, keys, lines=10), NUMBERED)
    numbers = [line.text for line in lines]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 10
    assert numbers[0] <= 20 < numbers[-1]


def test_copies_of_a_text_give_one_line() -> None:
    keys = TermKeys.of(Tokens.of([["a"]]).hashes)
    (lines,) = summary(Concordance(1, keys, lines=3), [["b"], *[["x", "a"]] * 9], [["x", "a"], ["y", "a"]])
    assert [(line.text, line.left) for line in lines] == [(2, "x"), (12, "y")]


def test_context_ends_at_the_text() -> None:
    keys = TermKeys.of(Tokens.of([["a"]]).hashes)
    (lines,) = summary(Concordance(1, keys, around=6), [["b", "b"], ["c", "a"], ["d"]])
    assert lines == [Line(2, 2, "c", "a", "")]


def test_a_term_that_does_not_occur_has_no_lines() -> None:
    assert summary(Concordance(1, TermKeys.of(np.array([5], np.uint64))), [["a"]]) == [[]]
    assert summary(Concordance(2, TermKeys.of(np.array([5], np.uint64))), [["a"]]) == [[]]
