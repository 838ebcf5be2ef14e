"""`lexicalrichness`: the tokens of the package LexicalRichness 0.5."""

from __future__ import annotations

import re
import string
from dataclasses import dataclass
from typing import ClassVar

from distinctly.options import option
from distinctly.tokenizers.base import Tokenizer

_DIGITS = re.compile("[0-9]+")
_REMOVED = str.maketrans(dict.fromkeys("-–—"))
_SPACED = str.maketrans(dict.fromkeys(string.punctuation, " "))


@dataclass(frozen=True, kw_only=True)
class LexicalRichness(Tokenizer):
    """The words of `LexicalRichness(text)`, from the package LexicalRichness 0.5 (Shen, 2022).

    In its order: the text is lower-cased; the digits 0–9, hyphens and dashes are removed, so that what they
    separated is joined; all other ASCII punctuation becomes white space; the rest is split at white space. So
    ``well-known`` is ``wellknown``, ``don't`` is ``don`` and ``t``, and ``don’t`` and ``“yes”`` stay as
    they are. This is the package without TextBlob, its default. Texts that came as token lists are read as
    they are, as by the package with ``tokenizer=None``.

    Examples
    --------
    >>> LexicalRichness().tokenize("A well-known firm didn't pay $3.50 — “yes”!")
    ['a', 'wellknown', 'firm', 'didn', 't', 'pay', '“yes”']
    """

    name: ClassVar[str] = "lexicalrichness"
    cuts_at_spaces: ClassVar[bool] = True
    lists_as_given: ClassVar[bool] = True

    lc: bool = option(True, aliases=("lowercase",))

    def split(self, text: str) -> list[str]:
        """Remove digits and dashes, and split at punctuation and white space."""
        return _DIGITS.sub("", text).translate(_REMOVED).translate(_SPACED).split()
