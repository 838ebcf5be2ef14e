"""Measure one or several corpora: in one pass or, if texts are selected, in memory."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from distinctly.config import RunConfig
from distinctly.corpus import Corpus, is_state
from distinctly.engine.protocol import engine_of
from distinctly.errors import InputError, SpecError, unknown
from distinctly.metrics import Metric, Sizable
from distinctly.run.approximating import refuse_in_memory
from distinctly.run.comparing import Comparing
from distinctly.run.corpora import NamedRows, Sampled, Subcorpus, read_corpus, separate_pools
from distinctly.run.estimating import Estimate, left_out_spread, spread_interval
from distinctly.run.plan import Plan, needs_rows
from distinctly.run.resampling import BLOCKS, DRAWS, Resampling
from distinctly.run.scopes import SCOPES, Column, Scope, Scoped, with_parts
from distinctly.run.scoring import Scorer, length_warning
from distinctly.score import Comparison, Note, Score, Scores, Test
from distinctly.statistics.accumulation import Unit
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.pool import Summaries

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
        rows_needed = any(needs_rows(request.metric) for request in self.plan.requests)
        if in_memory or rows_needed:
            from distinctly.run.sampling import fitted

            fit = fitted(corpora, self.plan.views, self.config)
            corpora = fit.corpora
            if not fit.fits or (rows_needed and self.resampling.sample is not None):
                return self._with_unit("text")._sampled(corpora, fits=fit.fits)
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

    def _sampled(self, corpora: Sequence[Corpus], *, fits: bool) -> Scores:
        """Measure metrics that need all texts in memory on a sample, and the others on all texts."""
        from distinctly.run.sampling import Sampling, refuse_sample, split_requests, without_rows

        resampling, plan = self.resampling, self.plan
        whole = "by" if self.split else "explain" if self.explain else ""
        refuse_sample(corpora, resampling, plan.views, self.config, whole)
        exact, sampled = (
            replace(self, plan=plan.only(requests)) for requests in split_requests(plan.requests)
        )
        sampling = Sampling.of(resampling, self.config)
        needed = [*without_rows(plan.statistics), *([sampling.keys] if sampled.plan.requests else [])]
        if resampling.interval and not fits:
            needed += filter(None, (left_out_spread(request.metric) for request in exact.plan.requests))
        wholes = [engine_of(corpus, self.config).summarize(corpus, needed, self.config) for corpus in corpora]
        parts: list[Scores] = []
        if exact.plan.requests:
            in_memory = fits and exact._needs_memory(corpora)
            parts.append(
                exact.measure(corpora) if in_memory else exact._scored(corpora, wholes, beyond=not fits)
            )
        if sampled.plan.requests:
            drawn = sampling.draw(corpora, wholes, plan.views.tokens, self.config)
            parts.append(sampled.measure_rows(drawn))
        descriptions = [
            self._scorer(corpus.name, summaries).facts() for corpus, summaries in zip(corpora, wholes)
        ]
        scores = _in_order(parts, [request.spec for request in plan.requests], len(corpora))
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
        resampling = self.resampling
        if any(corpus.sampled is not None for corpus in read):
            resampling = replace(resampling, interval=True)
        corpora = separate_pools([self._prepared(corpus) for corpus in read])
        self._check_population(corpora)
        base = self._base([corpus.name for corpus in corpora], [len(corpus.rows) for corpus in corpora])
        scorers = [self._scorer(corpus.name, corpus.summaries) for corpus in corpora]
        longer = self._lengths([scorer.summaries for scorer in scorers])
        scores: list[Score] = []
        comparisons: list[Comparison] = []
        for scope in self._scopes(corpora):
            requests = [request for request in self.plan.requests if _belongs(request.metric, scope)]
            if not requests:
                continue
            columns = Scoped(corpora, scope, resampling, self.config).measure(requests)
            compared: list[Comparison] = []
            if len(corpora) > 1:
                compared = Comparing(corpora, scope, resampling, self.config).compare(columns)
            comparisons += compared
            ratios = {
                column.request.spec: Comparing(corpora, scope, resampling, self.config).relative(column, base)
                for column in columns
                if base is not None and column.tested
            }
            tests = {(comparison.corpus, comparison.metric): comparison for comparison in compared}
            for place, (corpus, scorer) in enumerate(zip(corpora, scorers)):
                for column in columns:
                    spec = column.request.spec
                    common = (*_size_notes(column), *_length_notes(column.request.metric, longer))
                    score = self._finished(corpus, scorer, column, column.estimates[place], scope, common)
                    score = _with_test(score, tests.get((corpus.name, spec)), self.resampling)
                    scores.append(score.evolve(relative=ratios[spec][place]) if spec in ratios else score)
        descriptions = [scorer.facts() for scorer in scorers]
        if self.explain:
            from distinctly.run.explain import explain_diversity

            for corpus, description in zip(corpora, descriptions):
                description["explain"] = explain_diversity(corpus.pool, self.plan, self.explain)
        return Scores(scores, descriptions, comparisons)

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
        if self.resampling.interval or corpus.sampled is not None:
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

    def _prepared(self, corpus: NamedRows) -> NamedRows:
        """Count the texts by compiled loops if they are selected often enough."""
        rows = corpus.rows
        selections = BLOCKS + self.resampling.exchanges * self.resampling.paired
        tokens = len(rows[self.plan.views.tokens].hashes)
        heavy = tokens * selections * len(self.plan.requests) > COMPILED_FROM
        return replace(corpus, rows=rows.compiled()) if heavy else corpus

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


def sampled_note(sampled: Sampled) -> Note:
    """Return the note on a value of a sample."""
    why = f"(seed {sampled.seed}), since it needs all texts in memory."
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


def _belongs(metric: Metric, scope: Scope) -> bool:
    """Return whether a metric is measured in a scope."""
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
