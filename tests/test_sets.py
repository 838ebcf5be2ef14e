"""Named sets of metrics: what they measure, of which texts, and how they say so."""

from __future__ import annotations

import math

import numpy as np
import pytest

import distinctly as dy
from distinctly.sets import SETS, specs_in

ANSWERS = [
    "Paris.",
    "It is Paris.",
    "London, surely.",
    "Cats sleep.",
    "They hunt mice.",
    "Cats purr at night.",
]
PROMPTS = ["What is the capital?"] * 3 + ["What do cats do?"] * 3
# 12 words, so that 400 texts of 9 words repeat most of them.
WORDS = ["the", "a", "cat", "dog", "sat", "ran", "on", "under", "mat", "log", "big", "small"]


def words_of(number: int) -> str:
    return " ".join(WORDS[(number * step + number // 7) % len(WORDS)] for step in range(1, 10))


@pytest.fixture(scope="module")
def many() -> list[str]:
    """More texts than a set embeds, compresses or compares."""
    return [f"{words_of(number)} {number}" for number in range(5_200)]


def specs(scores: dy.Scores) -> list[str]:
    return list(dict.fromkeys(score.spec for score in scores))


@pytest.mark.parametrize("name", SETS)
def test_each_set_is_measured(name: str) -> None:
    scores = dy.measure(ANSWERS, name)
    assert specs(scores)
    wanted = {spec.partition(":")[0] for spec in specs_in(name)}
    assert {spec.partition(":")[0] for spec in specs(scores)} <= wanted


def test_families_have_the_metrics_that_they_are_named_after() -> None:
    assert {"vendi", "dispersion", "chamfer", "answers", "magnitude"} <= set(specs_in("content"))
    assert {"distinct", "ead", "entropy", "chao1"} <= set(specs_in("lexical"))
    assert {"self_bleu", "compression", "duplicates", "homogenization"} <= set(specs_in("repetition"))
    assert {"ttr", "mtld", "hdd", "vocd"} <= set(specs_in("richness"))
    families = [set(specs_in(name)) for name in ("content", "lexical", "repetition", "richness")]
    assert not any(first & second for first in families for second in families if first is not second)
    assert set().union(*families) <= set(specs_in("all"))


def test_a_set_and_single_metrics_together() -> None:
    assert specs(dy.measure(ANSWERS, ["repetition", "vendi"])) == [*specs_in("repetition"), "vendi"]


def test_a_set_has_no_options_and_a_distance_is_in_none() -> None:
    with pytest.raises(dy.SpecError, match="'content' is a set of metrics, which has no options"):
        dy.measure(ANSWERS, "content:n=2")
    assert not set(specs_in("all")) & {"frechet", "jensen_shannon", "function_words"}


def test_content_is_without_the_prompts_if_they_are_given() -> None:
    plain = dy.measure(ANSWERS, "default")
    assert {"vendi", "dispersion"} <= set(specs(plain))
    without = dy.measure(ANSWERS, "default", prompts=PROMPTS)
    assert {"vendi:context=prompt", "dispersion:context=prompt"} <= set(specs(without))
    by_name = dy.measure(ANSWERS, "vendi:context=prompt", prompts=PROMPTS)
    assert [score for score in without if score.metric == "vendi"] == list(by_name)


def test_answers_are_counted_within_prompts_with_several_texts_only() -> None:
    scores = dy.measure(ANSWERS, "default", groups=PROMPTS)
    assert {score.scope for score in scores if score.metric == "answers"} == {"within"}
    alone = dy.measure(ANSWERS, "default", groups=[str(number) for number in range(6)])
    assert "answers" not in specs(alone)
    assert "answers" not in specs(dy.measure(ANSWERS, "default"))


def test_answers_are_left_out_if_the_embedder_has_no_threshold() -> None:
    def lengths(texts: list[str]) -> list[list[float]]:
        return [[float(len(text)), 1.0] for text in texts]

    scores = dy.measure(ANSWERS, "default", groups=PROMPTS, embedder=lengths)
    assert "answers" not in specs(scores)
    assert "vendi" in specs(scores)


def test_ead_is_shown_where_it_is_not_nearly_distinct() -> None:
    # C = 3,600 tokens: 30,522 · (1 − (1 − 1/30,522)^3600) = 3,396 are expected to differ, 94.3 % of C.
    assert "ead" in specs(dy.measure([words_of(number) for number in range(400)], "default"))
    # C = 900: 887 are expected, 98.5 %.
    assert "ead" not in specs(dy.measure([words_of(number) for number in range(100)], "default"))


def test_ead_is_not_shown_where_it_is_nearly_a_number_of_types() -> None:
    # C = 99,000: 29,332 of V = 30,522 are expected, 96.1 %; C = 81,000: 28,374, 93.0 %.
    assert "ead" not in specs(dy.measure([words_of(number) for number in range(11_000)], "lexical"))
    assert "ead" in specs(dy.measure([words_of(number) for number in range(9_000)], "lexical"))


def test_ead_is_not_shown_beside_distinct_at_one_size() -> None:
    texts = [words_of(number) for number in range(400)]
    scores = dy.measure({"all": texts, "half": texts[:200]}, "default")
    assert not [score for score in scores if score.metric == "ead"]
    assert any(score.plain_spec == "distinct:n=1" for score in scores)
    assert not [each for each in scores.comparisons if each.metric.startswith("ead")]
    assert "ead" in specs(dy.measure({"all": texts, "half": texts[:200]}, ["default", "ead"]))


def test_what_costs_more_than_counts_is_measured_on_a_sample_that_its_spec_names(many: list[str]) -> None:
    scores = dy.measure(many, "default")
    assert specs(scores) == [
        "distinct:n=1",
        "distinct:n=2",
        "ead",
        "compression:sampled=5000",
        "self_bleu:sampled=5000",
        "duplicates",
        "vendi:sampled=5000",
        "dispersion:sampled=5000",
    ]
    vendi = scores.get("vendi:sampled=5000")
    assert vendi is not None
    assert vendi.parts["sample"] == 5000
    assert any("a sample of 5,000 of 5,200 texts" in str(note) for note in vendi.notes)
    assert vendi.low is None  # an interval is shown on request


def test_a_sampled_value_belongs_to_its_spec_and_signature(many: list[str]) -> None:
    scores = dy.measure(many, "default")
    for spec in ("compression:sampled=5000", "self_bleu:sampled=5000", "vendi:sampled=5000"):
        score = scores.get(spec)
        assert score is not None
        assert dy.measure(many, spec)[0] == score
        assert dy.measure(list(reversed(many)), spec)[0].value == score.value
        assert dy.measure(many, signature=score.signature)[0].value == score.value
        beside = dy.measure({"all": many, "other": ANSWERS}, spec)
        assert (
            next(each.value for each in beside if each.corpus == "all" and each.spec == spec) == score.value
        )


def test_the_sample_has_at_most_2_mb() -> None:
    texts = [f"{words_of(number)} {number} " * 30 for number in range(2_000)]  # about 1,300 bytes each
    sizes = {score.parts["sample"] for score in dy.measure(texts, "default") if "sample" in score.parts}
    # 5,000 texts are all; half of that is too, then 1,250 texts have 1.6 MB.
    assert sizes == {1250}
    assert sum(len(text) for text in texts) > 2_000_000


def test_a_metric_by_name_is_of_all_texts(many: list[str]) -> None:
    scores = dy.measure(many, ["default", "dispersion"])
    assert "dispersion" in specs(scores)
    assert "dispersion:sampled=5000" not in specs(scores)
    assert "vendi:sampled=5000" in specs(scores)


@pytest.mark.parametrize("others", [["dispersion:sampled=5000"], ["default"]])
def test_a_sample_of_one_metric_changes_no_other(many: list[str], others: list[str]) -> None:
    alone = dy.measure(many, "mtld:pool=corpus")[0]
    beside = dy.measure(many, [*others, "mtld:pool=corpus"]).get("mtld:pool=corpus")
    assert beside == alone


def test_sampled_has_to_be_a_number_of_texts() -> None:
    for word in ("0", "many", "-3", "1.5"):
        with pytest.raises(dy.SpecError, match="Expected `sampled` of 'vendi' to be a number of texts"):
            dy.measure(ANSWERS, f"vendi:sampled={word}")
    with pytest.raises(dy.SpecError, match="`sampled` is for `measure` only"):
        dy.compare(ANSWERS, ANSWERS, "frechet:sampled=5")


def test_vectors_alone_have_the_metrics_that_need_no_texts() -> None:
    scores = dy.measure(np.eye(5), "default")
    assert specs(scores) == ["vendi", "dispersion"]
    assert scores[0].value == pytest.approx(5)


def test_token_ids_have_the_metrics_that_need_no_vectors() -> None:
    scores = dy.measure([[1, 2, 3, 4, 5], [1, 2, 3, 4, 6], [7, 8, 9]], "default", tokens=True)
    assert "self_bleu" in specs(scores)
    assert "vendi" not in specs(scores)
    assert not any(math.isnan(score.value) for score in scores)


def test_richness_is_of_each_text() -> None:
    by_name = dy.measure(ANSWERS, "mtld")[0]
    assert dy.measure(ANSWERS, "richness").get("mtld") == by_name
