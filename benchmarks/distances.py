"""Distances beside prdc, mauve-text and IBM's formulas on the same vectors: `python -m benchmarks.distances`.

MiniLM vectors of clinc150 against banking77 (../shared/data/embeddings), 384 dimensions, as they are in the
files: float16, of which we make float32 and the peers float64, but for the rows that say float32. Two
processes: one with a single BLAS thread tells CPU seconds, the other, with all cores, wall seconds. Each is
the best of several calls, everything imported and compiled; ours is the whole of `dy.compare` (checking,
hashing, signing), the peers' their bare function on the same arrays.
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
    """Return so many texts of a corpus, with their vectors."""
    import numpy as np

    found = np.load(SHARED / "embeddings" / f"{name}-minilm.npz")
    path = SHARED / f"{name}.jsonl"
    packed = not path.exists()
    with gzip.open(f"{path}.gz", "rt", encoding="utf-8") if packed else path.open(encoding="utf-8") as file:
        lines = [json.loads(line)["text"] for line in file]
    table = next(found[key] for key in found.files if found[key].ndim == 2)
    chosen = np.random.default_rng(0).permutation(len(table))[:size]
    return [lines[row] for row in found["row"][chosen]], table[chosen]


def best(call: Callable[[], Any]) -> tuple[float, float]:
    """Return the least CPU and wall seconds of several calls, in about two seconds or three calls."""
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
    warnings.simplefilter("ignore")  # of the peers, about themselves
    import mauve
    from prdc import compute_prdc

    import distinctly as dy
    from benchmarks import ibm
    from distinctly.distance.base import Distance
    from distinctly.registry import metric_names
    from distinctly.tokenizers import find_tokenizer

    cut = find_tokenizer("words").tokenize
    every = metric_names(Distance)
    found: dict[str, Any] = {}
    for size in SIZES:
        (one_texts, one), (other_texts, other) = (
            texts_and_vectors(name, size) for name in ("clinc150", "banking77")
        )
        tokens = [[cut(text) for text in texts] for texts in (one_texts, other_texts)]

        def ours(*specs: str, rows: Any = (one, other)) -> Callable[[], Any]:
            return lambda: dy.compare(*rows, list(specs))

        def theirs_mauve(one: Any = one, other: Any = other) -> Any:
            return mauve.compute_mauve(p_features=one, q_features=other, device_id=-1, verbose=False)

        calls: dict[str, tuple[Callable[[], Any], Callable[[], Any]]] = {
            TOGETHER: (ours("pr", "dc"), partial(prdc_twice, one, other)),
            "pr": (ours("pr"), partial(compute_prdc, one, other, nearest_k=5)),
            "dc": (ours("dc"), partial(compute_prdc, one, other, nearest_k=5)),
            "mauve": (ours("mauve:seeds=1"), theirs_mauve),
        }
        for name in ("frechet", "energy", "irpr", "medoid", "ttest", "classifier"):
            calls[name] = (ours(name), partial(getattr(ibm, name), one, other))
        if size == max(SIZES):
            wide = one.astype("float32"), other.astype("float32")
            calls[f"{TOGETHER}, float32"] = ours("pr", "dc", rows=wide), partial(prdc_twice, *wide)
            for name in ("frechet", "energy", "irpr"):
                calls[f"{name}, float32"] = ours(name, rows=wide), partial(getattr(ibm, name), *wide)
        # One split, as the peer has it; the default makes five.
        calls["classifier:preset=paper"] = ours("classifier:preset=paper"), calls["classifier"][1]
        for name in ("chi", "zipf"):
            calls[name] = (ours(name, rows=tokens), partial(getattr(ibm, name), *tokens))
            calls[f"{name}, tokens numbered"] = ready(tokens, name), calls[name][1]
        for name, (mine, peer) in calls.items():
            mine()  # compiled and imported
            found[f"{name} {size}"] = [*best(mine), *best(peer)]
            print(name, size, found[f"{name} {size}"], file=sys.stderr)
        found[f"all {size}"] = best(partial(dy.compare, *tokens, every, vectors=(one, other)))
        print("all", size, found[f"all {size}"], file=sys.stderr)
    return found


def ready(tokens: list[list[list[str]]], name: str) -> Callable[[], Any]:
    """Return a distance on tokens that were read before: all candidates and permutations but the first."""
    import numpy as np

    import distinctly as dy
    from distinctly.batch import Batch
    from distinctly.run.scoring import Distances
    from distinctly.statistics.pool import Pool
    from distinctly.views.rows import Rows

    pool = Pool(Rows(Batch.of([text for texts in tokens for text in texts])))
    cut = len(tokens[0])
    pair = pool.select(np.arange(cut)), pool.select(np.arange(cut, len(pool)))
    return partial(Distances([dy.metric(name)]).scores, pool, pair)


def prdc_twice(one: Any, other: Any) -> None:
    """Call prdc as one does who wants precision and recall, and density and coverage, apart."""
    from prdc import compute_prdc

    compute_prdc(one, other, nearest_k=5)
    compute_prdc(one, other, nearest_k=5)


def in_process(task: str, module: str = "benchmarks.distances", **environment: str) -> Any:
    """Run a task of a module in a process of its own."""
    run = subprocess.run(
        [sys.executable, "-m", module, task],
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        check=True,
    )
    return json.loads(run.stdout)


def large() -> dict[str, float]:
    """Time pr and dc at 50,000 a side, with the peak of memory."""
    import numpy as np

    import distinctly as dy

    draw = np.random.default_rng(0)
    one, other = (draw.standard_normal((50_000, 384), dtype=np.float32) for _ in range(2))
    began = time.perf_counter()
    dy.compare(one, other, ["pr", "dc"])
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1e9 if sys.platform == "darwin" else 1e6)
    return {"seconds": time.perf_counter() - began, "peak": peak}


def sentences() -> list[Path]:
    """Write two files of 20,000 sentences."""
    texts: list[str] = []
    for name in ("brown-sentences.jsonl.gz", "opensubtitles-sample.jsonl.gz", "clinc150.jsonl.gz"):
        with gzip.open(SHARED / name, "rt", encoding="utf-8") as file:
            texts += [json.loads(line)["text"] for line in file]
    different = list(dict.fromkeys(texts))
    folder = Path(tempfile.mkdtemp())
    files = []
    for place in range(2):
        files.append(folder / f"{place}.jsonl")
        own = different[place::2][:20_000]
        files[-1].write_text("".join(json.dumps({"text": text}) + "\n" for text in own), encoding="utf-8")
        if len(own) < 20_000:
            raise RuntimeError(f"there are {len(own):,} sentences only")
    return files


def commands() -> list[str]:
    """Time `distinctly compare` on two files, cold and from the cache."""
    files = [str(file) for file in sentences()]
    table = ["| `distinctly compare`, 2 × 20,000 sentences, default metrics | wall seconds |\n|---|---:|"]
    with tempfile.TemporaryDirectory() as cache:
        for what in ("cold: no vector in the cache", "from the cache"):
            began = time.perf_counter()
            subprocess.run(
                [sys.executable, "-m", "distinctly", "compare", *files],
                env={**os.environ, "DISTINCTLY_CACHE": cache},
                stdout=subprocess.DEVNULL,
                check=True,
            )
            table.append(f"| {what} | {time.perf_counter() - began:.1f} |")
            print(table[-1], file=sys.stderr)
    return table


def lines() -> list[str]:
    """Return the tables."""
    single, both = in_process("work", **SINGLE), in_process("work")
    table = [
        "| | texts a side | CPU s | peer's | ratio | wall s | peer's | ratio |\n"
        "|---|---:|---:|---:|---:|---:|---:|---:|"
    ]
    for key in single:
        name, _, size = key.rpartition(" ")
        if name == "all":
            cpu, _, _, wall = *single[key], *both[key]
            table.append(f"| all distances together | {size} | {cpu:.3f} | | | {wall:.3f} | | |")
            continue
        cpu, _, peer_cpu, _ = single[key]
        _, wall, _, peer_wall = both[key]
        table.append(
            f"| {name} | {size} | {cpu:.4f} | {peer_cpu:.4f} | {peer_cpu / cpu:.1f}× "
            f"| {wall:.4f} | {peer_wall:.4f} | {peer_wall / wall:.1f}× |"
        )
    found = in_process("large")
    table += [
        "",
        f"`pr` + `dc` of 50,000 against 50,000, 384 dimensions: {found['seconds']:.0f} s, "
        f"peak memory {found['peak']:.2f} GB (prdc: three tables of 20 GB).",
        "",
        *commands(),
    ]
    return table


if __name__ == "__main__":
    if len(sys.argv) > 1:
        print(json.dumps({"work": work, "large": large}[sys.argv[1]]()))
    else:
        print("\n".join(lines()))
