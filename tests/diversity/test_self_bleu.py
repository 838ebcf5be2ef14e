"""`self_bleu`: by hand, against NLTK and sacreBLEU, and both code paths against loops."""

from __future__ import annotations

import math
import warnings
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Literal

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests import peers
from tests.oracles import repetition as oracle
from tests.strategies import TOKEN_LISTS, WORDS

import distinctly as dy
from distinctly.diversity.self_bleu import SelfBleu
from distinctly.statistics.bleu import AgainstAll, closest_lengths
from distinctly.statistics.recurrence import Matches
from distinctly.views.tokens import Tokens

Texts = list[list[str]]
SMOOTHINGS = ["none", "epsilon", "add-k", "exp"]
# Two words, so that they repeat within and across texts; empty texts and duplicates are frequent.
REPETITIVE = st.lists(st.lists(st.sampled_from(["a", "b"]) | WORDS, max_size=12), min_size=2, max_size=8)


def by_nltk(texts: Texts, max_n: int, smoothing: str) -> list[float]:
    bleu = pytest.importorskip("nltk.translate.bleu_score")
    methods = bleu.SmoothingFunction(epsilon=0.1)
    method = getattr(methods, f"method{SMOOTHINGS.index(smoothing)}")
    weights = (1 / max_n,) * max_n
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about zero counts
        return [
            bleu.sentence_bleu(texts[:i] + texts[i + 1 :], text, weights, smoothing_function=method)
            for i, text in enumerate(texts)
        ]


def test_by_hand() -> None:
    # "a b c d" and "a b c e" with max_n = 2: p1 = 3/4, p2 = 2/3, equal lengths; the same in both directions.
    # "x" matches nothing.
    score = dy.measure(["a b c d", "a b c e", "x"], "self_bleu:max_n=2")[0]
    assert score.value == pytest.approx(2 * math.sqrt(3 / 4 * 2 / 3) / 3, rel=1e-15)
    assert "1 of 3 texts have fewer than 2 tokens" in score.notes[0]


def test_identical_texts_are_1_and_texts_without_a_common_word_0() -> None:
    assert dy.measure(["one two three four"] * 3, "self_bleu")[0].value == 1.0
    for smoothing in SMOOTHINGS:
        assert dy.measure(["a b c d", "e f g h"], f"self_bleu:smoothing={smoothing}")[0].value == 0.0


def test_brevity_is_by_the_closest_length_and_the_shorter_of_two() -> None:
    # For 5 tokens, 3 and 7 are equally close; the shorter is used, so there is no penalty.
    assert closest_lengths(np.array([3, 5, 7])).tolist() == [5, 3, 5]
    # 2 tokens against 3: e^(1 − 3/2), p1 = 2/2.
    score = dy.measure([["a", "b"], ["a", "b", "c"]], "self_bleu:max_n=1")[0]
    assert score.value == pytest.approx((math.exp(-0.5) + 2 / 3) / 2, rel=1e-15)


def test_fewer_than_two_texts_is_undefined() -> None:
    for mode in ("all", "pairwise"):
        score = dy.measure(["one text of five tokens"], f"self_bleu:mode={mode}")[0]
        assert math.isnan(score.value)
        assert score.undefined == "there is only one text; at least two are needed."


@pytest.mark.parametrize("smoothing", SMOOTHINGS)
@given(texts=REPETITIVE, max_n=st.integers(2, 5))
def test_equals_nltk(smoothing: str, texts: Texts, max_n: int) -> None:
    if not any(texts):
        return  # undefined here, 0 in NLTK
    expected = by_nltk(texts, max_n, smoothing)
    score = dy.measure(texts, f"self_bleu:max_n={max_n},smoothing={smoothing}")[0]
    assert score.value == pytest.approx(sum(expected) / len(expected), abs=1e-9)
    metric = SelfBleu(max_n=max_n, smoothing=smoothing)
    assert own_values(metric, texts) == pytest.approx(expected, abs=1e-9)


def own_values(metric: SelfBleu, texts: Texts) -> list[float]:
    view = Tokens.of(texts)
    columns = metric.columns()
    return metric.each_text(columns.summarize(view)).tolist()


@given(texts=TOKEN_LISTS, n=st.integers(1, 9))
def test_matches_are_what_loops_find_on_both_paths(texts: Texts, n: int) -> None:
    view = Tokens.of(texts)
    plain, compiled = Matches(n).summarize(view), Matches(n).summarize(replace(view, compiled=True))
    assert plain.tolist() == oracle.matches(texts, n)
    assert compiled.tolist() == plain.tolist()
    assert compiled.dtype == plain.dtype


def test_both_paths_agree_on_many_partitions() -> None:
    draw = np.random.default_rng(0)
    words = (draw.zipf(1.3, 300_000) % 5_000).astype(str)
    view = Tokens.of(np.split(words, np.sort(draw.integers(0, len(words), 20_000))))
    for n in (1, 3):
        plain, compiled = Matches(n).summarize(view), Matches(n).summarize(replace(view, compiled=True))
        assert np.array_equal(plain, compiled)


@given(texts=REPETITIVE, max_n=st.integers(1, 4))
def test_pairwise_equals_nltk_on_each_ordered_pair(texts: Texts, max_n: int) -> None:
    if not any(texts):
        return
    pairs = [(a, b) for i, a in enumerate(texts) for j, b in enumerate(texts) if i != j]
    expected = [by_nltk([a, b], max_n, "add-k")[0] for a, b in pairs]
    score = dy.measure(texts, f"self_bleu:max_n={max_n},smoothing=add-k,mode=pairwise")[0]
    assert score.value == pytest.approx(sum(expected) / len(expected), abs=1e-9)
    assert (score.parts["pairs"], score.parts["standard_error"]) == (len(pairs), 0)


def test_a_sample_of_pairs_is_seeded_stated_and_near_the_whole() -> None:
    draw = np.random.default_rng(1)
    texts = [[f"w{w}" for w in draw.integers(0, 9, 8)] for _ in range(60)]
    spec = "self_bleu:max_n=2,mode=pairwise"
    whole = dy.measure(texts, spec)[0]
    sample = dy.measure(texts, f"{spec},pairs=2000")[0]
    assert not any("sample" in note for note in whole.notes)
    assert "estimated from 2,000 of 3,540 pairs (seed=0)" in sample.notes[0]
    # Four standard errors: one draw in 16,000 lies outside.
    assert abs(sample.value - whole.value) < 4 * sample.parts["standard_error"]
    assert dy.measure(texts[::-1], f"{spec},pairs=2000")[0].value == sample.value
    assert dy.measure(texts, f"{spec},pairs=2000,seed=1")[0].value != sample.value


@pytest.mark.parametrize("read", [peers.english, peers.chinese])
def test_equals_nltk_on_real_text(shared: Path, read: Callable[[Path, int], Texts]) -> None:
    texts = read(shared, 120)
    expected = by_nltk(texts, 4, "epsilon")
    score = dy.measure(texts, "self_bleu:smoothing=epsilon", tokens=True)[0]
    assert score.value == pytest.approx(sum(expected) / len(expected), abs=1e-9)


@pytest.mark.parametrize("smoothing", ["none", "exp"])
def test_equals_sacrebleu_on_real_text(shared: Path, smoothing: Literal["none", "exp"]) -> None:
    # sacreBLEU's sentence BLEU with all references, without its effective order. Texts with fewer than
    # four tokens are left out: sacreBLEU stops at the first n without n-grams and gives 0; NLTK smooths.
    metrics = pytest.importorskip("sacrebleu.metrics")
    texts = [text for text in peers.english(shared, 120) if len(text) >= 4]
    bleu = metrics.BLEU(smooth_method=smoothing, tokenize="none", effective_order=False, force=True)
    lines = [" ".join(text) for text in texts]
    expected = [
        bleu.sentence_score(line, lines[:i] + lines[i + 1 :]).score / 100 for i, line in enumerate(lines)
    ]
    assert own_values(SelfBleu(smoothing=smoothing), texts) == pytest.approx(expected, abs=1e-9)


@given(REPETITIVE, st.data())
def test_matches_without_a_block_are_those_of_the_other_texts(texts: Texts, data: st.DataObject) -> None:
    labels = np.array([data.draw(st.integers(0, 3)) for _ in texts])
    without = AgainstAll(3).without_blocks(Tokens.of(texts), labels, 4)
    for block, matched in enumerate(without):
        kept = [text for text, label in zip(texts, labels) if label != block]
        expected = AgainstAll(3).summarize(Tokens.of(kept))
        assert matched.matches.tolist() == expected.matches.tolist()
        assert matched.lengths.tolist() == expected.lengths.tolist()
        assert matched.references.tolist() == expected.references.tolist()


def test_the_interval_is_that_of_measuring_the_other_texts() -> None:
    stream = np.random.default_rng(0)
    texts = [" ".join(stream.choice(list("abcdef"), 9)) for _ in range(20)]
    score = dy.measure(texts, "self_bleu", interval=True)[0]
    # 20 texts are 20 blocks: SE² = 19/20 · Σ (T₋ᵢ − mean)², and t with 19 degrees of freedom is 2.0930.
    left_out = [dy.measure(texts[:i] + texts[i + 1 :], "self_bleu")[0].value for i in range(20)]
    error = math.sqrt(19 / 20 * sum((value - np.mean(left_out)) ** 2 for value in left_out))
    assert score.high == pytest.approx(score.value + 2.0930 * error, rel=1e-4)


def test_bad_options() -> None:
    with pytest.raises(dy.SpecError, match="`max_n` of 'self_bleu' to be at least 1, got 0"):
        dy.measure(["a", "b"], "self_bleu:max_n=0")
