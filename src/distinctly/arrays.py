"""Where tables of numbers are worked on: by numpy, or by torch, on a GPU or not; one formula for both.

A formula is written with the functions of the array API standard (``device.xp``), which numpy and torch
both have, and with the few here that the standard lacks. The device changes the time, not the number.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from math import isqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import MissingExtraError, SpecError

Reals = NDArray[np.float64]

# Bytes of a block of a large table: on the CPU what is still near the processor.
CPU_BLOCK = 32_000_000
# Of what is free on a card, a block takes this part: a formula holds several at once.
GPU_SHARE = 0.08
# Entries that stay in the processor's nearest caches.
NEAR = 1 << 18
# The smallest of a row are looked for by groups of columns where that many can be made.
GROUPS = 6


@dataclass(frozen=True)
class Device:
    """Numpy (``cpu``), or torch on the CPU (``torch``) or on a GPU (``cuda``, ``cuda:1``, ``mps``).

    Attributes
    ----------
    name
        As in ``--device``.
    tf32
        Let a GPU multiply in TF32: faster, with about three digits.

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
            raise SpecError(f"TF32 is a way of multiplying that GPUs have: it needs cuda, got '{self.name}'.")
        if kind != "cpu":
            torch = _torch()
            ready = {
                "torch": True,
                "cuda": torch.cuda.is_available(),
                "mps": torch.backends.mps.is_available(),
            }
            if not ready[kind]:
                raise SpecError(
                    f"The device '{self.name}' cannot be used: torch finds none. Use --device cpu."
                )

    @property
    def is_numpy(self) -> bool:
        """Whether numpy does the work."""
        return self.name == "cpu"

    @property
    def torch_name(self) -> str:
        """The device as torch calls it."""
        return "cpu" if self.name == "torch" else self.name

    @property
    def xp(self) -> Any:
        """The functions of the array API standard, for arrays on this device."""
        return importlib.import_module(f"array_api_compat.{'numpy' if self.is_numpy else 'torch'}")

    def put(self, table: NDArray[Any]) -> Any:
        """Bring an array to the device; numpy's stays as it is."""
        if self.is_numpy:
            return table
        return _torch().from_numpy(np.ascontiguousarray(table)).to(self.torch_name)

    def take(self, array: Any) -> NDArray[Any]:
        """Bring an array back."""
        found: NDArray[Any] = array if self.is_numpy else array.cpu().numpy()
        return found

    def products(self, one: Any, other: Any) -> Any:
        """Return the product of each row of one with each row of the other."""
        if not self.tf32:
            return one @ other.T
        matrices = _torch().backends.cuda.matmul
        before = matrices.allow_tf32
        matrices.allow_tf32 = True
        try:
            return one @ other.T
        finally:
            matrices.allow_tf32 = before

    def smallest(self, table: Any, count: int) -> tuple[Any, Any]:
        """Return the smallest entries of each row, ascending, and where they are."""
        size = isqrt(int(table.shape[1]) // count) if count else 0
        if size >= GROUPS:
            return self._smallest_of_groups(table, count, size)
        if not self.is_numpy:
            found = _torch().topk(table, count, dim=1, largest=False, sorted=True)
            return found.values, found.indices
        if count < table.shape[1]:
            places = np.argpartition(table, count - 1, axis=1)[:, :count]
        else:
            places = np.broadcast_to(np.arange(table.shape[1]), table.shape)
        values = np.take_along_axis(table, places, 1)
        order = np.argsort(values, axis=1, kind="stable")
        return np.take_along_axis(values, order, 1), np.take_along_axis(places, order, 1)

    def _smallest_of_groups(self, table: Any, count: int, size: int) -> tuple[Any, Any]:
        """Do the same for wide tables, by the minima of groups of columns.

        Column c is in group c mod groups, so that minima are taken over whole stretches at once.
        """
        xp = self.xp
        rows, columns = int(table.shape[0]), int(table.shape[1])
        groups = columns // size
        minima = xp.min(xp.reshape(table[:, : size * groups], (rows, size, groups)), axis=1)
        if self.is_numpy:
            # As many entries as groups are not above the smallest of them: few others are.
            limits = np.partition(minima, count - 1, axis=1)[:, count - 1]
            values, looked_at = _up_to(table, limits)
        else:
            _, best = self.smallest(minima, count)
            within = self.put(np.arange(size) * groups)
            looked_at = xp.reshape(best[:, None, :] + within[None, :, None], (rows, size * count))
            rest = self.put(np.arange(size * groups, columns))
            looked_at = xp.concat([looked_at, xp.broadcast_to(rest, (rows, rest.shape[0]))], axis=1)
            values = xp.take_along_axis(table, looked_at, axis=1)
        values, places = self.smallest(values, count)
        return values, xp.take_along_axis(looked_at, places, axis=1)

    def below(self, table: Any, rows: Any, columns: Any | None) -> tuple[Any, Any, Any]:
        """Return which entries are not above the limit of their row or of their column, and these entries.

        Columns may have no limits.
        """
        width = int(table.shape[1])
        if self.is_numpy:
            flat = _flat_below(table, rows, columns)
        else:
            may = table <= rows[:, None]
            if columns is not None:
                may |= table <= columns[None, :]
            flat = self.xp.nonzero(self.xp.reshape(may, (-1,)))[0]
        return flat // width, flat % width, self.xp.reshape(table, (-1,))[flat]

    def triangle(self, table: Any) -> Any:
        """Return R of a table with more rows than columns: as many rows as columns, the same products."""
        if self.is_numpy:
            return np.linalg.qr(table, mode="r")
        return _torch().linalg.qr(table, mode="r").R

    def cholesky(self, matrix: Any) -> Any | None:
        """Return the lower triangle L with ``LLᵀ`` the matrix; None where it is not positive definite."""
        if self.is_numpy:
            try:
                return np.linalg.cholesky(matrix)
            except np.linalg.LinAlgError:
                return None
        found = _torch().linalg.cholesky_ex(matrix)
        return None if int(found.info) else found.L

    def eigenvalues(self, matrix: Any) -> Any:
        """Return the eigenvalues of a symmetric matrix, ascending."""
        if not self.is_numpy:
            return _torch().linalg.eigvalsh(matrix)
        from scipy.linalg import eigvalsh

        return eigvalsh(matrix)

    def sums_by_label(self, rows: Any, labels: Any, count: int) -> Any:
        """Add up, in float64, the rows of each label: as many sums as there are labels.

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

        chosen = np.ones(len(rows)), labels, np.arange(len(rows) + 1)
        return csc_array(chosen, shape=(count, len(rows))) @ rows

    def rows_a_block(self, columns: int, itemsize: int = 4) -> int:
        """Return how many rows of a table of so many columns make a block."""
        room: float = CPU_BLOCK
        if self.name.startswith("cuda"):
            room = _torch().cuda.mem_get_info(self.torch_name)[0] * GPU_SHARE
        return max(int(room / max(columns * itemsize, 1)), 1)


# Numpy on the CPU.
CPU = Device()


@functools.cache
def _torch() -> Any:
    try:
        import torch
    except ImportError as error:
        raise MissingExtraError(
            "Other devices than cpu need the package torch, which cannot be imported: "
            'pip install "distinctly[gpu]"'
        ) from error
    return torch


def _flat_below(table: NDArray[Any], rows: NDArray[Any], columns: NDArray[Any] | None) -> NDArray[np.int64]:
    """Find entries not above the limit of their row or column, some rows at a time, in room used again."""
    height, width = table.shape
    step = min(max(NEAR // max(width, 1), 1), max(height, 1))
    one, other = np.empty((step, width), np.bool_), np.empty((step, width), np.bool_)
    found = [np.zeros(0, np.int64)]
    for start in range(0, height, step):
        part = table[start : start + step]
        may = np.less_equal(part, rows[start : start + step, None], out=one[: len(part)])
        if columns is not None:
            may |= np.less_equal(part, columns, out=other[: len(part)])
        found.append(np.flatnonzero(may) + start * width)
    return np.concatenate(found)


def _up_to(table: NDArray[Any], limits: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.int64]]:
    """Return the entries of each row that are not above its limit, and their columns; infinity fills up."""
    rows, columns = np.divmod(_flat_below(table, limits, None), table.shape[1])
    counts = np.bincount(rows, minlength=len(table))
    places = np.arange(len(rows)) - np.repeat(np.cumsum(counts) - counts, counts)
    values = np.full((len(table), counts.max(initial=0)), np.inf, table.dtype)
    values[rows, places] = table[rows, columns]
    found = np.zeros(values.shape, np.int64)
    found[rows, places] = columns
    return values, found
