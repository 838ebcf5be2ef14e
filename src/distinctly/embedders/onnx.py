"""`onnx:<path>`: a sentence encoder in an ONNX file, with the package onnxruntime, without torch."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from distinctly.embedders.base import Vectors, normalized
from distinctly.embedders.models import TOKENIZER, Model, loading, unchanged
from distinctly.embedders.network import Network, Pool, load_network
from distinctly.errors import SpecError
from distinctly.options import option

EXPECTED = "an .onnx file, or a folder with one, as in onnx:models/model.onnx"


@dataclass(frozen=True, kw_only=True)
class Onnx(Model):
    """Vectors from a network in an ONNX file, on the CPU: `onnx:` and the file or its folder.

    Its ``tokenizer.json`` must be in the same folder. If the network gives one vector per subword, the
    vector of a text is their mean (`pool=mean`) or the first one (`pool=cls`). If it gives one vector per
    text, that is the vector of the text.

    Attributes
    ----------
    source
        The path of an .onnx file, or of a folder with one. A signature contains its last part.
    pool
        How the vectors of subwords are combined.
    length
        The largest number of subwords of a text, including special ones; 0 uses tokenizer.json's limit.
    norm, hash
        As for every model.
    """

    name: ClassVar[str] = "onnx"
    extra: ClassVar[str] = "onnx"
    packages: ClassVar[tuple[str, ...]] = ("onnxruntime", "tokenizers")

    pool: Pool = "mean"
    length: int = option(0, at_least=0)

    def files(self) -> list[Path]:
        """Return the network, its external data files, and the tokenizer."""
        return network_files(self.source, EXPECTED)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Tokenize the texts, run the network and pool its output."""
        rows = _loaded(self.source, self.hash, self.length).embed(texts, self.pool)
        return normalized(rows) if self.norm else rows


def locate(source: str, expected: str) -> tuple[Path, Path]:
    """Return the files of the network and of the tokenizer; `expected` is part of an error."""
    path = Path(source).expanduser()
    if path.is_dir():
        networks = [*sorted(path.glob("*.onnx")), *sorted(path.glob("onnx/*.onnx"))]
        named = [network for network in networks if network.name == "model.onnx"]
        if len(networks) != 1 and not named:
            names = ", ".join(network.name for network in networks)
            present = f"{len(networks)}: {names}" if networks else "none"
            raise SpecError(f"Expected one .onnx file in '{source}', got {present}. Name the file.")
        path = (named or networks)[0]
    if path.suffix != ".onnx" or not path.is_file():
        raise SpecError(
            f"No network at '{source}': expected {expected}. A signature contains only the last part of a "
            "path."
        )
    folders = [path.parent, path.parent.parent] if path.parent.name == "onnx" else [path.parent]
    candidates = (folder / TOKENIZER for folder in folders)
    tokenizer = next((file for file in candidates if file.is_file()), None)
    if tokenizer is None:
        raise SpecError(
            f"No {TOKENIZER} beside '{source}': put the tokenizer of the network into its folder."
        )
    return path.resolve(), tokenizer.resolve()


def network_files(source: str, expected: str) -> list[Path]:
    """Return the network at a path, its external data files, and the tokenizer."""
    network, tokenizer = locate(source, expected)
    return [*sorted(network.parent.glob(f"{network.name}*")), tokenizer]


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str, length: int) -> Network:
    network, tokenizer = locate(source, EXPECTED)
    remedy = "Give an .onnx file that onnxruntime reads, and the tokenizer.json that belongs to it."
    with loading(f"onnx:{source}", remedy):
        unchanged(network_files(source, EXPECTED), wanted)
        return load_network(network, tokenizer, length, Onnx, f"./{Path(source).name}")
