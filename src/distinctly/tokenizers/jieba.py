"""`jieba`: Chinese words, as the package jieba cuts them."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.libraries import agreed, imported


@dataclass(frozen=True, kw_only=True)
class Jieba(Tokenizer):
    """Chinese words: exactly `jieba.lcut` with jieba's own dictionary, white space dropped.

    Attributes
    ----------
    jieba
        The version of jieba; the installed one, and an error where it is another.
    """

    name: ClassVar[str] = "jieba"
    extra: ClassVar[str] = "zh"

    jieba: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        found = imported("jieba", self.name, self.extra).__version__
        object.__setattr__(self, "jieba", agreed(self.name, "jieba", self.jieba, found))

    def split(self, text: str) -> list[str]:
        """Cut, and drop what is only white space."""
        return [token for token in _cutter(self.jieba).lcut(text) if token.strip()]


@functools.cache
def _cutter(version: str) -> Any:
    """Make a jieba of our own: no words that a program has added to the shared one.

    The dictionary is read here (half a second) and not by jieba, which would tell standard error,
    and keep and trust a copy in the folder for temporary files: where that cannot be written it
    fails, and where it can anybody may have left another one.
    """
    library = imported("jieba", Jieba.name, Jieba.extra)
    agreed(Jieba.name, "jieba", version, library.__version__)
    made = library.Tokenizer()
    made.FREQ, made.total = made.gen_pfdict(made.get_dict_file())
    made.initialized = True
    return made
