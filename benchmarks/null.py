"""Are permutation p-values right, and what do they find? `python -m benchmarks.null` (needs ../shared/data).

Under the null, two corpora are random halves of 200 requests of clinc150. With a difference, every tenth text
of one is a request to a bank (banking77).
"""

from __future__ import annotations

import functools
import math
import multiprocessing
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.embedders import find_embedder
from distinctly.registry import metric_names
from distinctly.uncertainty import holm

DATA = Path(__file__).parents[2] / "shared" / "data"
TEXTS, REPLACED, PERMUTATIONS, SEEDS = 100, 10, 99, 300
LEVELS = (0.01, 0.05, 0.1)
# A distance is continuous where nearly every pair of corpora has a value that no other pair has.
CONTINUOUS = 0.95

# Of each distance: its value and its p-value.
Found = dict[str, tuple[float, float]]


@functools.cache
def corpus(name: str, embedder: str) -> tuple[list[str], np.ndarray]:
    """Return the texts of a corpus and their vectors."""
    texts = dy.Corpus.read(next(DATA.glob(f"{name}.jsonl*"))).texts()
    if embedder == "minilm":
        with np.load(DATA / "embeddings" / f"{name}-minilm.npz") as stored:
            return [texts[row] for row in stored["row"]], stored["vectors"].astype(np.float32)
    return texts, find_embedder(embedder).embed(texts)


def compared(seed: int, embedder: str, *, replaced: int) -> Found:
    """Compare two random samples of one corpus, some texts of one replaced by another corpus's."""
    draw = np.random.default_rng([seed, replaced])
    texts, vectors = corpus("clinc150", embedder)
    others, other_vectors = corpus("banking77", embedder)
    rows = draw.permutation(len(texts))
    one, other = rows[:TEXTS], rows[TEXTS : 2 * TEXTS - replaced]
    strange = draw.permutation(len(others))[:replaced]
    scores = dy.compare(
        [texts[row] for row in one],
        [texts[row] for row in other] + [others[row] for row in strange],
        distances(embedder),
        vectors=(vectors[one], np.concatenate([vectors[other], other_vectors[strange]])),
        permutations=PERMUTATIONS,
        seed=seed,
    )
    return {score.metric: (score.value, float(score.parts["p"])) for score in scores}


def distances(embedder: str) -> list[str]:
    """Return the distances that are on trial: those that see no vectors are tried with one embedder only."""
    names = metric_names(Distance)
    if embedder == "wordllama":
        return names
    return [name for name in names if dy.parse_metric(name).sees == "vectors"]


def both(task: tuple[int, str]) -> tuple[Found, Found]:
    """Measure one seed: under the null, and with a difference."""
    seed, embedder = task
    return compared(seed, embedder, replaced=0), compared(seed, embedder, replaced=REPLACED)


def measured(embedder: str) -> list[tuple[Found, Found]]:
    """Measure all seeds, on all cores."""
    began = time.perf_counter()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for the processes: each works alone
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as processes:
        found = list(processes.map(both, [(seed, embedder) for seed in range(SEEDS)], chunksize=5))
    print(f"{embedder}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return found


def table(embedder: str, found: list[tuple[Found, Found]]) -> list[str]:
    """Return one line a distance."""
    values, null = (np.array([[one[name][i] for name in one] for one, _ in found]) for i in (0, 1))
    power = np.array([[p for _, p in other.values()] for _, other in found])
    names = list(found[0][0])
    alone = {name: share_alone(column) for name, column in zip(names, values.T)}
    continuous = [name for name in names if alone[name] > CONTINUOUS]
    uniform = dict(zip(continuous, holm([uniformity(null[:, names.index(name)]) for name in continuous])))
    limits = [level + 3 * math.sqrt(level * (1 - level) / len(found)) for level in LEVELS]
    lines = [
        f"| distance ({embedder}) | {' | '.join(f'P(p ≤ {level:g})' for level in LEVELS)} | smallest p "
        "| values that differ | uniform: KS p, Holm | power at .05 |",
        "|---|" + "---:|" * (len(LEVELS) + 4),
        f"| *at most* | {' | '.join(f'*{limit:.3f}*' for limit in limits)} | | | | |",
    ]
    for name, p_values, powers in zip(names, null.T, power.T):
        shares = [float((p_values <= level + 1e-12).mean()) for level in LEVELS]
        cells = [f"{share:.3f}" + " **too many**" * (share > limit) for share, limit in zip(shares, limits)]
        told = f"{uniform[name]:.2f}" if name in uniform else "in steps"
        lines.append(
            f"| `{name}` | {' | '.join(cells)} | {p_values.min():.2f} | {alone[name]:.0%} | {told} "
            f"| {(powers <= 0.05 + 1e-12).mean():.2f} |"
        )
    return lines


def share_alone(values: np.ndarray) -> float:
    """Return the share of values that come once only."""
    _, counts = np.unique(values, return_counts=True)
    return float((counts == 1).sum() / len(values))


def uniformity(p_values: np.ndarray) -> float:
    """Test whether p-values are uniform: each is a step, in which it is put at random first."""
    from scipy.stats import kstest

    within = np.random.default_rng(0).random(len(p_values)) / (PERMUTATIONS + 1)
    return float(kstest(p_values - within, "uniform").pvalue)


def lines() -> list[str]:
    """Return the tables, and what they are of."""
    return [
        f"{SEEDS} pairs of {TEXTS} + {TEXTS} texts, {PERMUTATIONS} permutations each. Under the null a "
        "p-value is at most α in a share α of the pairs; *at most* adds 3 standard errors. Power: the same "
        f"with {REPLACED} of the {TEXTS} texts of the candidate from banking77. A distance that comes in "
        "steps has ties, and ties count against a difference: its p-values are larger than uniform ones.",
        "",
        *table("wordllama", measured("wordllama")),
        "",
        *table("minilm", measured("minilm")),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
