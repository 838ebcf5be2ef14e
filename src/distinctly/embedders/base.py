"""What all embedders share: texts in, one row of numbers a text out, and a signature."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Device
from distinctly.errors import InputError
from distinctly.score import spec_of

Vectors = NDArray[np.floating[Any]]


class Embedder(ABC):
    """Makes a vector of each text.

    Subclasses are frozen dataclasses, so that metrics of the same embedder share its vectors, and
    hold no model: that is loaded when first needed, once a process.

    Attributes
    ----------
    name
        As in a spec and a signature.
    batch
        How many texts it is given at once.
    extra
        What to install, as in ``distinctly[sbert]``; empty where nothing.
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    batch: ClassVar[int] = 1024

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row a text. A text in which it sees nothing has a vector of zeros."""

    def embed_on(self, device: Device, texts: Sequence[str]) -> Vectors:
        """Return one row per text, made on a device; embedders that know no devices ignore it."""
        return self.embed(texts)

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return what else can change a vector, for the signature: dimension, normalisation, revision."""

    def identity(self) -> str | None:
        """Return all that a vector depends on besides its text; None where that cannot be known.

        Vectors of embedders of one identity are kept together on disk, so it has the version or the
        hash of whatever makes them.
        """
        return None

    def title(self) -> str:
        """Return what a reader of the cache knows it by: a spec."""
        return spec_of(self.name, dict(self.options()))


def normalized(rows: Vectors) -> Vectors:
    """Scale vectors to length 1; those of zeros stay.

    Examples
    --------
    >>> normalized(np.array([[3.0, 4.0], [0.0, 0.0], [3e300, 4e300]])).tolist()
    [[0.6, 0.8], [0.0, 0.0], [0.6, 0.8]]
    """
    # Powers of 2 first, which change no digit, so that no square is too large or too small for a float.
    _, exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0, keepdims=True))
    scaled: Vectors = np.ldexp(rows, -exponents)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    np.divide(scaled, lengths, out=scaled, where=lengths > 0)
    return scaled


class Positional(Embedder):
    """One whose row i belongs to text i of all texts together, whatever the text is."""

    @abstractmethod
    def rows(self) -> Vectors:
        """Return all rows."""

    def file_name(self) -> str:
        """Return the file that they come from; nothing where there is none."""
        return ""

    def rows_for(self, texts: int) -> Vectors:
        """Return the rows, where there are as many as texts."""
        rows = self.rows()
        if len(rows) != texts:
            raise InputError(
                f"expected one vector a text, got {len(rows):,} for {texts:,} texts (a missing text that is "
                "skipped has none). Several corpora take an array or a file each: --vectors, or vectors=.",
                source=self.file_name(),
            )
        return rows

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the rows; these must be all texts, in their order."""
        return self.rows_for(len(texts))


def checked(rows: Any, texts: int | None, made_by: str) -> Vectors:
    """Return rows as an array of finite floats, one row a text, or say what is wrong with them.

    Examples
    --------
    >>> checked([[1, 0], [0, 1]], 2, "the embedder 'mine'").dtype
    dtype('float64')
    """
    try:
        array = np.asarray(rows)
    except Exception as error:  # rows of different lengths; tensors that are on a device
        raise InputError(f"expected {made_by} to give an array of one row a text: {error}.") from error
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(
            f"expected {made_by} to give a 2-D array of numbers, one row a text, "
            f"got shape {array.shape} of {array.dtype}."
        )
    if texts is not None and len(array) != texts:
        raise InputError(
            f"expected {made_by} to give one row a text, got {len(array)} rows for {texts} texts."
        )
    if array.shape[1] == 0 and len(array):
        raise InputError(f"expected {made_by} to give vectors of one dimension or more, got none.")
    made: Vectors = array.astype(
        np.float32 if array.dtype in (np.float16, np.float32) else np.float64, copy=False
    )
    broken = np.flatnonzero(~np.isfinite(made).all(axis=1))
    if len(broken):
        raise InputError(
            f"expected {made_by} to give finite numbers, got NaN or infinity in {len(broken)} of "
            f"{len(made)} rows (the first is row {broken[0]}, counted from 0)."
        )
    return made
