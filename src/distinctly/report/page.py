"""`Page`: what a reader is shown, as typed blocks; one file per format writes them.

A block keeps what it means beside the words: a cell its number, a note its level, a column what is in it. A
renderer decides how that looks, and never looks into a string to learn what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from distinctly.score import Note

ColumnKind = Literal["name", "number", "text"]
Mark = Literal["", "noise", "partial"]
Role = Literal["header", "legend", "difference", "verdict"]
# What stands behind a number, in formats that have characters only.
BEST = "*"
MARKS: Mapping[Mark, str] = {"": "", "noise": "≈", "partial": "°"}


@dataclass(frozen=True)
class Heading:
    """The name of a corpus, and what there is to say of it."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Paragraph:
    """A sentence or several.

    Attributes
    ----------
    text
        The words.
    role
        ``header``: what was measured. ``legend``: what marks and columns mean. ``difference``: one tested
        difference between corpora. ``verdict``: what follows from the numbers.
    """

    text: str
    role: Role


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes
    ----------
    text
        The name, or the number as it is rounded for reading, with its interval.
    value, low, high
        The number in full precision and its interval; None where the cell holds words.
    best
        It is the best of its kind, and is to be emphasized.
    mark
        ``noise``: chance alone may have made the difference. ``partial``: of a part of the data, so not
        ranked.
    missing
        There is no value, and `text` says so.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    best: bool = False
    mark: Mark = ""
    missing: bool = False

    @property
    def marks(self) -> str:
        """The characters for what is marked."""
        return BEST * self.best + MARKS[self.mark]

    @property
    def marked(self) -> str:
        """The text with its marks."""
        return self.text + self.marks


@dataclass(frozen=True)
class Column:
    """One column of a table.

    Attributes
    ----------
    title
        The words above it.
    kind
        ``name``: what a row is of. ``number``: numbers. ``text``: words.
    muted
        Less important than the other columns.
    breakable
        The title may be broken within words, as the name of a file may.
    """

    title: str
    kind: ColumnKind = "number"
    muted: bool = False
    breakable: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns.

    Attributes
    ----------
    columns, rows
        All of them; a renderer of limited width shows the columns in several parts.
    title, meaning
        What the table is of, and what that means.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    meaning: str = ""


@dataclass(frozen=True)
class Item:
    """One line of a listing.

    Attributes
    ----------
    label
        The number that the line is listed for, as text.
    texts
        Words of the corpora, shown as they are; a renderer of limited width shortens them.
    remark
        Our words after them.
    example
        A text that shows where they occur; shortened first.
    """

    label: str
    texts: Sequence[str]
    remark: str = ""
    example: str = ""


@dataclass(frozen=True)
class Listing:
    """Lines under a title; `nothing` stands there where there is no line."""

    title: str
    items: Sequence[Item]
    nothing: str = "none"


@dataclass(frozen=True)
class Figure:
    """Something to be drawn, where the format can show it."""

    name: str
    draw: Callable[[], Any] = field(compare=False)


@dataclass(frozen=True)
class OwnedNote:
    """A note with the corpora and the metrics that it is about; none where it is about all."""

    note: Note
    corpora: Sequence[str] = ()
    specs: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The note after its owners."""
        owners = ", ".join([*self.corpora, *self.specs])
        return f"{owners}: {self.note}" if owners else str(self.note)


@dataclass(frozen=True)
class Notes:
    """Notes, each once; `most` is the number that fits a screen, where there may be too many."""

    items: Sequence[OwnedNote]
    most: int | None = None


@dataclass(frozen=True)
class Signatures:
    """The signatures of the numbers, in their order."""

    lines: Sequence[str]


Block = Heading | Paragraph | Table | Listing | Figure | Notes | Signatures


@dataclass(frozen=True)
class Page:
    """Everything that a report shows.

    Attributes
    ----------
    blocks
        What is shown to readers, in order.
    document
        The same as plain data, for JSON.
    records, columns
        One flat row per number, for CSV, and the columns that there are at least.
    settings
        What stands above the records where they can be read again; None where they cannot.
    values
        The bare numbers of scores; None for a trial.
    findings
        One flat row per finding of a trial; None for scores.
    """

    blocks: Sequence[Block]
    document: Mapping[str, Any] = field(default_factory=dict)
    records: Sequence[Mapping[str, Any]] = ()
    columns: Sequence[str] = ()
    settings: Mapping[str, Any] | None = None
    values: Sequence[float] | None = None
    findings: Sequence[Mapping[str, Any]] | None = None

    @property
    def tables(self) -> list[Table]:
        """The tables."""
        return [block for block in self.blocks if isinstance(block, Table)]

    @property
    def notes(self) -> list[str]:
        """The notes, each with its owners."""
        return [item.text for block in self.blocks if isinstance(block, Notes) for item in block.items]

    def sentences(self, *roles: Role) -> list[str]:
        """Return the paragraphs of these roles; all where none is named."""
        paragraphs = [block for block in self.blocks if isinstance(block, Paragraph)]
        return [one.text for one in paragraphs if not roles or one.role in roles]
