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
from typing import Any, ClassVar

from distinctly.embedders.base import Embedder, share_of_unknown
from distinctly.embedders.cache import kept_dimension
from distinctly.errors import DistinctlyError, InputError, SpecError, reason
from distinctly.options import check_options, options_of, written

TOKENIZER = "tokenizer.json"


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
        for package in self.packages:
            if importlib.util.find_spec(package) is None:
                raise self.missing(package)
        path = Path(self.source).expanduser()
        if path.exists():
            # Absolute, so that it is found from any folder and in other processes.
            object.__setattr__(self, "source", str(path.resolve()))
        with loading(f"{self.name}:{self.source}", "Check that its files exist and can be read."):
            actual = content_hash(self.files())
        if self.hash not in ("", actual):
            raise SpecError(
                f"Expected a model with the hash {self.hash} at '{self.name}:{self.shown}', got {actual}: "
                f"another model. Restore the first model, or omit `hash={self.hash}` to use this one."
            )
        object.__setattr__(self, "hash", actual)

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


def imported(package: str, embedder: type[Embedder]) -> ModuleType:
    """Import an optional package; if it is missing, the error says how to install it."""
    try:
        with warnings.catch_warnings():
            # Users cannot fix the deprecation warnings of a package.
            warnings.simplefilter("ignore")
            return importlib.import_module(package)
    except ImportError as error:
        raise embedder.missing(package) from error


def load_tokenizer(file: Path, embedder: type[Embedder]) -> Any:
    """Load a ``tokenizer.json``; it truncates texts as the file says, and pads none."""
    tokenizer = imported("tokenizers", embedder).Tokenizer.from_file(str(file))
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
