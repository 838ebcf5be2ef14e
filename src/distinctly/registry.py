"""The registry of metrics by name: the files of `diversity` and `distance`, and plug-ins."""

from __future__ import annotations

import contextlib
import functools
import importlib
import importlib.metadata
import importlib.util
import inspect
import pkgutil
import re
from collections.abc import Callable, Iterator

from distinctly import distance, diversity
from distinctly.errors import SpecError, unknown
from distinctly.metrics import Metric

PLUG_INS = "distinctly.metrics"
_ALIASES = re.compile(r"^    aliases: .* = (\(.*\))$", re.MULTILINE)


def find_metric(name: str) -> type[Metric]:
    """Return the metric class of a name or alias, from the package or a plug-in.

    Examples
    --------
    >>> find_metric("distinct").__name__
    'Distinct'
    >>> find_metric("density_coverage").metric_name()
    'dc'
    """
    modules = _modules()
    if name in modules:
        return _metric_in(modules[name])
    plug_ins = _plug_ins()
    if name in plug_ins:
        return _load(plug_ins[name])
    metric = _metric_by_alias(name)
    if metric is None:
        raise unknown("metric", name, [*modules, *plug_ins])
    return metric


def find_metric_class(class_name: str) -> type[Metric] | None:
    """Return the metric of the package with this class name; None if there is none.

    Examples
    --------
    >>> find_metric_class("DensityCoverage").metric_name()
    'dc'
    """
    candidates = _metrics_that_mention(f"class {class_name}(")
    return next((metric for metric in candidates if metric.__name__ == class_name), None)


def metric_class_names() -> list[str]:
    """Return the class names of all metrics of the package.

    Examples
    --------
    >>> metric_class_names()[:2]
    ['Answers', 'Chamfer']
    """
    return [_class_name(module_name) for module_name in _modules().values()]


def is_metric_name(name: str) -> bool:
    """Return whether a metric has this name or alias.

    Examples
    --------
    >>> is_metric_name("distinct"), is_metric_name("density_coverage"), is_metric_name("statistics")
    (True, True, False)
    """
    return name in _modules() or name in _plug_ins() or _metric_by_alias(name) is not None


def metric_names(kind: type[Metric] = Metric) -> list[str]:
    """Return the names of all metrics, or of those of one kind; plug-ins come last."""
    names = [*_modules(), *(name for name in _plug_ins() if name not in _modules())]
    return names if kind is Metric else [name for name in names if issubclass(find_metric(name), kind)]


def all_names() -> list[str]:
    """Return the names of all metrics and the aliases of those of the package, without importing them.

    Examples
    --------
    >>> {"dc", "density_coverage"} <= set(all_names())
    True
    """
    lines = (line for module_name in _modules().values() for line in _ALIASES.findall(_source(module_name)))
    return [*metric_names(), *(alias for line in lines for alias in re.findall(r'"(\w+)"', line))]


@functools.cache
def _modules() -> dict[str, str]:
    """Return the module of each metric: every file of the two folders except `base` and private files."""
    return {
        module.name: f"{package.__name__}.{module.name}"
        for package in (diversity, distance)
        for module in pkgutil.iter_modules(package.__path__)
        if module.name != "base" and not module.name.startswith("_")
    }


def _metric_by_alias(name: str) -> type[Metric] | None:
    for metric in _metrics_that_mention(f'"{name}"'):
        if name in metric.aliases:
            return metric
    for entry in _plug_ins().values():
        with contextlib.suppress(SpecError):  # a plug-in that does not load must not hide the others
            if name in (metric := _load(entry)).aliases:
                return metric
    return None


def _metrics_that_mention(text: str) -> Iterator[type[Metric]]:
    """Yield the metrics of the package whose files contain a text; no other files are imported."""
    for module_name in _modules().values():
        if text in _source(module_name):
            yield _metric_in(module_name)


@functools.cache
def _source(module_name: str) -> str:
    """Return the source of a module without importing it."""
    spec = importlib.util.find_spec(module_name)
    get_source: Callable[[str], str | None] | None = getattr(spec and spec.loader, "get_source", None)
    return (get_source(module_name) if get_source else None) or ""


def _class_name(module_name: str) -> str:
    """Return the class name of a module's metric; a module with several classes is imported."""
    class_names = re.findall(r"^class (\w+)", _source(module_name), re.MULTILINE)
    return class_names[0] if len(class_names) == 1 else _metric_in(module_name).__name__


def _metric_in(module_name: str) -> type[Metric]:
    module = importlib.import_module(module_name)
    metrics = [
        kind
        for _, kind in inspect.getmembers(module, inspect.isclass)
        if kind.__module__ == module_name and issubclass(kind, Metric)
    ]
    if len(metrics) != 1:
        raise TypeError(f"Expected one metric in {module_name}, got {len(metrics)}.")
    return metrics[0]


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
