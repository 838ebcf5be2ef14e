"""A classifier of pairs of texts in an ONNX file, which runs as the networks of embedders do."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from distinctly.embedders.base import Vectors
from distinctly.embedders.models import (
    UNREADABLE,
    absolute,
    checked_hash,
    load_tokenizer,
    loading,
    require,
    unchanged,
)
from distinctly.embedders.network import Network, load_session, output_of
from distinctly.embedders.onnx import locate, network_files
from distinctly.errors import MissingExtraError, SpecError, missing_extra

Reals = NDArray[np.float64]
EXPECTED = (
    "an .onnx file, or a folder with one, as in classifier=models/model.onnx; or a function, as in "
    "classifier=mymodule:equivalent"
)
SHAPES = "two logits per pair (the second is that of equivalent texts) or one"
# The largest number of subwords of a pair, if tokenizer.json has no limit.
MOST_SUBWORDS = 512
OUTPUTS = ("logits",)


@dataclass(frozen=True)
class PairNetwork:
    """A network that reads two texts together, and says how probable it is that they are equivalent.

    Its ``tokenizer.json`` must be in the same folder. A pair is truncated as that file says, or to 512
    subwords. Of two logits per pair, the probability is the second one of their softmax; of one logit, it is
    its sigmoid.

    Attributes
    ----------
    source
        The path of an .onnx file, or of a folder with one.
    hash
        The hash of its files; different files are an error. Equal content means equal classifiers.
    """

    name: ClassVar[str] = "classifier"
    packages: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")

    source: str = field(compare=False)
    hash: str = ""

    def __post_init__(self) -> None:
        require(self.packages, type(self))
        shown = self.shown
        object.__setattr__(self, "source", absolute(self.source))
        with loading(self.source, UNREADABLE):
            files = network_files(self.source, EXPECTED)
            object.__setattr__(self, "hash", checked_hash(files, self.hash, shown))

    @classmethod
    def missing(cls, package: str) -> MissingExtraError:
        """Return the error for a package that is not installed, with the command that installs it."""
        return missing_extra("A classifier in an ONNX file", package, "onnx")

    @property
    def shown(self) -> str:
        """The name of the network in a signature: the last part of its path."""
        return shown_path(self.source)

    def __call__(self, first: Sequence[str], second: Sequence[str]) -> Reals:
        """Return the probability that the two texts of each pair are equivalent."""
        network = _loaded(self.source, self.hash)
        rows = network.run(list(zip(first, second)), functools.partial(_probabilities, network))
        return rows[:, 0].astype(np.float64, copy=False)


def shown_path(source: str) -> str:
    """Return the last part of a path, as a signature shows it.

    Examples
    --------
    >>> shown_path("models/novelty/model.onnx")
    './model.onnx'
    """
    return f"./{Path(source).expanduser().resolve().name}"


def _probabilities(network: Network, logits: Vectors, _subwords: int) -> Reals:
    columns = logits.shape[1] if logits.ndim == 2 else 1
    if logits.ndim not in (1, 2) or columns not in (1, 2):
        raise _unsuitable(network.shown, logits.shape[1:])
    values = logits.astype(np.float64).reshape(len(logits), columns)
    differences = values[:, 1] - values[:, 0] if columns == 2 else values[:, 0]
    return sigmoid(differences)[:, None]


def sigmoid(values: Reals) -> Reals:
    """Return 1 / (1 + exp(-x)), without overflow.

    Examples
    --------
    >>> sigmoid(np.array([0.0, 1000.0, -1000.0])).tolist()
    [0.5, 1.0, 0.0]
    """
    powers = np.exp(-np.abs(values))
    result: Reals = np.where(values >= 0, 1.0, powers) / (1.0 + powers)
    return result


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str) -> Network:
    """Load the network with this hash, and its tokenizer."""
    shown = shown_path(source)
    file, tokenizer_file = locate(source, EXPECTED)
    remedy = "Give an .onnx file that onnxruntime reads, and the tokenizer.json that belongs to it."
    with loading(shown, remedy):
        unchanged(network_files(source, EXPECTED), wanted)
        tokenizer = load_tokenizer(tokenizer_file, PairNetwork)
        if tokenizer.truncation is None:
            tokenizer.enable_truncation(MOST_SUBWORDS)
        session = load_session(file, PairNetwork, shown)
        output = output_of(session, OUTPUTS, shown)
        _check_shape(session, output, shown)
    return Network(
        session,
        output,
        tokenizer,
        f"the classifier '{shown}'",
        shown,
        "pair",
        'set the limit of the network as `"truncation"` in tokenizer.json',
    )


def _check_shape(session: Any, output: str, shown: str) -> None:
    """Raise if the declared shape is not that of a classifier, before anything is computed."""
    shape = next(declared.shape for declared in session.get_outputs() if declared.name == output)
    if shape and (len(shape) > 2 or (len(shape) == 2 and isinstance(shape[1], int) and shape[1] > 2)):
        raise _unsuitable(shown, shape[1:])


def _unsuitable(shown: str, shape: Sequence[int | str]) -> SpecError:
    each = " × ".join(map(str, shape))
    return SpecError(
        f"Expected the network '{shown}' to give {SHAPES}, got {each} numbers per pair: give a classifier of "
        "pairs of texts with two classes."
    )
