"""Our distances beside the peers' on the same vectors: `python -m benchmarks.distance_parity`.

clinc150 against banking77 (../shared/data): MiniLM vectors as they came with the data, and WordLlama's.
"""

from __future__ import annotations

import contextlib
import io
import warnings
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

import distinctly as dy
from benchmarks import ibm
from benchmarks.distances import SIZES, texts_and_vectors
from distinctly.distance.base import f1
from distinctly.embedders import find_embedder
from distinctly.tokenizers import find_tokenizer

SEEDS = 5


def prdc(one: Any, other: Any) -> dict[str, float]:
    """Call prdc, which prints."""
    from prdc import compute_prdc

    with contextlib.redirect_stdout(io.StringIO()):
        return {name: float(value) for name, value in compute_prdc(one, other, nearest_k=5).items()}


def loops_mmd(one: Any, other: Any) -> float:
    """Return KID by all pairs, in float64."""

    def kernel(a: Any, b: Any) -> Any:
        return (a @ b.T / a.shape[1] + 1) ** 3

    def within(rows: Any) -> Any:
        table = kernel(rows, rows)
        return (table.sum() - np.trace(table)) / (len(rows) * (len(rows) - 1))

    return float(within(one) + within(other) - 2 * kernel(one, other).mean())


def angles(a: Any, b: Any) -> Any:
    units = [rows / np.linalg.norm(rows, axis=1, keepdims=True) for rows in (a, b)]
    return np.arccos(np.clip(units[0] @ units[1].T, -1, 1)) / np.pi


def loops_energy(one: Any, other: Any) -> float:
    """Return the energy distance by all pairs, in float64; the diagonal is 0 and left out."""

    def within(rows: Any) -> Any:
        table = angles(rows, rows)
        np.fill_diagonal(table, 0)
        return table.sum() / (len(rows) * (len(rows) - 1))

    squared = 2 * angles(one, other).mean() - within(one) - within(other)
    return float(np.sqrt(max(squared, 0.0)))


def mauve(one: Any, other: Any) -> tuple[float, float]:
    """Return the mean and the spread of mauve-text over seeds."""
    import mauve as theirs

    values = [
        1 - theirs.compute_mauve(p_features=one, q_features=other, device_id=-1, verbose=False, seed=s).mauve
        for s in range(SEEDS)
    ]
    return float(np.mean(values)), float(np.std(values, ddof=1))


def line(spec: str, peer: str, kind: str, size: int, ours: float, theirs: float) -> str:
    return f"| `{spec}` | {peer} | {kind} | {size} | {ours:.8g} | {theirs:.8g} | {ours - theirs:.1e} |"


def rows(size: int, kind: str) -> Iterator[str]:
    """Yield the lines of a table for one size and one embedder."""
    (one_texts, one), (other_texts, other) = (
        texts_and_vectors(name, size) for name in ("clinc150", "banking77")
    )
    one, other = one.astype(np.float32), other.astype(np.float32)
    if kind == "WordLlama":
        one, other = (find_embedder("wordllama").embed(texts) for texts in (one_texts, other_texts))
    wide = [table.astype(np.float64) for table in (one, other)]
    found = prdc(*wide)
    peers: list[tuple[str, str, Callable[[], float]]] = [
        ("pr", "prdc", lambda: 1 - f1(found["precision"], found["recall"])),
        ("dc", "prdc", lambda: 1 - f1(min(found["density"], 1.0), found["coverage"])),
        ("frechet", "covariances, matrix square root", lambda: ibm.frechet(*wide)),
        ("energy", "all pairs, float64", lambda: loops_energy(*wide)),
        ("mmd", "all pairs, float64", lambda: loops_mmd(*wide)),
        ("irpr:preset=paper", "IBM's formula", lambda: ibm.irpr(*wide)),
        ("medoid", "IBM's formula", lambda: ibm.medoid(*wide)),
        ("ttest:preset=paper", "IBM's formula", lambda: ibm.ttest(*wide)),
    ]
    for spec, peer, call in peers:
        yield line(spec, peer, kind, size, dy.compare(one, other, spec)[0].value, call())
    score = dy.compare(one, other, f"mauve:seeds={SEEDS}")[0]
    mean, spread = mauve(one, other)
    ours = f"{score.value:.4f} ± {score.parts['spread']:.4f}"
    theirs = f"{mean:.4f} ± {spread:.4f} | {score.value - mean:.1e}"
    yield f"| `mauve:seeds={SEEDS}` | mauve-text, {SEEDS} seeds | {kind} | {size} | {ours} | {theirs} |"
    if kind == "MiniLM":
        cut = find_tokenizer("words").tokenize
        tokens = [[cut(text) for text in texts] for texts in (one_texts, other_texts)]
        for spec, call in (("chi:preset=paper", ibm.chi), ("zipf:preset=paper", ibm.zipf)):
            value = call(*tokens)
            # IBM's code has turned the sign since the paper: it returns p, not 1 − p.
            value = 1 - value if spec.startswith("chi") else value
            yield line(spec, "IBM's formula", "tokens", size, dy.compare(*tokens, spec)[0].value, value)


def lines() -> list[str]:
    """Return the table."""
    warnings.simplefilter("ignore")  # of the peers, about themselves
    made = [
        "| distance | peer | vectors | texts a side | ours | theirs | difference |",
        "|---|---|---|---:|---:|---:|---:|",
    ]
    for kind in ("MiniLM", "WordLlama"):
        for size in SIZES:
            made += rows(size, kind)
    return made


if __name__ == "__main__":
    print(*lines(), sep="\n")
