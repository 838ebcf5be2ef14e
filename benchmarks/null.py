"""Check the level and the power of permutation tests: `python -m benchmarks.null` (needs ../shared/data).

Under the null hypothesis, the two corpora are random halves of some requests of clinc150. Under the
alternative, every tenth text of the candidate is a request to a bank (banking77).
"""

from __future__ import annotations

import functools
import math
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.embedders import find_embedder
from distinctly.registry import metric_names
from distinctly.run.resampling import holm

DATA = Path(__file__).parents[2] / "shared" / "data"
PERMUTATIONS = 99
LEVELS = (0.01, 0.05, 0.1)
# A distance is continuous if nearly all of its values over pairs of corpora are unique.
CONTINUOUS = 0.95

# The value and the p-value of each distance.
Results = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Trial:
    """The number of texts per corpus, of replaced texts of the candidate, and of seeds; one pair per seed."""

    texts: int
    replaced: int
    seeds: int


NULL = Trial(texts=100, replaced=0, seeds=300)
DIFFERENT = Trial(texts=300, replaced=30, seeds=100)


@functools.cache
def corpus(name: str, embedder: str) -> tuple[list[str], np.ndarray]:
    """Return the texts of a corpus and their vectors."""
    texts = dy.Corpus.read(next(DATA.glob(f"{name}.jsonl*"))).texts()
    if embedder == "minilm":
        with np.load(DATA / "embeddings" / f"{name}-minilm.npz") as stored:
            return [texts[row] for row in stored["row"]], stored["vectors"].astype(np.float32)
    return texts, find_embedder(embedder).embed(texts)


def compared(trial: Trial, embedder: str, seed: int) -> Results:
    """Compare two random samples of clinc150, some texts of the candidate replaced by texts of banking77."""
    draw = np.random.default_rng([seed, trial.replaced])
    texts, vectors = corpus("clinc150", embedder)
    bank_texts, bank_vectors = corpus("banking77", embedder)
    rows = draw.permutation(len(texts))
    reference, candidate = rows[: trial.texts], rows[trial.texts : 2 * trial.texts - trial.replaced]
    replacements = draw.permutation(len(bank_texts))[: trial.replaced]
    scores = dy.compare(
        [texts[row] for row in reference],
        [texts[row] for row in candidate] + [bank_texts[row] for row in replacements],
        distances(embedder),
        vectors=(vectors[reference], np.concatenate([vectors[candidate], bank_vectors[replacements]])),
        permutations=PERMUTATIONS,
        seed=seed,
    )
    return {score.metric: (score.value, float(score.test.p)) for score in scores}


def distances(embedder: str) -> list[str]:
    """Return the distances to test; those that read no vectors are tested with one embedder only."""
    names = metric_names(Distance)
    if embedder == "wordllama":
        return names
    return [name for name in names if dy.metric(name).sees == "vectors"]


def measured(trial: Trial, embedder: str) -> list[Results]:
    """Measure all pairs, on all cores."""
    began = time.perf_counter()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # one thread per process
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as processes:
        work = functools.partial(compared, trial, embedder)
        results = list(processes.map(work, range(trial.seeds), chunksize=5))
    print(f"{embedder}, {trial}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return results


def table(embedder: str, null_results: list[Results], power_results: list[Results]) -> list[str]:
    """Return one row per distance."""
    names = list(null_results[0])
    values, null = (
        np.array([[results[name][i] for name in names] for results in null_results]) for i in (0, 1)
    )
    power = np.array([[results[name][1] for name in names] for results in power_results])
    unique = {name: share_unique(column) for name, column in zip(names, values.T)}
    continuous = [name for name in names if unique[name] > CONTINUOUS]
    uniform = dict(zip(continuous, holm([uniformity(null[:, names.index(name)]) for name in continuous])))
    limits = [level + 3 * math.sqrt(level * (1 - level) / len(null_results)) for level in LEVELS]
    lines = [
        f"| distance ({embedder}) | {' | '.join(f'P(p ≤ {level:g})' for level in LEVELS)} | smallest p "
        "| values that differ | uniform: KS p, Holm | power at .05 |",
        "|---|" + "---:|" * (len(LEVELS) + 4),
        f"| *at most* | {' | '.join(f'*{limit:.3f}*' for limit in limits)} | | | | |",
    ]
    for name, p_values, powers in zip(names, null.T, power.T):
        shares = [float((p_values <= level + 1e-12).mean()) for level in LEVELS]
        cells = [f"{share:.3f}" + " **too many**" * (share > limit) for share, limit in zip(shares, limits)]
        uniform_p = f"{uniform[name]:.2f}" if name in uniform else "in steps"
        lines.append(
            f"| `{name}` | {' | '.join(cells)} | {p_values.min():.2f} | {unique[name]:.0%} | {uniform_p} "
            f"| {(powers <= 0.05 + 1e-12).mean():.2f} |"
        )
    return lines


def both(embedder: str) -> list[str]:
    """Return the table of both trials."""
    return table(embedder, measured(NULL, embedder), measured(DIFFERENT, embedder))


def share_unique(values: np.ndarray) -> float:
    """Return the share of values that occur once."""
    _, counts = np.unique(values, return_counts=True)
    return float((counts == 1).sum() / len(values))


def uniformity(p_values: np.ndarray) -> float:
    """Test whether p-values are uniform; each is first drawn at random within its step."""
    from scipy.stats import kstest

    within = np.random.default_rng(0).random(len(p_values)) / (PERMUTATIONS + 1)
    return float(kstest(p_values - within, "uniform").pvalue)


def lines() -> list[str]:
    """Return the lines of the tables, with an introduction."""
    return [
        f"{NULL.seeds} pairs of {NULL.texts} + {NULL.texts} texts, {PERMUTATIONS} permutations each. Under "
        "the null hypothesis a p-value is at most α in a share α of the pairs; *at most* adds 3 standard "
        "errors. A distance that takes few values (*in steps*) has ties, which count against a difference: "
        f"its p-values are larger than uniform ones. Power: {DIFFERENT.seeds} pairs of {DIFFERENT.texts} + "
        f"{DIFFERENT.texts} texts, of which {DIFFERENT.replaced} texts of the candidate are from banking77.",
        "",
        *both("wordllama"),
        "",
        *both("minilm"),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
