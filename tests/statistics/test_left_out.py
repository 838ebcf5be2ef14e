"""Intervals by leaving out each text, without all texts in memory, equal those in memory."""

from __future__ import annotations

import math
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import distinctly as dy
from distinctly import config
from distinctly.engine import local, parts
from distinctly.statistics.left_out import LeftOutSpread
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.views.tokens import Tokens

SPECS = ["distinct:n=1", "distinct:n=2,denominator=tokens", "types:n=2", "ead", "entropy:n=1"]


@settings(max_examples=40)
@given(st.lists(st.lists(st.sampled_from("abcde"), max_size=6), min_size=4, max_size=12))
def test_equals_leaving_out_each_text(texts: list[list[str]]) -> None:
    metric = dy.Distinct(n=1)
    spread = LeftOutSpread(NgramCounts(1), metric).summarize(Tokens.of(texts))
    # Definition: the value of the other texts, one text after another.
    values = [
        dy.measure([*texts[:i], *texts[i + 1 :]], metric, tokens=True)[0].value for i in range(len(texts))
    ]
    if any(math.isnan(value) for value in values):
        assert math.isnan(spread.error)
        return
    mean = sum(values) / len(values)
    n = len(values)
    expected = math.sqrt((n - 1) / n * sum((value - mean) ** 2 for value in values))
    assert spread.error == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("checkpoint", [False, True])
def test_interval_of_texts_that_do_not_fit_in_memory(
    checkpoint: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    draw = random.Random(0)
    words = [f"w{i}" for i in range(300)]
    path = tmp_path / "texts.txt"
    path.write_text("".join(" ".join(draw.choices(words, k=draw.randint(0, 12))) + "\n" for _ in range(900)))
    expected = dy.measure(path, SPECS, interval=True)
    monkeypatch.setattr(config, "SMALLEST_MEMORY", 1)
    monkeypatch.setattr(local, "COMPILED_FROM", 1000)
    monkeypatch.setattr(parts, "partition_bytes", lambda _: 9000)
    options = {"checkpoint": str(tmp_path / "states")} if checkpoint else {}
    scores = dy.measure(path, SPECS, interval=True, memory=150_000, batch_size=200, **options)
    for score, plain in zip(scores, expected):
        assert score.value == plain.value
        if score.metric == "entropy":  # reads sums over n-grams, which need the texts
            assert score.low is None
            assert any("No interval" in note for note in score.notes)
            continue
        assert score.signature == plain.signature
        assert (score.low, score.high) == pytest.approx((plain.low, plain.high), rel=1e-9)
        assert not any("No interval" in note for note in score.notes)
