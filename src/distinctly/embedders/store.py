"""Vectors of texts on disk: one SQLite database in the user's cache folder.

A row of the table ``blocks`` describes up to one megabyte of vectors of one embedder. The row of
``contents`` with the same number holds the keys of their texts and the vectors. A table with one vector
per row would be simpler, but takes many times as long to write (``benchmarks/RESULTS.md``).

No run raises an error because of the state of the disk. If a folder is not writable, a disk is full or a file
is damaged, vectors are computed again; a warning is logged once. Only `clear` removes vectors on request. It
removes nothing but the files of this module, and follows no links.
"""

from __future__ import annotations

import contextlib
import functools
import hashlib
import logging
import os
import re
import sqlite3
import sys
import time
import zlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Vectors
from distinctly.errors import InputError, SpecError, reason
from distinctly.options import bytes_of
from distinctly.sqlite_files import sqlite_address

Keys = NDArray[np.uint64]

DEFAULT_LIMIT = "2GB"
# What becomes of new vectors that cannot be written.
NOT_KEPT = "not kept"
BLOCK_BYTES = 1 << 20
# The longest wait for another process that is writing.
LOCK_SECONDS = 60.0

# SQLite's rollback journal instead of its write-ahead log: new pages are written once instead of twice, a
# read-only folder can be read, and everything is in one file. Without waiting for the disk, a process that
# is killed loses nothing that it has committed; after a power failure, checksums detect damage.
_SETTINGS = "PRAGMA synchronous = OFF;"
# The layout of a new database. With `auto_vacuum` the file shrinks when vectors are removed.
_LAYOUT = "PRAGMA page_size = 16384; PRAGMA auto_vacuum = FULL;"
_TABLES = (
    "CREATE TABLE blocks (id INTEGER PRIMARY KEY AUTOINCREMENT, embedder TEXT, title TEXT,"
    " dimension INTEGER, dtype TEXT, bytes INTEGER, checksum INTEGER, used REAL)",
    "CREATE TABLE contents (id INTEGER PRIMARY KEY, keys BLOB, vectors BLOB)",
)

# The database, those of earlier versions, and the files that SQLite keeps beside them.
_FILES = re.compile(r"vectors-\d+\.sqlite(-journal|-wal|-shm)?")

_log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the cache folder: `DISTINCTLY_CACHE`, or one in the cache folder of the operating system."""
    given, shared = os.environ.get("DISTINCTLY_CACHE"), os.environ.get("XDG_CACHE_HOME")
    if given:
        return Path(given).expanduser()
    if shared:
        return Path(shared) / "distinctly"
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / "distinctly" / "Cache"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Caches" / "distinctly"
    return Path.home() / ".cache" / "distinctly"


def cache_limit() -> int:
    """Return the size limit of all vectors in bytes: `DISTINCTLY_CACHE_LIMIT`, such as 500MB; 0 disables."""
    given = os.environ.get("DISTINCTLY_CACHE_LIMIT") or DEFAULT_LIMIT
    limit = bytes_of(given)
    if limit is None:
        raise SpecError(f"Expected DISTINCTLY_CACHE_LIMIT to be an amount such as 500MB, got '{given}'.")
    return limit


def keys_of(texts: Sequence[str]) -> Keys:
    """Return the 128-bit hash of each text, as two numbers.

    Examples
    --------
    >>> keys_of(["a cat", "a dog"]).shape
    (2, 2)
    """
    hashes = [_hash(text).digest() for text in texts]
    return np.frombuffer(b"".join(hashes), "<u8").astype(np.uint64, copy=False).reshape(-1, 2)


@dataclass(frozen=True)
class Kept:
    """The vectors on disk of the embedders with one title.

    Attributes
    ----------
    title
        The embedder as users write it.
    texts
        The number of distinct texts.
    bytes
        The size of their keys and vectors.
    """

    title: str
    texts: int
    bytes: int


class Store:
    """The vectors of one embedder.

    Parameters
    ----------
    identity
        Everything that a vector depends on besides its text.
    """

    def __init__(self, identity: str) -> None:
        self._embedder = _hash(identity).hexdigest()
        self._path = _database()

    def dimension(self) -> int | None:
        """Return the dimension of the vectors, or None if there are none."""
        query = (
            "SELECT dimension, dtype, keys, vectors, checksum FROM blocks JOIN contents USING (id)"
            " WHERE embedder = ? ORDER BY id DESC"
        )
        with _tolerating("not read", self._path), _connected(self._path) as connection:
            for *block, checksum in connection.execute(query, (self._embedder,)):
                if checksum == _checksum(self._embedder, *block) and _fit(*block):
                    return int(block[0])
        return None

    def find(self, keys: Keys) -> tuple[Vectors | None, NDArray[np.bool_]]:
        """Look vectors up.

        Parameters
        ----------
        keys
            The keys of distinct texts.

        Returns
        -------
        rows
            One row per key, or None if no vector is known.
        known
            Which of the rows are known. The others are 0.
        """
        known = np.zeros(len(keys), np.bool_)
        rows: Vectors | None = None
        with _tolerating("not read", self._path), _connected(self._path) as connection:
            used: list[int] = []
            damaged: list[int] = []
            for block, stored_keys, places, positions in self._matches(connection, keys):
                row = connection.execute(
                    "SELECT dimension, dtype, checksum, vectors FROM blocks JOIN contents USING (id)"
                    " WHERE id = ?",
                    (block,),
                ).fetchone()
                if row is None:  # removed by another process
                    continue
                dimension, dtype, checksum, content = row
                if checksum != _checksum(self._embedder, dimension, dtype, stored_keys, content) or not _fit(
                    dimension, dtype, stored_keys, content
                ):
                    damaged.append(block)
                    continue
                vectors = np.frombuffer(content, dtype).reshape(-1, dimension)
                # No embedder stores such vectors, so another program has written them.
                if not np.isfinite(vectors[positions]).all():
                    damaged.append(block)
                    continue
                if rows is None:
                    rows = np.zeros((len(keys), dimension), vectors.dtype.newbyteorder("="))
                if (dimension, vectors.dtype.newbyteorder("=")) == (rows.shape[1], rows.dtype):
                    rows[places] = vectors[positions]
                    known[places] = True
                    used.append(block)
            if used or damaged:
                self._mark(used, damaged)
            if damaged:
                _log.warning(
                    "Some vectors in the cache were damaged, and are computed again (%s). If this occurs "
                    "again, remove all of them: distinctly cache clear.",
                    self._path,
                )
        return rows, known

    def _mark(self, used: list[int], damaged: list[int]) -> None:
        """Record when blocks were used, and remove damaged ones."""
        with _tolerating("not marked as used", self._path), _writing(self._path) as connection:
            now = time.time()
            connection.executemany(
                "UPDATE blocks SET used = ? WHERE id = ?", ((now, block) for block in used)
            )
            for block in damaged:
                _log.debug("damaged, so removed: block %s of %s", block, self._path.name)
                _remove(connection, "id = ?", block)

    def _matches(
        self, connection: sqlite3.Connection, keys: Keys
    ) -> Iterator[tuple[int, bytes, NDArray[np.int64], NDArray[np.int64]]]:
        """Yield the blocks with some of the keys, newest first.

        Each block is followed by all of its keys, by the places of the matching ones in `keys`, and by
        their positions in the block.
        """
        query = "SELECT id, keys FROM blocks JOIN contents USING (id) WHERE embedder = ? ORDER BY id DESC"
        blocks = connection.execute(query, (self._embedder,)).fetchall()
        if not blocks:
            return
        stored = np.frombuffer(b"".join(stored_keys for _, stored_keys in blocks), "<u8").reshape(-1, 2)
        # The requested keys are sorted instead of the stored ones, since they are often few.
        order = np.argsort(keys[:, 0])
        # Two texts whose hashes have the same first half are not worth a separate search.
        nearest = np.minimum(np.searchsorted(keys[order, 0], stored[:, 0]), len(keys) - 1)
        place_of_stored = order[nearest]
        matching = np.flatnonzero((keys[place_of_stored] == stored).all(axis=1))
        ends = np.cumsum([len(stored_keys) // 16 for _, stored_keys in blocks])
        parts = np.searchsorted(matching, ends)
        first = begin = 0
        for (block, stored_keys), part, end in zip(blocks, parts.tolist(), ends.tolist()):
            if part > first:
                positions = matching[first:part]
                yield block, stored_keys, place_of_stored[positions], positions - begin
            first, begin = part, end

    def add(self, keys: Keys, rows: Vectors, title: str) -> None:
        """Write vectors, and remove the least recently used ones beyond the limit.

        Parameters
        ----------
        keys
            The keys of the texts.
        rows
            One vector per key.
        title
            The embedder as users write it.
        """
        limit = cache_limit()
        if not limit or not len(keys):
            return
        dtype = "<f4" if rows.dtype == np.float32 else "<f8"
        rows = np.ascontiguousarray(rows, dtype)
        stored = np.ascontiguousarray(keys, "<u8")
        size = max(BLOCK_BYTES // (rows.shape[1] * rows.itemsize), 1)
        with _tolerating(NOT_KEPT, self._path), _writing(self._path) as connection:
            for start in range(0, len(rows), size):
                contents = stored[start : start + size].tobytes(), rows[start : start + size].tobytes()
                checksum = _checksum(self._embedder, rows.shape[1], dtype, *contents)
                values = (self._embedder, title, rows.shape[1], dtype, sum(map(len, contents)), checksum)
                block = connection.execute(
                    "INSERT INTO blocks (embedder, title, dimension, dtype, bytes, checksum, used)"
                    " VALUES (?, ?, ?, ?, ?, ?, ?)",
                    (*values, time.time()),
                ).lastrowid
                connection.execute("INSERT INTO contents VALUES (?, ?, ?)", (block, *contents))
            _remove(
                connection,
                "id IN (SELECT id FROM (SELECT id, sum(bytes) OVER (ORDER BY used DESC, id DESC) AS total"
                " FROM blocks) WHERE total > ?)",
                limit,
            )

    def forget(self) -> None:
        """Remove all vectors of the embedder."""
        with _tolerating("not removed", self._path), _writing(self._path) as connection:
            _remove(connection, "embedder = ?", self._embedder)


def all_kept() -> list[Kept]:
    """Return what is kept, one entry per embedder, sorted by title."""
    query = "SELECT title, embedder, bytes, keys FROM blocks JOIN contents USING (id)"
    blocks: dict[tuple[str, str], list[tuple[int, bytes]]] = {}
    path = _database()
    with _tolerating("not read", path), _connected(path) as connection:
        for title, embedder, size, keys in connection.execute(query):
            blocks.setdefault((title, embedder), []).append((size, keys))
    kept = []
    for (title, _), sizes_and_keys in sorted(blocks.items()):
        all_keys = np.frombuffer(b"".join(keys for _, keys in sizes_and_keys), "V16")
        # Two processes may have stored the same vectors.
        kept.append(Kept(title, len(np.unique(all_keys)), sum(size for size, _ in sizes_and_keys)))
    return kept


@dataclass(frozen=True)
class Cleared:
    """What was removed from the cache folder, and what was not.

    Attributes
    ----------
    bytes
        The size of what was removed.
    files
        The number of files removed; 0 if only the vectors of some embedders were.
    links
        The names of links in place of our files, which are neither removed nor followed.
    others
        The names of everything else in the folder, which is not ours.
    """

    bytes: int
    files: int = 0
    links: Sequence[str] = ()
    others: Sequence[str] = ()


def clear(chosen: str | None = None) -> Cleared:
    """Remove the vectors of all embedders, or of those that a spec, or the start of one, names.

    Raises
    ------
    InputError
        If the folder cannot be written, or if the vectors of one embedder are behind a link.
    """
    return _clear_files() if chosen is None else _clear_vectors(chosen)


def is_read_only() -> bool:
    """Return whether nothing can be written to the cache folder, or to that in which it would be created."""
    folder = cache_folder().absolute()
    existing = next((path for path in (folder, *folder.parents) if path.exists()), folder)
    return not os.access(existing, os.W_OK, effective_ids=os.access in os.supports_effective_ids)


def _clear_files() -> Cleared:
    folder = cache_folder()
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
    except FileNotFoundError:
        return Cleared(0)
    except OSError as error:
        raise _refusal(error) from error
    links = [entry.name for entry in entries if _FILES.fullmatch(entry.name) and entry.is_symlink()]
    ours = [
        entry for entry in entries if _FILES.fullmatch(entry.name) and entry.is_file(follow_symlinks=False)
    ]
    known = {*links, *(entry.name for entry in ours)}
    if any(entry.name == _database().name for entry in ours):
        with _tolerating("not locked", _database()), _writing(_database()):
            pass  # another process that is writing finishes first
    size = sum(entry.stat(follow_symlinks=False).st_size for entry in ours)
    try:
        for entry in ours:
            Path(entry.path).unlink(missing_ok=True)
    except OSError as error:
        raise _refusal(error) from error
    return Cleared(size, len(ours), links, [entry.name for entry in entries if entry.name not in known])


def _clear_vectors(chosen: str) -> Cleared:
    chosen_titles = {kept.title for kept in all_kept() if _names(chosen, kept.title)}
    if not chosen_titles:
        return Cleared(0)
    path = _database()
    if path.is_symlink():
        raise InputError(
            "this is a link, which is not followed to remove vectors. Remove the file that it leads to.",
            source=str(path),
        )
    before = _size(chosen_titles)
    try:
        with _writing(path) as connection:
            for title in chosen_titles:
                _remove(connection, "title = ?", title)
    except (OSError, sqlite3.OperationalError) as error:
        raise _refusal(error) from error
    return Cleared(before - _size(chosen_titles))


def _refusal(error: Exception) -> InputError:
    what = "is read-only" if is_read_only() else f"cannot be written ({_reason(error)})"
    return InputError(f"the cache folder {what}, so nothing was removed.", source=str(cache_folder()))


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else reason(error)


def _size(titles: set[str]) -> int:
    return sum(kept.bytes for kept in all_kept() if kept.title in titles)


def _names(chosen: str, title: str) -> bool:
    return title == chosen or title.startswith((f"{chosen}:", f"{chosen},"))


def _hash(text: str) -> hashlib.blake2b:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16)


def _checksum(embedder: str, dimension: int, dtype: str, keys: bytes, vectors: bytes) -> int:
    return zlib.crc32(vectors, zlib.crc32(keys, zlib.crc32(f"{embedder} {dimension} {dtype}".encode())))


def _fit(dimension: int, dtype: str, keys: bytes, vectors: bytes) -> bool:
    """Return whether the vectors are as many as the keys, and have the dimension."""
    return (
        dimension > 0
        and dtype in ("<f4", "<f8")
        and len(vectors) == len(keys) // 16 * dimension * np.dtype(dtype).itemsize
    )


def _database() -> Path:
    """Return the path of the database; a new layout of the tables needs a new name."""
    return cache_folder() / "vectors-2.sqlite"


@contextlib.contextmanager
def _tolerating(outcome: str, path: Path) -> Iterator[None]:
    """Suppress errors of reading or writing the disk; remove a damaged database."""
    try:
        yield
    except (OSError, sqlite3.OperationalError) as error:
        _log.debug("%s: %s", outcome, error)
        if outcome == NOT_KEPT:
            _warn_once(path, "it is read-only" if is_read_only() else _reason(error))
    except (sqlite3.DatabaseError, TypeError, ValueError) as error:
        _log.debug("damaged, so removed: %s: %s", path.name, error)
        for damaged in (path, path.with_name(f"{path.name}-journal")):
            with contextlib.suppress(OSError):
                damaged.unlink(missing_ok=True)


@functools.cache
def _warn_once(path: Path, problem: str) -> None:
    _log.warning(
        "The vectors of this run are not stored, since the cache folder %s cannot be written (%s). Set "
        "DISTINCTLY_CACHE to another folder, or use --no-cache (Python: cache=False).",
        path.parent,
        problem,
    )


@contextlib.contextmanager
def _connected(path: Path, mode: str = "rw") -> Iterator[sqlite3.Connection]:
    """Open a database that exists (``rw``), or create it if it does not exist (``rwc``)."""
    address = sqlite_address(path.absolute(), mode)
    with contextlib.closing(
        sqlite3.connect(address, timeout=LOCK_SECONDS, isolation_level=None, uri=True)
    ) as connection:
        connection.text_factory = functools.partial(str, encoding="utf-8", errors="replace")
        connection.executescript(_SETTINGS)
        tables = _tables(connection)
        if tables and not any(name in table for table in tables for name in ("blocks", "contents")):
            # Not our file, so it is neither used nor removed.
            raise sqlite3.OperationalError(f"{path.name} is a database of another program")
        if not tables.issubset(_TABLES):
            raise sqlite3.DatabaseError("damaged tables")
        yield connection


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[sqlite3.Connection]:
    """Open or create a database for changes that are written together or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with _connected(path, "rwc") as connection:
        if not _tables(connection):
            connection.executescript(_LAYOUT)
        connection.execute("BEGIN IMMEDIATE")
        present = _tables(connection)
        for definition in _TABLES:
            if definition not in present:
                connection.execute(definition)
        yield connection
        connection.execute("COMMIT")


def _tables(connection: sqlite3.Connection) -> set[str]:
    """Return the definitions of the tables in a database."""
    query = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name != 'sqlite_sequence'"
    return {definition for (definition,) in connection.execute(query)}


def _remove(connection: sqlite3.Connection, condition: str, value: str | int) -> None:
    """Remove the blocks that meet a condition."""
    query = f"DELETE FROM blocks WHERE {condition}"  # noqa: S608 - the conditions are in this file
    if connection.execute(query, (value,)).rowcount:
        connection.execute("DELETE FROM contents WHERE id NOT IN (SELECT id FROM blocks)")
