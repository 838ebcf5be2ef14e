"""`vectors:<file>`: vectors that were made elsewhere, in a file of numpy or a Parquet file."""

from __future__ import annotations

import functools
import hashlib
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from distinctly.embedders.base import Positional, Vectors, checked, normalized
from distinctly.errors import InputError, SpecError, unknown
from distinctly.options import check_options, written
from distinctly.ragged import Integers

ENDINGS = (".npy", ".npz", ".parquet")


@dataclass(frozen=True, kw_only=True)
class FileVectors(Positional):
    """The rows of a ``.npy`` file, of a table in a ``.npz`` file, or of a column of a Parquet file.

    Row i is the vector of text i, in the order in which the texts are read, and there are as many
    rows as texts. Where a ``.npz`` file has whole numbers called ``row``, one a vector, these say which texts
    (from 0) the vectors are of, for comparisons: the others are left out.

    Attributes
    ----------
    source
        The path. A signature has its last part only.
    column
        The column of lists of floats, or the table of a ``.npz`` file; not needed where there is but one.
    norm
        Scale the vectors to length 1; otherwise they are taken as they are.
    hash
        Of the file's content; an error where it is another. Equal content is the same embedder.
    """

    name: ClassVar[str] = "vectors"

    source: str = field(compare=False)
    column: str = ""
    norm: bool = False
    hash: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        path = Path(self.source).expanduser()
        if not self.source or path.suffix not in ENDINGS:
            raise SpecError(
                "Expected a .npy, .npz or .parquet file after 'vectors:', as in vectors:mine.npy, "
                f"got '{self.source}'."
            )
        if self.column and path.suffix == ".npy":
            raise SpecError(f"A .npy file has no columns: leave `column={self.column}` out.")
        if not path.is_file():
            raise SpecError(f"No file '{self.source}' with vectors: expected a .npy, .npz or .parquet file.")
        # In full, so that it is found from any folder, and in another process.
        object.__setattr__(self, "source", str(path.resolve()))
        found = _digest(path)
        if self.hash not in ("", found):
            raise SpecError(
                f"Expected vectors with the hash {self.hash} in '{path.name}', got {found}: "
                f"another file. Leave `hash={self.hash}` out to use it."
            )
        object.__setattr__(self, "hash", found)

    def file_name(self) -> str:
        """Return the file's name."""
        return Path(self.source).name

    def rows(self) -> Vectors:
        """Read the file, once a process."""
        return _loaded(self.source, self.column, self.norm, self.hash)

    def places(self) -> Integers | None:
        """Return which texts the rows are of; None where they are of all, in their order."""
        path = Path(self.source)
        if path.suffix != ".npz":
            return None
        with np.load(path, allow_pickle=False) as arrays:
            found = arrays["row"] if "row" in arrays.files else None
        if found is None or found.ndim != 1 or found.dtype.kind not in "iu" or len(found) != len(self.rows()):
            return None
        places: Integers = found.astype(np.int64)
        return places

    def options(self) -> dict[str, str]:
        """Return the file's name, its dimension, the options and the hash of its content."""
        return {
            "name": f"./{Path(self.source).name}",
            **({"column": self.column} if self.column else {}),
            "dim": str(self.rows().shape[1]),
            "norm": written(self.norm),
            "hash": self.hash,
        }


def _digest(path: Path) -> str:
    total = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(1 << 22):
            total.update(piece)
    return total.hexdigest()[:16]


@functools.lru_cache(maxsize=2)  # of files that may be large
def _loaded(source: str, column: str, norm: bool, wanted: str) -> Vectors:
    path = Path(source)
    # Asked again, because the embedder may have been pickled, and the file have changed since.
    if _digest(path) != wanted:
        raise InputError("the vectors have changed since they were first read.", source=path.name)
    rows = _parquet_column(path, column) if path.suffix == ".parquet" else _numpy_table(path, column)
    found = checked(rows, None, f"the file '{path.name}'")
    found = normalized(found) if norm else found
    found.setflags(write=False)
    return found


def _numpy_table(path: Path, wanted: str) -> Any:
    try:
        rows = np.load(path, allow_pickle=False)
        if isinstance(rows, np.ndarray):
            return rows
        with rows:
            arrays = {key: rows[key] for key in rows.files}
    except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
        raise InputError(
            f"expected an array of numpy, got another file: {error}.", source=path.name
        ) from error
    tables = [key for key, array in arrays.items() if array.ndim == 2 and array.dtype.kind == "f"]
    shapes = [f"{key} {array.shape}" for key, array in arrays.items()]
    return arrays[_chosen(wanted, tables, "2-D array of floats", shapes, path)]


def _parquet_column(path: Path, wanted: str) -> Any:
    from pyarrow import ArrowInvalid, compute, parquet, types

    are_lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            lists = [one for one in schema if any(is_list(one.type) for is_list in are_lists)]
            fitting = [one.name for one in lists if types.is_floating(one.type.value_type)]
            kinds = [f"{one.name} ({one.type})" for one in schema]
            name = _chosen(wanted, fitting, "column of lists of floats", kinds, path)
            column = file.read([name])[name]
    except (ArrowInvalid, OSError) as error:
        raise InputError(f"expected a Parquet file, got another: {error}.", source=path.name) from error
    numbers = compute.list_flatten(column)
    if column.null_count or numbers.null_count:
        raise InputError(f"expected numbers in every row of '{name}', got rows without.", source=path.name)
    lengths = compute.list_value_length(column).to_numpy()
    if len(lengths) and lengths.min() != lengths.max():
        raise InputError(
            f"expected vectors of one dimension in '{name}', got {lengths.min()} to {lengths.max()}.",
            source=path.name,
        )
    return numbers.to_numpy().reshape(len(lengths), int(lengths.max(initial=0)))


def _chosen(wanted: str, fitting: list[str], what: str, there_are: list[str], path: Path) -> str:
    """Return the name of the table that is meant: the one asked for, or the only one that fits."""
    if wanted:
        if wanted not in fitting:
            raise unknown("column", wanted, fitting, of=f"'{path.name}'")
        return wanted
    if len(fitting) != 1:
        remedy = " Choose one, as in vectors:FILE,column=NAME." if fitting else ""
        raise InputError(
            f"expected one {what}, got {len(fitting)} among {', '.join(there_are)}.{remedy}", source=path.name
        )
    return fitting[0]
