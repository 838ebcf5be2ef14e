"""`kyle`: the tokens of Kyle's package lexical-diversity 0.1."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from distinctly.options import option
from distinctly.tokenizers.base import Tokenizer

# Removed one after another, as in the package. Of its list, ``-LRB-`` and ``-RRB-`` never occur after ``-``.
_REMOVED = ("``", "''", "'", ".", ",", "?", "!", ")", "(", "%", "/", "-", "_", "SYM", ":", ";")
_SPACE = re.compile(r"\s+")


@dataclass(frozen=True, kw_only=True)
class Kyle(Tokenizer):
    """The words of `lex_div.tokenize(text)`, from the package lexical-diversity 0.1 (Kyle).

    In its order: ``' . , ? ! ) ( % / - _ : ;``, a pair of backticks and ``SYM`` (in upper case) are
    removed, so that what they separated is joined; the text is lower-cased, and split at each run of white
    space. So ``don't`` is ``dont``, ``3.50`` is ``350``, and double quotes stay. White space at the
    beginning or the end of the text gives an empty token, and a text without any words is one empty token.
    Lemmas (`lex_div.flemmatize`) are not looked up. Texts that came as token lists are read as they are.

    Examples
    --------
    >>> Kyle().tokenize("A well-known firm didn't pay $3.50 - “yes”! ")
    ['a', 'wellknown', 'firm', 'didnt', 'pay', '$350', '“yes”', '']
    """

    name: ClassVar[str] = "kyle"
    cuts_at_spaces: ClassVar[bool] = True
    lists_as_given: ClassVar[bool] = True

    lc: bool = option(True, aliases=("lowercase",))

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text; it is lower-cased after the removals."""
        return self.split(self.normalize(text))

    def split(self, text: str) -> list[str]:
        """Remove punctuation, lower-case, and split at white space."""
        for removed in _REMOVED:
            text = text.replace(removed, "")
        text = _SPACE.sub(" ", text)
        return (text.lower() if self.lc else text).split(" ")
