"""The catalogue: a metric's name → the metric. The tree is the catalogue, plus plug-ins."""

from __future__ import annotations

import functools
import importlib
import importlib.metadata
import inspect
import pkgutil

from distinctly import distance, diversity
from distinctly.errors import SpecError, unknown
from distinctly.metric import Metric

PLUG_INS = "distinctly.metrics"


def find_metric(name: str) -> type[Metric]:
    """Return the metric of that name, of the package or of a plug-in.

    Examples
    --------
    >>> find_metric("distinct").__name__
    'Distinct'
    """
    modules = _modules()
    if name in modules:
        return _metric_in(modules[name])
    plug_ins = _plug_ins()
    if name in plug_ins:
        return _load(plug_ins[name])
    raise unknown("metric", name, [*modules, *plug_ins])


def metric_names(kind: type[Metric] = Metric) -> list[str]:
    """Return the names of all metrics, or of all of a kind, the package's first."""
    names = [*_modules(), *(name for name in _plug_ins() if name not in _modules())]
    return names if kind is Metric else [name for name in names if issubclass(find_metric(name), kind)]


@functools.cache
def _modules() -> dict[str, str]:
    """Map metric names to modules: every file of the two folders but `base` and private ones."""
    return {
        found.name: f"{package.__name__}.{found.name}"
        for package in (diversity, distance)
        for found in pkgutil.iter_modules(package.__path__)
        if found.name != "base" and not found.name.startswith("_")
    }


def _metric_in(module_name: str) -> type[Metric]:
    module = importlib.import_module(module_name)
    own = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module_name and issubclass(kind, Metric)
    ]
    if len(own) != 1:
        raise TypeError(f"Expected one metric in {module_name}, got {len(own)}.")
    return own[0]


def _plug_ins() -> dict[str, importlib.metadata.EntryPoint]:
    return {entry.name: entry for entry in importlib.metadata.entry_points(group=PLUG_INS)}


def _load(entry: importlib.metadata.EntryPoint) -> type[Metric]:
    try:
        kind = entry.load()
    except Exception as error:
        raise SpecError(
            f"The plug-in metric '{entry.name}' ({entry.value}) cannot be loaded: {error}."
        ) from error
    if not (isinstance(kind, type) and issubclass(kind, Metric) and kind.metric_name() == entry.name):
        raise SpecError(
            f"Expected the plug-in '{entry.name}' ({entry.value}) to be a Metric of that name, got {kind!r}."
        )
    return kind
