"""The parts of a score are the numbers that its value is computed from: the formula of each metric, again."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Mapping

import pytest
from tests.contract.cases import measure

import distinctly as dy
from distinctly.testing import embed

Parts = Mapping[str, float]
DRAW = random.Random(0)
WORDS = [f"w{i}" for i in range(60)]
WEIGHTS = [1 / (i + 1) for i in range(60)]
# Some texts are empty or shorter than any n-gram, and some occur twice.
TEXTS = [DRAW.choices(WORDS, WEIGHTS, k=DRAW.choice([0, 1, 2, 3, 8, 20, 70])) for _ in range(60)]
TEXTS += TEXTS[:7]
MANY = [DRAW.choices(WORDS, WEIGHTS, k=DRAW.choice([3, 8, 20])) for _ in range(80)]


def f1(parts: Parts, first: str, second: str) -> float:
    a, b = min(parts[first], 1), parts[second]
    return 2 * a * b / (a + b)


# The formulas are those of the cards.
DIVERSITY: dict[str, Callable[[Parts], float]] = {
    "distinct:n=2": lambda p: p["N"] / p["C"],
    "distinct:n=4,preset=li2016": lambda p: p["N"] / p["tokens"],
    "distinct:n=2,at=300": lambda p: p["N"] / p["C"],
    "distinct:n=2,at=300,denominator=tokens": lambda p: p["N"] / p["tokens"],
    "ttr:pool=corpus": lambda p: p["N"] / p["C"],
    "ttr:pool=corpus,at=300": lambda p: p["N"] / p["C"],
    "root_ttr:pool=corpus,at=300": lambda p: p["N"] / math.sqrt(p["C"]),
    "corrected_ttr:pool=corpus,at=300": lambda p: p["N"] / math.sqrt(2 * p["C"]),
    "herdan:pool=corpus,at=300": lambda p: math.log(p["N"]) / math.log(p["C"]),
    "types:n=2,at=300": lambda p: p["N"],
    "ead": lambda p: p["N"] / p["expected"],
    "ead:vocabulary=chao1": lambda p: p["N"] / p["expected"],
    "ead:expected=reference": lambda p: p["N"] / p["expected"],
    "ead:at=300": lambda p: p["N"] / p["expected"],
    "ead:at=300,vocabulary=100": lambda p: p["N"] / (100 * (1 - 0.99 ** p["C"])),
    "rarefied:n=1,sample=30": lambda p: p["expected"] / p["sample"],
    "hdd:pool=corpus,sample=30": lambda p: p["expected"] / p["sample"],
    "mattr:pool=corpus,window=20": lambda p: p["types"] / (p["windows"] * 20),
    "msttr:pool=corpus,window=20": lambda p: p["types"] / (p["segments"] * 20),
    "mtld:pool=corpus": lambda p: (p["forward"] + p["backward"]) / 2,
    "mtld_ma:pool=corpus": lambda p: p["covered"] / p["factors"],
    "coverage": lambda p: 1 - p["f1"] / p["C"],
    "chao1": lambda p: p["N"] + p["f1"] * (p["f1"] - 1) / (2 * (p["f2"] + 1)),
    "compression": lambda p: p["bytes"] / p["compressed"],
    "compression:shuffles=0": lambda p: p["bytes"] / p["compressed"],
    "duplicates": lambda p: p["repeated"] / (p["texts"] - p["skipped_texts"]),
}
DISTANCES: dict[str, Callable[[Parts], float]] = {
    "chi:value=cbdf": lambda p: p["statistic"] / p["degrees_of_freedom"],
    "chi": lambda p: p["cramer"],
    "jensen_shannon": lambda p: math.sqrt(p["divergence"]),
    "zipf": lambda p: abs(p["reference_coefficient"] - p["candidate_coefficient"]),
    "ttr_difference": lambda p: abs(p["reference_ttr"] - p["candidate_ttr"]),
    "energy:unbiased=no": lambda p: math.sqrt(
        2 * p["between"] - p["within_reference"] - p["within_candidate"]
    ),
    "mmd:kernel=rbf": lambda p: p["within_reference"] + p["within_candidate"] - 2 * p["between"],
    "frechet": lambda p: p["mean_term"] + p["covariance_term"],
    "hausdorff": lambda p: (p["from_reference"] + p["from_candidate"]) / 2,
    "irpr": lambda p: f1(p, "precision", "recall"),
    "pr": lambda p: 1 - f1(p, "precision", "recall"),
    "dc": lambda p: 1 - f1(p, "density", "coverage"),
    "mauve": lambda p: 1 - p["mauve"],
    "ttest": lambda p: 1 - p["mean_p"],
}


@pytest.mark.parametrize("spec", DIVERSITY)
def test_parts_give_the_diversity(spec: str) -> None:
    score = measure(MANY if "at=" in spec else TEXTS, spec)[0]
    assert DIVERSITY[spec](score.parts) == pytest.approx(score.value, rel=1e-12)


@pytest.mark.parametrize("spec", DISTANCES)
def test_parts_give_the_distance(spec: str) -> None:
    score = dy.compare(TEXTS[:40], TEXTS[35:], spec, embedder=embed)[0]
    assert DISTANCES[spec](score.parts) == pytest.approx(score.value, rel=1e-9)


@pytest.mark.parametrize("spec", ["entropy:n=1,at=300", "simpson:pool=corpus,at=300", "self_bleu:at=20texts"])
def test_a_mean_over_draws_has_no_parts_of_all_texts(spec: str) -> None:
    assert measure(MANY, spec)[0].parts.keys() <= {"texts", "total", "drawn_texts"}


def test_a_mean_over_draws_of_one_text_per_group_has_no_parts_of_one_draw() -> None:
    texts = [["a", "b", "a"], ["a"], ["c", "d"], ["c", "c", "e", "f"]]
    across = dy.measure(texts, "distinct:n=1", groups=list("1122"))[1]
    assert (across.scope, across.parts["texts"], across.parts["groups"]) == ("across", 2, 2)
    assert not across.parts.keys() & {"N", "C", "tokens"}
