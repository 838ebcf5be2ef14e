"""Quality gates: scores of all texts, beside those of the texts whose quality is high enough."""

from __future__ import annotations

import math

import pytest

import distinctly as dy

TEXTS = ["a b", "a b", "c d", "e f e"]
QUALITY = [3.0, 1.0, 2.0, 2.5]


def test_by_hand():
    scores = dy.measure({"model": TEXTS}, "distinct:n=1", quality=QUALITY, at_least=2)
    # All: a b c d e f, 6 of 9 tokens. Quality at least 2: the first, third and fourth text, 6 of 7.
    assert [(score.corpus, score.value) for score in scores] == [
        ("model", 6 / 9),
        ("model (quality ≥ 2)", 6 / 7),
    ]
    assert scores[1].parts["passed"] == 3 / 4
    assert "passed" not in scores[0].parts
    assert [facts["texts"] for facts in scores.corpora] == [4, 3]


def test_the_value_is_that_of_the_texts_that_pass():
    specs = ["distinct", "entropy:n=1", "self_bleu", "vendi", "mtld"]
    texts = [f"{text} {number % 7}" for number in range(15) for text in TEXTS]
    gated = dy.measure({"m": texts}, specs, quality=QUALITY * 15, at_least=2.5, interval=True)
    good = [text for text, quality in zip(texts, QUALITY * 15) if quality >= 2.5]
    alone = dy.measure(good, specs, interval=True)
    passing = [score for score in gated if "quality" in score.corpus]
    assert [score.spec for score in passing] == [score.spec for score in alone]
    for name in ("value", "low", "high"):
        values = [getattr(score, name) for score in passing]
        assert values == pytest.approx([getattr(score, name) for score in alone], nan_ok=True)


def test_the_signature_reproduces_the_score():
    (_, score) = dy.measure({"m": TEXTS}, "distinct:n=1", quality=QUALITY, at_least=2)
    assert "|at_least:2.0|" in score.signature
    (again,) = dy.measure(TEXTS, signature=score.signature, quality=QUALITY)
    assert (again.value, again.signature, again.parts) == (score.value, score.signature, score.parts)
    (other,) = dy.measure(TEXTS, signature=score.signature, quality=[3.0] * 4)
    assert "Not the same as in the signature: the texts." in other.notes


def test_corpora_are_tested_at_the_same_gate():
    varied = [f"word{i} other{i}" for i in range(40)]
    same = ["a b", "a c"] * 20
    quality = [float(i % 2) for i in range(40)]
    rows = [
        {"text": text, "system": system, "q": q}
        for system, texts in (("varied", varied), ("same", same))
        for text, q in zip(texts, quality)
    ]
    scores = dy.measure(rows, "distinct:n=1", by="system", quality="q", at_least=1)
    names = ["varied", "varied (quality ≥ 1)", "same", "same (quality ≥ 1)"]
    assert list(dict.fromkeys(score.corpus for score in scores)) == names
    compared = {(each.best, each.corpus) for each in scores.comparisons}
    assert compared == {("varied", "same"), ("varied (quality ≥ 1)", "same (quality ≥ 1)")}


def test_ratios_are_to_the_corpus_at_the_same_gate():
    rows = [
        {"text": text, "who": who, "q": q} for who in ("human", "model") for text, q in zip(TEXTS, QUALITY)
    ]
    scores = dy.measure(rows, "ttr", by="who", quality="q", at_least=2, relative_to="human")
    bases = {score.corpus: score.relative and score.relative.to for score in scores}
    assert bases == {
        "human": None,
        "human (quality ≥ 2)": None,
        "model": "human",
        "model (quality ≥ 2)": "human (quality ≥ 2)",
    }


def test_groups_without_a_text_that_passes_are_left_out():
    scores = dy.measure({"m": TEXTS}, "types:n=1", quality=QUALITY, at_least=2, groups=["p", "q", "q", "q"])
    within = {score.corpus: score.value for score in scores if score.scope == "within"}
    # p: a b; q: a b c d e f. Without the second text: a b; c d e f.
    assert within == {"m": (2 + 6) / 2, "m (quality ≥ 2)": (2 + 4) / 2}


def test_a_note_says_that_fewer_texts_pass():
    scores = dy.measure({"m": TEXTS}, ["distinct:n=1", "mtld"], quality=QUALITY, at_least=2)
    noted = [score.spec for score in scores if any("Fewer texts pass" in note for note in score.notes)]
    assert noted == ["distinct:n=1"]
    everything = dy.measure({"m": TEXTS}, "distinct:n=1", quality=QUALITY, at_least=0)
    assert not any("Fewer texts pass" in note for score in everything for note in score.notes)


def test_nothing_passes():
    score = dy.measure({"m": TEXTS}, "distinct:n=1", quality=QUALITY, at_least=9)[1]
    assert math.isnan(score.value)
    assert (score.undefined, score.parts["passed"]) == ("there are no texts.", 0)


def test_texts_that_are_read_once():
    rows = ({"text": text, "q": q} for text, q in zip(TEXTS, QUALITY))
    assert dy.measure(rows, "types:n=1", quality="q", at_least=2)[1].value == 6


def test_without_the_quality_it_is_an_error():
    with pytest.raises(dy.SpecError, match="texts: the quality of the texts is not known. Name its field"):
        dy.measure(TEXTS, "types:n=1", at_least=2)
