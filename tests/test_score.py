"""`Score` is a float, `Scores` are found by spec, and signatures come back from text."""

from __future__ import annotations

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import distinctly as dy

TEXTS = ["the cat sat on the mat", "a dog sat"]


def test_a_score_is_a_float() -> None:
    score = dy.measure(TEXTS, "distinct:n=1")[0]
    assert isinstance(score, float)
    assert score == score.value == 7 / 9  # the cat sat on mat a dog, of 9
    assert json.loads(json.dumps(score)) == score.value
    assert round(score, 2) == 0.78
    assert repr(score) == f"Score({7 / 9!r}, 'distinct:n=1')"


def test_keys_are_the_specs_as_given() -> None:
    specs = ["ead:vocabulary=100", "distinct:n=2", "entropy:n=1 "]
    scores = dy.measure(TEXTS, specs)
    assert scores.keys() == ["ead:vocabulary=100", "distinct:n=2", "entropy:n=1"]
    assert [key for key, _ in scores.items()] == scores.keys()
    assert scores["ead:vocabulary=100"] is scores[0]
    assert scores["ead"] is scores[0]
    assert scores["distinct:n=2"].options["denominator"] == "ngrams"


def test_a_spec_without_its_n_is_four_scores() -> None:
    scores = dy.measure(TEXTS, ["distinct", "distinct:preset=li2016", "ead"])
    assert [score.options["n"] for score in scores["distinct"]] == [1, 2, 3, 4, 1, 2, 3, 4]
    assert [score.options["n"] for score in scores["distinct:preset=li2016"]] == [1, 2, 3, 4]
    assert scores["distinct:n=3,preset=li2016"].options["denominator"] == "tokens"
    assert scores["ead"].options["n"] == 1
    with pytest.raises(KeyError, match="Did you mean 'ead'"):
        scores["eat"]


def test_signature_by_hand() -> None:
    # The shape that the architecture promises; the hash is of the texts' tokens, order-free.
    score = dy.measure(TEXTS, "distinct:n=2")[0]
    head, tail = score.signature.split("#")
    assert head == "distinct|n:2|pool:corpus|denominator:ngrams|tok:words,lc:no|texts:2"
    assert tail.split("|")[1] == f"v:{dy.__version__}"
    assert len(tail.split("|")[0]) == 16
    assert dy.measure(TEXTS[::-1], "distinct:n=2")[0].signature == score.signature
    assert dy.measure([*TEXTS, ""], "distinct:n=2")[0].signature != score.signature


def test_what_cannot_change_the_number_is_not_in_the_signature() -> None:
    plain = dy.measure(TEXTS, "distinct:n=2")[0].signature
    assert dy.measure(TEXTS, "distinct:n=2,short=zero", batch_size=1, threads=2)[0].signature == plain
    assert dy.measure(TEXTS, "distinct:n=2,preset=blog")[0].signature == plain
    assert "short:zero" in dy.measure(TEXTS, "distinct:n=2,pool=text,short=zero")[0].signature


@pytest.mark.filterwarnings("ignore:Possible:FutureWarning")
@given(st.text(st.sampled_from("ab|:,%=\\#é\n +*.[]^$\x00'"), min_size=1, max_size=12))
def test_any_pattern_survives_the_signature(pattern: str) -> None:
    try:
        score = dy.measure(["a|b,c"], "types:n=1", tokenizer=f"regex:{pattern}")[0]
    except dy.SpecError:
        return
    signature = dy.Signature.parse(score.signature)
    assert str(signature) == score.signature
    assert signature.view[2]["pattern"] == pattern
    again = dy.measure(["a|b,c"], signature.spec, tokenizer=signature.tokenizer)[0]
    assert again.signature == score.signature
    assert again.value == score.value or math.isnan(score.value)


def test_groups_are_in_the_signature_where_they_count() -> None:
    def sign(groups: list[str], pool: str) -> str:
        scores = dy.measure(TEXTS, f"distinct:n=1,pool={pool}", groups=groups)
        return scores[-1].signature  # of all texts together

    assert sign(["x", "y"], "group") != sign(["x", "x"], "group")
    assert sign(["x", "y"], "group") != sign(["y", "x"], "group")
    assert sign(["x", "y"], "corpus") == sign(["x", "x"], "corpus")


@pytest.mark.parametrize("text", ["", "distinct", "distinct|n:2", "distinct|n2|tok:words", "hello world"])
def test_what_is_no_signature_is_an_error(text: str) -> None:
    with pytest.raises(dy.SpecError, match="Expected a signature"):
        dy.Signature.parse(text)


def test_a_function_cannot_be_rebuilt_from_its_name() -> None:
    score = dy.measure(TEXTS, "types:n=1", tokenizer=str.split)[0]
    assert "tok:function,call:" in score.signature
    with pytest.raises(dy.SpecError, match="Python function"):
        dy.measure(TEXTS, "types:n=1", tokenizer=dy.Signature.parse(score.signature).tokenizer)
