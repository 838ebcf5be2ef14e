"""The folder of vectors on disk: a folder an embedder, segments in it, and a limit to all.

Nothing here raises for what the disk does: a folder that cannot be written, a disk that is full or a
file that is damaged mean that vectors are made anew.
"""

from __future__ import annotations

import contextlib
import hashlib
import logging
import os
import shutil
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Vectors
from distinctly.embedders.segments import ENDING, UNFINISHED, Damaged, Keys, Segment, write_segment
from distinctly.errors import SpecError
from distinctly.options import bytes_of

LIMIT = "2GB"
# So many segments of about one size become one; those that are larger than this stay.
TOGETHER = 8
LARGE = 1 << 27
# Seconds after which an unfinished file is one that nobody will finish.
ABANDONED = 3600

_log = logging.getLogger(__name__)


def cache_folder() -> Path:
    """Return the folder: `DISTINCTLY_CACHE`, or the one that the system has for such things."""
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
    """Return how many bytes all vectors may take: `DISTINCTLY_CACHE_LIMIT`, such as 500MB; 0 keeps none."""
    given = os.environ.get("DISTINCTLY_CACHE_LIMIT") or LIMIT
    limit = bytes_of(given)
    if limit is None:
        raise SpecError(f"Expected DISTINCTLY_CACHE_LIMIT to be an amount such as 500MB, got '{given}'.")
    return limit


@dataclass(frozen=True)
class Kept:
    """What is kept of one embedder."""

    title: str
    texts: int
    bytes: int
    folder: Path


class Store:
    """The vectors of one embedder.

    Parameters
    ----------
    identity
        Everything that a vector depends on besides its text.
    """

    def __init__(self, identity: str) -> None:
        name = hashlib.blake2b(identity.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()
        self.folder = _vectors_folder() / name

    def dimension(self) -> int | None:
        """Return the dimension of the vectors, where there are some."""
        return next((segment.dimension for segment in _opened(_newest(self.folder))), None)

    def find(self, keys: Keys) -> tuple[Vectors | None, NDArray[np.bool_]]:
        """Return a table of one row a key, and which of its rows are known; None where none is."""
        known = np.zeros(len(keys), np.bool_)
        rows: Vectors | None = None
        for segment in _opened(_newest(self.folder)):
            missing = np.flatnonzero(~known)
            if not len(missing):
                break
            places = segment.find(keys[missing])
            there, places = missing[places >= 0], places[places >= 0]
            if not len(there):
                continue
            try:
                found = segment.take(places)
            except Damaged as error:
                _drop(segment.path, error)
                continue
            except OSError as error:  # gone, since another process put it together with others
                _log.debug("not read: %s", error)
                continue
            with contextlib.suppress(OSError):
                os.utime(segment.path)  # so that it is among the last to go
            if rows is None:
                rows = np.zeros((len(keys), segment.dimension), found.dtype)
            if (rows.shape[1], rows.dtype) == (found.shape[1], found.dtype):
                rows[there] = found
                known[there] = True
        return rows, known

    def add(self, keys: Keys, rows: Vectors, title: str) -> None:
        """Write vectors, put small segments together, and keep to the limit.

        The title is what a reader knows the embedder by.
        """
        limit = cache_limit()
        if not limit or not len(keys):
            return
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_segment(self.folder, title, keys, rows)
            while _put_together(self.folder):
                pass
            _keep_to(limit)
        except OSError as error:
            _log.debug("not kept: %s", error)

    def forget(self) -> None:
        """Remove all vectors."""
        shutil.rmtree(self.folder, ignore_errors=True)


def all_kept() -> list[Kept]:
    """Return what is kept, an entry an embedder, by title."""
    found = []
    for folder in _listed(_vectors_folder()):
        paths = _newest(folder)
        segments = list(_opened(paths))
        if segments:
            texts = len(np.unique(np.concatenate([segment.keys[:, 0] for segment in segments])))
            found.append(Kept(segments[0].title, texts, sum(map(_size, paths)), folder))
    return sorted(found, key=lambda kept: kept.title)


def clear(chosen: str | None = None) -> int:
    """Remove what is kept, of all embedders or those that a spec, or the start of one, names.

    Returns how many bytes that were.
    """
    folders = _listed(_vectors_folder())
    if chosen is not None:
        folders = [kept.folder for kept in all_kept() if _names(chosen, kept.title)]
    total = 0
    for folder in folders:
        total += sum(map(_size, _listed(folder)))
        shutil.rmtree(folder, ignore_errors=True)
    return total


def _names(chosen: str, title: str) -> bool:
    return title == chosen or title.startswith((f"{chosen}:", f"{chosen},"))


def _vectors_folder() -> Path:
    """Return where the folders of the embedders are; another format will have another one."""
    return cache_folder() / "vectors-1"


def _listed(folder: Path) -> list[Path]:
    try:
        return sorted(folder.iterdir())
    except OSError:
        return []


def _newest(folder: Path) -> list[Path]:
    """Return the segments of a folder, those used last first."""
    paths = [path for path in _listed(folder) if path.suffix == ENDING]
    return sorted(paths, key=_used, reverse=True)


def _opened(paths: list[Path]) -> Iterator[Segment]:
    """Open segments, without those that are damaged, which go, or gone."""
    for path in paths:
        try:
            yield Segment.open(path)
        except Damaged as error:
            _drop(path, error)
        except OSError as error:
            _log.debug("not read: %s", error)


def _drop(path: Path, reason: object) -> None:
    _log.debug("damaged, so dropped: %s", reason)
    with contextlib.suppress(OSError):
        path.unlink(missing_ok=True)


def _put_together(folder: Path) -> bool:
    """Make one segment of several of about one size; tell whether there were so many.

    A row is written again only when its segment grows eightfold: a few times, however many there are.
    """
    sizes: dict[int, list[Path]] = {}
    for path in _newest(folder):
        size = _size(path)
        if size < LARGE:
            sizes.setdefault(size.bit_length() // 3, []).append(path)
    paths = next((paths for paths in sizes.values() if len(paths) >= TOGETHER), None)
    if paths is None:
        return False
    tables = []
    for segment in _opened(paths):
        try:
            tables.append((segment, segment.take(np.arange(len(segment)))))
        except Damaged as error:
            _drop(segment.path, error)
    if not tables or len({(rows.shape[1], rows.dtype) for _, rows in tables}) > 1:
        return False
    keys = np.concatenate([segment.keys for segment, _ in tables])
    rows = np.concatenate([rows for _, rows in tables])
    _, once = np.unique(keys[:, 0], return_index=True)  # two processes may have made the same vectors
    made = write_segment(folder, tables[0][0].title, keys[once], rows[once])
    for segment, _ in tables:
        if segment.path != made:
            segment.path.unlink(missing_ok=True)
    return True


def _keep_to(limit: int) -> None:
    """Remove what was used least recently, until the rest is within the limit."""
    files = [path for folder in _listed(_vectors_folder()) for path in _listed(folder)]
    for path in files:
        if path.suffix == UNFINISHED and time.time() - _used(path) > ABANDONED:
            path.unlink(missing_ok=True)
    segments = [path for path in files if path.suffix == ENDING]
    total = sum(map(_size, segments))
    for path in sorted(segments, key=_used):
        if total <= limit:
            return
        total -= _size(path)
        path.unlink(missing_ok=True)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _used(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0
