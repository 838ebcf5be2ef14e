"""Compare distances with those of peers on the same vectors: `python -m benchmarks.distance_parity`.

clinc150 against banking77 (../shared/data), with the MiniLM vectors of the data and with those of WordLlama.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks import ibm
from benchmarks.distances import SIZES, prdc, texts_and_vectors
from distinctly.distance.base import f1
from distinctly.embedders import find_embedder
from distinctly.tokenizers import find_tokenizer

SEEDS = 5


def loops_mmd(reference: Any, candidate: Any) -> float:
    """Return KID from all pairs, in float64."""

    def kernel(a: Any, b: Any) -> Any:
        return (a @ b.T / a.shape[1] + 1) ** 3

    def within(rows: Any) -> Any:
        table = kernel(rows, rows)
        return (table.sum() - np.trace(table)) / (len(rows) * (len(rows) - 1))

    return float(within(reference) + within(candidate) - 2 * kernel(reference, candidate).mean())


def angles(a: Any, b: Any) -> Any:
    units = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (a, b)]
    return np.arccos(np.clip(units[0] @ units[1].T, -1, 1)) / np.pi


def loops_energy(reference: Any, candidate: Any) -> float:
    """Return the energy distance from all pairs, in float64, without the diagonal."""

    def within(rows: Any) -> Any:
        table = angles(rows, rows)
        np.fill_diagonal(table, 0)
        return table.sum() / (len(rows) * (len(rows) - 1))

    squared = 2 * angles(reference, candidate).mean() - within(reference) - within(candidate)
    return float(np.sqrt(max(squared, 0.0)))


def mauve(reference: Any, candidate: Any) -> tuple[float, float]:
    """Return the mean and the standard deviation of mauve-text over seeds."""
    import mauve as theirs

    values = [
        1
        - theirs.compute_mauve(
            p_features=reference, q_features=candidate, device_id=-1, verbose=False, seed=s
        ).mauve
        for s in range(SEEDS)
    ]
    return float(np.mean(values)), float(np.std(values, ddof=1))


def line(spec: str, peer: str, kind: str, size: int, ours: float, theirs: float) -> str:
    return f"| `{spec}` | {peer} | {kind} | {size} | {ours:.8g} | {theirs:.8g} | {ours - theirs:.1e} |"


def rows(size: int, kind: str) -> Iterator[str]:
    """Yield the rows of the table for one size and one embedder."""
    (reference_texts, reference), (candidate_texts, candidate) = (
        texts_and_vectors(name, size) for name in ("clinc150", "banking77")
    )
    reference, candidate = reference.astype(np.float32), candidate.astype(np.float32)
    if kind == "WordLlama":
        reference, candidate = (
            find_embedder("wordllama").embed(texts) for texts in (reference_texts, candidate_texts)
        )
    wide = [table.astype(np.float64) for table in (reference, candidate)]
    values = {name: float(value) for name, value in prdc(*wide).items()}
    peers: list[tuple[str, str, Callable[[], float]]] = [
        ("pr", "prdc", lambda: 1 - f1(values["precision"], values["recall"])),
        ("dc", "prdc", lambda: 1 - f1(min(values["density"], 1.0), values["coverage"])),
        ("frechet", "covariances, matrix square root", lambda: ibm.frechet(*wide)),
        ("energy", "all pairs, float64", lambda: loops_energy(*wide)),
        ("mmd", "all pairs, float64", lambda: loops_mmd(*wide)),
        ("irpr:preset=paper", "IBM's formula", lambda: ibm.irpr(*wide)),
        ("medoid", "IBM's formula", lambda: ibm.medoid(*wide)),
        ("ttest:preset=paper", "IBM's formula", lambda: ibm.ttest(*wide)),
    ]
    for spec, peer, call in peers:
        yield line(spec, peer, kind, size, dy.compare(reference, candidate, spec)[0].value, call())
    score = dy.compare(reference, candidate, f"mauve:seeds={SEEDS}")[0]
    mean, spread = mauve(reference, candidate)
    ours = f"{score.value:.4f} ± {score.parts['spread']:.4f}"
    theirs = f"{mean:.4f} ± {spread:.4f} | {score.value - mean:.1e}"
    yield f"| `mauve:seeds={SEEDS}` | mauve-text, {SEEDS} seeds | {kind} | {size} | {ours} | {theirs} |"
    if kind == "MiniLM":
        tokenize = find_tokenizer("words").tokenize
        tokens = [[tokenize(text) for text in texts] for texts in (reference_texts, candidate_texts)]
        for spec, call in (("chi:preset=paper", ibm.chi), ("zipf:preset=paper", ibm.zipf)):
            value = call(*tokens)
            # IBM's code has reversed the sign since the paper: it returns p, not 1 − p.
            value = 1 - value if spec.startswith("chi") else value
            ours = dy.compare(*tokens, spec, tokens=True)[0].value
            yield line(spec, "IBM's formula", "tokens", size, ours, value)


def lines() -> list[str]:
    """Return the lines of the table."""
    warnings.simplefilter("ignore")  # the peers warn about their own code
    table = [
        "| distance | peer | vectors | texts per corpus | ours | theirs | difference |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for kind in ("MiniLM", "WordLlama"):
        for size in SIZES:
            table += rows(size, kind)
    return table


if __name__ == "__main__":
    print(*lines(), sep="\n")
