"""`vectors:<file>`: vectors that were made elsewhere, in a file of numpy."""

from __future__ import annotations

import functools
import hashlib
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from distinctly.embedders.base import Embedder, Vectors, checked
from distinctly.errors import InputError, SpecError


@dataclass(frozen=True, kw_only=True)
class FileVectors(Embedder):
    """The rows of a ``.npy`` file, or of the one table of numbers in a ``.npz`` file.

    Row i is the vector of text i, in the order in which the texts are read, and there are as many
    rows as texts. They are taken as they are.

    Attributes
    ----------
    source
        The path. A signature has its last part only.
    hash
        Of the file's content; an error where it is another. Equal content is the same embedder.
    """

    name: ClassVar[str] = "vectors"
    positional: ClassVar[bool] = True

    source: str = field(compare=False)
    hash: str = ""

    def __post_init__(self) -> None:
        path = Path(self.source).expanduser()
        if not self.source or path.suffix not in (".npy", ".npz"):
            raise SpecError(
                f"Expected a .npy or .npz file after 'vectors:', as in vectors:mine.npy, got '{self.source}'."
            )
        if not path.is_file():
            raise SpecError(f"No file '{self.source}' with vectors: expected a .npy or .npz file.")
        # In full, so that it is found from any folder, and in another process.
        object.__setattr__(self, "source", str(path.resolve()))
        found = _digest(path)
        if self.hash not in ("", found):
            raise SpecError(
                f"Expected vectors with the hash {self.hash} in '{path.name}', got {found}: "
                f"another file. Leave `hash={self.hash}` out to use it."
            )
        object.__setattr__(self, "hash", found)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the rows, where there are as many as texts."""
        rows = _loaded(self.source, self.hash)
        if len(rows) != len(texts):
            raise InputError(
                f"expected one row a text, got {len(rows)} rows for {len(texts)} texts (missing texts that "
                "are skipped have no row).",
                source=Path(self.source).name,
            )
        return rows

    def options(self) -> dict[str, str]:
        """Return the file's name, its dimension and the hash of its content."""
        dimension = str(_loaded(self.source, self.hash).shape[1])
        return {"name": f"./{Path(self.source).name}", "dim": dimension, "norm": "no", "hash": self.hash}


def _digest(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            total.update(piece)
    return total.hexdigest()[:16]


@functools.lru_cache(maxsize=2)  # of files that may be large
def _loaded(source: str, wanted: str) -> Vectors:
    path = Path(source)
    # Asked again, because the embedder may have been pickled, and the file have changed since.
    if _digest(path) != wanted:
        raise InputError("the vectors have changed since they were first read.", source=path.name)
    try:
        rows = np.load(path, allow_pickle=False)
        if not isinstance(rows, np.ndarray):
            rows = _only_table(rows, path.name)
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        if isinstance(error, InputError):
            raise
        raise InputError(
            f"expected an array of numpy, got another file: {error}.", source=path.name
        ) from error
    found = checked(rows, None, f"the file '{path.name}'")
    found.setflags(write=False)
    return found


def _only_table(arrays: Any, name: str) -> Any:
    with arrays:
        found = {key: arrays[key] for key in arrays.files}
    tables = [key for key, array in found.items() if array.ndim == 2 and array.dtype.kind == "f"]
    if len(tables) != 1:
        shapes = ", ".join(f"{key} {array.shape}" for key, array in found.items())
        raise InputError(f"expected one 2-D array of floats, got {len(tables)} among {shapes}.", source=name)
    return found[tables[0]]
