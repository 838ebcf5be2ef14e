"""The input of a trial: texts in one pool, and metrics bound to their embedders."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from distinctly.api import sort_keywords
from distinctly.batch import Batch, are_vectors
from distinctly.config import RunConfig
from distinctly.distance._difference import Difference
from distinctly.distance.base import Distance
from distinctly.embedders import AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.errors import SpecError
from distinctly.judging.records import name_of
from distinctly.metrics import Metric
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus, given_vectors, one_pool, open_named, read_named
from distinctly.run.plan import Plan, Views, default_embedder, only_diversity
from distinctly.score import spec_of
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.contents import Contents
from distinctly.statistics.pool import Pool
from distinctly.tokenizers import AnyTokenizer
from distinctly.version import __version__
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView
from distinctly.views.vectors import VectorView

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
    tokens
        The view that tokenizes the texts.
    config
        How the work is done.
    """

    pool: Pool
    corpora: Mapping[str, Integers]
    subjects: Sequence[TrialMetric]
    settings: Mapping[str, Any]
    tokens: TokenView
    config: RunConfig


def diversities_only(metrics: AnyMetrics) -> list[Request]:
    """Parse the metrics of a trial that measures one corpus at a time; a distance raises an error."""
    requests = parse_metrics(metrics)
    only_diversity(requests)
    return requests


def as_distances(metrics: AnyMetrics) -> list[Request]:
    """Parse the metrics of a trial that compares corpora; a metric of one corpus becomes its difference.

    Examples
    --------
    >>> [type(request.metric).__name__ for request in as_distances(["chi", "ead"])]
    ['Chi', 'Difference']
    """
    return [
        request
        if isinstance(request.metric, Distance)
        else replace(request, metric=Difference.of_metric(request.metric))
        for request in parse_metrics(metrics)
    ]


def gather(
    corpora: Sequence[tuple[str, object]],
    requests: Sequence[Request],
    *,
    tokenizer: AnyTokenizer | None = None,
    embedder: AnyEmbedders | None = None,
    vectors: Sequence[Any] | None = None,
    config: RunConfig | None = None,
    **fields: Any,
) -> Gathered:
    """Read corpora into one pool, embed their texts, and bind the metrics to their views.

    Parameters
    ----------
    corpora
        Pairs of a name (empty to use the name of the corpus) and anything that `compare` accepts, including
        2-D arrays.
    requests
        The metrics on trial.
    embedder
        One embedder, or several to compare.
    tokenizer, vectors, config
        As for `compare`.
    fields
        Fields of `Reading` and `RunConfig`; `id` is the field with the label of each text.
    """
    how, _, config = sort_keywords(fields, None, None, config)
    named = list(corpora)
    several: list[Any] = list(embedder) if isinstance(embedder, (list, tuple)) else [embedder]
    aligned = given_vectors(named, vectors, requests, None if several == [None] else embedder)
    bare = any(are_vectors(texts) for _, texts in named)
    tokens = Views.of([], tokenizer).tokens
    read = read_named(open_named(named, aligned, how), aligned, tokens, config, split="id" in how)
    subcorpora = one_pool(read, tokens)
    pool = subcorpora[0].pool if subcorpora else Pool(Rows(Batch.of([]), config))
    plain = [request for request in requests if request.metric.sees != "vectors"]
    of_vectors = [request for request in requests if request.metric.sees == "vectors"]
    subjects = {
        request.spec: [TrialMetric(request.spec, "", request.metric.once())]
        for request in Plan.of(plain, Views.of(plain, tokenizer)).requests
    }
    for made in _different(several, None if aligned is None else aligned.embedder) if of_vectors else ():
        pool.view(VectorView(made))
        for request in Plan.of(of_vectors, Views.of(of_vectors, tokenizer, made)).requests:
            pool.view(request.metric.view)
            trial_metric = TrialMetric(request.spec, made.title(), request.metric.once())
            subjects.setdefault(request.spec, []).append(trial_metric)
    return Gathered(
        pool,
        {corpus.name: corpus.units(tokens).texts for corpus in subcorpora},
        [trial_metric for request in requests for trial_metric in subjects[request.spec]],
        {
            "corpora": [_facts(corpus, tokens) for corpus in subcorpora],
            "tokenizer": "" if bare or not subcorpora else _tokenizer_spec(subcorpora[0], tokens),
            "version": __version__,
        },
        tokens,
        config,
    )


def _tokenizer_spec(corpus: Subcorpus, tokens: TokenView) -> str:
    _, name, options = tokens.describe(came_as_tokens=bool(corpus.summaries.origin.as_tokens))
    return spec_of(name, dict(options))


def _facts(corpus: Subcorpus, tokens: TokenView) -> dict[str, Any]:
    hashed = corpus.summaries[Contents(view=tokens)].hash
    return {"name": corpus.name, "texts": len(corpus.rows), "hash": f"{hashed:016x}"}


def _different(wanted: Sequence[AnyEmbedder | None], aligned: Embedder | None) -> list[Embedder]:
    """Return the embedders, each once; two of the same name raise an error."""
    if aligned is not None:
        return [aligned]
    by_title: dict[str, Embedder] = {}
    for requested in wanted or (None,):
        embedder = default_embedder() if requested is None else find_embedder(requested)
        if by_title.setdefault(embedder.title(), embedder) != embedder:
            raise SpecError(f"Expected embedders of different names, got two called '{embedder.title()}'.")
    return list(by_title.values())
