"""Vectors instead of texts."""

from __future__ import annotations

import numpy as np
import pytest

import distinctly as dy

ROWS = np.random.default_rng(0).standard_normal((3000, 9)).astype(np.float32)


@pytest.mark.parametrize("metric", ["vendi", "dispersion", "chamfer"])
def test_order_of_rows_changes_no_bit(metric: str) -> None:
    expected = dy.measure(ROWS, metric)[0]
    for seed in range(3):
        shuffled = np.random.default_rng(seed).permutation(ROWS)
        found = dy.measure(shuffled, metric, batch_size=17 + 400 * seed, threads=2)[0]
        assert (found.value, found.signature) == (expected.value, expected.signature)
    other = dy.measure(ROWS[1:], metric)[0]
    assert other.signature != expected.signature


def test_the_signature_has_a_hash_of_the_vectors() -> None:
    first = dy.Signature.parse(dy.measure(ROWS, "vendi")[0].signature)
    other = dy.Signature.parse(dy.measure(ROWS * 2, "vendi")[0].signature)
    kind, name, options = first.view
    assert (kind, name, options["dim"]) == ("emb", "given", "9")
    assert first.facts["texts"] != other.facts["texts"]
    assert options["hash"] != other.view[2]["hash"]


def test_groups_go_with_vectors() -> None:
    scores = dy.measure(ROWS[:4], "vendi", groups=list("abab"))
    assert [score.scope for score in scores] == ["within", "across", "pooled"]
    alone = [dy.measure(ROWS[rows], "vendi")[0].value for rows in ([0, 2], [1, 3])]
    assert scores[0].value == pytest.approx(sum(alone) / 2, rel=1e-12)


def test_metrics_of_tokens_need_texts() -> None:
    with pytest.raises(dy.SpecError, match=r"'distinct:n=1' needs texts, got vectors"):
        dy.measure(ROWS, ["vendi", "distinct"])
    with pytest.raises(dy.SpecError, match="Give texts, or only the vectors"):
        dy.measure(ROWS, "vendi", embedder="wordllama")


def test_bad_vectors() -> None:
    with pytest.raises(dy.InputError, match="NaN or infinity"):
        dy.measure(np.full((3, 2), np.nan), "vendi")
    for compute in (lambda rows: dy.measure(rows, "vendi"), lambda rows: dy.compare(rows, rows, "frechet")):
        with pytest.raises(dy.InputError, match="integers are token ids, which have no vectors"):
            compute(np.ones((3, 2), int))


def test_no_vectors_and_huge_ones() -> None:
    assert dy.measure(np.zeros((0, 5)), "vendi")[0].undefined == "there are no texts."
    huge = np.array([[1e300, 0], [1e300, 1e300], [1e-300, 0]])
    plain = np.array([[1.0, 0], [1, 1], [1, 0]])
    for metric in ("vendi", "dispersion", "chamfer"):
        assert dy.measure(huge, metric)[0].value == pytest.approx(
            dy.measure(plain, metric)[0].value, abs=1e-15
        )
