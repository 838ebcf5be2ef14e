"""Size, imbalance and growth: the sizes that are measured, and their summary."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.judging.similarity.mixtures import HERE, SMALL, THERE, A, B, rain_apart, try_it
from tests.oracles import judgements as oracle

import distinctly as dy
from distinctly.judging import known_similarity
from distinctly.judging.similarity import growth
from distinctly.judging.similarity.findings import MEASURES
from distinctly.judging.similarity.robustness import Sizes, robustness


@pytest.mark.parametrize("preset", [None, "paper"])
def test_size_and_imbalance_are_those_of_the_loops(preset: Any) -> None:
    sizes = [10, 30, 50]
    both = ["size_robustness", "imbalance_robustness"]
    options = {"sizes": sizes, "largest": 100, "size_repetitions": 3, "measures": both, "preset": preset}
    trial = known_similarity(HERE, THERE, "frechet", **options)
    assert trial.settings["sizes"] == {"sizes": sizes, "largest": 100, "together": 60}
    values = {(one["kind"], one["size"], one["repetition"]): one["value"] for one in trial.records}
    asymptote = sum(values["asymptote", 100, r] for r in range(3)) / 3
    found = trial.to_dict()["frechet"]
    for kind in ("size", "imbalance"):
        of_kind = [[values[kind, size, r] for size in sizes] for r in range(3)]
        divided = preset is None or kind == "size"
        expected = oracle.robustness(of_kind, asymptote, divided=divided)
        assert found[f"{kind}_robustness"]["mean"] == pytest.approx(expected, rel=1e-9)
        assert found[f"{kind}_robustness"]["asymptote"] == pytest.approx(asymptote, rel=1e-12)


def test_the_sizes_that_are_compared() -> None:
    seen = []

    def record(one: list[str], other: list[str]) -> float:
        seen.append((len(one), len(other), rain_apart(one, other)))
        return 1.0

    trial = known_similarity(
        A,
        B,
        record,
        sizes=[5, 20, 50],
        size_repetitions=1,
        measures=["size_robustness", "imbalance_robustness"],
    )
    # The same number of A and B, then the largest size, then 5 + 50 texts in other shares.
    equal, unequal = [(5, 5), (20, 20), (50, 50)], [(5, 50), (20, 35), (50, 5)]
    assert [one[:2] for one in seen] == [*equal, (50, 50), *unequal]
    # One corpus has only texts of A, the other only texts of B.
    assert [one[2] for one in seen] == [one[1] for one in seen]
    assert [one.mean for one in trial.findings] == [1, 1]


@given(st.integers(100, 5000))
def test_sizes_fit_the_texts(texts: int) -> None:
    found = Sizes.fitting(texts, None, None)
    assert found.largest == min(texts, 3000)
    assert list(found.sizes) == [size for size in range(50, 2851, 200) if size < found.largest]
    assert all(50 <= found.together - size <= found.sizes[-1] for size in found.sizes)
    assert (found.note() == ()) == (texts >= 3000)


def test_small_corpora_are_tried_at_smaller_sizes() -> None:
    trial = known_similarity(
        HERE, THERE, "frechet", size_repetitions=1, measures=["size_robustness", "imbalance_robustness"]
    )
    # 130 texts of the smaller: 50 only, since 250 are too many.
    assert trial.settings["sizes"] == {"sizes": [50], "largest": 130, "together": 100}
    told = "Size and imbalance are measured up to 50 texts, with the asymptote at 130; "
    assert trial.notes == (told + "the paper has 2,850 and 3,000.",)


def test_smaller_ones_are_not_tried() -> None:
    trial = known_similarity(A, B, "jensen_shannon", **SMALL)
    assert trial.notes == (
        "Size and imbalance are not measured: they need 100 texts of each corpus, or sizes (--sizes).",
    )
    assert tuple(trial.to_dict()["jensen_shannon"]) == tuple(one for one in MEASURES if "robust" not in one)


def test_robustness_by_hand() -> None:
    # Errors of .1 and 0 around .5, relative to it .2 and 0: 1 − .1; then no errors.
    values = {(0, 50): 0.6, (0, 250): 0.5, (1, 50): 0.5, (1, 250): 0.5}
    assert robustness(values, 0.5, relative=True) == pytest.approx([0.9, 1])
    assert robustness(values, 0.5, relative=False) == pytest.approx([0.95, 1])
    assert all(map(math.isnan, robustness(values, 0.0, relative=True)))


def test_a_distance_that_tends_to_0_has_no_size_robustness() -> None:
    trial = known_similarity(
        A, B, lambda one, other: 0.0, sizes=[5, 20], size_repetitions=2, measures=["size_robustness"]
    )
    found = trial.findings[0]
    assert math.isnan(found.mean)
    assert found.notes == (
        "Undefined: the distance of the largest corpora is 0, and errors are relative to it.",
    )


def test_growth() -> None:
    trial = try_it(["jensen_shannon", rain_apart], measures=["growth"], growth_sizes=[10, 20, 80])
    found = trial.to_dict()["jensen_shannon"]["growth"]
    assert found["mean"] is None
    assert found["notes"] == ["Undefined: an exponent needs three sizes of at least 1,000 texts."]
    assert [name for name in found if name.startswith("seconds")] == [
        "seconds_10",
        "seconds_20",
        "seconds_80",
    ]
    assert all(found[f"seconds_{size}"] > 0 for size in (10, 20, 80))
    assert trial.notes == (
        "For `growth`, corpora of more than 50 texts repeat texts, with noise in the vectors.",
    )


@pytest.mark.parametrize("power", [0.5, 1, 2, 3])
def test_the_exponent_of_a_power(power: float) -> None:
    seconds = {size: 1e-9 * size**power for size in (1000, 3162, 10_000)}
    assert growth.exponent({100: 5.0, **seconds}) == pytest.approx(power, rel=1e-9)
    assert growth.exponent({**seconds, 100_000: math.nan}) == pytest.approx(power, rel=1e-9)
    assert math.isnan(growth.exponent({size: seconds[size] for size in (1000, 3162)}))


def test_what_takes_too_long_is_not_tried(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(growth, "PATIENCE", 0.0)
    trial = try_it("jensen_shannon", measures=["growth"], growth_sizes=[10, 20, 30])
    found = trial.to_dict()["jensen_shannon"]["growth"]
    assert "seconds_10" in found
    assert "seconds_20" not in found
    assert found["notes"][0].startswith("Not measured: it would take over")


def test_growth_of_what_fails_says_why() -> None:
    def broken(one: list[str], other: list[str]) -> float:
        raise LookupError("lost")

    found = try_it(broken, measures=["growth"], growth_sizes=[5, 10]).findings[0]
    assert math.isnan(found.mean)
    assert "raised LookupError: lost" in found.notes[0]


def test_growth_is_timed_on_vectors_that_differ():
    """If there are fewer texts than a size needs, they are repeated, with different vectors."""
    seen = []

    def different(vectors, others):
        seen.append((len(vectors), len(np.unique(vectors, axis=0))))
        return 0.0

    draw = np.random.default_rng(0)
    a, b = draw.normal(size=(30, 4)), draw.normal(size=(30, 4))
    dy.judging.known_similarity(a, b, different, measures=["growth"], growth_sizes=[20, 100])
    assert set(seen) == {(20, 20), (100, 100)}
