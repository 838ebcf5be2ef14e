"""The base class of embedders: from texts to one vector per text."""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Device
from distinctly.errors import InputError, MissingExtraError, missing_extra
from distinctly.loading import is_elsewhere
from distinctly.score import spec_of
from distinctly.strings import Script

Vectors = NDArray[np.floating[Any]]
# A subword that stands for a byte of a character that is not in the vocabulary.
_BYTE = re.compile(r"<0x[0-9A-F]{2}>")


class Embedder(ABC):
    """Computes one vector per text.

    Subclasses are frozen dataclasses, so that metrics with equal embedders share vectors. They do not
    hold a model: it is loaded when it is first needed, once per process.

    Attributes
    ----------
    name
        The name in a spec and a signature.
    batch
        The number of texts per call.
    extra
        The extra to install, as in ``distinctly[sbert]``; empty if none is needed.
    then
        A command that installs what an extra cannot contain; empty if there is none.
    scripts
        The scripts that the model was trained on; empty if they are unknown. Its vocabulary may have letters
        of other scripts, too.
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    then: ClassVar[str] = ""
    batch: ClassVar[int] = 1024
    scripts: ClassVar[tuple[Script, ...]] = ()

    @classmethod
    def needs_trust(cls, source: str) -> str:
        """Return what is named by a source that a stranger must not choose, as part of a sentence.

        That is a file outside the working folder, or a model that runs code. Empty if there is nothing.
        """
        return f"the file '{source}', outside the working folder" if is_elsewhere(source) else ""

    @classmethod
    def missing(cls, package: str) -> MissingExtraError:
        """Return the error for a package that is not installed, with the command that installs it."""
        return missing_extra(f"The embedder '{cls.name}'", package, cls.extra, cls.then)

    @abstractmethod
    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return one row per text. A text without content for the embedder has a vector of zeros."""

    def embed_on(self, device: Device, texts: Sequence[str]) -> Vectors:
        """Return one row per text, computed on a device if the embedder supports devices."""
        return self.embed(texts)

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return everything else that can change a vector, for the signature: dimension, scaling, version."""

    def known_dimension(self) -> int | None:
        """Return the dimension of the vectors if it is known without computing one; None otherwise."""
        return None

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of subwords of texts that the embedder does not know; None if it cannot tell."""
        return None

    def identity(self) -> str | None:
        """Return everything that a vector depends on besides its text; None if that is unknown.

        Embedders with the same identity share vectors on disk, so it contains the version or the hash of
        the model.
        """
        return None

    def title(self) -> str:
        """Return the name of the embedder in the cache: a spec."""
        return spec_of(self.name, dict(self.options()))


def share_of_unknown(tokenizer: Any, texts: Sequence[str]) -> float | None:
    """Return the share of subwords that are unknown, or bytes in place of a character.

    Parameters
    ----------
    tokenizer
        A tokenizer of the package tokenizers.
    texts
        Texts; None is returned if they have no subwords, or cannot be encoded in UTF-8.
    """
    try:
        encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
    except (TypeError, UnicodeEncodeError):
        return None
    unknown = getattr(tokenizer.model, "unk_token", None)
    subwords = [subword for encoding in encodings for subword in encoding.tokens]
    if not subwords:
        return None
    missing = [subword for subword in subwords if subword == unknown or _BYTE.fullmatch(subword)]
    return len(missing) / len(subwords)


def normalized(rows: Vectors) -> Vectors:
    """Scale vectors to length 1; vectors of zeros are unchanged.

    Examples
    --------
    >>> normalized(np.array([[3.0, 4.0], [0.0, 0.0], [3e300, 4e300]])).tolist()
    [[0.6, 0.8], [0.0, 0.0], [0.6, 0.8]]
    """
    # Scale by powers of 2 first, which is exact, so that no square overflows or underflows.
    _, exponents = np.frexp(np.abs(rows).max(axis=1, initial=0.0, keepdims=True))
    scaled: Vectors = np.ldexp(rows, -exponents)
    lengths = np.linalg.norm(scaled, axis=1, keepdims=True)
    np.divide(scaled, lengths, out=scaled, where=lengths > 0)
    return scaled


class Positional(Embedder):
    """An embedder whose row i is the vector of text i, regardless of the content of the text."""

    @abstractmethod
    def rows(self) -> Vectors:
        """Return all rows."""

    def file_name(self) -> str:
        """Return the name of the file with the rows; empty if there is none."""
        return ""

    def rows_for(self, texts: int) -> Vectors:
        """Return the rows; raise an error unless there is one row per text."""
        rows = self.rows()
        if len(rows) != texts:
            raise InputError(
                f"expected one vector per text, got {len(rows):,} for {texts:,} texts (a missing text that "
                "is skipped has none). Several corpora need one array or file each: --vectors (Python: "
                "vectors=).",
                source=self.file_name(),
            )
        return rows

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the rows; `texts` must be all texts, in their order."""
        return self.rows_for(len(texts))


def checked(rows: Any, texts: int | None, made_by: str) -> Vectors:
    """Return rows as an array of finite floats, one row per text; raise an error if they are not.

    Examples
    --------
    >>> checked([[1, 0], [0, 1]], 2, "the embedder 'mine'").dtype
    dtype('float64')
    """
    try:
        array = np.asarray(rows)
    except Exception as error:  # rows of different lengths, or tensors on a GPU
        raise InputError(f"expected {made_by} to give an array of one row per text: {error}.") from error
    if array.ndim != 2 or array.dtype.kind not in "fiu":
        raise InputError(
            f"expected {made_by} to give a 2-D array of numbers, one row per text, "
            f"got shape {array.shape} of {array.dtype}."
        )
    if texts is not None and len(array) != texts:
        raise InputError(
            f"expected {made_by} to give one row per text, got {len(array)} rows for {texts} texts."
        )
    if array.shape[1] == 0 and len(array):
        raise InputError(f"expected {made_by} to give vectors of one dimension or more, got none.")
    vectors: Vectors = array.astype(
        np.float32 if array.dtype in (np.float16, np.float32) else np.float64, copy=False
    )
    if not np.isfinite(vectors).all():
        invalid = np.flatnonzero(~np.isfinite(vectors).all(axis=1))
        raise InputError(
            f"expected {made_by} to give finite numbers, got NaN or infinity in {len(invalid)} of "
            f"{len(vectors)} rows (the first is row {invalid[0]}, counted from 0). Compute these vectors "
            "again, or leave their texts out."
        )
    return vectors
