"""Collocations: which words occur near a word more often than elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal
from urllib.parse import quote

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.engine.protocol import engine_of
from distinctly.engine.states import CollectedStates
from distinctly.errors import InputError
from distinctly.ragged import Integers
from distinctly.run.collocates import Collocations
from distinctly.run.key_columns import corrected_p_values, spelled
from distinctly.run.plan import Plan, Views
from distinctly.run.scoring import Scorer, notes_on_corpora
from distinctly.run.term_corpora import counts_of, is_large, threads_for
from distinctly.run.term_views import TermView
from distinctly.score import Note
from distinctly.statistics.base import Mergeable
from distinctly.statistics.concordance import Concordance, Line
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.contingency import chi_squared_p
from distinctly.statistics.keyness_measures import KeynessMeasures
from distinctly.statistics.ngram_counts import NgramCounts, alphabetical_ranks
from distinctly.statistics.pool import Summaries
from distinctly.statistics.sought_terms import SoughtTerms, TermKeys, TermUses
from distinctly.statistics.term_counts import CountedTerms, Wanted, count_both
from distinctly.version import __version__
from distinctly.views.tokens import Tokens
from distinctly.views.windows import WindowView

Sort = Literal["g2", "log_dice", "pmi"]
# What separates the parts of a signature.
_RESERVED = re.compile(r"[|:+%]")
# The value of log-Dice for two words that only occur together (Rychlý, 2008).
LARGEST_DICE = 14


@dataclass(frozen=True)
class FindingCollocates:
    """Which collocates to look for, and how.

    Attributes
    ----------
    terms
        What words are.
    node
        The tokens of the word, or of several words in sequence.
    window
        The number of tokens before and after it.
    min_count, min_range
        The smallest number of times that a collocate is near the node, and of texts where it is.
    sort
        The measure that orders the collocates.
    lines
        The number of concordance lines of the node.
    config
        How to run.
    """

    terms: TermView
    node: tuple[str, ...]
    window: tuple[int, int]
    min_count: int
    min_range: int
    sort: Sort
    lines: int
    config: RunConfig

    @property
    def near(self) -> WindowView:
        """The tokens near the node."""
        return WindowView(self.terms.view, self.node, *self.window)

    def _counts(self, **changes: Any) -> NgramCounts:
        """Return the statistic that counts the tokens of a view like that of the tokens near the node."""
        return NgramCounts(1, view=replace(self.near, **changes))

    @property
    def _of_node(self) -> NgramCounts:
        return NgramCounts(len(self.node), view=self.terms.view)

    @property
    def _node_key(self) -> TermKeys:
        return TermKeys.of(Tokens.of([list(self.node)]).grams(len(self.node)))

    def in_corpus(self, name: str, corpus: Corpus) -> Collocations:
        """Return the collocates of the node in a corpus."""
        engine = engine_of(corpus, self.config)
        sides = self._counts(right=0), self._counts(left=0)
        statistics = [self._counts(), self._counts(near=False), *sides, self._of_node, *self.terms.describing]
        with engine.collecting(corpus, list(dict.fromkeys(statistics)), self.config) as collected:
            summaries = collected.summaries_of(self.terms.describing)
            nodes = self._nodes(name, collected)
            terms, totals = self._counted(collected, is_large([corpus], self.config))
            chosen = terms.take(np.flatnonzero(self._is_collocate(terms.reference, terms.candidate, totals)))
            chosen = chosen.take(np.argsort(chosen.keys))
            beside = [counts_of(collected.tables[side], chosen.keys) for side in sides]
        sought = SoughtTerms(1, TermKeys.of(chosen.keys), view=self.near)
        concordance = Concordance(len(self.node), self._node_key, self.lines, view=self.terms.view)
        wanted: list[Mergeable[Any, Any]] = [sought, *([concordance] if self.lines else [])]
        looked_up = engine.summarize(corpus, wanted, self.config)
        columns = self._columns(terms, chosen, totals, nodes, looked_up[sought])
        columns |= {"left": beside[0], "right": beside[1]}
        lines = looked_up[concordance][0] if self.lines else []
        return self._result(name, summaries, columns, lines, nodes)

    def _nodes(self, name: str, collected: CollectedStates) -> int:
        """Return the number of times that the node occurs; raise if it does not."""
        nodes = int(counts_of(collected.tables[self._of_node], self._node_key.hashes)[0])
        if not nodes:
            raise InputError(
                f"'{' '.join(self.node)}' does not occur in the texts. Choose another word, or --tokenizer.",
                source=name,
            )
        return nodes

    def _counted(self, collected: CollectedStates, compiled: bool) -> tuple[CountedTerms, tuple[int, int]]:
        """Return how often each token is far from the node (as reference) and near it, and the totals."""
        far, near = (collected.tables[self._counts(near=is_near)] for is_near in (False, True))
        totals = far.totals.total, near.totals.total

        def scores(reference: Integers, candidate: Integers) -> Reals:
            measures = KeynessMeasures(reference, candidate, totals)
            return measures.g2 * measures.direction

        with threads_for([collected], self.config) as threads:
            return count_both(far, near, Wanted(1, scores), threads.run, compiled=compiled), totals

    def _is_collocate(self, far: Integers, near: Integers, totals: tuple[int, int]) -> NDArray[np.bool_]:
        """Return whether tokens are near the node often enough, and more often than elsewhere."""
        more = KeynessMeasures(far, near, totals).direction > 0
        return np.asarray(more & (near >= self.min_count), np.bool_)

    def _columns(
        self,
        terms: CountedTerms,
        chosen: CountedTerms,
        totals: tuple[int, int],
        nodes: int,
        uses: TermUses,
    ) -> dict[str, Any]:
        """Return the columns of the chosen collocates."""

        def p_values(far: Integers, near: Integers) -> Reals:
            # Words that are too rarely near the node are not tested.
            p = chi_squared_p(KeynessMeasures(far, near, totals).g2)
            return np.where(near >= self.min_count, p, np.nan)

        measures = KeynessMeasures(chosen.reference, chosen.candidate, totals)
        together = chosen.candidate.astype(np.float64)
        count = chosen.reference + chosen.candidate
        (corrected,) = corrected_p_values([(replace(chosen, tally=terms.tally), p_values)])
        return {
            "collocate": np.array([words[0] for words in spelled(1, len(chosen), [uses])], object),
            "together": chosen.candidate,
            "expected": count * (totals[1] / max(sum(totals), 1)),
            "count": count,
            "range": uses.units,
            "pmi": measures.pmi / np.log(2),
            "log_dice": LARGEST_DICE + np.log2(2 * together / (nodes + count)),
            "g2": measures.g2,
            "g2_p": chi_squared_p(measures.g2),
            "g2_p_corrected": corrected,
            "chi2": measures.chi2,
            "log_ratio": measures.log_ratio,
        }

    def _result(
        self,
        name: str,
        summaries: Summaries,
        columns: Mapping[str, Any],
        lines: Sequence[Line],
        nodes: int,
    ) -> Collocations:
        ranks = alphabetical_ranks(columns["collocate"].tolist())
        order = np.lexsort((ranks, -columns[self.sort]))
        order = order[columns["range"][order] >= self.min_range]
        scorer = Scorer(name, summaries, Plan((), Views(None, None, described=self.terms.described)))
        return Collocations(
            " ".join(self.node),
            scorer.facts(),
            nodes,
            self.window,
            {column: values[order].tolist() for column, values in columns.items()},
            self.sort,
            self._signature(summaries),
            lines,
            list(self._notes(scorer)),
        )

    def _notes(self, scorer: Scorer) -> Iterator[Note]:
        yield from notes_on_corpora([scorer], view=self.terms.view)

    def _signature(self, summaries: Summaries) -> str:
        content: Content = summaries[Contents(view=self.terms.view)]
        as_tokens = bool(summaries.origin.as_tokens)
        kind, name, options = self.terms.view.describe(came_as_tokens=as_tokens)
        view = ",".join([name, *(f"{key}:{value}" for key, value in options.items())])
        left, right = self.window
        facts = {
            "node": "+".join(
                quote(token, safe="") if _RESERVED.search(token) else token for token in self.node
            ),
            "window": f"{left}+{right}",
            "min_count": self.min_count,
            "min_range": self.min_range,
            kind: view,
            "texts": f"{content.texts}#{content.hex}",
            "v": __version__,
        }
        return "|".join(["collocations", *(f"{key}:{value}" for key, value in facts.items())])
