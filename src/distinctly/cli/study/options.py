"""What the commands of studies share: reading and writing files, and links."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from pathlib import Path

from distinctly.cli import say
from distinctly.cli.grouped import option, together, with_default
from distinctly.cli.options import file_options
from distinctly.errors import InputError, MissingFileError, SpecError, reason
from distinctly.studies.model import OWNER


def read_text(path: str) -> str:
    """Read a file of text in UTF-8."""
    try:
        text = Path(path).read_bytes().decode("utf-8-sig")
    except FileNotFoundError:
        raise MissingFileError("the file does not exist.", source=path) from None
    except UnicodeDecodeError as error:
        raise InputError(f"expected text in UTF-8, got other bytes ({error.reason}).", source=path) from error
    except OSError as error:
        raise InputError(f"it cannot be read: {error.strerror or reason(error)}.", source=path) from error
    if not text.strip():
        raise InputError("the file is empty.", source=path)
    return text


def check_target(path: Path, links: str | None) -> None:
    """Raise if a study cannot be created, or its links cannot be written, before anything is drawn."""
    from distinctly.studies.database import check_new

    check_new(path)
    if links is None:
        return
    if Path(links).suffix.lower() != ".csv":
        raise SpecError(f"Expected a .csv file for the links, got '{links}'.")
    if Path(links).exists():
        raise InputError("the file exists. Choose another one for the links.", source=links)
    if not Path(links).parent.is_dir():
        raise InputError("this folder does not exist. Create it first.", source=str(Path(links).parent))


def path_of(name: str, token: str) -> str:
    """Return the path of a link: that of the owner, or of an annotator."""
    return f"/owner/{token}" if name == OWNER else f"/study/{token}"


def show_links(tokens: Mapping[str, str], study: str | Path) -> None:
    """Write the links of a study; they are not stored, so that they cannot be shown again."""
    width = max(map(len, tokens))
    for name, token in tokens.items():
        say(f"  {name.ljust(width)}  {path_of(name, token)}")
    say(f"\nKeep these links: they are shown only once. `distinctly study links {study} --renew NAME`")
    say("replaces a lost one.")


def write_links(tokens: Mapping[str, str], path: str) -> None:
    """Write the links to a new file that only the user can read."""
    from distinctly.report.csv import records_as_csv

    rows = [{"name": name, "link": path_of(name, token)} for name, token in tokens.items()]
    contents = records_as_csv(rows).encode()  # in bytes, so that no system changes the line ends
    try:
        descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
        with open(descriptor, "wb") as file:  # noqa: PTH123 - a descriptor
            file.write(contents)
    except OSError as error:
        problem = f"the links cannot be written: {error.strerror or reason(error)}."
        raise InputError(problem, source=path) from error
    say(f"distinctly: wrote {path}", err=True)


def least_agreement_of(word: str) -> float | None:
    """Return the smallest agreement; None if all annotators are kept."""
    if word == "none":
        return None
    try:
        number = float(word)
    except ValueError:
        number = math.nan
    if math.isnan(number):
        raise SpecError(f"Expected --least-agreement to be a number or none, got '{word}'.")
    return number


output_options = together(
    option(
        "--format",
        "output_format",
        group="Output",
        metavar="FORMAT",
        help=with_default("Format of the output, such as table, json, csv or markdown.", "table"),
    ),
    file_options,
)
save_option = option(
    "--save",
    group="Output",
    metavar="FILE",
    help="Save the trial over sets in a .json or .csv file, for `judge table` and `judge plot`; an "
    "interrupted run is resumed from it.",
)
