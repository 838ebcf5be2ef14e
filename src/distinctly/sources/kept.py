"""Texts with the places that they came from, and with other fields of their rows."""

from __future__ import annotations

import fnmatch
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, pairwise
from typing import Any

from distinctly.batch import Batch
from distinctly.errors import FieldError, InputError
from distinctly.sources.base import BatchBuilder, Reading, Source, describe
from distinctly.sources.blocks import Row, Unreadable, bad_row
from distinctly.sources.delimited import DelimitedSource
from distinctly.sources.files import FileSource
from distinctly.sources.many import ManySource
from distinctly.sources.paths import FieldPath
from distinctly.sources.records import row_or_skip
from distinctly.sources.tables import is_dataset, is_table

# A number as programs write it: without zeros before it, which a word of digits may have.
_NUMBER = re.compile(r"[+-]?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?")
_WHOLE = re.compile(r"[+-]?(?:0|[1-9]\d{0,17})")


@dataclass(frozen=True)
class KeptTexts:
    """The texts of a corpus, with the place and the kept fields of each.

    Attributes
    ----------
    batch
        The texts.
    files
        The name of the file of each text; None if there is one file.
    rows
        The number of the row of each text in its file, from 1.
    places
        The number of each text in its row, from 1; None if no row has several texts.
    wheres
        The place of each text, for errors.
    columns
        The kept fields by name, with one value per text.
    name
        The name of the source, for errors.
    identified
        Whether the first column is the id of each text.
    """

    batch: Batch
    files: Sequence[str] | None
    rows: Sequence[int]
    places: Sequence[int] | None
    wheres: Sequence[str]
    columns: Mapping[str, Sequence[object]]
    name: str
    identified: bool = False


@dataclass(frozen=True)
class _Part:
    """The rows of one file: their places, their fields, and whether all cells are text."""

    name: str
    title: str
    reading: Reading
    rows: Iterable[tuple[str, object]]
    of_text: bool = False
    part: str = ""


def keep_fields(source: Source, keep: Sequence[str] = (), *, numbered: bool = False) -> KeptTexts:
    """Read the texts of a source, and keep fields of their rows.

    Parameters
    ----------
    source
        Files, or anything else that yields batches.
    keep
        Names of fields, paths, or patterns such as ``*``. The id and the group of the reading are also kept.
    numbered
        Whether the ids of texts without fields are the numbers of their rows.
    """
    files = list(source.sources) if isinstance(source, ManySource) else [source]
    if all(_has_fields(file) for file in files):
        parts = [_part_of(file) for file in files if isinstance(file, FileSource)]
        return _from_records(parts, keep, source.name)
    if keep:
        raise FieldError(
            "lines of text and lists have no fields to keep. Use a table, jsonl, csv or tsv.",
            "keep",
            source=source.name,
        )
    return _from_batches(files, source.name, numbered=numbered)


def keep_columns(table: object, reading: Reading, keep: Sequence[str] = ()) -> KeptTexts:
    """Read the texts of a table, of a dataset, or of a list of mappings, and keep columns of their rows."""
    rows = ((f"row {number}", record) for number, record in enumerate(_records(table)))
    return _from_records([_Part("texts", "texts", reading, rows)], keep, "texts")


def has_columns(texts: object) -> bool:
    """Return whether an object in memory is a table, a dataset, or a list of mappings."""
    if isinstance(texts, (list, tuple)):
        return bool(texts) and all(isinstance(item, Mapping) for item in texts)
    return is_table(texts)


def _records(table: Any) -> Iterator[Mapping[str, object]]:
    if isinstance(table, (list, tuple)) or is_dataset(table):
        return iter(table)
    if isinstance(table, Mapping):
        return (dict(zip(table, cells)) for cells in zip(*table.values()))
    for method in ("to_pylist", "to_dicts"):
        if hasattr(table, method):
            return iter(getattr(table, method)())
    return iter(table.to_dict("records"))


def _has_fields(source: Source) -> bool:
    return isinstance(source, FileSource) and type(source).objects is not Source.objects


def _part_of(source: FileSource) -> _Part:
    of_text = isinstance(source, DelimitedSource)
    return _Part(source.name, source.title, source.reading, source.objects(), of_text, source.part)


def _from_batches(files: Sequence[Source], name: str, *, numbered: bool) -> KeptTexts:
    """Return texts without fields."""
    batches = [Batch.join(file.batches()) for file in files]
    titles = [file.title for file, batch in zip(files, batches) for _ in range(len(batch))]
    batch = Batch.join(batches)
    places: list[int] | None = None
    if numbered and batch.ids is not None:
        rows = list(map(int, batch.ids.tolist()))
        places, counts = _places(rows)
        places = places if any(count > 1 for count in counts.values()) else None
    else:
        rows = [row for piece in batches for row in range(1, len(piece) + 1)]
    wheres = [f"row {row}" for row in rows]
    return KeptTexts(batch, titles if len(files) > 1 else None, rows, places, wheres, {}, name)


def _from_records(parts: Sequence[_Part], keep: Sequence[str], name: str) -> KeptTexts:
    records: list[Mapping[str, object]] = []
    origins: list[tuple[_Part, int, str]] = []
    batches: list[Batch] = []
    for part in parts:
        rows = _numbered(part, records, origins)
        builder = BatchBuilder(part.name, part.reading, part=part.part, required=("id",))
        batches.append(Batch.join(builder.build(rows)))
    batch = Batch.join(batches)
    numbers = [] if batch.ids is None else list(map(int, batch.ids.tolist()))
    places, counts = _places(numbers)
    reading = parts[0].reading
    named = [path for path in (reading.id, reading.group) if path is not None]
    texts: Sequence[object] = _texts(batch)
    columns: dict[str, Sequence[object]] = {}
    for path in dict.fromkeys([*named, *_expanded(keep, records)]):
        if path == reading.field:
            columns[path] = texts
            continue
        values = _values(path, records, origins)
        spread = FieldPath.parse(path).takes_every
        column = [
            _item(values[number], place, counts[number]) if spread else values[number]
            for number, place in zip(numbers, places)
        ]
        columns[path] = _as_numbers(column) if all(part.of_text for part in parts) else column
    return KeptTexts(
        batch,
        [origins[number][0].title for number in numbers] if len(parts) > 1 else None,
        [origins[number][1] for number in numbers],
        places if any(count > 1 for count in counts.values()) else None,
        [origins[number][2] for number in numbers],
        columns,
        name,
        reading.id is not None,
    )


def _numbered(
    part: _Part, records: list[Mapping[str, object]], origins: list[tuple[_Part, int, str]]
) -> Iterator[Row]:
    """Yield the rows of a file, whose ids are the numbers of their records; collect these."""
    for number, (where, record) in enumerate(part.rows, 1):
        if isinstance(record, Unreadable):
            yield Row(where, record)
            continue
        if not isinstance(record, Mapping):
            error = InputError(f"expected an object, got {describe(record)}.", source=part.name, row=where)
            if not part.reading.skip_bad:
                raise error
            yield bad_row(error)
            continue
        row = row_or_skip(record, part.reading, source=part.name, where=where)
        if isinstance(row.tags, str):
            tags = row.tags.split()
            is_blank = isinstance(row.text, str) and not row.text.strip()
            row = row._replace(tags=tags if tags or is_blank else None)
        yield row._replace(id=len(records))
        records.append(record)
        origins.append((part, number, where))


def _places(numbers: Sequence[int]) -> tuple[list[int], dict[int, int]]:
    """Return the place of each text among those of its row, from 1, and the number of texts of each row."""
    counts: dict[int, int] = {}
    places = []
    for number in numbers:
        counts[number] = counts.get(number, 0) + 1
        places.append(counts[number])
    return places, counts


def _texts(batch: Batch) -> list[object]:
    if batch.bounds is None:
        return list(batch.strings.tolist())
    strings, bounds = batch.strings.tolist(), batch.bounds.tolist()
    return [strings[start:end] for start, end in pairwise(bounds)]


def _expanded(keep: Sequence[str], records: Sequence[Mapping[str, object]]) -> list[str]:
    """Return names and paths, with all fields that match a pattern."""
    known = [str(name) for name in dict.fromkeys(chain.from_iterable(records))]
    paths: list[str] = []
    for pattern in keep:
        matches = [] if pattern in known or "[" in pattern else fnmatch.filter(known, pattern)
        paths += matches or [pattern]
    return paths


def _values(
    path: str, records: Sequence[Mapping[str, object]], origins: Sequence[tuple[_Part, int, str]]
) -> list[object]:
    """Return the value of a field in each record; None where a record does not have it, if some have it."""
    parsed = FieldPath.parse(path)
    values: list[object] = []
    problem: FieldError | None = None
    missing = 0
    for record, (part, _, where) in zip(records, origins):
        try:
            values.append(parsed.select(record, source=part.name, row=where, option="keep"))
        except FieldError as error:
            problem, missing = problem or error, missing + 1
            values.append(None)
    if problem is not None and missing == len(records):
        raise problem
    return values


def _item(value: object, place: int, count: int) -> object:
    """Return the value of one text of a row, if there is one value per text."""
    return value[place - 1] if isinstance(value, list) and len(value) == count else value


def _as_numbers(cells: Sequence[object]) -> Sequence[object]:
    """Return cells of text as numbers if all of them are numbers; empty cells are missing then."""
    words = [cell.strip() for cell in cells if isinstance(cell, str)]
    if len(words) < len(cells):
        return cells
    filled = [word for word in words if word]
    if not filled or not all(map(_NUMBER.fullmatch, filled)):
        return cells
    whole = all(map(_WHOLE.fullmatch, filled))
    return [(int(word) if whole else float(word)) if word else None for word in words]
