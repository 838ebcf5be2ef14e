"""`Pairing`: similarity, floor and values without each prompt, by hand and by loops over all pairs."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.sparse import csr_matrix
from tests.oracles import homogeneity as oracle
from tests.oracles.leaving_out import standard_error
from tests.oracles.vectors import cosine

from distinctly.geometry.prompt_means import Pairing, PromptMeans, unit_rows

PROMPTS = ("p", "q", "r", "s")
VECTOR = st.lists(st.integers(-2, 2), min_size=3, max_size=3).filter(any)
ANSWERS = st.fixed_dictionaries({prompt: st.lists(VECTOR, max_size=3) for prompt in PROMPTS})


def means(answers, *, sparse=False):
    numbered = [(PROMPTS.index(prompt), row) for prompt, rows in answers.items() for row in rows]
    units = unit_rows(np.array([row for _, row in numbered], np.float64).reshape(-1, 3))
    prompts = np.array([place for place, _ in numbered], np.int64)
    return PromptMeans.of(csr_matrix(units) if sparse else units, prompts, len(PROMPTS))


def test_by_hand():
    # Answers to p and q as unit vectors of the plane; a has two answers to p.
    a = means({"p": [[1, 0, 0], [0, 1, 0]], "q": [[0, 1, 0]]})
    b = means({"p": [[1, 0, 0]], "q": [[3, 4, 0]]})
    pairing = Pairing(a, b)
    # p: (1 + 0) / 2; q: 4/5. Mean (1/2 + 4/5) / 2 = 13/20.
    assert pairing.similarity == pytest.approx(13 / 20)
    # a on p with b on q: (3/5 + 4/5) / 2 = 7/10; a on q with b on p: 0. Mean 7/20.
    assert pairing.floor == pytest.approx(7 / 20)
    # Without p, the 4/5 of q is left; without q, the 1/2 of p.
    assert pairing.similarities_left_out == pytest.approx([4 / 5, 1 / 2])
    assert np.isnan(pairing.floors_left_out).all()
    # One system: the two answers to p are at a right angle; q has no pair.
    assert (Pairing(a, a).similarity, Pairing(a, a).paired, Pairing(a, a).prompts) == (0.0, 1, 2)
    # (1, 0) and (0, 1) of p with (0, 1) of q: (0 + 1) / 2, in both orders.
    assert Pairing(a, a).floor == pytest.approx(1 / 2)


def test_floors_without_each_prompt_by_hand():
    # One answer per prompt: a is x, x, y; b is x, y, y. The products of different prompts are
    # p-q 0, p-r 0, q-p 1, q-r 0, r-p 0, r-q 1: the mean is 2/6.
    a = means({"p": [[1, 0, 0]], "q": [[1, 0, 0]], "r": [[0, 1, 0]]})
    b = means({"p": [[1, 0, 0]], "q": [[0, 1, 0]], "r": [[0, 1, 0]]})
    assert Pairing(a, b).floor == pytest.approx(2 / 6)
    # Without p: q-r 0, r-q 1. Without q: p-r 0, r-p 0. Without r: p-q 0, q-p 1.
    assert Pairing(a, b).floors_left_out == pytest.approx([1 / 2, 0, 1 / 2])


@pytest.mark.parametrize("sparse", [False, True])
@given(first=ANSWERS, second=ANSWERS, alone=st.booleans())
def test_agrees_with_loops_over_all_pairs(first, second, alone, sparse):
    second = first if alone else second
    a = means(first, sparse=sparse)
    pairing = Pairing(a, a if alone else means(second, sparse=sparse))
    prompts = oracle.shared(first, second)
    close = {"rel": 1e-9, "abs": 1e-12, "nan_ok": True}
    assert pairing.prompts == len(prompts)
    assert pairing.similarity == pytest.approx(oracle.similarity(first, second, cosine, prompts), **close)
    assert pairing.floor == pytest.approx(oracle.floor(first, second, cosine, prompts), **close)
    similarity_error, above_error = oracle.errors(first, second, cosine)
    left_out = pairing.similarities_left_out
    assert _error(left_out) == pytest.approx(similarity_error, abs=1e-7, nan_ok=True)
    assert _error(left_out - pairing.floors_left_out) == pytest.approx(above_error, abs=1e-7, nan_ok=True)


def _error(values):
    defined = len(values) > 1 and not np.isnan(values).any()
    return standard_error(values.tolist()) if defined else math.nan


def test_copies_are_not_more_alike_than_1():
    a = means({prompt: [[0.1, 0.2, 0.3]] * 3 for prompt in PROMPTS})
    assert max(Pairing(a, a).similarity, Pairing(a, a).floor) <= 1
    assert Pairing(a, a).similarity == pytest.approx(1)
