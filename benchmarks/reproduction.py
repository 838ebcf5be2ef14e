"""Random scores of random runs of `measure` and `compare`, measured again from their signatures.

`python -m benchmarks.reproduction`: 200 scores, each of a run with random corpora, metrics and options.
"""

from __future__ import annotations

import argparse
import math
from typing import Any

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.registry import find_metric, metric_names

DISTANCES = [name for name in metric_names() if issubclass(find_metric(name), Distance)]
REQUIRED = {"rarefied": "rarefied:n=1,sample=25"}
DIVERSITY = [REQUIRED.get(name, name) for name in metric_names() if name not in DISTANCES]
SIZED = (
    *(
        "distinct:n=1,at=90",
        "types:n=2,at=80",
        "ead:at=90,unit=text",
        "entropy:n=1,at=90,seed=4",
        "chao1:at=90,draws=7",
    ),
    *(
        "self_bleu:max_n=2,at=14texts",
        "vendi:kernel=ngram,at=14texts",
        "hill:q=2,at=100",
        "compression:at=14texts,seed=2",
    ),
)
TOKENIZERS = ("words", "words:lc=yes", "char", "whitespace")


def corpus(draw: np.random.Generator, name: str, *, grouped: bool) -> dy.Corpus:
    """Draw texts of different lengths from a skewed vocabulary, some of them in groups."""
    count, words = int(draw.integers(24, 70)), int(draw.integers(30, 300))
    chances = 1 / np.arange(1, words + 1)
    texts = [
        " ".join(f"W{i}" for i in draw.choice(words, int(draw.integers(1, 15)), p=chances / chances.sum()))
        for _ in range(count)
    ]
    size = int(draw.integers(1, 4))
    return dy.Corpus(texts, groups=[f"p{i // size}" for i in range(count)] if grouped else None, name=name)


def measured(draw: np.random.Generator) -> tuple[dy.Score, dy.Score]:
    """Return a random score of a random run of `measure`, and the same from its signature."""
    grouped = bool(draw.integers(2))
    corpora = {name: corpus(draw, name, grouped=grouped) for name in "abc"[: int(draw.integers(1, 4))]}
    specs = [str(spec) for spec in draw.choice([*DIVERSITY, *SIZED], 3, replace=False)]
    options: dict[str, Any] = {"interval": bool(draw.integers(2)), "seed": int(draw.integers(9))}
    scores = dy.measure(corpora, specs, tokenizer=str(draw.choice(TOKENIZERS)), **options)
    score = scores[int(draw.integers(len(scores)))]
    return score, dy.measure(corpora[score.corpus], signature=score.signature)[0]


def compared(draw: np.random.Generator) -> tuple[dy.Score, dy.Score]:
    """Return a random score of a random run of `compare`, and the same from its signature."""
    grouped = bool(draw.integers(2))
    corpora = {name: corpus(draw, name, grouped=grouped) for name in "abc"[: int(draw.integers(2, 4))]}
    specs = [str(spec) for spec in draw.choice([*DISTANCES, "ttr_difference:at=60"], 3, replace=False)]
    options: dict[str, Any] = {
        "interval": bool(draw.integers(2)),
        "seed": int(draw.integers(9)),
        "subsample": int(draw.integers(15, 40)) if draw.integers(2) else None,
        "permutations": 9 if draw.integers(2) else None,
        "noise_floor": bool(draw.integers(2)),
        "matrix": bool(draw.integers(2)),
    }
    scores = dy.compare(corpora, metrics=specs, tokenizer=str(draw.choice(TOKENIZERS)), **options)
    score = scores[int(draw.integers(len(scores)))]
    pair = corpora[str(score.reference)], corpora[score.corpus]
    return score, dy.compare(*pair, signature=score.signature)[0]


def same(score: dy.Score, again: dy.Score, tolerance: float = 1e-12) -> bool:
    """Return whether value and interval are equal up to a relative tolerance, and signatures are equal."""
    pairs = zip((score.value, score.low, score.high), (again.value, again.low, again.high))
    return score.signature == again.signature and all(_equal(*pair, tolerance) for pair in pairs)


def _equal(first: float | None, second: float | None, tolerance: float) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=tolerance) or (math.isnan(first) and math.isnan(second))


def lines(count: int = 200, seed: int = 0) -> list[str]:
    """Return how many of random scores come back from their signatures, by command."""
    table = [
        "| command | scores | come back from their signature | to the last bit | undefined |",
        "|---|---:|---:|---:|---:|",
    ]
    for name, run in (("measure", measured), ("compare", compared)):
        pairs = [run(np.random.default_rng([seed, len(name), number])) for number in range(count // 2)]
        for score, again in pairs:
            if not same(score, again):
                print(f"{score.signature}\n  {score!r}\n  {again!r}")
        undefined = sum(math.isnan(score.value) for score, _ in pairs)
        counts = [sum(same(*pair, tolerance) for pair in pairs) for tolerance in (1e-12, 0.0)]
        table.append(f"| {name} | {len(pairs)} | {counts[0]} | {counts[1]} | {undefined} |")
    return table


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scores", type=int, default=200)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    print(*lines(arguments.scores, arguments.seed), sep="\n")
