"""`flores101`, `flores200`: sacreBLEU's subwords for spBLEU, if their model is on the disk."""

from __future__ import annotations

import importlib
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from distinctly.errors import SpecError
from distinctly.tokenizers.libraries import check_version, digest
from distinctly.tokenizers.sacrebleu import SacreBleu


@dataclass(frozen=True, kw_only=True)
class Flores(SacreBleu):
    """A SentencePiece model of sacreBLEU; it is used if it is on the disk, and never downloaded.

    Attributes
    ----------
    hash
        The hash of the model file; a different file is an error.
    """

    extra: ClassVar[str] = "flores"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "sentencepiece")

    hash: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        actual = digest(self._model().read_bytes())
        object.__setattr__(self, "hash", check_version(self.name, "hash", self.hash, actual))

    def _model(self) -> Path:
        library = importlib.import_module("sacrebleu.tokenizers.tokenizer_spm")
        url = library.SPM_MODELS[self.name]["url"]
        path = Path(library.SACREBLEU_DIR, "models", url.rpartition("/")[2])
        if not path.is_file():
            raise SpecError(
                f"The tokenizer '{self.name}' needs a model that is not downloaded automatically: "
                f"download {url} and save it as {path}."
            )
        return path

    @property
    def vocabulary_size(self) -> int:
        """The number of pieces of the model."""
        size: int = self.cutter.sp.GetPieceSize()
        return size


@dataclass(frozen=True, kw_only=True)
class Flores101(Flores):
    """Subwords of 101 languages: the SentencePiece model of FLORES-101 (by sacreBLEU)."""

    name: ClassVar[str] = "flores101"


@dataclass(frozen=True, kw_only=True)
class Flores200(Flores):
    """Subwords of 200 languages: the SentencePiece model of FLORES-200 (by sacreBLEU)."""

    name: ClassVar[str] = "flores200"
