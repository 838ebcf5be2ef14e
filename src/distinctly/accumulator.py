"""`Accumulator`: scores of texts that arrive in batches, as in a training loop."""

from __future__ import annotations

from copy import copy
from dataclasses import replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.distance.base import Distance
from distinctly.embedders import AnyEmbedder
from distinctly.engine.state_bytes import dump, load
from distinctly.engine.states import Folded, fold, underived
from distinctly.engine.warming import loader
from distinctly.errors import InputError, SpecError
from distinctly.metrics import Sizable
from distinctly.run.approximating import approximated, is_approximate, refuse_in_memory
from distinctly.run.corpora import NamedRows
from distinctly.run.measuring import Measuring
from distinctly.run.plan import (
    Plan,
    Reference,
    Views,
    needs_rows,
    only_distances,
    only_diversity,
    reference_statistics,
)
from distinctly.run.resampling import Resampling
from distinctly.run.scoring import Scorer
from distinctly.run.sides import SidePair, side_scores, side_statistics
from distinctly.run.stored import why_texts_needed
from distinctly.score import Note, Scores
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.statistics.base import Mergeable
from distinctly.statistics.contents import Contents
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.pool import Summaries
from distinctly.taggers import AnyTagger
from distinctly.tokenizers import AnyTokenizer
from distinctly.views.rows import Rows

if TYPE_CHECKING:
    from distinctly.statistics.sketches import HyperLogLog

NO_DISTANCE_INTERVAL = Note(
    "No interval: that of a distance needs the texts of both corpora, which are not kept. Use "
    "dy.compare(reference, candidate, interval=True)."
)


class Accumulator:
    """Accumulates texts, can be merged with others, and returns scores at any time.

    The scores are those of `measure` on all texts together, however they are batched; scores computed from
    counts are identical to the bit. The accumulators of several processes can be pickled and merged.

    For distances, `update` is called with `reference`, with `candidate`, or with both. Only distances between
    summaries of the two corpora (`frechet`, `chi`, `jensen_shannon`, `zipf` …) can be accumulated; others
    need both corpora in memory, so use `compare` for them.

    Parameters
    ----------
    metrics
        As for `measure`, or as for `compare`.
    tokenizer, embedder, tagger
        As for `measure`.
    reference
        A second corpus, for metrics of one corpus that need one.
    interval
        Compute the 95 % interval of every value, equal to that of `measure` on all texts together; if texts
        have groups, that of all texts (``pooled``). It shows how the value changes without each text, so all
        texts and their tokens are kept, and pickled. Distances have no interval here: use `compare`.
    approximate
        Estimate numbers of distinct n-grams and texts, as for `measure`, so that the size of the accumulator
        is constant.
    config
        How to run.

    Examples
    --------
    >>> state = Accumulator(["distinct:n=1"])
    >>> state.update(["the cat sat"])
    >>> other = Accumulator(["distinct:n=1"])
    >>> other.update(["the dog sat"])
    >>> state.merge(other).compute()["distinct:n=1"].value
    0.6666666666666666
    >>> state = Accumulator("jensen_shannon")
    >>> state.update(reference=["a cat sat", "the dog ran off"], candidate=["a cat sat"])
    >>> state.update(candidate=["a cat sat"])
    >>> round(state.compute()[0].value, 3)
    0.609
    >>> state
    Accumulator('jensen_shannon': reference of 2 texts, 7 tokens; candidate of 2 texts, 6 tokens)
    """

    def __init__(
        self,
        metrics: AnyMetrics,
        *,
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        tagger: AnyTagger | None = None,
        reference: object = None,
        interval: bool = False,
        approximate: bool = False,
        config: RunConfig | None = None,
    ) -> None:
        requests = parse_metrics(metrics)
        if approximate:
            only_diversity(requests)
            requests = approximated(requests)
        approximate = approximate or any(is_approximate(request.metric) for request in requests)
        if approximate:
            refuse_in_memory({"interval=": interval})
        for request in requests:
            if isinstance(request.metric, Sizable) and request.metric.drawn:
                raise SpecError(
                    f"'{request.spec}' is a mean over random draws of texts, which must all be in memory. "
                    f"Use dy.measure(texts, '{request.spec}')."
                )
        self._compares = any(isinstance(request.metric, Distance) for request in requests)
        if self._compares:
            only_distances(requests)
        self._config = RunConfig() if config is None else config
        views = Views.of(requests, tokenizer, embedder, tagger)
        known: Reference | None = None
        wanted = reference_statistics(requests, views)
        if wanted and reference is not None:
            corpus = Corpus.wrap(reference)
            known = Reference(corpus.name, fold(corpus.batches(), wanted, self._config).summaries())
        self._plan = Plan.of(requests, views, known, approximate=approximate).drawing("text")
        self._interval = interval
        self._keeps_texts = interval and not self._compares
        lengths = Lengths(view=self._plan.views.tokens)
        if self._compares:
            _check_sides(self._plan)
        self._statistics = side_statistics(self._plan) if self._compares else self._plan.statistics
        if self._keeps_texts:
            self._statistics = [lengths]  # the others are computed from the texts
        self._folded = Folded()
        self._folded_reference = Folded()

    def update(
        self,
        texts: object = None,
        *,
        reference: object = None,
        candidate: object = None,
        groups: object = None,
        **reading: Any,
    ) -> None:
        """Add texts, as for `measure`; for distances, to the reference or to the candidate."""
        loader.count_call()
        if groups is not None:
            reading["groups"] = groups
        if not self._compares:
            if texts is None or reference is not None or candidate is not None:
                raise SpecError("Expected update(texts): these metrics measure one corpus.")
            self._folded += self._fold(texts, **reading)
            return
        if texts is not None or (reference is None and candidate is None):
            raise SpecError("Expected update(reference=…, candidate=…), or one of the two, for distances.")
        if reference is not None:
            self._folded_reference += self._fold(reference, **reading)
        if candidate is not None:
            self._folded += self._fold(candidate, **reading)

    def merge(self, other: Accumulator) -> Accumulator:
        """Return an accumulator of the texts of both; neither is changed."""
        if not isinstance(other, Accumulator):
            raise SpecError(f"Expected an Accumulator to merge with, got {type(other).__name__}.")
        if self._identity() != other._identity():
            raise InputError(
                "cannot merge accumulators of different metrics, tokenizers, embedders or references, or "
                "with and without intervals."
            )
        total = copy(self)
        total._folded = self._folded + other._folded
        total._folded_reference = self._folded_reference + other._folded_reference
        return total

    def compute(self) -> Scores:
        """Return the scores of all texts so far."""
        if self._keeps_texts:
            return self._with_intervals()
        summaries = self._summaries(self._folded)
        if not self._compares:
            scorer = Scorer("texts", summaries, self._plan, self._plan.reference)
            return Scores(scorer.score_all(), [scorer.facts()])
        reference = Reference("reference", self._summaries(self._folded_reference))
        scorer = Scorer("candidate", summaries, self._plan, reference)
        notes = (NO_DISTANCE_INTERVAL,) if self._interval else ()
        pair = SidePair(reference.summaries, summaries)
        scores = side_scores(self._plan.requests, pair, self._plan.views.tokens)
        scores = [
            scorer.finish(request, replace(score, notes=(*score.notes, *notes)))
            for request, score in zip(self._plan.requests, scores)
        ]
        return Scores(scores, [Scorer("reference", reference.summaries, self._plan).facts(), scorer.facts()])

    def sketches(self) -> dict[str, HyperLogLog]:
        """Return the sketch of each approximate metric by its spec, to be stored or merged elsewhere.

        Examples
        --------
        >>> state = Accumulator("types:n=1", approximate=True)
        >>> state.update(["the cat sat", "the dog sat"])
        >>> sketch = state.sketches()["types:n=1,approximate=yes"]
        >>> len(sketch.to_bytes()), round(sketch.estimate, 2)
        (16424, 4.0)
        """
        states = (self._fold([]) if self._folded.is_empty else self._folded).states
        return {
            request.spec: states[statistic].sketch
            for request in self._plan.requests
            if is_approximate(request.metric)
            for statistic in request.metric.needed[:1]
            if isinstance(statistic, Mergeable)
        }

    def to_bytes(self) -> bytes:
        """Return the state of all texts so far as bytes without code, to be sent or kept in a checkpoint.

        Metrics whose state has the texts themselves raise an error.

        Examples
        --------
        >>> state, other = Accumulator("distinct:n=1"), Accumulator("distinct:n=1")
        >>> state.update(["the cat sat"])
        >>> other.update(["the dog sat"])
        >>> state.merge_bytes(other.to_bytes()).compute()["distinct:n=1"].value
        0.6666666666666666
        """
        return dump(self._signatures, (self._folded, self._folded_reference), self._states_of)

    def merge_bytes(self, data: bytes) -> Accumulator:
        """Return an accumulator of its texts and of those whose state `to_bytes` returned."""
        folded, folded_reference = load(data, self._signatures, self._states_of)
        other = copy(self)
        other._folded, other._folded_reference = folded, folded_reference
        return self.merge(other)

    def reset(self) -> None:
        """Remove all texts."""
        self._folded = Folded()
        self._folded_reference = Folded()

    @cached_property
    def _signatures(self) -> list[str]:
        """What identifies a state: the signatures of the scores of no texts."""
        empty = copy(self)
        empty.reset()
        return [score.signature for score in empty.compute()]

    @cached_property
    def _states_of(self) -> list[Mergeable[Any, Any]]:
        """The statistics whose states are all that is kept of the texts; raise if texts are kept."""
        if self._keeps_texts:
            raise SpecError("Intervals need the texts, so there is no state without them. Pickle it instead.")
        for request in self._plan.requests:
            if why := why_texts_needed(request.metric):
                raise SpecError(
                    f"'{request.spec}' {why}, so there is no state without the texts. Collect the texts of "
                    f"all processes, and use dy.measure(texts, '{request.spec}')."
                )
        return [s for s in underived(self._statistics) if isinstance(s, Mergeable)]

    def __repr__(self) -> str:
        specs = ", ".join(f"'{request.spec}'" for request in self._plan.requests)
        sizes = self._size(self._folded)
        if self._compares:
            sizes = f"reference of {self._size(self._folded_reference)}; candidate of {sizes}"
        return f"Accumulator({specs}: {sizes})"

    def _size(self, folded: Folded) -> str:
        lengths: LengthSums | None = folded.states.get(Lengths(view=self._plan.views.tokens))
        texts, tokens = (0, 0) if lengths is None else (lengths.texts, lengths.tokens)
        return f"{texts:,} text{'' if texts == 1 else 's'}, {tokens:,} token{'' if tokens == 1 else 's'}"

    def _with_intervals(self) -> Scores:
        """Return the scores of all texts with their intervals."""
        folded = self._fold([]) if self._folded.is_empty else self._folded
        rows = Rows.join(folded.rows or ())
        resampling = Resampling(interval=True)
        measuring = Measuring(self._plan, resampling, self._config, scope="pooled")
        return measuring.measure_rows([NamedRows("texts", rows)])

    def _fold(self, texts: object, **reading: Any) -> Folded:
        corpus = Corpus.wrap(texts, **reading)
        reads_groups = self._keeps_texts or any(r.metric.reads_groups for r in self._plan.requests)
        if corpus.source.numbers_groups and reads_groups:
            raise InputError(
                "expected the names of the groups, one per list of texts: groups=. An Accumulator does not "
                "number them, since names have to differ from those of other updates."
            )
        batches = corpus.batches(self._config.batch_size)
        keep = [self._plan.views.tokens] if self._keeps_texts else []
        return fold(batches, self._statistics, loader.choose(self._statistics, self._config), keep=keep)

    def _summaries(self, folded: Folded) -> Summaries:
        return (self._fold([]) if folded.is_empty else folded).summaries()

    def _identity(self) -> object:
        known = self._plan.reference
        content = None if known is None else known.summaries[Contents(view=self._plan.views.tokens)]
        specs = [(request.spec, request.metric, request.metric._view) for request in self._plan.requests]
        return specs, self._plan.views, content, self._interval


def _check_sides(plan: Plan) -> None:
    """Raise if a distance needs both corpora in memory."""
    for request in plan.requests:
        if needs_rows(request.metric):
            raise SpecError(
                f"'{request.spec}' compares texts with texts, so both corpora must be in memory. Use "
                f"dy.compare(reference, candidate, '{request.spec}'). Distances that can be accumulated: "
                "chi, frechet, function_words, jensen_shannon, medoid, novelty, ttest, ttr_difference, zipf."
            )
