"""The plan of a run: metrics with the views that they read, and the statistics that they need."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache
from typing import TYPE_CHECKING, Any

from distinctly.distance.base import Distance
from distinctly.embedders import DEFAULT_EMBEDDER, AnyEmbedder, find_embedder
from distinctly.embedders.base import Embedder
from distinctly.engine.states import underived
from distinctly.errors import SpecError
from distinctly.metrics import Context, Metric, Sizable
from distinctly.spec import Request
from distinctly.statistics.accumulation import Unit
from distinctly.statistics.base import AnyStatistic, Mergeable, TwoPass
from distinctly.statistics.contents import ColumnContents, Contents, SomeTexts, TextCounts, TextOrder
from distinctly.statistics.lengths import Lengths
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.statistics.pairing import MergeablePair
from distinctly.statistics.pool import Summaries
from distinctly.taggers import AnyTagger, find_tagger
from distinctly.tokenizers import AnyTokenizer, find_tokenizer
from distinctly.tokenizers.base import Tokenizer
from distinctly.views.base import View
from distinctly.views.parsing import TAGS, parse_view
from distinctly.views.texts import TextView
from distinctly.views.tokens import WORDS, TokenView
from distinctly.views.vectors import VectorView

if TYPE_CHECKING:
    from distinctly.statistics.frequent_ngrams import FrequentNgrams


@cache
def default_embedder() -> Embedder:
    """Return the default embedder, created once per process."""
    return find_embedder(DEFAULT_EMBEDDER)


@dataclass(frozen=True)
class Views:
    """The tokenizer, tagger and embedder of a run.

    Attributes
    ----------
    tokenizer
        The requested tokenizer; None if none was requested.
    embedder
        The embedder; None if no metric reads vectors.
    tagger
        The tagger; None for the tags that were read with the texts.
    described
        The tokens that describe corpora, if they are not those of the tokenizer.
    """

    tokenizer: Tokenizer | None
    embedder: Embedder | None
    tagger: AnyTagger | None = None
    described: TokenView | None = None

    @classmethod
    def of(
        cls,
        requests: Sequence[Request],
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        tagger: AnyTagger | None = None,
    ) -> Views:
        """Find the requested tokenizer and tagger, and the embedder if a metric reads vectors."""
        needs_vectors = any(request.metric.sees == "vectors" for request in requests)
        return cls(
            None if tokenizer is None else find_tokenizer(tokenizer),
            (default_embedder() if embedder is None else find_embedder(embedder)) if needs_vectors else None,
            None if tagger is None else find_tagger(tagger),
        )

    @property
    def hold_objects(self) -> bool:
        """Whether they hold functions or models of the user, which must not be kept after a run."""
        of_function = self.tokenizer is not None and self.tokenizer.name == "function"
        return of_function or self.embedder is not None or self.tagger is not None

    @property
    def tokens(self) -> TokenView:
        """The tokens that describe corpora, and that determine the order in which texts are drawn."""
        if self.described is not None:
            return self.described
        return WORDS if self.tokenizer is None else TokenView(self.tokenizer)

    def view_of(self, metric: Metric) -> View[Any]:
        """Return the view of a metric: by its option `of`, by the requested tokenizer, or its default."""
        if metric.sees == "vectors":
            if metric.of:
                raise SpecError(
                    f"'{metric.metric_name()}' reads vectors, so `of={metric.of}` has no effect. Choose an "
                    "embedder with --embedder (Python: embedder=)."
                )
            if self.embedder is None:
                raise SpecError(f"'{metric.metric_name()}' reads vectors, but there is no embedder.")
            return VectorView(self.embedder)
        if metric.of:
            return parse_view(metric.of, find_tagger(self.tagger))
        if metric.sees == "texts":
            return TextView()
        # A tokenizer says how texts are cut, so it does not replace tags.
        if metric.default_view and (self.tokenizer is None or metric.default_view == TAGS):
            view = parse_view(metric.default_view, find_tagger(self.tagger))
            # Who gives token lists, and asks for nothing else, has chosen the tokens.
            return replace(view, lists_as_given=True) if isinstance(view, TokenView) else view
        return self.tokens


@dataclass(frozen=True)
class Reference:
    """The reference corpus of metrics that need one, summarized."""

    name: str
    summaries: Summaries


@dataclass(frozen=True)
class Plan:
    """The metrics and views of a run, independent of the corpora.

    Attributes
    ----------
    requests
        The metrics, each with its view.
    views
        The tokenizer, tagger and embedder.
    reference
        The reference corpus of metrics that need one.
    top
        The number of most frequent n-grams to list as text.
    approximate
        Whether sketches take the place of tables of counts, so that memory is constant.
    """

    requests: Sequence[Request]
    views: Views
    reference: Reference | None = None
    top: int = 0
    approximate: bool = False

    @classmethod
    def of(
        cls,
        requests: Sequence[Request],
        views: Views,
        reference: Reference | None = None,
        top: int = 0,
        *,
        approximate: bool = False,
    ) -> Plan:
        """Bind each metric to its view and to the summaries of the reference."""
        functions = any(request.metric.gives_several for request in requests)
        plain = reference is None and top == 0 and not approximate
        if plain and not functions and not views.hold_objects:
            return _plan(_Same(requests), views)
        return cls(_bound(requests, views, reference), views, reference, top, approximate)

    def drawing(self, unit: Unit) -> Plan:
        """Return the plan with the unit of metrics that draw texts or groups, where none is given."""
        requests = [_drawing(request, unit) for request in self.requests]
        if all(new is old for new, old in zip(requests, self.requests)):
            return self
        return replace(self, requests=requests)

    def only(self, requests: Sequence[Request]) -> Plan:
        """Return the plan of some of its metrics."""
        return replace(self, requests=requests)

    @cached_property
    def top_counts(self) -> Sequence[NgramCounts | FrequentNgrams]:
        """Counts that keep the most frequent n-grams as text, for each n that a metric counts."""
        if not self.top:
            return []
        sizes = sorted(filter(None, {request.metric.ngram_size for request in self.requests}))
        if self.approximate:
            from distinctly.statistics.frequent_ngrams import FrequentNgrams

            return [FrequentNgrams(n, self.top, view=self.views.tokens) for n in sizes]
        return [NgramCounts(n, self.top, view=self.views.tokens) for n in sizes]

    @cached_property
    def statistics(self) -> list[AnyStatistic]:
        """The statistics of a corpus for metrics, signatures and its description."""
        of_metrics = (statistic for request in self.requests for statistic in request.metric.needed)
        return list(dict.fromkeys([*self.describing, *of_metrics]))

    @cached_property
    def describing(self) -> list[AnyStatistic]:
        """The statistics of a corpus for its description and for signatures, without those of the metrics."""
        signing = (statistic for request in self.requests for statistic in signed_by(request.metric))
        described = description(self.views.tokens, approximate=self.approximate)
        return list(dict.fromkeys([*described, *signing, *self.top_counts]))


def _bound(requests: Sequence[Request], views: Views, reference: Reference | None = None) -> list[Request]:
    summaries = None if reference is None else reference.summaries
    return [
        replace(request, metric=request.metric.bind(Context(views.view_of(request.metric), summaries)))
        for request in requests
    ]


def _drawing(request: Request, unit: Unit) -> Request:
    metric = request.metric.drawing(unit)
    if metric is request.metric:
        return request
    # The name of a metric at a size has its unit.
    spec = f"{request.spec},unit={unit}" if "at" in metric.shown_options else request.spec
    return replace(request, spec=spec, metric=metric)


class _Same:
    """Requests that are equal only to themselves: parsed specs are, since a spec is parsed once."""

    def __init__(self, requests: Sequence[Request]) -> None:
        self.requests = requests

    def __hash__(self) -> int:
        return hash(tuple(map(id, self.requests)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Same) or len(self.requests) != len(other.requests):
            return False
        return all(left is right for left, right in zip(self.requests, other.requests))


@lru_cache(maxsize=64)
def _plan(same: _Same, views: Views) -> Plan:
    """Return the plan of metrics that need no reference; it is made once for the same specs and views."""
    return Plan(_bound(same.requests, views), views)


def description(tokens: TokenView, *, approximate: bool = False) -> tuple[AnyStatistic, ...]:
    """Return the statistics that describe a corpus; approximately, without a table of its texts."""
    always = Contents(view=tokens), Lengths(view=tokens)
    return always if approximate else (*always, TextCounts(view=tokens))


def signed_by(metric: Metric) -> tuple[AnyStatistic, ...]:
    """Return the statistics for the signature and the notes of a metric, besides the description."""
    shown = identifying_view(metric)
    statistics: list[AnyStatistic] = [Contents(view=shown)]
    statistics += [TextOrder(view=shown)] if metric.ordered else []
    statistics += [ColumnContents(column) for column in metric.reads_columns]
    # For a note on texts that the embedder does not know.
    return (*statistics, *([SomeTexts()] if metric.sees == "vectors" else []))


def needs_rows(metric: Metric) -> bool:
    """Return whether a metric needs all texts in memory at once.

    Statistics that are merged, or folded in two passes, do not; and neither do distances between two of them.
    """
    if isinstance(metric, Sizable) and metric.drawn:
        return True
    if isinstance(metric, Distance):
        pairs = metric.pair_statistics()
        mergeable = all(isinstance(statistic, Mergeable) for statistic in underived(metric.needed))
        return not mergeable or not all(isinstance(statistic, MergeablePair) for statistic in pairs)
    needed = underived([*signed_by(metric), *metric.needed])
    return not all(isinstance(statistic, (Mergeable, TwoPass)) for statistic in needed)


def identifying_view(metric: Metric) -> View[Any]:
    """Return the view whose hash identifies the texts in a signature; for vectors, the texts themselves."""
    return TextView() if metric.sees == "vectors" else metric.view


def reference_statistics(requests: Sequence[Request], views: Views) -> list[AnyStatistic]:
    """Return the statistics of the reference that metrics need; none if no metric reads it."""
    needed: list[AnyStatistic] = []
    for request in requests:
        if request.metric.reads_reference and not isinstance(request.metric, Distance):
            metric = request.metric.reading(views.view_of(request.metric))
            needed += (*metric.reference_statistics(), *signed_by(metric))
    return [*description(views.tokens), *needed] if needed else []


def only_diversity(requests: Sequence[Request]) -> None:
    """Raise if a metric is a distance between two corpora."""
    for request in requests:
        if isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' is a distance between two corpora. Use distinctly compare REFERENCE FILE, "
                f"or dy.compare(reference, texts, '{request.spec}')."
            )


def only_distances(requests: Sequence[Request]) -> None:
    """Raise if a metric measures one corpus."""
    for request in requests:
        if not isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' measures one corpus. Use distinctly measure FILE, or "
                f"dy.measure(texts, '{request.spec}'). `distinctly list` lists the distances."
            )
