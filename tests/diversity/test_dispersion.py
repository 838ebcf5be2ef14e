"""`dispersion`: by hand, against all pairs, and against human judgements."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from tests.oracles import vectors as oracle
from tests.strategies import VECTORS

import distinctly as dy


def test_by_hand() -> None:
    # (1,0), (0,1), (−1,0): distances 1, 2, 1; their mean 4/3. Lengths do not matter.
    vectors = np.array([[1.0, 0], [0, 3], [-2, 0]])
    score = dy.measure(vectors, "dispersion")[0]
    assert score.value == pytest.approx(4 / 3, rel=1e-15)
    assert score.parts == {"texts": 3, "zero_vectors": 0, "dimensions": 2}


@given(rows=VECTORS)
def test_against_all_pairs(rows: list[list[int]]) -> None:
    value = dy.measure(np.array(rows, float), "dispersion")[0].value
    assert value == pytest.approx(oracle.dispersion(rows), rel=1e-9, abs=1e-12, nan_ok=True)


def test_the_same_vector_again_and_again_is_not_dispersed() -> None:
    assert dy.measure(np.full((1000, 3), 0.1), "dispersion")[0].value == 0


def test_vectors_of_zeros_are_left_out_and_noted() -> None:
    score = dy.measure(np.array([[1.0, 0], [0, 0], [0, 1]]), "dispersion")[0]
    assert score.value == 1
    assert score.notes[0].startswith("1 of 3 texts have a zero vector")
    alone = dy.measure(np.array([[1.0, 0], [0, 0]]), "dispersion")[0]
    assert math.isnan(alone.value)
    assert alone.undefined == "only one text has a nonzero vector; at least two are needed."
    nothing = dy.measure(np.zeros((3, 2)), "dispersion")[0]
    assert nothing.undefined == "all texts have a zero vector, which has no direction."


def test_real_vectors_against_the_matrix_of_all_pairs(shared: Path) -> None:
    rows = np.load(shared / "embeddings" / "atis-minilm.npz")["vectors"][:500]
    units = rows.astype(float)
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    cosines = units @ units.T
    expected = (1 - cosines)[~np.eye(500, dtype=bool)].mean()
    assert dy.measure(rows, "dispersion")[0].value == pytest.approx(expected, rel=1e-9)


# Spearman correlation of mean pairwise cosine distance with human scores, WordLlama, prompt / resp / story.
HUMAN = {
    "conTest": (0.75, 0.58, 0.60),
    "decTest": (0.85, 0.75, 0.78),
    "McDiv_nuggets": (0.78, 0.46, 0.35),
}


@pytest.mark.slow
def test_agrees_with_people_as_was_measured_elsewhere(shared: Path) -> None:
    from scipy.stats import spearmanr

    pytest.importorskip("wordllama")
    pairs: dict[tuple[str, str], list[tuple[float, float]]] = defaultdict(list)
    with (shared / "tevet-diversity-eval-with-hds.jsonl").open(encoding="utf-8") as file:
        for line in file:
            one = json.loads(line)
            value = dy.measure(one["texts"], "dispersion")[0].value
            pairs[one["dataset"], one["task"]].append((value, one["hds_mean"]))
    for dataset, expected in HUMAN.items():
        for task, printed in zip(("prompt_gen", "resp_gen", "story_gen"), expected):
            found = spearmanr(*zip(*pairs[dataset, task])).statistic
            assert found == pytest.approx(printed, abs=0.02), (dataset, task)  # printed with two digits
