"""`Page`: the contents of a report as typed blocks; one module per format writes them.

A block stores its meaning next to its text: a cell its number, a note its level, a column its kind. A
renderer decides how that looks, and never parses a string to find out what it means.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from distinctly.score import Floor, Note

ColumnKind = Literal["name", "number", "text"]
Mark = Literal["", "noise", "partial", "few"]
Role = Literal["header", "legend", "difference", "verdict"]
# Marks after a number, in formats of plain characters.
BEST = "*"
MARKS: Mapping[Mark, str] = {"": "", "noise": "≈", "partial": "°", "few": "°"}
# In a table of all pairs, longer names are rows only, and columns have the numbers of the rows.
LONGEST_IN_MATRIX = 10


@dataclass(frozen=True)
class Heading:
    """The name of a corpus, and its description; or the title of the tables that follow.

    Attributes
    ----------
    text, detail
        The name or the title, and its description.
    of_tables
        Whether it is a title of tables, which stands apart from what is above it.
    """

    text: str
    detail: str = ""
    of_tables: bool = False


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
    of_best
        Whether it begins with the meaning of the emphasis of the best values; a renderer writes before it
        how it emphasizes them.
    """

    text: str
    role: Role
    of_best: bool = False

    @property
    def plain(self) -> str:
        """The sentences in plain characters, after the mark that they explain."""
        return f"{BEST} {self.text}" if self.of_best else self.text


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
        ranked. ``few``: in few texts, which makes other numbers of the row unreliable.
    missing
        Whether there is no value.
    corpus
        Whether it is the name of a corpus; a renderer of limited width shortens it, but never to that of
        another corpus.
    indented
        Whether it belongs to the section above it.
    """

    text: str
    value: float | None = None
    low: float | None = None
    high: float | None = None
    best: bool = False
    mark: Mark = ""
    missing: bool = False
    corpus: bool = False
    indented: bool = False

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
    """

    title: str
    kind: ColumnKind = "number"
    muted: bool = False


@dataclass(frozen=True)
class Table:
    """Rows of cells under columns.

    Attributes
    ----------
    columns, rows
        All of them; a renderer of limited width shows the columns in several parts.
    title, meaning
        The title of the table, and its explanation.
    sections
        The places of the rows that are titles of the rows below them.
    most
        The largest number of rows to show on a terminal; None for all.
    """

    columns: Sequence[Column]
    rows: Sequence[Sequence[Cell]]
    title: str = ""
    meaning: str = ""
    sections: Collection[int] = ()
    most: int | None = None


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
class ContextLine:
    """One occurrence of a term in its context.

    Attributes
    ----------
    label
        Where it is.
    left, match, right
        What is before it, the term, and what is after it.
    """

    label: str
    left: str
    match: str
    right: str


@dataclass(frozen=True)
class Concordance:
    """Occurrences of a term below each other; a renderer of limited width shortens what is around them."""

    title: str
    lines: Sequence[ContextLine]

    @property
    def table(self) -> Table:
        """The lines as a table."""
        columns = [Column("text", "name"), Column("before", "text"), Column(self.title, "text")]
        rows = [
            [Cell(line.label), Cell(line.left), Cell(line.match), Cell(line.right)] for line in self.lines
        ]
        return Table([*columns, Column("after", "text")], rows)


@dataclass(frozen=True)
class Drawing:
    """A drawn figure.

    Attributes
    ----------
    name
        Its title.
    content, kind
        The file, and its media type, such as ``image/png``.
    meaning
        What it shows, in words.
    """

    name: str
    content: bytes
    kind: str
    meaning: str


@dataclass(frozen=True)
class Figure:
    """Figures that are drawn only by formats that can show them."""

    name: str
    draw: Callable[[], Sequence[Drawing]] = field(compare=False)


@dataclass(frozen=True)
class OwnedNote:
    """A note with the corpora and the metrics that it is about; both are empty if it is about all."""

    note: Note
    corpora: Sequence[str] = ()
    specs: Sequence[str] = ()

    @property
    def text(self) -> str:
        """The note after its owners."""
        owners = " of ".join(", ".join(names) for names in (self.specs, self.corpora) if names)
        return f"{owners}: {self.note}" if owners else str(self.note)


@dataclass(frozen=True)
class Notes:
    """Notes, each once, the most important first; `most` is the largest number to show."""

    items: Sequence[OwnedNote]
    most: int | None = None

    @property
    def lines(self) -> list[str]:
        """The notes to show, and how many more there are."""
        shown = [item.text for item in self.items[: self.most]]
        more = len(self.items) - len(shown)
        return [*shown, f"… and {more:,} more note{'s' * (more != 1)}: see --format json."] if more else shown


@dataclass(frozen=True)
class Signatures:
    """The signatures of the numbers, in their order."""

    lines: Sequence[str]


@dataclass(frozen=True)
class Section:
    """The title of the blocks below it in a long report, and a sentence on what they show."""

    title: str
    meaning: str = ""


@dataclass(frozen=True)
class Estimate:
    """The value of one corpus in a plot.

    Attributes
    ----------
    corpus, value, low, high
        The corpus, its value, and the interval if there is one.
    best, mark
        As for a `Cell`.
    floor
        The noise floor of a distance, if there is one.
    """

    corpus: str
    value: float
    low: float | None = None
    high: float | None = None
    best: bool = False
    mark: Mark = ""
    floor: Floor | None = None


@dataclass(frozen=True)
class Forest:
    """Values with their intervals: one panel per metric, one row per corpus."""

    title: str
    panels: Mapping[str, Sequence[Estimate]]
    meaning: str = ""


@dataclass(frozen=True)
class Series:
    """The points of one corpus in a plot.

    Attributes
    ----------
    corpus
        The corpus.
    x, y
        The coordinates.
    low, high
        The intervals of y; empty if there are none.
    labels
        What each point is; empty if the coordinates say it.
    captions
        What is written beside each point if there is room; empty for points without a caption. Those of the
        first points are the most important ones.
    """

    corpus: str
    x: Sequence[float]
    y: Sequence[float]
    low: Sequence[float] = ()
    high: Sequence[float] = ()
    labels: Sequence[str] = ()
    captions: Sequence[str] = ()


@dataclass(frozen=True)
class Plot:
    """One value against another, as curves or as points."""

    title: str
    x_title: str
    y_title: str
    series: Sequence[Series]
    meaning: str = ""
    curves: bool = True


@dataclass(frozen=True)
class HeatMap:
    """A table of numbers that is also shown as colours.

    Attributes
    ----------
    title, meaning
        The title, and what it shows.
    rows, columns
        The names.
    cells
        The numbers, with their texts and marks, by row.
    joins
        The dendrogram of the rows, whose leaves are in the order of the rows; empty if there is none. Each
        join has the numbers of its two parts and its height: a row, by its place, or an earlier join, by the
        number of rows plus its place.
    """

    title: str
    rows: Sequence[str]
    columns: Sequence[str]
    cells: Sequence[Sequence[Cell]]
    meaning: str = ""
    joins: Sequence[tuple[int, int, float]] = ()

    @property
    def table(self) -> Table:
        """The numbers as a table."""
        columns = [Column("", "name"), *(Column(title) for title in self.columns)]
        rows = [[Cell(name), *cells] for name, cells in zip(self.rows, self.cells)]
        return Table(columns, rows, self.title, self.meaning)

    @property
    def narrow_table(self) -> Table:
        """The numbers as a table in which the titles of columns are numbers of rows, if names are long."""
        if max(map(len, self.rows), default=0) <= LONGEST_IN_MATRIX:
            return self.table
        numbers = {name: str(place) for place, name in enumerate(self.rows, 1)}
        titles = [Column(numbers.get(title, title)) for title in self.columns]
        rows = [
            [Cell(numbers[name]), Cell(name, corpus=True), *cells]
            for name, cells in zip(self.rows, self.cells)
        ]
        return Table([Column("", "name"), Column("", "name"), *titles], rows, self.title, self.meaning)


@dataclass(frozen=True)
class MapPoint:
    """One text in a map: its place, its corpus, and the region that it belongs to."""

    x: float
    y: float
    corpus: str
    text: str
    region: int


@dataclass(frozen=True)
class Region:
    """A part of a map: similar texts.

    Attributes
    ----------
    name
        The words that are typical of it.
    shares
        For each corpus, the share of its texts that are in the region.
    remark
        What is unusual about it, such as that a corpus has no text there; empty if nothing is.
    """

    name: str
    shares: Mapping[str, float]
    remark: str = ""


@dataclass(frozen=True)
class TextMap:
    """Texts in the plane, similar ones near each other, in regions that can be read."""

    title: str
    points: Sequence[MapPoint]
    regions: Sequence[Region]
    meaning: str = ""


@dataclass(frozen=True)
class Code:
    """Text to copy, such as a command or references in BibTeX."""

    title: str
    text: str


Chart = Forest | Plot | HeatMap | TextMap
Text = Heading | Paragraph | Listing | Concordance | Notes | Signatures | Section | Code
Block = Text | Table | Figure | Chart


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
        Returns one flat row per number, for CSV; a function likewise. And columns that are always written.
    settings
        Settings above the records, with which they can be read again; None if they cannot.
    values
        The bare numbers of scores; None for a trial.
    findings
        One flat row per finding of a trial; None for scores.
    title, more_sheets
        The title of the records as a sheet of a workbook, and a function that returns further tables of flat
        rows, by title.
    """

    blocks: Sequence[Block]
    document: Callable[[], Mapping[str, Any]] = dict
    records: Callable[[], Sequence[Mapping[str, Any]]] = list
    columns: Sequence[str] = ()
    settings: Mapping[str, Any] | None = None
    values: Sequence[float] | None = None
    findings: Sequence[Mapping[str, Any]] | None = None
    title: str = "scores"
    more_sheets: Callable[[], Mapping[str, Sequence[Mapping[str, Any]]]] = dict

    @property
    def records_sheet(self) -> str:
        """The title of the records as a sheet of a workbook."""
        return self.title if self.findings is None else "records"

    @property
    def sheets(self) -> dict[str, Sequence[Mapping[str, Any]]]:
        """The tables of flat rows by title; further tables and notes only if there are some."""
        records = {self.records_sheet: self.records()}
        first = records if self.findings is None else {"findings": self.findings}
        notes = {"notes": [{"note": note} for note in self.notes]}
        more = {**self.more_sheets(), **(records if self.findings is not None else {}), **notes}
        return {**first, **{title: rows for title, rows in more.items() if rows}}

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
        return [paragraph.plain for paragraph in paragraphs if not roles or paragraph.role in roles]
