"""Measure one or several corpora: in one pass or, if texts are selected, in memory."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from distinctly.config import RunConfig
from distinctly.corpus import Corpus, is_state
from distinctly.engine.protocol import engine_of
from distinctly.errors import InputError, SpecError, unknown
from distinctly.metrics import Metric, Sizable
from distinctly.run.approximating import refuse_in_memory
from distinctly.run.comparing import Comparing
from distinctly.run.corpora import NamedRows, Sampled, Subcorpus, read_corpus, separate_pools, split_parts
from distinctly.run.estimating import Estimate, left_out_spread, spread_interval
from distinctly.run.plan import Plan, needs_rows
from distinctly.run.resampling import BLOCKS, DRAWS, Resampling
from distinctly.run.scopes import SCOPES, Column, Scope, Scoped, with_parts
from distinctly.run.scoring import Scorer, length_warning
from distinctly.score import Comparison, Note, Score, Scores, Test
from distinctly.spec import Request
from distinctly.statistics.accumulation import Unit
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.pool import Summaries

if TYPE_CHECKING:
    from distinctly.run.sampling import Sampling

# Above this number of bytes, differences between corpora are tested only on request.
TESTED_BELOW = 20_000_000
# From this number of counted tokens on, compiled loops are worth their start-up time.
COMPILED_FROM = 50_000_000
# The ratio of sizes above which there is a warning.
UNEQUAL = 1.1
UNMATCHED = Note(
    "The corpora differ in size, and the value depends on it. They are too small to be compared at one size.",
    "warning",
)
UNEQUAL_SIZES = Note(
    "The corpora differ in size, and the value depends on it. Compare values at one size, as with at=20000 "
    "(n-grams) or at=400texts.",
    "warning",
)
BEYOND_MEMORY = Note(
    "No interval and no test: they need all texts in memory, and there are too many for that. Give more "
    "--memory for them.",
    scope="run",
)
UNTESTED = Note(
    "The corpora are large, so differences were not tested for noise. Use --interval to test them.",
    scope="run",
)
UNTESTED_APPROXIMATE = Note("Differences between the corpora were not tested for noise.", scope="run")


@dataclass(frozen=True)
class Measuring:
    """A run of `measure`: its metrics and settings.

    Attributes
    ----------
    plan
        The metrics.
    resampling
        The requested intervals and tests.
    split
        Whether corpora are split by the ids of their texts.
    explain
        The number of n-grams and texts that reduce diversity most to list.
    scope
        The only scope to measure, for texts with groups; None for all scopes that differ.
    relative_to
        The name of the corpus that all values are also relative to; empty for none.
    """

    plan: Plan
    resampling: Resampling
    config: RunConfig
    split: bool = False
    explain: int = 0
    scope: Scope | None = None
    relative_to: str = ""

    def measure(self, corpora: Sequence[Corpus]) -> Scores:
        """Measure each corpus."""
        for corpus in corpora:
            corpus.source.limit_memory(self.config.memory)
        if any(is_state(corpus) for corpus in corpora):
            return self._with_unit("text")._of_states(corpora)
        in_memory = self._needs_memory(corpora)
        samplings = [sampling for sampling in self._samplings if sampling is not None]
        is_sampled = not in_memory and any(
            corpus.is_larger_than(sampling.size, sampling.most_bytes, self.config.batch_size)
            for sampling in set(samplings)
            for corpus in corpora
        )
        once = is_sampled and not all(corpus.source.rereadable for corpus in corpora)
        fits = True
        if in_memory or once or self._rows_needed or (samplings and not is_sampled):
            from distinctly.run.sampling import fitted

            fit = fitted(corpora, self.plan.views, self.config)
            corpora, fits = fit.corpora, fit.fits
        if once and not fits and self._without_samples.plan.requests:
            scores = self._without_samples.measure(corpora)
            note = left_out_note(self.plan.requests, self._without_samples.plan.requests)
            noted = [replace(score, notes=(*score.notes, note)) for score in scores]
            return Scores(noted, scores.corpora, scores.comparisons)
        if is_sampled or not fits:
            return self._with_unit("text")._sampled(corpora, fits=fits)
        if not in_memory:
            return self._with_unit("text")._in_one_pass(corpora)
        if self.plan.approximate:
            refuse_in_memory({"groups of texts, or with metrics that draw texts at random": True})
        return self.measure_rows(
            [read_corpus(corpus, self.plan.views.tokens, self.config, split=self.split) for corpus in corpora]
        )

    def _of_states(self, corpora: Sequence[Corpus]) -> Scores:
        """Measure corpora of which some are states, without their texts."""
        from distinctly.run.stored import check_states

        wanted = self.resampling.interval or self.resampling.paired or self.split or self.explain
        check_states(self.plan, corpora, refused=bool(wanted or self.plan.top))
        return self._in_one_pass(corpora)

    def measure_rows(self, read: Sequence[NamedRows]) -> Scores:
        """Measure each corpus that was read into memory."""
        grouped = all(corpus.rows.batch.groups is not None for corpus in read)
        return self._with_unit("group" if grouped else "text")._in_memory(read)

    def _with_unit(self, unit: Unit) -> Measuring:
        """Return the run with the unit of metrics at a size, in their specs too, where none is given."""
        plan = self.plan.drawing(unit)
        return self if plan is self.plan else replace(self, plan=plan)

    def _needs_memory(self, corpora: Sequence[Corpus]) -> bool:
        """Return whether texts are selected, and thus have to be in memory."""
        if self.resampling.interval or self.resampling.paired or self.split or self.explain:
            return True
        if self.relative_to:
            return True
        metrics = [request.metric for request in self.plan.requests]
        if any(isinstance(metric, Sizable) and metric.drawn for metric in metrics):
            return True
        by_group = not all(metric.reads_groups for metric in metrics)
        if by_group and any(corpus.has_groups(self.config.batch_size) for corpus in corpora):
            return True
        return not self.plan.approximate and self._small(corpora)

    def _small(self, corpora: Sequence[Corpus]) -> bool:
        """Return whether several corpora are small enough to be tested without being asked to."""
        return len(corpora) > 1 and sum(corpus.source.size or 0 for corpus in corpora) <= TESTED_BELOW

    @cached_property
    def _samplings(self) -> Sequence[Sampling | None]:
        """The sample that each metric is measured on if there are more texts; None for all texts."""
        if self.resampling.sample is None and not any(
            request.of_set or request.sampled is not None for request in self.plan.requests
        ):
            return [None] * len(self.plan.requests)
        from distinctly.run.sampling import Sampling

        return [
            Sampling.of_request(request, self.resampling, self.plan.views) for request in self.plan.requests
        ]

    @property
    def _rows_needed(self) -> bool:
        """Whether a metric needs all texts in memory, and is not measured on a sample."""
        pairs = zip(self.plan.requests, self._samplings)
        return any(sampling is None and needs_rows(request.metric) for request, sampling in pairs)

    @cached_property
    def _without_samples(self) -> Measuring:
        """The run without the metrics that a named set measures on a sample, for texts that are read once."""
        pairs = zip(self.plan.requests, self._samplings)
        kept = [request for request, sampling in pairs if sampling is None or not request.of_set]
        return replace(self, plan=self.plan.only(kept))

    def _sampled(self, corpora: Sequence[Corpus], *, fits: bool) -> Scores:
        """Measure some metrics on samples: if requested, or if they need more texts than fit in memory."""
        from distinctly.run.sampling import Sampling, refuse_sample, without_rows

        resampling, plan = self.resampling, self.plan
        whole = "by" if self.split else "explain" if self.explain else ""
        refuse_sample(corpora, resampling, plan.views, self.config, whole)
        by_sampling: dict[Sampling | None, list[Request]] = {}
        for request, requested in zip(plan.requests, self._samplings):
            is_too_large = not fits and needs_rows(request.metric)
            by_memory = Sampling.of(resampling, self.config) if is_too_large else None
            by_sampling.setdefault(requested or by_memory, []).append(request)
        exact = replace(self, plan=plan.only(by_sampling.pop(None, [])))
        samplings = {sampling: requests for sampling, requests in by_sampling.items() if sampling is not None}
        in_memory = fits and (exact._rows_needed or exact._needs_memory(corpora))
        counted = [] if in_memory else exact.plan.statistics
        needed = [*plan.describing, *counted, *(sampling.keys for sampling in samplings)]
        needed = without_rows(dict.fromkeys(needed))
        if resampling.interval and not fits:
            needed += filter(None, (left_out_spread(request.metric) for request in exact.plan.requests))
        wholes = [engine_of(corpus, self.config).summarize(corpus, needed, self.config) for corpus in corpora]
        parts: list[Scores] = []
        specs = {request.spec: request.spec for request in plan.requests}
        if exact.plan.requests:
            parts.append(
                exact.measure(corpora) if in_memory else exact._scored(corpora, wholes, beyond=not fits)
            )
        for sampling, requests in samplings.items():
            drawn = sampling.draw(corpora, wholes, plan.views.tokens, self.config)
            named = [sampling.named(request, drawn) for request in requests]
            specs |= {request.spec: new.spec for request, new in zip(requests, named)}
            parts.append(replace(self, plan=plan.only(named)).measure_rows(drawn))
        descriptions = [
            self._scorer(corpus.name, summaries).facts() for corpus, summaries in zip(corpora, wholes)
        ]
        scores = _in_order(parts, list(specs.values()), len(corpora))
        return Scores(scores, descriptions, [each for part in parts for each in part.comparisons])

    def _in_one_pass(self, corpora: Sequence[Corpus]) -> Scores:
        """Read each corpus once, keeping only what the metrics need."""
        summaries = [
            engine_of(corpus, self.config).summarize(corpus, self.plan.statistics, self.config)
            for corpus in corpora
        ]
        return self._scored(corpora, summaries)

    def _scored(
        self, corpora: Sequence[Corpus], summaries: Sequence[Summaries], *, beyond: bool = False
    ) -> Scores:
        """Score corpora from their summaries; `beyond` says whether their texts do not fit in memory."""
        scorers = [self._scorer(corpus.name, each) for corpus, each in zip(corpora, summaries)]
        many = UNTESTED_APPROXIMATE if self.plan.approximate else UNTESTED
        untested = [many] if len(scorers) > 1 else []
        spreads = beyond and self.resampling.interval
        if len(scorers) == 1 and not spreads and not (beyond and self.resampling.paired):
            return Scores(scorers[0].score_all(), [scorers[0].facts()])
        longer = self._lengths([scorer.summaries for scorer in scorers])
        scored = [
            [request.metric.score_from(scorer.summaries) for request in self.plan.requests]
            for scorer in scorers
        ]
        unequal = {
            request.spec
            for request, *column in zip(self.plan.requests, *scored)
            if _sizes_differ_much(request.metric, column)
        }
        scores = []
        for scorer, row in zip(scorers, scored):
            for request, score in zip(self.plan.requests, row):
                facts: dict[str, str] = {}
                beyond_notes = list(untested)
                statistic = left_out_spread(request.metric) if spreads else None
                if statistic is not None:
                    spread = scorer.summaries[statistic]
                    score = spread_interval(request.metric, score, spread, self.resampling.error)  # noqa: PLW2901
                    facts["interval"] = "yes"
                elif spreads or (beyond and self.resampling.paired):
                    beyond_notes = [BEYOND_MEMORY]
                sizes = (UNEQUAL_SIZES,) if request.spec in unequal else ()
                notes = (*score.notes, *sizes, *_length_notes(request.metric, longer), *beyond_notes)
                scores.append(scorer.finish(request, replace(score, notes=notes), **facts))
        return Scores(scores, [scorer.facts() for scorer in scorers])

    def _in_memory(self, read: Sequence[NamedRows]) -> Scores:
        """Measure selections of texts: groups, units left out, draws, exchanges."""
        parts = split_parts(self._prepared(read))
        corpora = separate_pools(parts)
        families = self._families(parts, corpora)
        self._check_population(corpora)
        base = self._base([corpus.name for corpus in corpora], [len(corpus.rows) for corpus in corpora])
        scorers = [self._scorer(corpus.name, corpus.summaries) for corpus in corpora]
        longer = self._lengths([scorer.summaries for scorer in scorers])
        scores: list[Score] = []
        comparisons: list[Comparison] = []
        for scope in self._scopes(corpora):
            columns = self._columns(families, scope)
            if not columns:
                continue
            comparing = Comparing(corpora, scope, self.resampling, self.config)
            compared = comparing.compare(columns) if len(corpora) > 1 else []
            comparisons += compared
            ratios = {
                column.request.spec: comparing.relative(column, base)
                for column in columns
                if base is not None and column.tested
            }
            tests = {(comparison.corpus, comparison.metric): comparison for comparison in compared}
            for place, (corpus, scorer) in enumerate(zip(corpora, scorers)):
                for column in columns:
                    spec, measured = column.request.spec, column.corpora[place]
                    common = (*_size_notes(column), *_length_notes(column.request.metric, longer))
                    score = self._finished(measured, scorer, column, column.estimates[place], scope, common)
                    score = _with_test(score, tests.get((corpus.name, spec)), self.resampling)
                    scores.append(score.evolve(relative=ratios[spec][place]) if spec in ratios else score)
        descriptions = [scorer.facts() for scorer in scorers]
        if self.explain:
            from distinctly.run.explain import explain_diversity

            for corpus, description in zip(corpora, descriptions):
                description["explain"] = explain_diversity(corpus.pool, self.plan, self.explain)
        return Scores(scores, descriptions, comparisons)

    def _families(self, parts: Sequence[NamedRows], whole: Sequence[Subcorpus]) -> list[_Family]:
        """Return the metrics by the texts that they are measured on: all, or samples of one size."""
        by_sampling: dict[Sampling | None, dict[int, Request]] = {}
        is_drawn = any(part.sampled is not None for part in parts)
        for place, (request, sampling) in enumerate(zip(self.plan.requests, self._samplings)):
            by_sampling.setdefault(None if is_drawn else sampling, {})[place] = request
        families = []
        for sampling, requests in by_sampling.items():
            drawn = parts if sampling is None else sampling.of_rows(parts)
            corpora = (
                whole if all(each is part for each, part in zip(drawn, parts)) else separate_pools(drawn)
            )
            named = {
                place: request if sampling is None else sampling.named(request, drawn)
                for place, request in requests.items()
            }
            families.append(_Family(corpora, named))
        return families

    def _columns(self, families: Sequence[_Family], scope: Scope) -> list[Column]:
        """Measure all metrics that belong to a scope, in the order of the plan."""
        columns: list[tuple[int, Column]] = []
        for family in families:
            requests = {
                place: request for place, request in family.requests.items() if _belongs(request, scope)
            }
            places = {request.spec: place for place, request in requests.items()}
            is_interval = self.resampling.interval or _needs_interval(family.corpora)
            resampling = replace(self.resampling, interval=is_interval)
            measured = Scoped(family.corpora, scope, resampling, self.config).measure([*requests.values()])
            columns += [(places[column.plain_spec or column.request.spec], column) for column in measured]
        return [column for _, column in sorted(columns, key=lambda pair: pair[0])]

    def _base(self, names: Sequence[str], texts: Sequence[int]) -> int | None:
        """Return the place of the corpus that values are relative to; None if there is none."""
        if not self.relative_to:
            return None
        if self.relative_to not in names:
            raise unknown("corpus", self.relative_to, names)
        base = names.index(self.relative_to)
        if len(names) < 2:
            raise SpecError(f"There is no other corpus than '{self.relative_to}', to be relative to it.")
        if not texts[base]:
            raise InputError("it has no texts, so no value is relative to it.", source=self.relative_to)
        return base

    def _scopes(self, corpora: Sequence[Subcorpus]) -> tuple[Scope, ...]:
        """Return the scopes to measure; one if each group has a single text, so that all are the same."""
        if not all(corpus.grouped for corpus in corpora):
            return ("pooled",)
        if self.scope is not None:
            return (self.scope,)
        if all(corpus.group_count == len(corpus.rows) for corpus in corpora):
            return ("pooled",)
        return SCOPES

    def _finished(
        self,
        corpus: Subcorpus,
        scorer: Scorer,
        column: Column,
        estimate: Estimate,
        scope: Scope,
        notes: Sequence[Note],
    ) -> Score:
        """Return a score with its interval, notes and signature."""
        metric, score = column.request.metric, estimate.score
        facts: dict[str, str] = {}
        if corpus.grouped:
            facts["groups"] = str(corpus.group_count)
            if not metric.reads_groups:
                facts["scope"] = scope
        if self.resampling.interval or _needs_interval(column.corpora):
            score = estimate.with_interval(metric.bounds)
            facts["interval"] = "yes"
            if self.resampling.population is not None:
                facts["population"] = str(self.resampling.population)
        if scope == "across":
            score = with_parts(score, groups=corpus.group_count, draws=DRAWS)
            facts |= {"draws": str(DRAWS), "seed": str(self.resampling.seed)}
        if corpus.sampled is not None:
            score = with_parts(score, sample=corpus.sampled.size)
            facts |= corpus.sampled.facts
            notes = [*notes, sampled_note(corpus.sampled)]
        # The notes of a value at one size are those of the value of all texts, beside which it is shown.
        own_notes = score.notes if column.plain_spec is None else ()
        score = replace(score, notes=(*own_notes, *notes))
        finished = scorer.finish(column.request, score, **facts)
        return finished.evolve(scope=scope if corpus.grouped else None, plain_spec=column.plain_spec)

    def _prepared(self, read: Sequence[NamedRows]) -> Sequence[NamedRows]:
        """Count the texts by compiled loops if they are selected often enough."""
        selections = BLOCKS + self.resampling.exchanges * self.resampling.paired
        tokens = sum(len(corpus.rows[self.plan.views.tokens].hashes) for corpus in read)
        heavy = tokens * selections * len(self.plan.requests) > COMPILED_FROM
        return [replace(corpus, rows=corpus.rows.compiled()) for corpus in read] if heavy else read

    def _check_population(self, corpora: Sequence[Subcorpus]) -> None:
        sizes = [
            (corpus.group_count or len(corpus.rows)) if corpus.sampled is None else corpus.sampled.texts
            for corpus in corpora
        ]
        known = max(sizes, default=0)
        if self.resampling.population is not None and self.resampling.population < known:
            raise SpecError(f"Expected `population` to be at least the number of texts or groups, {known:,}.")

    def _scorer(self, name: str, summaries: Summaries) -> Scorer:
        return Scorer(name, summaries, self.plan, self.plan.reference)

    def _lengths(self, all_summaries: Sequence[Summaries]) -> Note | None:
        """Return a warning if the corpora differ in the mean length of their texts; None otherwise."""
        lengths: list[LengthSums] = [
            summaries[Lengths(view=self.plan.views.tokens)] for summaries in all_summaries
        ]
        return length_warning([sums.tokens / sums.texts for sums in lengths if sums.texts])


@dataclass(frozen=True)
class _Family:
    """Metrics that are measured on the same texts.

    Attributes
    ----------
    corpora
        The texts: whole corpora, or samples.
    requests
        The metrics, by their place in the plan.
    """

    corpora: Sequence[Subcorpus]
    requests: Mapping[int, Request]


def _needs_interval(corpora: Sequence[Subcorpus]) -> bool:
    """Return whether corpora are samples without the spec saying so, so that the interval does."""
    return any(corpus.sampled is not None and not corpus.sampled.in_spec for corpus in corpora)


def left_out_note(requests: Sequence[Request], kept: Sequence[Request]) -> Note:
    """Return the note on metrics of a set that are not measured on texts which can be read only once."""
    specs = {request.spec for request in kept}
    left_out = ", ".join(request.spec for request in requests if request.spec not in specs)
    text = (
        f"Left out: {left_out}. Of a corpus of this size they are measured on a sample, which takes two "
        "readings, and it can be read only once. Save it as a file."
    )
    return Note(text, scope="run")


def sampled_note(sampled: Sampled) -> Note:
    """Return the note on a value of a sample."""
    why = f"(seed {sampled.seed}), since it needs all texts in memory."
    if sampled.in_spec:
        why = f"(seed {sampled.seed}). For all texts, name the metric without `sampled`."
    text = f"Measured on a sample of {sampled} {why}"
    return Note(text, general=f"Measured on samples of {sampled.size:,} texts {why}")


def _in_order(parts: Sequence[Scores], specs: Sequence[str], corpora: int) -> list[Score]:
    """Return the scores of several runs on the same corpora, by corpus, in the order of the specs."""
    places = {spec: place for place, spec in enumerate(specs)}
    scores: list[Score] = []
    for corpus in range(corpora):
        of_corpus: list[Score] = []
        for part in parts:
            number = len(part) // corpora
            of_corpus += list(part)[corpus * number : (corpus + 1) * number]
        # A value at one size follows that of all texts.
        scores += sorted(of_corpus, key=lambda score: places[score.plain_spec or score.spec])
    return scores


def _size_notes(column: Column) -> tuple[Note, ...]:
    """Return notes on a value that depends on size, and that is not shown at one size."""
    if not column.comparable:
        return (UNMATCHED,)
    if column.same_order is None:
        return ()
    same = (
        f"At one size it is a constant multiple of {column.same_order}, with the same order and p-values, so "
        "only that is shown at one size."
    )
    return (Note(same),)


def _length_notes(metric: Metric, warning: Note | None) -> tuple[Note, ...]:
    """Return the warning on lengths if a metric depends on length."""
    return () if warning is None or not metric.depends_on_length else (warning,)


def _belongs(request: Request, scope: Scope) -> bool:
    """Return whether a metric is measured in a scope."""
    metric = request.metric
    if request.of_set and metric.of_answers:
        return scope == "within"
    if scope == "within" and isinstance(metric, Sizable) and metric.at is not None:
        return False
    return scope == "pooled" or not metric.reads_groups


def _sizes_differ_much(metric: Metric, scores: Sequence[Score]) -> bool:
    """Return whether a value depends on a size, and the sizes differ."""
    if isinstance(metric, Sizable) and metric.at is not None:
        return False
    part = {"ngrams": "C", "texts": "texts"}.get(metric.sized, "")
    sizes = [score.parts[part] for score in scores if part in score.parts]
    return len(sizes) > 1 and max(sizes) > UNEQUAL * min(sizes)


def _with_test(score: Score, comparison: Comparison | None, resampling: Resampling) -> Score:
    """Return a score with the test of its difference from the best."""
    if comparison is None or math.isnan(comparison.p):
        return score
    permutations = resampling.exchanges if comparison.exchanged else 0
    test = Test(
        p=comparison.p,
        p_holm=comparison.p_holm,
        permutations=permutations,
        how=f"difference from {comparison.best}: {comparison.test}",
    )
    return replace(score, test=test)
