"""The script that correlates metrics with each other, on a few sets."""

from __future__ import annotations

import json
import math
from pathlib import Path

import numpy as np
import pytest
from scipy import stats
from scripts.correlate_metrics import correlate, draw_samples, measure_sets, read_sets, show


def test_correlations_are_means_over_subsets() -> None:
    generator = np.random.default_rng(0)
    subsets = [{"a": generator.random(9), "b": generator.random(9), "c": np.zeros(9)} for _ in range(2)]
    subsets[1]["c"] = generator.random(9)
    pairs = {(pair.first, pair.second): pair for pair in correlate(subsets)}
    expected = [stats.spearmanr(values["a"], values["b"]).statistic for values in subsets]
    assert pairs["a", "b"].spearman == pytest.approx(math.fsum(expected) / 2)
    assert pairs["a", "b"].subsets == 2
    # In the first subset, c does not vary.
    expected = [stats.spearmanr(subsets[1]["a"], subsets[1]["c"]).statistic]
    assert pairs["a", "c"].spearman == pytest.approx(expected[0])
    assert pairs["a", "c"].subsets == 1
    assert "\\*" in show(list(pairs.values())).splitlines()[2]


def test_sets_are_rows_or_fields(tmp_path: Path) -> None:
    path = tmp_path / "sets.jsonl"
    rows = [{"texts": ["a b", "a c"], "task": "x"}, {"texts": ["d"], "task": "y"}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_sets(path, None, ["task"]) == {"x": [["a b", "a c"]], "y": [["d"]]}
    rows = [{"text": text, "prompt": prompt} for text, prompt in (("a", 1), ("b", 2), ("c", 1))]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert read_sets(path, "prompt", []) == {"": [["a", "c"], ["b"]]}


def test_samples_have_no_text_twice() -> None:
    samples = draw_samples([list("abcdefgh"), list("ijklmnop")], texts=5, samples=3, seed=0)
    assert [len(set(sample)) for sample in samples] == [5] * 6
    assert all(set(sample) <= set("abcdefgh") for sample in samples[:3])


def test_more_is_always_more_diverse() -> None:
    sets = [["a b c d", "a b c d"], ["a b c d", "e f g h"]]
    values = measure_sets(sets, ["distinct:n=1", "duplicates"], "words", "wordllama")
    assert values["distinct:n=1"].tolist() == [0.5, 1.0]
    assert values["duplicates"].tolist() == [-0.5, 0.0]
    assert values["tokens"].tolist() == [4.0, 4.0]
