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
    "a distance added up": (lambda: dy.Accumulator("medoid"), "both corpora must be in memory"),
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
    # Twelve times the same text: two parts are identical.
    assert dy.compare(["a b"] * 12, MODEL, "jensen_shannon", noise_floor=True)[0].floor.mean == 0


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
