"""`context=prompt`: the direction of the prompt is taken out of the vectors of its answers."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy
from distinctly.judging.people.trial import human_agreement
from distinctly.score import Signature

# Vectors of texts and prompts of the embedder below.
VECTORS = {
    "x": [1.0, 0.0, 0.0],
    "y": [0.0, 1.0, 0.0],
    "xy": [3.0, 4.0, 0.0],
    "xz": [1.0, 0.0, 1.0],
    "-y": [0.0, -2.0, 0.0],
    "nothing": [0.0, 0.0, 0.0],
}


def embed(texts):
    return [VECTORS[text] for text in texts]


def measure(texts, spec, **options):
    return dy.measure(texts, spec, embedder=embed, **options)


def test_by_hand():
    # Without the direction x of their prompt, xy is y, and xz is z: a right angle, so the distance is 1.
    score = measure(["xy", "xz"], "dispersion:context=prompt", prompts=["x", "x"])[
        "dispersion:context=prompt"
    ]
    assert [part.value for part in score] == pytest.approx([1.0, math.nan, 1.0], nan_ok=True)
    # With it: xy·xz = 3, their lengths are 5 and √2.
    plain = measure(["xy", "xz"], "dispersion", groups=["g", "g"])[0]
    assert plain.value == pytest.approx(1 - 3 / (5 * math.sqrt(2)))


def test_each_text_loses_the_direction_of_its_own_prompt():
    # xy without x is y; xy without y is x.
    scores = measure(["xy", "xy"], "chamfer:context=prompt", prompts=["x", "y"], groups=["g", "g"])
    assert scores[0].value == pytest.approx(1.0)
    assert measure(["xy", "xy"], "chamfer", groups=["g", "g"])[0].value == pytest.approx(0.0, abs=1e-12)


def test_an_answer_that_is_its_prompt_has_no_direction_left():
    score = measure(["x", "xy", "y"], "dispersion:context=prompt", prompts=["x"] * 3)[-1]
    assert score.parts["zero_vectors"] == 1
    assert score.value == 0  # xy and y both become y
    assert "1 of 3 texts have a zero vector" in score.notes[0]


def test_a_prompt_without_a_vector_takes_nothing_out():
    texts = ["x", "xy", "xz"]
    without = measure(texts, "vendi", groups=["g"] * 3)[-1].value
    assert measure(texts, "vendi:context=prompt", prompts=["nothing"] * 3)[-1].value == pytest.approx(without)


def plain_loop(texts, prompts):
    """Return the mean distance to the nearest other text, one text at a time."""
    left = []
    for text, prompt in zip(texts, prompts):
        x, c = np.array(VECTORS[text]), np.array(VECTORS[prompt])
        c = c / np.linalg.norm(c) if c.any() else c
        x = x / np.linalg.norm(x)
        rest = x - (x @ c) * c
        if np.linalg.norm(rest) > 1e-6:
            left.append(rest / np.linalg.norm(rest))
    if len(left) < 2:
        return math.nan
    return float(np.mean([min(1 - a @ b for j, b in enumerate(left) if j != i) for i, a in enumerate(left)]))


@given(st.lists(st.tuples(st.sampled_from(["x", "y", "xy", "xz", "-y"]), st.sampled_from(list(VECTORS)))))
def test_the_same_as_a_loop(pairs):
    texts, prompts = [text for text, _ in pairs], [prompt for _, prompt in pairs]
    if not texts:
        return
    groups = ["g"] * len(texts)
    score = measure(texts, "chamfer:context=prompt", prompts=prompts, groups=groups)[-1]
    assert score.value == pytest.approx(plain_loop(texts, prompts), abs=1e-6, nan_ok=True)


def test_prompts_by_group(tmp_path):
    path = tmp_path / "answers.jsonl"
    path.write_text('{"text": "xy", "q": 1}\n{"text": "xz", "q": 1}\n{"text": "y", "q": 2}\n')
    spec = "vendi:context=prompt"
    given_by_group = measure(path, spec, group="q", prompts={1: "x", 2: "xz"})
    listed = measure(["xy", "xz", "y"], spec, groups=[1, 1, 2], prompts=["x", "x", "xz"])
    assert [score.value for score in given_by_group] == [score.value for score in listed]
    assert [score.signature for score in given_by_group] == [score.signature for score in listed]
    with pytest.raises(dy.InputError, match=r"answers.jsonl: the group '2' has no prompt"):
        measure(path, spec, group="q", prompts={"1": "x"})
    with pytest.raises(dy.InputError, match=r"the group '2' has no prompt. Add it to the prompts."):
        measure(path, spec, group="q", prompts={"1": "x", "2": None})
    with pytest.raises(dy.SpecError, match="prompts by group need the group of each text"):
        measure(["xy"], spec, prompts={"1": "x"})


def test_the_signature_has_the_prompts_and_reproduces_the_score():
    texts, prompts = ["xy", "xz", "y"], ["x", "x", "-y"]
    scores = measure(texts, "dispersion:context=prompt", prompts=prompts)
    for score in scores:
        again = dy.measure(texts, signature=score.signature, prompts=prompts, embedder=embed)[0]
        assert (again.value, again.notes) == (score.value, score.notes) or math.isnan(score.value)
    others = dy.measure(texts, signature=scores[-1].signature, prompts=["x", "x", "y"], embedder=embed)[0]
    assert "Not the same as in the signature: the groups, the prompts." in others.notes
    facts = [
        Signature.parse(
            measure(texts, "dispersion:context=prompt", prompts=given, groups=["g"] * 3)[-1].signature
        )
        for given in (prompts, ["x", "-y", "x"])
    ]
    assert facts[0].facts["prompts"] != facts[1].facts["prompts"]  # the same prompts of other texts
    assert "prompts" not in Signature.parse(measure(texts, "dispersion")[0].signature).facts


def test_the_order_of_the_texts_changes_nothing():
    texts, prompts = ["xy", "xz", "y", "-y"], ["x", "x", "xz", "x"]
    order = [2, 0, 3, 1]
    shuffled = ([texts[i] for i in order], [prompts[i] for i in order])
    for spec in ("vendi:context=prompt", "chamfer:context=prompt"):
        first = measure(texts, spec, prompts=prompts, groups=["g"] * 4)[-1]
        second = measure(shuffled[0], spec, prompts=shuffled[1], groups=["g"] * 4)[-1]
        assert (first.value, first.signature) == (second.value, second.signature)


def test_texts_are_embedded_once_for_both_views():
    calls = []

    def counted(texts):
        calls.extend(texts)
        return embed(texts)

    dy.measure(
        ["xy", "xz"], ["vendi", "vendi:context=prompt"], embedder=counted, prompts=["x", "x"], cache=False
    )
    assert sorted(calls) == ["x", "xy", "xz"]


def test_what_is_missing_is_an_error():
    with pytest.raises(dy.SpecError, match="`context=prompt` needs the prompt of each text: name its field"):
        measure(["xy", "xz"], "vendi:context=prompt")
    with pytest.raises(dy.SpecError, match="`context` is for vectors, and 'vendi' by n-grams has none"):
        measure(["xy"], "vendi:kernel=ngram,context=prompt")
    with pytest.raises(dy.SpecError, match="vectors are given in place of an embedder"):
        dy.measure(np.eye(3), "vendi:context=prompt")


def test_agreement_with_people_takes_prompts(tmp_path):
    sets = [["xy", "xz"], ["x", "xy"], ["y", "-y"], ["xy", "xy"]]
    prompts = ["x", "y", "xz", "x"]
    trial = human_agreement(
        sets, "dispersion:context=prompt", human=[1, 2, 3, 4], prompts=prompts, embedder=embed
    )
    # 1 (y and z), 0 (x twice), 2 (y and −y), 0 (y twice); ranks 3, 1.5, 4, 1.5 against 1, 2, 3, 4.
    spearman = trial.to_dict()["dispersion:context=prompt"]["spearman"]["mean"]
    expected = np.corrcoef([3, 1.5, 4, 1.5], [1, 2, 3, 4])[0, 1]
    assert spearman == pytest.approx(expected)
    path = tmp_path / "sets.jsonl"
    path.write_text('{"texts": ["xy"], "h": 1, "q": "x"}\n{"texts": ["x"], "h": 2, "q": null}\n')
    with pytest.raises(dy.InputError, match="sets.jsonl, line 2: expected the prompt of the set as text"):
        human_agreement(path, "dispersion:context=prompt", human="h", prompt="q", embedder=embed)
