"""`jieba`: Chinese words, segmented by the package jieba."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import Any, ClassVar

from distinctly.tokenizers.dropping import Dropping
from distinctly.tokenizers.libraries import check_version, imported


@dataclass(frozen=True, kw_only=True)
class Jieba(Dropping):
    """Chinese words: exactly `jieba.lcut` with jieba's own dictionary, white space dropped.

    ``punct=no``, ``numbers=no`` and ``stopwords=FILE`` leave out tokens, as for `words`.

    Attributes
    ----------
    jieba
        The version of jieba; by default the installed one, and any other is an error.
    """

    name: ClassVar[str] = "jieba"
    extra: ClassVar[str] = "zh"

    jieba: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        installed = imported("jieba", self.name, self.extra).__version__
        object.__setattr__(self, "jieba", check_version(self.name, "jieba", self.jieba, installed))

    def split(self, text: str) -> list[str]:
        """Segment the text, and drop tokens of white space."""
        tokens = [token for token in _cutter(self.jieba).lcut(text) if token.strip()]
        return self.kept(tokens) if self.drops else tokens


@functools.cache
def _cutter(version: str) -> Any:
    """Return a new jieba tokenizer, without words that a program has added to the shared one.

    The dictionary is read here (half a second) and not by jieba. Jieba would write to standard error, and
    keep and trust a copy in the temporary folder: it fails if the folder is not writable, and otherwise
    another user may have replaced the copy.
    """
    library = imported("jieba", Jieba.name, Jieba.extra)
    check_version(Jieba.name, "jieba", version, library.__version__)
    tokenizer = library.Tokenizer()
    tokenizer.FREQ, tokenizer.total = tokenizer.gen_pfdict(tokenizer.get_dict_file())
    tokenizer.initialized = True
    return tokenizer
