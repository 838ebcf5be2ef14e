"""Properties of every distance in the registry, with any options."""

from __future__ import annotations

import inspect
import math
import pickle
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.contract.cases import DISTANCES, marked, metrics_of, same
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.batch import Batch
from distinctly.distance.base import Distance
from distinctly.embedders import find_embedder
from distinctly.registry import find_metric
from distinctly.run.plan import Plan, Views
from distinctly.run.scoring import Distances
from distinctly.score import NO_REASON
from distinctly.spec import parse_metrics
from distinctly.statistics.base import Mergeable
from distinctly.statistics.pairing import MergeablePair
from distinctly.statistics.pool import Pool
from distinctly.testing import check_metric, embed
from distinctly.views.rows import Rows

few = settings(max_examples=6)
every_distance = pytest.mark.parametrize("name", DISTANCES)
every_variant = pytest.mark.parametrize("spec", marked(DISTANCES))

WORDS = ["amber", "brook", "cedar", "delta", "ember", "fjord", "grove", "heath", "inlet", "jetty"]


def corpus(seed: int, words: list[str], texts: int = 30) -> list[list[str]]:
    """Return distinct texts of random words."""
    draw = np.random.default_rng(seed)
    return [[*draw.choice(words, 6).tolist(), f"{words[0]}{place}"] for place in range(texts)]


# Other words, and fewer of them, so that distances that depend only on frequencies also see a difference.
ONE, OTHER = corpus(1, WORDS), corpus(2, [word[::-1] for word in WORDS[:4]])
# A distance that reads only the words of a list has texts of such words.
LISTED = {"function_words": ["the", "of", "and", "she", "in", "not", "was", "for", "but", "they"]}
OTHERS = {"function_words": ["he", "with", "the", "to"]}


def corpora(spec: str) -> tuple[list[list[str]], list[list[str]]]:
    """Return two corpora of different words."""
    name = spec.partition(":")[0]
    if name not in LISTED:
        return ONE, OTHER
    return corpus(1, LISTED[name]), corpus(2, OTHERS[name])


def compare(reference: Any, candidate: Any, spec: str, **options: Any) -> dy.Scores:
    return dy.compare(reference, candidate, spec, embedder=embed, **options)


@every_distance
def test_says_what_it_is(name: str) -> None:
    kind = find_metric(name)
    low, high = kind.bounds
    assert issubclass(kind, Distance)
    assert kind.metric_name() == name
    assert kind.more_is == "farther"
    assert low < high
    assert "Examples\n" in (inspect.getdoc(kind) or ""), "the docstring has a runnable example"


@every_variant
@few
@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS)
def test_lies_within_its_bounds_or_is_undefined_with_a_reason(
    spec: str, reference: list[list[str]], candidate: list[list[str]]
) -> None:
    for score in compare(reference, candidate, spec):
        low, high = find_metric(score.metric).bounds
        assert isinstance(score.value, float)
        if math.isnan(score.value):
            assert score.undefined not in (None, NO_REASON)  # the metric states a reason
        else:
            assert low <= score.value <= high


@every_variant
@few
@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, data=st.data())
def test_order_and_batches_change_nothing(
    spec: str, reference: list[list[str]], candidate: list[list[str]], data: Any
) -> None:
    expected = compare(reference, candidate, spec)
    shuffled = [data.draw(st.permutations(texts)) for texts in (reference, candidate)]
    assert same(compare(*shuffled, spec, batch_size=data.draw(st.integers(1, 5)), threads=2), expected)


@every_variant
@few
@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS)
def test_what_is_symmetric_is(spec: str, reference: list[list[str]], candidate: list[list[str]]) -> None:
    for there, back in zip(compare(reference, candidate, spec), compare(candidate, reference, spec)):
        if find_metric(there.metric).symmetric:
            # Numpy may sum in another order.
            assert there.value == pytest.approx(back.value, rel=1e-9, abs=1e-9, nan_ok=True)


@every_variant
@pytest.mark.parametrize("sizes", [(0, 5), (5, 0), (0, 0)])
def test_no_texts_is_undefined(spec: str, sizes: tuple[int, int]) -> None:
    one, other = corpora(spec)
    for score in compare(one[: sizes[0]], other[: sizes[1]], spec):
        assert math.isnan(score.value)
        empty = "candidate" if sizes[0] else "reference"
        assert score.undefined == f"the {empty} has no texts."


@every_variant
def test_keeps_the_promises_of_plug_ins(spec: str) -> None:
    check_metric(spec)


@every_distance
def test_the_same_corpus_is_at_no_distance_and_another_one_is(name: str) -> None:
    one, other = corpora(name)
    spec = parse_metrics(name)[0].spec  # the texts are too short for some of the others
    for same_again, far in zip(compare(one, one, spec), compare(one, other, spec)):
        # Unbiased estimates may fall below 0 there.
        assert same_again.value <= 1e-9
        assert far.value > 0.01 * (1 + same_again.value)


@every_distance
def test_a_growing_difference_is_seen_to_grow(name: str) -> None:
    one, other = corpora(name)
    mixed = [
        compare(one, other[:share] + corpus(4, LISTED.get(name, WORDS))[share:], name)[0].value
        for share in (0, 15, 30)
    ]
    # A distance that only counts types sees more of them in a mixture, not a step from one corpus to the
    # other.
    if name not in ("zipf", "ttr_difference"):
        assert mixed[0] < mixed[1] < mixed[2] or mixed[2] == find_metric(name).bounds[1]


@every_variant
@pytest.mark.parametrize("cut", [0, 1, 11])
def test_states_of_a_side_merge(spec: str, cut: int) -> None:
    one, _ = corpora(spec)
    requests = parse_metrics(spec)
    for request in Plan.of(requests, Views.of(requests, embedder=find_embedder(embed))).requests:
        metric = request.metric
        sides = [pair.side() for pair in metric.pair_statistics() if isinstance(pair, MergeablePair)]
        for statistic in (*(s for s in metric.statistics() if isinstance(s, Mergeable)), *sides):
            whole, left, right = (
                statistic.collect(Rows(Batch.of(part))[statistic.view])
                for part in (one, one[:cut], one[cut:])
            )
            merged, expected = statistic.summarize(left + right), statistic.summarize(whole)
            if statistic.exact:
                assert same(merged, expected)
            else:  # moments: their R may differ in signs, their products of columns only by rounding
                assert merged.texts == expected.texts
                assert merged.mean == pytest.approx(expected.mean, rel=1e-9, abs=1e-12)
                products = expected.root.T @ expected.root
                assert merged.root.T @ merged.root == pytest.approx(products, rel=1e-9, abs=1e-9)


@every_variant
@few
@given(data=st.data())
def test_many_pairs_at_once_are_as_one_by_one(spec: str, data: Any) -> None:
    one, other = corpora(spec)
    pool = Pool(Rows(Batch.of([*one, *other])))
    requests = parse_metrics(spec)
    plan = Plan.of(requests, Views.of(requests, embedder=find_embedder(embed)))
    distances = Distances([request.metric for request in plan.requests])
    rows = len(one) + len(other)
    drawn = []
    for _ in range(3):
        order = np.array(data.draw(st.permutations(range(rows))))
        cut = data.draw(st.integers(1, rows - 1))
        drawn.append((order[:cut], order[cut : cut + data.draw(st.integers(1, rows - cut))]))
    at_once = distances.values(pool, iter(drawn), rows, lambda _: None)
    for row, (reference, candidate) in zip(at_once, drawn):
        pair = pool.select(reference), pool.select(candidate)
        alone = [score.value for score in distances.scores(pool, pair)]
        assert row.tolist() == pytest.approx(alone, rel=1e-9, abs=1e-9, nan_ok=True)


@every_variant
def test_the_signature_rebuilds_the_metric_and_the_number(spec: str) -> None:
    one, other = corpora(spec)
    reference, candidate = ([" ".join(text) for text in texts] for texts in (one, other))
    for score in dy.compare(reference, candidate, spec, tokenizer="words:lc=yes", embedder=embed):
        signature = dy.Signature.parse(score.signature)
        assert str(signature) == score.signature
        # The signature also has the unit that is drawn, if the metric draws one.
        assert dy.metric_of(score.signature) in [metric.drawing("text") for metric in metrics_of(spec)]
        assert signature.facts["reference"].startswith(f"{len(one)}#")
        tokenizer = signature.tokenizer
        again = dy.compare(reference, candidate, signature.spec, tokenizer=tokenizer, embedder=embed)[0]
        assert same(again, score)


@every_distance
def test_draws_depend_only_on_what_the_metric_sees(name: str) -> None:
    one, other = corpora(name)
    reference, candidate = ([" ".join(text).title() for text in texts] for texts in (one, other))
    asked: dict[str, Any] = {
        "embedder": embed,
        "permutations": 5,
        "noise_floor": True,
        "interval": True,
        "subsample": 24,
    }
    # Beside another metric and with a tokenizer that a metric of vectors does not read.
    metrics = [another for another in ("jensen_shannon", "medoid") if another != name]
    metrics.append(parse_metrics(name)[0].spec)
    score = dy.compare(reference, candidate, metrics, tokenizer="words:lc=yes", **asked)[-1]
    signature = dy.Signature.parse(score.signature)
    again = dy.compare(reference, candidate, signature.spec, tokenizer=signature.tokenizer, **asked)[0]
    assert (again.value, again.low, again.high) == (score.value, score.low, score.high)
    assert (again.signature, again.floor, again.test.p) == (score.signature, score.floor, score.test.p)


@every_variant
def test_scores_pickle(spec: str) -> None:
    one, other = corpora(spec)
    for score in compare(one, other, spec):
        assert same(pickle.loads(pickle.dumps(score)), score)


@every_distance
def test_what_chance_makes_of_it(name: str) -> None:
    one, other = corpora(name)
    # Few texts and few draws: only the presence and the meaning of the fields are tested.
    far = compare(one, other, name, permutations=19, noise_floor=True, interval=True)[0]
    assert far.test.p >= 1 / 20
    assert far.test.p_holm >= far.test.p
    assert far.floor.texts == 15
    assert math.isnan(far.floor.ratio) == (far.floor.mean <= 0)
    if name in (
        "jensen_shannon",
        "novelty",
    ):  # whichever texts are left out, no words are shared: 1, without a spread
        assert (far.value, far.low, far.high) == (1, None, None)
        assert any(note.startswith("No interval") for note in far.notes)
    else:
        assert far.low is not None
        assert far.high is not None
        assert far.low <= far.value <= far.high
    assert compare(one, one, name, permutations=19)[0].test.p > 0.5


@every_distance
def test_torch_gives_the_same(name: str) -> None:
    one, other = corpora(name)
    pytest.importorskip("torch", reason="other devices need torch: pip install 'distinctly[gpu]'")
    expected = compare(one, other, name, permutations=3)[0]
    found = compare(one, other, name, permutations=3, device="torch")[0]
    assert found.value == pytest.approx(expected.value, rel=1e-5, abs=1e-5)
    assert found.test.p == expected.test.p
    assert found.signature == expected.signature
