"""Location of a `tokenizer.json`: a path, a folder, or a name on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

from distinctly.errors import SpecError, reason
from distinctly.hub import check_reachable, quiet
from distinctly.tokenizers.libraries import imported

FILE = "tokenizer.json"
REMEDY = f"give the path of its file, as in hf:models/mine/{FILE}."


def local_file(source: str) -> Path | None:
    """Return the file of a source, or None if the source is a name on the hub."""
    path = Path(source).expanduser()
    file = path / FILE if path.is_dir() else path
    if file.is_file():
        return file.resolve()
    # A name on the hub is `model` or `owner/model`.
    is_path = source.startswith((".", "/", "~")) or "\\" in source or source.endswith(".json")
    if path.is_dir() or is_path or len(path.parts) > 2:
        raise SpecError(
            f"No tokenizer at '{source}': expected a {FILE}, or a folder with one. A signature contains "
            f"only the last part of a path; {REMEDY}"
        )
    return None


def label(path: Path) -> str:
    """Return the name of a file in a signature: without its folders, and distinct from a hub name."""
    return f"./{path.parent.name if path.name == FILE else path.name}"


def is_cached(name: str, tokenizer: str, extra: str) -> bool:
    """Return whether a file of the hub is on this machine."""
    hub = imported("huggingface_hub", tokenizer, extra)
    try:
        return isinstance(hub.try_to_load_from_cache(name, FILE), str)
    except ValueError:  # not a name on the hub
        return False


def hub_file(name: str, tokenizer: str, extra: str) -> Path:
    """Return a file of the hub from its cache on this machine; download it if it is not there."""
    hub = imported("huggingface_hub", tokenizer, extra)
    try:
        cached = hub.try_to_load_from_cache(name, FILE)
        if not isinstance(cached, str):
            check_reachable(hub, hub.utils, name, FILE)
            with quiet(hub.utils):
                cached = hub.hf_hub_download(name, FILE)
        return Path(cached)
    except Exception as error:  # of httpx or requests, depending on the version; no common base class
        raise SpecError(
            f"Cannot download the tokenizer '{name}' from the Hugging Face hub ({reason(error)}). "
            f"Check the name and the connection, or {REMEDY}"
        ) from error
