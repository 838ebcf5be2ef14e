"""The base class of embedders with a model in files, which is identified by its content."""

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
from typing import Any, ClassVar, Protocol

from distinctly.embedders.base import Embedder, share_of_unknown
from distinctly.embedders.cache import kept_dimension
from distinctly.errors import DistinctlyError, InputError, MissingExtraError, SpecError, reason
from distinctly.options import check_options, options_of, written

TOKENIZER = "tokenizer.json"
UNREADABLE = "Check that its files exist and can be read."


class NeedsPackages(Protocol):
    """A class that needs optional packages, such as an embedder."""

    @property
    def name(self) -> str:
        """Its name in errors."""

    def missing(self, package: str) -> MissingExtraError:
        """Return the error for a package that is not installed, with the command that installs it."""


@dataclass(frozen=True, kw_only=True)
class Model(Embedder):
    """An embedder whose weights are in files.

    Attributes
    ----------
    source
        A path, or a name. A signature contains the name, or the last part of the path.
    norm
        Scale the vectors to length 1; otherwise they are the output of the model.
    hash
        The hash of the model files; different files are an error. Equal content means equal embedders.
    """

    packages: ClassVar[tuple[str, ...]]
    # One or two seconds of work on a CPU.
    batch: ClassVar[int] = 256

    source: str = field(compare=False)
    norm: bool = True
    hash: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if not self.source:
            raise SpecError(f"Expected a path or a name after '{self.name}:', got nothing.")
        require(self.packages, type(self))
        object.__setattr__(self, "source", absolute(self.source))
        with loading(f"{self.name}:{self.source}", UNREADABLE):
            files = self.files()
            object.__setattr__(self, "hash", checked_hash(files, self.hash, f"{self.name}:{self.shown}"))

    @abstractmethod
    def files(self) -> Sequence[Path]:
        """Return the files that the vectors depend on."""

    @property
    def shown(self) -> str:
        """The name of the model in a signature: without its folders, and distinct from a hub name."""
        path = Path(self.source)
        return f"./{path.name}" if path.is_absolute() else self.source

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of unknown subwords by the ``tokenizer.json`` of the model, if there is one."""
        settings = next((path for path in self.files() if path.name == TOKENIZER), None)
        if settings is None:
            return None
        with loading(self.title(), "Check that its tokenizer.json can be read."):
            return share_of_unknown(load_tokenizer(settings, type(self)), texts)

    def title(self) -> str:
        """Return the spec of the model."""
        words = [f"{key}={value}" for key, value in self._choices().items()]
        return f"{self.name}:{','.join([self.shown, *words])}"

    def options(self) -> dict[str, str]:
        """Return the model's name, the dimension, the options and the hash."""
        return {"name": self.shown, "dim": str(_dimension(self)), **self._choices()}

    def identity(self) -> str:
        """Return the options and the hash: the name of a model does not matter."""
        return f"{self.name}:" + ",".join(f"{key}={value}" for key, value in self._choices().items())

    def _choices(self) -> dict[str, str]:
        choices = {key: written(value) for key, value in options_of(self).items() if key != "source"}
        choices["hash"] = choices.pop("hash")  # moved to the end
        return choices


@functools.lru_cache(maxsize=16)
def _dimension(model: Model) -> int:
    """Return the dimension, from the vectors on disk if there are any: loading a model takes seconds."""
    return kept_dimension(model) or model.embed(["a"]).shape[1]


def absolute(source: str) -> str:
    """Return the absolute path of a model, so that it is found from any folder and in other processes.

    A name that is no path is returned as it is.
    """
    path = Path(source).expanduser()
    return str(path.resolve()) if path.exists() else source


def checked_hash(files: Sequence[Path], wanted: str, title: str) -> str:
    """Return the hash of the files of a model; raise if another one is wanted."""
    actual = content_hash(files)
    if wanted not in ("", actual):
        raise SpecError(
            f"Expected a model with the hash {wanted} at '{title}', got {actual}: another model. Restore the "
            f"first model, or omit `hash={wanted}` to use this one."
        )
    return actual


def content_hash(files: Sequence[Path]) -> str:
    """Return the hash of files in a signature: 16 digits of the SHA-256 of their names and contents."""
    total = hashlib.sha256()
    for path in files:
        status = path.stat()
        file_hash = _file_hash(path, (status.st_size, status.st_mtime_ns))
        total.update(f"{path.name}\0{status.st_size}\0{file_hash}\0".encode())
    return total.hexdigest()[:16]


def unchanged(files: Sequence[Path], wanted: str) -> None:
    """Raise an error if files have changed since the embedder was created, maybe in another process."""
    if content_hash(files) != wanted:
        raise InputError("the model has changed since it was first read.", source=files[0].parent.name)


@functools.lru_cache(maxsize=256)
def _file_hash(path: Path, _state: tuple[int, int]) -> str:
    """Return the hash of a file; cached per process until its size or its time changes."""
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            total.update(piece)
    return total.hexdigest()


def require(packages: Sequence[str], user: NeedsPackages) -> None:
    """Raise an error that says how to install a package, if one is missing; none is imported."""
    for package in packages:
        if importlib.util.find_spec(package) is None:
            raise user.missing(package)


def imported(package: str, user: NeedsPackages) -> ModuleType:
    """Import an optional package; if it is missing, the error says how to install it."""
    try:
        with warnings.catch_warnings():
            # Users cannot fix the deprecation warnings of a package.
            warnings.simplefilter("ignore")
            return importlib.import_module(package)
    except ImportError as error:
        raise user.missing(package) from error


def load_tokenizer(file: Path, user: NeedsPackages) -> Any:
    """Load a ``tokenizer.json``; it truncates texts as the file says, and pads none."""
    tokenizer = imported("tokenizers", user).Tokenizer.from_file(str(file))
    tokenizer.no_padding()
    return tokenizer


@contextlib.contextmanager
def loading(title: str, remedy: str) -> Iterator[None]:
    """Replace any error of a library that cannot load a model by one clear error."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            yield
    except (DistinctlyError, MemoryError):
        raise
    except Exception as error:  # libraries raise errors of many classes
        raise SpecError(f"Cannot load the model '{title}' ({reason(error)}). {remedy}") from error
