"""One or several corpora, measured alike: in one reading or, where texts are selected, in memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from distinctly.comparing import compare, corrected
from distinctly.corpus import Corpus
from distinctly.engine.local import Work, summarize
from distinctly.errors import InputError, SpecError
from distinctly.metric import Metric
from distinctly.ragged import Integers
from distinctly.scopes import Measured, Plan, Scope, Subject, across, pooled, with_parts, within
from distinctly.score import Comparison, Note, Score, Scores
from distinctly.scoring import Reference, Scorer, most_frequent, needed, score_all
from distinctly.spec import Request
from distinctly.statistics.derived import Lookup, TextPool
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.statistics.rows import Rows
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import Units, score_of
from distinctly.views.tokens import Tokens

# Beyond so many bytes, several corpora are compared without testing the differences, unless asked.
TESTED_BELOW = 20_000_000
# Tokens counted from which the compiled counts are worth their start.
COMPILED_FROM = 50_000_000
# Ratios of mean lengths, and of sizes, that a reader has to be told of.
DRIFT, UNEQUAL = 1.2, 1.1
UNEQUAL_TEXTS = Note(
    "The corpora differ in how many texts they have, and the value depends on it: --interval takes as many.",
    "warning",
)
UNEQUAL_SIZES = Note(
    "The corpora differ in size, and the value depends on it: --sample common makes up for that.", "warning"
)
SCOPES: dict[Scope, Callable[[Sequence[Subject], Sequence[Request], Plan], list[list[Measured]]]] = {
    "within": within,
    "across": across,
    "pooled": pooled,
}


@dataclass(frozen=True)
class Job:
    """What to measure, and how, whatever the corpus."""

    requests: Sequence[Request]
    tokenizer: Tokenizer
    work: Work
    plan: Plan
    asked_tokenizer: bool = False
    reference: Reference | None = None
    top: int = 0

    @property
    def ngrams(self) -> list[NgramCounts]:
        """The counts that keep the most frequent n-grams as text."""
        return most_frequent(self.requests, self.top)

    def scorer(self, name: str, summaries: Lookup, used: Tokenizer | None) -> Scorer:
        """Return what finishes the scores of a corpus."""
        asked = self.tokenizer if self.asked_tokenizer else None
        return Scorer(name, summaries, used or self.tokenizer, asked, self.reference)


def measure_corpora(corpora: Sequence[Corpus], job: Job) -> Scores:
    """Measure each corpus."""
    if _needs_memory(corpora, job):
        return _measure_in_memory([one for corpus in corpora for one in _subjects(corpus, job)], job)
    return _measure_streams(corpora, job)


def _needs_memory(corpora: Sequence[Corpus], job: Job) -> bool:
    """Tell whether texts have to be taken in selections, so to be in memory."""
    plan = job.plan
    if plan.interval or plan.paired or plan.by or plan.explain:
        return True
    by_group = not all(request.metric.reads_groups for request in job.requests)
    if by_group and any(corpus.has_groups(job.work.batch_size) for corpus in corpora):
        return True
    return len(corpora) > 1 and sum(corpus.source.size or 0 for corpus in corpora) <= TESTED_BELOW


def _measure_streams(corpora: Sequence[Corpus], job: Job) -> Scores:
    """Measure in one reading each, keeping nothing that the metrics do not keep."""
    scorers = []
    for corpus in corpora:
        found = summarize(corpus, needed(job.requests, job.ngrams), job.tokenizer, job.work)
        scorers.append(job.scorer(corpus.name, Lookup(found.by_statistic.__getitem__), found.tokenizer))
    if len(scorers) == 1:
        return score_all(job.requests, scorers[0], job.ngrams)
    everybody = [scorer.summaries for scorer in scorers]
    untested = "Whether differences are more than noise was not tested, the corpora being large: --interval."
    notes: tuple[Note, ...] = (*_drift(everybody), Note(untested, scope="run"))
    texts = [summaries[Lengths()].texts for summaries in everybody]
    unequal = max(texts) > UNEQUAL * min(texts)
    sizes = [_smallest(request.metric, everybody, job.plan) for request in job.requests]
    scores = []
    for scorer in scorers:
        for request, size in zip(job.requests, sizes):
            score = score_of(request.metric, scorer.summaries, size)
            told = notes
            if size is not None:
                score = with_parts(score, sample=size)
                told = (Note("At a common sample of n-grams (part `sample`)."), *notes)
            elif unequal and request.metric.sized == "texts":
                told = (UNEQUAL_TEXTS, *notes)
            scores.append(_finish(scorer, request, score, told))
    return Scores(scores, [scorer.facts(job.ngrams) for scorer in scorers])


def _smallest(metric: Metric, all_summaries: Sequence[Lookup], plan: Plan) -> int | None:
    """Return how many n-grams all corpora have, where the metric depends on that and they differ."""
    if metric.sized != "ngrams" or plan.sample == "all":
        return None
    found = [summaries[statistic] for summaries in all_summaries for statistic in metric.statistics()]
    totals = {int(one.total[0]) for one in found if isinstance(one, Grams)}
    return min(totals) if len(totals) > 1 and min(totals) else None


def _subjects(corpus: Corpus, job: Job) -> list[Subject]:
    """Read a corpus into memory, and split it into systems where it has several."""
    summaries = summarize(corpus, [Rows()], job.tokenizer, job.work)
    view: Tokens = summaries.by_statistic[Rows()]
    plan, chance = job.plan, job.plan.chance
    selections = chance.subsamples + chance.permutations * plan.paired
    known = len(set(view.groups)) if view.groups is not None else len(view)
    if chance.population is not None and chance.population < known:
        raise SpecError(f"Expected `population` to be at least the {known:,} that there are.")
    found = []
    systems = {corpus.name: view}
    if plan.by:
        systems = {name: view.select(rows) for name, rows in rows_by_id(view, corpus.name).items()}
    for name, own in systems.items():
        heavy = len(own.hashes) * selections * len(job.requests) > COMPILED_FROM
        pool = TextPool(replace(own, compiled=own.compiled or heavy))
        found.append(Subject(name, pool, summaries.tokenizer or job.tokenizer, Units(pool)))
    return found


def rows_by_id(view: Tokens, source: str) -> dict[str, Integers]:
    """Return which texts are of which system, in the order in which these come."""
    if view.ids is None:
        raise InputError("there is nothing to split the texts by: name a field with --by.", source=source)
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(view.ids):
        rows.setdefault(name, []).append(row)
    return {name: np.array(own, np.int64) for name, own in rows.items()}


def _measure_in_memory(subjects: Sequence[Subject], job: Job) -> Scores:
    """Measure selections of texts: groups, subsamples, permutations."""
    scorers = []
    for subject in subjects:
        whole = subject.pool.cut(np.arange(len(subject.pool)))
        scorers.append(job.scorer(subject.name, whole, subject.tokenizer))
    grouped = all(subject.grouped for subject in subjects)
    notes = _drift([scorer.summaries for scorer in scorers])
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    # Where every group has one text, there is nothing to draw: across groups is all together.
    alone = grouped and all(len(rows) == 1 for subject in subjects for rows in subject.units.rows)
    done: dict[tuple[Scope, tuple[str, ...]], tuple[list[list[Measured]], list[Comparison]]] = {}
    scopes: tuple[Scope, ...] = ("within", "across", "pooled") if grouped else ("pooled",)
    for scope in scopes:
        own = [r for r in job.requests if scope == "pooled" or not r.metric.reads_groups]
        if not own:
            continue
        way: Scope = "pooled" if alone and scope == "across" else scope
        key = way, tuple(request.spec for request in own)
        if key not in done:
            found = SCOPES[way](subjects, own, job.plan)
            done[key] = found, compare(subjects, found, job.plan, way) if len(subjects) > 1 else []
        measured, compared = done[key]
        comparisons += [replace(one, scope=scope if grouped else None) for one in compared]
        said: dict[str, str] = {"scope": scope} if grouped else {}
        unequal = _unequal(measured, job.plan)
        for scorer, column in zip(scorers, measured):
            for one in column:
                own_notes = (*notes, *([UNEQUAL_SIZES] if one.request.spec in unequal else []))
                finished = _finish(scorer, one.request, one.score, own_notes, **said)
                scores.append(replace(finished, scope=said.get("scope")))
    facts = [scorer.facts(job.ngrams) for scorer in scorers]
    if job.plan.explain:
        from distinctly.explaining import explain

        for subject, told in zip(subjects, facts):
            told["explain"] = explain(subject.pool, job.requests, job.plan.explain)
    return Scores(scores, facts, corrected(comparisons))


def _finish(scorer: Scorer, request: Request, score: Score, notes: Sequence[Note], **facts: str) -> Score:
    for key in ("sample", "draws"):
        if key in score.parts and key not in score.options:
            facts[key] = str(score.parts[key])
    return scorer.finish(request, replace(score, notes=(*score.notes, *notes)), **facts)


def _unequal(measured: Sequence[Sequence[Measured]], plan: Plan) -> set[str]:
    """Return the specs whose values depend on a size that differs between corpora."""
    if plan.sample == "common":
        return set()
    found = set()
    for row in zip(*measured):
        sized = row[0].request.metric.sized
        part = {"ngrams": "C", "texts": "texts"}.get(sized)
        sizes = [one.score.parts[part] for one in row if part in one.score.parts]
        if len(sizes) > 1 and max(sizes) > UNEQUAL * min(sizes):
            found.add(row[0].request.spec)
    return found


def _drift(all_summaries: Sequence[Lookup]) -> tuple[Note, ...]:
    """Say where texts of different lengths are compared."""
    lengths: list[LengthSums] = [summaries[Lengths()] for summaries in all_summaries]
    means = [float(one.tokens / one.texts) for one in lengths if one.texts]
    if len(means) < 2 or not min(means) or max(means) / min(means) < DRIFT:
        return ()
    lengths_differ = (
        f"Texts are from {min(means):.1f} to {max(means):.1f} tokens long on average: a difference may be "
        "one of length."
    )
    return (Note(lengths_differ, "warning", "run"),)
