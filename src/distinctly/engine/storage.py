"""Folders of states: on this machine, or in an object store."""

from __future__ import annotations

import contextlib
import hashlib
import os
import tempfile
import uuid
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, TypeVar, cast

from distinctly.errors import DistinctlyError, InputError, MissingFileError, ResourceError, is_full, reason

if TYPE_CHECKING:
    from distinctly.sources.stores import Store

DRAFT = ".draft-"
Result = TypeVar("Result")


class Stored(ABC):
    """A file of any place, which is read in pieces and written as a whole or not at all.

    Attributes
    ----------
    name
        Its name in errors.
    """

    name: str

    @abstractmethod
    def exists(self) -> bool:
        """Return whether there is such a file."""

    @abstractmethod
    def size(self) -> int:
        """Return its number of bytes."""

    @abstractmethod
    def read(self, start: int, length: int) -> bytes:
        """Return some of its bytes."""

    @abstractmethod
    def writing(self) -> contextlib.AbstractContextManager[BinaryIO]:
        """Open it for writing; nothing is there until the end, and nothing if an error is raised."""

    @abstractmethod
    def check_target(self) -> None:
        """Raise if it cannot be written, as far as that is known before."""

    @abstractmethod
    def remove(self) -> None:
        """Remove it if it is there."""


@dataclass(frozen=True)
class StoredHere(Stored):
    """A file of this machine, or of a folder that machines share."""

    path: Path

    @property
    def name(self) -> str:  # type: ignore[override]
        """Its path."""
        return str(self.path)

    def exists(self) -> bool:
        """Return whether there is such a file."""
        return self.path.is_file()

    def size(self) -> int:
        """Return its number of bytes."""
        try:
            return self.path.stat().st_size
        except FileNotFoundError as error:
            raise MissingFileError("no such file.", source=self.name) from error
        except OSError as error:
            raise self._unreadable(error) from error

    def read(self, start: int, length: int) -> bytes:
        """Return some of its bytes."""
        try:
            with self.path.open("rb") as stream:
                stream.seek(start)
                return stream.read(length)
        except OSError as error:
            raise self._unreadable(error) from error

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Open a draft for writing, which takes the place of the file at the end."""
        target = Path(os.path.realpath(self.path))
        draft = target.with_name(f"{_drafts(target.name)}{uuid.uuid4().hex}")
        try:
            with draft.open("wb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(target)
        except DistinctlyError:
            raise
        except OSError as error:
            problem = f"cannot be written: {error.strerror or reason(error)}."
            if is_full(error):
                raise ResourceError(f"{self.name}: {problem}") from error
            raise InputError(problem, source=self.name) from error
        finally:
            draft.unlink(missing_ok=True)

    def check_target(self) -> None:
        """Raise if it is a folder, or if its folder does not exist or cannot be written."""
        target = Path(os.path.realpath(self.path))
        if target.is_dir():
            raise InputError("this is a folder. Name a file in it.", source=self.name)
        if not target.parent.is_dir():
            raise InputError(
                "the folder of this file does not exist. Create it, or choose another file.", source=self.name
            )
        if not os.access(target.parent, os.W_OK):
            raise InputError(
                "its folder cannot be written: permission denied. Choose another file.", source=self.name
            )

    def remove(self) -> None:
        """Remove it if it is there."""
        self.path.unlink(missing_ok=True)

    def _unreadable(self, error: OSError) -> InputError:
        return InputError(f"cannot be read: {error.strerror or reason(error)}.", source=self.name)


def _drafts(name: str) -> str:
    """Return how the names of the drafts of a file begin: of one length, since its own name may be long."""
    return f"{DRAFT}{hashlib.blake2b(os.fsencode(name), digest_size=8).hexdigest()}-"


@dataclass(frozen=True)
class StoredThere(Stored):
    """A file of an object store, known by its address."""

    uri: str

    @property
    def name(self) -> str:  # type: ignore[override]
        """Its address."""
        return self.uri

    def exists(self) -> bool:
        """Return whether there is such a file."""
        return self._ask(lambda store, path: store.info(path)).kind == "file"

    def size(self) -> int:
        """Return its number of bytes."""
        entry = self._ask(lambda store, path: store.info(path))
        if entry.kind != "file" or entry.size is None:
            raise MissingFileError("no such file.", source=self.name)
        return entry.size

    def read(self, start: int, length: int) -> bytes:
        """Return some of its bytes."""

        def request(store: Store, path: str) -> bytes:
            with contextlib.closing(store.open(path)) as handle:
                return handle.read(start, length)

        return self._ask(request)

    @contextmanager
    def writing(self) -> Iterator[BinaryIO]:
        """Open a temporary file for writing, which is copied to the store at the end."""
        with tempfile.TemporaryFile() as draft:
            stream = cast("BinaryIO", draft)
            yield stream
            self._ask(lambda store, path: store.write(path, stream))

    def check_target(self) -> None:
        """Do nothing: whether an address can be written is known when it is written."""

    def remove(self) -> None:
        """Remove it if it is there."""
        with contextlib.suppress(MissingFileError):
            self._ask(lambda store, path: store.delete(path))

    def _ask(self, request: Callable[[Store, str], Result]) -> Result:
        from distinctly.sources.remote import Address

        return Address.parse(self.uri).ask(request)


def is_remote(path: str | Path) -> bool:
    """Return whether a path is the address of an object store.

    Examples
    --------
    >>> is_remote("s3://bucket/folder"), is_remote("folder")
    (True, False)
    """
    return "://" in str(path)


def stored_at(path: str | Path) -> Stored:
    """Return the file at a path, or at the address of an object store."""
    return StoredThere(str(path)) if is_remote(path) else StoredHere(Path(path))


@dataclass(frozen=True)
class Folder:
    """A folder in which states are kept.

    Attributes
    ----------
    place
        Its path, or its address.
    """

    place: str

    def create(self) -> None:
        """Create it on this machine, unless it is there; stores have no folders."""
        if not is_remote(self.place):
            try:
                Path(self.place).mkdir(parents=True, exist_ok=True)
            except OSError as error:
                problem = f"the folder cannot be created: {error.strerror or reason(error)}."
                raise InputError(problem, source=self.place) from error

    def file(self, name: str) -> Stored:
        """Return a file of the folder."""
        return stored_at(f"{self.place.rstrip('/')}/{name}")

    def remove(self, names: Collection[str]) -> None:
        """Remove files if they are there, and what writers that were killed have left of them."""
        for name in names:
            self.file(name).remove()
        if is_remote(self.place) or not names:  # a store has no drafts
            return
        known = {_drafts(name) for name in names}
        length = len(next(iter(known)))
        for draft in Path(self.place).glob(f"{DRAFT}*"):
            if draft.name[:length] in known:
                draft.unlink(missing_ok=True)
