"""Choose the source of a path: by its ending, or by the given format."""

from __future__ import annotations

import glob
import os
import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path, PurePath
from typing import NamedTuple

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
from distinctly.sources.locations import LocalFile, Location
from distinctly.sources.logs.finding import LOG, LOGS, log_of, without_summaries
from distinctly.sources.logs.systems import mark_repeated
from distinctly.sources.many import ManySource, files_by_pattern, files_of_folder, is_matched
from distinctly.sources.parquet import ParquetSource
from distinctly.sources.states import ENDING as STATE
from distinctly.sources.states import StateSource
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
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9]+:/")
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
    written, start = str(path), 0
    if SEPARATOR in written and _may_be_remote(path):
        from distinctly.sources.remote import end_of_host, remote_uri

        written = remote_uri(path) or written
        start = end_of_host(written)  # the name of a server may contain `::`
    if SEPARATOR not in written[start:] or _exists(written):
        return path, None
    parts = written[start:].split(SEPARATOR)
    splits = [
        (written[:start] + SEPARATOR.join(parts[:at]), SEPARATOR.join(parts[at:]))
        for at in range(len(parts) - 1, 0, -1)
    ]
    file, field = next((split for split in splits if _may_be_read(split[0])), splits[0])
    if not field:
        raise SpecError(f"Expected the name of a field after '{SEPARATOR}', got '{written}'.")
    return file, field


def _may_be_read(path: str) -> bool:
    return path == "-" or _exists(path) or (glob.has_magic(path) and is_matched(path))


def _exists(path: str) -> bool:
    if _may_be_remote(path):
        from distinctly.sources.remote import exists, remote_uri

        if remote_uri(path) is not None:
            return exists(path)
    return os.path.lexists(path)


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
    if str(path).endswith(STATE):  # also beside texts whose format is given
        return StateSource(str(path))
    if path == "-":
        return _kind(reading.format or "txt")(None, reading)
    files, is_folder, is_pattern = _files_at(path, reading)
    if not is_folder and not is_pattern:
        return _open_file(files[0], reading)
    title = "" if is_pattern else _title(path)
    return _open_many([(file, reading) for file in files], name=str(path), title=title)


class _Files(NamedTuple):
    """The files of a path, and whether it is a folder or a pattern."""

    files: Sequence[Path | Location]
    is_folder: bool = False
    is_pattern: bool = False


def _files_at(path: str | Path, reading: Reading) -> _Files:
    if _may_be_remote(path):
        from distinctly.sources.remote import files_at, has_pattern, remote_uri

        uri = remote_uri(path)
        if uri is not None:
            files, are_several = files_at(uri)
            is_pattern = has_pattern(uri)
            if are_several and not is_pattern:
                _check_endings(files, uri.rstrip("/"), reading)
            return _Files(files, are_several and not is_pattern, are_several and is_pattern)
    if _is_pattern(str(path)):
        return _Files(without_summaries(map(LocalFile, files_by_pattern(str(path)))), is_pattern=True)
    if _is_folder(path):
        in_folder = without_summaries(map(LocalFile, files_of_folder(Path(path))))
        _check_endings(in_folder, str(path), reading)
        return _Files(in_folder, is_folder=True)
    return _Files([Path(path)])


def _may_be_remote(path: str | Path) -> bool:
    # Without an import: paths of this machine are read without the modules of others.
    return _SCHEME.match(str(path)) is not None


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
    files: list[tuple[Path | Location, Reading]] = []
    for given in paths:
        path, field = split_field(given)
        how = reading if field is None else replace(reading, field=field)
        files += [(file, how) for file in _files_at(path, reading).files]
    more = f" and {len(paths) - 1} more" if len(paths) > 1 else ""
    return _open_many(files, name=f"{shown_path(paths[0])}{more}", title=f"{_title(paths[0])}{more}")


def _open_many(files: Sequence[tuple[Path | Location, Reading]], *, name: str, title: str = "") -> Source:
    # If lines are groups, line 3 of one file and line 3 of another are two groups.
    parts = ["", *(f"file {number}, " for number in range(2, len(files) + 1))]
    sources = [_open_file(file, reading, part) for (file, reading), part in zip(files, parts)]
    ignore_field_of_lines(sources)
    mark_repeated(sources)
    return ManySource(sources, name=name, title=title or name)


def _open_file(path: Path | Location, reading: Reading, part: str = "") -> Source:
    location = LocalFile(path) if isinstance(path, Path) else path
    ending = _ending(location)
    if reading.format is None and ending in _NO_TEXT:
        raise InputError(
            f"cannot read .{ending} files. Convert it to one of {', '.join(ENDINGS)}; "
            "or choose its format with --input (Python: format=).",
            source=location.name,
        )
    kind = _kind(reading.format) if reading.format is not None else log_of(location, ending, reading)
    return (kind or FORMATS[ending if ending in ENDINGS else "txt"])(location, reading, part=part)


def _kind(name: str) -> type[FileSource]:
    return LOGS[name].load() if name in LOGS else FORMATS[name]


def _check_endings(files: Sequence[Location], folder: str, reading: Reading) -> None:
    """Raise if the ending of a file in a folder is unknown and no format is given."""
    for file in files if reading.format is None else ():
        if _ending(file) not in (*ENDINGS, LOG):
            raise InputError(
                f"endings of files in a folder have to be known: {', '.join(ENDINGS)}, and these with "
                f"{', '.join(COMPRESSIONS)}. Remove the file, choose files by a pattern such as "
                f"'{folder}/*.txt', or choose the format of all of them with --input (Python: format=).",
                source=file.name,
            )


def _ending(file: Location) -> str:
    name = PurePath(file.title)
    inner = name.with_suffix("") if file.ending in COMPRESSIONS else name
    return inner.suffix.lower().removeprefix(".")


def shown_path(path: str | Path) -> str:
    """Return a path as reports show it: an address without passwords."""
    if not _may_be_remote(path):
        return str(path)
    from distinctly.sources.stores import shown

    return shown(str(path))


def _title(path: str | Path) -> str:
    if _may_be_remote(path):
        return shown_path(path).rstrip("/").rpartition("/")[2]
    return Path(path).name or Path(path).resolve().name
