"""Choose the source of a path: by its ending, or by the given format."""

from __future__ import annotations

import glob
import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from distinctly.errors import InputError, SpecError
from distinctly.sources.arrow import ArrowSource
from distinctly.sources.base import Reading, Source
from distinctly.sources.compressed import COMPRESSIONS
from distinctly.sources.delimited import DelimitedSource, TabbedSource
from distinctly.sources.excel import ExcelSource
from distinctly.sources.files import FileSource
from distinctly.sources.json_array import JsonSource
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.lines import LinesSource
from distinctly.sources.many import ManySource, files_by_pattern, files_of_folder, is_matched
from distinctly.sources.parquet import ParquetSource
from distinctly.sources.whole import WholeSource

FORMATS: dict[str, type[FileSource]] = {
    "txt": LinesSource,
    "jsonl": JsonlSource,
    "ndjson": JsonlSource,
    "json": JsonSource,
    "csv": DelimitedSource,
    "tsv": TabbedSource,
    "xlsx": ExcelSource,
    "xlsm": ExcelSource,
    "parquet": ParquetSource,
    "arrow": ArrowSource,
    "feather": ArrowSource,
    "file": WholeSource,
}
SEPARATOR = "::"
ENDINGS = [name for name in FORMATS if name != "file"]

# Reading these as lines of text would give a wrong number.
_NO_TEXT = (
    *("7z", "rar", "tar", "tbz2", "tgz", "txz", "whl", "z", "zip", "zstd"),
    *("avro", "db", "h5", "hdf5", "npy", "npz", "orc", "sqlite", "ods", "xls", "xlsb"),
    *("bin", "pickle", "pkl", "pt", "pth", "safetensors"),
    *("doc", "docx", "gif", "jpeg", "jpg", "odt", "pdf", "png", "ppt", "pptx"),
)


def open_path(path: str | Path, reading: Reading) -> Source:
    """Return the source of a file, of a folder or pattern of files, or of standard input (``-``).

    ``data.csv::Text`` names the field of this path, unless there is a file of that name.
    """
    path, field = split_field(path)
    if field is not None:
        source = _open_path(path, replace(reading, field=field))
        for file in _files_of(source):
            if isinstance(file, LinesSource):
                file.reading.refuse_fields(file.name, "lines of text", f"Remove '::{field}'.")
        source.title += f"{SEPARATOR}{field}"
        return source
    return _open_path(path, reading)


def split_field(path: str | Path) -> tuple[str | Path, str | None]:
    """Split a path at the last ``::`` before which there is a file, folder or pattern.

    Examples
    --------
    >>> split_field("data.csv::Text"), split_field("data.csv")
    (('data.csv', 'Text'), ('data.csv', None))
    """
    written = str(path)
    if SEPARATOR not in written or os.path.lexists(written):
        return path, None
    parts = written.split(SEPARATOR)
    splits = [(SEPARATOR.join(parts[:at]), SEPARATOR.join(parts[at:])) for at in range(len(parts) - 1, 0, -1)]
    file, field = next((split for split in splits if _may_be_read(split[0])), splits[0])
    if not field:
        raise SpecError(f"Expected the name of a field after '{SEPARATOR}', got '{written}'.")
    return file, field


def _may_be_read(path: str) -> bool:
    return path == "-" or os.path.lexists(path) or (glob.has_magic(path) and is_matched(path))


def ignore_field_of_lines(sources: Iterable[Source]) -> None:
    """Let lines of text ignore the field, and the delimiter, that are meant for other sources beside them."""
    files = [file for source in sources for file in _files_of(source)]
    lines = [file for file in files if isinstance(file, LinesSource)]
    if len(lines) < len(files):
        for file in lines:
            file.reading = replace(file.reading, field=Reading.field, delimiter=None)


def _files_of(source: Source) -> list[Source]:
    if isinstance(source, ManySource):
        return [file for part in source.sources for file in _files_of(part)]
    return [source]


def _open_path(path: str | Path, reading: Reading) -> Source:
    if path == "-":
        return FORMATS[reading.format or "txt"](None, reading)
    if _is_pattern(str(path)):
        matching = [(file, reading) for file in files_by_pattern(str(path))]
        return _open_many(matching, name=str(path))
    if _is_folder(path):
        readable = [(file, reading) for file in _readable_files(Path(path), reading)]
        return _open_many(readable, name=str(path), title=_title(path))
    return _open_file(Path(path), reading)


def _is_pattern(path: str) -> bool:
    """Return whether a path is a pattern: it has wildcards, and no file of that name exists."""
    return glob.has_magic(path) and not os.path.lexists(path)


def _is_folder(path: str | Path) -> bool:
    """Return whether a path is a folder; a text given by mistake is not."""
    try:
        return os.path.isdir(path)  # noqa: PTH112 - raises nothing without permission
    except ValueError:
        return False


def open_paths(paths: Sequence[str | Path], reading: Reading) -> Source:
    """Return one source of several paths, each of them a file, folder or pattern."""
    if not paths:
        raise InputError("expected the paths of files, got none.")
    files: list[tuple[Path, Reading]] = []
    for given in paths:
        path, field = split_field(given)
        how = reading if field is None else replace(reading, field=field)
        if _is_pattern(str(path)):
            matching = files_by_pattern(str(path))
        elif _is_folder(path):
            matching = _readable_files(Path(path), reading)
        else:
            matching = [Path(path)]
        files += [(file, how) for file in matching]
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return _open_many(files, name=f"{paths[0]}{more}", title=f"{_title(paths[0])}{more}")


def _open_many(files: Sequence[tuple[Path, Reading]], *, name: str, title: str = "") -> Source:
    # If lines are groups, line 3 of one file and line 3 of another are two groups.
    parts = ["", *(f"file {number}, " for number in range(2, len(files) + 1))]
    sources = [_open_file(file, reading, part) for (file, reading), part in zip(files, parts)]
    ignore_field_of_lines(sources)
    return ManySource(sources, name=name, title=title or name)


def _open_file(path: Path, reading: Reading, part: str = "") -> Source:
    ending = _ending(path)
    if reading.format is None and ending in _NO_TEXT:
        raise InputError(
            f"cannot read .{ending} files. Convert it to one of {', '.join(ENDINGS)}; "
            "or choose its format with --input (Python: format=).",
            source=str(path),
        )
    return FORMATS[reading.format or (ending if ending in ENDINGS else "txt")](path, reading, part=part)


def _readable_files(folder: Path, reading: Reading) -> list[Path]:
    """Return the files of a folder; raise if the ending of one is unknown and no format is given."""
    files = files_of_folder(folder)
    for file in files if reading.format is None else ():
        if _ending(file) not in ENDINGS:
            raise InputError(
                f"endings of files in a folder have to be known: {', '.join(ENDINGS)}, and these with "
                f"{', '.join(COMPRESSIONS)}. Remove the file, choose files by a pattern such as "
                f"'{folder / '*.txt'}', or choose the format of all of them with --input (Python: format=).",
                source=str(file),
            )
    return files


def _ending(path: Path) -> str:
    inner = path.with_suffix("") if path.suffix.lower().removeprefix(".") in COMPRESSIONS else path
    return inner.suffix.lower().removeprefix(".")


def _title(path: str | Path) -> str:
    return Path(path).name or Path(path).resolve().name
