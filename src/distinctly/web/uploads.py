"""Files that a client sends: in a temporary folder, under names of ours."""

from __future__ import annotations

import shutil
import tempfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath, PureWindowsPath

from fastapi import Request
from starlette.concurrency import run_in_threadpool
from starlette.datastructures import FormData, UploadFile
from starlette.exceptions import HTTPException

from distinctly.errors import escaped
from distinctly.web.refusals import RefusalError

MULTIPART = "multipart/form-data"
MOST_FILES, LONGEST_NAME = 20, 100
# The endings that decide how a file is read; any other file is one text per line.
_ENDINGS = (".txt", ".jsonl", ".ndjson", ".json", ".csv", ".tsv", ".xlsx", ".parquet", ".arrow", ".feather")
_COMPRESSED = (".gz", ".xz", ".bz2", ".zst")


@dataclass(frozen=True)
class Upload:
    """A file of a client.

    Attributes
    ----------
    path
        Where it is now.
    name
        What the client calls it, without folders and control characters: for display only.
    """

    path: Path
    name: str


@dataclass(frozen=True)
class Form:
    """The files of a form by the names of their fields, and its texts."""

    files: dict[str, list[Upload]]
    texts: dict[str, str]


@asynccontextmanager
async def uploaded(request: Request) -> AsyncIterator[Form]:
    """Store the files of a form, and remove them at the end."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != MULTIPART:
        raise RefusalError(415, f"Expected the content type {MULTIPART}, got '{kind[:60]}'. Send a form.")
    try:
        form = await request.form(max_files=MOST_FILES, max_fields=50, max_part_size=1_000_000)
    except HTTPException as error:
        raise RefusalError(400, f"The form cannot be read ({error.detail}). Send it again.") from error
    try:
        with tempfile.TemporaryDirectory(prefix="distinctly-upload-") as folder:
            yield await run_in_threadpool(_stored, form, Path(folder))
    finally:
        await form.close()


def display_name(given: str) -> str:
    r"""Return the name of a file without folders, in characters that can be shown.

    Examples
    --------
    >>> display_name("../../etc/passwd"), display_name("C:\\texts\\a.txt"), display_name("")
    ('passwd', 'a.txt', 'texts')
    """
    name = PureWindowsPath(PurePosixPath(given).name).name
    return escaped(name)[:LONGEST_NAME] or "texts"


def ending_of(name: str) -> str:
    """Return the ending that decides how a file is read, of a fixed list.

    Examples
    --------
    >>> ending_of("a.csv"), ending_of("B.JSONL.GZ"), ending_of("a.b/../c.exe")
    ('.csv', '.jsonl.gz', '.txt')
    """
    lowered = name.lower()
    compressed = next((ending for ending in _COMPRESSED if lowered.endswith(ending)), "")
    plain = lowered.removesuffix(compressed)
    return next((ending for ending in _ENDINGS if plain.endswith(ending)), ".txt") + compressed


def _stored(form: FormData, folder: Path) -> Form:
    files: dict[str, list[Upload]] = {}
    texts: dict[str, str] = {}
    for number, (field, value) in enumerate(form.multi_items()):
        if not isinstance(value, UploadFile):
            texts[field] = value
            continue
        if not value.filename and not value.size:
            continue  # a field for a file, left empty
        path = folder / f"{number}{ending_of(value.filename or '')}"
        with path.open("wb") as target:
            shutil.copyfileobj(value.file, target)
        files.setdefault(field, []).append(Upload(path, display_name(value.filename or "")))
    return Form(files, texts)
