"""`relative_to`: values as ratios to those of another corpus, with intervals."""

from __future__ import annotations

import math
import random

import numpy as np
import pytest

import distinctly as dy

HUMAN = ["a b c", "a a b", "a b", "c c c c", "a b c d"]
MODEL = ["a a", "a b a b", "a a a", "b c", "a a b b"]


def ratio_of(scores, corpus="model", spec=None):
    (score,) = [each for each in scores if each.corpus == corpus and spec in (None, each.spec)]
    return score.relative


def test_by_hand():
    # Distinct-1 per text, human: 1, 2/3, 1, 1/4, 1; model: 1/2, 1/2, 1/3, 1, 1/2.
    human, model = np.array([1, 2 / 3, 1, 1 / 4, 1]), np.array([1 / 2, 1 / 2, 1 / 3, 1, 1 / 2])
    scores = dy.measure({"human": HUMAN, "model": MODEL}, "distinct:n=1,pool=text", relative_to="human")
    relative = ratio_of(scores)
    ratio = model.mean() / human.mean()
    # Both are means of 5 independent values, with the standard errors s/√5.
    errors = [values.std(ddof=1) / math.sqrt(5) for values in (model, human)]
    half = 1.959964 * math.hypot(errors[0], ratio * errors[1]) / human.mean()
    assert relative.to == "human"
    assert relative.ratio == pytest.approx(ratio, rel=1e-12)
    assert (relative.low, relative.high) == pytest.approx((ratio - half, ratio + half), rel=1e-6)
    assert ratio_of(scores, "human") is None


def test_shared_prompts_narrow_the_interval():
    draw = random.Random(0)
    words = [f"w{i}" for i in range(30)]
    prompts = [str(i) for i in range(40)]
    human = [" ".join(draw.choices(words[: 2 + i % 20], k=12)) for i in range(40)]
    model = [f"{text} {draw.choice(words)}" for text in human]  # as rich as the human answer of each prompt
    rows = [
        {"text": text, "who": who, "p": p}
        for who, texts in (("human", human), ("model", model))
        for text, p in zip(texts, prompts)
    ]
    spec = "ttr"
    paired = dy.measure(rows, spec, by="who", group="p", relative_to="human")
    alone = dy.measure(rows, spec, by="who", relative_to="human")
    widths = [relative.high - relative.low for relative in (ratio_of(paired), ratio_of(alone))]
    assert ratio_of(paired).ratio == pytest.approx(ratio_of(alone).ratio)
    assert widths[0] < widths[1] / 2


def test_corpora_of_different_sizes_are_compared_at_one_size():
    draw = random.Random(1)
    words = [f"w{i}" for i in range(500)]
    human = [" ".join(draw.choices(words, k=10)) for _ in range(400)]
    scores = dy.measure({"human": human, "model": human[:100]}, "distinct:n=1", relative_to="human")
    sized = [score for score in scores if score.relative is not None]
    assert [score.spec for score in sized] == ["distinct:n=1,at=1000,unit=text"]
    assert sized[0].relative.low < 1 < sized[0].relative.high
    # Distinct-1 of all texts falls with the number of texts: their ratio would be far from 1.
    plain = {score.corpus: score.value for score in scores if score.spec == "distinct:n=1"}
    assert plain["model"] / plain["human"] > 2


@pytest.mark.slow  # draws many corpora
@pytest.mark.parametrize("spec", ["distinct:n=1", "entropy:n=1", "self_bleu:smoothing=epsilon", "ttr"])
def test_the_interval_covers_1_for_samples_of_one_source(spec):
    draw = random.Random(2)
    words = [f"w{i}" for i in range(200)]
    chances = [1 / (i + 1) for i in range(200)]
    covered = 0
    for _ in range(60):
        both = {
            name: [" ".join(draw.choices(words, chances, k=draw.randint(5, 15))) for _ in range(60)]
            for name in ("human", "model")
        }
        relatives = [score.relative for score in dy.measure(both, spec, relative_to="human")]
        (relative,) = [each for each in relatives if each is not None]
        covered += relative.low <= 1 <= relative.high
    # 57 of 60 are expected; fewer than 51 have a probability of 0.4 % (binomial).
    assert covered >= 51


def test_a_value_of_0_has_no_ratio():
    same = ["a b c d e"] * 6
    scores = dy.measure(
        {"human": ["a b c d", "e f g h"] * 3, "model": same}, "duplicates", relative_to="human"
    )
    assert ratio_of(scores).ratio == pytest.approx((5 / 6) / (4 / 6))
    scores = dy.measure({"human": list("abcdef"), "model": same}, "duplicates", relative_to="human")
    assert math.isnan(ratio_of(scores).ratio)
    assert (ratio_of(scores).low, ratio_of(scores).to_dict()["ratio"]) == (None, None)


def test_json_and_rows_have_the_ratio():
    scores = dy.measure({"human": HUMAN, "model": MODEL}, "ttr", relative_to="human")
    document = scores.to_dict()["scores"]
    assert "relative" not in document[0]
    assert document[1]["relative"]["to"] == "human"
    record = scores.to_records()[1]
    assert (record["relative_to"], record["ratio"]) == ("human", document[1]["relative"]["ratio"])


def test_what_is_missing_is_an_error():
    with pytest.raises(dy.DistinctlyError, match="Unknown corpus 'people'. Known: human, model"):
        dy.measure({"human": HUMAN, "model": MODEL}, "ttr", relative_to="people")
    with pytest.raises(dy.SpecError, match="There is no other corpus than 'human'"):
        dy.measure({"human": HUMAN}, "ttr", relative_to="human")
    with pytest.raises(dy.InputError, match="human: it has no texts, so no value is relative to it"):
        dy.measure({"human": [], "model": MODEL}, "ttr", relative_to="human")
