"""The plan of a run: metrics with the views that they read, and the statistics that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from distinctly.distance.base import Distance
from distinctly.embedders import DEFAULT_EMBEDDER, AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.errors import SpecError
from distinctly.metrics import Context, Metric
from distinctly.spec import Request
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.contents import Contents, TextOrder
from distinctly.statistics.lengths import Lengths
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.pool import Summaries
from distinctly.taggers import AnyTagger, find_tagger
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.base import View
from distinctly.views.parsing import parse_view
from distinctly.views.texts import TextView
from distinctly.views.vectors import VectorView
from distinctly.views.words import WORDS, TokenView


@cache
def default_embedder() -> Embedder:
    """Make the default embedder once: its package does not change while the process runs."""
    return find_embedder(DEFAULT_EMBEDDER)


@dataclass(frozen=True)
class Views:
    """What turns texts into tokens, tags and vectors in a run.

    Attributes
    ----------
    tokenizer
        The one that was asked for; None where none was.
    embedder
        What makes vectors; None where no metric reads any.
    tagger
        What makes tags; the tags that came with the texts where not given.
    """

    tokenizer: Tokenizer | None
    embedder: Embedder | None
    tagger: AnyTagger | None = None

    @classmethod
    def of(
        cls,
        requests: Sequence[Request],
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        tagger: AnyTagger | None = None,
    ) -> Views:
        """Look up what was asked for; the embedder is loaded where a metric reads vectors."""
        needs_vectors = any(request.metric.sees == "vectors" for request in requests)
        return cls(
            None if tokenizer is None else find_tokenizer(tokenizer),
            (default_embedder() if embedder is None else find_embedder(embedder)) if needs_vectors else None,
            None if tagger is None else find_tagger(tagger),
        )

    @property
    def tokens(self) -> TokenView:
        """The tokens by which corpora are described, and in whose order texts are drawn."""
        return WORDS if self.tokenizer is None else TokenView(self.tokenizer)

    def view_of(self, metric: Metric) -> View[Any]:
        """Return what a metric reads: as `of` says, then as the tokenizer does, then the metric's default."""
        if metric.sees == "vectors":
            if metric.of:
                raise SpecError(
                    f"'{metric.metric_name()}' reads vectors, so `of={metric.of}` says nothing: choose an "
                    "embedder with --embedder (Python: embedder=)."
                )
            if self.embedder is None:
                raise SpecError(f"'{metric.metric_name()}' reads vectors, and there is no embedder.")
            return VectorView(self.embedder)
        if metric.of:
            return parse_view(metric.of, find_tagger(self.tagger))
        if metric.sees == "texts":
            return TextView()
        if self.tokenizer is None and metric.default_view:
            return parse_view(metric.default_view, find_tagger(self.tagger))
        return self.tokens


@dataclass(frozen=True)
class Reference:
    """The reference corpus of metrics that need one, summarized."""

    name: str
    summaries: Summaries


@dataclass(frozen=True)
class Plan:
    """What is measured, whatever the corpus.

    Attributes
    ----------
    requests
        The metrics, each with its view.
    views
        What turns texts into tokens, tags and vectors.
    reference
        The reference corpus of metrics that need one.
    top
        The number of most frequent n-grams to list as text.
    """

    requests: Sequence[Request]
    views: Views
    reference: Reference | None = None
    top: int = 0

    @classmethod
    def of(
        cls, requests: Sequence[Request], views: Views, reference: Reference | None = None, top: int = 0
    ) -> Plan:
        """Give each metric its view, and what it needs to know of the reference."""
        summaries = None if reference is None else reference.summaries
        bound = [
            replace(request, metric=request.metric.bind(Context(views.view_of(request.metric), summaries)))
            for request in requests
        ]
        return cls(bound, views, reference, top)

    @cached_property
    def top_counts(self) -> list[NgramCounts]:
        """Counts that keep the most frequent n-grams as text, for each n that a metric counts."""
        if not self.top:
            return []
        sizes = {request.metric.ngram_size for request in self.requests}
        return [NgramCounts(n, self.top, view=self.views.tokens) for n in sorted(filter(None, sizes))]

    def statistics(self) -> list[AnyStatistic]:
        """Return what to collect of a corpus: for the metrics, for signatures and for its description."""
        return [
            *description(self.views.tokens),
            *(s for request in self.requests for s in (*signed_by(request.metric), *request.metric.needed)),
            *self.top_counts,
        ]


def description(tokens: TokenView) -> tuple[AnyStatistic, ...]:
    """Return the statistics that describe a corpus."""
    return Contents(view=tokens), Lengths(view=tokens)


def signed_by(metric: Metric) -> tuple[AnyStatistic, ...]:
    """Return the statistics that a metric's signature is made from, besides the description."""
    shown = identifying_view(metric)
    return (Contents(view=shown), *((TextOrder(view=shown),) if metric.ordered else ()))


def identifying_view(metric: Metric) -> View[Any]:
    """Return the view whose hash says in a signature which texts these are; for vectors, the texts."""
    return TextView() if metric.sees == "vectors" else metric.view


def reference_statistics(requests: Sequence[Request], views: Views) -> list[AnyStatistic]:
    """Return what to collect of the reference for the metrics; nothing where no metric reads it."""
    needed: list[AnyStatistic] = []
    for request in requests:
        if request.metric.reads_reference and not isinstance(request.metric, Distance):
            metric = request.metric.reading(views.view_of(request.metric))
            needed += (*metric.reference_statistics(), *signed_by(metric))
    return [*description(views.tokens), *needed] if needed else []


def only_diversity(requests: Sequence[Request]) -> None:
    """Raise where a metric compares two corpora, and there is one."""
    for request in requests:
        if isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' is a distance between two corpora: distinctly compare REFERENCE FILE, or "
                f"dy.compare(reference, texts, '{request.spec}')."
            )


def only_distances(requests: Sequence[Request]) -> None:
    """Raise where a metric measures one corpus, and two are compared."""
    for request in requests:
        if not isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' measures one corpus: distinctly measure FILE, or "
                f"dy.measure(texts, '{request.spec}'). Distances are listed by distinctly list."
            )
