"""`sbert:<name or path>`: a sentence encoder of the package sentence-transformers."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

from distinctly.arrays import Device
from distinctly.embedders.base import Vectors, checked, normalized
from distinctly.embedders.hub import REMEDY, find_model, model_files
from distinctly.embedders.models import Model, imported, loading, unchanged
from distinctly.errors import InputError

# Texts that go through the network together, on a CPU and on a card.
TOGETHER, TOGETHER_ON_CARD = 32, 256


@dataclass(frozen=True, kw_only=True)
class Sbert(Model):
    """Vectors by a sentence encoder: `sbert:` and a folder, or a name on the Hugging Face hub.

    A name without an owner is one of sentence-transformers' own: ``sbert:all-MiniLM-L6-v2``. What is on
    this machine is used, and the hub is asked only for what is not. Texts beyond the model's length
    (often 128 to 512 subwords) are cut there, as the package does. Rounding depends on what else
    is in a batch, by about 1e-7.
    """

    name: ClassVar[str] = "sbert"
    extra: ClassVar[str] = "sbert"
    packages: ClassVar[tuple[str, ...]] = ("sentence_transformers",)

    def files(self) -> list[Path]:
        """Return settings, vocabulary and weights."""
        return model_files(find_model(self.source))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Run the network on the CPU."""
        return self.embed_on(Device(), texts)

    def embed_on(self, device: Device, texts: Sequence[str]) -> Vectors:
        """Run the network on a device, which is not in the signature, since it must not change a vector."""
        model = _loaded(self.source, self.hash, device.torch_name)
        try:
            rows = model.encode(
                list(texts),
                batch_size=TOGETHER if device.torch_name == "cpu" else TOGETHER_ON_CARD,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected texts that can be written in UTF-8 for the embedder 'sbert', got another: {error}."
            ) from error
        found = checked(rows, len(texts), f"the model '{self.shown}'")
        return normalized(found) if self.norm else found


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str, device: str) -> Any:
    """Load the model of this content; nothing is asked of any network."""
    folder = find_model(source)
    library = imported("sentence_transformers", Sbert)
    with loading(f"sbert:{source}", REMEDY), _quiet(imported("transformers.utils.logging", Sbert)):
        unchanged(model_files(folder), wanted)
        return library.SentenceTransformer(str(folder), device=device, local_files_only=True)


@contextlib.contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Let transformers draw no progress bar and say nothing, and be afterwards as it was."""
    bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
