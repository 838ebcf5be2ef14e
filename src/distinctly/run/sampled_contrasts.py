"""Compare corpora that are larger than memory: summaries of all texts if these are enough, else samples."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.protocol import engine_of
from distinctly.run.contrasts import Contrast, corrected, notes_on_lengths, pairs_of
from distinctly.run.corpora import one_pool, read_named
from distinctly.run.passages import ReadAgain, copied
from distinctly.run.plan import Plan, Reference
from distinctly.run.resampling import Resampling
from distinctly.run.sampling import Sampling, split_requests
from distinctly.run.scoring import Scorer
from distinctly.run.sides import SidePair, side_scores, side_statistics
from distinctly.score import Note, Score, Scores
from distinctly.statistics.lengths import Lengths

BEYOND_MEMORY = Note(
    "No p-value, noise floor or interval: they need all texts in memory, and there are too many for that. "
    "Give more --memory for them.",
    scope="run",
)


@dataclass(frozen=True)
class SampledContrasts:
    """Corpora of which metrics that need rows compare samples.

    Attributes
    ----------
    names, corpora
        The corpora, and the names that scores show.
    plan
        The distances.
    resampling, config
        What to draw, and how to run.
    fits
        Whether all texts fit in memory, so that distances that do not need a sample have tests too.
    """

    names: Sequence[str]
    corpora: Sequence[Corpus]
    plan: Plan
    resampling: Resampling
    config: RunConfig
    fits: bool

    def compare(self, first: int, *, matrix: bool = False, explain: int = 0) -> Scores:
        """Compare with the corpus at the place `first`, or each with every other.

        `explain` is the number of the longest passages to list that candidates share with the reference.
        """
        pairs = pairs_of(len(self.corpora), None if matrix else first)
        exact, sampled = (self.plan.only(requests) for requests in split_requests(self.plan.requests))
        sampling = Sampling.of(self.resampling, self.config)
        needed = [*side_statistics(self.plan), *([sampling.keys] if sampled.requests else [])]
        wholes = [
            engine_of(corpus, self.config).summarize(corpus, needed, self.config) for corpus in self.corpora
        ]
        combined = {pair: SidePair(*(wholes[place] for place in pair)) for pair in pairs}
        exact_scores = self._in_memory(exact, pairs) if self.fits else self._of_sides(exact, combined)
        sampled_scores: list[list[Score]] = [[] for _ in pairs]
        if sampled.requests:
            drawn = sampling.draw(self.corpora, wholes, self.plan.views.tokens, self.config)
            read = [replace(rows, name=name) for rows, name in zip(drawn, self.names)]
            corpora = one_pool(read, self.plan.views.tokens)
            sampled_scores = [
                Contrast(
                    corpora[left], corpora[right], self.resampling, self.config, self.plan.views.tokens
                ).finished(sampled)
                for left, right in pairs
            ]
        places = {request.spec: place for place, request in enumerate(self.plan.requests)}
        scores = [
            score
            for both in zip(exact_scores, sampled_scores)
            for score in sorted([*both[0], *both[1]], key=lambda score: places[score.spec])
        ]
        described = [first, *(place for place in range(len(self.corpora)) if place != first)]
        facts = [Scorer(self.names[place], wholes[place], self.plan).facts() for place in described]
        if explain:
            texts = [ReadAgain(corpus, self.config) for corpus in self.corpora]
            for place, of_candidate in zip(described[1:], facts[1:]):
                matches = combined[first, place].__getitem__
                listings = copied(self.plan, matches, (texts[first], texts[place]), explain)
                of_candidate["drivers"] = {"copied": listings}
        return Scores(corrected(scores), facts)

    def _in_memory(self, plan: Plan, pairs: Sequence[tuple[int, int]]) -> list[list[Score]]:
        """Compare all texts in memory."""
        if not plan.requests:
            return [[] for _ in pairs]
        tokens = plan.views.tokens
        opened = list(zip(self.names, self.corpora))
        corpora = one_pool(read_named(opened, None, tokens, self.config, split=False), tokens)
        return [
            Contrast(corpora[left], corpora[right], self.resampling, self.config, tokens).finished(plan)
            for left, right in pairs
        ]

    def _of_sides(self, plan: Plan, combined: Mapping[tuple[int, int], SidePair]) -> list[list[Score]]:
        """Compare the summaries of all texts."""
        resampling, tokens = self.resampling, plan.views.tokens
        requested = resampling.permutations or resampling.noise_floor or resampling.interval
        scored = []
        for (left, right), pair in combined.items():
            sums = [summaries[Lengths(view=tokens)] for summaries in (pair.reference, pair.candidate)]
            means = [each.tokens / each.texts if each.texts else 0.0 for each in sums]
            notes = (*((BEYOND_MEMORY,) if requested else ()), *notes_on_lengths(means))
            reference = Reference(self.names[left], pair.reference)
            scorer = Scorer(self.names[right], pair.candidate, plan, reference)
            scored.append(
                [
                    scorer.finish(request, replace(score, notes=(*score.notes, *notes)))
                    for request, score in zip(plan.requests, side_scores(plan.requests, pair, tokens))
                ]
            )
        return scored
