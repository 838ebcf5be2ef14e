"""Are permutation p-values right, and what do they find? `python -m benchmarks.null` (needs ../shared/data).

Under the null, two corpora are random halves of some requests of clinc150. With a difference, every tenth
text of one is a request to a bank (banking77).
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
# A distance is continuous where nearly every pair of corpora has a value that no other pair has.
CONTINUOUS = 0.95

# Of each distance: its value and its p-value.
Found = dict[str, tuple[float, float]]


@dataclass(frozen=True)
class Trial:
    """Pairs of corpora of so many texts each, so many of the candidate's replaced; one pair a seed."""

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


def compared(trial: Trial, embedder: str, seed: int) -> Found:
    """Compare two random samples of one corpus, some texts of one replaced by another corpus's."""
    draw = np.random.default_rng([seed, trial.replaced])
    texts, vectors = corpus("clinc150", embedder)
    others, other_vectors = corpus("banking77", embedder)
    rows = draw.permutation(len(texts))
    one, other = rows[: trial.texts], rows[trial.texts : 2 * trial.texts - trial.replaced]
    strange = draw.permutation(len(others))[: trial.replaced]
    scores = dy.compare(
        [texts[row] for row in one],
        [texts[row] for row in other] + [others[row] for row in strange],
        distances(embedder),
        vectors=(vectors[one], np.concatenate([vectors[other], other_vectors[strange]])),
        permutations=PERMUTATIONS,
        seed=seed,
    )
    return {score.metric: (score.value, float(score.test.p)) for score in scores}


def distances(embedder: str) -> list[str]:
    """Return the distances that are on trial: those that see no vectors are tried with one embedder only."""
    names = metric_names(Distance)
    if embedder == "wordllama":
        return names
    return [name for name in names if dy.metric(name).sees == "vectors"]


def measured(trial: Trial, embedder: str) -> list[Found]:
    """Measure all pairs, on all cores."""
    began = time.perf_counter()
    os.environ["OPENBLAS_NUM_THREADS"] = "1"  # for the processes: each works alone
    with ProcessPoolExecutor(mp_context=multiprocessing.get_context("spawn")) as processes:
        work = functools.partial(compared, trial, embedder)
        found = list(processes.map(work, range(trial.seeds), chunksize=5))
    print(f"{embedder}, {trial}: {time.perf_counter() - began:.0f} s", file=sys.stderr)
    return found


def table(embedder: str, without: list[Found], different: list[Found]) -> list[str]:
    """Return one line a distance."""
    names = list(without[0])
    values, null = (np.array([[found[name][i] for name in names] for found in without]) for i in (0, 1))
    power = np.array([[found[name][1] for name in names] for found in different])
    alone = {name: share_alone(column) for name, column in zip(names, values.T)}
    continuous = [name for name in names if alone[name] > CONTINUOUS]
    uniform = dict(zip(continuous, holm([uniformity(null[:, names.index(name)]) for name in continuous])))
    limits = [level + 3 * math.sqrt(level * (1 - level) / len(without)) for level in LEVELS]
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


def both(embedder: str) -> list[str]:
    """Measure both trials."""
    return table(embedder, measured(NULL, embedder), measured(DIFFERENT, embedder))


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
        f"{NULL.seeds} pairs of {NULL.texts} + {NULL.texts} texts, {PERMUTATIONS} permutations each. Under "
        "the null a p-value is at most α in a share α of the pairs; *at most* adds 3 standard errors. A "
        "distance that comes in steps has ties, and ties count against a difference: its p-values are larger "
        f"than uniform ones. Power: in {DIFFERENT.seeds} pairs of {DIFFERENT.texts} + {DIFFERENT.texts} "
        f"texts, {DIFFERENT.replaced} of the candidate's from banking77.",
        "",
        *both("wordllama"),
        "",
        *both("minilm"),
    ]


if __name__ == "__main__":
    print(*lines(), sep="\n")
