"""Compare the vector store with SQLite rows, LMDB and the sorted files that it replaced.

`python -m benchmarks.vector_store` (ten minutes, 5 GB of memory). All stores get the same vectors in the same
pieces of 64 MB, as `embed_texts` writes them, with a checksum per vector or per block, and do not wait for
the disk. Files stay in the page cache of the operating system between writing and reading. The code of the
sorted files is taken from an earlier commit.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parent.parent
# The last commit with the store of sorted files.
SORTED_FILES = "c636629"
VECTORS, FEW, DIMENSION = 1_000_000, 20_000, 256
# Of the two processes, and of the one that is killed.
SHARED_VECTORS = 200_000
PIECE = (1 << 26) // (DIMENSION * 4)
TURNS = 1


class Candidate(ABC):
    """A store of the vectors of one embedder in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def add(self, keys: Any, rows: Any) -> None:
        """Write one row per key."""

    @abstractmethod
    def find(self, keys: Any) -> tuple[Any, Any]:
        """Return one row per key, and a mask of the known rows."""


class Distinctly(Candidate):
    """The store of the version of the package that is imported."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        os.environ |= {"DISTINCTLY_CACHE": str(folder), "DISTINCTLY_CACHE_LIMIT": "100GB"}
        from distinctly.embedders import store

        self.store = store.Store("benchmark")

    def add(self, keys: Any, rows: Any) -> None:
        self.store.add(keys, rows, "benchmark")

    def find(self, keys: Any) -> tuple[Any, Any]:
        return self.store.find(keys)


class WriteAheadLog(Distinctly):
    """The same store, with the write-ahead log of SQLite."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        from distinctly.embedders import store

        store._SETTINGS += "PRAGMA journal_mode = WAL;"


class Records(Candidate):
    """Stores with one record per vector: a checksum, the second half of the key, and the vector."""

    def records(self, keys: Any, rows: Any) -> tuple[Any, list[memoryview]]:
        """Return the order of the keys, and the records in that order."""
        order = np.argsort(keys[:, 0])
        table = np.empty(len(keys), [("crc", "<u4"), ("key", "<u8"), ("row", "<f4", (rows.shape[1],))])
        table["row"], table["key"] = rows[order], keys[order, 1]
        table["crc"] = np.fromiter(map(zlib.crc32, rows[order]), np.uint32, len(rows))
        size, content = table.dtype.itemsize, memoryview(table.tobytes())
        return order, [content[start : start + size] for start in range(0, len(content), size)]

    def find(self, keys: Any) -> tuple[Any, Any]:
        order = np.argsort(keys[:, 0])
        known, rows = np.zeros(len(keys), bool), np.zeros((len(keys), DIMENSION), np.float32)
        kind = np.dtype([("crc", "<u4"), ("key", "<u8"), ("row", "<f4", (DIMENSION,))])
        with self.lookup() as look:
            for start in range(0, len(keys), 8192):
                part = order[start : start + 8192]
                positions, records = look(keys[part, 0])
                table = np.frombuffer(b"".join(records), kind)
                stored = np.ascontiguousarray(table["row"])
                places = part[positions]
                valid = table["crc"] == np.fromiter(map(zlib.crc32, stored), np.uint32, len(stored))
                valid &= table["key"] == keys[places, 1]
                rows[places[valid]] = stored[valid]
                known[places[valid]] = True
        return rows, known

    @abstractmethod
    def lookup(self) -> Any:
        """Open for reading: a function from first halves of keys to positions and records."""


class SqliteRows(Records):
    """SQLite, one row per vector, numbered by the first half of the key."""

    def connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(self.folder / "rows.sqlite", timeout=600, isolation_level=None)
        for setting in (
            "page_size = 16384",
            "journal_mode = WAL",
            "synchronous = OFF",
            "mmap_size = 8000000000",
        ):
            connection.execute(f"PRAGMA {setting}")
        connection.execute("CREATE TABLE IF NOT EXISTS vectors (key INTEGER PRIMARY KEY, record BLOB)")
        return connection

    def add(self, keys: Any, rows: Any) -> None:
        order, records = self.records(keys, rows)
        connection = self.connect()
        connection.execute("BEGIN IMMEDIATE")
        numbers = keys[order, 0].view(np.int64).tolist()
        connection.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", zip(numbers, records))
        connection.execute("COMMIT")
        connection.close()

    def lookup(self) -> Any:
        connection = self.connect()

        def look(numbers: Any) -> tuple[Any, list[bytes]]:
            query = (
                "SELECT asked.key, record FROM json_each(?) asked JOIN vectors ON vectors.key = asked.value"
            )
            pairs = connection.execute(query, (json.dumps(numbers.view(np.int64).tolist()),)).fetchall()
            return np.array([place for place, _ in pairs], np.int64), [record for _, record in pairs]

        return _Opened(look, connection.close)


class Lmdb(Records):
    """LMDB, one entry per vector."""

    def open(self) -> Any:
        import lmdb

        return lmdb.open(str(self.folder), map_size=8 << 30, sync=False)

    def add(self, keys: Any, rows: Any) -> None:
        order, records = self.records(keys, rows)
        names = keys[order, 0].astype(">u8").tobytes()
        environment = self.open()
        with environment.begin(write=True) as transaction, transaction.cursor() as cursor:
            cursor.putmulti(
                [(names[8 * place : 8 * place + 8], record) for place, record in enumerate(records)]
            )
        environment.close()

    def lookup(self) -> Any:
        environment = self.open()
        transaction = environment.begin(buffers=True)

        def look(numbers: Any) -> tuple[Any, list[Any]]:
            names, get = numbers.astype(">u8").tobytes(), transaction.get
            entries = [get(names[start : start + 8]) for start in range(0, len(names), 8)]
            positions = [place for place, entry in enumerate(entries) if entry is not None]
            return np.array(positions, np.int64), [entries[place] for place in positions]

        def close() -> None:
            transaction.abort()
            environment.close()

        return _Opened(look, close)


class _Opened:
    def __init__(self, look: Callable[[Any], Any], close: Callable[[], None]) -> None:
        self.look, self.close = look, close

    def __enter__(self) -> Callable[[Any], Any]:
        return self.look

    def __exit__(self, *_: object) -> None:
        self.close()


# In the order of the table; the others are compared with the first.
CANDIDATES: dict[str, tuple[str, type[Candidate]]] = {
    "sorted": ("sorted files", Distinctly),
    "blocks": ("**SQLite, blocks of 1 MB**", Distinctly),
    "wal": ("SQLite, blocks, write-ahead log", WriteAheadLog),
    "rows": ("SQLite, a row per vector", SqliteRows),
    "lmdb": ("LMDB", Lmdb),
}
TASKS = {
    "write": f"write {VECTORS:,}",
    "all": "read all, in another order",
    "misses": f"look up {VECTORS:,} that are absent",
    "half": f"look up {VECTORS:,}, half of them present",
    "few": f"read {FEW:,}, at random",
    "run": f"read {FEW:,}, written together",
}


def drawn(count: int, seed: int = 0) -> tuple[Any, Any]:
    """Return random keys and vectors."""
    draw = np.random.default_rng(seed)
    keys = draw.integers(0, 2**64, (count, 2), np.uint64)
    return keys, draw.standard_normal((count, DIMENSION), np.float32)


def write(store: Candidate, keys: Any, rows: Any) -> None:
    for start in range(0, len(keys), PIECE):
        store.add(keys[start : start + PIECE], rows[start : start + PIECE])


def speeds(store: Candidate) -> dict[str, Any]:
    """Time all tasks; check that each vector read is identical to the one written."""
    keys, rows = drawn(VECTORS)
    order = np.random.default_rng(1).permutation(VECTORS)
    absent = np.random.default_rng(2).integers(0, 2**64, (VECTORS, 2), np.uint64)
    half = np.concatenate([keys[order[: VECTORS // 2]], absent[VECTORS // 2 :]])
    times: dict[str, Any] = {}

    def timed(task: str, call: Callable[[], Any]) -> Any:
        began, processor = time.perf_counter(), time.process_time()
        outcome = call()
        times[task] = (time.perf_counter() - began, time.process_time() - processor)
        return outcome

    timed("write", lambda: write(store, keys, rows))
    for task, places in (("all", order), ("few", order[:FEW]), ("run", np.arange(FEW) + VECTORS // 3)):
        asked, expected = keys[places], rows[places]
        vectors, known = timed(task, lambda asked=asked: store.find(asked))
        if not known.all() or not np.array_equal(vectors, expected):
            raise RuntimeError(f"{task}: the vectors differ from those written")
        del vectors, expected
    if timed("misses", lambda: store.find(absent))[1].any():
        raise RuntimeError("a vector that was never written is known")
    if timed("half", lambda: store.find(half))[1].sum() != VECTORS // 2:
        raise RuntimeError("the number of known vectors is not half")
    times["MB"] = sum(path.stat().st_size for path in store.folder.rglob("*") if path.is_file()) / 1e6
    times["peak"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e6
    return times


def parts(store: Candidate, start: int, end: int) -> None:
    """Write some of the shared vectors, and print their number after each piece."""
    keys, rows = drawn(SHARED_VECTORS)
    print("ready", flush=True)
    sys.stdin.readline()
    for place in range(start, end, 20_000):
        store.add(keys[place : place + 20_000], rows[place : place + 20_000])
        print(place + 20_000, flush=True)


def check(store: Candidate) -> int:
    """Return the number of shared vectors that are known, after checking them."""
    keys, rows = drawn(SHARED_VECTORS)
    vectors, known = store.find(keys)
    if vectors is not None and not np.array_equal(vectors[known], rows[known]):
        raise RuntimeError("the vectors differ from those written")
    return int(known.sum())


def start(name: str, earlier: Path, folder: Path, *task: str) -> subprocess.Popen[str]:
    source = earlier / "src" if name == "sorted" else ROOT / "src"
    paths = os.pathsep.join((str(source), str(ROOT), os.environ.get("PYTHONPATH", "")))
    return subprocess.Popen(
        [sys.executable, "-m", "benchmarks.vector_store", name, str(folder), *task],
        env={**os.environ, "PYTHONPATH": paths},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )


def outcome(process: subprocess.Popen[str]) -> Any:
    output, _ = process.communicate()
    if process.returncode:
        raise RuntimeError(f"{process.args} ended with status {process.returncode}")
    return json.loads(output)


def together(name: str, earlier: Path, folder: Path) -> tuple[float, int]:
    """Return the seconds of two processes that write overlapping vectors, and the number stored."""
    quarter = SHARED_VECTORS // 4
    writers = [
        start(name, earlier, folder, "parts", "0", str(3 * quarter)),
        start(name, earlier, folder, "parts", str(quarter), str(4 * quarter)),
    ]
    for writer in writers:
        writer.stdout.readline()  # type: ignore[union-attr]
    began = time.perf_counter()
    for writer in writers:
        writer.stdin.write("\n")  # type: ignore[union-attr]
        writer.stdin.flush()  # type: ignore[union-attr]
    for writer in writers:
        writer.communicate()
    seconds = time.perf_counter() - began
    return seconds, outcome(start(name, earlier, folder, "check"))


def killed(name: str, earlier: Path, folder: Path) -> tuple[int, int]:
    """Kill a process while it writes; return the numbers of vectors written by then and stored."""
    writer = start(name, earlier, folder, "parts", "0", str(SHARED_VECTORS))
    output, asked = writer.stdout, writer.stdin
    output.readline()  # type: ignore[union-attr]
    asked.write("\n")  # type: ignore[union-attr]
    asked.flush()  # type: ignore[union-attr]
    written = [int(output.readline()) for _ in range(8)]  # type: ignore[union-attr]
    time.sleep(0.01)  # into the next piece
    writer.send_signal(signal.SIGKILL)
    written += [int(line) for line in writer.communicate()[0].splitlines()]
    return written[-1], outcome(start(name, earlier, folder, "check"))


def lines() -> list[str]:
    """Return the lines of the table."""
    with tempfile.TemporaryDirectory() as temporary:
        earlier, folder = Path(temporary) / "earlier", Path(temporary) / "store"
        earlier.mkdir()
        archive = subprocess.run(
            ["git", "archive", SORTED_FILES, "src"], cwd=ROOT, check=True, capture_output=True
        ).stdout
        subprocess.run(["tar", "-x", "-C", str(earlier)], input=archive, check=True)
        turns: dict[str, list[dict[str, Any]]] = {name: [] for name in CANDIDATES}
        for _ in range(TURNS):
            for name, measured in turns.items():
                measured.append(outcome(start(name, earlier, folder, "speeds")))
                print(name, measured[-1], file=sys.stderr, flush=True)
                shutil.rmtree(folder)
        shared = {}
        for name in CANDIDATES:
            shared[name] = [together(name, earlier, folder)]
            shutil.rmtree(folder)
            shared[name].append(killed(name, earlier, folder))
            shutil.rmtree(folder)
            print(name, shared[name], file=sys.stderr, flush=True)
    best = {
        name: {task: [min(turn[task][kind] for turn in measured) for kind in (0, 1)] for task in TASKS}
        for name, measured in turns.items()
    }
    titles = [title for title, _ in CANDIDATES.values()]
    table = [f"| {VECTORS:,} vectors of {DIMENSION} float32 | {' | '.join(titles)} |"]
    table.append("|---|" + "---:|" * len(titles))
    base = best["sorted"]
    for task, what in TASKS.items():
        cells = [
            f"{wall:.2f} / {cpu:.2f}" + ("" if name == "sorted" else f" ({cpu / base[task][1]:.2g}×)")
            for name, (wall, cpu) in ((name, times[task]) for name, times in best.items())
        ]
        table.append(f"| {what} | {' | '.join(cells)} |")
    table.append("| MB on disk | " + " | ".join(f"{turns[name][0]['MB']:,.0f}" for name in CANDIDATES) + " |")
    table.append(
        "| peak GB of the process | "
        + " | ".join(f"{turns[name][0]['peak']:.1f}" for name in CANDIDATES)
        + " |"
    )
    table.append(
        "| two processes at once, s | "
        + " | ".join(f"{seconds:.1f}, {kept:,} kept" for (seconds, kept), _ in shared.values())
        + " |"
    )
    table.append(
        "| written before `kill -9` → kept | "
        + " | ".join(f"{before:,} → {after:,}" for _, (before, after) in shared.values())
        + " |"
    )
    return [
        *table,
        "",
        f"Seconds of wall time / of processor time, smallest of {TURNS}; in parentheses the ratio "
        "of processor time to the sorted files. A process holds the vectors that it writes (1 GB) and those "
        f"that it reads. Two processes write {SHARED_VECTORS * 3 // 4:,} vectors each, "
        f"{SHARED_VECTORS // 2:,} of them the same. Every vector that was read was identical to the one "
        "written, also after `kill -9`.",
    ]


def main() -> None:
    """Run all tasks, or one task of one store in this process."""
    if len(sys.argv) == 1:
        print("\n".join(lines()))
        return
    name, folder, task, *rest = sys.argv[1:]
    store = CANDIDATES[name][1](Path(folder))
    if task == "parts":
        parts(store, *map(int, rest))
    else:
        print(json.dumps(speeds(store) if task == "speeds" else check(store)))


if __name__ == "__main__":
    main()
