"""`Corpus`: texts of any source, which can be read in batches."""

from __future__ import annotations

import importlib.resources
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, TypeGuard

from distinctly.batch import Batch
from distinctly.errors import InputError, MissingFileError, unknown
from distinctly.sources.base import COLUMNS, Partition, Reading, Source, checked_size
from distinctly.sources.lines import LinesSource
from distinctly.sources.logs.systems import logs_of, sources_by_system
from distinctly.sources.objects import open_object
from distinctly.sources.opening import FORMATS, ignore_field_of_lines, open_path, open_paths
from distinctly.sources.states import ENDING, StateSource

__all__ = ["DEMO", "FORMATS", "Corpus", "demo_files"]

DEMO = "demo:"
DEFAULT_READING = Reading()


class Corpus:
    """Texts in memory or in files, and how to read them.

    A file is read in batches each time it is needed, and never held in memory as a whole.

    Parameters
    ----------
    texts
        A list or column of texts, of lists of texts, of token lists or of token ids; a table, a dataset, a
        list of dicts, or an iterator. In a list of lists of strings, white space shows that they are texts,
        unless `tokens` is given.
    groups, ids
        One group and one id per text, or per list of texts, for texts without fields.
    tags
        One list of tags per text, for texts without fields; the name of the field for a table.
    prompts, quality, partition
        One prompt, one number and one class per text, for texts without fields. `quality` and `partition` are
        the names of the fields for a table, and `prompt` that of the prompts.
    name
        The name of the corpus in reports.
    reading
        See `Reading`.

    Examples
    --------
    >>> corpus = Corpus(["a text", "another one"], groups=["x", "y"])
    >>> len(corpus), corpus.texts()
    (2, ['a text', 'another one'])
    >>> Corpus([{"answer": {"text": "a text"}}], field="answer.text").texts()
    ['a text']
    >>> Corpus.read("demo:english-varied").name
    'english-varied'
    """

    def __init__(
        self,
        texts: object,
        *,
        groups: object = None,
        ids: object = None,
        tags: object = None,
        prompts: object = None,
        quality: object = None,
        partition: object = None,
        name: str = "",
        **reading: Any,
    ) -> None:
        given = {"group": groups, "id": ids, "tags": tags, "prompt": prompts}
        given |= {"quality": quality, "partition": partition}
        columns = {flag: column for flag, column in given.items() if column is not None}
        for flag in ("tags", "quality", "partition"):
            if isinstance(columns.get(flag), str):
                reading[flag] = columns.pop(flag)
        how = Reading(**reading) if reading else DEFAULT_READING
        self.source: Source = open_object(texts, how, columns)
        self.name = name or self.source.title
        self._begun: Iterator[Batch] | None = None

    @classmethod
    def read(cls, path: str | Path | Sequence[str | Path], *, name: str = "", **reading: Any) -> Corpus:
        """Read a file, several files as one corpus, or standard input where the path is ``-``.

        Parameters
        ----------
        path
            A ``.txt`` (also where the ending is unknown), ``.jsonl``, ``.json`` (an array), ``.csv``,
            ``.tsv``, ``.xlsx``, ``.parquet`` or ``.arrow`` file; files of text also compressed, as ``.gz``,
            ``.xz``, ``.bz2`` or ``.zst``; a folder, for all files in it that are not hidden; a pattern,
            ``outputs/*.jsonl``; a list of such paths; ``-``; or a text of the demonstration,
            ``demo:english-varied``. A path may also be an address: ``s3://bucket/file.parquet``, ``gs://…``,
            ``hdfs://…``, ``hf://datasets/…``, ``https://…``. ``data.csv::Text`` also names the field of the
            path.
        name
            The name of the corpus in reports; if not given, the name of the file without its folder.
        reading
            `field`, `group`, `id`, `tags`, `prompt`, `quality`, `partition`, `tokens`, `nulls`, `skip_bad`,
            `encoding`, `errors`, `delimiter`, `sheet`, `format`: see `Reading`.
        """
        how = Reading(**reading) if reading else DEFAULT_READING
        source = _open(path, how) if isinstance(path, (str, Path)) else open_paths(path, how)
        return cls.of_source(source, name)

    @classmethod
    def of_source(cls, source: Source, name: str = "") -> Corpus:
        """Return the corpus of a source."""
        corpus = cls.__new__(cls)
        corpus.source = source
        corpus.name = name or source.title
        corpus._begun = None
        return corpus

    def by_system(self) -> list[Corpus]:
        """Return one corpus per system if the texts are those of logs, and otherwise the corpus itself."""
        sources = sources_by_system(self.source)
        return [Corpus.of_source(source) for source in sources] or [self]

    @property
    def is_of_logs(self) -> bool:
        """Whether the texts are those of logs, which say which prompt each text answers."""
        return bool(logs_of(self.source))

    @classmethod
    def wrap(cls, texts: object, **reading: Any) -> Corpus:
        """Return texts, a path, several paths (`Path` objects) or a corpus as a corpus."""
        if isinstance(texts, Corpus):
            if reading:
                raise InputError(
                    f"`{next(iter(reading))}` applies to files or lists; pass it to the Corpus instead."
                )
            return texts
        if isinstance(texts, (str, Path)) or are_paths(texts):
            for flag, name in COLUMNS.items():
                if name in reading and not (flag == name and isinstance(reading[name], (str, type(None)))):
                    raise InputError(
                        f"`{name}` applies to texts in memory; for a file, name the field with {flag}=."
                    )
            try:
                return cls.read(texts, **reading)
            except MissingFileError as error:
                if not isinstance(texts, str) or "://" in texts:
                    raise
                problem = f"{error.problem} (A text goes in a list: ['…'].)"
                raise MissingFileError(problem, source=error.source, row=error.row) from error
        return cls(texts, **reading)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches of at most `rows` texts, or of a suitable size."""
        if rows is not None and rows < 1:
            raise InputError(f"Expected a batch to have at least 1 text, got {rows}.")
        if self._begun is not None:
            begun, self._begun = self._begun, None
            return begun
        return self.source.batches(rows)

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Split the corpus into partitions that can be read independently, also by other processes.

        The texts of all partitions, in order, are the texts of the corpus.

        Parameters
        ----------
        size
            The target number of bytes per partition, by default 64 MB. A partition is larger if the
            source cannot be split there, as within a compressed file or a row group.

        Examples
        --------
        >>> partitions = Corpus(["a text", "another", "a third"]).partitions(size=10)
        >>> [[batch.strings.tolist() for batch in partition.batches()] for partition in partitions]
        [[['a text', 'another']], [['a third']]]
        """
        if self._begun is not None and not self.source.rereadable:
            checked_size(size)
            return [_StartedPartition(self)]
        return self.source.partitions(size)

    def has_groups(self, rows: int | None = None) -> bool:
        """Return whether the texts have groups, from the first batch with texts, which is not read again."""
        first = self.first_batch(rows)
        return first is not None and first.groups is not None

    def first_batch(self, rows: int | None = None) -> Batch | None:
        """Return the first batch with texts, which is not read again; None if there is none."""
        batches, begun = self.batches(rows), []
        for batch in batches:
            begun.append(batch)
            if len(batch):
                break
        self._begun = chain(begun, batches)
        return begun[-1] if begun and len(begun[-1]) else None

    def is_larger_than(self, texts: int, size: float, rows: int | None = None) -> bool:
        """Return whether there are more than `texts` texts, or their texts have more than `size` bytes.

        No more is read than is needed to know, and nothing is lost of a source that can be read only once.
        """
        batches, begun = self.batches(rows), []
        for batch in batches:
            begun.append(batch)
            texts, size = texts - len(batch), size - batch.strings.size
            if texts < 0 or size < 0:
                break
        self.put_back(begun, batches)
        return texts < 0 or size < 0

    def put_back(self, begun: Iterable[Batch], others: Iterator[Batch]) -> None:
        """Let `batches` begin again with what was read, and go on with the others.

        It is for sources that can be read only once; others are read again.
        """
        self._begun = None if self.source.rereadable else chain(begun, others)

    def texts(self) -> list[str]:
        """Return all texts (tokens, for token lists) as Python strings."""
        return [text for batch in self.batches() for text in batch.strings]

    def __len__(self) -> int:
        return sum(len(batch) for batch in self.batches())

    def __repr__(self) -> str:
        return f"Corpus({self.name!r})"


def _open(path: str | Path, reading: Reading) -> Source:
    if not isinstance(path, str) or not path.startswith(DEMO):
        return open_path(path, reading)
    name = path.removeprefix(DEMO)
    shipped = {file.stem: file for file in demo_files()}
    if name not in shipped:
        raise unknown("text of the demonstration", name, shipped)
    return LinesSource(shipped[name], reading, name=name)


class _StartedPartition(Partition):
    """The texts of a source that can be read only once, after some batches have been read."""

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self.name, self.title, self.size = corpus.source.name, corpus.source.title, corpus.source.size

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches."""
        return self._corpus.batches(rows)

    def __getstate__(self) -> dict[str, object]:
        raise InputError(
            "it can be read only once, so another process cannot read it. Use a list or a file.",
            source=self.name,
        )


def is_state(texts: object) -> bool:
    """Return whether a path or a corpus is a state: counts of texts that were read before.

    Examples
    --------
    >>> is_state("monday.state"), is_state("monday.txt")
    (True, False)
    """
    if isinstance(texts, Corpus):
        return isinstance(texts.source, StateSource)
    return isinstance(texts, (str, Path)) and str(texts).endswith(ENDING)


def read_together(corpora: Iterable[Corpus]) -> None:
    """Let corpora of lines ignore the field that is meant for the other corpora of a request."""
    ignore_field_of_lines(corpus.source for corpus in corpora)


def are_paths(texts: object) -> TypeGuard[list[Path]]:
    """Return whether an object is a list of paths: several files that form one corpus."""
    return isinstance(texts, (list, tuple)) and bool(texts) and all(isinstance(t, Path) for t in texts)


def demo_files() -> list[Path]:
    """Return the files of the demonstration."""
    folder = Path(str(importlib.resources.files("distinctly"))) / "demo_data"
    return sorted(folder.glob("*.txt"))
