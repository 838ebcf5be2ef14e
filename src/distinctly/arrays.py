"""Computation on tables of numbers with numpy, or with torch on a CPU or GPU; one formula for both.

A formula uses the functions of the array API standard (``device.xp``), which numpy and torch both have,
and the functions here, which the standard lacks. The device changes the time, not the value.
"""

from __future__ import annotations

import functools
import importlib
import os
import sys
import threading
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import MissingExtraError, SpecError

Reals = NDArray[np.float64]

# The number of bytes per block of a large table on the CPU: what fits the caches.
CPU_BLOCK = 32_000_000
# The share of the free GPU memory per block; a formula holds several blocks at once.
GPU_SHARE = 0.08
# The number of entries that stay in the nearest caches of the processor.
NEAR = 1 << 18
# The smallest entries of a row are searched in groups of columns if the groups have at least this size.
GROUPS = 6
# A matrix up to this size is decomposed by one thread, and so is a product of at most as many multiplications
# computed (some milliseconds): several threads wait for each other.
SMALL_MATRIX, SMALL_PRODUCT = 1024, 1 << 27


@dataclass(frozen=True)
class Device:
    """Numpy (``cpu``), or torch on the CPU (``torch``) or on a GPU (``cuda``, ``cuda:1``, ``mps``).

    Attributes
    ----------
    name
        The name, as in ``--device``.
    tf32
        Multiply in TF32 on a GPU: faster, accurate to about three digits.

    Examples
    --------
    >>> device = Device()
    >>> values, places = device.smallest(device.put(np.array([[3.0, 1.0, 2.0]])), 2)
    >>> values.tolist(), places.tolist()
    ([[1.0, 2.0]], [[1, 2]])
    """

    name: str = "cpu"
    tf32: bool = False

    def __post_init__(self) -> None:
        kind = self.name.partition(":")[0]
        if kind not in ("cpu", "torch", "cuda", "mps"):
            raise SpecError(f"Expected a device such as cpu, cuda or cuda:1, got '{self.name}'.")
        if self.tf32 and kind != "cuda":
            raise SpecError(f"TF32 needs a GPU: use --device cuda, got '{self.name}'.")
        if kind != "cpu":
            torch = _torch()
            available = {
                "torch": True,
                "cuda": torch.cuda.is_available(),
                "mps": torch.backends.mps.is_available(),
            }
            if not available[kind]:
                raise SpecError(
                    f"The device '{self.name}' is not available: torch does not find it. Use --device cpu."
                )

    @property
    def is_numpy(self) -> bool:
        """Whether arrays are numpy arrays."""
        return self.name == "cpu"

    @property
    def torch_name(self) -> str:
        """The name of the device in torch."""
        return "cpu" if self.name == "torch" else self.name

    @property
    def xp(self) -> Any:
        """The functions of the array API standard, for arrays on this device."""
        return importlib.import_module(f"array_api_compat.{'numpy' if self.is_numpy else 'torch'}")

    def put(self, table: NDArray[Any]) -> Any:
        """Copy an array to the device; with numpy, return it as it is."""
        if self.is_numpy:
            return table
        return _torch().from_numpy(np.ascontiguousarray(table)).to(self.torch_name)

    def take(self, array: Any) -> NDArray[Any]:
        """Copy an array from the device to a numpy array."""
        taken: NDArray[Any] = array if self.is_numpy else array.cpu().numpy()
        return taken

    def products(self, left: Any, right: Any) -> Any:
        """Return the product of each row of `left` with each row of `right`."""
        if self.is_numpy:
            with threads_for(left.size * len(right)):
                return left @ right.T
        if not self.tf32:
            return left @ right.T
        matrices = _torch().backends.cuda.matmul
        before = matrices.allow_tf32
        matrices.allow_tf32 = True
        try:
            return left @ right.T
        finally:
            matrices.allow_tf32 = before

    def smallest(self, table: Any, count: int) -> tuple[Any, Any]:
        """Return the `count` smallest entries of each row, ascending, and their columns."""
        size = isqrt(int(table.shape[1]) // count) if count else 0
        if size >= GROUPS:
            return self._smallest_of_groups(table, count, size)
        return self._smallest_of_all(table, count)

    def _smallest_of_all(self, table: Any, count: int) -> tuple[Any, Any]:
        """Do the same by looking at all entries."""
        if not self.is_numpy:
            smallest = _torch().topk(table, count, dim=1, largest=False, sorted=True)
            return smallest.values, smallest.indices
        if count < table.shape[1]:
            places = np.argpartition(table, count - 1, axis=1)[:, :count]
        else:
            places = np.broadcast_to(np.arange(table.shape[1]), table.shape)
        values = np.take_along_axis(table, places, 1)
        order = np.argsort(values, axis=1, kind="stable")
        return np.take_along_axis(values, order, 1), np.take_along_axis(places, order, 1)

    def _smallest_of_groups(self, table: Any, count: int, size: int) -> tuple[Any, Any]:
        """Do the same for wide tables, with the minima of groups of columns.

        Column c is in group c mod groups, so that minima are computed over contiguous columns.
        """
        xp = self.xp
        rows, columns = int(table.shape[0]), int(table.shape[1])
        groups = columns // size
        minima = xp.min(xp.reshape(table[:, : size * groups], (rows, size, groups)), axis=1)
        if self.is_numpy:
            # At least `count` entries, and few more, are not above the `count`-th smallest minimum.
            limits = np.partition(minima, count - 1, axis=1)[:, count - 1]
            values, examined = _up_to(table, limits)
        else:
            _, best = self.smallest(minima, count)
            within = self.put(np.arange(size) * groups)
            examined = xp.reshape(best[:, None, :] + within[None, :, None], (rows, size * count))
            rest = self.put(np.arange(size * groups, columns))
            examined = xp.concat([examined, xp.broadcast_to(rest, (rows, rest.shape[0]))], axis=1)
            values = xp.take_along_axis(table, examined, axis=1)
        # If most entries are equal, these are as many as before, so they are not put into groups again.
        values, places = self._smallest_of_all(values, count)
        return values, xp.take_along_axis(examined, places, axis=1)

    def below(self, table: Any, rows: Any, columns: Any | None) -> tuple[Any, Any, Any]:
        """Return the entries that are not above the limit of their row or column, after their places.

        Parameters
        ----------
        table
            The entries.
        rows, columns
            The limit of each row and of each column; `columns` may be None.

        Returns
        -------
        rows, columns, entries
            The row, the column and the value of each such entry.
        """
        width = int(table.shape[1])
        if self.is_numpy:
            flat = _flat_below(table, rows, columns)
        else:
            is_below = table <= rows[:, None]
            if columns is not None:
                is_below |= table <= columns[None, :]
            flat = self.xp.nonzero(self.xp.reshape(is_below, (-1,)))[0]
        return flat // width, flat % width, self.xp.reshape(table, (-1,))[flat]

    def triangle(self, table: Any) -> Any:
        """Return the factor R of the QR decomposition of a table with more rows than columns."""
        if self.is_numpy:
            with threads_for(table.size * table.shape[1]):
                return np.linalg.qr(table, mode="r")
        return _torch().linalg.qr(table, mode="r").R

    def cholesky(self, matrix: Any) -> Any | None:
        """Return L, lower triangular, with ``LLᵀ`` equal to the matrix; None if not positive definite."""
        if self.is_numpy:
            try:
                with threads_to_decompose(len(matrix)):
                    return np.linalg.cholesky(matrix)
            except np.linalg.LinAlgError:
                return None
        factor = _torch().linalg.cholesky_ex(matrix)
        return None if int(factor.info) else factor.L

    def eigenvalues(self, matrix: Any) -> Any:
        """Return the eigenvalues of a symmetric matrix, ascending; a large matrix is overwritten."""
        if not self.is_numpy:
            return _torch().linalg.eigvalsh(matrix)
        from scipy.linalg import eigvalsh

        if len(matrix) > SMALL_MATRIX:
            # The transpose has the order of columns that LAPACK needs, so that it is not copied.
            return eigvalsh(matrix.T, overwrite_a=True)
        with threads_to_decompose(len(matrix)):
            return eigvalsh(matrix)

    def singular_values(self, matrix: Any) -> Any:
        """Return the singular values of a matrix, descending."""
        if not self.is_numpy:
            return _torch().linalg.svdvals(matrix)
        with threads_to_decompose(max(matrix.shape)):
            return np.linalg.svd(matrix, compute_uv=False)

    def sums_by_label(self, rows: Any, labels: Any, count: int) -> Any:
        """Return the sum of the rows of each of `count` labels, in float64.

        Examples
        --------
        >>> Device().sums_by_label(np.array([[1.0], [2.0], [4.0]]), np.array([0, 2, 0]), 3).tolist()
        [[5.0], [0.0], [2.0]]
        """
        if not self.is_numpy:
            torch = _torch()
            sums = torch.zeros(count, rows.shape[1], dtype=torch.float64, device=rows.device)
            return sums.index_add_(0, labels, rows.to(torch.float64))
        from scipy.sparse import csc_array

        indicators = np.ones(len(rows)), labels, np.arange(len(rows) + 1)
        return csc_array(indicators, shape=(count, len(rows))) @ rows

    def rows_per_block(self, columns: int, itemsize: int = 4) -> int:
        """Return the number of rows per block of a table with `columns` columns."""
        size: float = CPU_BLOCK
        if self.name.startswith("cuda"):
            size = _torch().cuda.mem_get_info(self.torch_name)[0] * GPU_SHARE
        return max(int(size / max(columns * itemsize, 1)), 1)


CPU = Device()


def threads_for(multiplications: int) -> AbstractContextManager[Any]:
    """Return a context in which numerical libraries use one thread, if they have few numbers to multiply.

    Threads that wait for each other take a hundred times as long on a busy machine. Sums in another order, as
    by several threads, also differ in their last bits.
    """
    return _ONE_THREAD if multiplications <= SMALL_PRODUCT else nullcontext()


def threads_to_decompose(size: int) -> AbstractContextManager[Any]:
    """Return a context in which numerical libraries use one thread, if a matrix is small."""
    return _ONE_THREAD if size <= SMALL_MATRIX else nullcontext()


class _OneThread(AbstractContextManager[None]):
    """Numerical libraries use one thread until the first thread of Python in the context leaves it.

    The number of threads is that of the process, so that it is set and restored by one thread of Python.
    """

    def __init__(self) -> None:
        self.forget_threads()

    def forget_threads(self) -> None:
        """Begin without the threads of another process, which may have been in the context."""
        self._lock = threading.Lock()
        self._owner = self._depth = 0
        self._limit: Any = None

    def __enter__(self) -> None:
        with self._lock:
            if not self._depth:
                self._owner = threading.get_ident()
                libraries = _numerical_libraries("scipy.linalg" in sys.modules)
                self._limit = libraries.limit(limits=1, user_api="blas")
                self._limit.__enter__()
            self._depth += self._owner == threading.get_ident()

    def __exit__(self, *error: object) -> None:
        with self._lock:
            if not self._depth or self._owner != threading.get_ident():
                return
            self._depth -= 1
            if not self._depth:
                self._limit.__exit__(*error)


_ONE_THREAD = _OneThread()
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_ONE_THREAD.forget_threads)


@functools.cache
def _numerical_libraries(_scipy_is_loaded: bool) -> Any:
    """Return the libraries whose number of threads can be limited; scipy loads another one."""
    from threadpoolctl import ThreadpoolController

    return ThreadpoolController()


def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            "Devices other than cpu need the package torch, which cannot be imported: "
            'pip install "distinctly[gpu]"'
        ) from error
    return torch


def _flat_below(table: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any] | None) -> NDArray[np.int64]:
    """Return the flat positions of entries not above the limit of their row or column.

    Blocks of rows share two buffers.
    """
    height, width = table.shape
    step = min(max(NEAR // max(width, 1), 1), max(height, 1))
    by_row, by_column = np.empty((step, width), np.bool_), np.empty((step, width), np.bool_)
    positions = [np.zeros(0, np.int64)]
    for start in range(0, height, step):
        part = table[start : start + step]
        is_below = np.less_equal(part, rows[start : start + step, None], out=by_row[: len(part)])
        if columns is not None:
            is_below |= np.less_equal(part, columns, out=by_column[: len(part)])
        positions.append(np.flatnonzero(is_below) + start * width)
    return np.concatenate(positions)


def _up_to(table: NDArray[Any], limits: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the entries of each row that are not above its limit, padded by infinity, and their columns."""
    rows, columns = np.divmod(_flat_below(table, limits, None), table.shape[1])
    counts = np.bincount(rows, minlength=len(table))
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.full((len(table), counts.max(initial=0)), np.inf, table.dtype)
    values[rows, places] = table[rows, columns]
    value_columns = np.zeros(values.shape, np.int64)
    value_columns[rows, places] = columns
    return values, value_columns
