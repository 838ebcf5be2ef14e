"""Concordance lines against loops over token lists, in one piece and in batches."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.strategies import TOKEN_LISTS

from distinctly.statistics.concordance import Concordance, Line
from distinctly.views.tokens import Tokens

# Enough different texts to see in which order they are chosen.
REPEATED = [["x", "a", "x"] for _ in range(40)]


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


@given(TOKEN_LISTS, st.integers(1, 3), st.integers(0, 3), st.sampled_from([64, 128]))
def test_all_lines_are_those_of_loops(texts: list[list[str]], n: int, around: int, bits: int) -> None:
    tokens = Tokens.of(texts, bits=64 if bits == 64 else 128)
    keys = np.unique(tokens.keys(n))
    concordance = Concordance(keys, n, lines=1000, around=around)
    concordance.look_through(tokens)
    for start, key in zip(tokens.starts(n).tolist(), tokens.keys(n)):
        ngram = [tokens.spelling[start + k] for k in range(n)]
        assert concordance.lines(key) == lines_by_loops(texts, ngram, around)


@given(TOKEN_LISTS, st.integers(0, 10), st.integers(1, 4), st.booleans())
def test_lines_do_not_depend_on_batches_or_their_order(
    texts: list[list[str]], cut: int, lines: int, added: bool
) -> None:
    tokens = Tokens.of(texts)
    keys = np.unique(tokens.keys(1))
    whole, batches = Concordance(keys, 1, lines), Concordance(keys, 1, lines)
    whole.look_through(tokens)
    pieces = [(Tokens.of(texts[cut:]), min(cut, len(texts)) + 1), (Tokens.of(texts[:cut]), 1)]
    if added:
        parts = [Concordance(keys, 1, lines) for _ in pieces]
        for part, (piece, first_text) in zip(parts, pieces):
            part.look_through(piece, first_text)
        batches = parts[0] + parts[1]
    else:
        for piece, first_text in pieces:
            batches.look_through(piece, first_text)
    for key in keys:
        assert batches.lines(key) == whole.lines(key)


@given(TOKEN_LISTS, st.integers(1, 6))
def test_a_text_gives_a_second_line_only_after_every_text_gave_one(texts: list[list[str]], most: int) -> None:
    tokens = Tokens.of(texts)
    keys = np.unique(tokens.keys(1))
    concordance = Concordance(keys, 1, most)
    concordance.look_through(tokens)
    for key in keys:
        counts = [int((tokens.hashes[a:b] == key).sum()) for a, b in zip(tokens.bounds, tokens.bounds[1:])]
        chosen = [0] * len(texts)
        for line in concordance.lines(key):
            chosen[line.text - 1] += 1
        assert sum(chosen) == min(most, sum(counts))
        # As evenly as possible: a text with a line fewer than another has no occurrence left.
        assert all(count == has for count, has in zip(counts, chosen) if has < max(chosen, default=0) - 1)


def test_lines_come_from_the_whole_corpus() -> None:
    tokens = Tokens.of(REPEATED)
    concordance = Concordance(tokens.keys(1)[1:2], 1, lines=10)
    concordance.look_through(tokens)
    numbers = [line.text for line in concordance.lines(tokens.keys(1)[1])]
    assert numbers == sorted(set(numbers))
    assert len(numbers) == 10
    assert numbers[0] <= 20 < numbers[-1]


def test_context_ends_at_the_text() -> None:
    tokens = Tokens.of([["b", "b"], ["c", "a"], ["d"]])
    concordance = Concordance(tokens.keys(1)[3:4], 1, around=6)
    concordance.look_through(tokens, 11)
    assert concordance.lines(tokens.keys(1)[3]) == [Line(12, 2, "c", "a", "")]


def test_an_ngram_that_does_not_occur_has_no_lines_and_an_unknown_key_is_an_error() -> None:
    tokens = Tokens.of([["a"]])
    concordance = Concordance(np.array([5], np.uint64), 1)
    concordance.look_through(tokens)
    assert concordance.lines(np.uint64(5)) == []
    with pytest.raises(KeyError):
        concordance.lines(np.uint64(6))
