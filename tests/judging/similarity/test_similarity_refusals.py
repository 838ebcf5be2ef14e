"""Known-similarity corpora that cannot be judged, metrics that fail, and messages."""

from __future__ import annotations

import math
from typing import Any

import pytest
from tests.judging.similarity.mixtures import HERE, MIXED, A, B, rain_apart, try_it

import distinctly as dy
from distinctly.judging.evaluating import compare_pairs
from distinctly.judging.gathering import gather
from distinctly.spec import parse_metrics


def test_a_constant_tells_nothing_and_others_go_on() -> None:
    constant, other = try_it([lambda one, other: 1.0, "jensen_shannon"]).to_dict().values()
    for measure in MIXED:
        assert constant[measure]["mean"] is None
        assert constant[measure]["notes"] == ["Undefined: the distances of all pairs are equal."]
    assert other == try_it("jensen_shannon").to_dict()["jensen_shannon"]


@pytest.mark.parametrize(
    ("bad", "note"),
    [
        (math.nan, "returned NaN."),
        (math.inf, "returned an infinite number."),
        (None, "returned NoneType, not a number"),
    ],
)
def test_a_pair_without_a_distance(bad: float | None, note: str) -> None:
    def seldom(one: list[str], other: list[str]) -> float | None:
        apart = rain_apart(one, other)
        return bad if apart == 6 else apart

    found, other = try_it([seldom, "jensen_shannon"]).to_dict().values()
    for measure in MIXED:
        assert found[measure]["mean"] is None
        assert note in found[measure]["notes"][0]
        assert found[measure]["notes"][1] == "2 of 12 distances are undefined."
    assert other["accuracy"]["mean"] is not None


def test_a_repetition_without_a_distance_is_left_out() -> None:
    calls = []

    def seldom(one: list[str], other: list[str]) -> float:
        calls.append(one)
        return math.nan if len(calls) == 5 else rain_apart(one, other)

    found = try_it(seldom, repetitions=3).findings[0]
    assert (found.mean, found.repetitions) == (1, 2)
    assert found.notes[-1] == "1 of 3 repetitions have no value; they are left out."


def test_texts_of_both_are_told() -> None:
    trial = try_it("jensen_shannon", A, [*B, *A[:10]])
    told = "10 of 60 texts of B are also in A, so mixtures differ less than expected."
    assert told in trial.notes


def test_files_are_told_by_their_names(tmp_path: Any) -> None:
    for name, texts in (("cats", A), ("rain", B[:10])):
        (tmp_path / f"{name}.txt").write_text("".join(f"{text}\n" for text in texts))
    with pytest.raises(dy.InputError) as caught:
        try_it("jensen_shannon", tmp_path / "cats.txt", tmp_path / "rain.txt")
    # 6, 4, 2, 0 texts of A, so 0, 2, 4, 6 of B: 12. With n = 5: 5, 3, 2, 0 of A, so 10 of B.
    assert str(caught.value) == (
        "rain.txt: expected at least 12 texts for 4 disjoint corpora of 6, got 10. "
        "Give more texts, choose a smaller n (5 at most), or choose a smaller k."
    )
    trial = try_it("jensen_shannon", tmp_path / "cats.txt", tmp_path / "rain.txt", n=5)
    assert [one["name"] for one in trial.settings["corpora"]] == ["cats.txt", "rain.txt"]


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"measures": ["acuracy"]}, "Unknown measure 'acuracy'. Did you mean 'accuracy'"),
        ({"measures": []}, "Expected at least one measure, got none"),
        ({"preset": "papers"}, "Unknown preset 'papers'. Did you mean 'paper'"),
        ({"reference": "C"}, "Unknown reference 'C'.*Known: A, B"),
        ({"k": 2}, "Expected `k` to be at least 3 corpora, got 2"),
        ({"n": 2, "k": 4}, "Expected `n` to be at least k − 1 = 3 texts, got 2"),
        ({"n": {"size_robustness": 5}}, "Unknown measure 'size_robustness' of n and k"),
        ({"repetitions": 0}, "Expected `repetitions` to be at least 1, got 0"),
        ({"size_repetitions": 0}, "Expected `size_repetitions` to be at least 1, got 0"),
        ({"metrics": []}, "Expected at least one metric, got none"),
        ({"measures": ["growth"], "growth_sizes": []}, "Expected `growth_sizes` of at least 2 texts"),
        ({"measures": ["size_robustness"], "sizes": [1]}, "Expected sizes from 2 to the largest, 50, got"),
        ({"measures": ["size_robustness"], "sizes": [60]}, "Expected sizes from 2 to the largest, 50, got"),
        (
            {"measures": ["size_robustness"], "sizes": [5], "largest": 60},
            "at least 60 texts, the largest size, got 50 in",
        ),
    ],
)
def test_what_is_refused(options: dict[str, Any], told: str) -> None:
    with pytest.raises((dy.SpecError, dy.InputError), match=told):
        try_it(**{"metrics": "jensen_shannon", **options})


@pytest.mark.parametrize("b", [A, A[::-1]])
def test_the_same_texts_twice_are_refused(b: list[str]) -> None:
    with pytest.raises(
        dy.InputError, match="A and B: expected two different corpora, got the same texts twice"
    ):
        try_it("jensen_shannon", A, b)
    with pytest.raises(dy.InputError, match="got the same texts twice"):
        try_it("frechet", HERE, HERE.copy())


def test_a_pair_that_a_metric_cannot_take_stops_no_other() -> None:
    gathered = gather([("A", A), ("B", B)], parse_metrics([rain_apart]))
    subject, rows = gathered.subjects[0], list(gathered.corpora.values())
    timed = compare_pairs(subject, gathered.pool, [*rows, rows[0][:0]], [(0, 1), (0, 2)])
    assert timed.scores[0].value == 50
    assert timed.scores[1].undefined == "the candidate has no texts."
    assert timed.seconds > 0


def test_ten_lines_of_a_user_are_put_on_trial() -> None:
    def vocabulary_apart(reference_tokens: list[list[str]], candidate_tokens: list[list[str]]) -> float:
        one = {word for text in reference_tokens for word in text}
        other = {word for text in candidate_tokens for word in text}
        return 1 - len(one & other) / len(one | other)

    found = next(iter(try_it(vocabulary_apart).to_dict().values()))
    assert found["monotonicity"]["mean"] > 0.3  # it sees something of it


def vocabulary(texts):
    return {"types": len({word for text in texts for word in text.split()}), "texts": len(texts)}


def test_a_metric_of_one_corpus_is_judged_by_its_difference():
    """Its value of a pair is the absolute difference of the values of `measure`."""
    a = [f"a{i} b{i % 3}" for i in range(40)]
    b = ["the same", "the same again"] * 20
    trial = dy.judging.known_similarity(
        a, b, ["distinct:n=1", vocabulary], n=8, k=3, repetitions=1, measures=["accuracy"]
    )
    # The corpora at the ends are eight texts of A, all words but b0, b1 and b2 different, and eight of B.
    (ends,) = [one for one in trial.records if (one["part"], one.get("i"), one.get("j")) == ("", 1, 3)]
    found = trial.to_dict()
    assert ends["value"] == pytest.approx(11 / 16 - dy.measure(b[:8], "distinct:n=1")[0].value, abs=0.07)
    assert found["distinct:n=1"]["accuracy"]["mean"] > 0.5
    # Several numbers, separately; corpora with the same number of texts have no difference.
    name = f"{vocabulary.__module__}:vocabulary"
    assert found[f"{name} types"]["accuracy"]["mean"] > 0.5
    assert "Undefined" in found[f"{name} texts"]["accuracy"]["notes"][0]
