"""The SQLite file of a study: its tables, and connections that lose no answer.

The file is in WAL mode with ``synchronous = FULL``: a commit returns when the operating system has written
the answer to the disk, so that an acknowledged answer survives a killed process and a power failure. Readers
and writers do not block each other, and writers wait for each other.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import threading
import weakref
from collections.abc import Iterator
from pathlib import Path

from distinctly.errors import InputError, ResourceError, reason
from distinctly.sqlite_files import sqlite_address

# "dyst" in ASCII: what tells a study from other SQLite files.
APPLICATION = 0x64797374
LAYOUT = 1
# The longest wait for another process that is writing.
WAIT_SECONDS = 30.0

# Beginnings of SQLite's messages; its numbers of errors are known to Python from 3.11 on only.
_NOT_SAVED = {
    "is full": "the disk is full",
    "is locked": "another process keeps the file locked",
    "disk I/O error": "the disk cannot be written",
}
_NOT_WRITABLE = ("readonly", "unable to open", "access permission")

TABLES = """
CREATE TABLE settings (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE methods (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE packages (id INTEGER PRIMARY KEY, prompts TEXT NOT NULL);
CREATE TABLE sets (
    id INTEGER PRIMARY KEY,
    package INTEGER NOT NULL REFERENCES packages,
    method INTEGER NOT NULL REFERENCES methods,
    texts TEXT NOT NULL,
    UNIQUE (package, method)
);
CREATE TABLE people (
    id INTEGER PRIMARY KEY,
    name TEXT NOT NULL UNIQUE,
    role TEXT NOT NULL CHECK (role IN ('owner', 'annotator')),
    token_hash TEXT NOT NULL UNIQUE,
    simulated INTEGER NOT NULL DEFAULT 0
);
CREATE TABLE columns (
    annotator INTEGER NOT NULL REFERENCES people,
    place INTEGER NOT NULL,
    number INTEGER NOT NULL,
    set_id INTEGER NOT NULL REFERENCES sets,
    PRIMARY KEY (annotator, place, number),
    UNIQUE (annotator, set_id)
) WITHOUT ROWID;
CREATE TABLE answers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    annotator INTEGER NOT NULL REFERENCES people,
    set_id INTEGER NOT NULL REFERENCES sets,
    score REAL NOT NULL,
    time TEXT NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (annotator, key)
);
CREATE INDEX answers_by_set ON answers (annotator, set_id);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    annotator INTEGER NOT NULL REFERENCES people,
    package INTEGER NOT NULL REFERENCES packages,
    text TEXT NOT NULL,
    time TEXT NOT NULL,
    key TEXT NOT NULL,
    UNIQUE (annotator, key)
);
CREATE TRIGGER answers_are_not_changed BEFORE UPDATE ON answers
    BEGIN SELECT raise(ABORT, 'answers are never changed'); END;
CREATE TRIGGER answers_are_not_removed BEFORE DELETE ON answers
    BEGIN SELECT raise(ABORT, 'answers are never removed'); END;
CREATE TRIGGER comments_are_not_changed BEFORE UPDATE ON comments
    BEGIN SELECT raise(ABORT, 'comments are never changed'); END;
CREATE TRIGGER comments_are_not_removed BEFORE DELETE ON comments
    BEGIN SELECT raise(ABORT, 'comments are never removed'); END;
"""


class Database:
    """An existing study file: one connection per thread, opened when it is first needed.

    Parameters
    ----------
    path
        The file.

    Raises
    ------
    InputError
        If the file does not exist, or is not a study.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._local = threading.local()
        self._opened: weakref.WeakSet[_Held] = weakref.WeakSet()
        # SQLite lets writers poll, and some wait for long; within a process, they wait in line.
        self._writers = os.getpid(), threading.Lock()
        if not self.path.is_file():
            raise InputError(
                "the study does not exist. Create one with `distinctly study new`.", source=str(path)
            )
        with self.reading() as connection:
            kind = connection.execute("PRAGMA application_id").fetchone()[0]
            layout = connection.execute("PRAGMA user_version").fetchone()[0]
        if kind != APPLICATION:
            self.close()
            raise InputError("expected a file of `distinctly study new`, got another.", source=str(path))
        if layout != LAYOUT:
            self.close()
            raise InputError(
                f"the study has layout {layout}, this version reads {LAYOUT}. Update distinctly.",
                source=str(path),
            )

    def _connection(self) -> sqlite3.Connection:
        held: _Held | None = getattr(self._local, "held", None)
        if held is None or held.process != os.getpid():
            if held is not None:
                _INHERITED.append(held)
            held = self._local.held = _Held(self.path)
            self._opened.add(held)
        return held.connection

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Give a connection for queries that see one state of the file."""
        with self._transaction("BEGIN") as connection:
            yield connection

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Give a connection for changes, which are on the disk after the block, or not made at all."""
        if self._writers[0] != os.getpid():  # after a fork, the lock may be held by a thread of the parent
            self._writers = os.getpid(), threading.Lock()
        with self._writers[1], self._transaction("BEGIN IMMEDIATE") as connection:
            yield connection

    @contextlib.contextmanager
    def _transaction(self, begin: str) -> Iterator[sqlite3.Connection]:
        try:
            connection = self._connection()
            connection.execute(begin)
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise
        except sqlite3.Error as error:
            raise problem_of(error, self.path) from error

    def close(self) -> None:
        """Close the connections of all threads; the last one to close removes the files beside the study."""
        for held in list(self._opened):
            held.close()
        self._local = threading.local()
        self._opened = weakref.WeakSet()


class _Held:
    """The connection of one thread, which is closed when the thread ends."""

    def __init__(self, path: Path) -> None:
        self.process = os.getpid()
        self.connection = connect(path)

    def close(self) -> None:
        if self.process == os.getpid():
            with contextlib.suppress(sqlite3.Error):
                self.connection.close()

    def __del__(self) -> None:
        if hasattr(self, "connection"):
            self.close()


# Connections of a parent process, which its children must neither use nor close.
_INHERITED: list[_Held] = []


def connect(path: Path) -> sqlite3.Connection:
    """Open a connection in which every commit is written to the disk."""
    # Connections are used by one thread each, but `Database.close` closes those of all.
    connection = sqlite3.connect(
        sqlite_address(path.resolve(), "rw"),
        uri=True,
        timeout=WAIT_SECONDS,
        isolation_level=None,
        check_same_thread=False,
    )
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    # A file may come from a stranger: its triggers and views may call no function with side effects.
    connection.execute("PRAGMA trusted_schema = OFF")
    return connection


def problem_of(error: sqlite3.Error, path: Path) -> InputError | ResourceError:
    """Return the error that users see for an error of SQLite."""
    text = reason(error)
    for pattern, problem in _NOT_SAVED.items():
        if pattern in text:
            return ResourceError(f"{path}: nothing was saved, since {problem} ({text}).")
    if any(pattern in text for pattern in _NOT_WRITABLE):
        return InputError(
            f"the study cannot be written ({text}). Change its permissions and those of its folder.",
            source=str(path),
        )
    return InputError(f"expected a file of `distinctly study new`, got another ({text}).", source=str(path))


@contextlib.contextmanager
def creating(path: Path) -> Iterator[sqlite3.Connection]:
    """Give a connection to a new file with empty tables, which appears under its name when it is complete.

    Raises
    ------
    InputError
        If the file exists, or cannot be created.
    """
    check_new(path)
    draft = path.with_name(f".{path.name[:60]}.{os.getpid()}")
    try:
        # The file has the names of the methods, which annotators must not see.
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        connection = connect(draft)
        try:
            connection.execute(f"PRAGMA application_id = {APPLICATION}")
            connection.execute(f"PRAGMA user_version = {LAYOUT}")
            connection.executescript(TABLES)
            connection.execute("BEGIN IMMEDIATE")
            yield connection
            connection.execute("COMMIT")
            connection.execute("PRAGMA journal_mode = WAL")
        finally:
            connection.close()
        try:
            os.link(draft, path)  # fails if the file exists by now
        except FileExistsError:
            raise _exists(path) from None
        except OSError:  # a file system without links
            check_new(path)
            draft.rename(path)
    except sqlite3.Error as error:
        raise problem_of(error, path) from error
    except OSError as error:
        if isinstance(error, ResourceError):
            raise
        raise InputError(
            f"the study cannot be created: {error.strerror or reason(error)}.", source=str(path)
        ) from error
    finally:
        for name in (draft.name, f"{draft.name}-journal", f"{draft.name}-wal", f"{draft.name}-shm"):
            draft.with_name(name).unlink(missing_ok=True)


def check_new(path: Path) -> None:
    """Raise if a study cannot be created under this name."""
    if path.exists():
        raise _exists(path)
    if not path.parent.is_dir():
        raise InputError(
            "this folder does not exist. Create it, or choose another file with -o.", source=str(path.parent)
        )


def _exists(path: Path) -> InputError:
    return InputError(
        "the file exists, and may have answers. Choose another name with -o, or remove it.", source=str(path)
    )
