"""What all tokenizers share: preparing a text, and a signature."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar, Literal

from distinctly.options import check_options, options_of, written

Norm = Literal["none", "nfc", "nfkc"]


@dataclass(frozen=True, kw_only=True)
class Tokenizer(ABC):
    """Cuts a text into tokens.

    Attributes
    ----------
    lc
        Lower-case the text first.
    norm
        Unicode normalisation of the text before anything else.

    Class attributes: `extra` is the optional part of the package that the tokenizer needs; `bare` the
    option that a spec writes alone after the name, since it may hold anything (a pattern, a path).
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    bare: ClassVar[str] = ""

    lc: bool = False
    norm: Norm = "none"

    def __post_init__(self) -> None:
        check_options(self, self.name)

    @property
    def vocabulary_size(self) -> int | None:
        """How many tokens there can be, where the tokenizer has a fixed vocabulary."""
        return None

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

    @abstractmethod
    def split(self, text: str) -> list[str]:
        """Cut a prepared text."""

    def options(self) -> dict[str, str]:
        """Return the options as a signature shows them; `norm` only where there is one."""
        found = {key: written(value) for key, value in options_of(self).items()}
        if self.norm == "none":
            del found["norm"]
        return found
