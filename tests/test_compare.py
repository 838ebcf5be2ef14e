"""`dy.compare`: distances, draws, and errors."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

import distinctly as dy

HUMAN = ["a cat sat on the mat", "the ferry leaves at dawn", "rain fell all night", "we ate plums"] * 3
MODEL = ["a cat sat on the mat", "a cat sat on a mat", "the cat sat", "a mat"] * 3


def test_several_candidates_come_by_name_and_each_is_as_alone() -> None:
    scores = dy.compare(HUMAN, {"model": MODEL, "same": HUMAN}, ["jensen_shannon", "medoid"])
    told = [(s.reference, s.corpus, s.metric) for s in scores]
    assert told[:3] == [
        ("reference", "model", "jensen_shannon"),
        ("reference", "model", "medoid"),
        ("reference", "same", "jensen_shannon"),
    ]
    alone = dy.compare(HUMAN, {"model": MODEL}, ["jensen_shannon", "medoid"])
    assert [s.to_dict() for s in scores[:2]] == [s.to_dict() for s in alone]
    assert [corpus["name"] for corpus in scores.corpora] == ["reference", "model", "same"]
    assert scores[2].value == 0


def test_a_matrix_has_all_pairs() -> None:
    scores = dy.compare(HUMAN, {"model": MODEL, "other": MODEL[:4]}, "jensen_shannon", matrix=True)
    pairs = {(s.reference, s.corpus) for s in scores}
    assert pairs == {
        (a, b) for a in ("reference", "model", "other") for b in ("reference", "model", "other")
    } - {(a, a) for a in ("reference", "model", "other")}


def test_one_file_is_split_by_a_field(tmp_path: Any) -> None:
    rows = [{"text": text, "label": "human"} for text in HUMAN] + [
        {"text": text, "label": "bot"} for text in MODEL
    ]
    path = tmp_path / "both.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    expected = dy.compare(HUMAN, MODEL, "jensen_shannon")[0]
    split = dy.compare(path, metrics="jensen_shannon", by="label")[0]
    assert (split.value, split.reference, split.corpus) == (expected.value, "human", "bot")
    turned = dy.compare(path, metrics="jensen_shannon", by="label", against="bot")[0]
    assert (turned.reference, turned.corpus) == ("bot", "human")
    with pytest.raises(dy.SpecError, match="Unknown corpus 'robot'"):
        dy.compare(path, metrics="jensen_shannon", by="label", against="robot")


def test_vectors_come_alone_or_beside_texts() -> None:
    draw = np.random.default_rng(0)
    one, other = draw.standard_normal((12, 3)), draw.standard_normal((12, 3)) + 1
    alone = dy.compare(one, other, "medoid")[0]
    beside = dy.compare(HUMAN, MODEL, ["medoid", "jensen_shannon"], vectors=(one, other))
    assert beside["medoid"].value == pytest.approx(alone.value, rel=1e-12)
    assert beside["jensen_shannon"].value == dy.compare(HUMAN, MODEL, "jensen_shannon")[0].value
    # By hand: the cosine of the two means.
    means = one.mean(axis=0), other.mean(axis=0)
    cosine = means[0] @ means[1] / np.linalg.norm(means[0]) / np.linalg.norm(means[1])
    assert alone.value == pytest.approx(1 - cosine, rel=1e-12)


def test_vectors_follow_their_texts_when_these_are_split() -> None:
    vectors = np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 0.0], [0.0, 2.0]])
    corpus = dy.Corpus(["a", "b", "a", "b"], ids=["x", "y", "x", "y"])
    found = dy.compare(corpus, metrics="medoid", vectors=[vectors], by="label")[0]
    assert found.value == 1.0  # (1, 0) against (0, 1.5)


def test_two_corpora_of_one_name_are_told_apart() -> None:
    named = [dy.Corpus(texts, name="mine") for texts in (HUMAN, MODEL, HUMAN[:2])]
    scores = dy.compare(named[0], named[1:], "jensen_shannon")
    assert {score.reference for score in scores} == {"mine"}
    assert [score.corpus for score in scores] == ["mine (2)", "mine (3)"]
    assert scores[0].value != scores[1].value


REFUSED = {
    "a diversity": (lambda: dy.compare(HUMAN, MODEL, "distinct"), "measures one corpus"),
    "a distance alone": (lambda: dy.measure(HUMAN, "jensen_shannon"), "is a distance between two corpora"),
    "a distance added up": (lambda: dy.Accumulator("energy"), "both corpora must be in memory"),
    "no candidate": (lambda: dy.compare(HUMAN, metrics="medoid"), "Expected a candidate"),
    "texts and vectors": (lambda: dy.compare(HUMAN, np.ones((2, 2)), "medoid"), "some of each"),
    "vectors for tokens": (
        lambda: dy.compare(np.ones((2, 2)), np.ones((2, 2)), "jensen_shannon"),
        "needs texts",
    ),
    "dimensions": (
        lambda: dy.compare(np.ones((2, 2)), np.ones((2, 3)), "medoid"),
        "one dimension .* 2 and 3",
    ),
    "NaN": (lambda: dy.compare(np.ones((2, 2)), np.full((2, 2), np.nan), "medoid"), "finite numbers"),
    "infinity": (lambda: dy.compare(np.full((1, 2), np.inf), np.ones((2, 2)), "medoid"), "finite numbers"),
    "too few vectors": (
        lambda: dy.compare(HUMAN, MODEL, "medoid", vectors=(np.ones((2, 2)), np.ones((2, 2)))),
        "reference: expected one vector per text, got 2 for 12",
    ),
    "vectors of others": (
        lambda: dy.compare(HUMAN, MODEL, "medoid", vectors=(np.ones((10, 2)), np.ones((14, 2)))),
        "reference: expected one vector per text, got 10 for 12",
    ),
    "one array": (
        lambda: dy.compare(HUMAN, MODEL, "medoid", vectors=[np.ones((12, 2))]),
        "one array per corpus",
    ),
    "two embedders": (
        lambda: dy.compare(HUMAN, MODEL, "medoid", vectors=[[[1.0]]] * 2, embedder="wordllama"),
        "got both",
    ),
    "permutations": (lambda: dy.compare(HUMAN, MODEL, "medoid", permutations=-1), "at least 0, got -1"),
    "subsample": (lambda: dy.compare(HUMAN, MODEL, "medoid", subsample=0), "at least 1, got 0"),
    "device": (lambda: dy.compare(HUMAN, MODEL, "medoid", device="abacus"), "a device such as cpu"),
    "tf32": (lambda: dy.compare(HUMAN, MODEL, "medoid", tf32=True), "TF32 needs a GPU"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_refused(what: str) -> None:
    call, told = REFUSED[what]
    with pytest.raises(dy.DistinctlyError, match=told):
        call()


def test_a_p_value_is_the_share_of_shuffles_as_far_apart() -> None:
    score = dy.compare(HUMAN, MODEL, "jensen_shannon", permutations=99, seed=3)[0]
    assert score.test.permutations == 99
    # The two have a third of their words in common: none of 99 shuffles is as far apart.
    assert score.test.p == 0.01
    assert dy.compare(HUMAN, HUMAN, "jensen_shannon", permutations=99)[0].test.p == 1.0


def test_ties_count_as_far_apart() -> None:
    # Every distance is 0, so all 19 shuffles are as far apart as the corpora: (19 + 1) / (19 + 1).
    assert dy.compare(["a b"] * 4, ["a b"] * 5, "jensen_shannon", permutations=19)[0].test.p == 1.0


def test_p_values_are_corrected_for_all_candidates_and_metrics() -> None:
    # No shuffle is as far apart as corpora without a common word.
    far, metrics = [f"x{place} y z" for place in range(12)], ["jensen_shannon", "jensen_shannon:n=2"]
    scores = dy.compare(HUMAN, {"a": far, "b": far, "c": far}, metrics, permutations=99)
    assert [score.test.p for score in scores] == [0.01] * 6
    # Six equal p-values: the first is multiplied by 6, and none may be smaller than the one before.
    assert [score.test.p_holm for score in scores] == pytest.approx([0.06] * 6)
    pairs = dy.compare(HUMAN, {"a": far}, metrics, permutations=99, matrix=True)
    assert [score.test.p_holm for score in pairs] == pytest.approx([0.04] * 4)


def test_answers_to_the_same_prompts_are_exchanged_within_the_prompt() -> None:
    # Every prompt has its own words, and each candidate text has one more word. In exchanges within
    # prompts, only that word moves, and 2 of 2⁸ exchanges keep it on one side. If texts are shuffled, all
    # texts of a prompt may be on one side, which is farther apart than the word.
    answers = [f"word{place} thing{place} way{place}" for place in range(8)]
    more = [f"{answer} indeed" for answer in answers]
    prompts = [str(place) for place in range(8)]
    grouped = [dy.Corpus(texts, groups=prompts) for texts in (answers, more)]
    assert dy.compare(*grouped, "jensen_shannon", permutations=99)[0].test.p < 0.1
    assert dy.compare(answers, more, "jensen_shannon", permutations=99)[0].test.p > 0.9


def answered(prompts: list[int], *, more: bool) -> dy.Corpus:
    """Return one answer per prompt, each with words of its own, and with one more word where asked."""
    texts = [f"word{place} thing{place} way{place}" + " indeed" * more for place in prompts]
    return dy.Corpus(texts, groups=[str(place) for place in prompts])


def test_a_missing_prompt_leaves_the_others_paired() -> None:
    reference = answered(list(range(30)), more=False)
    candidate = answered([place for place in range(30) if place != 7], more=True)
    test = dy.compare(reference, candidate, "jensen_shannon", permutations=99)[0].test
    assert test.p == 0.01
    assert test.how.startswith("texts exchanged within 29 groups, and 1 other group")


def test_a_subsample_keeps_the_same_prompts_of_both() -> None:
    reference, candidate = answered(list(range(30)), more=False), answered(list(range(30))[::-1], more=True)
    score = dy.compare(reference, candidate, "jensen_shannon", subsample=10, permutations=99)[0]
    assert score.parts["reference_texts"] == score.parts["candidate_texts"] == 10
    assert score.test.how == "texts exchanged within 10 groups, 99 times"
    assert score.test.p == 0.01
    facts = dy.Signature.parse(score.signature).facts
    assert facts["groups"].startswith("30#")
    assert facts["reference_groups"].startswith("30#")
    assert facts["groups"] != facts["reference_groups"]


def test_a_subsample_does_not_depend_on_the_other_candidates() -> None:
    others = {"a": HUMAN[::-1], "b": ["x y", "z"] * 6, "model": MODEL}
    alone = dy.compare(HUMAN, {"model": MODEL}, "jensen_shannon", subsample=5)[0]
    beside = dy.compare(HUMAN, others, "jensen_shannon", subsample=5)[2]
    assert beside.to_dict() == alone.to_dict()
    # Reference and candidate draw different texts of the same corpus.
    texts = [f"word{place}" for place in range(40)]
    assert dy.compare(texts, texts, "jensen_shannon", subsample=10)[0].value > 0.5


def test_a_subsample_is_drawn_by_content_and_signed() -> None:
    one = dy.compare(HUMAN, MODEL, "jensen_shannon", subsample=5, seed=1)[0]
    turned = dy.compare(HUMAN[::-1], MODEL[::-1], "jensen_shannon", subsample=5, seed=1)[0]
    assert one.to_dict() == turned.to_dict()
    assert one.parts["reference_texts"] == one.parts["candidate_texts"] == 5
    assert "|subsample:5|seed:1|" in one.signature
    assert dy.compare(HUMAN, MODEL, "jensen_shannon", subsample=500)[0].value == pytest.approx(
        dy.compare(HUMAN, MODEL, "jensen_shannon")[0].value
    )


def test_the_noise_floor_is_of_the_reference_alone() -> None:
    far = [f"x {place}" for place in range(12)]
    floors = [dy.compare(HUMAN, texts, "jensen_shannon", noise_floor=True)[0].floor for texts in (MODEL, far)]
    assert floors[0].texts == 6  # half of 12
    assert floors[0].mean == floors[1].mean > 0
    assert floors[0].distance_at_size < floors[1].distance_at_size == 1.0  # no word in common
    assert floors[1].ratio == 1.0 / floors[1].mean
    assert floors[1].to_dict()["ratio"] == floors[1].ratio
    # Twelve times the same text: two parts are identical.
    assert dy.compare(["a b"] * 12, MODEL, "jensen_shannon", noise_floor=True)[0].floor.mean == 0


def number_of_texts(reference: list[str], candidate: list[str]) -> float:
    return float(len(reference) + len(candidate))


@pytest.mark.parametrize(("candidates", "size"), [(4, 4), (30, 6)])
def test_the_floor_and_the_distance_beside_it_are_at_one_size(candidates: int, size: int) -> None:
    # As many texts as half of the reference, or as the candidate if it has fewer.
    texts = [f"a{place}" for place in range(candidates)]
    score = dy.compare(HUMAN, texts, number_of_texts, noise_floor=True)[0]
    assert score.value == 12 + candidates
    assert (score.floor.texts, score.floor.mean, score.floor.distance_at_size) == (size, 2 * size, 2 * size)
    assert score.floor.ratio == 1.0
    assert score.to_record()["noise_floor_ratio"] == 1.0


def difference_of_lengths(reference_tokens: list[list[str]], candidate_tokens: list[list[str]]) -> float:
    """Return the difference of the mean lengths: linear in both means."""
    first, second = (np.mean([len(text) for text in texts]) for texts in (reference_tokens, candidate_tokens))
    return float(abs(first - second))


def of_lengths(lengths: list[int], groups: list[str] | None = None) -> dy.Corpus:
    texts = [[f"t{place}"] * length for place, length in enumerate(lengths)]
    return dy.Corpus(texts) if groups is None else dy.Corpus(texts, groups=groups)


def test_the_interval_of_a_difference_of_means_by_hand() -> None:
    # Fewer than 20 texts: each is a block. Lengths 1 to 5 have mean 3 and variance 2.5; 6, 8, 10, 12 have
    # mean 9 and variance 20/3. SE² = 2.5/5 + (20/3)/4 = 13/6. The 97.5 % quantile of t with 4 − 1 degrees of
    # freedom is 3.18245.
    score = dy.compare(of_lengths([1, 2, 3, 4, 5]), of_lengths([6, 8, 10, 12]), difference_of_lengths)[0]
    assert score.low is None
    assert "interval" not in score.signature
    score = dy.compare(
        of_lengths([1, 2, 3, 4, 5]), of_lengths([6, 8, 10, 12]), difference_of_lengths, interval=True
    )[0]
    half = 3.18245 * math.sqrt(13 / 6)
    assert (score.value, score.low, score.high) == pytest.approx((6, 6 - half, 6 + half), rel=1e-5)
    assert dy.Signature.parse(score.signature).facts["interval"] == "yes"


def test_more_texts_are_left_out_in_twenty_blocks() -> None:
    # 40 texts are 20 blocks of 2. If all texts of the reference have one length, and half of those of the
    # candidate 1 token and the other half 3, SE² = Σ (m_b − 2)² / (20 · 19), where m_b is the mean of a block
    # (1, 2 or 3): at most 20 / 380.
    lengths = [1, 3] * 20
    score = dy.compare(of_lengths([1] * 40), of_lengths(lengths), difference_of_lengths, interval=True)[0]
    squares = ((score.high - score.value) / 2.093024) ** 2 * 380
    assert score.value == 1.0
    assert squares == pytest.approx(round(squares), abs=1e-3)
    assert 4 <= squares <= 18  # 10 are expected: half of the blocks have two texts of one length


def test_the_interval_of_answers_to_the_same_prompts_by_hand() -> None:
    # Each prompt is a block of both sides. The differences 3, 3, 3, 3, 4 have mean 3.2 and variance 0.2, so
    # SE² = 0.2/5. The 97.5 % quantile of t with 4 degrees of freedom is 2.77645.
    prompts = list("abcde")
    reference, candidate = of_lengths([1, 2, 3, 4, 5], prompts), of_lengths([4, 5, 6, 7, 9], prompts)
    score = dy.compare(reference, candidate, difference_of_lengths, interval=True)[0]
    half = 2.77645 * 0.2
    assert (score.value, score.low, score.high) == pytest.approx((3.2, 3.2 - half, 3.2 + half), rel=1e-5)
    facts = dy.Signature.parse(score.signature).facts
    assert (facts["groups"][:2], facts["reference_groups"][:2]) == ("5#", "5#")


def test_the_interval_with_a_missing_prompt_by_hand() -> None:
    # Without prompt g, the mean of the reference changes by (3 − r_g)/4, that of the candidate by
    # (5.5 − c_g)/3; scaled by √(4/5) and √(3/4), their difference is the influence of g. Prompt e is in the
    # reference alone.
    reference = of_lengths([1, 2, 3, 4, 5], list("abcde"))
    candidate = of_lengths([4, 5, 6, 7], list("abcd"))
    of_reference = math.sqrt(4 / 5) / 4 * (3 - np.array([1, 2, 3, 4, 5]))
    of_candidate = math.sqrt(3 / 4) / 3 * (5.5 - np.array([4, 5, 6, 7, 5.5]))
    half = 3.18245 * math.sqrt(((of_candidate - of_reference) ** 2).sum())
    score = dy.compare(reference, candidate, difference_of_lengths, interval=True)[0]
    assert (score.value, score.low, score.high) == pytest.approx((2.5, 2.5 - half, 2.5 + half), rel=1e-5)


def test_an_interval_needs_no_seed_and_depends_on_no_other_option() -> None:
    expected = dy.compare(HUMAN, MODEL, "medoid", interval=True)[0]
    turned = HUMAN[::-1], MODEL[::-1]
    for metrics, tokenizer, seed in (
        (["medoid"], "char", 1),
        (["jensen_shannon", "medoid"], "whitespace", 2),
    ):
        again = dy.compare(*turned, metrics, tokenizer=tokenizer, interval=True, seed=seed)["medoid"]
        assert (again.low, again.high) == (expected.low, expected.high)
        assert again.signature == expected.signature


def test_a_reference_of_one_text_has_no_floor_and_no_interval() -> None:
    score = dy.compare(["a b"], MODEL, "jensen_shannon", noise_floor=True, interval=True)[0]
    assert score.floor is None
    assert score.low is None
    assert any(note.startswith("No noise floor") for note in score.notes)
    assert any(note.startswith("No interval") for note in score.notes)


def test_an_empty_corpus_is_undefined_whatever_is_asked() -> None:
    asked: dict[str, Any] = {"permutations": 9, "noise_floor": True, "interval": True}
    for score in dy.compare(HUMAN, [], ["jensen_shannon", "medoid"], **asked):
        assert math.isnan(score.value)
        assert score.undefined == "the candidate has no texts."


def test_short_and_few_texts_are_told() -> None:
    notes = dy.compare(["a b"] * 5, HUMAN, "jensen_shannon")[0].notes
    assert any(note.startswith("Few texts (5;") for note in notes)
    assert any(
        note.startswith("Half of the texts of the reference have fewer than 3 tokens") for note in notes
    )
