"""Measure one or several corpora: in one pass or, if texts are selected, in memory."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.protocol import find_engine
from distinctly.errors import SpecError
from distinctly.metrics import Metric
from distinctly.run.comparing import Comparing, corrected
from distinctly.run.corpora import NamedRows, Subcorpus, read_corpus, separate_pools
from distinctly.run.explain import explain_diversity
from distinctly.run.plan import Plan
from distinctly.run.resampling import Resampling
from distinctly.run.scopes import Measured, Scope, Scoped, with_parts
from distinctly.run.scoring import Scorer
from distinctly.score import Comparison, Note, Score, Scores
from distinctly.statistics.lengths import Lengths, LengthSums
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.pool import Summaries

# Above this number of bytes, differences between corpora are tested only on request.
TESTED_BELOW = 20_000_000
# From this number of counted tokens on, compiled loops are worth their start-up time.
COMPILED_FROM = 50_000_000
# Ratios of mean lengths, and of sizes, above which there is a warning.
DRIFT, UNEQUAL = 1.2, 1.1
UNEQUAL_TEXTS = Note(
    "The corpora differ in the number of texts, and the value depends on it. Use --interval to measure the "
    "same number of texts.",
    "warning",
)
UNEQUAL_SIZES = Note(
    "The corpora differ in size, and the value depends on it. Use --sample common to correct for it.",
    "warning",
)
UNTESTED = Note(
    "The corpora are large, so differences were not tested for noise. Use --interval to test them.",
    scope="run",
)


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
    """

    plan: Plan
    resampling: Resampling
    config: RunConfig
    split: bool = False
    explain: int = 0

    def measure(self, corpora: Sequence[Corpus]) -> Scores:
        """Measure each corpus."""
        if not self._needs_memory(corpora):
            return self._in_one_pass(corpora)
        return self._in_memory(
            [read_corpus(corpus, self.plan.views.tokens, self.config, split=self.split) for corpus in corpora]
        )

    def _needs_memory(self, corpora: Sequence[Corpus]) -> bool:
        """Return whether texts are selected, and thus have to be in memory."""
        if self.resampling.interval or self.resampling.paired or self.split or self.explain:
            return True
        by_group = not all(request.metric.reads_groups for request in self.plan.requests)
        if by_group and any(corpus.has_groups(self.config.batch_size) for corpus in corpora):
            return True
        return len(corpora) > 1 and sum(corpus.source.size or 0 for corpus in corpora) <= TESTED_BELOW

    def _in_one_pass(self, corpora: Sequence[Corpus]) -> Scores:
        """Read each corpus once, keeping only what the metrics need."""
        engine = find_engine(self.config.engine)
        scorers = [
            self._scorer(corpus.name, engine.summarize(corpus, self.plan.statistics, self.config))
            for corpus in corpora
        ]
        if len(scorers) == 1:
            return Scores(scorers[0].score_all(), [scorers[0].facts()])
        all_summaries = [scorer.summaries for scorer in scorers]
        notes = (*self._drift(all_summaries), UNTESTED)
        texts = [lengths.texts for lengths in self._lengths(all_summaries)]
        unequal = max(texts) > UNEQUAL * min(texts)
        sizes = [self._smallest(request.metric, all_summaries) for request in self.plan.requests]
        scores = []
        for scorer in scorers:
            for request, size in zip(self.plan.requests, sizes):
                score = request.metric.score_from(scorer.summaries, size)
                common: tuple[Note, ...] = notes
                if size is not None:
                    score = with_parts(score, sample=size)
                    common = (Note("At a common sample of n-grams (part `sample`)."), *notes)
                elif unequal and request.metric.sized == "texts":
                    common = (UNEQUAL_TEXTS, *notes)
                scores.append(scorer.finish(request, replace(score, notes=(*score.notes, *common))))
        return Scores(scores, [scorer.facts() for scorer in scorers])

    def _in_memory(self, read: Sequence[NamedRows]) -> Scores:
        """Measure selections of texts: groups, subsamples, permutations."""
        corpora = separate_pools([self._prepared(corpus) for corpus in read], self.plan.views.tokens)
        self._check_population(corpora)
        scorers = [self._scorer(corpus.name, corpus.summaries) for corpus in corpora]
        grouped = all(corpus.pool.rows.batch.groups is not None for corpus in corpora)
        # If every group has one text, `across` and `pooled` are the same.
        singles = grouped and all(len(rows) == 1 for corpus in corpora for rows in corpus.units.rows)
        notes = self._drift([scorer.summaries for scorer in scorers])
        scoped = Scoped(corpora, self.resampling, self.config)
        comparing = Comparing(corpora, self.resampling, self.config, self.plan.views.tokens)
        scores: list[Score] = []
        comparisons: list[Comparison] = []
        done: dict[tuple[Scope, tuple[str, ...]], tuple[list[list[Measured]], list[Comparison]]] = {}
        scopes: tuple[Scope, ...] = ("within", "across", "pooled") if grouped else ("pooled",)
        for scope in scopes:
            requests = [
                request
                for request in self.plan.requests
                if scope == "pooled" or not request.metric.reads_groups
            ]
            if not requests:
                continue
            selecting: Scope = "pooled" if singles and scope == "across" else scope
            key = selecting, tuple(request.spec for request in requests)
            if key not in done:
                results = scoped.measure(selecting, requests)
                done[key] = results, comparing.compare(results, selecting) if len(corpora) > 1 else []
            measured, compared = done[key]
            shown = scope if grouped else None
            comparisons += [replace(comparison, scope=shown) for comparison in compared]
            unequal = self._unequal(measured)
            facts = {"scope": scope} if grouped else {}
            for scorer, row in zip(scorers, measured):
                for result in row:
                    spec = result.request.spec
                    all_notes = (*result.score.notes, *notes, *((UNEQUAL_SIZES,) if spec in unequal else ()))
                    score = replace(result.score, notes=all_notes)
                    scores.append(replace(scorer.finish(result.request, score, **facts), scope=shown))
        descriptions = [scorer.facts() for scorer in scorers]
        if self.explain:
            for corpus, description in zip(corpora, descriptions):
                description["explain"] = explain_diversity(corpus.pool, self.plan, self.explain)
        return Scores(scores, descriptions, corrected(comparisons))

    def _prepared(self, corpus: NamedRows) -> NamedRows:
        """Count the texts by compiled loops if they are selected often enough."""
        rows = corpus.rows
        selections = self.resampling.subsamples + self.resampling.exchanges * self.resampling.paired
        tokens = len(rows[self.plan.views.tokens].hashes)
        heavy = tokens * selections * len(self.plan.requests) > COMPILED_FROM
        return replace(corpus, rows=rows.compiled()) if heavy else corpus

    def _check_population(self, corpora: Sequence[Subcorpus]) -> None:
        known = max((len(corpus.units) for corpus in corpora), default=0)
        if self.resampling.population is not None and self.resampling.population < known:
            raise SpecError(f"Expected `population` to be at least the number of texts or groups, {known:,}.")

    def _scorer(self, name: str, summaries: Summaries) -> Scorer:
        return Scorer(name, summaries, self.plan, self.plan.reference)

    def _smallest(self, metric: Metric, all_summaries: Sequence[Summaries]) -> int | None:
        """Return the number of n-grams of the smallest corpus; None if the value does not depend on it."""
        if metric.sized != "ngrams" or self.resampling.sample == "all":
            return None
        counts = [summaries[statistic] for summaries in all_summaries for statistic in metric.statistics()]
        totals = {int(grams.total[0]) for grams in counts if isinstance(grams, Grams)}
        return min(totals) if len(totals) > 1 and min(totals) else None

    def _unequal(self, measured: Sequence[Sequence[Measured]]) -> set[str]:
        """Return the specs whose values depend on a size that differs between corpora."""
        if self.resampling.sample == "common":
            return set()
        specs = set()
        for column in zip(*measured):
            metric = column[0].request.metric
            part = {"ngrams": "C", "texts": "texts"}.get(metric.sized)
            sizes = [result.score.parts[part] for result in column if part in result.score.parts]
            if len(sizes) > 1 and max(sizes) > UNEQUAL * min(sizes):
                specs.add(column[0].request.spec)
        return specs

    def _lengths(self, all_summaries: Sequence[Summaries]) -> list[LengthSums]:
        return [summaries[Lengths(view=self.plan.views.tokens)] for summaries in all_summaries]

    def _drift(self, all_summaries: Sequence[Summaries]) -> tuple[Note, ...]:
        """Return a warning if the corpora differ in the mean length of their texts."""
        means = [float(sums.tokens / sums.texts) for sums in self._lengths(all_summaries) if sums.texts]
        if len(means) < 2 or not min(means) or max(means) / min(means) < DRIFT:
            return ()
        text = (
            f"Texts have {min(means):.1f} to {max(means):.1f} tokens on average, so differences may be "
            "due to length."
        )
        return (Note(text, "warning", "run"),)
