"""`vectors:<file>`: vectors that were computed elsewhere, in a numpy or Parquet file."""

from __future__ import annotations

import functools
import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Positional, Vectors, checked, normalized
from distinctly.errors import InputError, SpecError, reason, unknown
from distinctly.options import check_options, written
from distinctly.ragged import Integers

ENDINGS = (".npy", ".npz", ".parquet")


@dataclass(frozen=True, kw_only=True)
class FileVectors(Positional):
    """The rows of a ``.npy`` file, of a table in a ``.npz`` file, or of a column of a Parquet file.

    Row i is the vector of text i, in the order in which the texts are read, and there is one row per text.
    A ``.npz`` file may contain an array of integers called ``row``, one per vector, with the number of the
    text of each vector (from 0). Comparisons then leave out the other texts.

    Attributes
    ----------
    source
        The path. A signature contains only its last part.
    column
        The column of lists of floats, or the table of a ``.npz`` file; not needed if there is only one.
    norm
        Scale the vectors to length 1; by default they are unchanged.
    hash
        The hash of the file; a different file is an error. Equal content means equal embedders.
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
            raise SpecError(f"A .npy file has no columns: omit `column={self.column}`.")
        if not path.is_file():
            raise SpecError(f"No file '{self.source}' with vectors: expected a .npy, .npz or .parquet file.")
        # Absolute, so that it is found from any folder and in other processes.
        object.__setattr__(self, "source", str(path.resolve()))
        actual = _digest(path)
        if self.hash not in ("", actual):
            raise SpecError(
                f"Expected vectors with the hash {self.hash} in '{path.name}', got {actual}: "
                f"another file. Omit `hash={self.hash}` to use it."
            )
        object.__setattr__(self, "hash", actual)

    def file_name(self) -> str:
        """Return the file's name."""
        return Path(self.source).name

    def rows(self) -> Vectors:
        """Return the rows of the file, which is read once per process."""
        return _loaded(self.source, self.column, self.norm, self.hash)

    def places(self) -> Integers | None:
        """Return the number of the text of each row; None if there is one row per text, in order."""
        path = Path(self.source)
        if path.suffix != ".npz":
            return None
        row = _numpy_arrays(path).get("row")
        if row is None or row.ndim != 1 or row.dtype.kind not in "iu" or len(row) != len(self.rows()):
            return None
        places: Integers = row.astype(np.int64)
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


@functools.lru_cache(maxsize=2)  # files may be large
def _loaded(source: str, column: str, norm: bool, wanted: str) -> Vectors:
    path = Path(source)
    # Checked again, since the file may have changed after the embedder was pickled.
    if _digest(path) != wanted:
        raise InputError("the vectors have changed since they were first read.", source=path.name)
    rows = _parquet_column(path, column) if path.suffix == ".parquet" else _numpy_table(path, column)
    vectors = checked(rows, None, f"the file '{path.name}'")
    vectors = normalized(vectors) if norm else vectors
    vectors.setflags(write=False)
    return vectors


def _numpy_table(path: Path, wanted: str) -> Any:
    arrays = _numpy_arrays(path)
    if "" in arrays:
        return arrays[""]
    tables = [key for key, array in arrays.items() if array.ndim == 2 and array.dtype.kind == "f"]
    shapes = [f"{key} {array.shape}" for key, array in arrays.items()]
    return arrays[_chosen(wanted, tables, "2-D array of floats", shapes, path)]


def _numpy_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """Return the arrays of a .npz file by name; the array of a .npy file has the empty name."""
    try:
        with path.open("rb") as file:
            contents = np.load(file, allow_pickle=False)
            if isinstance(contents, np.ndarray):
                return {"": contents}
            return {key: contents[key] for key in contents.files}
    # numpy parses the header as Python code, so that a damaged one raises almost anything.
    except Exception as error:
        raise InputError(
            f"expected a file of numpy arrays, got another file: {reason(error)}.", source=path.name
        ) from error


def _parquet_column(path: Path, wanted: str) -> Any:
    from pyarrow import ArrowInvalid, compute, parquet, types

    are_lists = (types.is_list, types.is_large_list, types.is_fixed_size_list)
    try:
        with parquet.ParquetFile(path) as file:
            schema = file.schema_arrow
            lists = [field for field in schema if any(is_list(field.type) for is_list in are_lists)]
            fitting = [field.name for field in lists if types.is_floating(field.type.value_type)]
            kinds = [f"{field.name} ({field.type})" for field in schema]
            name = _chosen(wanted, fitting, "column of lists of floats", kinds, path)
            column = file.read([name])[name]
    except (ArrowInvalid, OSError) as error:
        raise InputError(f"expected a Parquet file, got another file: {error}.", source=path.name) from error
    numbers = compute.list_flatten(column)
    lengths = compute.list_value_length(column).fill_null(0).to_numpy()
    if column.null_count or numbers.null_count:
        row = _first_missing(column, numbers, lengths)
        raise InputError(
            f"expected numbers in every row of '{name}', got missing values (the first in row {row}, counted "
            "from 0).",
            source=path.name,
        )
    if len(lengths) and lengths.min() != lengths.max():
        raise InputError(
            f"expected vectors of one dimension in '{name}', got {lengths.min()} to {lengths.max()}.",
            source=path.name,
        )
    return numbers.to_numpy().reshape(len(lengths), int(lengths.max(initial=0)))


def _first_missing(column: Any, numbers: Any, lengths: Integers) -> int:
    """Return the first row that is null or has a null among its numbers."""
    rows = np.flatnonzero(column.is_null().to_numpy())
    places = np.flatnonzero(numbers.is_null().to_numpy())
    inside = np.searchsorted(np.cumsum(lengths), places[:1], "right")
    return int(np.concatenate([rows, inside]).min())


def _chosen(wanted: str, fitting: list[str], what: str, present: list[str], path: Path) -> str:
    """Return the name of the requested table, or of the only suitable one."""
    if wanted:
        if wanted not in fitting:
            raise unknown("column", wanted, fitting, of=f"'{path.name}'")
        return wanted
    if len(fitting) != 1:
        remedy = " Choose one, as in vectors:FILE,column=NAME." if fitting else ""
        raise InputError(
            f"expected one {what}, got {len(fitting)} among {', '.join(present)}.{remedy}", source=path.name
        )
    return fitting[0]
