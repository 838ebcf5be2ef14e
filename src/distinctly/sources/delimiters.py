"""The delimiter of a file of cells, from its header and its first records."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator
from typing import NamedTuple

from distinctly.sources.base import DELIMITERS

# The largest numbers of lines and characters from which the delimiter is detected.
SAMPLE_LINES, SAMPLE_SIZE = 100, 1_000_000
# The "delimiter" of a file with one column: a character that no text contains.
ONE_COLUMN = "\uffff"
_WRITTEN = re.compile(r'"?sep=(.)"?[\r\n]*', re.IGNORECASE)


class Sample(NamedTuple):
    """The first lines of a file, and whether these are all lines, so that the last record is complete."""

    lines: list[str]
    is_complete: bool


def take_sample(lines: Iterator[str]) -> Sample:
    """Take the first lines of a file."""
    first: list[str] = []
    size = 0
    for line in lines:
        first.append(line)
        size += len(line)
        if len(first) == SAMPLE_LINES or size > SAMPLE_SIZE:
            return Sample(first, is_complete=False)
    return Sample(first, is_complete=True)


def written_delimiter(line: str) -> str | None:
    """Return the delimiter in a first line such as ``sep=;``; None if it is another line.

    Examples
    --------
    >>> written_delimiter("sep=;"), written_delimiter("text;id")
    (';', None)
    """
    match = _WRITTEN.fullmatch(line)
    return None if match is None else match[1]


def detect(sample: Sample, names: Collection[str], default: str) -> str:
    r"""Return the delimiter of a file: a comma, a semicolon, a tab or a bar.

    It is the one with which the header has all requested names. If several or none have them, it is the one
    with which most records have as many cells as the header, and the one with most cells among these.

    Parameters
    ----------
    sample
        The first lines.
    names
        The requested fields.
    default
        The delimiter of the format; a tab in the header of a .tsv file is not questioned.

    Examples
    --------
    >>> detect(Sample(["id;text\n", "1;one, two\n"], True), ["text"], ",")
    ';'
    >>> detect(Sample(["id,score\n", "1,2;3\n"], True), ["text"], ",")
    ','
    """
    parsed = {
        delimiter: _records(sample, delimiter)
        for delimiter in sorted(DELIMITERS.values(), key=lambda delimiter: delimiter != default)
    }
    parsed = {delimiter: records for delimiter, records in parsed.items() if records}
    wide = {delimiter: records for delimiter, records in parsed.items() if len(records[0]) > 1}
    if default == "\t" and default in wide:
        return default
    named = [delimiter for delimiter, records in parsed.items() if set(names) <= set(records[0])]
    if len(named) == 1:
        return named[0]
    if not wide:
        return ONE_COLUMN if parsed else default

    def fit(delimiter: str) -> tuple[float, int]:
        header, *records = wide[delimiter]
        fitting = sum(len(record) == len(header) for record in records)
        return fitting / max(len(records), 1), len(header)

    return max(wide, key=fit)


def title(delimiter: str) -> str:
    """Return a delimiter in words.

    Examples
    --------
    >>> title(";"), title("#")
    ('a semicolon', "'#'")
    """
    names = {character: f"a {name}" for name, character in DELIMITERS.items()}
    return names.get(delimiter, repr(delimiter))


def _records(sample: Sample, delimiter: str) -> list[list[str]]:
    """Return the records of the lines that can be read with a delimiter, without blank lines."""
    records: list[list[str]] = []
    reader = csv.reader(sample.lines, delimiter=delimiter, strict=True)
    try:
        for record in reader:
            if record:
                records.append(record)  # noqa: PERF401 - kept if a later record cannot be read
    except csv.Error:
        is_cut = reader.line_num == len(sample.lines) and not sample.is_complete
        if records and not is_cut:
            records.append([])  # a record that does not fit
    return records
