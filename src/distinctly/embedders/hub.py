"""Where a sentence-transformers model is: a folder, or the Hugging Face hub's copy on this machine."""

from __future__ import annotations

import contextlib
import functools
import importlib
from pathlib import Path
from typing import Any

from distinctly.errors import SpecError, reason
from distinctly.hub import knock, quiet

OWNER = "sentence-transformers"
REMEDY = (
    "Give the path of a folder that has the model, as in sbert:models/all-MiniLM-L6-v2, or run this once "
    "while online."
)

# What a model is made of; other files are not looked at, nor downloaded.
_TEXTS = ("*.json", "*.txt", "*.model")
_WEIGHTS = ("*.safetensors", "*.bin")
_OTHER_FORMATS = ("onnx", "openvino")


def model_files(folder: Path) -> list[Path]:
    """Return the files that a model is made of, by name: settings, vocabulary, weights."""
    there = [
        path
        for path in sorted(folder.rglob("*"))
        if path.is_file() and not {*_OTHER_FORMATS} & {*path.relative_to(folder).parts}
    ]
    weights = next((found for kind in _WEIGHTS if (found := [p for p in there if p.match(kind)])), [])
    return [path for path in there if any(path.match(kind) for kind in _TEXTS)] + weights


def has_model(folder: Path) -> bool:
    """Tell whether a folder has settings and weights."""
    return (folder / "modules.json").is_file() and any(
        path.match(kind) for path in model_files(folder) for kind in _WEIGHTS
    )


def find_model(source: str) -> Path:
    """Return the folder that a path or a name on the hub means."""
    path = Path(source).expanduser()
    if path.is_dir():
        if not has_model(path):
            raise SpecError(
                f"No model in '{source}': expected a folder that sentence-transformers has saved, with a "
                "modules.json and weights (.safetensors or .bin)."
            )
        return path.resolve()
    # A name on the hub is `model` or `owner/model`.
    if path.exists() or source.startswith((".", "/", "~")) or len(path.parts) > 2 or "\\" in source:
        raise SpecError(
            f"No folder '{source}' with a model. A signature has only the last part of a path. {REMEDY}"
        )
    return _from_hub(source if "/" in source else f"{OWNER}/{source}")


@functools.lru_cache(maxsize=16)
def _from_hub(name: str) -> Path:
    """Return the hub's folder on this machine; where there is none, ask the hub."""
    hub, utils = importlib.import_module("huggingface_hub"), importlib.import_module("huggingface_hub.utils")
    try:
        with contextlib.suppress(FileNotFoundError):
            kept = Path(hub.snapshot_download(name, local_files_only=True))
            if has_model(kept):
                return kept
        knock(hub, utils, name, "modules.json")
        return _downloaded(name, hub, utils)
    except Exception as error:  # of httpx or requests, by the hub's version; there is no common base
        raise SpecError(
            f"The model '{name}' is not on this machine, and the Hugging Face hub does not give it "
            f"({reason(error)}). {REMEDY}"
        ) from error


def _downloaded(name: str, hub: Any, utils: Any) -> Path:
    """Download the settings and one set of weights, the safe kind where there is one."""
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
