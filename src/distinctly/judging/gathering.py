"""The input of a trial: texts in one pool, and metrics bound to their embedders."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from distinctly import arrays
from distinctly.api import DEFAULT_TOKENIZER
from distinctly.contrasting import make_sides
from distinctly.distances import align, only_vectors, read_corpora
from distinctly.embedders import DEFAULT_EMBEDDER, AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.embedders.cache import caching, watching
from distinctly.embedders.given import are_vectors
from distinctly.engine.local import Progress, Work
from distinctly.errors import SpecError
from distinctly.geometry.embeddings import Embeddings
from distinctly.judging.records import name_of
from distinctly.metric import Metric
from distinctly.ragged import Integers
from distinctly.score import spec_of
from distinctly.scoring import bind, refuse_distances
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.contents import Contents
from distinctly.statistics.derived import TextPool
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import Watch
from distinctly.version import __version__

AnyEmbedders = AnyEmbedder | Sequence[AnyEmbedder]


@dataclass(frozen=True)
class TrialMetric:
    """A metric on trial.

    Attributes
    ----------
    spec
        The metric as it was requested.
    embedder
        Name of the embedder; empty if the metric uses no vectors.
    metric
        The metric, bound to its tokenizer and embedder.
    """

    spec: str
    embedder: str
    metric: Metric

    @property
    def name(self) -> str:
        """The name that distinguishes it from other metrics of the trial."""
        return name_of(self.spec, self.embedder)

    @property
    def sign(self) -> int:
        """The sign that makes a larger value more diverse."""
        return -1 if self.metric.more_is == "less diverse" else 1


@dataclass(frozen=True)
class Gathered:
    """Corpora in one pool, and the metrics on trial.

    Attributes
    ----------
    pool
        All texts. They are embedded already, so `pool.part(rows)` does not embed them again.
    corpora
        The rows of each corpus in the pool, by name. Their order depends only on the contents of the texts.
    subjects
        The metrics; a metric that uses vectors is listed once per embedder.
    settings
        Corpora, tokenizer and version, for the settings of a trial.
    """

    pool: TextPool
    corpora: Mapping[str, Integers]
    subjects: Sequence[TrialMetric]
    settings: Mapping[str, Any]


def diversities_only(metrics: AnyMetrics) -> list[Request]:
    """Parse the metrics of a trial that measures one corpus at a time; a distance raises an error."""
    requests = parse_metrics(metrics)
    refuse_distances(requests)
    return requests


@contextmanager
def gathering(
    corpora: Sequence[tuple[str, object]],
    requests: Sequence[Request],
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    vectors: Sequence[Any] | None = None,
    batch_size: int | None = None,
    threads: int | None = None,
    device: str = "cpu",
    cache: bool = True,
    progress: Progress | None = None,
    watch: Watch | None = None,
    **reading: Any,
) -> Iterator[Gathered]:
    """Read corpora into one pool, embed their texts and bind the metrics; the block runs on the device.

    Parameters
    ----------
    corpora
        Pairs of a name (empty to use the name of the corpus) and anything that `compare` accepts, including
        2-D arrays.
    requests
        The metrics on trial.
    embedder
        One embedder, or several to compare.
    vectors, tokenizer, batch_size, threads, device, cache, progress, watch, reading
        As for `compare`; `id` is the field with the label of each text.
    """
    how = {key: value for key, value in reading.items() if value is not None}
    given = list(corpora)
    bare = any(are_vectors(corpus) for _, corpus in given)
    several: list[Any] = list(embedder) if isinstance(embedder, (list, tuple)) else [embedder]
    if bare:
        vectors = only_vectors(given, vectors, requests, embedder)
    aligned = None if vectors is None else align(vectors, given, embedder)
    asked = find_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
    work = Work(batch_size=batch_size, threads=threads, progress=progress)
    with arrays.on(arrays.Device(device)), caching(cache), watching(watch):
        sides = make_sides(read_corpora(given, aligned, how, asked, work))
        blind = [request for request in requests if request.metric.sees != "vectors"]
        seeing = [request for request in requests if request.metric.sees == "vectors"]
        subjects = {
            one.spec: [TrialMetric(one.spec, "", one.metric.once())] for one in bind(blind, asked, None)
        }
        for made in _different(several, aligned) if seeing else ():
            sides.pool.texts.whole(Embeddings(made))
            for one in bind(seeing, asked, None, made):
                subjects.setdefault(one.spec, []).append(
                    TrialMetric(one.spec, made.title(), one.metric.once())
                )
        yield Gathered(
            sides.pool.texts,
            {side.name: side.rows for side in sides},
            [one for request in requests for one in subjects[request.spec]],
            {
                "corpora": [_facts(side.name, side.rows, side.whole[Contents()].hash) for side in sides],
                "tokenizer": "" if bare or not given else _spec(sides.sides[0].tokenizer),
                "version": __version__,
            },
        )


def _spec(tokenizer: Tokenizer) -> str:
    return spec_of(tokenizer.name, dict(tokenizer.options()))


def _different(wanted: Sequence[AnyEmbedder | None], aligned: Embedder | None) -> list[Embedder]:
    """Return the embedders, each once; two of the same name raise an error."""
    if aligned is not None:
        return [aligned]
    by_title: dict[str, Embedder] = {}
    for requested in wanted or (None,):
        embedder = find_embedder(DEFAULT_EMBEDDER if requested is None else requested)
        if by_title.setdefault(embedder.title(), embedder) != embedder:
            raise SpecError(f"Expected embedders of different names, got two called '{embedder.title()}'.")
    return list(by_title.values())


def _facts(name: str, rows: Integers, hashed: int) -> dict[str, Any]:
    return {"name": name, "texts": len(rows), "hash": f"{hashed:016x}"}
