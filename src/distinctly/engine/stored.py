"""The engine of corpora that are states: nothing is read again."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.state_file import StateFile
from distinctly.engine.states import CollectedStates, underived
from distinctly.engine.storage import stored_at
from distinctly.errors import InputError
from distinctly.sources.states import StateSource
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows


def open_state(corpus: Corpus) -> StateFile:
    """Open the file of a corpus that is a state."""
    return StateFile(stored_at(corpus.source.name))


def summarize(corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
    """Summarize the states of all statistics."""
    needed = underived(statistics)
    mergeable = [statistic for statistic in needed if isinstance(statistic, Mergeable)]
    if len(mergeable) < len(needed):
        raise _without_texts(corpus)
    with collecting(corpus, mergeable, config) as collected, open_state(corpus).errors():
        return collected.summaries()


@contextmanager
def collecting(
    corpus: Corpus,
    statistics: Sequence[Mergeable[Any, Any]],
    config: RunConfig,  # noqa: ARG001
) -> Iterator[CollectedStates]:
    """Return the states of statistics; raise if some are not there."""
    file = open_state(corpus)
    known = set(file.names)
    for statistic in statistics:
        if repr(statistic) not in known:
            raise InputError(
                f"the state has no {type(statistic).__name__} as they are needed here. {saved_with(file)}",
                source=corpus.source.name,
            )
    yield file.collected(statistics)


def read(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:  # noqa: ARG001
    """Raise: there are no texts."""
    raise _without_texts(corpus)


def saved_with(file: StateFile) -> str:
    """Return what a state was saved with, and the remedy if something is missing."""
    given = [f"-m {spec}" for spec in file.about.get("metrics", ())]
    if sizes := file.about.get("keyness"):
        given.append(f"--keyness {','.join(map(str, sizes))}")
    about = {**file.about, "tokenizer": file.about.get("tokenizer") or "words"}
    given += [f"--{name} {spec}" for name in ("of", "tokenizer", "tagger") if (spec := about.get(name))]
    return f"It was saved with {' '.join(given)}: save it again from the texts with what is needed."


def _without_texts(corpus: Corpus) -> InputError:
    source = corpus.source
    return (source if isinstance(source, StateSource) else StateSource(source.name)).without_texts()
