"""Every metric of the registry, with its defaults and with each option changed."""

from __future__ import annotations

import dataclasses
import math
import typing
from typing import Any

import numpy as np

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.metrics import Metric
from distinctly.options import option_fields, options_of
from distinctly.registry import find_metric, metric_names
from distinctly.score import spec_of
from distinctly.spec import parse_metrics
from distinctly.testing import embed

REFERENCE = [["a", "b", "a", "the"], ["the", "cat"], ["the", "cat", "b"]]
# An option value that needs another tokenizer; it has its own test.
UNSERVED = {("vocabulary", "tokenizer")}


DISTANCES = metric_names(Distance)
DIVERSITIES = [name for name in metric_names() if name not in DISTANCES]


def variants(names: list[str]) -> list[str]:
    """Return one spec per metric with its defaults, and one per value of each option that is a word."""
    specs: list[str] = []
    covered: set[tuple[type, str]] = set()
    for name in names:
        kind = find_metric(name)
        first = parse_metrics(name)[:2]
        specs += [spec_of(name, options_of(request.metric)) for request in first]
        specs += [f"{name}:preset={preset}" for preset in kind.presets]
        hints = typing.get_type_hints(kind)
        for field in option_fields(kind):
            # A dependent option of a shared base class behaves the same in all subclasses: test it once.
            base = next(c for c in kind.__mro__ if field.name in vars(c).get("__annotations__", {}))
            if field.metadata.get("only") and base is not kind and (base, field.name) in covered:
                continue
            covered.add((base, field.name))
            for value in _words(hints[field.name]):
                if (field.name, value) not in UNSERVED:
                    options = {**options_of(first[0].metric), field.name: value}
                    specs.append(spec_of(name, options))
                    if field.metadata.get("only"):
                        for other, values in field.metadata["only"].items():
                            specs += [spec_of(name, {**options, other: word}) for word in values]
    # A preset may be equivalent to another spec.
    return list({tuple(metrics_of(spec)): spec for spec in reversed(dict.fromkeys(specs))}.values())[::-1]


def _words(hint: Any) -> list[str]:
    members = typing.get_args(hint) if typing.get_origin(hint) is not typing.Literal else [hint]
    return [w for m in members if typing.get_origin(m) is typing.Literal for w in typing.get_args(m)]


def measure(texts: Any, spec: str, **options: Any) -> dy.Scores:
    """Measure token lists, with groups if the spec needs them, and with a reference."""
    if isinstance(texts, list) and "pool=group" in spec:
        options["groups"] = group_names(texts)
    return dy.measure(texts, spec, reference=REFERENCE, embedder=embed, **options)


def group_names(texts: list[Any]) -> list[str]:
    """Return one group per text, which depends only on the text, not on the order."""
    return [f"g{len(text) % 3}" for text in texts]


def metrics_of(spec: str) -> list[Metric]:
    """Return the metrics of a spec."""
    return [request.metric for request in parse_metrics(spec)]


def same(one: object, other: object) -> bool:
    """Return whether scores, states or summaries are equal to the last bit."""
    if isinstance(one, dy.Score) and isinstance(other, dy.Score):
        return one.to_dict() == other.to_dict() and same(one.value, other.value)
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return one.dtype.kind == other.dtype.kind and np.array_equal(
            one, other, equal_nan=one.dtype.kind == "f"
        )
    if dataclasses.is_dataclass(one) and type(one) is type(other):
        return all(same(getattr(one, f.name), getattr(other, f.name)) for f in dataclasses.fields(one))
    if isinstance(one, float) and isinstance(other, float) and math.isnan(one):
        return math.isnan(other)
    if isinstance(one, (list, tuple, dy.Scores)) and isinstance(other, (list, tuple, dy.Scores)):
        return len(one) == len(other) and all(map(same, one, other))
    return one == other
