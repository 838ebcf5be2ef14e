"""From the states of a corpus to its scores: bind, summarize, apply the formulas, sign."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from distinctly.engine.local import AnyStatistic, Summaries
from distinctly.metric import Context, Metric
from distinctly.options import options_of, written
from distinctly.score import Score, Scores, Signature
from distinctly.spec import Request
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import NgramCounts
from distinctly.tokenizers.base import Tokenizer
from distinctly.version import __version__


@dataclass(frozen=True)
class Reference:
    """The reference corpus, summarized."""

    name: str
    summaries: Summaries


def always() -> tuple[AnyStatistic, ...]:
    """Return the statistics that every run collects, for the signatures and notes."""
    return Contents(), Lengths()


def bind(requests: Sequence[Request], tokenizer: Tokenizer, reference: Reference | None) -> list[Request]:
    """Tell each metric what it needs to know of the tokenizer and the reference."""
    summaries = None if reference is None else reference.summaries.by_statistic
    context = Context(tokenizer.name, tokenizer.vocabulary_size, summaries)
    return [replace(request, metric=request.metric.bind(context)) for request in requests]


def needed(requests: Sequence[Request], top: int = 0) -> list[AnyStatistic]:
    """Return the statistics of the corpus that the metrics read, and its most frequent n-grams."""
    read = (statistic for request in requests for statistic in request.metric.statistics())
    return [*always(), *read, *_most_frequent(requests, top)]


def _most_frequent(requests: Sequence[Request], top: int) -> list[NgramCounts]:
    """Return counts that keep the n-grams as text, for each n that a metric has."""
    sizes = {int(request.metric.n) for request in requests if hasattr(request.metric, "n")}
    return [NgramCounts(n, top) for n in sorted(sizes)] if top else []


def needed_of_reference(requests: Sequence[Request]) -> list[AnyStatistic]:
    """Return the statistics of the reference that the metrics read; none where no metric reads it."""
    found = [s for request in requests for s in request.metric.reference_statistics()]
    return [*always(), *found] if found else []


def score_all(
    requests: Sequence[Request],
    summarized: Summaries,
    tokenizer: Tokenizer,
    *,
    asked_tokenizer: bool = False,
    corpus: str = "texts",
    top: int = 0,
    reference: Reference | None = None,
) -> Scores:
    """Apply the metrics to the summaries of one corpus."""
    summaries = summarized.by_statistic
    content: Content = summaries[Contents()]
    lengths: LengthSums = summaries[Lengths()]
    used = summarized.tokenizer or tokenizer
    common = _common_notes(content, lengths)
    if asked_tokenizer and used.name == "given" and tokenizer.name != "given":
        common = (*common, f"The texts came as tokens, so the tokenizer '{tokenizer.name}' was not used.")
    scores = []
    for request in requests:
        metric = request.metric
        score = metric.score(*(summaries[statistic] for statistic in metric.statistics()))
        told = reference if metric.reference_statistics() else None
        scores.append(
            replace(
                score,
                spec=request.spec,
                notes=(*score.notes, *common),
                corpus=corpus,
                reference=told.name if told else None,
                signature=str(_sign(metric, score, used, content, told)),
            )
        )
    facts: dict[str, Any] = {
        "name": corpus,
        "texts": content.texts,
        "tokens": lengths.tokens,
        "empty_texts": lengths.empty,
        "tokenizer": _tokenizer_words(used),
        "hash": f"{content.hash:016x}",
    }
    if top:
        facts["top"] = [
            {
                "n": counts.n,
                "ngrams": [{"text": text, "count": count} for text, count in summaries[counts].top],
            }
            for counts in _most_frequent(requests, top)
        ]
    return Scores(scores, [facts])


def _common_notes(content: Content, lengths: LengthSums) -> tuple[str, ...]:
    notes = []
    if lengths.empty:
        notes.append(f"{lengths.empty:,} of {lengths.texts:,} texts are empty (no tokens).")
    if content.nulls_skipped:
        notes.append(f"{content.nulls_skipped:,} missing texts were skipped (nulls=skip).")
    if content.nulls_emptied:
        notes.append(f"{content.nulls_emptied:,} missing texts count as empty (nulls=empty).")
    return tuple(notes)


def _sign(
    metric: Metric, score: Score, tokenizer: Tokenizer, content: Content, reference: Reference | None
) -> Signature:
    facts: dict[str, str] = {"texts": f"{content.texts}#{content.hash:016x}"}
    if metric.reads_groups:
        facts["groups"] = f"{score.parts.get('groups', 0)}#{content.grouped_hash:016x}"
    if reference is not None:
        known: Content = reference.summaries.by_statistic[Contents()]
        facts["reference"] = f"{known.texts}#{known.hash:016x}"
    if content.nulls_skipped:
        facts["nulls"] = "skip"
    if content.nulls_emptied:
        facts["nulls"] = "empty"
    facts["v"] = __version__
    options = {key: written(value) for key, value in options_of(metric).items()}
    return Signature(metric.metric_name(), options, ("tok", tokenizer.name, tokenizer.options()), facts)


def _tokenizer_words(tokenizer: Tokenizer) -> str:
    options: Mapping[str, Any] = tokenizer.options()
    return ",".join([tokenizer.name, *(f"{key}:{value}" for key, value in options.items())])
