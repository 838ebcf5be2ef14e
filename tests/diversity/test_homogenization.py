"""`homogenization`: by hand, against loops and rouge-score, and where the `diversity` package is wrong."""

from __future__ import annotations

import math
from collections.abc import Callable
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests import peers
from tests.oracles import repetition as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.statistics import overlaps
from distinctly.statistics.overlaps import Overlaps
from distinctly.views.tokens import Tokens

Texts = list[list[str]]


def test_by_hand() -> None:
    # LCS(abcde, axcye) = ace: 2·3/10; LCS(abcde, cab) = ab: 2·2/8; LCS(axcye, cab) = a (or c): 2·1/8.
    texts = [list("abcde"), list("axcye"), list("cab")]
    score = dy.measure(texts, "homogenization")[0]
    assert score.value == pytest.approx((0.6 + 0.5 + 0.25) / 3, rel=1e-15)
    assert (score.parts["pairs"], score.parts["standard_error"]) == (3, 0)


def test_disjoint_texts_are_0_where_the_diversity_package_has_1() -> None:
    # `diversity` 0.3.0 treats a sum of 0 as identical texts: its homogenization_score is
    # 1.0 both for these texts and for the identical ones below. No pair of these has a token in
    # common, so each F1 is 0.
    texts = ["one two three", "four five six", "seven"]
    assert dy.measure(texts, "homogenization")[0].value == 0.0
    assert dy.measure(["one two three"] * 4, "homogenization")[0].value == 1.0


def test_an_empty_text_has_0_with_any_other() -> None:
    assert dy.measure([[], [], ["a"]], "homogenization")[0].value == 0.0
    assert dy.measure([[], ["a"], ["a"]], "homogenization")[0].value == pytest.approx(1 / 3)


def test_fewer_than_two_texts_is_undefined() -> None:
    score = dy.measure(["one text"], "homogenization")[0]
    assert math.isnan(score.value)
    assert score.undefined == "there is only one text; at least two are needed."


@given(texts=TOKEN_LISTS)
def test_against_loops(texts: Texts) -> None:
    if len(texts) > 1 and any(texts):
        value = dy.measure(texts, "homogenization")[0].value
        assert value == pytest.approx(oracle.homogenization(texts), rel=1e-12, abs=1e-15)


@pytest.mark.parametrize("block", [1, 7, 100])
def test_blocks_and_large_vocabularies_change_nothing(block: int, monkeypatch: pytest.MonkeyPatch) -> None:
    draw = np.random.default_rng(0)
    view = Tokens.of([[f"w{w}" for w in draw.integers(0, 30, size)] for size in draw.integers(0, 90, 25)])
    both = [Overlaps(1000, 0), Overlaps(50, 3)]
    expected = [one.summarize(view) for one in both]
    monkeypatch.setattr(overlaps, "_PAIRS_PER_BLOCK", block)
    monkeypatch.setattr(overlaps, "CHARACTERS", 10)
    assert [one.summarize(view) for one in both] == expected


def test_a_sample_is_seeded_stated_and_near_the_whole() -> None:
    draw = np.random.default_rng(1)
    texts = [[f"w{w}" for w in draw.integers(0, 9, 8)] for _ in range(80)]
    whole, sample = (
        dy.measure(texts, f"homogenization:pairs={pairs}", tokens=True)[0] for pairs in (3160, 1000)
    )
    assert whole.parts["pairs"] == 80 * 79 / 2
    assert whole.notes == ()
    assert sample.notes[0].startswith(
        "The value is estimated from 1,000 of 3,160 pairs (seed=0); its standard error is 0.00"
    )
    # Four standard errors: one draw in 16,000 lies outside.
    assert abs(sample.value - whole.value) < 4 * sample.parts["standard_error"]
    assert dy.measure(texts[::-1], "homogenization:pairs=1000")[0].value == sample.value
    assert dy.measure(texts, "homogenization:pairs=1000,seed=1")[0].value != sample.value


@pytest.mark.parametrize("read", [peers.english, peers.chinese])
def test_equals_rouge_score_on_real_text(shared: Path, read: Callable[[Path, int], Texts]) -> None:
    rouge = pytest.importorskip("rouge_score.rouge_scorer")

    class Split:
        def tokenize(self, text: str) -> list[str]:
            return text.split("\t")

    scorer = rouge.RougeScorer(["rougeL"], tokenizer=Split())
    texts = [text for text in read(shared, 60) if text]
    lines = ["\t".join(text) for text in texts]
    values = [scorer.score(one, other)["rougeL"].fmeasure for one, other in combinations(lines, 2)]
    score = dy.measure(texts, "homogenization", tokens=True)[0]
    assert score.value == pytest.approx(math.fsum(values) / len(values), abs=1e-9)
