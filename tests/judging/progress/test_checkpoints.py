"""The names of checkpoints, and the steps in them."""

from __future__ import annotations

from pathlib import Path

import pytest

import distinctly as dy
from distinctly.judging.progress.checkpoints import named, steps_of

STEPS = {
    "a number in the name": (["step-200.txt", "step-1000.txt"], [200, 1000]),
    "numbers that all share": (["gpt2-v1.5-step10.txt", "gpt2-v1.5-step20.txt"], [10, 20]),
    "the ending has a number": (["e-1.txt.bz2", "e-2.txt.bz2"], [1, 2]),
    "parts of an epoch": (["epoch-0.5.txt", "epoch-1.txt"], [0.5, 1]),
    "folders": (["1000/texts.txt", "2000/texts.txt"], [1000, 2000]),
    "one alone": (["step-300.txt"], [300]),
    "two numbers that differ": (["a1-b1.txt", "a2-b2.txt"], [1, 2]),
    "only some have one": (["base.txt", "step-5.txt"], [1, 2]),
    "the same number twice": (["step-5.txt", "step-05.txt"], [1, 2]),
    "none": (["base.txt", "tuned.txt"], [1, 2]),
}


@pytest.mark.parametrize("what", STEPS)
def test_steps_are_in_the_names_or_counted(what):
    names, expected = STEPS[what]
    assert steps_of(names, None, {}) == expected


def test_steps_go_on_from_those_that_are_known():
    assert steps_of(["step-300.txt"], None, {"step-100.txt": 100, "step-200.txt": 200}) == [300]
    assert steps_of(["final.txt", "base.txt"], None, {"base.txt": 1, "tuned.txt": 2}) == [3, 1]
    # Steps that were given before are kept, whatever the names.
    assert steps_of(["c-3.txt"], None, {"c-1.txt": 50, "c-2.txt": 60}) == [61]
    assert steps_of(["c-3.txt"], [70], {"c-1.txt": 50}) == [70]


@pytest.mark.parametrize(
    ("given", "told"), [([1], "one step per checkpoint, 2, got 1"), ([1, float("nan")], "nan")]
)
def test_steps_that_do_not_fit_are_refused(given, told):
    with pytest.raises(dy.SpecError, match=told):
        steps_of(["a", "b"], given, {})


def test_checkpoints_have_names_however_they_come():
    corpus = dy.Corpus(["a text"], name="mine")
    assert named({100: ["a text"], "b": ["b"]}) == [("100", ["a text"]), ("b", ["b"])]
    assert named([Path("a/x-1.txt"), "b/x-2.txt"]) == [
        ("x-1.txt", Path("a/x-1.txt")),
        ("x-2.txt", "b/x-2.txt"),
    ]
    assert named(corpus) == [("mine", corpus)]
    for none in ([], {}):
        with pytest.raises(dy.InputError, match="at least one checkpoint"):
            named(none)
    with pytest.raises(dy.InputError, match=r"mine: expected checkpoints of different names"):
        named([corpus, corpus])
