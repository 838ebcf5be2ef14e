"""`Collocations`: the words near a word, as columns with one entry per word."""

from __future__ import annotations

import importlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from distinctly.errors import missing_extra
from distinctly.html_tables import html_table
from distinctly.score import FORMAT_VERSION, Note, finite
from distinctly.statistics.concordance import Line
from distinctly.version import __version__

if TYPE_CHECKING:
    import pandas

Row = dict[str, Any]
# The columns of a table for notebooks, and its number of rows.
_NOTEBOOK = ("collocate", "together", "expected", "count", "pmi", "log_dice", "g2", "g2_p_corrected")
_NOTEBOOK_ROWS = 20


@dataclass(frozen=True)
class Collocations:
    """The words that occur near a node, a word or several words, more often than elsewhere in a corpus.

    Attributes
    ----------
    node
        The node.
    corpus
        The facts of the corpus: its name, texts, tokens and hash.
    nodes
        How often the node occurs.
    window
        The number of tokens before and after the node that are near it.
    columns
        The numbers by name, one entry per word, in the order of `sort`. ``together``: how often the word is
        near the node; ``left`` and ``right``: before and after it. ``expected``: how often it would be near
        if it were as frequent there as elsewhere. ``count``: how often it occurs, outside of the node.
        ``range``: the number of texts where it is near the node. ``pmi``: log2 of together over expected.
        ``log_dice``: ``14 + log2(2·together / (nodes + count))``. ``g2``, ``chi2``, ``log_ratio``: of the
        tokens near the node against all others.
    sort
        The measure that decides the order: a column.
    signature
        What was counted, and how.
    lines
        Concordance lines of the node, if requested.
    notes
        What a reader should know.

    Examples
    --------
    >>> import distinctly as dy
    >>> texts = ["a cup of strong tea", "strong tea and cake", "a strong wind", "a cup of milk"]
    >>> row = dy.collocations("tea", texts, window=1)[0]
    >>> row["collocate"], row["together"], row["count"], round(row["log_dice"], 2)
    ('strong', 2, 3, 13.68)
    """

    node: str
    corpus: Mapping[str, Any]
    nodes: int
    window: tuple[int, int]
    columns: Mapping[str, Sequence[Any]]
    sort: str
    signature: str
    lines: Sequence[Line]
    notes: Sequence[Note]

    def __len__(self) -> int:
        return len(self.columns["collocate"])

    def __getitem__(self, place: int) -> Row:
        """Return the row of the collocate at a place."""
        return {name: column[place] for name, column in self.columns.items()}

    def __iter__(self) -> Iterator[Row]:
        """Yield one mapping of names to values per collocate."""
        return (dict(zip(self.columns, row)) for row in zip(*self.columns.values()))

    @property
    def rows(self) -> list[Row]:
        """One flat row per collocate, in full precision; undefined numbers are None."""
        return [
            {name: finite(value) if isinstance(value, float) else value for name, value in row.items()}
            for row in self
        ]

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON; NaN becomes None."""
        return {
            "format_version": FORMAT_VERSION,
            "version": __version__,
            "node": self.node,
            "corpora": [dict(self.corpus)],
            "nodes": self.nodes,
            "window": list(self.window),
            "sort": self.sort,
            "signature": self.signature,
            "rows": self.rows,
            **({"lines": [line.to_dict() for line in self.lines]} if self.lines else {}),
            "notes": [str(note) for note in self.notes],
        }

    def to_records(self) -> list[Row]:
        """Return one flat row per collocate."""
        return self.rows

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row per collocate."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("Collocations.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame(self.rows)

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks: the first collocates."""
        return html_table(_NOTEBOOK, self.rows[:_NOTEBOOK_ROWS])

    def save(self, path: str | Path, *, bom: bool = False, raw_cells: bool = False) -> None:
        """Write the result to a file, whose ending decides the format.

        Parameters
        ----------
        path, bom, raw_cells
            As for `Scores.save`.
        """
        # Reports are in a higher layer.
        page = importlib.import_module("distinctly.report.pages.collocations").page_of_collocations(self)
        save_page = importlib.import_module("distinctly.report.saving").save_page
        save_page(page, path, bom=bom, raw_cells=raw_cells)
