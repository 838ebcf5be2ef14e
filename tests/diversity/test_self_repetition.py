"""`self_repetition`: by hand, against loops, and against the `diversity` package."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import peers
from tests.oracles import repetition as oracle
from tests.oracles.ngrams import ngrams
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.diversity.self_repetition import SelfRepetition
from distinctly.statistics.recurrence import Recurrences
from distinctly.views.tokens import Tokens

Texts = list[list[str]]


def test_by_hand() -> None:
    # n = 2. "a b a b" has ab (in 2 other texts) and ba (in 1): log(1 + 3). "a b" has ab: log(1 + 2).
    # "b a b" has ba (1) and ab (2): log(1 + 3). Repetitions within a text do not count.
    score = dy.measure(["a b a b", "a b", "b a b"], "self_repetition:n=2")[0]
    assert score.value == pytest.approx((2 * math.log(4) + math.log(3)) / 3, rel=1e-15)


def test_texts_that_are_too_short() -> None:
    texts = ["a b c d", "a b c d", "a b"]
    skip, zero, nan = (
        dy.measure(texts, f"self_repetition:short={one}")[0] for one in ("skip", "zero", "nan")
    )
    assert skip.value == math.log(2)
    assert zero.value == pytest.approx(math.log(2) * 2 / 3, rel=1e-15)
    assert math.isnan(nan.value)
    assert skip.notes[0] == "1 of 3 texts have fewer than 4 tokens; they are left out (short=skip)."
    assert "count as 0" in zero.notes[0]


def test_one_text_repeats_none() -> None:
    score = dy.measure(["one text of five tokens"], "self_repetition")[0]
    assert score.value == 0
    assert score.notes == ("There is only one text, so no n-gram can recur in another text.",)


@given(texts=TOKEN_LISTS, n=st.integers(1, 5))
def test_against_loops_on_both_paths(texts: Texts, n: int) -> None:
    view = Tokens.of(texts)
    plain = Recurrences(n).summarize(view)
    assert Recurrences(n).summarize(replace(view, compiled=True)).tolist() == plain.tolist()
    values = SelfRepetition(n=n).each_text(plain, view.lengths).tolist()
    expected = oracle.self_repetition(texts, n)
    assert values == pytest.approx(expected, rel=1e-12, nan_ok=True)
    defined = [value for value in expected if not math.isnan(value)]
    mean = math.fsum(defined) / len(defined) if defined else math.nan
    assert dy.measure(texts, f"self_repetition:n={n}")[0].value == pytest.approx(mean, rel=1e-12, nan_ok=True)


@pytest.mark.parametrize("read", [peers.english, peers.chinese])
def test_equals_the_diversity_package_on_real_text(shared: Path, read: Callable[[Path, int], Texts]) -> None:
    # The computation of `diversity` 0.3.0 (self_repetition.py), without its quadratic joining of lists.
    texts = read(shared, 3000)
    own = [set(ngrams(text, 4)) for text in texts]
    counts = Counter(gram for grams in own for gram in grams)
    total = sum(math.log(sum(counts[gram] for gram in grams) - len(grams) + 1) for grams in own)
    score = dy.measure(texts, "self_repetition:preset=salkar2022", tokens=True)[0]
    assert score.value == pytest.approx(total / len(texts), rel=1e-9)
