"""Two small, different corpora, and helpers that mix them."""

from __future__ import annotations

from typing import Any

import numpy as np

from distinctly.judging import known_similarity

DO = ["sat", "lay", "slept", "purred", "ate", "stood", "ran", "hid", "came", "went"]
A = [f"the {what} {verb} on the mat" for verb in DO for what in ("cat", "dog", "cow", "hen", "ewe")]
B = [f"rain {verb} in the {where}" for verb in DO for where in ("north", "south", "west", "east", "end")]
DRAW = np.random.default_rng(7)
HERE, THERE = DRAW.standard_normal((130, 4)), DRAW.standard_normal((140, 4)) * 0.7 + 1.2
SMALL: dict[str, Any] = {"n": 6, "k": 4, "repetitions": 2}
MIXED = ["accuracy", "weighted_accuracy", "monotonicity", "separability", "linearity"]


def rain_apart(reference: list[str], candidate: list[str]) -> float:
    """A distance that is right by construction: the difference in texts of B."""
    return abs(sum("rain" in text for text in reference) - sum("rain" in text for text in candidate))


def try_it(metrics: Any, a: Any = A, b: Any = B, **options: Any) -> Any:
    return known_similarity(a, b, metrics, **{**SMALL, "measures": MIXED, **options})


def plain(trial: Any) -> list[dict[str, Any]]:
    return [one.to_dict() for one in trial.findings]
