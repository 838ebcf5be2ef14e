"""A model that collapsed: repeated texts are noted, counted, and refused by gates."""

from __future__ import annotations

import itertools
import json

import pytest

import distinctly as dy

pytestmark = pytest.mark.slow  # a process per test

PEOPLE = ("my neighbour", "an old sailor", "the teacher", "a young doctor", "her brother")
VERBS = ("painted", "sold", "repaired", "lost")
THINGS = ("a wooden boat", "the red bicycle", "two silver clocks")
HEALTHY = [" ".join(words) + "." for words in itertools.product(PEOPLE, VERBS, THINGS)]
REFUSAL = "I am sorry, but I cannot help with that."
# 48 of 60 answers, 80 %, are the same.
COLLAPSED = [text if place % 5 == 0 else REFUSAL for place, text in enumerate(HEALTHY)]
IDENTICAL = f"48 of 60 texts are identical: '{REFUSAL}'"


@pytest.fixture
def models(save):
    """Write the answers of both models."""
    for name, texts in (("healthy.txt", HEALTHY), ("collapsed.txt", COLLAPSED)):
        save(name, "\n".join(texts))


def notes_of(scores) -> set[str]:
    """Return the notes on repeated texts."""
    return {str(note) for score in scores for note in score.notes if "identical" in note}


@pytest.mark.parametrize("metrics", ["distinct:n=2", "entropy:n=1", "mattr", "vendi", "compression"])
@pytest.mark.parametrize("compiled", [False, True])
def test_repeated_texts_are_noted_whatever_is_measured(metrics, compiled):
    (note,) = notes_of(dy.measure(COLLAPSED, metrics, compiled=compiled))
    assert note.startswith(IDENTICAL)
    assert not notes_of(dy.measure(HEALTHY, metrics, compiled=compiled))


@pytest.mark.parametrize("options", [{"interval": True}, {"batch_size": 7}, {"explain": 2}])
def test_the_note_is_that_of_all_texts(options):
    (note,) = notes_of(dy.measure(COLLAPSED, "distinct:n=1", **options))
    assert note.startswith(IDENTICAL)


def test_the_note_is_a_warning_if_many_texts_are_repeated():
    def level(texts) -> str:
        return next(n.level for n in dy.measure(texts, "distinct:n=1")[0].notes if "identical" in n)

    assert level(COLLAPSED) == "warning"
    # One answer of 60 is given twice.
    assert level([*HEALTHY[:-1], HEALTHY[0]]) == "info"


def test_other_repeated_texts_are_counted():
    # Three times a, twice b and once c: one more text repeats an earlier one.
    (note,) = notes_of(dy.measure(["a a", "b b", "a a", "c c", "b b", "a a"], "distinct:n=1"))
    assert note.startswith("3 of 6 texts are identical: 'a a'. 1 other repeats an earlier text.")


def test_a_long_text_is_cut_and_put_on_one_line():
    text = "first line\nsecond\t line " + "word " * 40
    (note,) = notes_of(dy.measure([text, text], "distinct:n=1"))
    assert "'first line second line word word" in note
    assert len(note) < 130
    assert note.endswith("word …'")


def test_compare_notes_both_corpora():
    notes = notes_of(dy.compare(HEALTHY, COLLAPSED, "jensen_shannon"))
    assert [note.partition(":")[0] for note in notes] == ["48 of 60 texts are identical"]
    notes = notes_of(dy.compare(COLLAPSED, HEALTHY, "jensen_shannon"))
    assert [note.partition(":")[0] for note in notes] == ["In the reference, 48 of 60 texts are identical"]


def test_an_accumulator_and_a_pipe_note_repeated_texts(command):
    state = dy.Accumulator("distinct:n=1")
    for text in COLLAPSED:
        state.update([text])
    (note,) = notes_of(state.compute())
    assert note.startswith(IDENTICAL)
    done = command("measure", "-", "-m", "distinct:n=1", given="\n".join(COLLAPSED))
    assert IDENTICAL in done.stdout


@pytest.mark.parametrize("options", [{"compiled": False}, {"compiled": True}, {"interval": True}])
def test_a_text_that_occurs_late_in_a_large_corpus_is_counted_but_not_quoted(options):
    # Only the first 200 texts are kept to be quoted.
    texts = [f"text {number}" for number in range(300)] + ["late"] * 3
    (note,) = notes_of(dy.measure(texts, "distinct:n=1", **options))
    assert note == "3 of 303 texts are identical."


def test_distinct_rises_and_duplicates_shows_why(command, models):
    scores = {}
    for name in ("healthy.txt", "collapsed.txt"):
        document = json.loads(command("measure", name, "--format", "json").stdout)
        scores[name] = {score["signature"].split("|")[0]: score["value"] for score in document["scores"]}
    # 47 of 60 texts repeat an earlier one.
    assert (scores["healthy.txt"]["duplicates"], scores["collapsed.txt"]["duplicates"]) == (0, 47 / 60)


GATE = ("--require", "duplicates<=0.1")


def test_the_collapse_gate(command, models):
    assert command("measure", "healthy.txt", *GATE).returncode == 0
    done = command("measure", "collapsed.txt", *GATE)
    assert done.returncode == 1
    assert "not met: duplicates<=0.1 (collapsed.txt, duplicates is 0.783333)" in done.stderr


def baseline(command, save, *metrics):
    """Measure the healthy model, and save the document."""
    chosen = [word for metric in metrics for word in ("-m", metric)]
    done = command("measure", "healthy.txt", *chosen, "--format", "json")
    return save("previous.json", done.stdout)


def test_a_gate_relative_to_a_baseline(command, save, models):
    baseline(command, save, "vendi", "distinct:n=2")
    gates = ("--baseline", "previous.json", "--require", "vendi>=0.9*baseline")
    assert command("measure", "healthy.txt", *gates).returncode == 0
    done = command("measure", "collapsed.txt", *gates, "--format", "json")
    assert done.returncode == 1
    (verdict,) = json.loads(done.stdout)["requirements"]
    before, now = (dy.measure(texts, "vendi")[0].value for texts in (HEALTHY, COLLAPSED))
    assert verdict["baseline"] == before
    assert verdict["bound"] == 0.9 * before
    assert (verdict["value"], verdict["met"], verdict["warning"]) == (now, False, None)
    assert f"vendi is {now:.6g}; the bound is {0.9 * before:.6g})" in done.stderr


@pytest.mark.parametrize(
    ("bound", "met"),
    [("baseline", True), ("1.01*baseline", False), ("baseline*0.5", True), ("baseline + 0.001", False)],
)
def test_forms_of_bounds(command, save, models, bound, met):
    baseline(command, save, "distinct:n=1")
    gate = ("--baseline", "previous.json", "--require", f"distinct:n=1>={bound}")
    assert command("measure", "healthy.txt", *gate).returncode == (0 if met else 1)


def test_a_baseline_of_another_size_is_a_warning(command, save, models):
    baseline(command, save, "distinct:n=1")
    save("half.txt", "\n".join(HEALTHY[:30]))
    done = command(
        "measure", "half.txt", "--baseline", "previous.json", "--require", "distinct:n=1>=baseline"
    )
    assert done.returncode == 0
    assert "distinctly: warning: distinct:n=1 depends on the number of n-grams" in done.stderr


def test_a_baseline_of_several_corpora_is_found_by_name(command, save, models):
    done = command("measure", "healthy.txt", "collapsed.txt", "-m", "distinct:n=1", "--format", "json")
    save("previous.json", done.stdout)
    gate = ("--baseline", "previous.json", "--require", "distinct:n=1>=baseline")
    assert command("measure", "collapsed.txt", *gate).returncode == 0
    save("new.txt", "\n".join(HEALTHY))
    done = command("measure", "new.txt", *gate)
    assert done.returncode == 2
    assert "has no corpus 'new.txt', only collapsed.txt, healthy.txt." in done.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--require", "vendi>=0.9*baseline"), "it needs the scores of an earlier run. Use --baseline FILE."),
        (("--baseline", "previous.json"), "--baseline has no effect without a requirement"),
        (("--baseline", "no.json", "--require", "ead>=baseline"), "no.json: the baseline cannot be read"),
        (("--baseline", "healthy.txt", "--require", "ead>=baseline"), "healthy.txt: expected a baseline as"),
        (("--baseline", "previous.json", "--require", "ead>=baseline"), "has no score of ead|n:1|"),
        (
            ("--tokenizer", "char", "--baseline", "previous.json", "--require", "distinct:n=1>=baseline"),
            "has no score of distinct|n:1|pool:corpus|denominator:ngrams|tok:char",
        ),
        (("--baseline", "previous.json", "--require", "ead>=0.9*base"), "or 'vendi>=0.9*baseline', got"),
    ],
)
def test_bad_baselines(command, save, models, arguments, message):
    baseline(command, save, "distinct:n=1")
    done = command("measure", "healthy.txt", *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert message in done.stderr
