"""Where a `tokenizer.json` is: a path, a folder, or a name on the Hugging Face hub."""

from __future__ import annotations

from pathlib import Path

from distinctly.errors import SpecError, reason
from distinctly.hub import knock, quiet
from distinctly.tokenizers.libraries import imported

FILE = "tokenizer.json"
REMEDY = f"give the path of its file, as in hf:models/mine/{FILE}."


def local_file(source: str) -> Path | None:
    """Return the file that a source means, or None where it is a name on the hub."""
    path = Path(source).expanduser()
    found = path / FILE if path.is_dir() else path
    if found.is_file():
        return found.resolve()
    # A name on the hub is `model` or `owner/model`.
    if path.is_dir() or source.startswith((".", "/", "~")) or source.endswith(".json") or len(path.parts) > 2:
        raise SpecError(
            f"No tokenizer at '{source}': expected a {FILE}, or a folder with one. A signature has only "
            f"the last part of a path; {REMEDY}"
        )
    return None


def label(path: Path) -> str:
    """Return what a signature calls a file: nothing of the machine's folders, and plainly no hub name."""
    return f"./{path.parent.name if path.name == FILE else path.name}"


def hub_file(name: str, tokenizer: str, extra: str) -> Path:
    """Return the copy of a hub's file in its cache on this machine, downloaded where there is none."""
    hub = imported("huggingface_hub", tokenizer, extra)
    try:
        kept = hub.try_to_load_from_cache(name, FILE)
        if not isinstance(kept, str):
            knock(hub, hub.utils, name, FILE)
            with quiet(hub.utils):
                kept = hub.hf_hub_download(name, FILE)
        return Path(kept)
    except Exception as error:  # of httpx or requests, by the hub's version; there is no common base
        raise SpecError(
            f"Cannot get the tokenizer '{name}' from the Hugging Face hub ({reason(error)}). "
            f"Check the name and the connection, or {REMEDY}"
        ) from error
