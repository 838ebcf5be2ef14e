"""The references of metrics in BibTeX."""

from __future__ import annotations

from collections.abc import Iterable

from distinctly.errors import DistinctlyError
from distinctly.registry import find_metric
from distinctly.score import Score


def bibliography(scores: Iterable[Score]) -> str:
    """Return the references of the metrics of scores, each once; empty if they have none.

    Examples
    --------
    >>> print(bibliography([Score(0.5, metric="simpson")]))
    @article{simpson1949measurement,
      author = {Simpson, E. H.},
      title = {Measurement of diversity},
      journal = {Nature},
      year = {1949},
      volume = {163},
      pages = {688}
    }
    """
    entries: dict[str, None] = {}
    for name in dict.fromkeys(score.metric for score in scores):
        try:
            metric = find_metric(name)
        except DistinctlyError:  # a function of the user
            continue
        entries |= dict.fromkeys(metric.references)
    return "\n\n".join(entries)
