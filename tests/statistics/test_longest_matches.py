"""The longest match of each token, by a suffix array and by rounds, against sets of tuples."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import novelty as oracle

from distinctly.statistics.all_tokens import hashed
from distinctly.statistics.hashed_texts import HashedTexts, cut_pieces, regrouped
from distinctly.statistics.longest_matches import SuffixOrder, longest_matches
from distinctly.statistics.shared_sequences import Fragments, shared_with
from distinctly.views.tokens import Tokens

# Few tokens, so that long sequences are repeated; texts of one token, and empty ones.
TEXTS = st.lists(st.lists(st.sampled_from("abc"), max_size=12), max_size=8)
FEW = st.sampled_from([1, 2, 5, 1000])


def texts_of(texts: list[list[str]]) -> HashedTexts:
    return hashed(Tokens.of(texts))


@given(texts=TEXTS, others=TEXTS, together=FEW)
def test_by_a_suffix_array(texts: list[list[str]], others: list[list[str]], together: int) -> None:
    found = longest_matches(texts_of(texts), texts_of(others), together=together)
    assert found.tolist() == oracle.longest_matches(texts, others)


@given(texts=TEXTS, data=st.data())
def test_any_two_selections_by_one_order(texts: list[list[str]], data: st.DataObject) -> None:
    rows = st.lists(st.sampled_from(range(len(texts)) if texts else [0]), unique=True, max_size=len(texts))
    first, second = data.draw(rows), data.draw(rows)
    order = SuffixOrder(texts_of(texts))
    found = order.matches(np.array(first, np.int64), np.array(second, np.int64))
    expected = oracle.longest_matches([texts[row] for row in first], [texts[row] for row in second])
    assert found.tolist() == expected


@given(texts=TEXTS, others=TEXTS, rounds=st.sampled_from([2, 3, 8, 255]), piece=FEW, together=FEW)
def test_by_rounds(
    texts: list[list[str]], others: list[list[str]], rounds: int, piece: int, together: int
) -> None:
    shared = shared_with(
        texts_of(texts),
        list(cut_pieces([texts_of(others)], piece)),
        lambda calls: [call() for call in calls],
        rounds=rounds,
        together=together,
    )
    assert shared.lengths.tolist() == oracle.longest_matches(texts, others)


@given(texts=TEXTS, others=TEXTS, rounds=st.sampled_from([2, 3, 8]), piece=FEW)
def test_fragments_have_every_long_match(
    texts: list[list[str]], others: list[list[str]], rounds: int, piece: int
) -> None:
    hashes = texts_of(texts)
    shared = shared_with(
        hashes,
        list(cut_pieces([texts_of(others)], piece)),
        lambda calls: [call() for call in calls],
        rounds=rounds,
    )
    tokens = [token for text in texts for token in text]
    for start, length in enumerate(shared.lengths.tolist()):
        if length >= rounds:
            places = oracle.occurrences(others, tokens[start : start + length])
            (fragments,) = shared.fragments
            times, row, position = fragments.occurrences(hashes.hashes[start : start + length])
            assert (times, (row + 1, position + 1)) == (len(places), places[0])


def test_more_tokens_than_fit_into_the_first_table(monkeypatch: pytest.MonkeyPatch) -> None:
    # The table is made for as many sequences as a sample of the hashes promises: here, for hardly any.
    monkeypatch.setattr("distinctly.statistics.shared_sequences.SAMPLED", 0)
    draw = np.random.default_rng(0)
    texts = [draw.integers(0, 50, 40).astype(str).tolist() for _ in range(100)]
    others = [draw.integers(0, 50, 40).astype(str).tolist() for _ in range(100)]
    shared = shared_with(texts_of(texts), [texts_of(others)], lambda calls: [call() for call in calls])
    assert shared.lengths.tolist() == oracle.longest_matches(texts, others)


def test_a_window_whose_hash_is_zero_is_no_empty_place() -> None:
    # The table has 0 where nothing is, and the hash of the token 0 alone would be 0.
    texts = HashedTexts(np.array([0, 7, 0], np.uint64), np.array([3]))
    others = HashedTexts(np.array([7, 0], np.uint64), np.array([2]))
    shared = shared_with(texts, [others], lambda calls: [call() for call in calls])
    assert shared.lengths.tolist() == [1, 2, 1]


@given(texts=TEXTS, cuts=st.lists(st.integers(0, 8)), tokens=FEW)
def test_parts_do_not_depend_on_the_pieces(texts: list[list[str]], cuts: list[int], tokens: int) -> None:
    whole = texts_of(texts)
    bounds = [0, *sorted(min(cut, len(texts)) for cut in cuts), len(texts)]
    pieces = [whole.take(np.arange(start, end)) for start, end in pairwise(bounds)]
    parts = [(part.hashes.tolist(), part.lengths.tolist()) for part in regrouped(pieces, tokens)]
    assert parts == [(part.hashes.tolist(), part.lengths.tolist()) for part in whole.cut(tokens)]
    joined = HashedTexts.join(regrouped(pieces, tokens))
    assert (joined.hashes.tolist(), joined.lengths.tolist()) == (
        whole.hashes.tolist(),
        whole.lengths.tolist(),
    )


@given(texts=TEXTS)
def test_merged_fragments_are_counted(texts: list[list[str]]) -> None:
    first, second = Fragments.whole(texts_of(texts)), Fragments.whole(texts_of(texts[::-1]))
    merged = Fragments.merged([first, second])
    spelled = dict(zip(map(bytes, (text.hashes for text in _each(merged.texts))), merged.copies.tolist()))
    expected: dict[bytes, int] = {}
    for text in _each(texts_of(texts)):
        expected[bytes(text.hashes)] = expected.get(bytes(text.hashes), 0) + 2
    assert spelled == expected


def _each(texts: HashedTexts) -> list[HashedTexts]:
    return [texts.take(np.array([row])) for row in range(len(texts))]


@pytest.mark.parametrize(
    ("hashes", "lengths"),
    [([1, 2], [1]), ([1], [2]), ([1, 2], [-1, 3])],
    ids=["too few", "too many", "negative"],
)
def test_lengths_that_do_not_fit_the_tokens(hashes: list[int], lengths: list[int]) -> None:
    with pytest.raises(ValueError, match="tokens outside the texts"):
        HashedTexts(np.array(hashes, np.uint64), np.array(lengths))
