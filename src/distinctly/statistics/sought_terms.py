"""`SoughtTerms`: how the occurrences of some terms are spread over texts, and how the terms are spelled."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from distinctly.hashing import Hashes, hash_strings
from distinctly.ragged import Integers
from distinctly.statistics.base import Mergeable
from distinctly.statistics.collector import Collector, ReadAgain, Runner
from distinctly.strings import Strings
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import WORDS, Tokens

if TYPE_CHECKING:
    from distinctly.statistics.collector import Spill


@dataclass(frozen=True, eq=False)
class TermKeys:
    """Terms of one length that are sought, known by their hashes.

    Attributes
    ----------
    hashes
        Their hashes, ascending.
    counts
        Their counts in the corpus; 0 if they do not matter.
    total
        The number of all n-grams of this length in the corpus.
    """

    hashes: Hashes
    counts: Integers
    total: int

    @classmethod
    def of(cls, hashes: Hashes) -> TermKeys:
        """Return terms of which nothing but the hashes is known, in any order."""
        return cls(np.sort(hashes), np.zeros(len(hashes), np.int64), 0)

    def occurrences(self, tokens: Tokens, n: int) -> tuple[Integers, Integers]:
        """Return the place of the term and the position of each occurrence of terms of n tokens."""
        grams = tokens.grams(n)
        if not len(self.hashes) or not len(grams):
            return np.zeros(0, np.int64), np.zeros(0, np.int64)
        places: Integers = np.minimum(np.searchsorted(self.hashes, grams), len(self.hashes) - 1)
        sought = np.flatnonzero(self.hashes[places] == grams)
        return places[sought], tokens.starts(n)[sought]

    @cached_property
    def _digest(self) -> str:
        data = b"".join([self.hashes.tobytes(), self.counts.tobytes(), str(self.total).encode()])
        return hashlib.blake2b(data, digest_size=8).hexdigest()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TermKeys) and self._digest == other._digest

    def __hash__(self) -> int:
        return hash(self._digest)

    def __repr__(self) -> str:
        return f"TermKeys({len(self.hashes)} terms, {self._digest})"

    @cached_property
    def slots(self) -> Any:
        """The table in which compiled loops look the terms up."""
        from distinctly.kernels.terms import slot_table

        return slot_table(self.hashes)

    def __getstate__(self) -> dict[str, object]:
        return {name: getattr(self, name) for name in ("hashes", "counts", "total")}


@dataclass(frozen=True)
class TermUses:
    """How terms are used: one entry per sought term.

    Attributes
    ----------
    units
        The number of texts (or groups of texts) that have the term: its range.
    even
        ``Σ_i min(c_i·C, n_i·c)`` over the texts (or groups) with the term, of which text i has c_i of its c
        occurrences, and n_i of all C n-grams. Divided by ``c·C`` it is 1 − DP, Gries' deviation of
        proportions.
    places, words
        The terms that were spelled, ascending, and their tokens, one term after another.
    """

    units: Integers
    even: Integers
    places: Integers
    words: Strings

    def __add__(self, other: TermUses) -> TermUses:
        new = np.flatnonzero(~np.isin(other.places, self.places))
        places, words = self.places, self.words
        if len(new):
            length = len(other.words) // len(other.places)
            added = other.words.take((new[:, None] * length + np.arange(length)).ravel()).copy()
            places, words = _in_order(
                np.concatenate([places, other.places[new]]), Strings.concatenate([words, added]), length
            )
        return TermUses(self.units + other.units, self.even + other.even, places, words)


def _in_order(places: Integers, words: Strings, length: int) -> tuple[Integers, Strings]:
    """Return terms of `length` words in the order of their places."""
    order = np.argsort(places)
    return places[order], words.take((order[:, None] * length + np.arange(length)).ravel())


@dataclass(frozen=True)
class SoughtTerms(Mergeable[TermUses, TermUses]):
    """The number of texts with each of some terms, their dispersion, and their spelling.

    Attributes
    ----------
    n
        The number of tokens per term.
    terms
        The terms.
    grouped
        Whether the terms are spread over groups of texts; the texts of a group follow each other, in one
        batch.

    Examples
    --------
    >>> tokens = Tokens.of([["a", "b", "a"], ["a"], ["c", "b"]])
    >>> keys = TermKeys(np.sort(tokens.hashes[:1]), np.array([3]), 6)
    >>> sought = SoughtTerms(1, keys)
    >>> uses = sought.summarize(sought.collect(tokens))  # of 3 a, 2 are in 3 and 1 in 1 of 6 tokens
    >>> uses.units.tolist(), uses.even.tolist(), uses.words.tolist()
    ([2], [12], ['a'])
    """

    n: int
    terms: TermKeys
    grouped: bool = False
    view: View[Tokens] = field(default=WORDS, kw_only=True)

    def collect(self, tokens: Tokens) -> TermUses:
        """Look the terms up in a batch."""
        return self.spelled(tokens, *self.spread_in(tokens))

    def summarize(self, state: TermUses) -> TermUses:
        """Return the uses: the state is the summary."""
        return state

    def spelled(self, tokens: Tokens, units: Integers, even: Integers, first: Integers) -> TermUses:
        """Return the uses of the terms in a batch, with the tokens of those that have a first position."""
        places = np.flatnonzero(first >= 0)
        where = first[places][:, None] + np.arange(self.n)
        return TermUses(units, even, places, tokens.words_at(where.ravel()))

    def spread_in(self, tokens: Tokens) -> tuple[Integers, Integers, Integers]:
        """Return the units, the evenness and the first position of each term in a batch; −1 without one."""
        keys, counts, total = self.terms.hashes, self.terms.counts, self.terms.total
        units, even, first = np.zeros((3, len(keys)), np.int64)
        first[:] = -1
        if not len(keys) or self.n > int(tokens.lengths.max(initial=0)):
            return units, even, first
        last = self._last_of_units(tokens)
        if tokens.compiled:
            from distinctly.kernels.terms import spread

            of_terms = keys, self.terms.slots, counts, total
            spread(tokens.windows(self.n), tokens.bounds, last, self.n, *of_terms, units, even, first)
            return units, even, first
        grams, starts = tokens.grams(self.n), tokens.starts(self.n)
        places = np.minimum(np.searchsorted(keys, grams), len(keys) - 1)
        sought = np.flatnonzero(keys[places] == grams)
        places = places[sought]
        unit_of_text: Integers = np.cumsum(last) - last
        sizes = np.bincount(unit_of_text, np.diff(tokens.gram_bounds(self.n))).astype(np.int64)
        unit_of_gram: Integers = np.repeat(unit_of_text, np.diff(tokens.gram_bounds(self.n)))[sought]
        pairs, in_unit = np.unique(unit_of_gram * len(keys) + places, return_counts=True)
        unit, place = np.divmod(pairs, len(keys))
        np.add.at(units, place, 1)
        np.add.at(even, place, np.minimum(in_unit * total, sizes[unit] * counts[place]))
        first[places[::-1]] = starts[sought[::-1]]  # the last assignment is that of the first occurrence
        return units, even, first

    def _last_of_units(self, tokens: Tokens) -> NDArray[np.bool_]:
        """Return whether each text is the last of its unit."""
        last = np.ones(len(tokens), np.bool_)
        if self.grouped and tokens.groups is not None:
            groups = hash_strings(tokens.groups)
            last[:-1] = groups[1:] != groups[:-1]
        return last

    @classmethod
    def collector(cls, statistics: Sequence[SoughtTerms], spill: Spill) -> Collector:  # noqa: ARG003
        """Return a collector that spells each term once."""
        return SoughtCollector(statistics)


class SoughtCollector(Collector):
    """Looks up terms of several lengths, and spells those that have not been spelled before."""

    def __init__(self, statistics: Sequence[SoughtTerms]) -> None:
        # The windows of longer terms are made from those of shorter ones.
        self._statistics = sorted(statistics, key=lambda statistic: statistic.n)
        self._missing = [np.ones(len(sought.terms.hashes), np.bool_) for sought in self._statistics]
        self._states: list[TermUses] = []

    def prepare(self, rows: Rows) -> list[TermUses]:
        """Look the terms up in a batch."""
        uses = []
        for sought, missing in zip(self._statistics, self._missing):
            tokens: Tokens = rows[sought.view]
            units, even, first = sought.spread_in(tokens)
            # Another thread may spell the same terms: one of both spellings is kept.
            uses.append(sought.spelled(tokens, units, even, np.where(missing, first, -1)))
        return uses

    def absorb(self, part: list[TermUses]) -> None:
        """Add the uses of a batch."""
        self._states = [state + uses for state, uses in zip(self._states, part)] if self._states else part
        for missing, uses in zip(self._missing, part):
            missing[uses.places] = False

    def states(self) -> Mapping[Mergeable[Any, Any], Any]:
        """Return the uses of all terms."""
        return dict(zip(self._statistics, self._states))

    def summaries(self, run: Runner, read_again: ReadAgain) -> Mapping[Any, Any]:
        """Return the uses of all terms: the states are the summaries."""
        return self.states()
