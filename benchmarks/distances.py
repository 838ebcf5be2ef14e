"""Time distances beside prdc, mauve-text and IBM's formulas: `python -m benchmarks.distances`.

The vectors are by MiniLM, of clinc150 against banking77 (../shared/data/embeddings), 384 dimensions. The
files have float16, which we convert to float32 and the peers to float64, except in the rows marked float32.
CPU seconds are from a process with a single BLAS thread, wall seconds from one with all cores. Each time is
the shortest of several calls, after imports and compilation. Ours is that of the whole `dy.compare`
(checking, hashing, signing), a peer's that of its function on the same arrays.
"""

from __future__ import annotations

import contextlib
import gzip
import io
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

SHARED = Path(__file__).parents[2] / "shared" / "data"
SIZES = (100, 1000, 2850)
SINGLE = {f"{name}_NUM_THREADS": "1" for name in ("OPENBLAS", "OMP", "MKL", "NUMBA")}
TOGETHER = "pr + dc"


def texts_and_vectors(name: str, size: int) -> tuple[list[str], Any]:
    """Return `size` random texts of a corpus, with their vectors."""
    import numpy as np

    stored = np.load(SHARED / "embeddings" / f"{name}-minilm.npz")
    path = SHARED / f"{name}.jsonl"
    packed = not path.exists()
    with gzip.open(f"{path}.gz", "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        lines = [json.loads(line)["text"] for line in file]
    table = next(stored[key] for key in stored.files if stored[key].ndim == 2)
    chosen = np.random.default_rng(0).permutation(len(table))[:size]
    return [lines[row] for row in stored["row"][chosen]], table[chosen]


def best(call: Callable[[], Any]) -> tuple[float, float]:
    """Return the smallest CPU and wall seconds of at least three calls, within about two seconds."""
    times: list[tuple[float, float]] = []
    began = time.perf_counter()
    while len(times) < 3 or (time.perf_counter() - began < 2 and len(times) < 50):
        cpu, wall = time.process_time(), time.perf_counter()
        with contextlib.redirect_stdout(io.StringIO()):  # prdc prints
            call()
        times.append((time.process_time() - cpu, time.perf_counter() - wall))
    return min(cpu for cpu, _ in times), min(wall for _, wall in times)


def work() -> dict[str, Any]:
    """Time all distances at all sizes in this process."""
    warnings.simplefilter("ignore")  # the peers warn about their own code
    import mauve
    from prdc import compute_prdc

    import distinctly as dy
    from benchmarks import ibm
    from distinctly.distance.base import Distance
    from distinctly.registry import metric_names
    from distinctly.tokenizers import find_tokenizer

    tokenize = find_tokenizer("words").tokenize
    all_distances = metric_names(Distance)
    times: dict[str, Any] = {}
    for size in SIZES:
        (reference_texts, reference), (candidate_texts, candidate) = (
            texts_and_vectors(name, size) for name in ("clinc150", "banking77")
        )
        tokens = [[tokenize(text) for text in texts] for texts in (reference_texts, candidate_texts)]

        def ours(*specs: str, rows: Any = (reference, candidate)) -> Callable[[], Any]:
            return lambda: dy.compare(*rows, list(specs))

        def theirs_mauve(reference: Any = reference, candidate: Any = candidate) -> Any:
            return mauve.compute_mauve(
                p_features=reference, q_features=candidate, device_id=-1, verbose=False
            )

        calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
            TOGETHER: (ours("pr", "dc"), partial(prdc_twice, reference, candidate)),
            "pr": (ours("pr"), partial(compute_prdc, reference, candidate, nearest_k=5)),
            "dc": (ours("dc"), partial(compute_prdc, reference, candidate, nearest_k=5)),
            "mauve": (ours("mauve:seeds=1"), theirs_mauve),
        }
        for name in ("frechet", "energy", "irpr", "medoid", "ttest", "classifier"):
            calls[name] = (ours(name), partial(getattr(ibm, name), reference, candidate))
        if size == max(SIZES):
            wide = reference.astype("float32"), candidate.astype("float32")
            calls[f"{TOGETHER}, float32"] = ours("pr", "dc", rows=wide), partial(prdc_twice, *wide)
            for name in ("frechet", "energy", "irpr"):
                calls[f"{name}, float32"] = ours(name, rows=wide), partial(getattr(ibm, name), *wide)
        # The peer makes one split; our default makes five.
        calls["classifier:preset=paper"] = ours("classifier:preset=paper"), calls["classifier"][1]
        for name in ("chi", "zipf"):
            calls[name] = (ours(name, rows=tokens), partial(getattr(ibm, name), *tokens))
            calls[f"{name}, tokens numbered"] = ready(tokens, name), calls[name][1]
        for name, (own, peer) in calls.items():
            own()  # imports and compiles
            times[f"{name} {size}"] = [*best(own), *best(peer)]
            print(name, size, times[f"{name} {size}"], file=sys.stderr)
        times[f"all {size}"] = best(
            partial(dy.compare, *tokens, all_distances, vectors=(reference, candidate))
        )
        print("all", size, times[f"all {size}"], file=sys.stderr)
    return times


def ready(tokens: list[list[list[str]]], name: str) -> Callable[[], Any]:
    """Return a call on tokens that are already numbered, as for all permutations but the first."""
    import numpy as np

    import distinctly as dy
    from distinctly.batch import Batch
    from distinctly.run.scoring import Distances
    from distinctly.statistics.pool import Pool
    from distinctly.views.rows import Rows

    pool = Pool(Rows(Batch.of([text for texts in tokens for text in texts])))
    size = len(tokens[0])
    pair = pool.select(np.arange(size)), pool.select(np.arange(size, len(pool)))
    return partial(Distances([dy.metric(name)]).scores, pool, pair)


def prdc_twice(reference: Any, candidate: Any) -> None:
    """Call prdc twice: once for precision and recall, once for density and coverage."""
    from prdc import compute_prdc

    compute_prdc(reference, candidate, nearest_k=5)
    compute_prdc(reference, candidate, nearest_k=5)


def in_process(task: str, module: str = "benchmarks.distances", **environment: str) -> Any:
    """Run a task of a module in a separate process, and return its result."""
    run = subprocess.run(
        [sys.executable, "-m", module, task],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(run.stdout)


def large() -> dict[str, float]:
    """Return the time and the peak memory of pr and dc for 50,000 texts per corpus."""
    import numpy as np

    import distinctly as dy

    draw = np.random.default_rng(0)
    reference, candidate = (draw.standard_normal((50_000, 384), dtype=np.float32) for _ in range(2))
    began = time.perf_counter()
    dy.compare(reference, candidate, ["pr", "dc"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    return {"seconds": time.perf_counter() - began, "peak": peak}


def sentences() -> list[Path]:
    """Write two files of 20,000 sentences."""
    texts: list[str] = []
    for name in ("brown-sentences.jsonl.gz", "opensubtitles-sample.jsonl.gz", "clinc150.jsonl.gz"):
        with gzip.open(SHARED / name, "rt", encoding="utf-8") as file:
            texts += [json.loads(line)["text"] for line in file]
    distinct = list(dict.fromkeys(texts))
    folder = Path(tempfile.mkdtemp())
    files = []
    for place in range(2):
        files.append(folder / f"{place}.jsonl")
        selected = distinct[place::2][:20_000]
        files[-1].write_text(
            "".join(json.dumps({"text": text}) + "\n" for text in selected), encoding="utf-8"
        )
        if len(selected) < 20_000:
            raise RuntimeError(f"expected 20,000 sentences, got {len(selected):,}")
    return files


def commands() -> list[str]:
    """Time `distinctly compare` on two files, with an empty and with a filled cache."""
    files = [str(file) for file in sentences()]
    table = ["| `distinctly compare`, 2 × 20,000 sentences, default metrics | wall seconds |\n|---|---:|"]
    with tempfile.TemporaryDirectory() as cache:
        for state in ("cold: no vector in the cache", "from the cache"):
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "distinctly", "compare", *files],
                env={**os.environ, "DISTINCTLY_CACHE": cache},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            table.append(f"| {state} | {time.perf_counter() - began:.1f} |")
            print(table[-1], file=sys.stderr)
    return table


def lines() -> list[str]:
    """Return the lines of the tables."""
    one_thread, all_cores = in_process("work", **SINGLE), in_process("work")
    table = [
        "| | texts per corpus | CPU s | peer's | ratio | wall s | peer's | ratio |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    ]
    for key in one_thread:
        name, _, size = key.rpartition(" ")
        if name == "all":
            cpu, _, _, wall = *one_thread[key], *all_cores[key]
            table.append(f"| all distances together | {size} | {cpu:.3f} | | | {wall:.3f} | | |")
            continue
        cpu, _, peer_cpu, _ = one_thread[key]
        _, wall, _, peer_wall = all_cores[key]
        table.append(
            f"| {name} | {size} | {cpu:.4f} | {peer_cpu:.4f} | {peer_cpu / cpu:.1f}× "
            f"| {wall:.4f} | {peer_wall:.4f} | {peer_wall / wall:.1f}× |"
        )
    result = in_process("large")
    table += [
        "",
        f"`pr` + `dc` of 50,000 against 50,000, 384 dimensions: {result['seconds']:.0f} s, "
        f"peak memory {result['peak']:.2f} GB (prdc: three tables of 20 GB).",
        "",
        *commands(),
    ]
    return table


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps({"work": work, "large": large}[sys.argv[1]]()))
    else:
        print("\n".join(lines()))
