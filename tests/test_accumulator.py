"""`Accumulator` for distances: folded in pieces, merged, pickled, and the same as `compare`."""

from __future__ import annotations

import pickle

import pytest

import distinctly as dy

HUMAN = [f"the {animal} {verb} here" for animal in ("cat", "dog", "fox", "owl") for verb in ("sat", "ran")]
MODEL = [f"a {animal} sat {place}" for animal in ("cat", "dog") for place in ("down", "up", "here")]
SPECS = ["frechet", "chi", "jensen_shannon:n=2", "zipf", "ttr_difference"]


def state() -> dy.Accumulator:
    return dy.Accumulator(SPECS, embedder="wordllama:dim=64")


def test_pieces_and_merging_give_the_scores_of_compare() -> None:
    first, second = state(), state()
    first.update(reference=HUMAN[:3], candidate=MODEL[:1])
    first.update(candidate=MODEL[1:4])
    second.update(reference=HUMAN[3:])
    second.update(candidate=MODEL[4:])
    merged = pickle.loads(pickle.dumps(first)).merge(second).compute()
    compared = dy.compare(HUMAN, MODEL, SPECS, embedder="wordllama:dim=64")
    for score, expected in zip(merged, compared, strict=True):
        # Counts are exact; moments merge within 1e-9.
        tolerance = 1e-9 if score.metric == "frechet" else 0
        assert score.value == pytest.approx(expected.value, rel=tolerance, abs=0)
        assert score.signature == expected.signature
        assert score.parts["reference_texts"] == len(HUMAN)


def test_nothing_is_undefined_with_a_reason() -> None:
    empty = state()
    empty.update(reference=HUMAN)
    assert {score.undefined for score in empty.compute()} == {"the candidate has no texts."}


def test_each_kind_of_metric_has_its_own_update() -> None:
    with pytest.raises(dy.SpecError, match=r"update\(reference=…, candidate=…\)"):
        state().update(HUMAN)
    with pytest.raises(dy.SpecError, match=r"update\(texts\)"):
        dy.Accumulator("distinct:n=1").update(reference=HUMAN)
    with pytest.raises(dy.SpecError, match="dy.compare"):
        dy.Accumulator("dc")
