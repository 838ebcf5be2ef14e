"""One or several corpora, measured alike: whole, by group, at a common sample, with intervals and tests."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

import numpy as np

from distinctly.corpus import Corpus
from distinctly.engine.local import Work, summarize
from distinctly.errors import InputError
from distinctly.metric import Metric
from distinctly.ragged import Integers
from distinctly.score import Comparison, Score, Scores
from distinctly.scoring import Reference, Scorer, most_frequent, needed, score_all
from distinctly.spec import Request
from distinctly.statistics.derived import Lookup, TextPool
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import Grams, NgramCounts
from distinctly.statistics.rows import Rows
from distinctly.tokenizers.base import Tokenizer
from distinctly.uncertainty import (
    Chance,
    Reals,
    Spread,
    Units,
    around,
    exchanged,
    holm,
    ngrams_in,
    score_of,
    sign_flipped,
    spread,
    values_of,
)
from distinctly.views.tokens import Tokens

Scope = Literal["within", "across", "pooled"]
# Beyond so many bytes, several corpora are compared without testing the differences, unless asked.
TESTED_BELOW = 20_000_000
# Selections times tokens from which the compiled counts are worth their start.
COMPILED_FROM = 50_000_000
SIGNIFICANT = 0.05
# Differences of mean length, and of size, that a reader has to be told of.
DRIFT, UNEQUAL = 0.2, 0.1


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What is asked besides the values.

    Attributes
    ----------
    interval
        Give every value an interval.
    paired
        Test the difference of each corpus from the best by exchanging texts.
    sample
        ``common``: size-dependent metrics are measured at the size of the smallest corpus.
        ``all``: every corpus as it is.
    by
        The ids of the texts say which system each is of.
    explain
        How many of the n-grams and texts that cost the most variety to list.
    chance
        Seeds and numbers of draws.
    """

    interval: bool = False
    paired: bool = False
    sample: Literal["common", "all"] = "common"
    by: bool = False
    explain: int = 0
    chance: Chance = field(default_factory=Chance)


@dataclass(frozen=True)
class Subject:
    """A corpus in memory."""

    name: str
    pool: TextPool
    tokenizer: Tokenizer
    units: Units

    @property
    def grouped(self) -> bool:
        """Whether the texts belong to groups."""
        return self.pool.view.groups is not None

    def summaries(self) -> Lookup:
        """Return the summaries of all texts."""
        return self.pool.cut(np.arange(len(self.pool)))


@dataclass(frozen=True)
class Measured:
    """A score with what the comparison with others needs.

    Attributes
    ----------
    error
        The standard error; NaN where none was asked for or there is none.
    by_group
        One value a group, for the scope `within`.
    """

    request: Request
    score: Score
    error: float = math.nan
    by_group: Reals | None = None


def measure_corpora(
    corpora: Sequence[Corpus],
    requests: Sequence[Request],
    tokenizer: Tokenizer,
    work: Work,
    plan: Plan,
    *,
    asked_tokenizer: bool = False,
    reference: Reference | None = None,
    top: int = 0,
) -> Scores:
    """Measure each corpus, in memory where something asks for it."""
    ngrams = most_frequent(requests, top)
    make = _Make(tokenizer if asked_tokenizer else None, reference)
    if not _needs_memory(corpora, requests, plan, work):
        return _measure_streams(corpora, requests, tokenizer, work, plan, make, ngrams)
    subjects = _subjects(corpora, tokenizer, work, plan, len(requests))
    if len(subjects) == 1 and not plan.interval and not subjects[0].grouped:
        scorer = make.scorer(subjects[0].name, _collected(subjects[0]), subjects[0].tokenizer)
        return score_all(requests, scorer, ngrams)
    return _measure_subjects(subjects, requests, plan, make, ngrams)


@dataclass(frozen=True)
class _Make:
    asked_tokenizer: Tokenizer | None
    reference: Reference | None

    def scorer(self, name: str, summaries: Lookup, tokenizer: Tokenizer) -> Scorer:
        return Scorer(name, summaries, tokenizer, self.asked_tokenizer, self.reference)


def _needs_memory(corpora: Sequence[Corpus], requests: Sequence[Request], plan: Plan, work: Work) -> bool:
    """Tell whether texts have to be measured in selections, so to be in memory."""
    if plan.interval or plan.paired or plan.by:
        return True
    if not all(request.metric.reads_groups for request in requests) and any(
        corpus.has_groups(work.batch_size) for corpus in corpora
    ):
        return True
    return len(corpora) > 1 and sum(corpus.source.size or 0 for corpus in corpora) <= TESTED_BELOW


# --- Streams: one reading, nothing kept that the metrics do not keep. ---


def _measure_streams(
    corpora: Sequence[Corpus],
    requests: Sequence[Request],
    tokenizer: Tokenizer,
    work: Work,
    plan: Plan,
    make: _Make,
    ngrams: Sequence[NgramCounts],
) -> Scores:
    scorers = []
    for corpus in corpora:
        found = summarize(corpus, needed(requests, ngrams), tokenizer, work)
        lookup = Lookup(found.by_statistic.__getitem__)
        scorers.append(make.scorer(corpus.name, lookup, found.tokenizer or tokenizer))
    if len(scorers) == 1:
        return score_all(requests, scorers[0], ngrams)
    samples = {r.spec: _smallest(r.metric, [s.summaries for s in scorers], plan) for r in requests}
    scores = [
        _finished(scorer, request, score_of(request.metric, scorer.summaries, samples[request.spec]))
        for scorer in scorers
        for request in requests
    ]
    noted = [_with_notes(score, _unequal(score, [s.summaries for s in scorers], plan)) for score in scores]
    advice = "Whether these differences are more than noise was not tested (large corpora): add --interval."
    noted[0] = _with_notes(noted[0], (advice,))
    return Scores(noted, [scorer.facts(ngrams) for scorer in scorers])


def _smallest(metric: Metric, all_summaries: Sequence[Lookup], plan: Plan) -> int | None:
    """Return the sample that all corpora have, where the metric depends on it and they differ."""
    if metric.sized != "ngrams" or plan.sample == "all":
        return None
    totals = [
        int(found.total[0])
        for summaries in all_summaries
        for statistic in metric.statistics()
        if isinstance(found := summaries[statistic], Grams)
    ]
    return min(totals) if len(set(totals)) > 1 and min(totals) else None


# --- In memory: every number is that of a selection. ---


def _subjects(
    corpora: Sequence[Corpus], tokenizer: Tokenizer, work: Work, plan: Plan, metrics: int
) -> list[Subject]:
    found: list[Subject] = []
    for corpus in corpora:
        summaries = summarize(corpus, [Rows()], tokenizer, work)
        view: Tokens = summaries.by_statistic[Rows()]
        for name, own in _split(view, corpus) if plan.by else [(corpus.name, view)]:
            again = plan.chance.subsamples * plan.interval + plan.chance.permutations * plan.paired
            heavy = len(own.hashes) * again * metrics > COMPILED_FROM
            pool = TextPool(replace(own, compiled=own.compiled or heavy))
            used = summaries.tokenizer or tokenizer
            found.append(Subject(name, pool, used, Units(pool, grouped=own.groups is not None)))
    return found


def _split(view: Tokens, corpus: Corpus) -> list[tuple[str, Tokens]]:
    if view.ids is None:
        raise InputError("there is nothing to split the texts by: name a field.", source=corpus.name)
    rows: dict[str, list[int]] = {}
    for row, name in enumerate(view.ids):
        rows.setdefault(name, []).append(row)
    return [(name, view.select(np.array(own))) for name, own in rows.items()]


def _collected(subject: Subject) -> Lookup:
    view = subject.pool.view
    return Lookup(lambda statistic: statistic.summarize(statistic.collect(view)))


def _measure_subjects(
    subjects: Sequence[Subject],
    requests: Sequence[Request],
    plan: Plan,
    make: _Make,
    ngrams: Sequence[NgramCounts],
) -> Scores:
    scores: list[Score] = []
    comparisons: list[Comparison] = []
    scorers = [make.scorer(one.name, one.summaries(), one.tokenizer) for one in subjects]
    grouped = all(subject.grouped for subject in subjects)
    ways: dict[Scope, Callable[..., list[list[Measured]]]] = (
        {"within": _within, "across": _across, "pooled": _pooled} if grouped else {"pooled": _pooled}
    )
    # A comparison says whether it is more than noise, with or without being asked.
    tested = replace(plan, interval=plan.interval or len(subjects) > 1)
    for scope, measure in ways.items():
        own = [r for r in requests if scope == "pooled" or not r.metric.reads_groups]
        if not own:
            continue
        measured = measure(subjects, own, tested)
        for scorer, column in zip(scorers, measured):
            for one in column:
                notes = _unequal(one.score, [s.summaries for s in scorers], plan) if len(scorers) > 1 else ()
                shown = one.score if plan.interval else replace(one.score, low=None, high=None)
                facts = {"scope": scope} if grouped else {}
                scores.append(
                    replace(
                        _finished(scorer, one.request, _with_notes(shown, notes), **facts),
                        scope=scope if grouped else None,
                    )
                )
        if len(subjects) > 1:
            comparisons += _compare(subjects, measured, plan, scope)
    return Scores(scores, [scorer.facts(ngrams) for scorer in scorers], _corrected(comparisons))


def _pooled(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure all texts of each corpus together."""
    drawn = [
        one.units.subsamples(plan.chance) if plan.interval and len(one.units) > 3 else [] for one in subjects
    ]
    everything = [[np.arange(len(one.pool))] for one in subjects]
    return [
        _of_selections(one, requests, all_rows, half, samples, plan)
        for one, all_rows, half, samples in _at_samples(subjects, requests, everything, drawn, plan)
    ]


def _across(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure one text a group, again and again."""
    whole = [one.units.one_each(plan.chance) for one in subjects]
    drawn = [_halves(one, plan) if plan.interval and len(one.units) > 3 else [] for one in subjects]
    found = []
    for one, all_rows, half, samples in _at_samples(subjects, requests, whole, drawn, plan):
        column = _of_selections(one, requests, all_rows, half, samples, plan)
        parts = {"groups": len(one.units), "draws": len(all_rows)}
        found.append([replace(m, score=replace(m.score, parts={**m.score.parts, **parts})) for m in column])
    return found


def _halves(subject: Subject, plan: Plan) -> list[Integers]:
    """Draw half of the groups, and one text of each."""
    draw = np.random.default_rng([plan.chance.seed, 5])
    units = subject.units
    size = units.half(plan.chance.share)
    return [
        np.array([draw.choice(units.rows[unit]) for unit in draw.permutation(len(units))[:size]])
        for _ in range(plan.chance.subsamples)
    ]


def _at_samples(
    subjects: Sequence[Subject],
    requests: Sequence[Request],
    whole: Sequence[Sequence[Integers]],
    drawn: Sequence[Sequence[Integers]],
    plan: Plan,
) -> list[tuple[Subject, Sequence[Integers], Sequence[Integers], list[int | None]]]:
    """Find the sample at which each metric is measured: what every selection of every corpus has.

    With intervals the subsamples count, too; without, only the corpora.
    """
    samples: list[int | None] = []
    for request in requests:
        metric = request.metric
        if metric.sized != "ngrams" or (plan.sample == "all" and len(subjects) > 1):
            samples.append(None)
            continue
        n = int(getattr(metric, "n", 1))
        sizes = [
            ngrams_in(one.pool, n, rows)
            for one, all_rows, half in zip(subjects, whole, drawn)
            for rows in (half or all_rows)
        ]
        samples.append(min(sizes) or None)
    return [(one, all_rows, half, samples) for one, all_rows, half in zip(subjects, whole, drawn)]


def _of_selections(
    subject: Subject,
    requests: Sequence[Request],
    whole: Sequence[Integers],
    drawn: Sequence[Integers],
    samples: Sequence[int | None],
    plan: Plan,
) -> list[Measured]:
    """Score a corpus, or the mean over draws of it, with the spread over its subsamples."""
    metrics = [request.metric for request in requests]
    summaries = subject.pool.cut(whole[0])
    scores = [score_of(m, summaries, s) for m, s in zip(metrics, samples)]
    if len(whole) > 1:
        means = values_of(metrics, subject.pool, whole, samples).mean(axis=0)
        scores = [_valued(score, float(mean)) for score, mean in zip(scores, means)]
    spreads = [Spread(math.nan, math.nan)] * len(metrics)
    if drawn:
        values = values_of(metrics, subject.pool, drawn, samples)
        size = subject.units.half(plan.chance.share)
        spreads = [spread(column, len(subject.units), size) for column in values.T]
    found = []
    for request, score, found_spread, sample in zip(requests, scores, spreads, samples):
        metric, shown = request.metric, score
        if metric.sized == "texts" and not math.isnan(found_spread.mean):
            # The spread is that of half the texts, so the value in its middle is theirs as well.
            size = subject.units.half(plan.chance.share)
            plain = score.value
            what = "groups" if subject.units.names else "texts"
            shown = replace(
                _valued(score, found_spread.mean),
                parts={**score.parts, "plain": plain, f"sample_{what}": size},
                notes=(
                    *score.notes,
                    f"At {size:,} {what}, the mean over {len(drawn)} draws; `plain` is of all.",
                ),
            )
        elif sample is not None and sample < ngrams_in(subject.pool, int(getattr(metric, "n", 1)), whole[0]):
            plain = score_of(metric, summaries).value
            shown = replace(
                score,
                parts={**score.parts, "plain": plain, "sample": sample},
                notes=(*score.notes, f"At a common sample of {sample:,} n-grams; `plain` is of all."),
            )
        found.append(Measured(request, around(shown, found_spread.error, metric.bounds), found_spread.error))
    return found


def _within(subjects: Sequence[Subject], requests: Sequence[Request], plan: Plan) -> list[list[Measured]]:
    """Measure each group by itself, and take the mean over groups."""
    return [[_within_groups(subject, request) for request in requests] for subject in subjects]


def _within_groups(subject: Subject, request: Request) -> Measured:
    metric, units = request.metric, subject.units
    labels = np.empty(len(subject.pool), np.int64)
    for place, rows in enumerate(units.rows):
        labels[rows] = place
    values = metric.each(subject.pool, labels, len(units))
    defined = values[np.isfinite(values)]
    sizes = np.array([len(rows) for rows in units.rows], np.int64)
    parts: dict[str, int | float] = {
        "groups": len(units),
        "undefined_groups": len(values) - len(defined),
        "texts": len(subject.pool),
        "smallest_group": int(sizes.min(initial=len(subject.pool))),
        "largest_group": int(sizes.max(initial=0)),
    }
    notes = _group_notes(metric, sizes, len(defined))
    if not len(defined):
        why = "there are no texts." if not len(units) else "no group has a value."
        return Measured(
            request, metric.scored(math.nan, parts, (f"Undefined: {why}", *notes)), by_group=values
        )
    error = float(defined.std(ddof=1)) / math.sqrt(len(defined)) if len(defined) > 1 else math.nan
    score = around(metric.scored(float(np.mean(np.sort(defined))), parts, notes), error, metric.bounds)
    return Measured(request, score, error, values)


def _group_notes(metric: Metric, sizes: Integers, defined: int) -> tuple[str, ...]:
    notes = []
    if alone := int((sizes == 1).sum()):
        what = "have" if alone > 1 else "has"
        told = ", so no value" if metric.least_texts > 1 else ""
        notes.append(f"{alone:,} of {len(sizes):,} groups {what} one text{told}.")
    if len(sizes) > defined and metric.least_texts == 1:
        notes.append(f"{len(sizes) - defined:,} of {len(sizes):,} groups have no value and are left out.")
    if len(sizes) and metric.sized != "no" and sizes.min() != sizes.max():
        notes.append(
            f"Groups have from {sizes.min():,} to {sizes.max():,} texts, and {metric.metric_name()} depends on "
            "the size: compare only with sets of groups like these."
        )
    return tuple(notes)


# --- Differences. ---


def _compare(
    subjects: Sequence[Subject], measured: Sequence[Sequence[Measured]], plan: Plan, scope: Scope
) -> list[Comparison]:
    """Compare each corpus with the best one, for each metric."""
    found: list[Comparison] = []
    tests: dict[tuple[int, int], list[int]] = {}
    bests: list[int | None] = []
    for place in range(len(measured[0])):
        best = _best([column[place] for column in measured])
        bests.append(best)
        if best is not None:
            for other in range(len(subjects)):
                if other != best:
                    tests.setdefault((best, other), []).append(place)
    for (best, other), places in tests.items():
        pairs = [(measured[best][place], measured[other][place]) for place in places]
        p_values, test = _tested(subjects[best], subjects[other], pairs, plan, scope)
        for (one, two), p in zip(pairs, p_values):
            found.append(
                Comparison(
                    metric=one.request.spec,
                    scope=scope if subjects[best].grouped else None,
                    best=subjects[best].name,
                    corpus=subjects[other].name,
                    difference=two.score.value - one.score.value,
                    p=float(p),
                    test=test,
                )
            )
    return found


def _best(column: Sequence[Measured]) -> int | None:
    """Return which corpus is the most diverse, where the metric says what that is."""
    sign = {"more diverse": 1, "less diverse": -1}.get(column[0].request.metric.more_is)
    values = [one.score.value for one in column]
    known = [place for place, value in enumerate(values) if not math.isnan(value)]
    if sign is None or len(known) < 2:
        return None
    return max(known, key=lambda place: sign * values[place])


def _tested(
    one: Subject, other: Subject, pairs: Sequence[tuple[Measured, Measured]], plan: Plan, scope: Scope
) -> tuple[Sequence[float], str]:
    shared = sorted(set(one.units.names) & set(other.units.names))
    if scope == "within" and shared and (plan.paired or len(shared) == len(one.units) == len(other.units)):
        places = [[units.names.index(name) for name in shared] for units in (one.units, other.units)]
        at = [np.array(place) for place in places]
        found = []
        for first, second in pairs:
            assert first.by_group is not None and second.by_group is not None
            found.append(sign_flipped(first.by_group[at[0]] - second.by_group[at[1]], plan.chance))
        return found, f"values exchanged within {len(shared):,} groups, {plan.chance.permutations:,} times"
    if not plan.paired:
        return [_normal(first, second) for first, second in pairs], "spread over subsamples"
    return _exchange(one, other, pairs, plan, scope, shared)


def _normal(first: Measured, second: Measured) -> float:
    """Return the p-value of a difference whose standard errors are known, the two being independent."""
    error = math.hypot(first.error, second.error)
    difference = abs(first.score.value - second.score.value)
    if math.isnan(error) or math.isnan(difference):
        return math.nan
    return math.erfc(difference / error / math.sqrt(2)) if error else float(difference == 0)


def _exchange(
    one: Subject,
    other: Subject,
    pairs: Sequence[tuple[Measured, Measured]],
    plan: Plan,
    scope: Scope,
    shared: Sequence[str],
) -> tuple[Sequence[float], str]:
    views = [one.pool.view, other.pool.view]
    pool = TextPool(replace(Tokens.join(views), compiled=any(view.compiled for view in views)))
    sides = [one.units.rows, other.units.rows]
    if shared:
        sides = [
            [units.rows[units.names.index(name)] for name in shared] for units in (one.units, other.units)
        ]
    if scope == "across":
        draw = np.random.default_rng([plan.chance.seed, 6])
        sides = [[draw.choice(rows, 1) for rows in side] for side in sides]
    first, second = sides[0], [rows + len(one.pool) for rows in sides[1]]
    metrics = [pair[0].request.metric for pair in pairs]
    samples = []
    for metric in metrics:
        n = int(getattr(metric, "n", 1))
        sizes = [ngrams_in(pool, n, np.concatenate(side)) for side in (first, second)]
        samples.append(min(sizes) if metric.sized == "ngrams" and plan.sample == "common" else None)
    p = exchanged(metrics, pool, first, second, samples, plan.chance, paired=bool(shared))
    what = f"texts exchanged within {len(shared):,} groups" if shared else "texts shuffled between the two"
    return p.tolist(), f"{what}, {plan.chance.permutations:,} times"


def _corrected(comparisons: Sequence[Comparison]) -> list[Comparison]:
    corrected = holm([one.p for one in comparisons])
    return [
        replace(one, p_holm=p, noise=None if math.isnan(p) else p >= SIGNIFICANT)
        for one, p in zip(comparisons, corrected)
    ]


# --- Notes. ---


def _finished(scorer: Scorer, request: Request, score: Score, **facts: str) -> Score:
    for key in ("sample", "sample_texts", "sample_groups", "draws"):
        if key in score.parts and key not in score.options:
            facts[key] = str(score.parts[key])
    return scorer.finish(request, score, **facts)


def _valued(score: Score, value: float) -> Score:
    return replace(score, value=value)


def _with_notes(score: Score, notes: tuple[str, ...]) -> Score:
    return replace(score, notes=(*score.notes, *notes))


def _unequal(score: Score, all_summaries: Sequence[Lookup], plan: Plan) -> tuple[str, ...]:
    """Say where corpora differ in what the number depends on besides variety."""
    lengths: list[LengthSums] = [summaries[Lengths()] for summaries in all_summaries]
    means: list[float] = [one.tokens / one.texts for one in lengths if one.texts]
    notes = []
    if means and min(means) and max(means) / min(means) > 1 + DRIFT:
        notes.append(
            f"Texts are from {min(means):.1f} to {max(means):.1f} tokens long on average: a difference may be "
            "one of length."
        )
    return tuple(notes)
