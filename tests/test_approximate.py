"""`measure(..., approximate=True)`: values, intervals, signatures, what it refuses, and accumulators."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import distinctly as dy
from distinctly.statistics.sketches import RELATIVE_ERROR, HyperLogLog

DRAW = np.random.default_rng(3)
# 3,000 texts of 8 words; about one in ten repeats another.
TEXTS = [" ".join(f"w{word}" for word in DRAW.geometric(0.004, 8)) for _ in range(2700)]
TEXTS += TEXTS[:300]
SIZES = ["distinct:n=2", "types:n=1", "ead", "ttr:pool=corpus", "maas:pool=corpus", "duplicates"]


@pytest.mark.parametrize("spec", SIZES)
def test_values_and_intervals(spec: str) -> None:
    (exact,), (score,) = dy.measure(TEXTS, spec), dy.measure(TEXTS, spec, approximate=True)
    assert score.low is not None
    assert score.high is not None
    assert score.low <= score.value <= score.high
    # Seeded: no estimate of these is beyond 2 standard errors.
    assert score.low <= exact.value <= score.high
    assert exact.low is None
    assert any("error of this estimate, not of sampling" in note for note in score.notes)


def test_the_interval_is_the_formula_at_both_ends_of_that_of_n() -> None:
    (score,) = dy.measure(TEXTS, "distinct:n=2", approximate=True)
    n, half = score.parts["N"], 1.959963984540054 * RELATIVE_ERROR
    assert score.low == pytest.approx(n * (1 - half) / score.parts["C"])
    assert score.high == pytest.approx(n * (1 + half) / score.parts["C"])
    (score,) = dy.measure(TEXTS, "duplicates", approximate=True)
    distinct = 3000 - score.parts["repeated"]
    assert score.value == pytest.approx(1 - distinct / 3000)
    assert score.high == pytest.approx(1 - distinct * (1 - half) / 3000)
    assert score.low == pytest.approx(1 - distinct * (1 + half) / 3000)


def test_there_are_at_most_as_many_distinct_ngrams_as_ngrams() -> None:
    # All 500 are distinct, and the estimate of their number is above it for some of the seeds.
    for seed in range(6):
        texts = [f"a{seed}x{i}" for i in range(500)]
        for score in dy.measure(texts, ["distinct:n=1", "duplicates"], approximate=True):
            assert score.high is not None
            assert 0 <= score.value <= score.high <= 1


def test_what_the_score_shows_says_that_it_is_approximate() -> None:
    scores = dy.measure(TEXTS, ["distinct:n=2", "ead"], approximate=True)
    assert scores.keys() == ["distinct:n=2,approximate=yes", "ead:approximate=yes"]
    assert scores[0].signature.startswith("~distinct|n:2|")
    assert scores[0].options["approximate"] is True
    assert scores["distinct:n=2"] is scores[0]  # as it was asked for
    assert "~" not in dy.measure(TEXTS, "distinct:n=2")[0].signature


@pytest.mark.parametrize("spec", SIZES)
def test_a_signature_reproduces_the_score(spec: str) -> None:
    (score,) = dy.measure(TEXTS, spec, approximate=True)
    (again,) = dy.measure(TEXTS, signature=score.signature)
    assert (again.value, again.low, again.high) == (score.value, score.low, score.high)
    assert again.signature == score.signature
    assert not any("Not the same" in note for note in again.notes)


def test_the_option_of_a_spec_is_the_same() -> None:
    (score,) = dy.measure(TEXTS, "distinct:n=2,approximate=yes")
    (asked,) = dy.measure(TEXTS, "distinct:n=2", approximate=True)
    assert (score.value, score.spec, score.signature) == (asked.value, asked.spec, asked.signature)
    (again,) = dy.measure(TEXTS, "distinct:n=2,approximate=yes", approximate=True)
    assert again.spec == score.spec


def test_batches_threads_order_and_width_change_no_bit(tmp_path: Path) -> None:
    path = tmp_path / "texts.txt"
    path.write_text("\n".join(TEXTS))
    expected = [score.value for score in dy.measure(TEXTS, SIZES, approximate=True)]
    for options in (
        {"batch_size": 7},
        {"compiled": True, "threads": 2, "batch_size": 100},
        {"compiled": True, "threads": 1},
        {"hash_bits": 128},
        {"hash_bits": 128, "compiled": True},
    ):
        scores = dy.measure(path, SIZES, approximate=True, **options)
        assert [score.value for score in scores] == expected
    assert [score.value for score in dy.measure(TEXTS[::-1], SIZES, approximate=True)] == expected


def test_states_in_files_change_no_bit(tmp_path: Path) -> None:
    # With a checkpoint, states are written to files, and read again.
    specs = ["distinct", "duplicates"]
    scores = dy.measure(TEXTS, specs, approximate=True, top=3, checkpoint=str(tmp_path))
    expected = dy.measure(TEXTS, specs, approximate=True, top=3)
    assert [score.signature for score in scores] == [score.signature for score in expected]
    assert [score.value for score in scores] == [score.value for score in expected]
    assert scores.corpora == expected.corpora


def test_metrics_without_tables_stay_exact() -> None:
    specs = ["distinct:n=2,pool=text", "mtld", "distinct:n=1"]
    exact, scores = dy.measure(TEXTS, specs[:2]), dy.measure(TEXTS, specs, approximate=True)
    assert scores.keys() == [*specs[:2], "distinct:n=1,approximate=yes"]
    assert [(s.value, s.signature) for s in scores][:2] == [(s.value, s.signature) for s in exact]
    assert scores[0].low is None


def test_defaults_leave_out_entropy() -> None:
    metrics = {score.metric for score in dy.measure(TEXTS, approximate=True)}
    assert metrics == {"distinct", "ead", "duplicates"}


def test_no_table_of_texts_is_kept_for_a_note() -> None:
    assert any("identical" in note for note in dy.measure(TEXTS, "types:n=1")[0].notes)
    assert not any("identical" in note for note in dy.measure(TEXTS, "types:n=1", approximate=True)[0].notes)


@pytest.mark.parametrize(
    ("spec", "why"),
    [
        ("entropy", "it reads how often each n-gram occurs"),
        ("chao1:n=1", "it reads how often"),
        ("ead:vocabulary=chao1", "it reads how often"),
        ("distinct:n=1,at=100", "value at a size"),
        ("duplicates:at=10texts", "mean over draws"),
        ("duplicates:near=yes", "comparing texts"),
        ("ead:vocabulary=reference", "reference corpus"),
    ],
)
def test_metrics_that_need_tables_are_refused_before_reading(spec: str, why: str) -> None:
    with pytest.raises(dy.SpecError, match=f"{why}.*Leave out --approximate.*distinct, .*types") as error:
        dy.measure("no/such/file.txt", spec, approximate=True)
    assert "entropy" not in str(error.value).partition("Metrics that can")[2]


@pytest.mark.parametrize("spec", ["entropy:n=1,approximate=yes", "distinct:n=1,pool=text,approximate=yes"])
def test_specs_that_cannot_be_approximate_are_refused(spec: str) -> None:
    with pytest.raises(dy.SpecError, match="cannot be approximate"):
        dy.measure(TEXTS, spec)


@pytest.mark.parametrize("option", [{"interval": True}, {"paired": True}, {"explain": 3}, {"by": "model"}])
def test_options_that_need_texts_in_memory_are_refused_before_reading(option: dict[str, object]) -> None:
    with pytest.raises(dy.SpecError, match=rf"--{next(iter(option))}.*not of sampling"):
        dy.measure("no/such/file.jsonl", "types:n=1", approximate=True, **option)


def test_groups_are_refused_unless_the_metric_reads_them() -> None:
    groups = [f"g{i % 9}" for i in range(len(TEXTS))]
    with pytest.raises(dy.SpecError, match="groups of texts"):
        dy.measure(TEXTS, "types:n=1", groups=groups, approximate=True)
    (score,) = dy.measure(TEXTS, "types:n=1,pool=group", groups=groups, approximate=True)
    assert score.spec == "types:n=1,pool=group"


def test_several_corpora_are_not_held_in_memory() -> None:
    scores = dy.measure({"all": TEXTS, "half": TEXTS[:1500]}, "types:n=1", approximate=True)
    assert [score.corpus for score in scores] == ["all", "half"]
    assert scores.comparisons == ()
    assert all(score.low is not None for score in scores)


def test_nothing_is_undefined_with_a_reason() -> None:
    for score in dy.measure([], ["distinct:n=1", "duplicates"], approximate=True):
        assert score.undefined == "there are no texts."
        assert (score.low, score.high) == (None, None)


def test_accumulators_keep_a_constant_size_and_merge() -> None:
    first, second = (dy.Accumulator(SIZES, approximate=True) for _ in range(2))
    for start in range(0, 1500, 100):
        first.update(TEXTS[start : start + 100])
    size = len(pickle.dumps(first))
    second.update(TEXTS[1500:])
    merged = pickle.loads(pickle.dumps(first)).merge(second)
    # The registers of types, distinct, ttr and duplicates: those of equal statistics are shared.
    assert len(pickle.dumps(merged)) < 1.1 * size < 1.5 * 4 * 16_384
    expected = dy.measure(TEXTS, SIZES, approximate=True)
    assert [(s.value, s.low, s.signature) for s in merged.compute()] == [
        (s.value, s.low, s.signature) for s in expected
    ]
    assert dy.Accumulator("types:n=1", approximate=True).compute()[0].undefined == "there are no texts."


def test_the_sketches_of_accumulators_can_be_stored_and_merged() -> None:
    first, second = (dy.Accumulator(["types:n=2", "mtld"], approximate=True) for _ in range(2))
    first.update(TEXTS[:2000])
    second.update(TEXTS[1000:])
    stored = [state.sketches()["types:n=2,approximate=yes"].to_bytes() for state in (first, second)]
    left, right = map(HyperLogLog.from_bytes, stored)
    assert (left + right).estimate == dy.measure(TEXTS, "types:n=2", approximate=True)[0].value
    assert list(first.sketches()) == ["types:n=2,approximate=yes"]


def test_accumulators_refuse_what_needs_all_texts() -> None:
    with pytest.raises(dy.SpecError, match="interval="):
        dy.Accumulator("types:n=1", approximate=True, interval=True)
    with pytest.raises(dy.SpecError, match="distance between two corpora"):
        dy.Accumulator("chi", approximate=True)
    with pytest.raises(dy.SpecError, match="cannot be approximate"):
        dy.Accumulator("entropy:n=1", approximate=True)
