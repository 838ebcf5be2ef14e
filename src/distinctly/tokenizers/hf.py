"""`hf:<path or name>`: the subwords of a tokenizer of the Hugging Face library `tokenizers`."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from distinctly.errors import InputError, SpecError
from distinctly.loading import is_elsewhere
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.hub import hub_file, is_cached, label, local_file
from distinctly.tokenizers.libraries import check_version, check_writable, digest, imported


@dataclass(frozen=True, kw_only=True)
class Hf(Tokenizer):
    """Subwords of a Hugging Face tokenizer: `hf:` and a tokenizer.json, its folder, or a hub name.

    The tokens are the pieces as the vocabulary spells them, without special tokens; truncation, padding
    and dropout are disabled. All unknown pieces are the same token, such as ``[UNK]``.

    Attributes
    ----------
    source
        A path or a hub name. A signature contains the hub name, or the last part of the path.
    hash
        The hash of the file; a different file is an error. Equal content means equal tokenizers.
    """

    name: ClassVar[str] = "hf"
    extra: ClassVar[str] = "hf"
    bare: ClassVar[str] = "source"

    source: str = field(compare=False)
    hash: str = ""

    @classmethod
    def needs_trust(cls, options: Mapping[str, object]) -> str:
        """Return the source, if it is outside the working folder and not on this machine yet."""
        source = str(options["source"])
        if is_elsewhere(source):
            return f"the tokenizer '{source}', outside the working folder"
        if source and local_file(source) is None and not is_cached(source, cls.name, cls.extra):
            return f"the tokenizer '{source}', which would be downloaded from the Hugging Face hub"
        return ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.source:
            raise SpecError("Expected a path or a hub name after 'hf:', as in hf:gpt2, got nothing.")
        imported("tokenizers", self.name, self.extra)
        path = local_file(self.source)
        if path is not None:
            # Absolute, so that it is found from any folder and in other processes.
            object.__setattr__(self, "source", str(path))
        actual = digest(_file(self.source).read_bytes())
        object.__setattr__(self, "hash", check_version(f"hf:{self.source}", "hash", self.hash, actual))
        _loaded(self.source, self.hash)

    def split(self, text: str) -> list[str]:
        """Return the pieces of the encoded text."""
        check_writable(text, self.name)
        try:
            pieces: list[str] = _loaded(self.source, self.hash).encode(text, add_special_tokens=False).tokens
        except Exception as error:  # the library raises nothing more specific
            raise InputError(
                f"the tokenizer 'hf:{self.source}' cannot tokenize {text!r:.60}: {error}. "
                "Change the text, or choose another tokenizer."
            ) from error
        return pieces

    @property
    def vocabulary_size(self) -> int:
        """The number of pieces of the vocabulary, including added ones."""
        size: int = _loaded(self.source, self.hash).get_vocab_size()
        return size

    def options(self) -> dict[str, str]:
        """Return the options of the signature, with the name first."""
        options = super().options()
        path = Path(options.pop("source"))
        name = label(path) if path.is_absolute() else self.source
        return {"name": name, "hash": options.pop("hash"), **options}


def _file(source: str) -> Path:
    return local_file(source) or hub_file(source, Hf.name, Hf.extra)


@functools.lru_cache(maxsize=8)
def _loaded(source: str, wanted: str) -> Any:
    content = _file(source).read_bytes()
    # Checked again, since the file may have changed after the tokenizer was pickled.
    check_version(f"hf:{source}", "hash", wanted, digest(content))
    library = imported("tokenizers", Hf.name, Hf.extra)
    try:
        tokenizer = library.Tokenizer.from_str(content.decode("utf-8"))
    except Exception as error:  # the library raises nothing more specific
        raise SpecError(
            f"Expected a tokenizer.json of the package tokenizers at '{source}', got another file: {error}."
        ) from error
    tokenizer.no_truncation()
    tokenizer.no_padding()
    if getattr(tokenizer.model, "dropout", None):
        tokenizer.model.dropout = None
    return tokenizer
