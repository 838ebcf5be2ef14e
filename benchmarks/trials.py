"""Known-similarity corpora beside the formulas of the released code: `python -m benchmarks.trials`.

The top half of the paper's Table 3: clinc150 × banking77, MiniLM vectors (../shared/data/embeddings),
n = 100, k = 7 and 12, 5 repetitions, 8 metrics. Ours is the whole of `dy.judging.known_similarity` (reading,
hashing, drawing, judging); the peers' are their bare functions on the same corpora, tokens and vectors ready.
Both in processes with one thread; then ours with the two measures of size, on all cores; then the judgements
alone.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys
import time
import warnings
from typing import Any

from benchmarks.distances import SINGLE, in_process, texts_and_vectors

TEXTS, N, KS, REPETITIONS = 8000, 100, (7, 12), 5
METRICS = ("chi", "classifier:preset=paper", "dc", "frechet", "irpr", "mauve", "pr", "zipf")
MIXTURES = ("accuracy", "weighted_accuracy", "time", "monotonicity", "separability", "linearity")


def corpora() -> tuple[list[list[str]], list[Any]]:
    found = [texts_and_vectors(name, TEXTS) for name in ("clinc150", "banking77")]
    return [texts for texts, _ in found], [vectors for _, vectors in found]


def ours(measures: tuple[str, ...] | None, metrics: tuple[str, ...] = METRICS) -> float:
    """Run the trial, everything compiled, and return its wall seconds."""
    import distinctly as dy

    texts, vectors = corpora()
    # What is compiled and imported, first.
    dy.judging.known_similarity(*texts, metrics, vectors=vectors, k=3, repetitions=1, measures=MIXTURES)
    began = time.perf_counter()
    dy.judging.known_similarity(
        *texts, metrics, vectors=vectors, n=N, k=KS, repetitions=REPETITIONS, measures=measures
    )
    return time.perf_counter() - began


def released() -> dict[str, float]:
    """Return the seconds that the released formulas take for the same pairs, by metric."""
    import mauve
    import numpy as np
    from prdc import compute_prdc

    from benchmarks import ibm
    from distinctly.judging.measures import pairs_of
    from distinctly.judging.similarity.mixing import mix
    from distinctly.tokenizers import find_tokenizer

    warnings.simplefilter("ignore")  # of the peers, about themselves
    cut = find_tokenizer("words").tokenize
    texts, vectors = corpora()
    tokens = [cut(text) for side in texts for text in side]
    rows = np.concatenate(vectors)
    sides = np.arange(TEXTS), np.arange(TEXTS, 2 * TEXTS)

    def of_vectors(name: str) -> Any:
        return lambda one, other: getattr(ibm, name)(rows[one], rows[other])

    def of_tokens(name: str) -> Any:
        return lambda one, other: getattr(ibm, name)([tokens[i] for i in one], [tokens[i] for i in other])

    def of_prdc(one: Any, other: Any) -> Any:
        return compute_prdc(rows[one], rows[other], nearest_k=5)

    def of_mauve(one: Any, other: Any) -> Any:
        return mauve.compute_mauve(p_features=rows[one], q_features=rows[other], device_id=-1, verbose=False)

    calls = {name: of_tokens(name) for name in ("chi", "zipf")}
    calls |= {name: of_vectors(name) for name in ("classifier", "frechet", "irpr")}
    calls |= {"pr": of_prdc, "dc": of_prdc, "mauve": of_mauve}
    found = {}
    for name, call in calls.items():
        with contextlib.redirect_stdout(io.StringIO()):  # prdc prints
            call(sides[0][:N], sides[1][:N])
            began = time.perf_counter()
            for k in KS:
                for repetition in range(REPETITIONS):
                    drawn = mix(*sides, N, k, np.random.default_rng([0, 30, N, k, repetition]))
                    for i, j in pairs_of(k):
                        call(drawn[i], drawn[j])
            found[name] = time.perf_counter() - began
        print("released", name, round(found[name], 2), file=sys.stderr)
    return found


def each() -> dict[str, float]:
    """Return our seconds by metric."""
    found = {}
    for spec in METRICS:
        found[spec] = ours(MIXTURES, (spec,))
        print("ours", spec, round(found[spec], 2), file=sys.stderr)
    return found | {"all": ours(MIXTURES)}


def judged(k: int = 50) -> float:
    """Return the seconds of all measures of one metric on k corpora, once the distances are there."""
    import numpy as np

    from distinctly.judging.measures import pairs_of
    from distinctly.judging.similarity.findings import SimilarityTrial

    draw = np.random.default_rng(0)
    told = {"metric": "one", "embedder": "", "part": "", "kind": "distance", "n": N, "k": k, "note": ""}
    records = [
        {**told, "repetition": 0, "i": i + 1, "j": j + 1, "value": float(j - i + draw.normal())}
        for i, j in pairs_of(k)
    ]
    measures = [one for one in MIXTURES if one != "time"]
    settings = {"measures": measures, "plan": {one: [(N, k)] for one in measures}, "preset": None}
    began = time.perf_counter()
    SimilarityTrial(settings=settings, records=records).find()
    return time.perf_counter() - began


def lines() -> list[str]:
    """Run all, each in a process of its own, and return the lines of the section."""
    theirs = in_process("released", "benchmarks.trials", **SINGLE)
    mine = in_process("each", "benchmarks.trials", **SINGLE)
    sizes = in_process("sizes", "benchmarks.trials")
    seconds = in_process("judged", "benchmarks.trials")
    table = [
        f"Table 3, top half: clinc150 × banking77, n = {N}, k = 7 and 12, {REPETITIONS} repetitions "
        f"({REPETITIONS * (21 + 66)} pairs), vectors given, one thread each.",
        "",
        "| metric | released formula, s | ours, s | ratio |",
        "|---|---:|---:|---:|",
    ]
    for spec in METRICS:
        name = spec.partition(":")[0]
        table.append(
            f"| `{spec}` | {theirs[name]:.2f} | {mine[spec]:.2f} | {theirs[name] / mine[spec]:.1f}× |"
        )
    total = sum(theirs.values())
    table += [
        f"| all eight in one trial | {total:.2f} | {mine['all']:.2f} | {total / mine['all']:.1f}× |",
        "",
        "A line of ours is a whole trial: reading and hashing 16,000 texts and vectors is in each, and once "
        "in the last. `mauve` clusters once in a trial, as the package does.",
        "",
        f"With S and I (15 sizes × 10 repetitions, and 10 at 3,000) on all cores: {sizes:.0f} s.",
        "",
        "k = 50, n = 100, all judgements (269,500) and the other measures of one metric, after the "
        f"distances: {seconds:.2f} s.",
    ]
    return table


TASKS = {"released": released, "each": each, "sizes": lambda: ours(None), "judged": judged}

if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps(TASKS[sys.argv[1]]()))
    else:
        print("\n".join(lines()))
