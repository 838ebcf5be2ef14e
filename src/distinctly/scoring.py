"""From the summaries of a corpus to its scores: bind, apply the formulas, sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from distinctly.distance.base import Distance
from distinctly.embedders.base import Embedder
from distinctly.engine.local import Summaries
from distinctly.errors import SpecError
from distinctly.metric import Context, Metric
from distinctly.options import written
from distinctly.score import Note, Score, Scores, Signature
from distinctly.spec import Request
from distinctly.statistics.base import Statistic
from distinctly.statistics.contents import Content, Contents, RawContents, TextOrder
from distinctly.statistics.derived import AnyStatistic, Lookup, collected
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.tokenizers.base import Tokenizer
from distinctly.version import __version__


@dataclass(frozen=True)
class Reference:
    """The reference corpus, summarized."""

    name: str
    summaries: Lookup

    @classmethod
    def of(cls, name: str, summaries: Summaries) -> Reference:
        """Make a reference of what a corpus came to."""
        return cls(name, Lookup(summaries.by_statistic.__getitem__))


@dataclass(frozen=True)
class Scorer:
    """What the scores of one corpus have in common.

    Attributes
    ----------
    corpus, reference
        The corpus's name, and the reference where there is one.
    summaries
        What the corpus came to.
    tokenizer, asked_tokenizer
        The one that cut the texts, and the one that was asked for, where one was.
    """

    corpus: str
    summaries: Lookup
    tokenizer: Tokenizer
    asked_tokenizer: Tokenizer | None = None
    reference: Reference | None = None

    def finish(self, request: Request, score: Score, **facts: str) -> Score:
        """Add to a score what it is the score of, the notes that all have, and the signature."""
        told = self.reference if request.metric.reads_reference else None
        return replace(
            score,
            spec=request.spec,
            notes=(*score.notes, *self._common_notes()),
            corpus=self.corpus,
            reference=told.name if told else None,
            signature=str(_sign(request.metric, score, self.tokenizer, self.summaries, told, facts)),
        )

    def facts(self, ngrams: Sequence[NgramCounts] = ()) -> dict[str, Any]:
        """Return what there is to say of the corpus itself, with its most frequent n-grams."""
        content: Content = self.summaries[Contents()]
        lengths: LengthSums = self.summaries[Lengths()]
        found: dict[str, Any] = {
            "name": self.corpus,
            "texts": content.texts,
            "tokens": lengths.tokens,
            "empty_texts": lengths.empty,
            "tokenizer": _tokenizer_words(self.tokenizer),
            "hash": f"{content.hash:016x}",
        }
        if ngrams:
            found["top"] = [
                {
                    "n": counts.n,
                    "ngrams": [{"text": text, "count": count} for text, count in self.summaries[counts].top],
                }
                for counts in ngrams
            ]
        return found

    def _common_notes(self) -> tuple[Note, ...]:
        content: Content = self.summaries[Contents()]
        lengths: LengthSums = self.summaries[Lengths()]
        notes: list[Note] = []
        if lengths.empty:
            empty = f"{lengths.empty:,} of {lengths.texts:,} texts are empty (no tokens)."
            notes.append(Note(empty, scope="corpus"))
        if content.nulls_skipped:
            skipped = f"{content.nulls_skipped:,} missing texts were skipped (nulls=skip)."
            notes.append(Note(skipped, scope="corpus"))
        if content.nulls_emptied:
            emptied = f"{content.nulls_emptied:,} missing texts count as empty (nulls=empty)."
            notes.append(Note(emptied, scope="corpus"))
        asked = self.asked_tokenizer
        if asked is not None and self.tokenizer.name == "given" and asked.name != "given":
            unused = f"The texts came as tokens, so the tokenizer '{asked.name}' was not used."
            notes.append(Note(unused, "warning", "corpus"))
        return tuple(notes)


def refuse_distances(requests: Sequence[Request]) -> None:
    """Raise where a metric compares two corpora, and there is one."""
    for request in requests:
        if isinstance(request.metric, Distance):
            raise SpecError(
                f"'{request.spec}' is a distance between two corpora: distinctly compare REFERENCE FILE, or "
                f"dy.compare(reference, texts, '{request.spec}')."
            )


def bind(
    requests: Sequence[Request],
    tokenizer: Tokenizer,
    reference: Reference | None,
    embedder: Embedder | None = None,
) -> list[Request]:
    """Tell each metric what it needs to know of the tokenizer, the reference and the embedder."""
    summaries = None if reference is None else reference.summaries
    context = Context(tokenizer.name, tokenizer.vocabulary_size, summaries, embedder)
    return [replace(request, metric=request.metric.bind(context)) for request in requests]


def needed(requests: Sequence[Request], ngrams: Sequence[NgramCounts] = ()) -> list[Statistic[Any, Any]]:
    """Return what to collect of the corpus for the metrics, and for its most frequent n-grams."""
    metrics = [request.metric for request in requests]
    read = (s for metric in metrics for s in (*_signed_by(metric), *metric.statistics()))
    return collected([Contents(), Lengths(), *read, *ngrams])


def most_frequent(requests: Sequence[Request], top: int) -> list[NgramCounts]:
    """Return counts that keep the n-grams as text, for each n that a metric has."""
    sizes = {int(request.metric.n) for request in requests if hasattr(request.metric, "n")}
    return [NgramCounts(n, top) for n in sorted(sizes)] if top else []


def needed_of_reference(requests: Sequence[Request]) -> list[Statistic[Any, Any]]:
    """Return what to collect of the reference for the metrics; nothing where no metric reads it."""
    found = [s for request in requests for s in request.metric.reference_statistics()]
    return collected([Contents(), Lengths(), *found]) if found else []


def score_all(requests: Sequence[Request], scorer: Scorer, ngrams: Sequence[NgramCounts] = ()) -> Scores:
    """Apply the metrics to the summaries of one corpus."""
    scores = [
        scorer.finish(
            request, request.metric.score(*(scorer.summaries[s] for s in request.metric.statistics()))
        )
        for request in requests
    ]
    return Scores(scores, [scorer.facts(ngrams)])


def _signed_by(metric: Metric) -> tuple[AnyStatistic, ...]:
    """Return what a metric's signature is made from, besides what every signature is."""
    raw = (RawContents(),) if metric.sees != "tokens" else ()
    return (*raw, *((TextOrder(metric.sees != "tokens"),) if metric.ordered else ()))


def _sign(
    metric: Metric,
    score: Score,
    tokenizer: Tokenizer,
    summaries: Lookup,
    reference: Reference | None,
    more: Mapping[str, str],
) -> Signature:
    content: Content = summaries[Contents()]
    facts: dict[str, str] = {"texts": f"{content.texts}#{_hash(metric, summaries):016x}"}
    if metric.ordered:
        facts["order"] = f"{summaries[TextOrder(metric.sees != 'tokens')]:016x}"
    if metric.reads_groups or more.get("scope", "pooled") != "pooled":
        facts["groups"] = f"{score.parts.get('groups', 0)}#{content.grouped_hash:016x}"
    if reference is not None:
        known: Content = reference.summaries[Contents()]
        facts["reference"] = f"{known.texts}#{_hash(metric, reference.summaries):016x}"
    if content.nulls_skipped:
        facts["nulls"] = "skip"
    if content.nulls_emptied:
        facts["nulls"] = "empty"
    facts |= more
    facts["v"] = __version__
    options = {key: written(value) for key, value in score.options.items()}
    return Signature(metric.metric_name(), options, _view(metric, tokenizer), facts)


def _hash(metric: Metric, summaries: Lookup) -> int:
    """Return the hash of what a metric sees of the texts."""
    content: Content = summaries[Contents()]
    hashed: int = content.hash if metric.sees == "tokens" else summaries[RawContents()]
    return hashed


def _view(metric: Metric, tokenizer: Tokenizer) -> tuple[str, str, Mapping[str, str]]:
    """Return what the metric sees of a text, as a signature says it."""
    if metric.sees == "vectors" and metric.embedder is not None:
        return "emb", metric.embedder.name, metric.embedder.options()
    return ("tok", tokenizer.name, tokenizer.options()) if metric.sees == "tokens" else ("txt", "raw", {})


def _tokenizer_words(tokenizer: Tokenizer) -> str:
    options: Mapping[str, Any] = tokenizer.options()
    return ",".join([tokenizer.name, *(f"{key}:{value}" for key, value in options.items())])
