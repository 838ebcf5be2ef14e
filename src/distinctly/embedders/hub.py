"""Location of a sentence-transformers model: a folder, or the Hugging Face hub and its cache."""

from __future__ import annotations

import contextlib
import functools
import importlib
from pathlib import Path
from typing import Any

from distinctly.errors import SpecError, reason
from distinctly.hub import check_reachable, quiet

OWNER = "sentence-transformers"
REMEDY = (
    "Give the path of a folder with the model, as in sbert:models/all-MiniLM-L6-v2, or run this once "
    "while online."
)

# The files of a model; other files are neither read nor downloaded.
_TEXTS = ("*.json", "*.txt", "*.model")
_WEIGHTS = ("*.safetensors", "*.bin")
_OTHER_FORMATS = ("onnx", "openvino")


def model_files(folder: Path) -> list[Path]:
    """Return the files of a model, sorted by name: settings, vocabulary, weights."""
    present = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {*_OTHER_FORMATS} & {*path.relative_to(folder).parts}
    ]
    by_kind = ([path for path in present if path.match(kind)] for kind in _WEIGHTS)
    weights = next(filter(None, by_kind), [])
    return [path for path in present if any(path.match(kind) for kind in _TEXTS)] + weights


def has_model(folder: Path) -> bool:
    """Return whether a folder contains settings and weights."""
    return (folder / "modules.json").is_file() and any(
        path.match(kind) for path in model_files(folder) for kind in _WEIGHTS
    )


def find_model(source: str) -> Path:
    """Return the folder of a model, given by a path or by a name on the hub."""
    path = Path(source).expanduser()
    if path.is_dir():
        if not has_model(path):
            raise SpecError(
                f"No model in '{source}': expected a folder that sentence-transformers saved, with a "
                "modules.json and weights (.safetensors or .bin)."
            )
        return path.resolve()
    # A name on the hub is `model` or `owner/model`.
    if path.exists() or source.startswith((".", "/", "~")) or len(path.parts) > 2 or "\\" in source:
        raise SpecError(
            f"No folder '{source}' with a model. A signature contains only the last part of a path. {REMEDY}"
        )
    return _from_hub(source if "/" in source else f"{OWNER}/{source}")


@functools.lru_cache(maxsize=16)
def _from_hub(name: str) -> Path:
    """Return the folder in the hub's cache on this machine; download the model if it is not there."""
    hub, utils = importlib.import_module("huggingface_hub"), importlib.import_module("huggingface_hub.utils")
    try:
        with contextlib.suppress(FileNotFoundError):
            cached = Path(hub.snapshot_download(name, local_files_only=True))
            if has_model(cached):
                return cached
        check_reachable(hub, utils, name, "modules.json")
        return _downloaded(name, hub, utils)
    except Exception as error:  # of httpx or requests, depending on the version; no common base class
        raise SpecError(
            f"The model '{name}' is not on this machine, and cannot be downloaded from the Hugging Face hub "
            f"({reason(error)}). {REMEDY}"
        ) from error


def _downloaded(name: str, hub: Any, utils: Any) -> Path:
    """Download the settings and one set of weights, preferably safetensors."""
    folder = Path()
    with quiet(utils):
        for weights in _WEIGHTS:
            folder = Path(
                hub.snapshot_download(
                    name,
                    allow_patterns=[*_TEXTS, weights],
                    ignore_patterns=[f"{other}/*" for other in _OTHER_FORMATS],
                )
            )
            if has_model(folder):
                return folder
    raise SpecError("it has no modules.json or no weights")
