"""Several files as one corpus: a folder, a pattern, or a list of paths."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterator, Sequence
from pathlib import Path

from distinctly.batch import Batch
from distinctly.errors import InputError, MissingFileError
from distinctly.sources.base import Partition, Source


class ManySource(Source):
    """The texts of several files, one file after another."""

    def __init__(self, sources: Sequence[Source], *, name: str, title: str) -> None:
        self.sources, self.name, self.title = sources, name, title
        sizes = [source.size for source in sources]
        self.size = None if None in sizes else sum(size or 0 for size in sizes)
        self.rereadable = all(source.rereadable for source in sources)

    @property
    def text_bytes(self) -> int | None:
        """The largest number of bytes that the texts can have, if it is known for all files."""
        sizes = [source.text_bytes for source in self.sources]
        return None if None in sizes else sum(size or 0 for size in sizes)

    def limit_memory(self, memory: str | int | None) -> None:
        """Set the memory for the whole run."""
        for source in self.sources:
            source.limit_memory(memory)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the batches of each file in turn."""
        before = 0
        for source in self.sources:
            for batch in source.batches(rows):
                self.position = before + source.position
                yield batch
            before += source.size or source.position

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the rows of each file in turn; their places name the file."""
        for source in self.sources:
            for where, item in source.objects():
                yield f"{source.name}, {where}", item

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Return the partitions of each file in turn."""
        return [partition for source in self.sources for partition in source.partitions(size)]


def is_folder(path: str | Path) -> bool:
    """Return whether a path is a folder; a text given by mistake is not."""
    try:
        return os.path.isdir(path)  # noqa: PTH112 - raises nothing without permission
    except ValueError:
        return False


def files_by_pattern(pattern: str) -> list[Path]:
    """Return the files that match a pattern, sorted; hidden files only if the pattern names them."""
    try:
        paths = sorted(glob.glob(pattern, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    except ValueError:  # a NUL, so a text given by mistake
        paths = []
    files = [Path(path) for path in paths if not is_folder(path)]
    if not files:
        shown = pattern if len(pattern) <= 200 else pattern[:197] + "…"
        problem = "only folders match" if paths else "no file matches"
        raise MissingFileError(f"{problem} this pattern.", source=shown)
    return files


def is_matched(pattern: str) -> bool:
    """Return whether something matches a pattern; a text given by mistake is none."""
    try:
        return any(glob.iglob(pattern, recursive=True))  # noqa: PTH207 - the pattern may be absolute
    except ValueError:
        return False


def files_of_folder(folder: Path) -> list[Path]:
    """Return all files in a folder and its subfolders, sorted, without hidden files and folders."""
    files = sorted(_walk(folder, ()))
    if not files:
        raise InputError("there is no file in this folder.", source=str(folder))
    return files


def _walk(folder: Path, above: tuple[Path, ...]) -> Iterator[Path]:
    real = folder.resolve()
    if real in above:
        raise InputError("this link leads back to a folder above it. Remove it.", source=str(folder))
    try:
        entries = [entry for entry in folder.iterdir() if not entry.name.startswith(".")]
    except OSError as error:
        raise InputError(f"cannot be opened: {error.strerror}.", source=str(folder)) from error
    for entry in entries:
        if is_folder(entry):
            yield from _walk(entry, (*above, real))
        else:
            yield entry
