"""What every metric in the registry must do, whatever its options."""

from __future__ import annotations

import inspect
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.contract.cases import REFERENCE, group_names, measure, metrics_of, same, variants
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.metric import Context
from distinctly.registry import find_metric, metric_names
from distinctly.strings import Strings
from distinctly.views.tokens import Tokens

every_metric = pytest.mark.parametrize("name", metric_names())
every_variant = pytest.mark.parametrize("spec", variants())

IDENTICAL = [["the", "cat", "sat", "down", "here"]] * 4
DIFFERENT = [[f"w{i}{j}" for j in range(6)] for i in range(5)]


@every_metric
def test_says_what_it_is(name: str) -> None:
    kind = find_metric(name)
    low, high = kind.bounds
    assert kind.metric_name() == name
    assert kind.more_is in ("more diverse", "less diverse", "farther", "nearer")
    assert low < high
    assert "Examples\n" in (inspect.getdoc(kind) or ""), "the docstring has a runnable example"


@every_variant
@given(texts=TOKEN_LISTS)
def test_lies_within_its_bounds_or_is_undefined_with_a_reason(spec: str, texts: list[list[str]]) -> None:
    for score in measure(texts, spec):
        low, high = find_metric(score.metric).bounds
        if math.isnan(score.value):
            assert any(note.startswith("Undefined") for note in score.notes)
        else:
            assert low <= score.value <= high


@every_variant
@given(texts=TOKEN_LISTS, data=st.data())
def test_order_batches_and_threads_change_nothing(spec: str, texts: list[list[str]], data: Any) -> None:
    expected = measure(texts, spec)
    shuffled = data.draw(st.permutations(texts))
    assert same(measure(shuffled, spec), expected)
    assert same(measure(texts, spec, batch_size=data.draw(st.integers(1, 5))), expected)
    assert same(measure(texts, spec, batch_size=2, threads=2), expected)


@every_variant
@given(texts=TOKEN_LISTS, cut=st.integers(0, 10))
def test_states_merge(spec: str, texts: list[list[str]], cut: int) -> None:
    for statistic in statistics_of(spec):
        parts = [statistic.collect(view(part)) for part in (texts[:cut], texts[cut:])]
        whole = statistic.summarize(statistic.collect(view(texts)))
        assert same(statistic.summarize(parts[0] + parts[1]), whole)
        assert same(statistic.summarize(parts[1] + parts[0]), whole)
        assert same(statistic.summarize(pickle.loads(pickle.dumps(parts[0])) + parts[1]), whole)


@every_variant
@given(texts=TOKEN_LISTS, data=st.data())
def test_a_selection_of_an_index_is_a_collection_of_the_selection(
    spec: str, texts: list[list[str]], data: Any
) -> None:
    rows = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True) if texts else st.just([]))
    for statistic in statistics_of(spec):
        cut = statistic.index(view(texts)).summarize(np.array(rows, np.int64))
        assert same(cut, statistic.summarize(statistic.collect(view([texts[row] for row in rows]))))


@every_variant
def test_no_texts_is_undefined(spec: str) -> None:
    for score in measure([], spec):
        assert math.isnan(score.value)
        assert score.notes[0] == "Undefined: there are no texts."


@every_variant
@pytest.mark.parametrize("texts", [[[]], [[], []]], ids=["one empty text", "only empty texts"])
def test_only_empty_texts_is_undefined_or_zero_by_choice(spec: str, texts: list[list[str]]) -> None:
    for score in measure(texts, spec):
        by_choice = score.options.get("short") == "zero"
        assert (score.value == 0) if by_choice else math.isnan(score.value)
        assert any("empty" in note for note in score.notes)


@every_variant
@pytest.mark.parametrize("texts", [[["one", "text", "of", "five", "tokens"]], IDENTICAL, DIFFERENT])
def test_one_identical_and_different_texts_have_a_value(spec: str, texts: list[list[str]]) -> None:
    for score in measure(texts, spec):
        assert math.isfinite(score.value)


@every_metric
def test_more_diverse_is_more(name: str) -> None:
    if find_metric(name).more_is == "more diverse":
        for varied, same_again in zip(measure(DIFFERENT, name), measure([DIFFERENT[0]] * 5, name)):
            assert varied.value > same_again.value


@every_variant
def test_the_signature_rebuilds_the_metric_and_the_number(spec: str) -> None:
    texts = ["the cat sat on the mat", "the dog", "a cat sat", "one two three four five"]
    references = [" ".join(text) for text in REFERENCE]
    for score in dy.measure(texts, spec, tokenizer="words:lc=yes", groups=list("abba"), reference=references):
        signature = dy.Signature.parse(score.signature)
        assert str(signature) == score.signature
        assert dy.metric_of(score.signature) in metrics_of(spec)
        again = dy.measure(
            texts, signature.spec, tokenizer=signature.tokenizer, groups=list("abba"), reference=references
        )[0]
        assert same(again, score)


@every_variant
def test_pickles(spec: str) -> None:
    for metric in metrics_of(spec):
        assert pickle.loads(pickle.dumps(metric)) == metric
    for score in measure(IDENTICAL, spec):
        copy = pickle.loads(pickle.dumps(score))
        assert same(copy, score)
        assert isinstance(copy, dy.Score)


@every_variant
def test_an_accumulator_gives_the_same(spec: str) -> None:
    halves = IDENTICAL[:1] + DIFFERENT[:1], IDENTICAL[1:] + DIFFERENT[1:]
    states = []
    for half in halves:
        state = dy.Accumulator(spec, reference=REFERENCE)
        state.update(half, groups=group_names(half))
        states.append(pickle.loads(pickle.dumps(state)))
    assert same(states[0].merge(states[1]).compute(), measure([*halves[0], *halves[1]], spec))


def statistics_of(spec: str) -> list[Any]:
    """Return the statistics that the metrics of a spec read, bound to the reference."""
    found = []
    for metric in metrics_of(spec):
        reference = {s: s.summarize(s.collect(view(REFERENCE))) for s in metric.reference_statistics()}
        found += metric.bind(Context("given", None, reference)).statistics()
    return found


def view(texts: list[list[str]]) -> Tokens:
    return Tokens.of(texts, Strings.encode(group_names(texts)))
