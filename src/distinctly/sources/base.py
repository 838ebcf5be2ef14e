"""What all sources share: how to read, what a row may hold, and when a batch is full."""

from __future__ import annotations

import codecs
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Literal

from distinctly.batch import Batch
from distinctly.errors import InputError, SpecError, unknown
from distinctly.options import check_options
from distinctly.sources.blocks import Block, Row

Nulls = Literal["error", "skip", "empty"]
Format = Literal["txt", "jsonl", "ndjson", "json", "csv", "tsv", "parquet", "arrow", "feather", "file"]

# About a third of a second of work: often enough to show progress, seldom enough not to matter.
BATCH_TEXTS = 16_384
BATCH_CHARACTERS = 1_000_000
# Where texts come many at once, the compiled loops take them: as much as stays near the processor.
BLOCK_BYTES = 4_000_000


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How to read texts: the same words in Python and in the command.

    Attributes
    ----------
    field, group, id
        The fields that hold the text, its group and its id. They are never guessed.
    tokens
        A field that holds a list of strings is the tokens of one text, not a group of texts.
    nulls
        What a missing text is: an ``error``, nothing (``skip``), or a text without tokens (``empty``).
    encoding, errors
        As for Python's `open`.
    format
        ``txt``, ``jsonl``, ``json``, ``csv``, ``tsv``, ``parquet``, ``arrow``; or ``file``, where each
        file is one text. By the file's ending where not given.
    """

    field: str = "text"
    group: str | None = None
    id: str | None = None
    tokens: bool = False
    nulls: Nulls = "error"
    encoding: str = "utf-8"
    errors: str = "strict"
    format: Format | None = None

    def __post_init__(self) -> None:
        check_options(self, "reading")
        for name, look_up in (("encoding", "".encode), ("errors", codecs.lookup_error)):
            try:
                look_up(getattr(self, name))
            except (LookupError, UnicodeError) as error:
                raise SpecError(
                    f"Expected `{name}` to be one that Python knows, got '{getattr(self, name)}'."
                ) from error

    def refuse_fields(self, source: str, what: str, remedy: str) -> None:
        """Raise where a field is asked of something that has none."""
        asked = {"field": self.field != "text", "group": self.group, "id": self.id, "tokens": self.tokens}
        for name, given in asked.items():
            if given:
                raise InputError(f"{what} have no fields, so no {name}. {remedy}", source=source)


class Source(ABC):
    """Something that yields batches of texts.

    Attributes
    ----------
    name, title
        What errors call it, and what reports do.
    size, position
        How many bytes there are, where that is known, and how many have been read.
    rereadable
        Whether the texts can be read more than once.
    """

    name: str
    title: str
    size: int | None = None
    position: int = 0
    rereadable: bool = True

    @abstractmethod
    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches of at most `rows` texts, or of a size that suits."""


def column(name: str, fields: Iterable[str], *, source: str, row: str, flag: str = "field") -> InputError:
    """Make the error for a field that a row does not have."""
    hint = str(unknown("field", name, fields)).replace("Known:", "Fields:")
    return InputError(f"{hint} Choose one with --{flag} (Python: {flag}=).", source=source, row=row)


@dataclass
class BatchBuilder:
    """Checks rows and gathers them into batches.

    Attributes
    ----------
    limit
        The most texts a batch may have.
    always_tokens
        A list of strings is the tokens of one text, whatever `reading` says.
    part
        Which of several files this is, so that their rows are told apart.
    """

    source: str
    reading: Reading
    limit: int | None = None
    always_tokens: bool = False
    part: str = ""
    _texts: list[str | list[str]] = field(default_factory=list)
    _groups: list[str] = field(default_factory=list)
    _ids: list[str] = field(default_factory=list)
    _shape: str | None = None
    _waiting: list[Row] = field(default_factory=list)
    _characters: int = 0
    _skipped: int = 0
    _emptied: int = 0

    def build(self, items: Iterable[Row | Block]) -> Iterator[Batch]:
        """Yield batches of the rows; at least one, so that what was skipped is told."""
        made = False
        for item in items:
            if isinstance(item, Block) and self._takes_blocks():
                if self._texts or self._skipped:
                    yield self._flush()
                self._shape = "text"
                yield from item.batches(self.limit or len(item.strings), BLOCK_BYTES)
                made = True
                continue
            for row in (item,) if isinstance(item, Row) else item.rows():
                self._add(row)
                if self._full():
                    yield self._flush()
                    made = True
        self._shape = self._shape or ("list of tokens" if self.reading.tokens else "text")
        self._append_waiting()
        if self._texts or self._skipped or not made:
            yield self._flush()

    def _takes_blocks(self) -> bool:
        return self._shape in (None, "text") and not self._waiting

    def _full(self) -> bool:
        if self.limit is not None:
            return len(self._texts) >= self.limit
        return len(self._texts) >= BATCH_TEXTS or self._characters >= BATCH_CHARACTERS

    def _flush(self) -> Batch:
        batch = Batch.of(
            self._texts,
            groups=self._groups or None,
            ids=self._ids or None,
            nulls_skipped=self._skipped,
            nulls_emptied=self._emptied,
        )
        self._texts, self._groups, self._ids = [], [], []
        self._characters = self._skipped = self._emptied = 0
        return batch

    def _add(self, row: Row) -> None:
        text = _plain(row.text)
        if isinstance(text, str):
            self._append(row, text, "text")
        elif is_null(text):
            self._add_null(row)
        elif isinstance(text, (list, tuple)) and _are_strings(text):
            if self.reading.tokens or self.always_tokens:
                self._append(row, list(text), "list of tokens")
            else:
                # Several samples a prompt: they belong together, whatever the row is called.
                together = row if row.group is not None else row._replace(group=self.part + row.where)
                for part in text:
                    self._append(together, part, "list of texts")
        else:
            raise self._problem(row, f"expected text, got {describe(text)}.")

    def _add_null(self, row: Row) -> None:
        if self.reading.nulls == "skip":
            self._skipped += 1
        elif self.reading.nulls == "empty":
            self._emptied += 1
            self._waiting.append(row)  # what an empty text looks like is known from the others
            if self._shape is not None:
                self._append_waiting()
        else:
            raise self._problem(
                row,
                "the text is missing (null). Fill it in, or choose --nulls skip or empty (Python: nulls=).",
            )

    def _append_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for row in waiting:
            if self._shape == "list of texts" and row.group is None:
                row = row._replace(group=self.part + row.where)  # noqa: PLW2901
            self._append(row, [] if self._shape == "list of tokens" else "", self._shape or "text")

    def _append(self, row: Row, text: str | list[str], shape: str) -> None:
        if self._shape is None:
            self._shape = shape
            self._append_waiting()
        elif self._shape != shape:
            raise self._problem(row, f"expected a {self._shape} as in the rows before, got a {shape}.")
        if self.reading.group is not None or row.group is not None:
            self._groups.append(self._key(row, row.group, "group"))
        if self.reading.id is not None or row.id is not None:
            self._ids.append(self._key(row, row.id, "id"))
        self._texts.append(text)
        self._characters += len(text) if isinstance(text, str) else sum(map(len, text))

    def _key(self, row: Row, value: object, kind: str) -> str:
        value = _plain(value)
        if isinstance(value, (str, int, float)) and not is_null(value):
            return str(value)
        raise self._problem(row, f"expected the {kind} to be a word or a number, got {describe(value)}.")

    def _problem(self, row: Row, problem: str) -> InputError:
        return InputError(problem, source=self.source, row=row.where)


def _are_strings(parts: Sequence[object]) -> bool:
    # Types first, which is quick; a subclass of str is a string, too.
    return set(map(type, parts)) <= {str} or all(isinstance(part, str) for part in parts)


def _plain(value: object) -> object:
    """Return a numpy scalar or array as Python's own."""
    plain: object = value.tolist() if hasattr(value, "tolist") else value
    return plain


def is_null(value: object) -> bool:
    """Tell whether a value stands for a missing text: None, NaN, or pandas' NA."""
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ in ("NAType", "NaTType")
    )


def describe(value: object) -> str:
    """Name a value that is not text, shortly."""
    shown = repr(value)
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    kinds = {bool: "a truth value", int: "a number", float: "a number", dict: "an object", bytes: "bytes"}
    if is_null(value):
        return "nothing (null)"
    if isinstance(value, (list, tuple)):
        parts = {
            kinds.get(type(part), "text" if isinstance(part, str) else type(part).__name__) for part in value
        }
        return f"a list of {' and '.join(sorted(p.removeprefix('a ') for p in parts)) or 'nothing'} ({shown})"
    return f"{kinds.get(type(value), type(value).__name__)} ({shown})"
