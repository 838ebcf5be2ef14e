"""Intervals, groups, several corpora and their differences, by `measure`."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.run.resampling import holm


def drawn_texts(seed: int, texts: int, words: int = 40, length: int = 8) -> list[list[str]]:
    """Draw texts from a small vocabulary, lower numbers more often."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, words + 1)
    return [[f"w{i}" for i in draw.choice(words, length, p=chances / chances.sum())] for _ in range(texts)]


def uneven(seed: int, texts: int) -> list[list[str]]:
    """Draw texts of different lengths, so that exchanging them changes the number of n-grams."""
    lengths = np.random.default_rng(seed).integers(2, 14, texts)
    return [text[:length] for text, length in zip(drawn_texts(seed, texts, length=14), lengths)]


SEVERAL = ["distinct:n=1", "rarefied:n=2", "entropy:n=1", "self_bleu:max_n=2", "mattr:window=5"]


def test_an_interval_is_the_rescaled_spread_of_half_the_texts() -> None:
    # pool=text is a mean over texts, so the error has a closed form: the standard deviation of the
    # texts' values over √n. 4,000 subsamples find it within 3 %.
    texts = drawn_texts(0, 60)
    score = dy.measure(texts, "distinct:n=1,pool=text", interval=True, subsamples=4000)[0]
    values = [len(set(text)) / len(text) for text in texts]
    assert score.value == pytest.approx(np.mean(values))
    expected = 1.96 * np.std(values, ddof=1) / math.sqrt(len(values))
    assert (score.high - score.low) / 2 == pytest.approx(expected, rel=0.05)


def test_part_of_a_population_has_a_narrower_interval() -> None:
    texts = drawn_texts(0, 60)
    wide, narrow = (
        dy.measure(texts, "distinct:n=1,pool=text", interval=True, population=population)[0]
        for population in (None, 120)
    )
    assert narrow.high - narrow.low == pytest.approx((wide.high - wide.low) * math.sqrt(0.5))
    with pytest.raises(dy.SpecError, match="number of texts or groups, 60"):
        dy.measure(texts, "distinct:n=1", interval=True, population=59)


def test_an_interval_of_a_size_dependent_metric_is_at_a_sample() -> None:
    texts = drawn_texts(1, 60)
    score = dy.measure(texts, "distinct:n=1", interval=True)[0]
    assert score.parts["sample"] == 30 * 8  # half of the texts
    assert score.parts["plain"] == dy.measure(texts, "distinct:n=1")[0].value
    assert score.value == pytest.approx(dy.measure(texts, "rarefied:n=1,sample=240")[0].value)
    assert score.low < score.value < score.high
    assert "|sample:240|" in score.signature


def test_the_usual_bootstrap_excludes_its_own_value_and_ours_does_not() -> None:
    texts = drawn_texts(2, 100, words=400)
    plain = dy.measure(texts, "distinct:n=1")[0].value
    draw = np.random.default_rng(0)
    again = [
        dy.measure([texts[i] for i in draw.integers(0, 100, 100)], "distinct:n=1")[0].value
        for _ in range(200)
    ]
    assert np.quantile(again, 0.975) < plain
    score = dy.measure(texts, "distinct:n=1", interval=True)[0]
    assert score.low < score.value < score.high


@given(order=st.permutations(range(12)), seed=st.integers(0, 3))
def test_no_order_changes_a_draw(order: list[int], seed: int) -> None:
    texts = drawn_texts(3, 12)
    names = [f"g{i % 4}" for i in range(12)]
    options = {"interval": True, "subsamples": 5, "seed": seed}
    expected = dy.measure(texts, ["distinct:n=1", "entropy:n=2"], groups=names, **options)
    shuffled = dy.measure(
        [texts[i] for i in order],
        ["distinct:n=1", "entropy:n=2"],
        groups=[names[i] for i in order],
        **options,
    )
    assert [score.to_dict() for score in shuffled] == [score.to_dict() for score in expected]


def test_groups_have_three_scopes() -> None:
    # Within: {a b | a b} has 2 of 4, {c d | e f} 4 of 4 words: 0.75. Pooled: 6 of 8. Across: one text
    # of each, so always 4 of 4.
    texts, groups = ["a b", "a b", "c d", "e f"], ["x", "x", "y", "y"]
    scores = dy.measure(texts, "distinct:n=1", groups=groups)
    assert [(score.scope, score.value) for score in scores] == [
        ("within", 0.75),
        ("across", 1.0),
        ("pooled", 0.75),
    ]
    assert scores.select(scope="within")[0].parts["groups"] == 2
    assert "|scope:within|" in scores[0].signature


def test_groups_of_one_text_and_of_unequal_size_are_said() -> None:
    scores = dy.measure(["a b", "a b", "c d"], "distinct:n=1", groups=["x", "x", "y"])
    notes = " ".join(scores[0].notes)
    assert "1 of 2 groups have one text" in notes
    assert "from 1 to 2 texts" in notes


def test_groups_without_a_value_are_left_out_and_said() -> None:
    scores = dy.measure(["a b", "a b", "c"], "distinct:n=2", groups=["x", "x", "y"])
    assert scores[0].value == 0.5  # one of two bigrams; y has none
    assert "1 of 2 groups have no value" in " ".join(scores[0].notes)
    nothing = dy.measure(["a", "b"], "distinct:n=2", groups=["x", "y"])[0]
    assert math.isnan(nothing.value)
    assert nothing.undefined.startswith("no group has a value.")


def test_the_mean_within_groups_is_that_of_pool_group() -> None:
    texts, names = drawn_texts(4, 30), [f"g{i % 7}" for i in range(30)]
    for spec in ("distinct:n=2", "entropy:n=1", "ead", "hill:q=2"):
        within = dy.measure(texts, spec, groups=names).select(scope="within")[0]
        joined = f"{spec},pool=group" if ":" in spec else f"{spec}:pool=group"
        assert within.value == pytest.approx(dy.measure(texts, joined, groups=names)[0].value, rel=1e-12)


def test_several_corpora_are_measured_at_the_size_of_the_smallest() -> None:
    small, large = drawn_texts(5, 20), drawn_texts(6, 80)
    scores = dy.measure({"small": small, "large": large}, "distinct:n=1")
    assert scores.select(corpus="small")[0].value == dy.measure(small, "distinct:n=1")[0].value
    expected = dy.measure(large, "rarefied:n=1,sample=160")[0].value
    assert scores.select(corpus="large")[0].value == pytest.approx(expected)
    as_they_are = dy.measure({"small": small, "large": large}, "distinct:n=1", sample="all")
    assert as_they_are.select(corpus="large")[0].value == dy.measure(large, "distinct:n=1")[0].value


def test_the_same_source_twice_is_within_noise_and_another_one_is_not() -> None:
    same = {"one": drawn_texts(7, 60), "two": drawn_texts(8, 60)}
    other = {"one": drawn_texts(7, 60), "three": drawn_texts(9, 60, words=400)}
    for paired in (False, True):
        options = {"paired": paired, "permutations": 199}
        assert all(c.noise for c in dy.measure(same, SEVERAL, **options).comparisons)
        found = dy.measure(other, "distinct:n=1", **options).comparisons[0]
        assert (found.best, found.corpus, found.noise) == ("three", "one", False)
        assert found.p >= 1 / 200 or not paired  # never 0: (b + 1) / (m + 1)


def test_pairs_are_exchanged_within_their_groups() -> None:
    """Two systems answer very different prompts; the second always repeats a word."""
    draw = np.random.default_rng(0)
    prompts = [f"p{i}" for i in range(12)]
    one = [[f"{p}-{i}" for i in range(int(draw.integers(4, 20)))] for p in prompts]
    two = [[*text[:-1], text[0]] for text in one]
    corpora = {
        name: dy.Corpus(texts, groups=prompts, name=name) for name, texts in (("one", one), ("two", two))
    }
    scores = dy.measure(corpora, "distinct:n=1", paired=True, permutations=500)
    found = {comparison.scope: comparison for comparison in scores.comparisons}
    assert "12 groups" in found["pooled"].test
    # Of 4,096 ways to exchange 12 pairs two are as extreme: p = 0.0005, seen in 500 draws as 1/501 or 2/501.
    assert found["within"].p <= 5 / 501
    assert found["pooled"].p <= 5 / 501


def test_by_splits_a_corpus_into_systems() -> None:
    scores = dy.measure(["a b", "c d", "a a"], "distinct:n=1", ids=["x", "x", "y"], by="system")
    assert [(score.corpus, score.value) for score in scores] == [("x", 1.0), ("y", 0.5)]
    with pytest.raises(dy.InputError, match="expected a field to split"):
        dy.measure(dy.Corpus(["a b"]), "distinct:n=1", by="system")
    with pytest.raises(dy.SpecError, match="both"):
        dy.measure("x.jsonl", by="a", id="b")


def test_lengths_that_drift_apart_are_said() -> None:
    scores = dy.measure({"short": [["a", "b"]] * 5, "long": [["a", "b", "c"]] * 5}, "distinct:n=1")
    assert all("Texts have 2.0 to 3.0 tokens on average" in " ".join(score.notes) for score in scores)


def test_holm_by_hand() -> None:
    # Sorted .01, .02, .03, .04 times 4, 3, 2, 1, made non-decreasing: .04, .06, .06, .06.
    assert holm([0.04, 0.01, math.nan, 0.03, 0.02]) == pytest.approx(
        [0.06, 0.04, math.nan, 0.06, 0.06], nan_ok=True
    )


@pytest.mark.parametrize("spec", ["distinct:n=1", "rarefied:n=1", "self_bleu:max_n=1"])
def test_under_no_difference_small_p_values_are_rare(spec: str) -> None:
    p_values = [
        dy.measure(
            {"one": uneven(2 * seed, 16), "two": uneven(2 * seed + 1, 16)},
            spec,
            paired=True,
            permutations=99,
        )
        .comparisons[0]
        .p
        for seed in range(60)
    ]
    # P(p ≤ 0.1) is 0.1; of 60 more than 13 have a chance of 1 in 200.
    assert sum(p <= 0.1 for p in p_values) <= 13


@pytest.mark.parametrize(("one", "two"), list(itertools.combinations(["few", "none", "enough"], 2)))
def test_too_little_to_test_is_no_error(one: str, two: str) -> None:
    corpora = {"few": [["a", "b"]], "none": [], "enough": drawn_texts(0, 10)}
    scores = dy.measure({name: corpora[name] for name in (one, two)}, ["distinct:n=1", "distinct:n=4"])
    assert len(scores) == 4
    assert all(comparison.noise is None for comparison in scores.comparisons)


def test_what_depends_on_the_number_of_texts_is_measured_on_as_many() -> None:
    """Self-BLEU grows with the number of texts, which must not make two samples of one source differ."""
    corpora = {"few": drawn_texts(10, 40), "many": drawn_texts(11, 240)}
    spec = "self_bleu:max_n=2,smoothing=epsilon"
    few, many = dy.measure(corpora, spec, sample="all")
    assert many.value > few.value + 0.05  # without correction, 240 texts seem less diverse
    scores = dy.measure(corpora, spec)
    assert scores.comparisons[0].noise
    assert abs(scores[1].value - scores[0].value) < 0.05
    assert scores[1].parts["sample"] == 40
    with_intervals = dy.measure(corpora, spec, interval=True)
    assert [score.parts["sample"] for score in with_intervals] == [20, 20]
    assert with_intervals.comparisons[0].noise


def test_large_corpora_are_measured_in_one_reading_each(monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = {"few": drawn_texts(10, 40), "many": drawn_texts(11, 240)}
    specs = ["distinct:n=1", "self_bleu"]
    in_memory = dy.measure(corpora, specs)
    monkeypatch.setattr("distinctly.run.measuring.TESTED_BELOW", -1)
    scores = dy.measure(corpora, specs)
    order = [(score.corpus, score.spec) for score in scores]
    assert order == [(score.corpus, score.spec) for score in in_memory]
    assert scores[2].value == pytest.approx(in_memory[2].value)  # Distinct of many, at 320 words
    assert all("not tested" in " ".join(score.notes) for score in scores)
    assert "number of texts" in " ".join(scores[1].notes)
    assert scores.comparisons == ()
