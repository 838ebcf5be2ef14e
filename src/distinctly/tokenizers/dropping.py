"""Tokens that are left out: punctuation, numbers, and the stop words of a file.

A token is a *word* if it contains a letter or an ideograph, a *number* if it contains a digit but neither of
those, and *punctuation* otherwise. So symbols (``$``, ``+``), emoji, control characters, lone combining
marks and joiners, and characters that Unicode 14 does not know are punctuation; ``3.14``, ``½`` and ``Ⅷ``
are numbers; ``don’t``, ``90s`` and ``v2.0`` are words. The classes are those of `words`.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal

from distinctly.errors import SpecError, reason
from distinctly.loading import is_elsewhere
from distinctly.options import hidden
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.characters import basic, members
from distinctly.tokenizers.libraries import check_version, digest

TokenKind = Literal["word", "number", "punctuation"]
_REMEDY = "Give a UTF-8 file with one word per line."


@dataclass(frozen=True, kw_only=True)
class Dropping(Tokenizer):
    """A tokenizer that can leave out tokens.

    Attributes
    ----------
    punct
        Whether to keep punctuation, symbols and emoji: all tokens without a letter, digit or ideograph.
    numbers
        Whether to keep numbers: tokens with digits and without a letter or ideograph, such as ``1,000.50``.
    stopwords
        A file with one word per line (UTF-8), which are left out. They are normalized and lower-cased as the
        texts are. A signature contains the last part of the path.
    hash
        The hash of the file of stop words; a different file is an error. Equal content means equal
        tokenizers.
    stop_lines
        The lines of the file, once it has been read.
    """

    punct: bool = True
    numbers: bool = True
    stopwords: str | None = field(default=None, compare=False)
    hash: str = ""
    stop_lines: tuple[str, ...] = hidden(())

    @classmethod
    def needs_trust(cls, options: Mapping[str, object]) -> str:
        """Return the file of stop words, if it is outside the working folder."""
        stopwords = str(options.get("stopwords", ""))
        return f"the file '{stopwords}', outside the working folder" if is_elsewhere(stopwords) else ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.stopwords is None:
            if self.hash:
                raise SpecError(
                    f"Expected the file of `hash={self.hash}`, as in {self.name}:stopwords=FILE,hash=…."
                )
            return
        if not self.stop_lines:
            lines, actual = read_words(self.stopwords, "stop words", "--tokenizer (Python: tokenizer=)")
            what = f"{self.name}:stopwords={self.stopwords}"
            object.__setattr__(self, "hash", check_version(what, "hash", self.hash, actual))
            object.__setattr__(self, "stop_lines", lines)

    @cached_property
    def drops(self) -> bool:
        """Whether some tokens may be left out."""
        return self.stopwords is not None or not (self.punct and self.numbers)

    def kept(self, tokens: list[str]) -> list[str]:
        """Return the tokens that are not left out.

        Examples
        --------
        >>> from distinctly.tokenizers.given import Given
        >>> Given(punct=False, numbers=False).kept(["v2", "costs", "$", "1.50", "👍", "½"])
        ['v2', 'costs']
        """
        kinds, stop = self._kinds, self.stop_set
        return [token for token in tokens if kind_of(token) in kinds and token not in stop]

    @cached_property
    def _kinds(self) -> frozenset[TokenKind]:
        kept: dict[TokenKind, bool] = {"word": True, "number": self.numbers, "punctuation": self.punct}
        return frozenset(kind for kind, keep in kept.items() if keep)

    @cached_property
    def stop_set(self) -> frozenset[str]:
        """The stop words, normalized and lower-cased as texts are."""
        return frozenset(map(self.prepare, self.stop_lines))

    def options(self) -> dict[str, str]:
        """Return the options of the signature; those that leave out tokens only if they do."""
        options = super().options()
        for name in ("punct", "numbers"):
            if getattr(self, name):
                del options[name]
        if self.stopwords is None:
            del options["hash"]
        else:
            options["stopwords"] = f"./{Path(self.stopwords).name}"
        return options


@functools.lru_cache(maxsize=65_536)
def kind_of(token: str) -> TokenKind:
    """Return whether a token is a word, a number or punctuation.

    Examples
    --------
    >>> [kind_of(token) for token in ("don’t", "知", "90s", "1,000.50", "—", "👍", "")]
    ['word', 'word', 'word', 'number', 'punctuation', 'punctuation', 'punctuation']
    """
    plain = basic(token)
    if _having("LETTER", "IDEOGRAPH").search(plain):
        return "word"
    return "number" if _having("DIGIT").search(plain) else "punctuation"


@functools.cache
def _having(*classes: str) -> re.Pattern[str]:
    return re.compile(f"[{''.join(map(members, classes))}]")


def read_words(path: str, what: str, given_with: str) -> tuple[tuple[str, ...], str]:
    """Return the words of a file with one word per line, and the hash of its content.

    Errors name `what` the words are, and the option that the path is `given_with`.
    """
    try:
        content = Path(path).expanduser().read_bytes()
    except (OSError, ValueError, RuntimeError) as error:  # also a null character, or an unknown user
        problem = error.strerror if isinstance(error, OSError) and error.strerror else reason(error)
        raise SpecError(
            f"Cannot read the {what} '{path}' ({problem}). {_REMEDY} A signature contains only the last part "
            f"of its path: give the whole path with {given_with}."
        ) from error
    try:
        lines = content.decode("utf-8-sig").splitlines()
    except UnicodeDecodeError as error:
        row = content.count(b"\n", 0, error.start) + 1
        raise SpecError(
            f"Expected {what} in UTF-8, got undecodable bytes in line {row} of '{path}'. {_REMEDY}"
        ) from error
    words = tuple(word for line in lines if (word := line.strip()))
    if not words:
        raise SpecError(f"Expected one word per line in '{path}', got no words. {_REMEDY}")
    return words, digest(content)
