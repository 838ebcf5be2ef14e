"""Intervals, groups, several corpora and their differences, by `measure`."""

from __future__ import annotations

import itertools
import json
import math
from collections import Counter
from statistics import NormalDist, fmean, stdev

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import leaving_out as oracle

import distinctly as dy
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.diversity.base import SizedCounts
from distinctly.hashing import block_labels
from distinctly.run.comparing import _differences_on_curves
from distinctly.run.estimating import Estimator
from distinctly.run.resampling import BLOCKS, Units, exchanged, holm, p_values
from distinctly.statistics.pool import Pool
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS

Z = NormalDist().inv_cdf(0.975)
T19 = 2.093024054408263  # the 97.5 % quantile of t with 19 degrees of freedom, from a printed table: 2.093


def drawn_texts(seed: int, texts: int, words: int = 40, length: int = 8) -> list[list[str]]:
    """Draw texts from a small vocabulary, lower numbers more often."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, words + 1)
    return [[f"w{i}" for i in draw.choice(words, length, p=chances / chances.sum())] for _ in range(texts)]


def uneven(seed: int, texts: int, words: int = 40) -> list[list[str]]:
    """Draw texts of different lengths."""
    lengths = np.random.default_rng(seed).integers(2, 14, texts)
    return [text[:length] for text, length in zip(drawn_texts(seed, texts, words, 14), lengths)]


def value(texts: list[list[str]], spec: str, **options: object) -> float:
    """Return the plain value of a corpus."""
    return dy.measure(texts, spec, **options)[0].value


def without_each(texts: list[list[str]], spec: str) -> list[float]:
    """Return the values of a corpus without each of its texts."""
    return [value(texts[:place] + texts[place + 1 :], spec) for place in range(len(texts))]


class TestTheValueStaysPut:
    SPECS = (
        "distinct",
        "ead",
        "entropy:n=1",
        "self_bleu:max_n=2",
        "vendi:kernel=ngram",
        "mattr:window=5",
        "hill:q=2",
    )

    def test_whatever_is_beside_it(self) -> None:
        texts, groups = uneven(1, 30), [f"g{i % 6}" for i in range(30)]
        alone = {score.spec: score.value for score in dy.measure(texts, self.SPECS)}
        runs = {
            "interval": dy.measure(texts, self.SPECS, interval=True),
            "groups": dy.measure(texts, self.SPECS, groups=groups).select(scope="pooled"),
            "both": dy.measure(texts, self.SPECS, groups=groups, interval=True, seed=4).select(
                scope="pooled"
            ),
            "another corpus": dy.measure({"this": texts, "other": uneven(2, 90)}, self.SPECS).select(
                corpus="this"
            ),
            "two others": dy.measure(
                {"a": uneven(3, 12), "this": texts, "b": uneven(2, 90)}, self.SPECS, interval=True
            ).select(corpus="this"),
        }
        for name, scores in runs.items():
            plain = {score.spec: score.value for score in scores if "at" not in score.options}
            assert plain == alone, name

    def test_a_size_is_another_spec(self) -> None:
        small, large = uneven(1, 20), uneven(2, 60)
        tokens = sum(map(len, small))
        scores = dy.measure({"small": small, "large": large}, "distinct:n=1")
        spec = f"distinct:n=1,at={tokens},unit=text"
        assert [(score.corpus, score.spec) for score in scores] == [
            ("small", "distinct:n=1"),
            ("small", spec),
            ("large", "distinct:n=1"),
            ("large", spec),
        ]
        assert scores[3].value == value(large, f"distinct:n=1,at={tokens}")
        assert scores[1].value == pytest.approx(scores[0].value)  # all texts of the smallest corpus
        assert [comparison.metric for comparison in scores.comparisons] == [spec]
        assert f"|at:{tokens}|unit:text|" in scores[3].signature

    def test_equal_sizes_need_no_other_spec(self) -> None:
        scores = dy.measure(
            {"a": drawn_texts(1, 20), "b": drawn_texts(2, 20)}, ["distinct:n=1", "self_bleu:max_n=2"]
        )
        assert {score.spec for score in scores} == {"distinct:n=1", "self_bleu:max_n=2"}
        assert len(scores.comparisons) == 2

    def test_too_small_to_be_compared_at_one_size(self) -> None:
        scores = dy.measure({"small": uneven(1, 9), "large": uneven(2, 60)}, "distinct:n=1")
        assert [score.spec for score in scores] == ["distinct:n=1"] * 2
        assert scores.comparisons == ()
        assert all("too small to be compared at one size" in " ".join(score.notes) for score in scores)
        # Ten texts are enough: 80 tokens are also ten of the 60 texts of 8 tokens.
        enough = dy.measure({"small": drawn_texts(1, 10), "large": drawn_texts(2, 60)}, "distinct:n=1")
        assert [comparison.metric for comparison in enough.comparisons] == ["distinct:n=1,at=80,unit=text"]


class TestAtASize:
    def test_closed_form_by_hand(self) -> None:
        # 12 texts "x y_i": x is in all of them, each y in one. 18 tokens of 24 are 9 texts... fewer than 10.
        texts = [["x", f"y{i}"] for i in range(12)]
        few = dy.measure(texts, "distinct:n=1,at=18")[0]
        assert few.undefined == "at=18 draws 9 texts on average, fewer than 10: choose a larger size."
        # 21 tokens are 10.5 texts: 1 + 10.5 types.
        score = dy.measure(texts, "distinct:n=1,at=21")[0]
        assert score.value == pytest.approx(11.5 / 21)
        assert score.parts["drawn_texts"] == 10.5
        assert value(texts, "types:n=1,at=21") == pytest.approx(11.5)
        vocabulary = 100 * (1 - 0.99**21)
        assert value(texts, "ead:vocabulary=100,at=21") == pytest.approx(11.5 / vocabulary)
        # With n = 2 there are 12 bigrams of 24 tokens: at 11 bigrams the denominator is 22 tokens.
        assert value(texts, "distinct:n=2,denominator=tokens,at=11") == pytest.approx(11 / 22)

    def test_larger_than_the_corpus(self) -> None:
        score = dy.measure(drawn_texts(0, 12), "distinct:n=1,at=97")[0]  # 12 · 8 = 96 tokens
        assert score.undefined == "there are 96 tokens, fewer than at=97: choose a smaller size."
        texts = dy.measure(drawn_texts(0, 12), "self_bleu:at=13texts")[0]
        assert texts.undefined == "there are 12 texts, fewer than at=13texts: choose a smaller size."

    @pytest.mark.parametrize(
        "spec", ["entropy:n=1", "hill:q=2", "chao1", "coverage", "ead:vocabulary=chao1", "yule:pool=corpus"]
    )
    def test_without_a_closed_form_it_is_a_mean_over_draws(self, spec: str) -> None:
        texts = uneven(5, 40)
        tokens = sum(map(len, texts))
        join = "," if ":" in spec else ":"
        score = dy.measure(texts, f"{spec}{join}at={tokens // 2},draws=200")[0]
        # 20 of 40 texts, drawn here by another generator; 400 draws each.
        draw = np.random.default_rng(9)
        values = [value([texts[i] for i in draw.permutation(40)[:20]], spec) for _ in range(400)]
        error = stdev(values) * math.sqrt(1 / 400 + 1 / 200)
        assert abs(score.value - fmean(values)) < 4.5 * error
        assert score.value != value(texts, f"{spec}{join}at={tokens // 2},draws=200,seed=1")

    def test_all_texts_are_drawn_once(self) -> None:
        texts = uneven(5, 40)
        assert value(texts, f"entropy:n=1,at={sum(map(len, texts))}") == value(texts, "entropy:n=1")
        assert value(texts, "self_bleu:max_n=2,at=40texts") == value(texts, "self_bleu:max_n=2")

    def test_groups_are_drawn_as_a_whole(self) -> None:
        # In each of 20 groups both texts are the same: 10 groups have 10 types, 20 random texts more.
        texts = [[f"w{i // 2}"] for i in range(40)]
        groups = [f"g{i // 2}" for i in range(40)]
        scores = dy.measure(texts, ["types:n=1,at=20", "types:n=1,at=20,unit=text"], groups=groups)
        pooled = [score for score in scores if score.scope == "pooled"]
        assert [score.spec for score in pooled] == ["types:n=1,at=20,unit=group", "types:n=1,at=20,unit=text"]
        # A word is missing in 20 of 40 texts with probability C(38, 20) / C(40, 20) = 20 · 19 / (40 · 39).
        assert [score.value for score in pooled] == pytest.approx([10, 20 * (1 - 20 * 19 / (40 * 39))])
        assert {score.scope for score in scores} == {"across", "pooled"}  # within groups there is no size

    @pytest.mark.parametrize(
        ("spec", "message"),
        [
            ("distinct:n=1,pool=text,at=9", "does not depend on the size of the corpus"),
            ("ttr:at=9", "does not depend on the size of the corpus"),
            ("distinct:n=1,at=9texts", "a number of n-grams, as in at=20000"),
            ("vendi:at=9", "a number of texts, as in at=400texts"),
            ("vendi:at=0texts", "a number of texts, as in at=400texts"),
            ("distinct:n=1,at=0", "at least 1"),
            ("self_bleu:mode=pairwise,at=9texts", "does not depend on the size of the corpus"),
            ("rarefied:n=1", "Expected option 'sample' of 'rarefied'"),
            ("rarefied:n=1,sample=common", "whole number"),
        ],
    )
    def test_refusals(self, spec: str, message: str) -> None:
        with pytest.raises(dy.SpecError, match=message):
            dy.measure(["a b"], spec)

    def test_groups_are_required_for_groups(self) -> None:
        for spec in ("distinct:n=1,at=9,unit=group", "entropy:n=1,at=9,unit=group"):
            with pytest.raises(dy.InputError, match="unit=group needs groups"):
                dy.measure(["a b"] * 20, spec)


class TestIntervals:
    @pytest.mark.parametrize(
        "spec", ["distinct:n=2", "entropy:n=1", "chao1", "coverage", "hill:q=2", "ead", "simpson:pool=corpus"]
    )
    def test_leave_one_text_out(self, spec: str) -> None:
        texts = uneven(3, 25)
        score = dy.measure(texts, spec, interval=True)[0]
        half = Z * oracle.standard_error(without_each(texts, spec))
        low, high = dy.metric(spec).bounds
        assert score.value == value(texts, spec)
        assert score.low == pytest.approx(max(score.value - half, low), rel=1e-9)
        assert score.high == pytest.approx(min(score.value + half, high), rel=1e-9)

    def test_a_mean_over_texts_has_the_error_of_a_mean(self) -> None:
        texts = uneven(0, 60)
        score = dy.measure(texts, "distinct:n=1,pool=text", interval=True)[0]
        values = [len(set(text)) / len(text) for text in texts]
        assert score.high - score.value == pytest.approx(Z * stdev(values) / math.sqrt(60))

    def test_groups_are_left_out_as_a_whole(self) -> None:
        texts, groups = uneven(4, 30), [f"g{i % 7}" for i in range(30)]
        names = sorted(set(groups))
        for spec in ("distinct:n=1", "entropy:n=2", "ttr"):
            score = dy.measure(texts, spec, groups=groups, interval=True).select(scope="pooled")[0]
            others = [[text for text, group in zip(texts, groups) if group != name] for name in names]
            half = Z * oracle.standard_error([value(rest, spec) for rest in others])
            assert score.high - score.value == pytest.approx(half)

    def test_a_mean_over_groups_has_the_error_of_a_mean(self) -> None:
        texts, groups = uneven(4, 40), [f"g{i % 8}" for i in range(40)]
        score = dy.measure(texts, "distinct:n=1", groups=groups, interval=True).select(scope="within")[0]
        values = [
            value([text for text, group in zip(texts, groups) if group == name], "distinct:n=1")
            for name in sorted(set(groups))
        ]
        assert score.value == pytest.approx(fmean(values))
        assert score.high - score.value == pytest.approx(Z * stdev(values) / math.sqrt(8))

    def test_one_text_per_group_is_left_out_of_each_draw(self) -> None:
        # Two equal texts per group, so that every draw of one text per group is the same corpus.
        one_each = uneven(6, 12)
        texts, groups = (
            [text for text in one_each for _ in range(2)],
            [f"g{i:02}" for i in range(12) for _ in range(2)],
        )
        score = dy.measure(texts, "distinct:n=1", groups=groups, interval=True).select(scope="across")[0]
        assert score.value == pytest.approx(value(one_each, "distinct:n=1"))
        half = Z * oracle.standard_error(without_each(one_each, "distinct:n=1"))
        assert score.high - score.value == pytest.approx(half)

    def test_without_a_closed_form_blocks_are_left_out(self) -> None:
        # With 12 texts, each text is a block, and t has 11 degrees of freedom: 2.201 in a printed table.
        texts = drawn_texts(7, 12)
        score = dy.measure(texts, "self_bleu:max_n=1", interval=True)[0]
        error = oracle.standard_error(without_each(texts, "self_bleu:max_n=1"))
        assert (score.high - score.value) / error == pytest.approx(2.20098516, rel=1e-6)

    def test_blocks_are_of_equal_size_and_split_copies(self) -> None:
        texts = ["a b c d"] * 30 + [f"x{i} y{i} z{i} u{i}" for i in range(13)]
        keys = np.random.default_rng(0).integers(0, 2**63, 43).astype(np.uint64)
        sizes = Counter(block_labels(keys, BLOCKS).tolist())
        assert sorted(sizes) == list(range(20))
        assert set(sizes.values()) == {2, 3}
        # Were all copies in one block, duplicates would fall to 0 without it, and the error were huge.
        score = dy.measure(texts, "duplicates", interval=True)[0]
        exact = math.sqrt(30 / 43 * 13 / 43 / 43)  # as if each text were a repetition or not by chance
        assert (score.high - score.value) / T19 < 2.5 * exact

    def test_draws_have_the_error_of_the_corpus_and_of_the_draws(self) -> None:
        # 200 corpora of 60 texts from one source: the deviation of the value at 15 of the 60 texts, and the
        # mean of its standard error, from intervals of t with 19 degrees of freedom.
        spec = "entropy:n=1,at=120"  # 15 texts of 8 tokens
        scores = [
            dy.measure(drawn_texts(1000 + i, 60, words=200), spec, interval=True)[0] for i in range(200)
        ]
        deviation = stdev(score.value for score in scores)
        errors = [(score.high - score.value) / T19 for score in scores]
        # With m/(n−m) = 1/3 inverted, the error would be 2.7 times as large; without 1/20, 7 % smaller.
        assert 0.8 < math.sqrt(fmean(error**2 for error in errors)) / deviation < 1.25

    def test_texts_are_drawn_from_groups_on_request(self) -> None:
        texts, groups = uneven(1, 60), [f"g{i // 3}" for i in range(60)]
        spec = "entropy:n=1,at=300,unit=text"
        grouped = dy.measure(texts, spec, groups=groups, interval=True).select(scope="pooled")[0]
        alone = dy.measure(texts, spec, interval=True)[0]
        assert (grouped.value, grouped.low, grouped.high) == (alone.value, alone.low, alone.high)
        across = dy.measure(texts, "entropy:n=1,at=100,unit=text", groups=groups, interval=True)[0]
        assert across.scope == "across"
        assert across.low < across.value < across.high

    def test_nearly_all_texts_have_the_error_of_all(self) -> None:
        texts = drawn_texts(1, 40)
        at, plain = (
            dy.measure(texts, spec, interval=True)[0] for spec in ("entropy:n=1,at=310", "entropy:n=1")
        )
        assert at.high - at.value == pytest.approx(plain.high - plain.value)  # 39 of 40 texts are drawn

    def test_part_of_a_population_has_a_narrower_interval(self) -> None:
        texts = drawn_texts(0, 60)
        wide, narrow = (
            dy.measure(texts, "distinct:n=1", interval=True, population=population)[0]
            for population in (None, 120)
        )
        assert narrow.high - narrow.low == pytest.approx((wide.high - wide.low) * math.sqrt(0.5))
        with pytest.raises(dy.SpecError, match="number of texts or groups, 60"):
            dy.measure(texts, "distinct:n=1", interval=True, population=59)

    def test_the_usual_bootstrap_excludes_its_own_value_and_ours_does_not(self) -> None:
        texts = drawn_texts(2, 100, words=400)
        draw = np.random.default_rng(0)
        again = [value([texts[i] for i in draw.integers(0, 100, 100)], "distinct:n=1") for _ in range(200)]
        score = dy.measure(texts, "distinct:n=1", interval=True)[0]
        assert np.quantile(again, 0.975) < score.value
        assert score.low < score.value < score.high

    def test_no_seed_where_nothing_is_drawn(self) -> None:
        texts = uneven(1, 30)
        first, second = (
            dy.measure(texts, ["distinct:n=1", "self_bleu:max_n=2"], interval=True, seed=seed)
            for seed in (0, 1)
        )
        assert [score.to_dict() for score in first] == [score.to_dict() for score in second]
        assert not any("seed" in score.signature for score in first)

    def test_without_any_spread_the_rule_of_three_holds(self) -> None:
        # No text shares a 4-gram with another, so Self-BLEU is 0 without any of them. Of 60 texts, up to 3
        # may be different in another sample, and each has a Self-BLEU of 1 at most: 3/60.
        texts = [[f"{word}{i}" for word in "abcd"] for i in range(60)]
        score = dy.measure(texts, "self_bleu", interval=True)[0]
        assert (score.low, score.high) == (0.0, pytest.approx(3 / 60))
        assert any("rule of three" in note for note in score.notes)
        unbounded = dy.measure(texts, "types:n=1", interval=True)[0]
        assert unbounded.low is None
        assert any(note.startswith("No interval: all texts contribute equally") for note in unbounded.notes)

    @pytest.mark.parametrize("texts", [[], [["a", "b"]], [["a"], ["b"], ["c", "a"]]])
    def test_too_few_texts_have_none(self, texts: list[list[str]]) -> None:
        score = dy.measure(texts, "distinct:n=1", interval=True)[0]
        assert score.low is score.high is None
        assert not texts or "No interval: it needs at least 4 texts" in " ".join(score.notes)

    def test_undefined_without_some_texts(self) -> None:
        score = dy.measure([["a", "b"], ["a"], ["a"], ["b"]], "distinct:n=2", interval=True)[0]
        assert score.value == 1
        assert score.low is None
        assert "No interval: without some of the texts" in " ".join(score.notes)


@given(order=st.permutations(range(12)), seed=st.integers(0, 3))
def test_no_order_changes_a_score(order: list[int], seed: int) -> None:
    texts = uneven(3, 12)
    names = [f"g{i % 4}" for i in range(12)]
    specs = ["distinct:n=1", "entropy:n=2", "entropy:n=1,at=80,unit=text", "self_bleu:max_n=1"]
    expected = dy.measure(texts, specs, groups=names, interval=True, seed=seed)
    shuffled = dy.measure(
        [texts[i] for i in order], specs, groups=[names[i] for i in order], interval=True, seed=seed
    )
    assert [score.to_dict() for score in shuffled] == [score.to_dict() for score in expected]


class TestGroups:
    def test_three_scopes(self) -> None:
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
        assert all("|groups:2#" in score.signature for score in scores)
        assert "|scope:within|" in scores[0].signature
        assert "|scope:across|draws:20|seed:0|" in scores[1].signature

    def test_one_text_per_group_has_one_scope(self) -> None:
        scores = dy.measure(["a b", "a b", "c d"], ["distinct:n=1", "ttr"], groups=["x", "y", "z"])
        assert [(score.spec, score.scope) for score in scores] == [
            ("distinct:n=1", "pooled"),
            ("ttr", "pooled"),
        ]

    def test_groups_of_one_text_and_of_unequal_size_are_said(self) -> None:
        scores = dy.measure(["a b", "a b", "c d"], "distinct:n=1", groups=["x", "x", "y"])
        notes = " ".join(scores[0].notes)
        assert "1 of 2 groups have one text" in notes
        assert "from 1 to 2 texts" in notes

    def test_groups_without_a_value_are_left_out_and_said(self) -> None:
        scores = dy.measure(["a b", "a b", "c"], "distinct:n=2", groups=["x", "x", "y"])
        assert scores[0].value == 0.5  # one of two bigrams; y has none
        assert scores[0].parts["undefined_groups"] == 1
        assert "1 of 2 groups have no value" in " ".join(scores[0].notes)
        nothing = dy.measure(["a", "b", "c"], "distinct:n=2", groups=["x", "y", "y"])[0]
        assert math.isnan(nothing.value)
        assert nothing.undefined.startswith("no group has a value.")

    def test_the_mean_within_groups_is_that_of_pool_group(self) -> None:
        texts, names = drawn_texts(4, 30), [f"g{i % 7}" for i in range(30)]
        for spec in ("distinct:n=2", "entropy:n=1", "ead", "hill:q=2"):
            within = dy.measure(texts, spec, groups=names).select(scope="within")[0]
            joined = f"{spec},pool=group" if ":" in spec else f"{spec}:pool=group"
            of_groups = dy.measure(texts, joined, groups=names, interval=True)[0]
            assert within.value == pytest.approx(of_groups.value, rel=1e-12)
            alone = dy.measure(texts, spec, groups=names, interval=True).select(scope="within")[0]
            assert of_groups.high == pytest.approx(alone.high)


def systems(
    first: list[list[str]], second: list[list[str]], prompts: list[str], missing: int = 0
) -> dict[str, object]:
    """Return two systems that answer prompts; the second lacks some of them."""
    return {
        "first": dy.Corpus(first, groups=prompts, name="first"),
        "second": dy.Corpus(second[missing:], groups=prompts[missing:], name="second"),
    }


def normal_p(difference: float, error: float) -> float:
    """Return the two-sided p-value of a difference with a standard error."""
    return 2 * NormalDist().cdf(-abs(difference) / error)


class TestDifferences:
    def test_independent_corpora(self) -> None:
        first, second = drawn_texts(1, 20), drawn_texts(2, 20, words=60)
        comparison = dy.measure({"first": first, "second": second}, "distinct:n=1").comparisons[0]
        errors = [oracle.standard_error(without_each(texts, "distinct:n=1")) for texts in (first, second)]
        assert comparison.p == pytest.approx(normal_p(comparison.difference, math.hypot(*errors)))
        assert (comparison.best, comparison.corpus) == ("second", "first")
        assert comparison.difference == pytest.approx(
            value(first, "distinct:n=1") - value(second, "distinct:n=1")
        )

    @pytest.mark.parametrize("missing", [0, 1, 5])
    def test_paired_and_partly_paired_systems(self, missing: int) -> None:
        # Σ (a_g − b_g)², with a_g = √((n−1)/n) · (T without g − their mean), and 0 where a system lacks g.
        prompts = [f"p{i:02}" for i in range(20)]
        first = drawn_texts(1, 20)
        second = [[*text[:-1], text[0]] for text in drawn_texts(1, 20)]
        spec = "distinct:n=1,pool=text"
        scores = dy.measure(systems(first, second, prompts, missing), spec)
        influences = []
        for texts, start in ((first, 0), (second[missing:], missing)):
            values = np.array(without_each(texts, spec))
            scaled = math.sqrt((len(values) - 1) / len(values)) * (values - values.mean())
            influences.append(np.concatenate([np.zeros(start), scaled]))
        error = math.sqrt(((influences[0] - influences[1]) ** 2).sum())
        comparison = scores.comparisons[0]
        assert comparison.p == pytest.approx(normal_p(comparison.difference, error), rel=1e-6)

    def test_one_missing_prompt_does_not_unpair_the_others(self) -> None:
        """Prompts differ much, systems little: only in pairs can the difference be seen."""
        draw = np.random.default_rng(0)
        prompts = [f"p{i:03}" for i in range(60)]
        first = [[f"{p}-{i}" for i in range(int(draw.integers(4, 40)))] for p in prompts]
        second = [[*text[:-1], text[0]] for text in first]
        for missing in (0, 1):
            corpora = systems(first, second, prompts, missing)
            comparisons = dy.measure(corpora, "distinct:n=1").comparisons
            assert [comparison.noise for comparison in comparisons] == [False], missing

    def test_blocks_of_shared_groups_are_paired(self) -> None:
        prompts = [f"p{i:02}" for i in range(40)]
        first = drawn_texts(1, 40, length=12)
        second = [[*text[:-1], f"new{i}"] for i, text in enumerate(first)]
        spec = "self_bleu:max_n=1"
        paired = dy.measure(systems(first, second, prompts), spec).comparisons[0]
        independent = dy.measure({"first": first, "second": second}, spec).comparisons[0]
        assert paired.difference == pytest.approx(independent.difference)
        assert paired.p < independent.p / 10

    def test_the_family_is_all_pairs_and_metrics(self) -> None:
        corpora = {name: drawn_texts(seed, 24) for seed, name in enumerate("abcd")}
        specs = ["distinct:n=1", "entropy:n=1"]
        scores = dy.measure(corpora, specs)
        # 6 pairs of 4 corpora, 2 metrics: every pair is measured here in a run of its own.
        p_values = [
            comparison.p
            for first, second in itertools.combinations("abcd", 2)
            for comparison in dy.measure({name: corpora[name] for name in (first, second)}, specs).comparisons
        ]
        assert len(p_values) == 12
        corrected = dict(zip(np.round(p_values, 12), holm(p_values)))
        for comparison in scores.comparisons:
            assert comparison.p_holm == pytest.approx(corrected[np.round(comparison.p, 12)])
            assert comparison.family == 12
        assert len(scores.comparisons) == 6  # three others per metric

    def test_the_p_values_are_with_the_scores(self) -> None:
        scores = dy.measure(
            {"a": drawn_texts(1, 20), "b": drawn_texts(2, 60), "c": drawn_texts(3, 25)}, "distinct:n=1"
        )
        for comparison in scores.comparisons:
            (score,) = (
                score
                for score in scores
                if (score.corpus, score.spec) == (comparison.corpus, comparison.metric)
            )
            assert (score.test.p, score.test.p_holm) == (comparison.p, comparison.p_holm)
            record = score.to_record()
            assert (record["p"], record["p_holm"]) == (comparison.p, comparison.p_holm)
        documented = json.loads(json.dumps(scores.to_dict()))["comparisons"][0]
        assert {"metric", "scope", "best", "corpus", "difference", "p", "p_holm"} <= documented.keys()

    def test_the_same_source_twice_is_within_noise_and_another_one_is_not(self) -> None:
        specs = ["distinct:n=1", "entropy:n=1", "self_bleu:max_n=2", "mattr:window=5"]
        same = {"one": drawn_texts(7, 60), "two": drawn_texts(8, 60)}
        other = {"one": drawn_texts(7, 60), "three": drawn_texts(9, 60, words=400)}
        for paired in (False, True):
            options = {"paired": paired, "permutations": 199}
            assert all(c.noise for c in dy.measure(same, specs, **options).comparisons)
            comparison = dy.measure(other, "distinct:n=1", **options).comparisons[0]
            assert (comparison.best, comparison.corpus, comparison.noise) == ("three", "one", False)
            assert comparison.p >= 1 / 200 or not paired  # never 0: (b + 1) / (m + 1)

    def test_size_alone_is_no_difference(self) -> None:
        """Self-BLEU grows, and Distinct falls, with the number of texts of one source."""
        corpora = {"few": drawn_texts(10, 40), "many": drawn_texts(11, 240)}
        specs = ["self_bleu:max_n=2,smoothing=epsilon", "distinct:n=1", "entropy:n=1"]
        scores = dy.measure(corpora, specs)
        plain = {(score.spec, score.corpus): score.value for score in scores if "at" not in score.options}
        assert plain[specs[0], "many"] > plain[specs[0], "few"] + 0.05
        assert plain[specs[1], "many"] < plain[specs[1], "few"] / 2
        assert [comparison.metric.partition("at=")[2] for comparison in scores.comparisons] == [
            "40texts,unit=text",
            "320,unit=text",
            "320,unit=text",
        ]
        assert all(comparison.noise for comparison in scores.comparisons)

    def test_equal_values_without_any_error_are_equal(self) -> None:
        # 30 and 32 copies of one text: at one size nothing varies, and rounding must not make a difference.
        corpora = {"a": [["x", "y", "z"]] * 30, "b": [["u", "v", "w"]] * 32}
        scores = dy.measure(corpora, ["types:n=1", "entropy:n=1"])
        assert [comparison.p for comparison in scores.comparisons] == [1.0, 1.0]

    @pytest.mark.parametrize(("one", "two"), list(itertools.combinations(["few", "none", "enough"], 2)))
    def test_too_little_to_test_is_no_error(self, one: str, two: str) -> None:
        corpora = {"few": [["a", "b"]], "none": [], "enough": drawn_texts(0, 10)}
        scores = dy.measure({name: corpora[name] for name in (one, two)}, ["distinct:n=1", "distinct:n=4"])
        assert len(scores) == 4
        assert all(comparison.noise is None for comparison in scores.comparisons)


class TestExchanging:
    def test_pairs_are_exchanged_within_their_groups(self) -> None:
        """Two systems answer very different prompts; the second always repeats a word."""
        draw = np.random.default_rng(0)
        prompts = [f"p{i}" for i in range(12)]
        first = [[f"{p}-{i}" for i in range(int(draw.integers(4, 20)))] for p in prompts]
        second = [[*text[:-1], text[0]] for text in first]
        scores = dy.measure(systems(first, second, prompts), "distinct:n=1", paired=True, permutations=500)
        comparison = scores.comparisons[0]
        assert "12 groups" in comparison.test
        # Of 4,096 ways to exchange 12 pairs two are as extreme: p = 0.0005, in 500 draws 1/501 or 2/501.
        assert comparison.p <= 5 / 501

    def test_values_of_groups_are_exchanged_within(self) -> None:
        prompts = [f"p{i // 2}" for i in range(24)]
        first = [[f"{p}-{i}" for i in range(6)] for p in prompts]
        second = [[*text[:-1], text[0]] for text in first]
        scores = dy.measure(systems(first, second, prompts), "distinct:n=1", paired=True, permutations=500)
        within = next(comparison for comparison in scores.comparisons if comparison.scope == "within")
        assert "values exchanged within 12 groups" in within.test
        assert within.p <= 5 / 501
        # Without some prompts on one side, the test is that of the errors, which needs no pairs.
        partly = dy.measure(systems(first, second, prompts, 2), "distinct:n=1", paired=True, permutations=500)
        errors = dy.measure(systems(first, second, prompts, 2), "distinct:n=1")
        assert [(each.test, each.p) for each in partly.comparisons if each.scope == "within"] == [
            (each.test, each.p) for each in errors.comparisons if each.scope == "within"
        ]

    def test_the_test_is_of_the_numbers_shown(self) -> None:
        """Corpora of unequal size are exchanged at the size of the smaller one."""
        corpora = {"few": uneven(1, 20), "many": uneven(2, 60)}
        scores = dy.measure(corpora, "distinct:n=1", paired=True, permutations=199)
        comparison = scores.comparisons[0]
        assert "at=" in comparison.metric
        assert comparison.exchanged
        plain = dy.measure(corpora, "distinct:n=1").comparisons[0]
        assert comparison.difference == plain.difference
        assert comparison.p == pytest.approx(plain.p, abs=0.15)

    def test_several_corpora_need_enough_permutations(self) -> None:
        corpora = {name: drawn_texts(seed, 12) for seed, name in enumerate("abcde")}
        # 3 pairs, 2 metrics: 6 comparisons, so p must be below 0.05 / 6 = 1/120; 1 / (m + 1) is the least.
        corpora |= {"a": drawn_texts(9, 12, words=5)}
        few = {name: corpora[name] for name in "abc"}
        specs = ["distinct:n=1", "distinct:n=2"]
        with pytest.raises(dy.SpecError, match="for 6 comparisons .* --permutations 120"):
            dy.measure(few, specs, paired=True, permutations=119)
        enough = dy.measure(few, specs, paired=True, permutations=120).comparisons
        assert min(comparison.p_holm for comparison in enough) == pytest.approx(6 / 121)
        two = {name: corpora[name] for name in "ab"}
        assert dy.measure(two, "distinct", paired=True, permutations=9).comparisons

    def test_differences_at_one_size_are_free_of_the_size_of_units(self) -> None:
        # 39 of 40 texts are drawn, so the error is that of leaving texts out. Without text i, the corpus has
        # C_i tokens less; on average a text adds `growth`, so C_i tokens add growth · C_i / mean(C).
        texts = uneven(3, 40)
        sizes = np.array([len(text) for text in texts], np.float64)
        pool = Pool(Rows(Batch.of(texts), RunConfig()))
        estimator = Estimator.of_all(pool, Units.of(pool, np.arange(40), WORDS), lambda error, _: error)
        size = int(sizes.sum() * 39 / 40)
        estimate = estimator.estimate(dy.Entropy(n=1, at=size, unit="text"))
        left_out = np.array(without_each(texts, "entropy:n=1"))
        growth = value(texts, "entropy:n=1") - left_out.mean()
        at_size = left_out + growth * sizes / sizes.mean()
        spread = math.sqrt(estimate.error**2 - estimate.noise**2)
        assert spread == pytest.approx(oracle.standard_error(at_size.tolist()))
        assert estimate.interval_error == pytest.approx(oracle.standard_error(left_out.tolist()))

    def test_draws_keep_the_test_of_leaving_out(self) -> None:
        corpora = {"few": uneven(1, 20), "many": uneven(2, 60)}
        exchanged, left_out = (
            dy.measure(corpora, ["distinct:n=1", "entropy:n=1"], paired=paired, permutations=99).comparisons
            for paired in (True, False)
        )
        assert [comparison.exchanged for comparison in exchanged] == [True, False]
        assert exchanged[1].p == left_out[1].p

    def test_ties_count(self) -> None:
        # Each system has 6 answers of one word and 6 of two: every exchange is the same, so p is 1.
        prompts = [f"p{i:02}" for i in range(12)]
        texts = [["x", "y"][: 1 + i % 2] for i in range(12)]
        scores = dy.measure(systems(texts, texts, prompts), "distinct:n=1", paired=True, permutations=50)
        assert scores.comparisons[0].p == 1.0

    @pytest.mark.parametrize("spec", ["distinct:n=1", "rarefied:n=1,sample=20", "mattr:window=2"])
    def test_under_no_difference_small_p_values_are_rare(self, spec: str) -> None:
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


def test_by_splits_a_corpus_into_systems() -> None:
    scores = dy.measure(["a b", "c d", "a a"], "distinct:n=1", ids=["x", "x", "y"], by="system")
    assert [(score.corpus, score.value) for score in scores] == [("x", 1.0), ("y", 0.5)]
    with pytest.raises(dy.InputError, match="expected a field to split"):
        dy.measure(dy.Corpus(["a b"]), "distinct:n=1", by="system")
    with pytest.raises(dy.SpecError, match="both"):
        dy.measure("x.jsonl", by="a", id="b")


def test_p_values_by_hand() -> None:
    # Of 4 exchanges, 2 are as far as 3.0 (a tie and a larger one) and one has no value, which counts as far.
    exchanges = np.array([[3.0], [1.0], [3.0], [math.nan], [4.0]])
    assert p_values(exchanges).tolist() == [(3 + 1) / (4 + 1)]
    # A difference within a millionth of the largest value is a tie.
    assert p_values(np.array([[3.0], [3.0 - 2e-6], [3.0 - 5e-6]])).tolist() == [(1 + 1) / (2 + 1)]
    assert math.isnan(p_values(np.array([[math.nan], [1.0], [2.0]]))[0])


def test_holm_by_hand() -> None:
    # Sorted .01, .02, .03, .04 times 4, 3, 2, 1, made non-decreasing: .04, .06, .06, .06.
    assert holm([0.04, 0.01, math.nan, 0.03, 0.02]) == pytest.approx(
        [0.06, 0.04, math.nan, 0.06, 0.06], nan_ok=True
    )
    assert holm([0.6, 0.9]) == [1.0, 1.0]  # a probability is at most 1


def test_large_corpora_are_measured_in_one_reading_each(monkeypatch: pytest.MonkeyPatch) -> None:
    corpora = {"few": drawn_texts(10, 40), "many": drawn_texts(11, 240)}
    specs = ["distinct:n=1", "self_bleu", "distinct:n=1,at=320"]
    in_memory = dy.measure(corpora, specs)
    monkeypatch.setattr("distinctly.run.measuring.TESTED_BELOW", -1)
    scores = dy.measure(corpora, specs)
    assert [(score.corpus, score.spec) for score in scores] == [
        (name, spec)
        for name in corpora
        for spec in ("distinct:n=1", "self_bleu", "distinct:n=1,at=320,unit=text")
    ]
    for score in scores:
        (same,) = (each for each in in_memory if (each.corpus, each.spec) == (score.corpus, score.spec))
        assert score.value == pytest.approx(same.value)
        assert "not tested" in " ".join(score.notes)
    unequal = ["The corpora differ in size" in " ".join(score.notes) for score in scores]
    assert unequal == [True, True, False] * 2
    assert scores.comparisons == ()


@pytest.mark.parametrize(
    "spec",
    [
        "distinct:n=1",
        "distinct:n=2,denominator=tokens",
        "ead",
        "types:n=1",
        "distinct:n=1,at=100",
        "maas:pool=corpus",
    ],
)
@pytest.mark.parametrize("grouping", ["no", "one text each", "several texts each"])
def test_differences_of_exchanged_texts_are_those_of_their_scores(spec: str, grouping: str) -> None:
    texts = [*uneven(1, 30), *uneven(2, 24, words=20), [], ["w1"]]
    names = {
        "no": None,
        "one text each": [f"g{place % 30}" for place in range(len(texts))],
        "several texts each": [f"g{place % 20}" for place in range(len(texts))],
    }[grouping]
    pool = Pool(Rows(Batch.of(texts, groups=names)))
    first, second = (Units.of(pool, rows, WORDS) for rows in np.split(np.arange(len(texts)), [30]))
    pairs = list(exchanged(first, second, 40, np.random.default_rng(0)))
    metric = dy.metric(spec).reading(WORDS)
    assert isinstance(metric, SizedCounts)
    differences = list(_differences_on_curves(metric, pool, iter(pairs)))

    def by_scores(pair: tuple[np.ndarray, np.ndarray]) -> float:
        n = metric.ngram_size or 1
        ngrams = np.maximum(pool.view(WORDS).lengths - (n - 1), 0)
        size = min(int(ngrams[rows].sum()) for rows in pair)
        size = size if metric.at is None else min(size, metric.size)
        sized = metric.sized_to(max(size, 1), "text" if names is None else "group")
        values = [sized.score_from(pool.select(rows)).value for rows in pair]
        return abs(values[0] - values[1])

    assert not np.isnan(differences).all()
    np.testing.assert_array_equal(differences, [by_scores(pair) for pair in pairs])
