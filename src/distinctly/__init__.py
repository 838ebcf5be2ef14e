"""How varied is a text set, how far is it from a reference, and can the number be trusted?

Examples
--------
>>> import distinctly as dy
>>> dy.measure(["the cat sat", "the dog sat"], metrics=["distinct:n=1"])[0].value
0.6666666666666666

Every metric is a class that can be called:

>>> dy.Distinct(n=1)(["the cat sat", "the dog sat"]).value
0.6666666666666666
>>> dy.ChiSquared
Traceback (most recent call last):
AttributeError: module 'distinctly' has no attribute 'ChiSquared'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from distinctly.version import __version__

if TYPE_CHECKING:
    from distinctly import judging, testing
    from distinctly.accumulator import Accumulator
    from distinctly.api import measure, measure_all, top_ngrams
    from distinctly.corpus import Corpus
    from distinctly.distances import compare
    from distinctly.errors import DistinctlyError, InputError, MissingExtraError, SpecError
    from distinctly.score import Comparison, Score, Scores, Signature
    from distinctly.spec import metric_of
    from distinctly.spec import parse_metric as metric

__all__ = [
    "Accumulator",
    "Comparison",
    "Corpus",
    "DistinctlyError",
    "InputError",
    "MissingExtraError",
    "Score",
    "Scores",
    "Signature",
    "SpecError",
    "__version__",
    "compare",
    "judging",
    "measure",
    "measure_all",
    "metric",
    "metric_of",
    "testing",
    "top_ngrams",
]

# Modules that are attributes; `metric` can also be called, and returns the metric of a spec.
_MODULES = ("judging", "metric", "testing")
# Imported when first used, so that `import distinctly` and `distinctly --help` are instant.
_HOMES = {
    "Accumulator": "accumulator",
    "Comparison": "score",
    "Corpus": "corpus",
    "DistinctlyError": "errors",
    "InputError": "errors",
    "MissingExtraError": "errors",
    "Score": "score",
    "Scores": "score",
    "Signature": "score",
    "SpecError": "errors",
    "compare": "distances",
    "measure": "api",
    "measure_all": "api",
    "metric_of": "spec",
    "top_ngrams": "api",
}


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(f"distinctly.{name}")
    if name in _HOMES:
        value = getattr(importlib.import_module(f"distinctly.{_HOMES[name]}"), name)
    else:
        value = _registry().find_metric_class(name) if name[:1].isupper() else None
        if value is None:
            raise AttributeError(f"module 'distinctly' has no attribute '{name}'")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, *_registry().metric_class_names()])


def _registry() -> Any:
    return importlib.import_module("distinctly.registry")
