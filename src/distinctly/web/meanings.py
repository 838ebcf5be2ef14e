"""The meaning of each metric in one line, and example texts, for pages."""

from __future__ import annotations

import functools
import inspect

from distinctly.corpus import demo_files
from distinctly.distance.base import Distance
from distinctly.errors import DistinctlyError
from distinctly.registry import find_metric, metric_names


@functools.cache
def meanings(*, distances: bool) -> dict[str, str]:
    """Return the meanings of the metrics of one corpus, or of the distances.

    Examples
    --------
    >>> meanings(distances=False)["distinct"]
    'Share of distinct n-grams: Distinct-n (Li et al., 2016). A larger value is more diverse.'
    """
    lines = {}
    for name in metric_names():
        try:
            kind = find_metric(name)
        except DistinctlyError:  # a plug-in that does not load
            continue
        if issubclass(kind, Distance) is distances:
            line = (inspect.getdoc(kind) or "").partition("\n")[0]
            lines[name] = line if distances else f"{line} A larger value is {kind.more_is}."
    return lines


@functools.cache
def demonstration() -> dict[str, str]:
    """Return the texts of the demonstration by name, one text per line."""
    return {path.stem: path.read_text(encoding="utf-8") for path in demo_files()}
