"""`13a`, `intl`, `zh`: sacreBLEU's tokenizers under sacreBLEU's names."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.libraries import check_version, imported


@dataclass(frozen=True, kw_only=True)
class SacreBleu(Tokenizer):
    """A tokenizer of sacreBLEU (Post, 2018): exactly what it returns for the text, then `split()`.

    Attributes
    ----------
    sacrebleu
        The version of sacreBLEU; by default the installed one, and any other is an error.
    """

    extra: ClassVar[str] = "sacrebleu"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu",)

    sacrebleu: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        modules = [imported(package, self.name, self.extra) for package in self.packages]
        object.__setattr__(
            self, "sacrebleu", check_version(self.name, "sacrebleu", self.sacrebleu, modules[0].__version__)
        )

    def split(self, text: str) -> list[str]:
        """Split the text at the spaces that sacreBLEU puts between tokens."""
        tokens: list[str] = _uncached(self.cutter)(text).split()
        return tokens

    @property
    def cutter(self) -> Any:
        """SacreBLEU's tokenizer; not a field, since it cannot always be pickled."""
        return _cutter(self.name, self.extra, self.sacrebleu)


@functools.cache
def _cutter(name: str, extra: str, version: str) -> Any:
    # Checked again, since the tokenizer may have been pickled with another version installed.
    check_version(name, "sacrebleu", version, imported("sacrebleu", name, extra).__version__)
    tokenizer = importlib.import_module("sacrebleu.metrics").BLEU(tokenize=name).tokenizer
    if hasattr(tokenizer, "_post_tokenizer"):
        tokenizer._post_tokenizer = _uncached(tokenizer._post_tokenizer)
    return tokenizer


def _uncached(cutter: Any) -> Any:
    """Return a function without sacreBLEU's cache, which would keep 65,536 texts of any length."""
    return getattr(cutter.__call__, "__wrapped__", cutter.__call__).__get__(cutter)


@dataclass(frozen=True, kw_only=True)
class Mteval13a(SacreBleu):
    """Words and punctuation as in the WMT campaigns (mteval-v13a, by sacreBLEU)."""

    name: ClassVar[str] = "13a"
    cuts_at_spaces: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class Intl(SacreBleu):
    """Words, punctuation and symbols of any script (mteval-v14 international, by sacreBLEU)."""

    name: ClassVar[str] = "intl"
    cuts_at_spaces: ClassVar[bool] = True


@dataclass(frozen=True, kw_only=True)
class Zh(SacreBleu):
    """One token per Chinese character, and 13a for the rest (by sacreBLEU)."""

    name: ClassVar[str] = "zh"
