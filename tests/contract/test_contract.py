"""Properties of every metric of one corpus in the registry, with any options."""

from __future__ import annotations

import dataclasses
import inspect
import math
import pickle
from typing import Any, get_args

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.cases import (
    DIVERSITIES,
    REFERENCE,
    columns,
    default_spec,
    enough,
    group_names,
    marked,
    measure,
    metrics_of,
    same,
    variants,
    views,
)
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.batch import Batch
from distinctly.engine.states import underived
from distinctly.metrics import Context, Direction, Metric, Sizable
from distinctly.registry import find_metric
from distinctly.run.estimating import score_rows
from distinctly.run.plan import Views
from distinctly.score import NO_REASON
from distinctly.spec import Request
from distinctly.statistics.base import Mergeable, TwoPass
from distinctly.statistics.pool import Pool
from distinctly.testing import check_metric
from distinctly.views.rows import Rows

# There are hundreds of variants, so a few examples per variant are enough.
few = settings(max_examples=12)
every_metric = pytest.mark.parametrize("name", DIVERSITIES)
every_variant = pytest.mark.parametrize("spec", marked(DIVERSITIES))

IDENTICAL = [["the", "cat", "sat", "down", "here"]] * 4
DIFFERENT = [[f"w{i}{j}" for j in range(6)] for i in range(5)]
# Long enough for every window: in VARIED a word occurs once or twice, in REPEATED 150 times.
VARIED = [[f"w{i}-{j % 100}" for j in range(120)] for i in range(5)]
REPEATED = [[f"w{j % 4}" for j in range(120)]] * 5


@every_metric
def test_says_what_it_is(name: str) -> None:
    kind = find_metric(name)
    low, high = kind.bounds
    assert kind.metric_name() == name
    assert kind.more_is in get_args(Direction)
    assert low < high
    assert "Examples\n" in (inspect.getdoc(kind) or ""), "the docstring has a runnable example"


@every_variant
@few
@given(texts=TOKEN_LISTS)
def test_lies_within_its_bounds_or_is_undefined_with_a_reason(spec: str, texts: list[list[str]]) -> None:
    for score in measure(enough(texts, spec), spec):
        low, high = find_metric(score.metric).bounds
        if math.isnan(score.value):
            assert score.undefined not in (None, NO_REASON)  # the metric states a reason
        else:
            assert low <= score.value <= high


@every_variant
@few
@given(texts=TOKEN_LISTS, data=st.data())
def test_order_batches_and_threads_change_nothing(spec: str, texts: list[list[str]], data: Any) -> None:
    texts = enough(texts, spec)
    expected = measure(texts, spec)
    if not any(metric.ordered for metric in metrics_of(spec)):
        shuffled = data.draw(st.permutations(texts))
        assert same(measure(shuffled, spec), expected)
    assert same(measure(texts, spec, batch_size=data.draw(st.integers(1, 5))), expected)
    assert same(measure(texts, spec, batch_size=2, threads=2), expected)


@every_variant
@few
@given(texts=TOKEN_LISTS, cut=st.integers(0, 10))
def test_states_merge(spec: str, texts: list[list[str]], cut: int) -> None:
    texts = enough(texts, spec)
    for metric in bound_metrics(spec):
        for statistic in underived(metric.statistics()):
            if not isinstance(statistic, Mergeable):
                continue
            whole, left, right = (
                statistic.collect(rows(part)[statistic.view]) for part in (texts, texts[:cut], texts[cut:])
            )
            left = pickle.loads(pickle.dumps(left))
            expected = statistic.summarize(whole)
            assert same(statistic.summarize(left + right), expected)
            assert same(statistic.summarize(right + left), expected)


@every_variant
@few
@given(texts=TOKEN_LISTS, cut=st.integers(0, 10))
def test_two_passes_over_parts_equal_one_over_all(spec: str, texts: list[list[str]], cut: int) -> None:
    for metric in bound_metrics(spec):
        for statistic in underived(metric.statistics()):
            if isinstance(statistic, TwoPass):
                pieces = [rows(part)[statistic.view] for part in (texts[:cut], texts[cut:])]
                states = [[table.collect(piece) for piece in pieces] for table in statistic.first()]
                tables = [
                    table.summarize(left + right) for table, (left, right) in zip(statistic.first(), states)
                ]
                left, right = (statistic.collect(piece, *tables) for piece in pieces)
                assert same(statistic.finish(left + right), statistic.summarize(rows(texts)[statistic.view]))


@every_variant
@few
@given(texts=TOKEN_LISTS, data=st.data())
def test_a_selection_of_a_pool_is_a_collection_of_the_selection(
    spec: str, texts: list[list[str]], data: Any
) -> None:
    texts = enough(texts, spec)
    chosen = data.draw(st.lists(st.integers(0, len(texts) - 1), unique=True) if texts else st.just([]))
    for metric in bound_metrics(spec):
        pool, places = Pool(rows(texts)), np.array(chosen, np.int64)
        selection = pool.select(places)
        alone = Pool(rows([texts[row] for row in chosen]))
        for statistic in metric.statistics():
            assert same(selection[statistic], alone.whole(statistic))
        assert same(score_rows(metric, pool, places), score_rows(metric, alone, np.arange(len(alone))))


@every_variant
def test_no_texts_is_undefined(spec: str) -> None:
    for score in measure([], spec):
        assert math.isnan(score.value)
        # At a size, what there is none of is named: texts, tokens or n-grams.
        assert score.undefined.startswith("there are no ")
        assert score.undefined == "there are no texts." or "at" in score.options


@every_variant
@pytest.mark.parametrize("texts", [[[]], [[], []]], ids=["one empty text", "only empty texts"])
def test_only_empty_texts_is_undefined_or_zero_by_choice(spec: str, texts: list[list[str]]) -> None:
    for score in measure(texts, spec):
        by_choice = score.options.get("short") == "zero"
        assert (score.value == 0) if by_choice else math.isnan(score.value)
        assert any("empty" in note for note in score.notes)


@every_variant
def test_keeps_the_promises_of_plug_ins(spec: str) -> None:
    check_metric(spec)


@every_metric
def test_more_diverse_is_more(name: str) -> None:
    direction = {"more diverse": 1, "less diverse": -1}.get(find_metric(name).more_is, 0)
    spec = default_spec(name)
    for varied, same_again in zip(measure(VARIED, spec), measure(REPEATED, spec)):
        assert math.isfinite(varied.value)
        assert math.isfinite(same_again.value)
        if direction:
            assert direction * varied.value > direction * same_again.value


@every_variant
def test_the_signature_rebuilds_the_metric_and_the_number(spec: str) -> None:
    texts = ["the cat sat on the mat", "the dog", "a cat sat", "one two three four five"]
    texts = [" ".join(text) for text in enough([text.split() for text in texts], spec)]
    references = [" ".join(text) for text in REFERENCE]
    groups = list("abba") if "pool=group" in spec else None
    more = {"groups": groups, "reference": references, **views(spec), **columns(texts, spec)}
    for score in dy.measure(texts, spec, tokenizer="words:lc=yes", **more):
        signature = dy.Signature.parse(score.signature)
        assert str(signature) == score.signature
        assert dy.metric_of(score.signature) in metrics_of(spec)
        again = dy.measure(texts, signature.spec, tokenizer=signature.tokenizer, **more)[0]
        assert same(again, score)


@pytest.mark.parametrize("spec", [spec for spec in variants(DIVERSITIES) if "at=" in spec])
def test_a_metric_whose_plain_form_was_used_can_read_another_view(spec: str) -> None:
    texts = [" ".join(text) for text in enough(DIFFERENT, spec)]
    used, new = (dataclasses.replace(dy.metric(spec)) for _ in range(2))
    assert used.plain.at is None
    # The last letter of each word: as many tokens, but fewer types.
    scores = [
        dy.measure(
            texts,
            metric,
            tokenizer=r"regex:\w\b",
            reference=REFERENCE,
            **views(spec),
            **columns(texts, spec),
        )
        for metric in (used, new)
    ]
    # Few of the texts have four tokens, so that a draw may have none of them.
    assert math.isfinite(scores[0][0].value) or "short=skip" in spec
    assert same(*scores)


@every_variant
def test_scores_pickle(spec: str) -> None:
    for score in measure(enough(IDENTICAL, spec), spec):
        copy = pickle.loads(pickle.dumps(score))
        assert same(copy, score)
        assert isinstance(copy, dy.Score)


@every_variant
def test_an_accumulator_gives_the_same(spec: str) -> None:
    halves = IDENTICAL[:1] + DIFFERENT[:1], enough(IDENTICAL[1:] + DIFFERENT[1:], spec)
    if any(isinstance(metric, Sizable) and metric.drawn for metric in metrics_of(spec)):
        with pytest.raises(
            dy.SpecError, match="a mean over random draws of texts, which must all be in memory"
        ):
            dy.Accumulator(spec, reference=REFERENCE, **views(spec))
        return
    states = []
    for half in halves:
        state = dy.Accumulator(spec, reference=REFERENCE, **views(spec))
        groups = group_names(half) if "pool=group" in spec else None
        state.update(half, groups=groups, **columns(half, spec))
        states.append(pickle.loads(pickle.dumps(state)))
    assert same(states[0].merge(states[1]).compute(), measure([*halves[0], *halves[1]], spec))


def bound_metrics(spec: str) -> list[Metric]:
    """Return the metrics of a spec, bound to their views and the reference."""
    bound = []
    for metric in metrics_of(spec):
        view = Views.of([Request(spec, metric)], **views(spec)).view_of(metric)
        reference = Pool(rows(REFERENCE))
        bound.append(metric.bind(Context(view, reference.select(np.arange(len(reference))))))
    return bound


def rows(texts: list[list[str]]) -> Rows:
    beside = columns(texts, "utility:by=partition")  # all columns that metrics read in these tests
    return Rows(Batch.of(texts, groups=group_names(texts), **beside))
