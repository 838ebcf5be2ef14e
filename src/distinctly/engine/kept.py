"""The engine of corpora that are held in memory with their tokens, for work that reads them several times."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from distinctly.batch import Batch
from distinctly.config import RunConfig, cores
from distinctly.corpus import Corpus
from distinctly.engine import local
from distinctly.engine.states import CollectedStates, fold_rows, underived
from distinctly.sources.base import Source
from distinctly.statistics.base import AnyStatistic, Mergeable
from distinctly.statistics.pool import Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows


class KeptSource(Source):
    """Texts of another source in memory, with a view of them that was made once.

    Attributes
    ----------
    source
        The other source.
    pieces
        The texts.
    """

    engine = "kept"

    def __init__(self, source: Source, pieces: Sequence[Rows]) -> None:
        self.name, self.title, self.numbers_groups = source.name, source.title, source.numbers_groups
        self.source, self.pieces = source, pieces
        self.size = sum(rows.batch.strings.size for rows in pieces)

    def batches(self, rows: int | None = None) -> Iterator[Batch]:
        """Yield the batches as they were read, whatever `rows` is."""
        del rows
        return (piece.batch for piece in self.pieces)


def keep(corpus: Corpus, view: View[Any], config: RunConfig) -> Corpus:
    """Read a corpus, and hold its texts with a view of them."""
    return Corpus.of_source(KeptSource(corpus.source, local.read_pieces(corpus, [view], config)), corpus.name)


def summarize(corpus: Corpus, statistics: Iterable[AnyStatistic], config: RunConfig) -> Summaries:
    """Compute statistics, all of which are mergeable."""
    needed = [statistic for statistic in underived(statistics) if isinstance(statistic, Mergeable)]
    with collecting(corpus, needed, config) as collected:
        return collected.summaries()


@contextmanager
def collecting(
    corpus: Corpus, statistics: Sequence[Mergeable[Any, Any]], config: RunConfig
) -> Iterator[CollectedStates]:
    """Collect the states of a corpus; large ones are on disk until the context ends."""
    pieces = _pieces(corpus)
    if not any(rows.config.compiled for rows in pieces):
        yield CollectedStates.of_states(fold_rows(pieces, statistics))
        return
    with local.collected_pieces(pieces, statistics, config, config.threads or cores()) as collection:
        yield collection


def read(corpus: Corpus, views: Collection[View[Any]], config: RunConfig) -> Rows:  # noqa: ARG001
    """Return all texts."""
    return Rows.join([rows.keeping(views) for rows in _pieces(corpus)])


def _pieces(corpus: Corpus) -> Sequence[Rows]:
    if not isinstance(corpus.source, KeptSource):
        raise TypeError("expected a corpus that is held with its tokens")
    return corpus.source.pieces
