"""Large corpora: Ray beside the local engine, two nodes beside one, and bounded memory (70 GB of disk).

The rows of engines and nodes are of Parquet with row groups of 16 MB, after start-up. In bounded memory,
Self-BLEU reads the texts twice, and compression and Vendi are those of a sample.
"""

from __future__ import annotations

import contextlib
import logging
import os
import tempfile
import threading
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

from benchmarks.counting import METRICS, OPTIONS
from benchmarks.text import big_text, folder, generated_text
from benchmarks.turns import TURNS, Row, Used, distinctly, in_turns, once, sized

ROW_GROUP = 16_000_000
SPECS = ["distinct", "ead", "entropy"]
NODE: dict[str, Any] = {"num_cpus": 1, "object_store_memory": 200_000_000}
QUIET: dict[str, Any] = {"log_to_driver": False, "logging_level": logging.ERROR}
# Megabytes of text, metrics beside the counts, and memory.
BOUNDED = (
    (1000, (), "600MB"),
    (10_000, (), "600MB"),
    (1000, ("self_bleu",), "1GB"),
    (2000, ("self_bleu", "compression", "vendi"), "1.4GB"),
)


def write_parquet(text: Path, path: Path) -> None:
    """Write the lines of a file as Parquet, in row groups of about 16 MB of text."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    schema = pa.schema([("text", pa.string())])
    with text.open(encoding="utf-8") as lines, pq.ParquetWriter(path, schema) as writer:
        while rows := lines.readlines(ROW_GROUP):
            writer.write_table(pa.table({"text": [row.rstrip("\n") for row in rows]}, schema))


def tree_seconds() -> float:
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


def values(path: Path, engine: str, threads: int) -> list[float]:
    """Return our values by an engine."""
    import distinctly as dy

    scores = dy.measure(str(path), SPECS, tokenizer="whitespace", engine=engine, threads=threads)
    return [score.value for score in scores]


@contextlib.contextmanager
def ray_folder() -> Iterator[str]:
    """Make a folder for everything that Ray writes, also the address of the cluster.

    `Cluster` writes its address to the default folder of the machine, and removes it at the end, whatever its
    `temp_dir` is. Another cluster may have its address there, so the default is changed by the environment.
    """
    with tempfile.TemporaryDirectory(prefix="r", ignore_cleanup_errors=True) as place:
        os.environ |= {"RAY_TMPDIR": place, "RAY_USAGE_STATS_ENABLED": "0"}
        (Path(place) / "ray").mkdir()
        yield place


@contextlib.contextmanager
def ray_nodes(number: int, place: str) -> Iterator[None]:
    """Start a cluster of nodes of one core each on this machine, and connect to it."""
    import ray
    from ray.cluster_utils import Cluster

    node = NODE | {"temp_dir": f"{place}/ray"}
    cluster: Any = Cluster(initialize_head=True, head_node_args={**node, "include_dashboard": False})
    try:
        for _ in range(number - 1):
            cluster.add_node(**node)
        ray.init(cluster.address, **QUIET)
        yield
    finally:
        ray.shutdown()
        cluster.shutdown()


def engines(path: Path, megabytes: int) -> Row | str:
    """Time Ray beside the local engine, both with two cores."""
    import ray

    with ray_folder() as place:
        ray.init(
            address="local",
            include_dashboard=False,
            **QUIET,
            **NODE | {"num_cpus": 2},
            _temp_dir=f"{place}/ray",
        )
        try:
            return in_turns(
                f"Ray, 2 cores, {megabytes} MB",
                partial(values, path, "ray", 2),
                "local engine, 2 threads",
                partial(values, path, "local", 2),
                peer=False,
                same=list.__eq__,
                processor=tree_seconds,
            )
        finally:
            ray.shutdown()


def nodes(path: Path, megabytes: int) -> Row:
    """Time two nodes of one core beside one, each in a cluster of its own."""
    used: dict[int, list[Used]] = {1: [], 2: []}
    with ray_folder() as place:
        for _ in range(TURNS):
            for number, turns in used.items():
                with ray_nodes(number, place):
                    work = partial(values, path, "ray", number)
                    work()  # imports, in every worker
                    turns.append(once(work, tree_seconds)[0])
    return Row(f"Ray, two nodes of 1 core, {megabytes} MB", used[2], "one node", used[1], peer=False)


@contextlib.contextmanager
def watched(place: str) -> Iterator[list[int]]:
    """List the bytes in a folder, five times per second."""
    sizes, ended = [0], threading.Event()

    def watch() -> None:
        while not ended.wait(0.2):
            with contextlib.suppress(OSError):
                files = [path for path in Path(place).rglob("*") if path.is_file()]
                sizes.append(sum(path.stat().st_size for path in files))

    watching = threading.Thread(target=watch)
    watching.start()
    try:
        yield sizes
    finally:
        ended.set()
        watching.join()


def bounded(megabytes: int, metrics: tuple[str, ...], memory: str) -> Iterator[Row | str]:
    """Yield a run in bounded memory, and its use of the disk."""
    specs = [word for metric in metrics for word in ("-m", metric)]
    path = generated_text(megabytes)
    what = ", ".join(["counts", *metrics]) + f", `--memory {memory}`, {megabytes:,} MB"
    words = ("measure", path, *OPTIONS, *METRICS, *specs, "--memory", memory)
    with tempfile.TemporaryDirectory(dir=folder()) as place, watched(place) as sizes:
        yield in_turns(what, distinctly(*words, environment={"TMPDIR": place}), turns=1)
    yield f"{what}: {max(sizes) / 1e9:.1f} GB of temporary disk."


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    megabytes = sized(200)
    path = folder() / "row-groups.parquet"
    write_parquet(big_text(megabytes), path)
    yield engines(path, megabytes)
    yield nodes(path, megabytes)
    for size, metrics, memory in BOUNDED:
        yield from bounded(sized(size), metrics, memory)
