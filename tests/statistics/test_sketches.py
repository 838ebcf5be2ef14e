"""Sketches: registers, estimates, the format of Apache DataSketches, and frequent items."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as counting
from tests.oracles import sketches as oracle
from tests.strategies import TOKEN_LISTS

import distinctly as dy
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.hashing import hash_words
from distinctly.statistics import sketches
from distinctly.statistics.approximate_counts import ApproximateCounts, SketchCollector
from distinctly.statistics.frequent_ngrams import FrequentNgrams
from distinctly.statistics.sketches import REGISTERS, RELATIVE_ERROR, FrequentItems, HyperLogLog
from distinctly.tokenizers import find_tokenizer
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens, TokenView

# From 0 to 10⁹: below, linear counting decides; above, the harmonic mean; between, both.
SIZES = [1, 30, 1000, 10_000, 20_000, 40_000, 60_000, 100_000, 300_000]


def random_sketch(size: int, seed: int) -> HyperLogLog:
    return HyperLogLog.of(np.random.default_rng(seed).integers(0, 2**64, size, np.uint64))


def simulated_sketch(size: float, seed: int) -> HyperLogLog:
    """Return registers as a Poisson number of hashes gives them: P(register ≤ r) = exp(−size/m·2^−r)."""
    chances = np.random.default_rng(seed).random(REGISTERS)
    ranks = np.ceil(-np.log2(-np.log(chances) * REGISTERS / size))
    return HyperLogLog(np.clip(ranks, 0, 51).astype(np.uint8))


@given(texts=TOKEN_LISTS, n=st.integers(1, 4))
def test_registers_are_those_of_the_definition(texts: list[list[str]], n: int) -> None:
    state = ApproximateCounts(n).collect(Tokens.of(texts))
    assert state.sketch.registers.tolist() == oracle.of_ngrams(texts, n)
    grams = counting.counts(texts, n)
    assert (state.total, state.texts) == (sum(grams.values()), len(texts))
    assert (state.tokens, state.short) == (sum(map(len, texts)), sum(len(text) < n for text in texts))


@given(texts=TOKEN_LISTS, data=st.data())
def test_parts_merge_to_the_same_bits_in_any_order(texts: list[list[str]], data: st.DataObject) -> None:
    counts = ApproximateCounts(2)
    states = [counts.collect(Tokens.of([text])) for text in (*texts, [])]
    states = data.draw(st.permutations(states))
    while len(states) > 1:
        place = data.draw(st.integers(0, len(states) - 2))
        states[place : place + 2] = [states[place] + states[place + 1]]
    whole = counts.collect(Tokens.of(texts))
    assert states[0].sketch.to_bytes() == whole.sketch.to_bytes()
    assert counts.summarize(states[0]).distinct == counts.summarize(whole).distinct


@pytest.mark.parametrize("bits", [64, 128])
@given(texts=st.lists(st.text("ab c", max_size=12), min_size=1, max_size=12), cut=st.integers(0, 12))
def test_the_collector_has_the_registers_of_single_states(texts: list[str], cut: int, bits: int) -> None:
    view = TokenView(find_tokenizer("whitespace"))
    statistics = [ApproximateCounts(n, view=view) for n in (3, 1, 5)]
    collector = SketchCollector(statistics)
    config = RunConfig(compiled=True, hash_bits=bits)
    for part in (texts[:cut], texts[cut:]):
        collector.absorb(collector.prepare(Rows(Batch.of(part), config)))
    summaries = collector.summaries(lambda calls: [call() for call in calls], lambda: iter(()))
    for statistic in statistics:
        alone = statistic.summarize(statistic.collect(Tokens.of([text.split() for text in texts])))
        collected = summaries[statistic]
        for name in ("distinct", "total", "tokens", "texts", "short"):
            assert getattr(collected, name).tolist() == getattr(alone, name).tolist()


def test_no_items_are_zero() -> None:
    assert HyperLogLog.of(np.zeros(0, np.uint64)).estimate == 0


@pytest.mark.parametrize("size", SIZES)
def test_estimates_are_unbiased(size: int) -> None:
    estimates = np.array([random_sketch(size, seed).estimate for seed in range(20)])
    # 4 standard errors of a mean of 20.
    assert abs(estimates.mean() / size - 1) < 4 * RELATIVE_ERROR / np.sqrt(20)


@pytest.mark.parametrize("size", [1e6, 1e9, 1e12])
def test_estimates_of_very_many_items_are_unbiased(size: float) -> None:
    estimates = np.array([simulated_sketch(size, seed).estimate for seed in range(100)])
    assert abs(estimates.mean() / size - 1) < 4 * RELATIVE_ERROR / np.sqrt(100)
    # The standard deviation of 100 values is within 30 % of the standard error: 4 times 1/√200.
    assert estimates.std() / size == pytest.approx(RELATIVE_ERROR, rel=0.3)


def test_the_estimate_is_the_raw_one_where_that_is_good() -> None:
    sketch = simulated_sketch(1e7, 0)
    assert sketch.estimate == pytest.approx(oracle.estimate(sketch.registers.tolist()), rel=1e-3)


def corpus_of(words: int, texts: int, seed: int) -> list[list[str]]:
    """Return seeded texts of 1 to 20 words of a vocabulary that follows Zipf's law."""
    draw = np.random.default_rng(seed)
    chances = 1 / np.arange(1, words + 1)
    drawn = draw.choice(words, texts * 20, p=chances / chances.sum()).tolist()
    return [
        [f"w{word}" for word in drawn[20 * row : 20 * row + length]]
        for row, length in enumerate(draw.integers(1, 21, texts).tolist())
    ]


@pytest.mark.parametrize("seed", range(20))
def test_within_three_standard_errors_of_the_exact_count(seed: int) -> None:
    # From 10 to 20,000 texts: from about 10 distinct words to some 100,000 distinct 3-grams.
    texts = corpus_of(words=10 + 40 * seed**2, texts=int(10 * 1.49**seed), seed=seed)
    specs = [f"types:n={n}" for n in (1, 2, 3)]
    exact, estimated = dy.measure(texts, specs), dy.measure(texts, specs, approximate=True)
    for truth, score in zip(exact, estimated, strict=True):
        assert score.value == pytest.approx(truth.value, rel=3 * RELATIVE_ERROR)
        assert score.parts["C"] == truth.parts["C"]


@pytest.mark.parametrize("size", [0, *SIZES])
def test_datasketches_reads_our_bytes(size: int) -> None:
    library = pytest.importorskip("datasketches", reason="datasketches is what this is compared with")
    sketch = random_sketch(size, 1)
    theirs = library.hll_sketch.deserialize(sketch.to_bytes())
    # Its estimator differs between 5,000 and 60,000 items, by up to 0.6 % in 60 trials per size.
    assert theirs.get_estimate() == pytest.approx(sketch.estimate, rel=0.01, abs=1e-9)
    assert theirs.lg_config_k == 14
    again = HyperLogLog.from_bytes(theirs.serialize_updatable())
    assert again.registers.tolist() == sketch.registers.tolist()


@pytest.mark.parametrize("size", [300, 200_000, 1e7, 1e9])
def test_datasketches_agrees_outside_the_transition(size: float) -> None:
    library = pytest.importorskip("datasketches", reason="datasketches is what this is compared with")
    sketch = simulated_sketch(size, 2)
    theirs = library.hll_sketch.deserialize(sketch.to_bytes()).get_estimate()
    assert theirs == pytest.approx(sketch.estimate, rel=2e-4)


def test_datasketches_merges_our_bytes() -> None:
    library = pytest.importorskip("datasketches", reason="datasketches is what this is compared with")
    left, right = random_sketch(70_000, 3), random_sketch(90_000, 4)
    union = library.hll_union(14)
    for sketch in (left, right):
        union.update(library.hll_sketch.deserialize(sketch.to_bytes()))
    merged = HyperLogLog.from_bytes(union.get_result(library.tgt_hll_type.HLL_8).serialize_updatable())
    assert merged.to_bytes() == (left + right).to_bytes()


def test_we_read_sketches_of_datasketches() -> None:
    library = pytest.importorskip("datasketches", reason="datasketches is what this is compared with")
    theirs = library.hll_sketch(14, library.tgt_hll_type.HLL_8)
    for number in range(50_000):
        theirs.update(number)
    for data in (theirs.serialize_compact(), theirs.serialize_updatable()):
        assert HyperLogLog.from_bytes(data).estimate == pytest.approx(50_000, rel=3 * RELATIVE_ERROR)


@pytest.mark.parametrize(("place", "byte"), [(0, 9), (1, 2), (2, 8), (3, 12), (7, 2), (40, 64)], ids=str)
def test_other_bytes_are_refused(place: int, byte: int) -> None:
    data = bytearray(random_sketch(10, 0).to_bytes())
    data[place] = byte
    with pytest.raises(dy.InputError, match="sketch"):
        HyperLogLog.from_bytes(bytes(data))
    with pytest.raises(dy.InputError, match="16,424 bytes"):
        HyperLogLog.from_bytes(bytes(data[:-1]))


@given(
    counts=st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 50)), max_size=30), max_size=6),
    most=st.integers(1, 12),
)
def test_bounds_contain_the_true_counts(counts: list[list[tuple[int, int]]], most: int) -> None:
    truth: Counter[int] = Counter()
    names = hash_words([f"w{i}" for i in range(31)])
    number = {value: place for place, value in enumerate(names.tolist())}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sketches, "MOST_ITEMS", most)
        items = FrequentItems.of(np.zeros(0, np.uint64), np.zeros(0, np.int64))
        for part in counts:
            batch: Counter[int] = Counter()
            for word, times in part:
                batch[word] += times
            truth += batch
            occurring = np.array(list(batch.values()), np.int64)
            items = items + FrequentItems.of(names[np.array(list(batch), np.int64)], occurring)
            assert len(items.hashes) <= most
    kept = {number[value]: count for value, count in zip(items.hashes.tolist(), items.counts.tolist())}
    for word, count in kept.items():
        assert 0 < count <= truth[word] <= count + items.error
    assert {word for word, count in truth.items() if count > items.error} <= set(kept)
    assert items.error * (most + 1) <= truth.total()


@given(texts=TOKEN_LISTS, n=st.integers(1, 3), top=st.integers(1, 6))
def test_few_ngrams_are_counted_exactly(texts: list[list[str]], n: int, top: int) -> None:
    spelled = [(" ".join(gram), count) for gram, count in counting.counts(texts, n).items()]
    expected = sorted(spelled, key=lambda pair: (-pair[1], pair[0]))[:top]
    frequent = FrequentNgrams(n, top)
    state = frequent.collect(Tokens.of([]))
    for text in texts:
        state = state + frequent.collect(Tokens.of([text]))
    assert frequent.summarize(state).top == tuple(expected)
    assert frequent.summarize(state).error == 0


@pytest.mark.parametrize("compiled", [False, True])
def test_frequent_ngrams_of_many_batches(compiled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sketches, "MOST_ITEMS", 200)
    texts = corpus_of(words=3000, texts=2000, seed=5)
    # 16 texts per batch; the vocabulary is 15 times the number of items that are kept.
    scores = dy.measure(texts, "types:n=1", top=20, approximate=True, batch_size=16, compiled=compiled)
    truth = counting.counts(texts, 1)
    (listed,) = scores.corpora[0]["top"]
    error = listed["ngrams"][0]["high"] - listed["ngrams"][0]["low"]
    assert 0 < error <= truth.total() / 201
    for item in listed["ngrams"]:
        assert item["low"] <= truth[(item["text"],)] <= item["high"] == item["count"]
    frequent = {word for (word,), count in truth.most_common(20) if count > error}
    assert len(frequent) >= 10
    sure = {word for (word,), count in truth.items() if count > listed["ngrams"][-1]["count"]}
    assert sure <= {item["text"] for item in listed["ngrams"]}
    assert any(f"at most {error:,} (n = 1)" in note for note in scores[0].notes)
