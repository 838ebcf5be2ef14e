"""The base of all sources: reading options, checks of rows, and the size of batches."""

from __future__ import annotations

import codecs
import math
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property, partial
from numbers import Integral
from typing import Any, Literal, TypeGuard, get_args

import numpy as np

from distinctly.batch import NO_REMARKS, NO_ROWS, Batch, Nested, Nesting, Remarks, SkippedRows
from distinctly.errors import FieldError, InputError, SpecError, unknown
from distinctly.options import check_options, setting
from distinctly.sources.blocks import UNSCORED, Block, Remark, Row, Unreadable
from distinctly.sources.reasoning import REASONING_ALONE, REASONING_REMOVED, without_reasoning

Nulls = Literal["error", "skip", "empty"]
Format = Literal[
    "txt",
    "jsonl",
    "ndjson",
    "json",
    "csv",
    "tsv",
    "xlsx",
    "xlsm",
    "parquet",
    "arrow",
    "feather",
    "file",
    "lm-eval",
    "inspect",
    "promptfoo",
    "lighteval",
    "every-eval-ever",
    "noveltybench",
    "openai",
]
# A flag, the place of its value in a row, and the function that checks the value.
Check = tuple[str, int, Callable[[Row, object], Any]]
Shape = Literal["text", "list of texts", "list of tokens", "list of lists of tokens"]

# The attributes of `Reading` that name a field, in the order of the values of a `Row`, and what the column of
# such values is called for texts in memory.
COLUMNS = {
    "field": "texts",
    "group": "groups",
    "id": "ids",
    "tags": "tags",
    "prompt": "prompts",
    "quality": "quality",
    "partition": "partition",
}
FLAGS = tuple(COLUMNS)
# Several texts of one row may have one value each of these.
PER_TEXT = ("tags", "quality", "partition")
# About a third of a second of work: often enough to show progress, seldom enough not to matter.
BATCH_TEXTS = 16_384
BATCH_CHARACTERS = 1_000_000
# Blocks are processed by compiled loops, and should fit into the processor's cache.
BLOCK_BYTES = 4_000_000
# A partition takes seconds, so the cost of starting a task for it is negligible.
PARTITION_BYTES = 64_000_000
# The places of the first row of a file and of a list, and no place.
FIRST_ROWS = ("", "line 1", "item 0")
# Words for delimiters, since some are hard to write in a shell.
DELIMITERS = {"comma": ",", "semicolon": ";", "tab": "\t", "pipe": "|"}


@dataclass(frozen=True, kw_only=True)
class Reading:
    """How to read texts: the same names in Python and on the command line.

    Attributes
    ----------
    field, group, id
        The fields that hold the text, its group and its id. They are never guessed. A field is a name, or a
        path into nested objects and lists: ``response.output``, ``choices[0].text``; with
        ``choices[*].message.content``, a row has several texts, which form a group.
    tags
        The field that holds the list of tags of each text, such as parts of speech; in csv and tsv,
        tags separated by white space.
    prompt
        The field that holds the prompt that the text answers. Texts with the same prompt form a group, unless
        `group` is given.
    quality
        The field that holds the quality of the text, a number; for a row of several texts, a list of numbers.
    partition
        The field that holds the class of answers that the text belongs to, a word or a number; for a row of
        several texts, a list.
    tokens
        Whether a list in `field` is the tokens of one text (strings, or numbers: token ids), and not a group
        of texts. If not given, a list in a field is a group of texts; for a list of lists in memory, white
        space decides.
    nulls
        How to treat a missing text: raise an ``error``, ``skip`` it, or take it as an ``empty`` text.
    skip_bad
        Whether to skip, count and list rows that cannot be read: broken JSON, undecodable bytes, a missing
        or mistyped field, a wrong number of cells, a row that is too long. Otherwise, one is an error.
    encoding, errors
        As for Python's `open`. If no encoding is given, the byte order mark decides, or it is UTF-8.
    delimiter
        The delimiter of csv and tsv: one character, or ``comma``, ``semicolon``, ``tab`` or ``pipe``. If not
        given, it is detected among these four from the header and the first records.
    sheet
        The name of the sheet of an Excel file; the first if not given.
    format
        ``txt``, ``jsonl``, ``json``, ``csv``, ``tsv``, ``xlsx``, ``parquet``, ``arrow``; ``file``, where each
        file is one text; or a log: ``lm-eval``, ``inspect``, ``promptfoo``, ``lighteval``,
        ``every-eval-ever``, ``noveltybench``, ``openai``. If not given, the ending and the first row of the
        file decide.
    reasoning
        Whether to ``keep`` or ``remove`` the reasoning in a text, ``<think>…</think>``. If not given, it is
        removed from the texts of logs, and kept in others.
    filter
        The filter of a log of lm-evaluation-harness whose scores are read. If not given, the first.
    """

    field: str = setting("text", "Field that holds the text.", metavar="FIELD")
    group: str | None = setting(
        None, "Field that holds the group of the text, such as its prompt.", metavar="FIELD"
    )
    id: str | None = setting(None, "Field that holds the id of the text.", metavar="FIELD")
    tags: str | None = setting(
        None, "Field that holds the list of tags of the text, for metrics with of=tags.", metavar="FIELD"
    )
    prompt: str | None = setting(
        None,
        "Field that holds the prompt that the text answers; texts with the same prompt form a group, unless "
        "--group is given.",
        metavar="FIELD",
    )
    quality: str | None = setting(
        None, "Field that holds the quality of the text, a number, for --at-least.", metavar="FIELD"
    )
    partition: str | None = setting(
        None,
        "Field that holds the class of the text, for metrics of classes of answers: answers:by=partition.",
        metavar="FIELD",
    )
    tokens: bool | None = setting(
        None, "Read a list of strings or of token ids as the tokens of one text, not as several texts."
    )
    nulls: Nulls = setting(
        "error", "Treatment of a missing text: raise an error, skip it, or read it as empty."
    )
    skip_bad: bool = setting(
        False, "Skip rows that cannot be read, and say how many; by default, one is an error."
    )
    encoding: str | None = setting(
        None, "Encoding of the files.", metavar="NAME", unset="utf-8, unless a byte order mark is there"
    )
    errors: str = setting(
        "strict", "Treatment of undecodable bytes: strict, replace or ignore.", metavar="HOW"
    )
    delimiter: str | None = setting(
        None,
        f"Delimiter of csv and tsv: a character, or {', '.join(DELIMITERS)}.",
        metavar="CHARACTER",
        unset="detected",
    )
    sheet: str | None = setting(None, "Sheet of an Excel file.", metavar="NAME", unset="the first")
    format: Format | None = setting(
        None,
        f"Format of the input: {', '.join(get_args(Format))}.",
        metavar="FORMAT",
        flag="input",
        unset="the ending and the first row of the file; txt for standard input",
    )
    reasoning: Literal["keep", "remove"] | None = setting(
        None,
        "Treatment of the reasoning in a text, <think>…</think>: keep or remove.",
        metavar="HOW",
        unset="remove for logs, keep otherwise",
    )
    filter: str | None = setting(
        None,
        "Filter of a log of lm-evaluation-harness, or result of one of Every Eval Ever, for its scores.",
        metavar="NAME",
        unset="the first",
    )

    def __post_init__(self) -> None:
        check_options(self)
        if self.delimiter is not None:
            object.__setattr__(self, "delimiter", _delimiter(self.delimiter))
        for name, look_up in (("encoding", "".encode), ("errors", codecs.lookup_error)):
            if getattr(self, name) is None:
                continue
            try:
                look_up(getattr(self, name))
            except (LookupError, UnicodeError) as error:
                raise SpecError(
                    f"Expected `{name}` to be one that Python knows, got '{getattr(self, name)}'."
                ) from error

    @cached_property
    def fields_read(self) -> tuple[tuple[str, str | None], ...]:
        """The flags and the names of the fields, as the values of a `Row`, up to the last one that is read.

        The name of a field that is not read is None.
        """
        names = [getattr(self, flag) for flag in FLAGS]
        last = max(place for place, name in enumerate(names) if name is not None)
        return tuple(zip(FLAGS, names[: last + 1]))

    def refuse_fields(self, source: str, what: str, remedy: str, *, but: Sequence[str] = ()) -> None:
        """Raise if a field is requested of something that has no fields; `but` are flags it can have."""
        requested = {
            "field": self.field != "text",
            **{flag: getattr(self, flag) is not None for flag in FLAGS[1:]},
            "tokens": bool(self.tokens),
            "delimiter": self.delimiter is not None,
        }
        for name, is_requested in requested.items():
            if is_requested and name not in but:
                raise FieldError(f"{what} have no fields, so no {{noun}}. {remedy}", name, source=source)


def _delimiter(word: str) -> str:
    """Return the character of a delimiter that is given as such, or as a word."""
    character = DELIMITERS.get(word.lower(), "\t" if word == r"\t" else word)
    if len(character) != 1 or character in '"\r\n':
        raise SpecError(
            f"Expected `delimiter` to be one character other than a quote, or {', '.join(DELIMITERS)}, "
            f"got '{word}'."
        )
    return character


class Partition(ABC):
    """Some consecutive texts of a source, to be read independently of the others.

    A partition is small and can be pickled, so that another process or machine can read it, unless
    its texts can be read only once and only here (an iterator, standard input).

    Attributes
    ----------
    name, title
        The name used in errors, and the name used in reports.
    size, position
        The number of bytes, if known, and the number of bytes read so far.
    memory
        The memory for the whole run, as in `RunConfig`.
    """

    name: str
    title: str
    size: int | None = None
    position: int = 0
    memory: str | int | None = None

    @abstractmethod
    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the texts in batches of at most `rows` texts, or of a suitable size."""


class Source(Partition):
    """Something that yields batches of texts, as a whole or in partitions.

    Attributes
    ----------
    rereadable
        Whether the texts can be read more than once.
    numbers_groups
        Whether groups are named by their numbers in this source, since they have no other names.
    engine
        The engine that reads it, if the chosen one cannot; empty otherwise.
    is_log
        Whether it is a log of a tool, with systems (`sources/logs/base.py`).
    """

    rereadable: bool = True
    numbers_groups: bool = False
    is_log: bool = False
    engine: str = ""

    @property
    def text_bytes(self) -> int | None:
        """The largest number of bytes that the texts can have; None if that is not known before reading."""
        return None

    def limit_memory(self, memory: str | int | None) -> None:
        """Set the memory for the whole run; a text may take a part of it, see `FileSource.longest`."""
        self.memory = memory

    def partitions(self, size: int | None = None) -> Sequence[Partition]:
        """Cut the source into partitions that can be read independently.

        The texts of all partitions, in order, are the texts of the source.

        Parameters
        ----------
        size
            The number of bytes that a partition should have, 64 MB if not given. A partition has
            more if the source cannot be cut in between.
        """
        checked_size(size)
        return [self]

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield the place of each row, as text, and all of its fields; raise if rows have no fields."""
        raise InputError(
            "expected rows with fields: jsonl, json, csv, tsv, parquet or arrow. Choose one of these with "
            "--input (Python: format=), or convert the file.",
            source=self.name,
        )


@contextmanager
def naming_option(option: str, given_as: str | None) -> Iterator[None]:
    """Let errors about the field of an option name the option that the user gave, if it is another one."""
    try:
        yield
    except FieldError as error:
        if given_as is None or error.option != option:
            raise
        raise error.naming(given_as) from error


def checked_size(size: int | None) -> int:
    """Return the number of bytes that a partition should have."""
    if size is not None and size < 1:
        raise InputError(f"Expected a partition to have at least 1 byte, got {size}.")
    return PARTITION_BYTES if size is None else size


def column(
    name: str, fields: Iterable[str], *, source: str, row: str, flag: str = "field", inside: str = ""
) -> FieldError:
    """Make the error for a field that a row, or the object `inside` it, does not have."""
    hint = str(unknown("field", name, fields)).replace("Known:", "Fields:")
    if inside:
        hint = hint.replace(f"'{name}'.", f"'{name}' in {inside}.", 1)
    # What the first row has not may be misspelled; what a later row has not is there in those before it.
    add = "" if row in FIRST_ROWS else ", or add it to this row"
    template = f"{hint} Choose one with --{{option}} (Python: {{option}}=){add}."
    return FieldError(template, flag, source=source, row=row)


@dataclass
class BatchBuilder:
    """Checks rows and gathers them into batches.

    Attributes
    ----------
    limit
        The largest number of texts per batch.
    as_tokens
        Whether a list is the tokens of one text, and not several texts; if None, `reading` decides.
    part
        The name of the file among several, so that groups named by rows differ between files.
    shape
        The required shape of the texts; None if the first row decides.
    required
        Which flags, such as ``group``, every row must have a value of, besides those that `reading` names.
    nesting
        How lists of lists are read, if that was decided from what they contain.
    block_bytes
        The largest number of bytes of a batch that is cut from a block.
    """

    source: str
    reading: Reading
    limit: int | None = None
    as_tokens: bool | None = None
    part: str = ""
    shape: Shape | None = None
    required: Collection[str] = ()
    nesting: Nesting | None = None
    block_bytes: int = BLOCK_BYTES
    _texts: list[str | list[str]] = field(default_factory=list)
    _columns: dict[str, list[Any]] = field(default_factory=dict)
    _waiting: list[Row] = field(default_factory=list)
    _characters: int = 0
    _skipped: int = 0
    _emptied: int = 0
    _lists: int = 0
    _bad: SkippedRows = NO_ROWS
    _remarks: Remarks = NO_REMARKS

    def __post_init__(self) -> None:
        self._as_tokens = bool(self.reading.tokens) if self.as_tokens is None else self.as_tokens
        self._needed = [
            flag for flag in FLAGS[1:] if getattr(self.reading, flag) is not None or flag in self.required
        ]
        self._checks = [self._check_of(flag) for flag in self._needed]
        self._finds_group = "prompt" in self._needed and "group" not in self._needed
        self._columns = {flag: [] for flag in FLAGS[1:]}

    def build(self, items: Iterable[Row | Block | Remark]) -> Iterator[Batch]:
        """Yield batches of the rows; at least one, so that skipped rows are reported."""
        yielded = False
        add = self._try if self.reading.skip_bad else self._add
        for item in items:
            if isinstance(item, Remark):
                self._remarks += Remarks({item.text: item.rows})
                continue
            if isinstance(item, Block) and self._takes_blocks():
                if self._texts or self._skipped or self._bad:
                    yield self._flush()
                self.shape = "text"
                yield from item.batches(self.limit or len(item.strings), self.block_bytes)
                yielded = True
                continue
            for row in (item,) if isinstance(item, Row) else item.rows():
                add(row)
                if self._full():
                    yield self._flush()
                    yielded = True
        has_lists = any(isinstance(row.text, list) for row in self._waiting)
        self.shape = self.shape or ("list of tokens" if has_lists or self.reading.tokens else "text")
        self._append_waiting()
        if self._texts or self._skipped or self._bad or self._remarks or not yielded:
            yield self._flush()

    def first_shape(self, items: Iterable[Row | Block | Remark]) -> Shape | None:
        """Return the shape of the first text that can be read and is not missing; None if there is none."""
        for item in items:
            if isinstance(item, Remark):
                continue
            if isinstance(item, Block) and self._takes_blocks():
                return "text"
            for row in (item,) if isinstance(item, Row) else item.rows():
                self._try(row)
                if self.shape is not None:
                    return self.shape
        return None

    def _try(self, row: Row) -> None:
        """Add a row; if it cannot be read, count it, and leave no part of it."""
        columns: tuple[list[Any], ...] = (self._texts, *self._columns.values())
        lengths = [len(column) for column in columns]
        counts = (self._characters, self._skipped, self._emptied, self._lists)
        waiting, shape = list(self._waiting), self.shape
        try:
            for value in row:
                if isinstance(value, Unreadable):
                    raise value.error
            self._add(row)
            for added in self._waiting[len(waiting) :]:
                for _, place, check in self._checks_of(added):
                    check(added, added[place])
        except InputError as error:
            for column, length in zip(columns, lengths):
                del column[length:]
            self._characters, self._skipped, self._emptied, self._lists = counts
            self._waiting, self.shape = waiting, shape
            self._bad += SkippedRows.of(error)

    def _takes_blocks(self) -> bool:
        return self.shape in (None, "text") and not self._waiting and self.reading.reasoning != "remove"

    def _full(self) -> bool:
        if self.limit is not None:
            return len(self._texts) >= self.limit
        return len(self._texts) >= BATCH_TEXTS or self._characters >= BATCH_CHARACTERS

    def _flush(self) -> Batch:
        columns = {COLUMNS[flag]: values for flag, values in self._columns.items() if values}
        batch = Batch.of(
            self._texts,
            **columns,
            nulls_skipped=self._skipped,
            nulls_emptied=self._emptied,
            nested=None if self.nesting is None else Nested(self.nesting, self._lists),
            bad_rows=self._bad,
            remarks=self._remarks,
        )
        self._texts, self._columns = [], {flag: [] for flag in FLAGS[1:]}
        self._characters = self._skipped = self._emptied = self._lists = 0
        self._bad, self._remarks = NO_ROWS, NO_REMARKS
        return batch

    def _add(self, row: Row) -> None:
        text = row.text if type(row.text) is str else plain(row.text)
        if isinstance(text, str):
            self._append(row, text, "text")
        elif is_null(text):
            self._add_null(row)
        elif isinstance(text, (list, tuple)):
            self._lists += bool(text)
            if self._as_tokens:
                self._add_tokens(row, text)
            else:
                self._add_texts(row, text)
        else:
            remedy = ""
            if self.as_tokens and is_whole_number(text):
                remedy = " Put the token ids of each text in a list, as in [[1, 2], [3]]."
            raise self._problem(row, f"expected text, got {describe(text)}.{remedy}")

    def _add_tokens(self, row: Row, parts: Sequence[object]) -> None:
        """Add the tokens of one text, or of several texts of one row: lists of tokens."""
        if not parts and self.shape in (None, "list of lists of tokens"):
            # It is a text without tokens, or a row without texts: other rows decide.
            if self.shape is None:
                self._waiting.append(row._replace(text=[]))
            return
        tokens = _tokens(parts)
        if tokens is not None:
            self._append(row, tokens, "list of tokens")
            return
        lists: list[object] = [plain(part) for part in parts]
        levels = 0
        while _are_lists(lists) and _are_lists(_joined(lists)):
            lists, levels = _joined(lists), levels + 1
        token_lists = [_tokens(part) if isinstance(part, (list, tuple)) else None for part in lists]
        if None in token_lists:
            raise self._problem(
                row, f"expected tokens as text, or as whole numbers (token ids), got {describe(parts)}."
            )
        self._add_several(row, token_lists, levels, "list of lists of tokens")

    def _add_texts(self, row: Row, parts: Sequence[object]) -> None:
        """Add several texts of one row, which may be in nested lists."""
        texts, levels = list(parts), 0
        if not _are_strings(texts):
            texts = [plain(text) for text in texts]
            while _are_lists(texts):
                texts, levels = _joined(texts), levels + 1
            if not all(isinstance(text, str) or is_null(text) for text in texts):
                remedy = ""
                if texts and _tokens(texts) is not None:
                    remedy = " Read token ids with --tokens (Python: tokens=True)."
                raise self._problem(row, f"expected text, got {describe(parts)}.{remedy}")
        self._add_several(row, texts, levels, "list of texts")

    def _add_several(self, row: Row, texts: Sequence[object], levels: int, shape: Shape) -> None:
        """Add several texts of one row: samples for one prompt belong to one group."""
        grouped = row if row.group is not None else row._replace(group=self.part + row.where)
        lists: dict[str, Sequence[Any]] = {}
        if self._wants_tags(row):
            lists["tags"] = self._tag_lists(row, len(texts), levels)
        for flag in PER_TEXT[1:]:
            if flag in self._needed:
                lists[flag] = self._values_per_text(row, flag, len(texts))
        for place, text in enumerate(texts):
            of_text = grouped._replace(**{flag: values[place] for flag, values in lists.items()})
            if isinstance(text, (str, list)):
                self._append(of_text, text, shape)
            else:
                self._add_null(of_text._replace(text=None))

    def _add_null(self, row: Row) -> None:
        if self.reading.nulls == "skip":
            self._skipped += 1
        elif self.reading.nulls == "empty":
            self._emptied += 1
            # A text without tokens has no tags. Other rows decide whether it is a string or a list.
            self._waiting.append(row._replace(text=None, tags=[] if self._wants_tags(row) else None))
            if self.shape is not None:
                self._append_waiting()
        else:
            raise self._problem(
                row,
                "the text is missing (null). Fill it in, or choose --nulls skip or empty (Python: nulls=).",
            )

    def _append_waiting(self) -> None:
        waiting, self._waiting = self._waiting, []
        for row in waiting:
            if isinstance(row.text, list):
                if self.shape != "list of lists of tokens":  # there, it is a row without texts
                    self._append(row, [], "list of tokens")
                continue
            if self.shape in ("list of texts", "list of lists of tokens") and row.group is None:
                row = row._replace(group=self.part + row.where)  # noqa: PLW2901
            is_tokens = self.shape in ("list of tokens", "list of lists of tokens")
            self._append(row, [] if is_tokens else "", self.shape or "text")

    def _append(self, row: Row, text: str | list[str], shape: Shape) -> None:
        if self.shape is None:
            self.shape = shape
            self._append_waiting()
        elif self.shape != shape:
            raise self._problem(row, f"expected a {self.shape} as in the rows before, got a {shape}.")
        if self._finds_group and row.group is None:
            row = row._replace(group=self._prompt(row, row.prompt))
        for flag, place, check in self._checks_of(row):
            self._columns[flag].append(check(row, row[place]))
        if self.reading.reasoning == "remove" and isinstance(text, str):
            text = self._without_reasoning(text)
        self._texts.append(text)
        self._characters += len(text) if isinstance(text, str) else sum(map(len, text))

    def _without_reasoning(self, text: str) -> str:
        answer = without_reasoning(text)
        if answer != text:
            self._remarks += Remarks({REASONING_REMOVED if answer else REASONING_ALONE: 1})
        return answer

    def _checks_of(self, row: Row) -> list[Check]:
        """Return how the values of a row besides its text are checked."""
        if row.group is None or "group" in self._needed:
            return self._checks
        return [self._check_of("group"), *self._checks]

    def _check_of(self, flag: str) -> Check:
        return flag, Row._fields.index(flag), partial(_CHECKS[flag], self)

    def _key(self, row: Row, value: object, kind: str) -> str:
        value = plain(value)
        if isinstance(value, (str, int, float)) and not is_null(value):
            return str(value)
        template = (
            f"expected the {{noun}} to be a word or a number, got {describe(value)}. Fill it "
            "in, or name another field with --{option} (Python: {option}=)."
        )
        raise FieldError(template, kind, source=self.source, row=row.where)

    def _group(self, row: Row, value: object) -> str:
        return value if type(value) is str else self._key(row, value, "group")

    def _id(self, row: Row, value: object) -> str:
        return value if type(value) is str else self._key(row, value, "id")

    def _class(self, row: Row, value: object) -> str:
        return self._key(row, value, "partition")

    def _prompt(self, row: Row, value: object) -> str:
        prompt = plain(value)
        if isinstance(prompt, str):
            return prompt
        if is_null(prompt):
            raise self._problem(
                row,
                "the prompt is missing (null). Fill it in, or read the texts without --prompt (Python: "
                "prompt=).",
            )
        raise self._problem(
            row,
            f"expected the prompt to be text, got {describe(prompt)}. Write one prompt per row, as a string, "
            "or name another field with --prompt (Python: prompt=).",
        )

    def _quality(self, row: Row, value: object) -> float:
        if value is UNSCORED:
            return math.nan
        quality = plain(value)
        if isinstance(quality, str):  # cells of csv are text
            with suppress(ValueError):
                quality = float(quality)
        if is_number(quality):
            return float(quality)
        raise self._problem(
            row,
            f"expected the quality to be a number, got {describe(quality)}. Name a field of numbers with "
            "--quality (Python: quality=).",
        )

    def _values_per_text(self, row: Row, flag: str, count: int) -> Sequence[object]:
        """Return one value per text of a row: those of a list, or the same value for all of them."""
        value = plain(getattr(row, flag))
        if not isinstance(value, (list, tuple)):
            return [value] * count
        if len(value) != count:
            raise self._problem(
                row,
                f"expected the {flag} of {count} texts to be a list of {count} values, got {len(value)}. "
                "Give one value per text.",
            )
        return value

    def _wants_tags(self, row: Row) -> bool:
        return "tags" in self._needed or row.tags is not None

    def _tag_list(self, row: Row, value: object) -> list[str]:
        tags = plain(value)
        if isinstance(tags, (list, tuple)) and _are_strings(tags):
            return list(tags)
        if is_null(tags):
            raise self._problem(
                row,
                "the tags are missing (null). Give a list of strings, one per token, or read the texts "
                "without --tags (Python: tags=).",
            )
        raise self._problem(
            row,
            f"expected the tags to be a list of strings, got {describe(tags)}. Write each tag as a string, "
            "or read the texts without --tags (Python: tags=).",
        )

    def _tag_lists(self, row: Row, count: int, levels: int) -> list[object]:
        """Return the tags of `count` texts, which are in lists nested `levels` deep, as the texts are."""
        tag_lists = plain(row.tags)
        if is_null(tag_lists):
            self._tag_list(row, None)
        for _ in range(levels):
            parts = _joined([tag_lists]) if isinstance(tag_lists, (list, tuple)) else []
            tag_lists = _joined(parts) if _are_lists(parts) else tag_lists
        if isinstance(tag_lists, (list, tuple)) and len(tag_lists) == count:
            return list(tag_lists)
        raise self._problem(
            row,
            f"expected the tags of {count} texts to be {count} lists of strings, got {describe(tag_lists)}. "
            "Give one list per text, or read the texts without --tags (Python: tags=).",
        )

    def _problem(self, row: Row, problem: str) -> InputError:
        return InputError(problem, source=self.source, row=row.where)


# How the value of each flag is checked.
_CHECKS: dict[str, Callable[[BatchBuilder, Row, object], Any]] = {
    "group": BatchBuilder._group,
    "id": BatchBuilder._id,
    "tags": BatchBuilder._tag_list,
    "prompt": BatchBuilder._prompt,
    "quality": BatchBuilder._quality,
    "partition": BatchBuilder._class,
}


def shape_of(
    items: Iterable[Row | Block | Remark],
    reading: Reading,
    *,
    as_tokens: bool | None = None,
    required: Collection[str] = (),
) -> Shape | None:
    """Return the shape of the first text that is not missing; None if it cannot be read."""
    if reading.skip_bad:
        return BatchBuilder("", reading, as_tokens=as_tokens, required=required).first_shape(items)
    for item in items:
        if isinstance(item, Block):
            return "text"
        if isinstance(item, Remark):
            continue
        text = plain(item.text)
        if isinstance(text, str):
            return "text"
        if is_null(text) or (isinstance(text, (list, tuple)) and not text):
            continue  # decides nothing
        if not isinstance(text, (list, tuple)):
            return None
        if not (reading.tokens if as_tokens is None else as_tokens):
            return "list of texts"
        return "list of tokens" if _tokens(text) is not None else "list of lists of tokens"
    return None


def _are_strings(parts: Sequence[object]) -> bool:
    # Types first, which is quick; an instance of a subclass of str is also a string.
    return set(map(type, parts)) <= {str} or all(isinstance(part, str) for part in parts)


def _are_lists(parts: Sequence[object]) -> TypeGuard[Sequence[Sequence[object]]]:
    return bool(parts) and all(isinstance(part, (list, tuple)) for part in parts)


def _joined(lists: Sequence[Sequence[object]]) -> list[object]:
    return [plain(part) for parts in lists for part in parts]


def _tokens(parts: Sequence[object]) -> list[str] | None:
    """Return tokens as strings, a token id as its decimal digits; None if these are no tokens."""
    types = set(map(type, parts))
    if types <= {int} and types:
        return list(map(str, parts))
    if types <= {str} or all(isinstance(part, str) for part in parts):
        return [part for part in parts if isinstance(part, str)]
    return [str(part) for part in parts] if all(map(is_whole_number, parts)) else None


def is_whole_number(value: object) -> bool:
    """Return whether a value is a whole number of Python or numpy, and not a truth value."""
    return isinstance(value, Integral) and not isinstance(value, (bool, np.bool_))


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a number, and not missing or a truth value."""
    return isinstance(value, (int, float)) and not isinstance(value, bool) and not is_null(value)


def plain(value: object) -> object:
    """Return a numpy scalar or array as a Python object."""
    plain: object = value.tolist() if hasattr(value, "tolist") else value
    return plain


def is_null(value: object) -> bool:
    """Return whether a value stands for a missing text: None, NaN, or pandas' NA."""
    return (
        value is None
        or (isinstance(value, float) and value != value)
        or type(value).__name__ in ("NAType", "NaTType")
    )


def describe(value: object) -> str:
    """Return a short description of a value that is not text."""
    try:
        shown = repr(value)
    except RecursionError:
        shown = "deeply nested"
    shown = shown if len(shown) <= 40 else shown[:37] + "…"
    kinds = {bool: "a truth value", int: "a number", float: "a number", dict: "an object"} | {
        bytes: "bytes",
        str: "text",
    }
    if is_null(value):
        return "nothing (null)"
    if isinstance(value, (list, tuple)):
        parts = {
            kinds.get(type(part), "text" if isinstance(part, str) else type(part).__name__) for part in value
        }
        contents = (
            " and ".join(sorted(part.removeprefix("a ").removeprefix("an ") for part in parts)) or "nothing"
        )
        return f"a list of {contents} ({shown})"
    return f"{kinds.get(type(value), type(value).__name__)} ({shown})"
