"""Approximate runs: sketches of constant size in place of tables of counts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, replace
from typing import Any

from distinctly.errors import DistinctlyError, SpecError
from distinctly.metrics import Approximable, Metric
from distinctly.registry import find_metric, metric_names
from distinctly.spec import Request, parse_metrics


def approximated(requests: Sequence[Request]) -> list[Request]:
    """Return the metrics computed from sketches, where they read tables of counts; raise if one needs these.

    Examples
    --------
    >>> [request.spec for request in approximated(parse_metrics(["ead", "mtld"]))]
    ['ead:approximate=yes', 'mtld']
    """
    try:
        return [_approximated(request) for request in requests]
    except SpecError as problem:
        raise SpecError(f"{problem} Metrics that can be approximate: {', '.join(_names())}.") from None


def is_approximate(metric: Metric) -> bool:
    """Return whether a metric is computed from sketches."""
    return isinstance(metric, Approximable) and metric.approximate


def refuse_in_memory(given: Mapping[str, object]) -> None:
    """Raise if something is given, by its name, that needs all texts in memory."""
    for name, value in given.items():
        if value:
            raise SpecError(
                f"--approximate (Python: approximate=) cannot be combined with {name}, for which all texts "
                "are held in memory. Leave out one of the two. The interval of an approximate value is the "
                "error of the estimate, not of sampling."
            )


def _approximated(request: Request) -> Request:
    metric = request.metric.approximated()
    if metric is request.metric or is_approximate(request.metric):
        return request
    spec = f"{request.spec}{',' if ':' in request.spec else ':'}approximate=yes"
    return replace(request, spec=spec, metric=metric)


def _names() -> Iterator[str]:
    """Yield the specs of metrics that can be approximate."""
    for name in metric_names():
        try:
            kind = find_metric(name)
            if not issubclass(kind, Approximable):
                continue
            metric = parse_metrics(name)[0].metric
            options: dict[str, Any] = {"approximate": True}
            options |= {"pool": "corpus"} if any(f.name == "pool" for f in fields(kind)) else {}
            replace(metric, **options)
        except DistinctlyError:  # it needs exact counts, or is a plug-in that does not load
            continue
        yield name if getattr(metric, "pool", "corpus") == "corpus" else f"{name}:pool=corpus"
