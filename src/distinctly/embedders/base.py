"""What all embedders share."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from distinctly.strings import Strings


class Embedder(ABC):
    """Makes a vector of each text.

    Attributes
    ----------
    name
        As in a spec and a signature.
    """

    name: str

    @abstractmethod
    def embed(self, texts: Strings) -> NDArray[np.float32]:
        """Return one row a text."""

    @abstractmethod
    def options(self) -> Mapping[str, str]:
        """Return what else can change a vector, for the signature: revision, dimension, normalisation."""
