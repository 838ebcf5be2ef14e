"""`wordllama`: the mean of static word vectors, from a package that includes them."""

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

from distinctly.embedders.base import Embedder, Vectors, normalized, share_of_unknown
from distinctly.errors import InputError, MissingExtraError, SpecError
from distinctly.options import check_options, written
from distinctly.ragged import bounds_of
from distinctly.strings import Script

PACKAGE = "wordllama"
DIMENSIONS = (64, 128, 256)


@dataclass(frozen=True, kw_only=True)
class WordLlama(Embedder):
    """The mean of the vectors of a text's subwords, by WordLlama; needs neither network nor GPU.

    It ignores the order of subwords. It is a fast substitute for a sentence encoder: close to one on
    topics, less precise on finer differences of meaning. It is trained on English. A text without subwords
    has a vector of zeros.

    Attributes
    ----------
    dim
        The number of dimensions to keep: all 256, or the first 128 or 64.
    norm
        Scale the vectors to length 1.
    version
        The version of the package; any other version is an error.

    Examples
    --------
    >>> vectors = WordLlama().embed(["a cat", ""])
    >>> vectors.shape, np.linalg.norm(vectors, axis=1).round(4).tolist()
    ((2, 256), [1.0, 0.0])
    """

    name: ClassVar[str] = "wordllama"
    scripts: ClassVar[tuple[Script, ...]] = ("latin",)

    dim: int = 256
    norm: bool = True
    version: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        if self.dim not in DIMENSIONS:
            raise SpecError(f"Expected `dim` of 'wordllama' to be 64, 128 or 256, got {self.dim}.")
        installed = _installed_version()
        if self.version not in ("", installed):
            raise SpecError(
                f"Expected version {self.version} of 'wordllama', got {installed}, whose vectors may differ: "
                f'pip install "{PACKAGE}=={self.version}", or omit `version={self.version}`.'
            )
        object.__setattr__(self, "version", installed)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Return the mean vector of the subwords of each text."""
        from scipy.sparse import csr_matrix

        weights, tokenizer = _loaded()
        try:
            encodings = tokenizer.encode_batch(list(texts), add_special_tokens=False)
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                "expected texts that can be encoded in UTF-8, got one with half a surrogate pair. "
                "Remove it, or choose another embedder than 'wordllama'."
            ) from error
        pieces = [encoding.ids for encoding in encodings]
        lengths = np.array([len(row) for row in pieces], np.int64)
        ids = np.fromiter((piece for row in pieces for piece in row), np.int64, int(lengths.sum()))
        # The package does the same with subwords that have no vector.
        np.clip(ids, 0, len(weights) - 1, out=ids)
        # A product with ones adds up the vectors of a text in order. It does not pad texts to the longest
        # one, so that other texts of the batch affect neither memory nor rounding.
        ones = csr_matrix(
            (np.ones(len(ids), np.float32), ids, bounds_of(lengths)), (len(texts), len(weights))
        )
        means: NDArray[np.float32] = ones @ weights / np.maximum(lengths, 1).astype(np.float32)[:, None]
        means = means[:, : self.dim]
        return normalized(means) if self.norm else means

    def options(self) -> dict[str, str]:
        """Return the dimension, whether vectors have length 1, and the version of the package."""
        return {"dim": str(self.dim), "norm": written(self.norm), "version": self.version}

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of subwords that are bytes of characters without a vector."""
        return share_of_unknown(_loaded()[1], texts)

    def known_dimension(self) -> int:
        """Return the number of dimensions that are kept."""
        return self.dim

    def identity(self) -> str:
        """Return the options of the signature: the version identifies the weights."""
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
    """Return the version of the package without importing it."""
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
        # The import configures logging for the whole process, so the configuration is restored.
        root.handlers[:] = handlers
        root.setLevel(level)
    # Without a folder, the package looks for its tokenizer in the user's cache, and downloads it.
    folder = Path(wordllama.__file__).parent
    try:
        model = wordllama.WordLlama.load(cache_dir=folder, dim=256, disable_download=True)
    except FileNotFoundError as error:
        raise MissingExtraError(
            f"The package {PACKAGE} {_installed_version()} does not include its weights or its tokenizer "
            f'({error}): pip install "{PACKAGE}>=0.3.9"'
        ) from error
    model.tokenizer.no_padding()
    model.tokenizer.no_truncation()
    return model.embedding, model.tokenizer
