"""Time known-similarity trials beside the formulas of the released code: `python -m benchmarks.trials`.

The trial is the top half of Table 3 of the paper: clinc150 × banking77, MiniLM vectors
(../shared/data/embeddings), n = 100, k = 7 and 12, 5 repetitions, 8 metrics. Our time is that of the whole
`dy.judging.known_similarity` (reading, hashing, drawing, judging), a peer's that of its function on the same
corpora, with given tokens and vectors. Both run with one thread. Then ours is timed with the two measures of
size, on all cores, and finally the judgements alone.
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
    loaded = [texts_and_vectors(name, TEXTS) for name in ("clinc150", "banking77")]
    return [texts for texts, _ in loaded], [vectors for _, vectors in loaded]


def ours(measures: tuple[str, ...] | None, metrics: tuple[str, ...] = METRICS) -> float:
    """Run the trial and return its wall seconds, without imports and compilation."""
    import distinctly as dy

    texts, vectors = corpora()
    # The first run imports and compiles.
    dy.judging.known_similarity(*texts, metrics, vectors=vectors, k=3, repetitions=1, measures=MIXTURES)
    began = time.perf_counter()
    dy.judging.known_similarity(
        *texts, metrics, vectors=vectors, n=N, k=KS, repetitions=REPETITIONS, measures=measures
    )
    return time.perf_counter() - began


def released() -> dict[str, float]:
    """Return the seconds of the released formulas for the same pairs, by metric."""
    import mauve
    import numpy as np
    from prdc import compute_prdc

    from benchmarks import ibm
    from distinctly.judging.measures import pairs_of
    from distinctly.judging.similarity.mixing import mix
    from distinctly.tokenizers import find_tokenizer

    warnings.simplefilter("ignore")  # the peers warn about their own code
    tokenize = find_tokenizer("words").tokenize
    texts, vectors = corpora()
    tokens = [tokenize(text) for side in texts for text in side]
    rows = np.concatenate(vectors)
    sides = np.arange(TEXTS), np.arange(TEXTS, 2 * TEXTS)

    def of_vectors(name: str) -> Any:
        return lambda reference, candidate: getattr(ibm, name)(rows[reference], rows[candidate])

    def of_tokens(name: str) -> Any:
        return lambda reference, candidate: getattr(ibm, name)(
            [tokens[i] for i in reference], [tokens[i] for i in candidate]
        )

    def of_prdc(reference: Any, candidate: Any) -> Any:
        return compute_prdc(rows[reference], rows[candidate], nearest_k=5)

    def of_mauve(reference: Any, candidate: Any) -> Any:
        return mauve.compute_mauve(
            p_features=rows[reference], q_features=rows[candidate], device_id=-1, verbose=False
        )

    calls = {name: of_tokens(name) for name in ("chi", "zipf")}
    calls |= {name: of_vectors(name) for name in ("classifier", "frechet", "irpr")}
    calls |= {"pr": of_prdc, "dc": of_prdc, "mauve": of_mauve}
    seconds = {}
    for name, call in calls.items():
        with contextlib.redirect_stdout(io.StringIO()):  # prdc prints
            call(sides[0][:N], sides[1][:N])
            began = time.perf_counter()
            for k in KS:
                for repetition in range(REPETITIONS):
                    mixtures = mix(*sides, N, k, np.random.default_rng([0, 30, N, k, repetition]))
                    for i, j in pairs_of(k):
                        call(mixtures[i], mixtures[j])
            seconds[name] = time.perf_counter() - began
        print("released", name, round(seconds[name], 2), file=sys.stderr)
    return seconds


def each() -> dict[str, float]:
    """Return our seconds, by metric."""
    seconds = {}
    for spec in METRICS:
        seconds[spec] = ours(MIXTURES, (spec,))
        print("ours", spec, round(seconds[spec], 2), file=sys.stderr)
    return seconds | {"all": ours(MIXTURES)}


def judged(k: int = 50) -> float:
    """Return the seconds of all measures of one metric on k corpora, given the distances."""
    import numpy as np

    from distinctly.judging.measures import pairs_of
    from distinctly.judging.similarity.findings import SimilarityTrial

    draw = np.random.default_rng(0)
    shared = {"metric": "one", "embedder": "", "part": "", "kind": "distance", "n": N, "k": k, "note": ""}
    records = [
        {**shared, "repetition": 0, "i": i + 1, "j": j + 1, "value": float(j - i + draw.normal())}
        for i, j in pairs_of(k)
    ]
    measures = [measure for measure in MIXTURES if measure != "time"]
    settings = {"measures": measures, "plan": {measure: [(N, k)] for measure in measures}, "preset": None}
    began = time.perf_counter()
    SimilarityTrial(settings=settings, records=records).find()
    return time.perf_counter() - began


def lines() -> list[str]:
    """Run all tasks, one process per task, and return the lines of the section."""
    theirs = in_process("released", "benchmarks.trials", **SINGLE)
    own = in_process("each", "benchmarks.trials", **SINGLE)
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
        table.append(f"| `{spec}` | {theirs[name]:.2f} | {own[spec]:.2f} | {theirs[name] / own[spec]:.1f}× |")
    total = sum(theirs.values())
    table += [
        f"| all eight in one trial | {total:.2f} | {own['all']:.2f} | {total / own['all']:.1f}× |",
        "",
        "Each of our lines is a whole trial, which includes reading and hashing 16,000 texts and vectors; "
        "the last line includes them once. `mauve` clusters once per pair in a trial, as mauve-text does.",
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
