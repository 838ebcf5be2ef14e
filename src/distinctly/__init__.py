"""Measure the diversity of texts, their distance from a reference, and how reliable the numbers are.

Examples
--------
>>> import distinctly as dy
>>> dy.measure(["the cat sat", "the dog sat"], metrics=["distinct:n=1"])[0].value
0.6666666666666666

Every metric is a callable class:

>>> dy.Distinct(n=1)(["the cat sat", "the dog sat"]).value
0.6666666666666666
>>> dy.ChiSquared
Traceback (most recent call last):
AttributeError: module 'distinctly' has no attribute 'ChiSquared'
"""

# `python -m distinctly` imports this file while the working folder is searched first, so it imports nothing
# that a file there could stand in for; `importlib` is part of the interpreter.
import importlib

from distinctly.version import __version__

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from distinctly import judging, spark, testing
    from distinctly.accumulator import Accumulator
    from distinctly.api import compare, homogeneity, measure, per_text, read, top_ngrams
    from distinctly.config import RunConfig
    from distinctly.corpus import Corpus
    from distinctly.errors import DistinctlyError, InputError, MissingExtraError, SpecError
    from distinctly.overview.reporting import write_report
    from distinctly.run.collocates import Collocations
    from distinctly.run.homogeneity import Homogeneity
    from distinctly.run.key_terms import Keyness
    from distinctly.run.per_text import TextTable
    from distinctly.run.resampling import Resampling
    from distinctly.score import Comparison, Floor, Note, Score, Scores, Signature, Test
    from distinctly.sources.base import Reading
    from distinctly.spec import metric, metric_of
    from distinctly.states import merge_states, save_state
    from distinctly.terms import collocations, keyness
    from distinctly.tracking import log

__all__ = [
    "Accumulator",
    "Collocations",
    "Comparison",
    "Corpus",
    "DistinctlyError",
    "Floor",
    "Homogeneity",
    "InputError",
    "Keyness",
    "MissingExtraError",
    "Note",
    "Reading",
    "Resampling",
    "RunConfig",
    "Score",
    "Scores",
    "Signature",
    "SpecError",
    "Test",
    "TextTable",
    "__version__",
    "collocations",
    "compare",
    "homogeneity",
    "judging",
    "keyness",
    "log",
    "measure",
    "merge_states",
    "metric",
    "metric_of",
    "per_text",
    "read",
    "save_state",
    "spark",
    "testing",
    "top_ngrams",
    "write_report",
]

_MODULES = ("judging", "spark", "testing")
# Imported on first use, so that `import distinctly` and `distinctly --help` are fast.
_HOMES = {
    "Accumulator": "accumulator",
    "Collocations": "run.collocates",
    "Comparison": "score",
    "Corpus": "corpus",
    "DistinctlyError": "errors",
    "InputError": "errors",
    "Floor": "score",
    "Homogeneity": "run.homogeneity",
    "Keyness": "run.key_terms",
    "MissingExtraError": "errors",
    "Note": "score",
    "Reading": "sources.base",
    "Resampling": "run.resampling",
    "RunConfig": "config",
    "Test": "score",
    "TextTable": "run.per_text",
    "Score": "score",
    "Scores": "score",
    "Signature": "score",
    "SpecError": "errors",
    "collocations": "terms",
    "compare": "api",
    "homogeneity": "api",
    "keyness": "terms",
    "log": "tracking",
    "measure": "api",
    "per_text": "api",
    "read": "api",
    "metric": "spec",
    "metric_of": "spec",
    "merge_states": "states",
    "save_state": "states",
    "top_ngrams": "api",
    "write_report": "overview.reporting",
}


def __getattr__(name: str) -> "Any":
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


def _registry() -> "Any":
    return importlib.import_module("distinctly.registry")
