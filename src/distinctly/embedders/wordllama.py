"""`wordllama`: the mean of static word vectors, from a package that brings them along."""

from __future__ import annotations

import functools
import importlib.metadata
import logging
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Embedder, Vectors, normalized
from distinctly.errors import InputError, MissingExtraError, SpecError
from distinctly.options import check_options, written
from distinctly.ragged import bounds_of

PACKAGE = "wordllama"
DIMENSIONS = (64, 128, 256)


@dataclass(frozen=True, kw_only=True)
class WordLlama(Embedder):
    """The mean of the vectors of a text's subwords, by WordLlama; needs no network and no GPU.

    Subwords, their order left aside, are what it sees: a quick stand-in for a sentence encoder,
    close to one on topics, behind one on finer differences of meaning. It is trained on English.
    A text without a subword has a vector of zeros.

    Attributes
    ----------
    dim
        How many of the 256 dimensions to keep: 256, or the first 128 or 64.
    norm
        Scale the vectors to length 1.
    version
        Of the package; an error where another one is installed.

    Examples
    --------
    >>> vectors = WordLlama().embed(["a cat", ""])
    >>> vectors.shape, np.linalg.norm(vectors, axis=1).round(4).tolist()
    ((2, 256), [1.0, 0.0])
    """

    name: ClassVar[str] = "wordllama"

    dim: int = 256
    norm: bool = True
    version: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if self.dim not in DIMENSIONS:
            raise SpecError(f"Expected `dim` of 'wordllama' to be 64, 128 or 256, got {self.dim}.")
        found = _installed_version()
        if self.version not in ("", found):
            raise SpecError(
                f"Expected version {self.version} of 'wordllama', got {found}, whose vectors may differ: "
                f'pip install "{PACKAGE}=={self.version}", or leave `version={self.version}` out.'
            )
        object.__setattr__(self, "version", found)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Cut the texts, and take the mean of their subwords' vectors."""
        from scipy.sparse import csr_matrix

        weights, tokenizer = _loaded()
        try:
            pieces = [one.ids for one in tokenizer.encode_batch(list(texts), add_special_tokens=False)]
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                "expected texts that can be written in UTF-8, got one with half a surrogate pair. "
                "Take it out, or choose another embedder than 'wordllama'."
            ) from error
        lengths = np.array([len(ids) for ids in pieces], np.int64)
        ids = np.fromiter((one for row in pieces for one in row), np.int64, int(lengths.sum()))
        # As the package does with subwords that it has no vector of.
        np.clip(ids, 0, len(weights) - 1, out=ids)
        # A product with ones adds up a text's vectors in their order, without padding all texts to
        # the longest, so that no other text of a batch has a bearing on memory or rounding.
        ones = csr_matrix(
            (np.ones(len(ids), np.float32), ids, bounds_of(lengths)), (len(texts), len(weights))
        )
        found: NDArray[np.float32] = ones @ weights / np.maximum(lengths, 1).astype(np.float32)[:, None]
        found = found[:, : self.dim]
        return normalized(found) if self.norm else found

    def options(self) -> dict[str, str]:
        """Return the dimension, whether vectors have length 1, and the package's version."""
        return {"dim": str(self.dim), "norm": written(self.norm), "version": self.version}

    def identity(self) -> str:
        """Return what the signature says: the version stands for the weights."""
        return self._identity

    @functools.cached_property
    def _identity(self) -> str:
        return self.title()


def _missing() -> MissingExtraError:
    return MissingExtraError(
        f"The embedder 'wordllama' needs the package {PACKAGE}, which cannot be imported: "
        f"pip install {PACKAGE}"
    )


def _installed_version() -> str:
    """Ask for the version without importing the package."""
    try:
        return importlib.metadata.version(PACKAGE)
    except importlib.metadata.PackageNotFoundError as error:
        raise _missing() from error


@functools.lru_cache(maxsize=1)
def _loaded() -> tuple[NDArray[np.float32], Any]:
    """Load the weights and the tokenizer from the package itself."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        import wordllama
    except ImportError as error:
        raise _missing() from error
    finally:
        # Importing it sets up logging for the whole process, which is not ours to change.
        root.handlers[:] = handlers
        root.setLevel(level)
    # Without a folder it looks for its tokenizer in the user's cache, and downloads it.
    folder = Path(wordllama.__file__).parent
    try:
        model = wordllama.WordLlama.load(cache_dir=folder, dim=256, disable_download=True)
    except FileNotFoundError as error:
        raise MissingExtraError(
            f"The package {PACKAGE} {_installed_version()} has no weights or no tokenizer of its own "
            f'({error}): pip install "{PACKAGE}>=0.3.9"'
        ) from error
    model.tokenizer.no_padding()
    model.tokenizer.no_truncation()
    return model.embedding, model.tokenizer
