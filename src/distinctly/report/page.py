"""`Page`: the contents of a report as typed blocks; one module per format writes them.

A block stores its meaning next to its text: a cell its number, a note its level, a column its kind. A
renderer decides how that looks, and never parses a string to find out what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from distinctly.score import Note

ColumnKind = Literal["name", "number", "text"]
Mark = Literal["", "noise", "partial"]
Role = Literal["header", "legend", "difference", "verdict"]
# Marks after a number, in formats of plain characters.
BEST = "*"
MARKS: Mapping[Mark, str] = {"": "", "noise": "≈", "partial": "°"}


@dataclass(frozen=True)
class Heading:
    """The name of a corpus, and its description."""

    text: str
    detail: str = ""


@dataclass(frozen=True)
class Paragraph:
    """One or more sentences.

    Attributes
    ----------
    text
        The sentences.
    role
        ``header``: what was measured. ``legend``: the meaning of marks and columns. ``difference``: one
        tested difference between corpora. ``verdict``: a conclusion from the numbers.
    """

    text: str
    role: Role


@dataclass(frozen=True)
class Cell:
    """One cell of a table.

    Attributes
    ----------
    text
        The name, or the rounded number with its interval.
    value, low, high
        The number in full precision and its interval; None for a name or a remark.
    best
        Whether it is the best of its kind, which is emphasized.
    mark
        ``noise``: the difference may be due to chance. ``partial``: from a part of the data only, so not
        ranked.
    missing
        Whether there is no value.
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
        """The marks as characters."""
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
        The text above it.
    kind
        ``name``: what the row describes. ``number``: numbers. ``text``: remarks.
    muted
        Whether it is less important than other columns.
    breakable
        Whether the title can be broken within words, such as the name of a file.
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
        The title of the table, and its explanation.
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
        Text of the corpora; a renderer of limited width shortens it.
    remark
        A remark after them.
    example
        A text in which they occur; shortened first.
    """

    label: str
    texts: Sequence[str]
    remark: str = ""
    example: str = ""


@dataclass(frozen=True)
class Listing:
    """Lines under a title; `nothing` replaces them if there are none."""

    title: str
    items: Sequence[Item]
    nothing: str = "none"


@dataclass(frozen=True)
class Figure:
    """A figure, drawn by formats that can show it."""

    name: str
    draw: Callable[[], Any] = field(compare=False)


@dataclass(frozen=True)
class OwnedNote:
    """A note with the corpora and the metrics that it is about; both are empty if it is about all."""

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
    """Notes, each once; `most` is the largest number to show on a screen."""

    items: Sequence[OwnedNote]
    most: int | None = None


@dataclass(frozen=True)
class Signatures:
    """The signatures of the numbers, in their order."""

    lines: Sequence[str]


Block = Heading | Paragraph | Table | Listing | Figure | Notes | Signatures


@dataclass(frozen=True)
class Page:
    """The contents of a report.

    Attributes
    ----------
    blocks
        The blocks for readers, in order.
    document
        Returns the same as plain data, for JSON; a function, since the other formats do not need it.
    records, columns
        One flat row per number, for CSV, and columns that are always written.
    settings
        Settings above the records, with which they can be read again; None if they cannot.
    values
        The bare numbers of scores; None for a trial.
    findings
        One flat row per finding of a trial; None for scores.
    """

    blocks: Sequence[Block]
    document: Callable[[], Mapping[str, Any]] = dict
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
        """Return the paragraphs of these roles; by default of all."""
        paragraphs = [block for block in self.blocks if isinstance(block, Paragraph)]
        return [paragraph.text for paragraph in paragraphs if not roles or paragraph.role in roles]
