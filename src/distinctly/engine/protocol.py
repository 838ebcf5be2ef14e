"""`Engine`: what folds statistics over the texts of a corpus."""

from __future__ import annotations

import importlib
from collections.abc import Iterable
from functools import lru_cache
from importlib.util import find_spec
from typing import Protocol, cast

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.errors import SpecError
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.pool import Summaries


class Engine(Protocol):
    """Folds statistics over the texts of a corpus: a module of this package with this function."""

    def summarize(self, corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
        """Return the summaries of all statistics, the same to the bit whatever the engine."""


@lru_cache
def find_engine(name: str) -> Engine:
    """Return the engine of that name: the module `distinctly.engine.<name>`.

    Examples
    --------
    >>> find_engine("local").summarize.__module__
    'distinctly.engine.local'
    """
    module = f"distinctly.engine.{name}"
    found = importlib.import_module(module) if name.isidentifier() and find_spec(module) else None
    if not hasattr(found, "summarize"):
        raise SpecError(f"Expected an engine such as local, got '{name}'.")
    return cast("Engine", found)
