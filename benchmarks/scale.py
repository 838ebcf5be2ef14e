"""Measure large corpora: `python -m benchmarks.scale [SECTION…]` (half an hour, 70 GB of disk).

engines   Ray on one machine beside the local engine, after start-up, on Parquet with row groups of 16 MB
nodes     two Ray nodes of one core beside one of them
memory    time and peak memory by size, `--memory 600MB`
joined    the same with Self-BLEU, which reads the texts twice
sampled   the same with Self-BLEU, compression and Vendi (the last two need a sample), `--memory 1.4GB`
growth    how the share of distinct n-grams falls with size, and the bytes of a state

The first two use text made by ../shared/tools from English sentences and subtitles or, without it, that of
`benchmarks.text`. Wall seconds depend on what else the machine does; engines and nodes are measured in turns.
"""

from __future__ import annotations

import argparse
import contextlib
import gzip
import json
import logging
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.__main__ import METRICS, OURS, timed

SHARED = Path(__file__).parents[2] / "shared"
SOURCES = {"sentences": "brown-sentences.jsonl.gz", "subtitles": "opensubtitles-sample.jsonl.gz"}
ROW_GROUP = 16_000_000
SPECS = ["distinct", "ead", "entropy"]
ORDERS = (1, 2, 3, 4)


def make_text(path: Path, megabytes: float, kinds: tuple[str, ...], shared: Path) -> None:
    """Write text that is resampled from real sentences or, if there are none, generated."""
    sources = [shared / "data" / SOURCES[kind] for kind in kinds]
    tool = shared / "tools" / "make_big_text.py"
    if tool.exists() and all(source.exists() for source in sources):
        made = [str(tool), str(path), "--mb", str(megabytes), "--mode", "bigram", *map(str, sources)]
    else:
        made = ["-m", "benchmarks.text", str(path), str(megabytes)]
    subprocess.run([sys.executable, *made], check=True, stdout=subprocess.DEVNULL)


def write_parquet(text: Path, path: Path) -> None:
    """Write the lines of a file as Parquet, in row groups of about 16 MB of text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("text", pa.string())])
    with text.open(encoding="utf-8") as lines, pq.ParquetWriter(path, schema) as writer:
        while rows := lines.readlines(ROW_GROUP):
            writer.write_table(pa.table({"text": [row.rstrip("\n") for row in rows]}, schema))


def processor_seconds() -> float:
    """Return the processor seconds so far of this process and of those that it started, also indirectly."""
    parents: dict[int, int] = {}
    ticks: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            with contextlib.suppress(OSError):
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
                parents[int(entry.name)] = int(fields[1])
                ticks[int(entry.name)] = int(fields[11]) + int(fields[12])
    ours = {os.getpid()}
    while more := {child for child, parent in parents.items() if parent in ours} - ours:
        ours |= more
    return sum(ticks[process] for process in ours) / os.sysconf("SC_CLK_TCK")


def measured(path: Path, engine: str, threads: int) -> tuple[float, float, list[float]]:
    """Return the wall seconds, the processor seconds and the values of a run in this process."""
    import distinctly as dy

    began, used = time.perf_counter(), processor_seconds()
    scores = dy.measure(str(path), SPECS, tokenizer="whitespace", engine=engine, threads=threads)
    return time.perf_counter() - began, processor_seconds() - used, [score.value for score in scores]


@contextlib.contextmanager
def ray_folder() -> Iterator[str]:
    """Make a folder for everything that Ray writes, also the address of the cluster.

    `Cluster` writes its address to the default folder of the machine, and removes it at the end, whatever its
    `temp_dir` is. Another cluster may have its address there, so the default is changed by the environment.
    """
    with tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True) as folder:
        os.environ |= {"RAY_TMPDIR": folder, "RAY_USAGE_STATS_ENABLED": "0"}
        (Path(folder) / "ray").mkdir()
        yield folder


@contextlib.contextmanager
def ray_nodes(number: int, folder: str) -> Iterator[None]:
    """Start a cluster of nodes of one core each on this machine, and connect to it."""
    import ray
    from ray.cluster_utils import Cluster

    node: dict[str, Any] = {
        "num_cpus": 1,
        "temp_dir": f"{folder}/ray",
        "object_store_memory": 200_000_000,
    }
    cluster: Any = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(number - 1):
            cluster.add_node(**node)
        ray.init(cluster.address, log_to_driver=False, logging_level=logging.ERROR)
        yield
    finally:
        ray.shutdown()
        cluster.shutdown()


def engines(path: Path, turns: int) -> dict[str, list[tuple[float, float]]]:
    """Return the wall and processor seconds of both engines with two cores, in turns, after a warm-up."""
    import ray

    seconds: dict[str, list[tuple[float, float]]] = {"local": [], "ray": []}
    with ray_folder() as folder:
        ray.init(
            address="local",
            num_cpus=2,
            include_dashboard=False,
            log_to_driver=False,
            logging_level=logging.ERROR,
            object_store_memory=200_000_000,
            _temp_dir=f"{folder}/ray",
        )
        try:
            for turn in range(-1, turns):
                both = {engine: measured(path, engine, 2) for engine in seconds}
                if both["local"][2] != both["ray"][2]:
                    raise RuntimeError("the engines have different values")
                for engine, (wall, processor, _) in both.items():
                    if turn >= 0:
                        seconds[engine].append((wall, processor))
        finally:
            ray.shutdown()
    return seconds


def nodes(path: Path, turns: int) -> dict[str, list[tuple[float, float]]]:
    """Return the wall and processor seconds on one and on two nodes of one core, in turns."""
    seconds: dict[str, list[tuple[float, float]]] = {"1": [], "2": []}
    with ray_folder() as folder:
        for _ in range(turns):
            for number in (1, 2):
                with ray_nodes(number, folder):
                    measured(path, "ray", number)  # the first run imports, in every worker
                    runs = [measured(path, "ray", number)[:2] for _ in range(2)]
                    seconds[str(number)].append(min(runs))
    return seconds


def growth(path: Path, megabytes: list[float]) -> list[dict[str, Any]]:
    """Return the number of tokens and of distinct n-grams of the first bytes of a file, by size."""
    import distinctly as dy

    measured_sizes = []
    for size in megabytes:
        if size * 1e6 > path.stat().st_size * 1.1:
            continue
        with tempfile.NamedTemporaryFile(suffix=".txt", dir=path.parent) as part, path.open("rb") as whole:
            left = int(size * 1e6)
            while left > 0 and (block := whole.read(min(left, 1 << 24))):
                left -= part.write(block)
            part.write(whole.readline())  # the rest of the last line
            part.flush()
            scores = list(dy.measure(part.name, "distinct", tokenizer="whitespace"))
        counts = {
            "megabytes": size,
            "texts": scores[0].parts["texts"],
            "tokens": scores[0].parts["tokens"],
            "distinct": [int(score.parts["N"]) for score in scores],
        }
        measured_sizes.append(counts)
        print(counts, file=sys.stderr, flush=True)
    return measured_sizes


def in_child(task: str, *arguments: object) -> Any:
    """Run a task of this module in a new process, and return what it prints as JSON."""
    command = [sys.executable, "-m", "benchmarks.scale", f"--task={task}", *map(str, arguments)]
    return json.loads(timed(command).output.splitlines()[-1])


def of_turns(runs: list[list[float]]) -> tuple[float, float, float]:
    """Return the best and the median wall seconds, and the median processor seconds."""
    walls, processors = zip(*runs)
    return min(walls), statistics.median(walls), statistics.median(processors)


def compared(runs: dict[str, list[list[float]]], names: dict[str, str], megabytes: float) -> list[str]:
    """Return a table of runs in turns, with rates relative to the first."""
    table = [
        "| | wall s, best | median | MB/s, best | relative | processor s | relative |",
        "|---|---:|---:|---:|---:|---:|---:|",
    ]
    first_wall, _, first_processor = of_turns(runs[next(iter(names))])
    for key, name in names.items():
        best, median, processor = of_turns(runs[key])
        table.append(
            f"| {name} | {best:.2f} | {median:.2f} | {megabytes / best:.0f} | {first_wall / best:.2f}× "
            f"| {processor:.2f} | {first_processor / processor:.2f}× |"
        )
    return table


def engines_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Compare Ray with the local engine."""
    runs = in_child("engines", _parquet(arguments, folder), arguments.turns)
    head = f"{arguments.megabytes:g} MB of text in Parquet, {', '.join(SPECS)}, 2 cores, after start-up, "
    names = {"local": "local, 2 threads", "ray": "Ray, 2 cores"}
    return [
        f"{head}{arguments.turns} turns:",
        "",
        *compared(runs, names, arguments.megabytes),
    ]


def nodes_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Compare two nodes with one."""
    runs = in_child("nodes", _parquet(arguments, folder), max(arguments.turns // 2, 1))
    names = {"1": "one node of 1 core", "2": "two nodes of 1 core"}
    return ["The same on Ray nodes of one core:", "", *compared(runs, names, arguments.megabytes)]


def _parquet(arguments: argparse.Namespace, folder: Path) -> Path:
    path = folder / "text.parquet"
    if not path.exists():
        text = folder / "text.txt"
        make_text(text, arguments.megabytes, ("sentences", "subtitles"), arguments.shared)
        write_parquet(text, path)
        text.unlink()
    return path


def _generated(folder: Path, megabytes: float) -> Path:
    path = folder / f"{megabytes:g}.txt"
    if not path.exists():
        subprocess.run(
            [sys.executable, "-m", "benchmarks.text", str(path), str(megabytes)],
            check=True,
        )
    return path


@contextlib.contextmanager
def watched_disk(folder: Path) -> Iterator[list[int]]:
    """Set the temporary folder of child processes, and list the bytes in it, five times per second."""
    sizes, ended = [0], threading.Event()

    def watch(place: str) -> None:
        while not ended.wait(0.2):
            with contextlib.suppress(OSError):
                files = [path for path in Path(place).rglob("*") if path.is_file()]
                sizes.append(sum(path.stat().st_size for path in files))

    with tempfile.TemporaryDirectory(dir=folder) as place:
        watching = threading.Thread(target=watch, args=(place,))
        before = os.environ.get("TMPDIR")
        os.environ["TMPDIR"] = place
        watching.start()
        try:
            yield sizes
        finally:
            ended.set()
            watching.join()
            if before is None:
                del os.environ["TMPDIR"]
            else:
                os.environ["TMPDIR"] = before


def bounded(sizes: list[float], folder: Path, options: list[str], memory: str) -> list[str]:
    """Return a table of time and peak memory by size."""
    table = [
        f"| text | wall s | processor s | MB/s | MB per processor second | peak GB, `--memory {memory}` "
        "| temporary disk, GB |",
        "|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for size in sizes:
        path = _generated(folder, size)
        with watched_disk(folder) as sizes_of_disk:
            run = timed([*OURS, *options, "--memory", memory, str(path)])
        table.append(
            f"| {size:,g} MB | {run.seconds:.1f} | {run.processor:.1f} | {size / run.seconds:.0f} "
            f"| {size / run.processor:.1f} | {run.peak:.2f} | {max(sizes_of_disk) / 1e9:.1f} |"
        )
        print(table[-1], file=sys.stderr, flush=True)
    return table


def memory_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Measure counts in bounded memory."""
    return [f"{', '.join(SPECS)}:", "", *bounded(arguments.sizes, folder, METRICS, arguments.memory)]


def joined_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Measure counts and Self-BLEU in bounded memory."""
    return [
        f"{', '.join(SPECS)} and self_bleu, which reads the texts twice:",
        "",
        *bounded(arguments.joined_sizes, folder, [*METRICS, "-m", "self_bleu"], arguments.joined_memory),
    ]


def sampled_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Measure counts, Self-BLEU and metrics of a sample in bounded memory."""
    more = [word for metric in ("self_bleu", "compression", "vendi") for word in ("-m", metric)]
    return [
        f"{', '.join(SPECS)}, self_bleu, and compression and vendi on samples:",
        "",
        *bounded(arguments.sampled_sizes, folder, [*METRICS, *more], arguments.sampled_memory),
    ]


def fitted(sizes: list[dict[str, Any]], n: int) -> tuple[float, float]:
    """Return K and β of the number of distinct n-grams K·T^β, by least squares of logarithms."""
    tokens = np.log([size["tokens"] for size in sizes])
    distinct = np.log([size["distinct"][n - 1] for size in sizes])
    slope, intercept = np.polyfit(tokens, distinct, 1)
    return float(np.exp(intercept)), float(slope)


def growth_rows(kind: str, counted: list[dict[str, Any]]) -> list[str]:
    """Return the rows of one kind of text: fits on all sizes but the largest, and their predictions."""
    *sizes, check = counted
    rows = []
    for n in ORDERS:
        shares = [size["distinct"][n - 1] / size["tokens"] for size in counted]
        listed = ", ".join(f"{share:.3f}" for share in shares[:-1])
        cells = []
        for chosen in (sizes, sizes[-2:]):
            scale, exponent = fitted(chosen, n)
            predicted = scale * check["tokens"] ** (exponent - 1)
            cells.append(f"{scale:.3g} | {exponent:.3f} | {predicted:.4f}")
        megabytes = ", ".join(f"{size['megabytes']:.0f}" for size in sizes)
        rows.append(
            f"| {kind}: {megabytes}; {check['megabytes']:,.0f} MB | {n} | {listed} | {' | '.join(cells)} "
            f"| {shares[-1]:.4f} |"
        )
    return rows


def growth_section(arguments: argparse.Namespace, folder: Path) -> list[str]:
    """Fit the number of distinct n-grams by size, and check it on a larger size."""
    table = [
        "| text | n | share by size | K | β | predicted at the largest size | K | β, last two sizes "
        "| predicted | measured |",
        "|---|---:|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    *fit_sizes, largest = arguments.growth
    kinds: dict[str, Callable[[Path], None]] = {
        "real": lambda path: real_text(path, arguments.shared),
        "sentences": lambda path: make_text(path, largest, ("sentences",), arguments.shared),
        "subtitles": lambda path: make_text(path, largest, ("subtitles",), arguments.shared),
    }
    for kind, make in kinds.items():
        path = folder / f"{kind}.txt"
        if not path.exists():
            make(path)
        total = path.stat().st_size / 1e6
        chosen = arguments.growth if total >= largest * 0.9 else [s for s in fit_sizes if s < total] + [total]
        table += growth_rows(kind, in_child("growth", path, *chosen))
        print("\n".join(table[-4:]), file=sys.stderr, flush=True)
    return [
        "Distinct n-grams per token of white space, and the fit K·T^(β−1) for T tokens, on all sizes but the "
        "largest, and on the last two of these:",
        "",
        *table,
    ]


def real_text(path: Path, shared: Path) -> None:
    """Write the English texts of the shared data, as they are, in one random order."""
    rows: list[str] = []
    for source in sorted((shared / "data").glob("*.jsonl*")):
        if source.name.startswith(("ja-", "zh-")):
            continue
        with gzip.open(source, "rt") if source.suffix == ".gz" else source.open() as lines:
            for line in lines:
                row = json.loads(line)
                rows += [" ".join(str(text).split()) for text in row.get("texts", [row.get("text")])]
    order = np.random.default_rng(0).permutation(len(rows))
    path.write_text("\n".join(rows[i] for i in order) + "\n", encoding="utf-8")


SECTIONS = {
    "engines": engines_section,
    "nodes": nodes_section,
    "memory": memory_section,
    "joined": joined_section,
    "sampled": sampled_section,
    "growth": growth_section,
}


def main() -> None:
    """Print the requested tables."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.scale")
    parser.add_argument("sections", nargs="*", help=f"{', '.join(SECTIONS)}  [default: all]")
    parser.add_argument("--task", help=argparse.SUPPRESS)
    parser.add_argument("--megabytes", type=float, default=200, help="size for engines and nodes")
    parser.add_argument("--turns", type=int, default=5, help="turns for engines and nodes")
    parser.add_argument("--sizes", type=float, nargs="+", default=[1000, 10_000], help="for memory, in MB")
    parser.add_argument("--joined-sizes", type=float, nargs="+", default=[1000], help="for joined, in MB")
    parser.add_argument("--sampled-sizes", type=float, nargs="+", default=[2000], help="for sampled, in MB")
    parser.add_argument("--memory", default="600MB", help="for memory")
    parser.add_argument("--joined-memory", default="1GB", help="for joined")
    parser.add_argument("--sampled-memory", default="1.4GB", help="for sampled")
    parser.add_argument(
        "--growth", type=float, nargs="+", default=[1, 4, 16, 64, 200, 1000], help="for growth, in MB"
    )
    parser.add_argument("--shared", type=Path, default=SHARED, help="folder of real text")
    parser.add_argument("--folder", type=Path, help="folder for the texts, which are kept")
    arguments = parser.parse_args()
    if arguments.task:
        path, *rest = arguments.sections
        numbers = [float(number) for number in rest]
        if arguments.task == "growth":
            print(json.dumps(growth(Path(path), numbers)))
        else:
            task = {"engines": engines, "nodes": nodes}[arguments.task]
            print(json.dumps(task(Path(path), int(numbers[0]))))
        return
    with tempfile.TemporaryDirectory() as temporary:
        folder = arguments.folder or Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        for number, name in enumerate(arguments.sections or SECTIONS):
            print("\n".join([*([""] if number else []), *SECTIONS[name](arguments, folder)]), flush=True)


if __name__ == "__main__":
    main()
