"""`hf:<path or name>`: the subwords of a tokenizer of the Hugging Face library `tokenizers`."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, ClassVar

from distinctly.errors import InputError, SpecError
from distinctly.tokenizers.base import Tokenizer
from distinctly.tokenizers.hub import hub_file, label, local_file
from distinctly.tokenizers.libraries import agreed, check_writable, digest, imported


@dataclass(frozen=True, kw_only=True)
class Hf(Tokenizer):
    """Subwords of a Hugging Face tokenizer: `hf:` and a tokenizer.json, its folder, or a hub name.

    The tokens are the pieces as the vocabulary writes them, without special tokens added, uncut
    and without chance (truncation, padding and dropout are off). What the vocabulary does not
    know is one piece, such as ``[UNK]``, whatever it was.

    Attributes
    ----------
    source
        A path or a hub name. A signature has the hub name, or the last part of the path.
    hash
        Of the file's content; an error where it is another. Equal content is the same tokenizer.
    """

    name: ClassVar[str] = "hf"
    extra: ClassVar[str] = "hf"
    bare: ClassVar[str] = "source"

    source: str = field(compare=False)
    hash: str = ""

    def __post_init__(self) -> None:
        super().__post_init__()
        if not self.source:
            raise SpecError("Expected a path or a hub name after 'hf:', as in hf:gpt2, got nothing.")
        imported("tokenizers", self.name, self.extra)
        path = local_file(self.source)
        if path is not None:
            # In full, so that it is found from any folder, and in another process.
            object.__setattr__(self, "source", str(path))
        found = digest(_file(self.source).read_bytes())
        object.__setattr__(self, "hash", agreed(f"hf:{self.source}", "hash", self.hash, found))
        _loaded(self.source, self.hash)

    def split(self, text: str) -> list[str]:
        """Encode, and keep the pieces."""
        check_writable(text, self.name)
        try:
            pieces: list[str] = _loaded(self.source, self.hash).encode(text, add_special_tokens=False).tokens
        except Exception as error:  # the library raises nothing more special
            raise InputError(
                f"the tokenizer 'hf:{self.source}' cannot cut {text!r:.60}: {error}. "
                "Mend the text, or choose another tokenizer."
            ) from error
        return pieces

    @property
    def vocabulary_size(self) -> int:
        """How many pieces the vocabulary has, added ones included."""
        size: int = _loaded(self.source, self.hash).get_vocab_size()
        return size

    def options(self) -> dict[str, str]:
        """Return the options as a signature shows them, the name first."""
        found = super().options()
        path = Path(found.pop("source"))
        shown = label(path) if path.is_absolute() else self.source
        return {"name": shown, "hash": found.pop("hash"), **found}


def _file(source: str) -> Path:
    return local_file(source) or hub_file(source, Hf.name, Hf.extra)


@functools.lru_cache(maxsize=8)
def _loaded(source: str, wanted: str) -> Any:
    content = _file(source).read_bytes()
    # Asked again, because the tokenizer may have been pickled, and the file have changed since.
    agreed(f"hf:{source}", "hash", wanted, digest(content))
    library = imported("tokenizers", Hf.name, Hf.extra)
    try:
        made = library.Tokenizer.from_str(content.decode("utf-8"))
    except Exception as error:  # the library raises nothing more special
        raise SpecError(
            f"Expected a tokenizer.json of the package tokenizers at '{source}', got another file: {error}."
        ) from error
    made.no_truncation()
    made.no_padding()
    if getattr(made.model, "dropout", None):
        made.model.dropout = None
    return made
