"""The longest passages that candidates share with a reference, quoted from the texts of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np

from distinctly.config import RunConfig
from distinctly.corpus import Corpus, is_state
from distinctly.distance.novelty import Novelty
from distinctly.ragged import Integers
from distinctly.run.corpora import Subcorpus
from distinctly.run.plan import Plan
from distinctly.statistics.concordance import Line, line_at
from distinctly.statistics.matches import LongestMatches, Matches, Passage
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import Tokens

# Shorter sequences are in most texts.
SHORTEST = 2


@dataclass(frozen=True)
class Place:
    """Some tokens of a text: the row of the text, the position of the first token, and their number."""

    row: int
    position: int
    tokens: int


class Quotable(Protocol):
    """Texts of which parts can be quoted."""

    def quote(self, places: Sequence[Place], view: View[Tokens]) -> list[Line]:
        """Return the tokens at each place in their context."""


@dataclass(frozen=True)
class InMemory:
    """Texts of a pool."""

    corpus: Subcorpus

    def rows(self, view: View[Tokens]) -> Integers:
        """Return the rows of the texts in the pool, in the order of reading."""
        return np.sort(self.corpus.units(view).texts)

    def quote(self, places: Sequence[Place], view: View[Tokens]) -> list[Line]:
        """Return the tokens at each place in their context; texts are numbered as they were read."""
        tokens: Tokens = self.corpus.pool.view(view)
        rows = self.rows(view)[[place.row for place in places]].tolist() if places else []
        lines = [
            line_at(tokens, int(tokens.bounds[row]) + place.position, place.tokens)
            for row, place in zip(rows, places)
        ]
        return [_numbered(line, row - self.corpus.first_row) for line, row in zip(lines, rows)]


@dataclass(frozen=True)
class ReadAgain:
    """Texts of a corpus that is read again; of a state, only the places are known."""

    corpus: Corpus
    config: RunConfig

    def quote(self, places: Sequence[Place], view: View[Tokens]) -> list[Line]:
        """Return the tokens at each place in their context; no more is read than is needed."""
        if is_state(self.corpus):
            return [Line(place.row + 1, place.position + 1, "", "", "") for place in places]
        lines: dict[int, Line] = {}
        first = 0
        for batch in self.corpus.batches(self.config.batch_size):
            here = [at for at, place in enumerate(places) if first <= place.row < first + len(batch)]
            if here:
                chosen = batch.select([places[at].row - first for at in here])
                tokens: Tokens = Rows(chosen, self.config)[view]
                for text, at in enumerate(here):
                    start = int(tokens.bounds[text]) + places[at].position
                    lines[at] = _numbered(line_at(tokens, start, places[at].tokens), places[at].row)
            first += len(batch)
            if len(lines) == len(places):
                break
        return [lines[at] for at in range(len(places))]


def _numbered(line: Line, row: int) -> Line:
    return Line(row + 1, line.position, line.left, line.match, line.right)


def has_passages(plan: Plan) -> bool:
    """Return whether a distance is requested whose longest passages can be quoted."""
    return any(isinstance(request.metric, Novelty) for request in plan.requests)


def copied(
    plan: Plan, matches_of: Callable[[LongestMatches], Matches], sides: tuple[Quotable, Quotable], most: int
) -> list[dict[str, Any]]:
    """Return how long the longest matches are, and the longest passages, for each view of requested novelty.

    Parameters
    ----------
    plan
        The requested distances.
    matches_of
        Returns the matches that a statistic finds.
    sides
        The texts of the reference and of the candidate.
    most
        The largest number of passages per view.
    """
    requests = [(request.spec, request.metric) for request in plan.requests]
    statistics = {
        statistic: (spec, metric)
        for spec, metric in reversed(requests)
        if isinstance(metric, Novelty)
        for statistic in metric.pair_statistics()
    }
    return [
        {
            "metric": spec,
            "of": metric.of,
            "matches": _distribution(matches := matches_of(statistic)),
            "passages": _quoted(matches.passages(most, SHORTEST), sides, statistic.view),
        }
        for statistic, (spec, metric) in reversed(statistics.items())
    ]


def _distribution(matches: Matches) -> list[dict[str, int]]:
    """Return the number of tokens with each length of their longest match, for lengths that occur."""
    lengths = np.flatnonzero(matches.number_of)
    return [{"length": int(length), "tokens": int(matches.number_of[length])} for length in lengths]


def _quoted(
    passages: Sequence[Passage], sides: tuple[Quotable, Quotable], view: View[Tokens]
) -> list[dict[str, Any]]:
    """Return passages with what is around them in both corpora."""
    in_reference = [Place(p.reference_row, p.reference_position, p.length) for p in passages]
    in_candidate = [Place(p.row, p.position, p.length) for p in passages]
    quotes = zip(passages, sides[0].quote(in_reference, view), sides[1].quote(in_candidate, view))
    return [
        {
            "text": candidate.match,
            "tokens": passage.length,
            "candidate_times": passage.times,
            "reference_times": passage.reference_times,
            "candidate": _context(candidate),
            "reference": _context(reference),
        }
        for passage, reference, candidate in quotes
    ]


def _context(line: Line) -> dict[str, Any]:
    """Return where a passage is, and what is around it; a state does not know what is around it."""
    place = {"text": line.text, "position": line.position}
    return {**place, "left": line.left, "right": line.right} if line.match else place
