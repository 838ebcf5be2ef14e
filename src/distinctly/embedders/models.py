"""Models in files: what embedders share that load one and know it again by its content."""

from __future__ import annotations

import contextlib
import functools
import hashlib
import importlib
import importlib.util
import warnings
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import ClassVar

from distinctly.embedders.base import Embedder
from distinctly.embedders.cache import kept_dimension
from distinctly.errors import DistinctlyError, InputError, SpecError, missing_extra, reason
from distinctly.options import check_options, options_of, written


@dataclass(frozen=True, kw_only=True)
class Model(Embedder):
    """An embedder whose weights lie in files.

    Attributes
    ----------
    source
        A path, or a name. A signature has the name, or the last part of the path.
    norm
        Scale the vectors to length 1; otherwise they are as the model makes them.
    hash
        Of the content of the model's files; an error where it is another. Equal content is the same
        embedder.
    """

    packages: ClassVar[tuple[str, ...]]
    # A second or two of work on a CPU.
    batch: ClassVar[int] = 256

    source: str = field(compare=False)
    norm: bool = True
    hash: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if not self.source:
            raise SpecError(f"Expected a path or a name after '{self.name}:', got nothing.")
        for package in self.packages:
            if importlib.util.find_spec(package) is None:
                raise missing_extra(f"The embedder '{self.name}'", package, self.extra)
        path = Path(self.source).expanduser()
        if path.exists():
            # In full, so that it is found from any folder, and in another process.
            object.__setattr__(self, "source", str(path.resolve()))
        with loading(f"{self.name}:{self.source}", "Check that its files are there and can be read."):
            found = content_hash(self.files())
        if self.hash not in ("", found):
            raise SpecError(
                f"Expected a model with the hash {self.hash} at '{self.name}:{self.shown}', got {found}: "
                f"another model. Go back to that one, or leave `hash={self.hash}` out to use this one."
            )
        object.__setattr__(self, "hash", found)

    @abstractmethod
    def files(self) -> Sequence[Path]:
        """Return the files that its vectors depend on."""

    @property
    def shown(self) -> str:
        """What a signature calls the model: nothing of the machine's folders, and plainly no hub name."""
        path = Path(self.source)
        return f"./{path.name}" if path.is_absolute() else self.source

    def title(self) -> str:
        """Return a spec that finds the model again."""
        words = [f"{key}={value}" for key, value in self._choices().items()]
        return f"{self.name}:{','.join([self.shown, *words])}"

    def options(self) -> dict[str, str]:
        """Return the model's name, the dimension, the options and the hash."""
        return {"name": self.shown, "dim": str(_dimension(self)), **self._choices()}

    def identity(self) -> str:
        """Return the options and the hash: a model of another name is the same model."""
        return f"{self.name}:" + ",".join(f"{key}={value}" for key, value in self._choices().items())

    def _choices(self) -> dict[str, str]:
        chosen = {key: written(value) for key, value in options_of(self).items() if key != "source"}
        chosen["hash"] = chosen.pop("hash")  # comes last
        return chosen


@functools.lru_cache(maxsize=16)
def _dimension(model: Model) -> int:
    """Ask what is kept on disk first: a model takes seconds to load."""
    return kept_dimension(model) or model.embed(["a"]).shape[1]


def content_hash(files: Sequence[Path]) -> str:
    """Return what a signature says of some files: the start of the SHA-256 of their names and contents."""
    total = hashlib.sha256()
    for path in files:
        known = path.stat()
        hashed = _file_hash(path, (known.st_size, known.st_mtime_ns))
        total.update(f"{path.name}\0{known.st_size}\0{hashed}\0".encode())
    return total.hexdigest()[:16]


def unchanged(files: Sequence[Path], wanted: str) -> None:
    """Raise where files are others than those that an embedder was made with, maybe in another process."""
    if content_hash(files) != wanted:
        raise InputError("the model has changed since it was first read.", source=files[0].parent.name)


@functools.lru_cache(maxsize=256)
def _file_hash(path: Path, _state: tuple[int, int]) -> str:
    """Hash a file, once a process unless its size or its time has changed."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            total.update(piece)
    return total.hexdigest()


def imported(package: str, model: type[Model]) -> ModuleType:
    """Import an optional package, or say how to install it."""
    try:
        with warnings.catch_warnings():
            # What a package thinks of its own age is nothing that our users can mend.
            warnings.simplefilter("ignore")
            return importlib.import_module(package)
    except ImportError as error:
        raise missing_extra(f"The embedder '{model.name}'", package, model.extra) from error


@contextlib.contextmanager
def loading(title: str, remedy: str) -> Iterator[None]:
    """Turn whatever a library raises over a model that it cannot load into one clear error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except DistinctlyError:
        raise
    except Exception as error:  # libraries raise what they like
        raise SpecError(f"Cannot load the model '{title}' ({reason(error)}). {remedy}") from error
