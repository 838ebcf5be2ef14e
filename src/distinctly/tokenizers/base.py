"""What all tokenizers share: preparing a text, and a signature."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.options import check_options, option, options_of, written
from distinctly.strings import Bytes, Strings

Norm = Literal["none", "nfc", "nfkc"]


@dataclass(frozen=True, kw_only=True)
class Tokenizer(ABC):
    """Cuts a text into tokens.

    Attributes
    ----------
    lc
        Lower-case the text first; a spec may write ``lowercase``.
    norm
        Unicode normalisation of the text before anything else.

    Class attributes: `extra` is the optional part of the package that the tokenizer needs; `bare` the
    option that a spec writes alone after the name, since it may hold anything (a pattern, a path).
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    bare: ClassVar[str] = ""

    lc: bool = option(False, aliases=("lowercase",))
    norm: Norm = "none"

    def __post_init__(self) -> None:
        check_options(self, self.name)

    @property
    def vocabulary_size(self) -> int | None:
        """How many tokens there can be, where the tokenizer has a fixed vocabulary."""
        return None

    @property
    def is_plain(self) -> bool:
        """Whether texts are cut as they are, neither normalised nor lower-cased."""
        return not self.lc and self.norm == "none"

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.split(self.prepare(text))

    def prepare(self, text: str) -> str:
        """Normalise and lower-case the text, as the options say."""
        if self.norm == "nfc":
            text = unicodedata.normalize("NFC", text)
        elif self.norm == "nfkc":
            text = unicodedata.normalize("NFKC", text)
        return text.lower() if self.lc else text

    def prepare_all(self, strings: Strings) -> Strings:
        """Prepare a column of texts; one without anything to prepare stays as it is."""
        if self.is_plain:
            return strings
        if not (strings.data >= 0x80).any():  # normalised already, and lower-cased byte by byte
            lowered = np.frombuffer(strings.data.tobytes().lower(), np.uint8) if self.lc else strings.data
            return Strings(lowered, strings.starts, strings.ends)
        return Strings.encode([self.prepare(text) for text in strings])

    def character_classes(self) -> Bytes | None:
        """Return the class of each code point, for the compiled scan; None where it cannot do this."""
        return None

    @abstractmethod
    def split(self, text: str) -> list[str]:
        """Cut a prepared text."""

    def options(self) -> dict[str, str]:
        """Return the options as a signature shows them; `norm` only where there is one."""
        found = {key: written(value) for key, value in options_of(self).items()}
        if self.norm == "none":
            del found["norm"]
        return found
