"""`13a`, `intl`, `zh`: sacreBLEU's tokenizers under sacreBLEU's names."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.libraries import agreed, imported


@dataclass(frozen=True, kw_only=True)
class SacreBleu(Tokenizer):
    """A tokenizer of sacreBLEU (Post, 2018): exactly what it returns for the text, then `split()`.

    Attributes
    ----------
    sacrebleu
        The version of sacreBLEU; the installed one, and an error where it is another.
    """

    extra: ClassVar[str] = "sacrebleu"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    sacrebleu: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        modules = [imported(package, self.name, self.extra) for package in self.packages]
        object.__setattr__(
            self, "sacrebleu", agreed(self.name, "sacrebleu", self.sacrebleu, modules[0].__version__)
        )

    def split(self, text: str) -> list[str]:
        """Let sacreBLEU put spaces between the tokens."""
        tokens: list[str] = _uncached(self.cutter)(text).split()
        return tokens

    @property
    def cutter(self) -> Any:
        """SacreBLEU's own object, which cannot always be pickled and so is no field."""
        return _cutter(self.name, self.extra, self.sacrebleu)


@functools.cache
def _cutter(name: str, extra: str, version: str) -> Any:
    # Asked again, because a tokenizer may have been pickled where another version is installed.
    agreed(name, "sacrebleu", version, imported("sacrebleu", name, extra).__version__)
    made = importlib.import_module("sacrebleu.metrics").BLEU(tokenize=name).tokenizer
    if hasattr(made, "_post_tokenizer"):
        made._post_tokenizer = _uncached(made._post_tokenizer)
    return made


def _uncached(cutter: Any) -> Any:
    """Call without the cache that sacreBLEU puts around: it would keep 65,536 texts, however long."""
    return getattr(cutter.__call__, "__wrapped__", cutter.__call__).__get__(cutter)


@dataclass(frozen=True, kw_only=True)
class Mteval13a(SacreBleu):
    """Words and punctuation as the WMT campaigns cut them (mteval-v13a, by sacreBLEU)."""

    name: ClassVar[str] = "13a"


@dataclass(frozen=True, kw_only=True)
class Intl(SacreBleu):
    """Words, punctuation and symbols of any script (mteval-v14 international, by sacreBLEU)."""

    name: ClassVar[str] = "intl"


@dataclass(frozen=True, kw_only=True)
class Zh(SacreBleu):
    """One token a Chinese character, and 13a for the rest (by sacreBLEU)."""

    name: ClassVar[str] = "zh"
