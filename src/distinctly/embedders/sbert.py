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

# The number of texts per call of the network, on a CPU and on a GPU.
TEXTS_PER_CALL, TEXTS_PER_GPU_CALL = 32, 256


@dataclass(frozen=True, kw_only=True)
class Sbert(Model):
    """Vectors from a sentence encoder: `sbert:` and a folder, or a name on the Hugging Face hub.

    A name without an owner belongs to sentence-transformers: ``sbert:all-MiniLM-L6-v2``. A model is
    downloaded only if it is not on this machine. The package truncates texts that are longer than the
    limit of the model (often 128 to 512 subwords). Rounding depends on the other texts of a batch, by
    about 1e-7.
    """

    name: ClassVar[str] = "sbert"
    extra: ClassVar[str] = "sbert"
    packages: ClassVar[tuple[str, ...]] = ("sentence_transformers",)

    @classmethod
    def needs_trust(cls, source: str) -> str:
        """Return the model: its settings can name any code to import, and it may have to be downloaded."""
        return f"the model 'sbert:{source}', which can run code"

    def files(self) -> list[Path]:
        """Return the settings, the vocabulary and the weights."""
        return model_files(find_model(self.source))

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Run the network on the CPU."""
        return self.embed_on(Device(), texts)

    def embed_on(self, device: Device, texts: Sequence[str]) -> Vectors:
        """Run the network on a device. The device does not change vectors, so no signature contains it."""
        model = _loaded(self.source, self.hash, device.torch_name)
        try:
            rows = model.encode(
                list(texts),
                batch_size=TEXTS_PER_CALL if device.torch_name == "cpu" else TEXTS_PER_GPU_CALL,
                show_progress_bar=False,
                convert_to_numpy=True,
            )
        except (TypeError, UnicodeEncodeError) as error:
            raise InputError(
                f"expected texts that can be encoded in UTF-8 for the embedder 'sbert': {error}."
            ) from error
        vectors = checked(rows, len(texts), f"the model '{self.shown}'")
        return normalized(vectors) if self.norm else vectors


@functools.lru_cache(maxsize=1)
def _loaded(source: str, wanted: str, device: str) -> Any:
    """Load the model with this hash, without network access."""
    folder = find_model(source)
    library = imported("sentence_transformers", Sbert)
    with loading(f"sbert:{source}", REMEDY), _quiet(imported("transformers.utils.logging", Sbert)):
        unchanged(model_files(folder), wanted)
        return library.SentenceTransformer(str(folder), device=device, local_files_only=True)


@contextlib.contextmanager
def _quiet(logging: Any) -> Iterator[None]:
    """Disable the progress bars and messages of transformers, and restore the settings afterwards."""
    bars, verbosity = logging.is_progress_bar_enabled(), logging.get_verbosity()
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    try:
        yield
    finally:
        logging.set_verbosity(verbosity)
        if bars:
            logging.enable_progress_bar()
