"""`Keyness`: the result of comparing the terms of corpora, as columns with one entry per term."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import missing_extra
from distinctly.html_tables import html_table
from distinctly.ragged import Integers
from distinctly.run.term_corpora import Quoted
from distinctly.score import FORMAT_VERSION, Note, finite
from distinctly.version import __version__

if TYPE_CHECKING:
    import pandas
    from matplotlib.figure import Figure

Direction = Literal["candidate", "reference", "neither"]
Row = dict[str, Any]
# What all other corpora together are called.
THE_REST = "the rest"
# The columns of a table for notebooks, and the number of rows of each direction in it.
_NOTEBOOK = ("candidate_per_million", "reference_per_million", "log_ratio", "g2", "g2_p_corrected")
_NOTEBOOK_ROWS = 20
# Rows are made of this number of terms at a time, since they take more memory than columns.
_ROWS_AT_ONCE = 10_000


@dataclass(frozen=True, eq=False)
class KeyTerms:
    """The terms of a candidate compared with those of a reference.

    Attributes
    ----------
    reference, candidate
        The names of both.
    columns
        The numbers by name, one entry per term: first the terms that the candidate uses more often, then
        those of the reference, each in the order of `sort`. docs/keyness.md says what each column is.
    sort
        The measure that decides the order: a column.
    tested
        The number of terms that were tested, for which p-values are corrected: also those not listed.
    units
        The numbers of texts (or groups) of the reference and of the candidate, of which ranges are parts.
    unit
        What the units are: ``texts`` or ``groups``.
    signature
        What was compared, and how.
    lines
        Concordance lines of the first terms of each direction, if requested.
    """

    reference: str
    candidate: str
    columns: Mapping[str, NDArray[Any]]
    sort: str
    tested: int
    units: tuple[int, int]
    unit: Literal["texts", "groups"]
    signature: str
    lines: Mapping[str, Sequence[Quoted]]

    @property
    def of_rest(self) -> bool:
        """Whether the reference is all other corpora together."""
        return self.reference == THE_REST

    def __len__(self) -> int:
        return len(self.columns["term"])

    def __iter__(self) -> Iterator[Row]:
        """Yield one mapping of names to values per term."""
        for first in range(0, len(self), _ROWS_AT_ONCE):
            yield from self.rows(np.arange(first, min(first + _ROWS_AT_ONCE, len(self))))

    def rows(self, places: Integers) -> Iterator[Row]:
        """Yield one mapping of names to values per term at some places."""
        names = ["reference", "candidate", *self.columns]
        both = self.reference, self.candidate
        columns = [column[places].tolist() for column in self.columns.values()]
        return (dict(zip(names, (*both, *row))) for row in zip(*columns))

    def places(self, side: Direction) -> Integers:
        """Return the places of the terms that one side uses more often, in order."""
        return np.flatnonzero(self.columns["more_in"] == side)

    def more_in(self, side: Direction, most: int | None = None) -> list[Row]:
        """Return the terms that one side uses more often, in order; the first `most` of them."""
        return list(self.rows(self.places(side)[:most]))

    def to_dict(self) -> dict[str, Any]:
        """Return what describes the comparison, without the terms."""
        return {
            "reference": self.reference,
            "candidate": self.candidate,
            "terms": len(self),
            "tested": self.tested,
            "sort": self.sort,
            f"reference_{self.unit}": self.units[0],
            f"candidate_{self.unit}": self.units[1],
            "signature": self.signature,
        }


@dataclass(frozen=True, eq=False)
class Keyness:
    """Which terms corpora use more often than a reference does.

    Attributes
    ----------
    corpora
        The facts of each corpus: its name, texts, tokens and hash.
    comparisons
        One `KeyTerms` per candidate.
    notes
        What a reader should know, each once.
    shown
        The number of terms of each direction that a table shows.
    phrases
        Whether the terms are phrases: those that are parts of longer ones are left out.

    Examples
    --------
    >>> import distinctly as dy
    >>> keyness = dy.keyness(["a cat sat", "a cat ran"], ["a dog sat", "a dog ran"])
    >>> [row["term"] for row in keyness.comparisons[0].more_in("candidate")]
    ['dog']
    >>> keyness["cat"]["reference_count"], keyness["cat"]["candidate_count"]
    (2, 0)
    """

    corpora: Sequence[Mapping[str, Any]]
    comparisons: Sequence[KeyTerms]
    notes: Sequence[Note]
    shown: int = 20
    phrases: bool = False

    @cached_property
    def rows(self) -> list[Row]:
        """One flat row per candidate and term, in full precision; undefined numbers are None."""
        return [_finite(row) for terms in self.comparisons for row in terms]

    def __getitem__(self, term: str) -> Row:
        """Return the row of a term, in the first comparison that has it."""
        for terms in self.comparisons:
            for row in terms.rows(np.flatnonzero(terms.columns["term"] == term)[:1]):
                return _finite(row)
        raise KeyError(f"'{term}' is none of the terms")

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        quotations = [
            {"reference": terms.reference, "candidate": terms.candidate, "term": term, **quoted.to_dict()}
            for terms in self.comparisons
            for term, lines in terms.lines.items()
            for quoted in lines
        ]
        return {
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "corpora": [dict(corpus) for corpus in self.corpora],
            "comparisons": [terms.to_dict() for terms in self.comparisons],
            "rows": self.rows,
            **({"lines": quotations} if quotations else {}),
            "notes": [str(note) for note in self.notes],
        }

    def to_records(self) -> list[Row]:
        """Return one flat row per candidate and term."""
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row per candidate and term."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("Keyness.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame(self.rows)

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks: the first terms of each direction."""
        tables = []
        for terms in self.comparisons:
            sides: tuple[tuple[Direction, str], ...]
            sides = ("candidate", terms.candidate), ("reference", terms.reference)
            for side, name in sides:
                title = f"more in {name}"
                rows = [{title: row["term"], **row} for row in terms.more_in(side, _NOTEBOOK_ROWS)]
                tables.append(html_table([title, *_NOTEBOOK], rows))
        return "\n".join(tables)

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write the result to a file, whose ending decides the format.

        Parameters
        ----------
        path, bom, raw_cells
            As for `Scores.save`.
        """
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.keyness").page_of_keyness(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)

    def plot(self, path: str | Path | None = None) -> Figure:
        """Draw the size of the effect against the evidence, and return the figure of matplotlib.

        Parameters
        ----------
        path
            A .png, .svg or .pdf file to write the figure to as well; an existing one is replaced.
        """
        plot_of = importlib.import_module("distinctly.report.pages.keyness").plot_of
        plots = [plot_of(terms) for terms in self.comparisons]
        figure: Figure = importlib.import_module("distinctly.report.figures").figure_of(plots, path=path)
        return figure


def _finite(row: Row) -> Row:
    """Return a row in which undefined numbers are None."""
    return {name: finite(value) if isinstance(value, float) else value for name, value in row.items()}
