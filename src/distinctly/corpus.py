"""`Corpus`: whatever users have, as something that can be read in batches."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from distinctly.batch import Batch
from distinctly.errors import InputError, unknown
from distinctly.sources.base import Reading, Source
from distinctly.sources.delimited import DelimitedSource, TabbedSource
from distinctly.sources.files import FileSource
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.lines import LinesSource
from distinctly.sources.memory import MemorySource

FORMATS: dict[str, type[FileSource]] = {
    "txt": LinesSource,
    "jsonl": JsonlSource,
    "ndjson": JsonlSource,
    "csv": DelimitedSource,
    "tsv": TabbedSource,
}
DEMO = "demo:"


class Corpus:
    """Texts in memory or in a file, with how to read them.

    A file is read in batches each time it is needed, and never held whole.

    Examples
    --------
    >>> corpus = Corpus(["a text", "another one"], groups=["x", "y"])
    >>> len(corpus), corpus.texts()
    (2, ['a text', 'another one'])
    >>> Corpus.read("demo:english-varied").name
    'english-varied'
    """

    def __init__(
        self, texts: object, *, groups: object = None, ids: object = None, name: str = "", **reading: Any
    ) -> None:
        self.source: Source = MemorySource(texts, Reading(**reading), groups=groups, ids=ids)
        self.name = name or self.source.name

    @classmethod
    def read(cls, path: str | Path, *, name: str = "", **reading: Any) -> Corpus:
        """Read a file, or standard input where the path is ``-``.

        Parameters
        ----------
        path
            A ``.txt`` (also where the ending says nothing), ``.jsonl``, ``.csv`` or ``.tsv`` file;
            ``-``; or one of the texts of the demonstration, ``demo:english-varied``.
        name
            What reports call the corpus; the file's name without its folder where not given.
        reading
            `field`, `group`, `id`, `tokens`, `nulls`, `encoding`, `errors`, `format`: see `Reading`.
        """
        corpus = cls.__new__(cls)
        corpus.source = _open(path, Reading(**reading))
        corpus.name = name or Path(corpus.source.name).name
        return corpus

    @classmethod
    def wrap(cls, texts: object, **reading: Any) -> Corpus:
        """Return texts, a path or a corpus as a corpus."""
        if isinstance(texts, Corpus):
            if reading:
                raise InputError(
                    f"`{next(iter(reading))}` says how to read files or lists; a Corpus knows already."
                )
            return texts
        if isinstance(texts, (str, Path)):
            for name in ("groups", "ids"):
                if name in reading:
                    raise InputError(
                        f"`{name}` goes with texts in memory; for a file, name the field: {name[:-1]}=."
                    )
            return cls.read(texts, **reading)
        return cls(texts, **reading)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches of `rows` texts, or of a size that suits."""
        if rows is not None and rows < 1:
            raise InputError(f"Expected a batch to have at least 1 text, got {rows}.")
        return self.source.batches(rows)

    def texts(self) -> list[str]:
        """Return all texts (tokens, for token lists) as Python strings."""
        return [text for batch in self.batches() for text in batch.strings]

    def __len__(self) -> int:
        return sum(len(batch) for batch in self.batches())

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"


def _open(path: str | Path, reading: Reading) -> Source:
    if path == "-":
        return FORMATS[reading.format or "txt"](None, reading)
    if isinstance(path, str) and path.startswith(DEMO):
        name = path.removeprefix(DEMO)
        shipped = {file.stem: file for file in demo_files()}
        if name not in shipped:
            raise unknown("text of the demonstration", name, shipped)
        return LinesSource(shipped[name], reading, name=name)
    ending = Path(path).suffix.lower().removeprefix(".")
    if reading.format is None and ending in _NOT_YET:
        raise InputError(
            f"cannot read .{ending} files. Convert it to one of {', '.join(FORMATS)}; "
            "or say with --input (Python: format=) which of these it is.",
            source=str(path),
        )
    return FORMATS[reading.format or (ending if ending in FORMATS else "txt")](Path(path), reading)


# Reading these as lines of text would give a number, and a wrong one.
_NOT_YET = (
    "parquet",
    "arrow",
    "feather",
    "json",
    "gz",
    "zst",
    "xz",
    "bz2",
    "zip",
    "xlsx",
    "npy",
    "npz",
    "pdf",
    "docx",
)


def demo_files() -> list[Path]:
    """Return the files of the demonstration."""
    folder = Path(str(importlib.resources.files("distinctly"))) / "demo_data"
    return sorted(folder.glob("*.txt"))
