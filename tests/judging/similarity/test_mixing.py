"""Mixing two corpora: shares, disjoint mixtures, and too few texts."""

from __future__ import annotations

import re
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.similarity.mixtures import A, B, try_it

import distinctly as dy
from distinctly.judging.similarity.mixing import check_enough, mix, shares

SIZES_AND_K = st.tuples(st.integers(3, 15), st.integers(0, 60)).map(
    lambda both: (both[0] - 1 + both[1], both[0])
)


def test_shares_by_hand() -> None:
    # 100 texts, 7 corpora: 100 · 5/6 = 83.3, 66.7, 50, 33.3, 16.7.
    assert shares(100, 7) == [100, 83, 67, 50, 33, 17, 0]
    # 6 texts, 5 corpora: 6, 4.5, 3, 1.5, 0; a half goes to A.
    assert shares(6, 5) == [6, 5, 3, 2, 0]


@given(SIZES_AND_K)
def test_shares_are_the_nearest_whole_numbers(case: tuple[int, int]) -> None:
    n, k = case
    counts = shares(n, k)
    assert (counts[0], counts[-1], len(counts)) == (n, 0, k)
    assert all(one > other for one, other in pairwise(counts))
    for i, count in enumerate(counts):
        exact = n * (k - 1 - i) / (k - 1)
        assert abs(count - exact) <= 0.5
        # The counts of B are the same, except for halves, which go to A.
        assert count + counts[k - 1 - i] == n + (2 * exact % 2 == 1)


@given(SIZES_AND_K, st.integers(0, 5))
def test_mixtures_are_disjoint_and_hold_what_they_should(case: tuple[int, int], seed: int) -> None:
    n, k = case
    of_a = sum(shares(n, k))
    a, b = np.arange(of_a + seed), np.arange(1000, 1000 + n * k - of_a)
    corpora = mix(a, b, n, k, np.random.default_rng(seed))
    assert [len(rows) for rows in corpora] == [n] * k
    assert [int((rows < 1000).sum()) for rows in corpora] == shares(n, k)
    together = np.concatenate(corpora)
    assert len(set(together.tolist())) == n * k
    assert set(together.tolist()) <= {*a.tolist(), *b.tolist()}


@given(SIZES_AND_K, st.floats(0.01, 1), st.floats(0.01, 1))
def test_the_n_of_the_message_is_the_largest_that_works(
    case: tuple[int, int], of_a: float, of_b: float
) -> None:
    n, k = case
    needed = sum(shares(n, k)), n * k - sum(shares(n, k))
    texts = int(needed[0] * of_a), int(needed[1] * of_b)
    if texts == needed:
        check_enough(["one", "other"], texts, n, k)
        return
    with pytest.raises(dy.InputError) as caught:
        check_enough(["one", "other"], texts, n, k)
    name, short = ("one", 0) if texts[0] < needed[0] else ("other", 1)
    message = f"{name}: expected at least {needed[short]:,} texts for {k} disjoint corpora of {n:,}, "
    assert str(caught.value).startswith(f"{message}got {texts[short]:,}. ")
    found = re.search(r"a smaller n \((\d+) at most\)", str(caught.value))
    most = k - 2 if found is None else int(found[1])
    if found is not None:
        check_enough(["one", "other"], texts, most, k)
    with pytest.raises(dy.InputError):
        check_enough(["one", "other"], texts, most + 1, k)


def test_too_few_texts_for_any_n() -> None:
    with pytest.raises(
        dy.InputError,
        match=r"^B: expected at least 12 texts .* got 3\. Give more texts, or choose a smaller k",
    ):
        try_it("jensen_shannon", A, B[:3])
