"""Reports in files: the ending decides the format, and a file is written as a whole or not at all."""

from __future__ import annotations

import importlib
import os
import shutil
from pathlib import Path

from distinctly.errors import InputError, ResourceError, SpecError, is_full, reason
from distinctly.report import Subject, check_format, rendered
from distinctly.report.page import Page

# The format of each ending.
ENDINGS = {
    ".csv": "csv",
    ".tsv": "tsv",
    ".xlsx": "xlsx",
    ".parquet": "parquet",
    ".json": "json",
    ".jsonl": "jsonl",
    ".md": "markdown",
    ".tex": "latex",
    ".html": "html",
    ".txt": "table",
}
# Formats that are requested by name, and written to files with the ending of another format.
_VARIANTS = {"findings": (".csv",), "values": (".txt",)}
# Formats that are not text, each a module of this folder with a function ``encode(page) -> bytes``.
BINARY = ("xlsx", "parquet")
# The formats that can begin with a byte order mark.
MARKED = ("csv", "tsv", "findings")
BOM = "\ufeff"


def format_of(path: str | Path, requested: str | None = None) -> str:
    """Return the format of a file by its ending; raise if another one is requested by name.

    Examples
    --------
    >>> format_of("scores.md"), format_of("trial.csv", "findings")
    ('markdown', 'findings')
    """
    ending = Path(path).suffix.lower()
    if ending not in ENDINGS:
        shown = f"'{ending}'" if ending else "none"
        raise SpecError(
            f"The ending of the output file decides its format: expected one of {', '.join(ENDINGS)}, got "
            f"{shown} in '{path}'."
        )
    if requested is None or requested == ENDINGS[ending]:
        return ENDINGS[ending]
    if ending in _VARIANTS.get(requested, ()):
        return requested
    raise SpecError(
        f"--format {requested} does not agree with the ending of '{path}', which means {ENDINGS[ending]}. "
        "Remove --format, or choose another ending."
    )


def check_target(path: str | Path, subject: Subject = "scores", form: str = "") -> None:
    """Raise if a report cannot be written to a file, before anything is measured."""
    form = form or format_of(path)
    if form not in BINARY:
        check_format(form, subject)
    if form == "xlsx":
        from distinctly.report.xlsx import check_installed

        check_installed()
    check_writable(path)


def check_writable(path: str | Path, what: str = "output") -> None:
    """Raise if a file cannot be written."""
    target = Path(os.path.realpath(path))
    if target.is_dir():
        raise InputError(f"this is a folder. Name a file in it for the {what}.", source=str(path))
    if not target.parent.is_dir():
        raise InputError(
            f"this folder does not exist. Create it, or choose another file for the {what}.",
            source=str(Path(path).parent),
        )
    for place in (target, target.parent):
        if place.exists() and not os.access(place, os.W_OK):
            raise InputError(
                f"it cannot be written: permission denied. Choose another file for the {what}.",
                source=str(place if place == target else Path(path).parent),
            )


def save_page(
    page: Page, path: str | Path, form: str = "", *, bom: bool = False, raw_cells: bool = False
) -> None:
    """Write a page to a file.

    Parameters
    ----------
    page
        The report.
    path
        The file; an existing one is replaced.
    form
        The format; by default that of the ending.
    bom
        Whether a .csv or .tsv file begins with a byte order mark, so that Excel reads it as UTF-8.
    raw_cells
        Whether text cells of .csv, .tsv and .xlsx files that look like formulas are written as they are. By
        default they get an apostrophe in front.
    """
    chosen = form or format_of(path)
    if bom and chosen not in MARKED:
        raise SpecError("A byte order mark (bom) is for .csv and .tsv files. Leave it out.")
    if chosen in BINARY:
        encode = importlib.import_module(f"distinctly.report.{chosen}").encode
        contents: bytes = encode(page, raw_cells=raw_cells) if chosen == "xlsx" else encode(page)
    else:
        text = (BOM if bom else "") + rendered(page, chosen, raw_cells=raw_cells, whole=True)
        contents = text.encode("utf-8", "backslashreplace")
    write_whole(path, contents)


def write_whole(path: str | Path, contents: bytes) -> None:
    """Write a file atomically, so that it is never half-written; a link is followed."""
    target = Path(os.path.realpath(path))
    draft = target.with_name(f".{target.name[:60]}.{os.getpid()}")
    try:
        draft.write_bytes(contents)
        if target.exists():
            shutil.copymode(target, draft)
        draft.replace(target)
    except OSError as error:
        problem = f"the results cannot be written: {error.strerror or reason(error)}."
        if is_full(error):
            raise ResourceError(f"{path}: {problem}") from error
        raise InputError(problem, source=str(path)) from error
    finally:
        draft.unlink(missing_ok=True)
