"""The base class of tokenizers: normalization of texts, options and signature."""

from __future__ import annotations

import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Literal

import numpy as np

from distinctly.options import check_options, option, options_of, written
from distinctly.strings import Bytes, Strings

Norm = Literal["none", "nfc", "nfkc"]


@dataclass(frozen=True, kw_only=True)
class Tokenizer(ABC):
    """Splits a text into tokens.

    Attributes
    ----------
    lc
        Lower-case the text first; also spelled ``lowercase`` in a spec.
    norm
        The Unicode normalization of the text, applied before anything else.

    Class attributes: `extra` is the optional extra of the package that the tokenizer needs. `bare` is the
    option that a spec writes without its name, since its value may be any text (a pattern, a path). If
    `lists_as_given` is true, texts that came as token lists are read as they are, whatever the options.
    `cuts_ideographs` is whether each Chinese and Japanese character is a token, unlike words of other
    scripts. `cuts_at_spaces` is whether words of scripts that are written without spaces between words stay
    together.
    """

    name: ClassVar[str]
    extra: ClassVar[str] = ""
    bare: ClassVar[str] = ""
    lists_as_given: ClassVar[bool] = False
    cuts_ideographs: ClassVar[bool] = False
    cuts_at_spaces: ClassVar[bool] = False

    lc: bool = option(False, aliases=("lowercase",))
    norm: Norm = "none"

    @classmethod
    def needs_trust(cls, options: Mapping[str, object]) -> str:  # noqa: ARG003 - for subclasses
        """Return what these options name that a stranger must not choose, as part of a sentence.

        That is a file outside the working folder, or a download. Empty if there is nothing.
        """
        return ""

    def __post_init__(self) -> None:
        check_options(self, self.name)

    @property
    def vocabulary_size(self) -> int | None:
        """The size of the vocabulary; None if the tokenizer has no fixed vocabulary."""
        return None

    @property
    def is_plain(self) -> bool:
        """Whether texts are neither normalized nor lower-cased."""
        return not self.lc and self.norm == "none"

    def tokenize(self, text: str) -> list[str]:
        """Return the tokens of a text."""
        return self.split(self.prepare(text))

    def prepare(self, text: str) -> str:
        """Normalize and lower-case a text, according to the options."""
        text = self.normalize(text)
        return text.lower() if self.lc else text

    def normalize(self, text: str) -> str:
        """Normalize a text, according to `norm`."""
        if self.norm == "nfc":
            return unicodedata.normalize("NFC", text)
        return unicodedata.normalize("NFKC", text) if self.norm == "nfkc" else text

    def prepare_all(self, strings: Strings) -> Strings:
        """Prepare a column of texts; it is returned as it is if the tokenizer is plain."""
        if self.is_plain:
            return strings
        # ASCII is normalized, and can be lower-cased byte by byte; only other texts are prepared one by one.
        lowered = np.frombuffer(strings.data.tobytes().lower(), np.uint8) if self.lc else strings.data
        rows = strings.rows_beyond_ascii()
        if not len(rows):
            return Strings(lowered, strings.starts, strings.ends)
        prepared = Strings.encode([self.prepare(text) for text in strings.take(rows)])
        starts, ends = strings.starts.copy(), strings.ends.copy()
        starts[rows], ends[rows] = prepared.starts + len(lowered), prepared.ends + len(lowered)
        return Strings(np.concatenate([lowered, prepared.data]), starts, ends)

    def character_classes(self) -> Bytes | None:
        """Return the class of each code point for the compiled scan; None if the scan does not apply."""
        return None

    @abstractmethod
    def split(self, text: str) -> list[str]:
        """Split a prepared text."""

    def options(self) -> dict[str, str]:
        """Return the options of the signature; `norm` only if the text is normalized."""
        options = {key: written(value) for key, value in options_of(self).items()}
        if self.norm == "none":
            del options["norm"]
        return options
