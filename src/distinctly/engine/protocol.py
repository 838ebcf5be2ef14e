"""`Engine`: the interface of engines, which fold statistics over the texts of a corpus."""

from __future__ import annotations

import importlib
from collections.abc import Collection, Iterable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from importlib.util import find_spec
from typing import Any, Protocol, cast

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.states import CollectedStates
from distinctly.errors import SpecError
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows


class Engine(Protocol):
    """A module of this package with a function that folds statistics over the texts of a corpus."""

    def summarize(self, corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
        """Return the summaries of all statistics; every engine returns the same bits."""

    def collecting(
        self, corpus: Corpus, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig
    ) -> AbstractContextManager[CollectedStates]:
        """Collect the states of mergeable statistics, which can be read until the context ends."""

    def read(self, corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:
        """Return all texts of a corpus, in memory, with some of their views."""


def engine_of(corpus: Corpus, config: RunConfig) -> Engine:
    """Return the engine that reads a corpus: the chosen one, unless its source needs another."""
    return find_engine(corpus.source.engine or config.engine)


@lru_cache
def find_engine(name: str) -> Engine:
    """Return the engine with a name: the module `distinctly.engine.<name>`.

    Examples
    --------
    >>> find_engine("local").summarize.__module__
    'distinctly.engine.local'
    """
    path = f"distinctly.engine.{name}"
    module = importlib.import_module(path) if name.isidentifier() and find_spec(path) else None
    if not hasattr(module, "summarize"):
        raise SpecError(f"Expected an engine, local or ray, got '{name}'.")
    return cast("Engine", module)
