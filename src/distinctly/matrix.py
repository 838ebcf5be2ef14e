"""`Matrix`: the distances between all pairs of corpora."""

from __future__ import annotations

import importlib
import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import missing_extra
from distinctly.html_tables import html_table

if TYPE_CHECKING:
    from pathlib import Path

    import pandas
    from matplotlib.figure import Figure

# Relative: what rounding leaves between a distance and that of the exchanged corpora.
ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class Matrix:
    """The distances between all pairs of corpora, by one metric.

    Attributes
    ----------
    spec
        The metric.
    names
        The corpora.
    values
        One row per reference, one column per candidate. NaN where there is no value: on the diagonal, since a
        corpus is not compared with itself, and where a distance is undefined.

    Examples
    --------
    >>> matrix = Matrix("energy", ["a", "b"], np.array([[np.nan, 0.5], [0.5, np.nan]]))
    >>> matrix.symmetric
    True
    """

    spec: str
    names: list[str]
    values: NDArray[np.float64]

    @classmethod
    def of(cls, spec: str, names: Sequence[str], rows: Sequence[Sequence[float]]) -> Matrix:
        """Return the matrix of rows of numbers."""
        return cls(spec, list(names), np.array(rows, dtype=np.float64))

    @property
    def symmetric(self) -> bool:
        """Whether all distances are the same in both directions, up to rounding."""
        return bool(np.allclose(self.values, self.values.T, rtol=ROUNDING, atol=0.0, equal_nan=True))

    @property
    def defined(self) -> bool:
        """Whether all pairs of corpora have a distance."""
        return not np.isnan(self.values[~np.eye(len(self.names), dtype=np.bool_)]).any()

    def clustered(self) -> tuple[Matrix, list[tuple[int, int, float]]]:
        """Return the matrix with similar corpora beside each other, and its dendrogram by average linkage.

        The dendrogram (UPGMA) has the two parts of each join, and its height. A part is a corpus, by its
        place in the returned matrix, or an earlier join, by the number of corpora plus its place. If the
        distances are not symmetric, or some are undefined, there is none, and the order stays.

        Examples
        --------
        >>> values = np.array([[np.nan, 8, 2], [8, np.nan, 6], [2, 6, np.nan]])
        >>> matrix, joins = Matrix("energy", ["a", "b", "c"], values).clustered()
        >>> matrix.names, joins  # 7 is the mean of 8 and 6
        (['b', 'c', 'a'], [(1, 2, 2.0), (0, 3, 7.0)])
        """
        count = len(self.names)
        if count < 2 or not self.symmetric or not self.defined:
            return self, []
        from scipy.cluster.hierarchy import leaves_list, linkage, optimal_leaf_ordering

        pairs = self.values[np.triu_indices(count, 1)]
        # Estimates of small distances can be below 0, which scipy does not take. A constant that is added to
        # all distances is added to the mean of any of them, so the tree stays the same.
        added = -min(float(pairs.min()), 0.0)
        tree = optimal_leaf_ordering(linkage(pairs + added, "average"), pairs + added)
        order = leaves_list(tree)
        place = {leaf: position for position, leaf in enumerate(order.tolist())}
        joins = [
            (place.get(int(first), int(first)), place.get(int(second), int(second)), float(height) - added)
            for first, second, height, _ in tree
        ]
        names = [self.names[leaf] for leaf in order]
        return Matrix(self.spec, names, self.values[np.ix_(order, order)]), joins

    def to_pandas(self) -> pandas.DataFrame:
        """Return a pandas DataFrame, one row per reference, one column per candidate."""
        try:
            import pandas
        except ImportError as error:
            raise missing_extra("Matrix.to_pandas", "pandas", "pandas") from error
        return pandas.DataFrame(
            self.values,
            index=pandas.Index(self.names, name="reference"),
            columns=pandas.Index(self.names, name="corpus"),
        )

    def plot(self, *, path: str | Path | None = None) -> Figure:
        """Draw the matrix as a heat map, ordered by a dendrogram if the distances are symmetric.

        Parameters
        ----------
        path
            A .png, .svg or .pdf file to write the figure to as well.
        """
        # Reports are in a higher layer.
        chart = importlib.import_module("distinctly.report.pages.charts").heat_map_of(self)
        figure: Figure = importlib.import_module("distinctly.report.figures").figure_of([chart], path=path)
        return figure

    def _repr_html_(self) -> str:
        """Return an HTML table for notebooks."""
        rows = [
            {
                "": name,
                **{other: None if math.isnan(value) else value for other, value in zip(self.names, row)},
            }
            for name, row in zip(self.names, self.values.tolist())
        ]
        return html_table(["", *self.names], rows)
