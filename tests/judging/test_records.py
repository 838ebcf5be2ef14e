"""Records by metric and part; and, in every trial, a function of several numbers that fails once."""

from __future__ import annotations

import math

import pytest

import distinctly as dy
from distinctly.judging.records import by_subject, mean_of


def record(part: str, place: int, value: float, note: str = "", **more: object) -> dict[str, object]:
    return {"metric": "f", "embedder": "", "part": part, "place": place, **more, "value": value, "note": note}


def test_a_value_of_its_own_stays_beside_its_parts() -> None:
    found = by_subject([record("", 1, 0.5), record("a", 1, 2.0), record("", 2, 0.6), record("a", 2, 3.0)])
    assert {key[2]: [one["value"] for one in own] for key, own in found.items()} == {
        "": [0.5, 0.6],
        "a": [2.0, 3.0],
    }


def test_what_failed_counts_for_every_value_that_has_a_name() -> None:
    failed = record("", 2, math.nan, "Undefined: it raised.")
    found = by_subject([record("a", 1, 2.0), record("b", 1, 3.0), failed, record("a", 3, 1.0)])
    assert list(found) == [("f", "", "a"), ("f", "", "b")]
    assert [one["note"] for one in found["f", "", "a"]] == ["", "Undefined: it raised.", ""]
    # The third call returned only `a`.
    assert [one["note"] for one in found["f", "", "b"]] == [
        "",
        "Undefined: it raised.",
        "Undefined: the function did not return this number.",
    ]


def test_records_of_another_kind_have_no_parts() -> None:
    """The time of a metric is not a missing value of its parts."""
    found = by_subject([record("a", 1, 2.0, kind="distance"), record("", 1, 9.0, kind="speed")])
    assert {key[2]: [one["kind"] for one in own] for key, own in found.items()} == {
        "a": ["distance"],
        "": ["speed"],
    }


def test_means_are_of_what_is_defined() -> None:
    assert mean_of([1.0, math.nan, 4.0]) == 2.5
    assert math.isnan(mean_of([math.nan]))


class Sometimes:
    """Returns two numbers, and raises at its third call."""

    def __init__(self) -> None:
        self.calls = 0

    def counts(self, texts: list[str]) -> dict[str, float]:
        self.calls += 1
        if self.calls == 3:
            raise RuntimeError("no luck")
        words = [word for text in texts for word in text.split()]
        return {"types": len(set(words)), "letters": len("".join(words))}

    def apart(self, reference: list[str], candidate: list[str]) -> dict[str, float]:
        one, other = self.counts(reference), self.counts(candidate)
        return {name: abs(one[name] - other[name]) for name in one}


TEXTS = [f"w{i % 11} w{i % 7}" + " x" * (i % 4) for i in range(80)]
OTHERS = [f"v{i % 5} v{i % 3}" for i in range(80)]
SMALL = {"n": 8, "k": 3, "repetitions": 3}


@pytest.mark.parametrize("kind", ["similarity", "diversity", "progress", "length", "people"])
def test_a_function_of_several_values_that_fails_once(kind: str) -> None:
    """Both of its numbers have findings, and each lacks only the value of the failed call."""
    own = Sometimes()
    trial = {
        "similarity": lambda: dy.judging.known_similarity(
            TEXTS, OTHERS, own.apart, **SMALL, measures=["monotonicity"]
        ),
        "diversity": lambda: dy.judging.known_diversity(TEXTS, own.counts, **SMALL, corpora=2),
        "progress": lambda: dy.judging.training_progress(TEXTS, {"1": OTHERS, "2": TEXTS}, own.counts, n=20),
        "length": lambda: dy.judging.length_bias(TEXTS, own.counts, texts=10, sets=2),
        "people": lambda: dy.judging.human_agreement(
            [TEXTS[i : i + 4] for i in range(12)], own.counts, human=range(12)
        ),
    }[kind]()
    (types, letters) = (records for key, records in trial.by_subject.items() if key[2])
    assert len(types) == len(letters)
    assert [key[2] for key in trial.by_subject if key[2]] == ["types", "letters"]
    assert sum(math.isnan(float(one["value"])) for one in types) == 1
    assert {one.part for one in trial.findings} - {""} == {"types", "letters"}
    assert any("no luck" in note for one in trial.findings for note in one.notes)
