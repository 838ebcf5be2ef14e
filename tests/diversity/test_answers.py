"""`answers`: by hand, against loops and scipy, in any order; given, judged and greedy classes; errors."""

from __future__ import annotations

import itertools
import math
import pickle
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.cluster.hierarchy import fcluster, linkage
from scripts.calibrate_answers import calibrate, errors, read_sets
from tests.oracles import classes as oracle
from tests.oracles.vectors import cosine
from tests.strategies import VECTORS

import distinctly as dy
from distinctly.diversity import _answers
from distinctly.embedders import find_embedder
from distinctly.geometry import vector_classes
from distinctly.hashing import hash_rows
from distinctly.statistics import classes as statistics
from distinctly.statistics.classes import PairClassifier

THRESHOLDS = st.sampled_from([-1.0, 0.0, 0.5, 0.6, 0.9, 1.0])
Judge = Callable[[Sequence[str], Sequence[str]], Any]


def pairwise(*similar: str) -> Judge:
    """Return a classifier by which only these pairs of letters are equivalent, in both orders."""
    both = {tuple(pair) for pair in similar} | {tuple(reversed(pair)) for pair in similar}
    return lambda first, second: [pair in both for pair in zip(first, second)]


def same_length(first: Sequence[str], second: Sequence[str]) -> list[bool]:
    return [len(a) == len(b) for a, b in zip(first, second)]


def judged(texts: Sequence[str], judge: Judge, **options: Any) -> dy.Score:
    return dy.Answers(by="classifier", classifier=judge, **options)(list(texts))


def test_by_hand() -> None:
    # Directions of 0, 20, 40 and 180 degrees: cosines of neighbours 0.940, of 0 and 40 degrees 0.766. The
    # first direction is there twice.
    angles = np.radians([0, 20, 40, 180, 0])
    vectors = np.stack([np.cos(angles), np.sin(angles)], axis=1) * [[1], [2], [3], [4], [1]]
    counts = {t: dy.measure(vectors, f"answers:threshold={t}")[0].value for t in (0.95, 0.9, 0.75, -1)}
    # 0.95: each direction. 0.9: 0 and 20 degrees, or 20 and 40, but not all three. -1: all.
    assert counts == {0.95: 4, 0.9: 3, 0.75: 2, -1: 1}
    parts = dy.measure(vectors, "answers:threshold=0.75")[0].parts
    assert parts == {
        "texts": 5,
        "zero_vectors": 0,
        "dimensions": 2,
        "classes": 2,
        "largest_class": 4,
        "largest_share": 0.8,
    }


@given(rows=VECTORS, threshold=THRESHOLDS)
def test_against_loops(rows: list[list[int]], threshold: float) -> None:
    vectors = np.array(rows, float)
    kinds = {int(key): row for key, row in zip(hash_rows(vectors), rows) if any(row)}
    items = [kinds[key] for key in sorted(kinds)]
    expected = oracle.complete_linkage(len(items), cosine_of(items), threshold)
    value = dy.measure(vectors, f"answers:threshold={threshold}")[0].value
    assert value == (len(expected) if items else pytest.approx(math.nan, nan_ok=True))


@given(rows=VECTORS, threshold=THRESHOLDS)
def test_greedy_against_loops(rows: list[list[int]], threshold: float) -> None:
    items = [row for row in rows if any(row)]
    expected = oracle.in_order(len(items), cosine_of(items), threshold)
    spec = f"answers:preset=noveltybench,threshold={threshold}"
    value = dy.measure(np.array(rows, float), spec)[0].value
    assert value == (len(set(expected)) if items else pytest.approx(math.nan, nan_ok=True))


@given(rows=VECTORS, threshold=THRESHOLDS, data=st.data())
def test_order_changes_nothing(rows: list[list[int]], threshold: float, data: st.DataObject) -> None:
    shuffled = data.draw(st.permutations(rows))
    scores = [dy.measure(np.array(r, float), f"answers:threshold={threshold}")[0] for r in (rows, shuffled)]
    assert str(scores[0].parts) == str(scores[1].parts)
    assert scores[0].signature == scores[1].signature


def test_against_scipy() -> None:
    vectors = np.random.default_rng(0).standard_normal((150, 3))
    units = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    distances = (1 - units @ units.T)[np.triu_indices(150, 1)]
    tree = linkage(distances, "complete")
    for threshold in (0.3, 0.8, 0.99):  # there are no ties
        expected = len(set(fcluster(tree, 1 - threshold, "distance")))
        assert dy.measure(vectors, f"answers:threshold={threshold}")[0].value == expected


def test_ties_are_broken_by_content() -> None:
    # a-b-c-d, all equally similar: {a, b}, {c, d}, or {b, c}, {a}, {d}. scipy returns either, by the order.
    chain = pairwise("ab", "bc", "cd")
    counts = {judged(order, chain).value for order in itertools.permutations("abcd")}
    assert len(counts) == 1
    # Other letters in the chain have other hashes, so that both results occur.
    chains = [map("".join, itertools.pairwise(letters)) for letters in itertools.permutations("abcd")]
    assert {judged("abcd", pairwise(*chain)).value for chain in chains} == {2, 3}


def test_all_pairs_of_a_class_are_equivalent() -> None:
    # a-b and b-c, but not a-c: two classes. With a-c, one class.
    assert judged("abc", pairwise("ab", "bc")).value == 2
    assert judged("abc", pairwise("ab", "bc", "ac")).value == 1


def test_a_pair_is_equivalent_if_it_is_in_both_orders() -> None:
    def forward(first: Sequence[str], second: Sequence[str]) -> list[bool]:
        return [a < b for a, b in zip(first, second)]

    assert judged("ab", forward).value == 2
    # The first text of a class is the first argument.
    assert judged("ab", forward, linkage="greedy").value == 1
    assert judged("ba", forward, linkage="greedy").value == 2


def test_greedy_depends_on_the_order() -> None:
    # b first: a and c join it. a first: b joins it, c does not.
    chain = pairwise("ab", "bc")
    assert [judged(order, chain, linkage="greedy").value for order in ("bac", "abc")] == [1, 2]
    # d joins a, the first class whose first text is similar, though it is also similar to c.
    score = judged("acd", pairwise("ad", "cd"), linkage="greedy")
    assert (score.value, score.parts["largest_class"]) == (2, 2)
    assert dy.metric("answers:preset=noveltybench").ordered
    assert "|order:" in score.signature
    assert "linkage:greedy" in score.signature


def test_probabilities_and_thresholds() -> None:
    known = {("a", "b"): 0.6, ("b", "a"): 0.4, ("a", "c"): 0.5, ("c", "a"): 0.5, ("b", "c"): 0, ("c", "b"): 0}

    def probabilities(first: Sequence[str], second: Sequence[str]) -> list[float]:
        return [known[pair] for pair in zip(first, second)]

    # The smaller of both orders: 0.4 for a and b, 0.5 for a and c.
    counts = {t: judged("abc", probabilities, threshold=t).value for t in (0.0, 0.4, 0.5, 0.51)}
    assert counts == {0.0: 1, 0.4: 2, 0.5: 2, 0.51: 3}
    assert judged("abc", probabilities).options["threshold"] == 0.5
    assert judged("ab", probabilities).value == 2  # 0.4 is below 0.5


def test_a_classifier_is_asked_once_per_pair_of_different_texts() -> None:
    asked: list[tuple[str, str]] = []

    def record(first: Sequence[str], second: Sequence[str]) -> list[bool]:
        asked.extend(zip(first, second))
        return [False] * len(first)

    texts, groups = ["a", "b", "a", "c", "a", "b"], ["p", "p", "p", "p", "q", "q"]
    scores = dy.measure(texts, dy.Answers(by="classifier", classifier=record), groups=groups)
    assert scores[0].value == 2.5  # 3 of 4 texts differ, and 2 of 2
    assert sorted(asked) == sorted(itertools.permutations("abc", 2))


def test_identical_texts_are_one_answer() -> None:
    never = pairwise()
    for linked in ("complete", "greedy"):
        assert judged(["same", "same", "same"], never, linkage=linked).value == 1
    assert dy.measure(["the cat"] * 3, "answers:threshold=1")[0].value == 1


def test_given_classes() -> None:
    texts = ["Paris.", "It is Paris.", "London.", "", "Rome."]
    score = dy.measure(texts, "answers:by=partition", partition=["p", "p", "l", "l", "r"])[0]
    assert (score.value, score.parts["largest_class"], score.parts["largest_share"]) == (3, 2, 0.4)
    # The classes are part of the signature, each with its text.
    other = dy.measure(texts, "answers:by=partition", partition=["p", "l", "p", "l", "r"])[0]
    assert other.value == 3
    assert other.signature != score.signature
    again = dy.measure(texts, signature=score.signature, partition=["p", "p", "l", "l", "r"])[0]
    assert again.signature == score.signature


def test_within_groups() -> None:
    texts = ["Paris.", "It is Paris.", "London.", "Yes.", "Sure."]
    groups = ["capital"] * 3 + ["question"] * 2
    classes = ["0", "0", "1", "0", "0"]
    scores = dy.measure(texts, "answers:by=partition", groups=groups, partition=classes)
    within = scores[0]
    assert (within.scope, within.value) == ("within", 1.5)  # 2 and 1
    assert scores.select(scope="pooled")[0].value == 2  # the names of the classes are compared as they are


def test_prompts_are_taken_out() -> None:
    # Without the direction of the prompt (1, 0, 0), the answers point to (0, 1, 0) and (0, 0, 1).
    known = {"p": [1.0, 0, 0], "a": [3.0, 1, 0], "b": [3.0, 0, 1]}
    measured = {
        spec: dy.measure(
            ["a", "b"],
            f"answers:threshold=0.8{spec}",
            prompts=["p", "p"],
            embedder=lambda ts: [known[t] for t in ts],
        )[0].value
        for spec in ("", ",context=prompt")
    }
    assert measured == {"": 1, ",context=prompt": 2}


def test_the_default_threshold_is_calibrated(shared: Path) -> None:
    sets = read_sets(shared / "tevet-diversity-eval-with-hds.jsonl")
    assert len(sets) == 670
    thresholds = [
        calibrate(sets, find_embedder("wordllama"), context=context).threshold for context in (False, True)
    ]
    assert tuple(thresholds) == _answers.CALIBRATED["wordllama"]


def test_the_threshold_of_minilm_is_calibrated(shared: Path) -> None:
    sets = read_sets(shared / "tevet-diversity-eval-with-hds.jsonl")
    try:
        minilm = find_embedder("minilm")
    except dy.MissingExtraError as error:
        pytest.skip(str(error))
    thresholds = [calibrate(sets, minilm, context=context).threshold for context in (False, True)]
    assert tuple(thresholds) == _answers.CALIBRATED["minilm"]


def test_the_threshold_is_signed() -> None:
    texts = ["the cat sat", "it rained", "she sat down"]
    for spec, threshold in zip(("answers", "answers:context=prompt"), _answers.CALIBRATED["wordllama"]):
        score = dy.measure(texts, spec, prompts=["tell me"] * 3)[0]
        assert score.options["threshold"] == threshold
        assert f"threshold:{threshold}|" in score.signature
        again = dy.measure(texts, signature=score.signature, prompts=["tell me"] * 3)[0]
        assert again.signature == score.signature


def test_errors_of_the_calibration() -> None:
    # Two thresholds (columns). Sets of equal content have 1 and 3, or 4 and 5 classes: errors (0 + 2)/2 and
    # (3 + 4)/2. The set of different content has 3, or 5: errors 2 and 0. Means: 1.5 and 1.75. More than
    # three classes have none of the two and not the one; or both of the two, and the one.
    error, accuracy = errors(np.array([[1, 4], [3, 5], [3, 5]]), np.array([False, False, True]))
    assert error.tolist() == [1.5, 1.75]
    assert accuracy.tolist() == [0.5, 0.5]


def test_another_embedder_needs_a_threshold() -> None:
    texts = ["a b", "c d"]
    for embedder in ("wordllama:dim=64", lambda texts: [[len(text), 1.0] for text in texts]):
        with pytest.raises(dy.SpecError, match="as in answers:threshold=0.8"):
            dy.measure(texts, "answers", embedder=embedder)
        assert dy.measure(texts, "answers:threshold=1", embedder=embedder)[0].value in (1, 2)
    with pytest.raises(dy.SpecError, match="as in answers:threshold=0.8"):
        dy.measure(np.ones((2, 2)), "answers")


def test_too_many_texts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vector_classes, "MOST_TEXTS", 3)
    rows = np.array([[1.0, 0], [0, 1], [1, 1], [1, 1]])  # three different ones
    assert dy.measure(rows, "answers:threshold=0.9")[0].value == 3
    score = dy.measure(np.vstack([rows, [[1, 2]]]), "answers:threshold=0.9")[0]
    assert math.isnan(score.value)
    assert score.undefined == (
        "there are 4 different texts, more than 3, and all pairs are compared: use the value within groups, "
        "which --prompt or --group gives (Python: prompts=, groups=), or a sample (sampled=3)."
    )
    assert score.parts["texts"] == 5
    # With groups, the value within them is there; and a sample has a value.
    five, groups = np.vstack([rows, [[1, 2]]]), ["p", "p", "p", "q", "q"]
    scores = dy.measure(five, "answers:threshold=0.9", groups=groups)
    assert (scores[0].scope, scores[0].value) == ("within", 2)
    assert math.isnan(scores.select(scope="pooled")[0].value)
    texts = ["red", "green tea", "a blue sky", "it rained"]
    assert dy.measure(texts, "answers:threshold=0.99,sampled=3")[0].value == 3
    monkeypatch.setattr(statistics, "MOST_JUDGED", 2)
    assert judged("aab", pairwise()).value == 2
    assert "more than 2," in judged("abc", pairwise()).undefined


def test_edge_cases() -> None:
    no_texts = [dy.measure([], spec)[0].undefined for spec in ("answers", "answers:by=partition")]
    assert no_texts == ["there are no texts."] * 2
    assert dy.measure(["", ""], "answers:by=partition", partition=["0", "1"])[0].undefined == (
        "no text has any characters."
    )
    assert judged([""], pairwise()).undefined == "no text has any characters."
    assert dy.measure(["one"], "answers")[0].value == 1
    score = dy.measure(["one", "", "one"], "answers")[0]
    assert (score.value, score.parts["largest_share"]) == (1, 1)
    assert any("1 of 3 texts have a zero vector" in note for note in score.notes)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"by": "classifier"}, "as in answers:by=classifier,classifier=mymodule:equivalent"),
        ({"classifier": "mymodule:equivalent"}, "only with by=classifier"),
        ({"by": "partition", "context": "prompt"}, "by=partition has none"),
        ({"by": "partition", "of": "char"}, "Remove `of=char`"),
        ({"threshold": 1.1}, "at least -1 and at most 1"),
    ],
)
def test_options_that_exclude_each_other(options: dict[str, Any], message: str) -> None:
    with pytest.raises(dy.SpecError, match=message):
        dy.Answers(**options)


def test_missing_classes() -> None:
    with pytest.raises(dy.SpecError, match="--partition"):
        dy.measure(["a", "b"], "answers:by=partition")


@pytest.mark.parametrize(
    ("judge", "message"),
    [
        (lambda first, second: 1 / 0, "raised ZeroDivisionError"),
        (lambda first, second: [True], "for each of 2 pairs"),
        (lambda first, second: [2.0] * len(first), "probability"),
        (lambda first, second: [math.nan] * len(first), "probability"),
        (lambda first, second: ["yes"] * len(first), "raised ValueError"),
    ],
)
def test_classifiers_that_fail(judge: Judge, message: str) -> None:
    with pytest.raises(dy.SpecError, match=message):
        judged("ab", judge)


def test_signatures_of_strangers_import_no_classifier(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("same.py").write_text("def length(a, b):\n    return [len(x) == len(y) for x, y in zip(a, b)]\n")
    spec = "answers:by=classifier,classifier=same.py:length"
    score = dy.measure(["a", "b", "cd"], spec)[0]
    assert score.value == 2
    with pytest.raises(dy.SpecError, match=r"names the function 'same.py:length'.*trust=True"):
        dy.measure(["a", "b", "cd"], signature=score.signature)
    assert dy.measure(["a", "b", "cd"], signature=score.signature, trust=True)[0] == score
    with pytest.raises(dy.SpecError, match="Unknown function 'width'"):
        dy.measure(["a"], "answers:by=classifier,classifier=same.py:width")


def test_the_server_calls_no_classifier() -> None:
    from distinctly.web.allowed import check_metric

    check_metric("answers:threshold=0.5")
    with pytest.raises(dy.SpecError, match="calls no functions"):
        check_metric("answers:by=classifier,classifier=os:system")


def test_classifiers_are_told_apart() -> None:
    # Two functions of the same name, in one process.
    assert [judged("ab", pairwise(*similar)).value for similar in (["ab"], [])] == [1, 2]
    assert PairClassifier.wrap(pairwise("ab")) != PairClassifier.wrap(pairwise("ab"))
    # Pickled and read again, a function is the same one.
    metric = dy.Answers(by="classifier", classifier=same_length)
    states = []
    for text in ("a", "bc"):
        state = dy.Accumulator(metric)
        state.update([text, "b"])
        states.append(pickle.loads(pickle.dumps(state)))
    assert states[0].merge(states[1]).compute()[0].value == 2


def cosine_of(rows: Sequence[Sequence[float]]) -> oracle.Similarity:
    """Return the cosine of two rows, rounded as ours are, so that the same pairs are ties."""
    return lambda one, other: round(cosine(rows[one], rows[other]), vector_classes.DECIMALS)
