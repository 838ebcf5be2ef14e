"""Every metric of the registry, with its defaults and with each option changed."""

from __future__ import annotations

import dataclasses
import itertools
import math
import typing
from typing import Any

import numpy as np
import pytest

import distinctly as dy
from distinctly.distance.base import Distance
from distinctly.metrics import Metric, Sizable
from distinctly.options import option_fields, options_of
from distinctly.registry import find_metric, metric_names
from distinctly.score import spec_of
from distinctly.spec import parse_metrics
from distinctly.testing import columns_of, embed, tag
from distinctly.views.parsing import TAGS

REFERENCE = [["a", "b", "a", "the"], ["the", "cat"], ["the", "cat", "b"]]
# Option values that need another tokenizer, groups or a function; they have their own tests.
UNSERVED = {("vocabulary", "tokenizer"), ("unit", "group"), ("by", "classifier")}
# Options that a spec must have, beside those that it expands to: most texts have as many n-grams, and the
# embedder of the tests has no calibrated threshold.
REQUIRED: dict[str, dict[str, Any]] = {
    "rarefied": {"sample": 3},
    "answers": {"threshold": 0.9},
    "utility": {"threshold": 0.9},
}
# The size at which metrics that depend on size are also tested, in n-grams or texts, and their draws.
SIZE, DRAWS = {"ngrams": 40, "texts": 12}, 3
# Options that change whether a value at a size has a closed form, or what it is divided by.
AT_A_SIZE = [
    "distinct:n=2,denominator=tokens,at=40,unit=text",
    "ead:vocabulary=chao1,at=40,unit=text,draws=3,seed=1",
    "ead:vocabulary=reference,at=40,unit=text",
    "entropy:n=1,correction=chao-shen,at=40,unit=text,draws=3,seed=1",
    "vendi:kernel=ngram,at=12texts,unit=text,draws=2,seed=1",
    "vendi:q=1,kernel=rbf,sigma=90,at=12texts,unit=text,draws=2,seed=1",
    "vendi:q=2,kernel=rbf,sigma=90,at=12texts,unit=text,draws=2,seed=1",
    "similarity_hill:similarity=ngrams,q=2,at=12texts,unit=text,draws=2,seed=1",
    "self_bleu:max_n=2,smoothing=exp,at=12texts,unit=text,draws=2,seed=1",
    "ttr_difference:at=20,unit=text",
]

DISTANCES = metric_names(Distance)
DIVERSITIES = [name for name in metric_names() if name not in DISTANCES]


def variants(names: list[str]) -> list[str]:
    """Return one spec per metric with its defaults, and one per value of each option that is a word."""
    specs: list[str] = []
    covered: set[tuple[type, str]] = set()
    for name in names:
        kind = find_metric(name)
        first = parse_metrics(default_spec(name))[:2]
        specs += [spec_of(name, options_of(request.metric)) for request in first]
        specs += [spec_of(name, {"preset": preset, **REQUIRED.get(name, {})}) for preset in kind.presets]
        hints = typing.get_type_hints(kind)
        for field in option_fields(kind):
            if field.metadata.get("last"):  # `at` and the options that depend on it: see `at_a_size`
                continue
            # A dependent option of a shared base class behaves the same in all subclasses: test it once.
            base = next(c for c in kind.__mro__ if field.name in vars(c).get("__annotations__", {}))
            if field.metadata.get("only") and base is not kind and (base, field.name) in covered:
                continue
            covered.add((base, field.name))
            for value in _words(hints[field.name]):
                if (field.name, value) not in UNSERVED:
                    options = {**options_of(first[0].metric), field.name: value}
                    specs.append(spec_of(name, options))
                    only = field.metadata.get("only", {})
                    for other, values in () if callable(only) else only.items():
                        served = [word for word in values if (other, word) not in UNSERVED]
                        specs += [spec_of(name, {**options, other: word}) for word in served]
        specs += [spec for spec in AT_A_SIZE if spec.partition(":")[0] == name]
        specs += at_a_size(name)
    # A preset may be equivalent to another spec.
    return list({tuple(metrics_of(spec)): spec for spec in reversed(dict.fromkeys(specs))}.values())[::-1]


def marked(names: list[str]) -> list[Any]:
    """Return the variants as parameters; all but the first of each metric repeat a test, and are slow."""
    params, known = [], set()
    for spec in variants(names):
        name = spec.partition(":")[0]
        params.append(pytest.param(spec, marks=pytest.mark.slow if name in known else ()))
        known.add(name)
    return params


def default_spec(name: str) -> str:
    """Return the spec of a metric with its defaults, and with the options that it requires."""
    return spec_of(name, REQUIRED.get(name, {}))


def at_a_size(name: str) -> list[str]:
    """Return the spec of a metric at a size; none if its value does not depend on size."""
    metric = parse_metrics(default_spec(name))[0].metric
    if not isinstance(metric, Sizable):
        return []
    if metric.sized == "no":
        metric = dataclasses.replace(metric, pool="corpus")  # type: ignore[call-arg]
    metric = metric.sized_to(SIZE[metric.sized], "text")
    metric = dataclasses.replace(metric, draws=DRAWS) if metric.drawn else metric
    return [spec_of(name, options_of(metric))]


def enough(texts: list[list[str]], spec: str) -> list[list[str]]:
    """Return the texts; if some of them are to be drawn, also pieces of them, so that there are enough."""
    if "at=" not in spec:
        return texts
    pieces = [[text[:2], text[1:4], text[-3:], text[::2], [*text[:1], "b"]] for text in texts]
    return [*texts, *itertools.chain.from_iterable(pieces)]


def _words(hint: Any) -> list[str]:
    members = typing.get_args(hint) if typing.get_origin(hint) is not typing.Literal else [hint]
    return [w for m in members if typing.get_origin(m) is typing.Literal for w in typing.get_args(m)]


def measure(texts: Any, spec: str, **options: Any) -> dy.Scores:
    """Measure token lists, with groups if the spec needs them, and with a reference."""
    if isinstance(texts, list) and "pool=group" in spec:
        options["groups"] = group_names(texts)
    if isinstance(texts, list):
        options |= columns(texts, spec)
    return dy.measure(texts, spec, reference=REFERENCE, **views(spec), **options)


def views(spec: str) -> dict[str, Any]:
    """Return the embedder, and the tagger if the metric reads tags by default."""
    tagged = find_metric(spec.partition(":")[0]).default_view == TAGS
    return {"embedder": embed, **({"tagger": tag} if tagged else {})}


def columns(texts: list[Any], spec: str) -> dict[str, list[Any]]:
    """Return the columns beside texts that a spec needs, each entry of which depends only on its text."""
    return columns_of(metrics_of(spec)[0], texts)


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
