"""The vector store beside LMDB and a table of SQLite with one row per vector (5 GB of memory).

All get the same vectors in the same pieces of 64 MB, as `embed_texts` writes them, with a checksum per vector
or per block, and do not wait for the disk. Files stay in the page cache of the operating system.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.text import folder
from benchmarks.turns import Row, in_turns, sized

VECTORS, FEW, DIMENSION = sized(1_000_000), sized(20_000), 256
PIECE = (1 << 26) // (DIMENSION * 4)


class Candidate(ABC):
    """A store of the vectors of one embedder in a folder."""

    def __init__(self, place: Path) -> None:
        self.folder = place
        place.mkdir(parents=True, exist_ok=True)

    @abstractmethod
    def add(self, keys: Any, rows: Any) -> None:
        """Write one row per key."""

    @abstractmethod
    def find(self, keys: Any) -> tuple[Any, Any]:
        """Return one row per key, and a mask of the known rows."""


class Distinctly(Candidate):
    """The store of the version of the package that is imported."""

    def __init__(self, place: Path) -> None:
        super().__init__(place)
        os.environ |= {"DISTINCTLY_CACHE": str(place), "DISTINCTLY_CACHE_LIMIT": "100GB"}
        from distinctly.embedders import store

        self.store = store.Store("benchmark")

    def add(self, keys: Any, rows: Any) -> None:
        self.store.add(keys, rows, "benchmark")

    def find(self, keys: Any) -> tuple[Any, Any]:
        return self.store.find(keys)


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


# The peers, and the modules that they need.
PEERS: dict[str, tuple[type[Candidate], str]] = {
    "SQLite, one row per vector": (SqliteRows, ""),
    "LMDB, one entry per vector": (Lmdb, "lmdb"),
}


def write(kind: type[Candidate], place: Path, keys: Any, rows: Any) -> Candidate:
    """Write vectors to a new store."""
    shutil.rmtree(place, ignore_errors=True)
    store = kind(place)
    for start in range(0, len(keys), PIECE):
        store.add(keys[start : start + PIECE], rows[start : start + PIECE])
    return store


def same(ours: tuple[Any, Any], theirs: tuple[Any, Any]) -> bool:
    """Return whether both know the same vectors."""
    (our_rows, known), (their_rows, also_known) = ours, theirs
    equal = np.array_equal(known, also_known)
    return equal and (not known.any() or np.array_equal(our_rows[known], their_rows[known]))


def rows() -> Iterator[Row | str]:
    """Yield the rows of the section."""
    draw = np.random.default_rng(0)
    keys, absent = (draw.integers(0, 2**64, (VECTORS, 2), np.uint64) for _ in range(2))
    table = draw.standard_normal((VECTORS, DIMENSION), np.float32)
    order = draw.permutation(VECTORS)
    wanted = {
        f"read {VECTORS:,}, in another order": keys[order],
        f"look up {VECTORS:,} that are absent": absent,
        f"look up {VECTORS:,}, half of them present": np.concatenate(
            [keys[: VECTORS // 2], absent[VECTORS // 2 :]]
        ),
        f"read {FEW:,}, at random": keys[order[:FEW]],
        f"read {FEW:,}, written together": keys[VECTORS // 3 : VECTORS // 3 + FEW],
    }
    for beside, (kind, needs) in PEERS.items():
        ours, theirs = (
            partial(write, store, folder() / store.__name__, keys, table) for store in (Distinctly, kind)
        )
        written = in_turns(f"write {VECTORS:,}", ours, beside, theirs, needs=needs)
        yield written
        if isinstance(written, Row):
            stores = Distinctly(folder() / "Distinctly"), kind(folder() / kind.__name__)
            for what, asked in wanted.items():
                finders = [partial(store.find, asked) for store in stores]
                yield in_turns(what, finders[0], beside, finders[1], same=same)
