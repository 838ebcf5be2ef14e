"""Keyness: which terms a candidate uses more often than a reference, and the reverse."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from distinctly.arrays import Reals
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.errors import InputError, unknown
from distinctly.ragged import Integers
from distinctly.run.key_columns import COLUMNS, DIRECTIONS, columns_of, corrected_p_values, spelled
from distinctly.run.key_terms import THE_REST, Keyness, KeyTerms
from distinctly.run.phrases import maximal_phrases, phrase_ranks
from distinctly.run.resampling import Resampling
from distinctly.run.scoring import notes_on_corpora
from distinctly.run.term_corpora import Quoted, TermCorpus, TermSide, counted, is_large, threads_for
from distinctly.run.term_exchanges import exchange_p_values
from distinctly.run.term_views import TermView
from distinctly.score import Note
from distinctly.statistics.collector import Runner
from distinctly.statistics.contingency import chi_squared_p
from distinctly.statistics.false_discovery import benjamini_hochberg
from distinctly.statistics.keyness_measures import KeynessMeasures
from distinctly.statistics.ngram_counts import alphabetical_ranks
from distinctly.statistics.sought_terms import TermKeys, TermUses
from distinctly.statistics.term_counts import CountedTerms, Wanted, count_both
from distinctly.version import __version__

Sort = Literal["g2", "chi2", "log_ratio", "log_odds"]
# The measures that choose terms, positive for terms that the candidate uses more often.
SORTS: Mapping[Sort, Callable[[KeynessMeasures], Reals]] = {
    "g2": lambda measures: measures.g2 * measures.direction,
    "chi2": lambda measures: measures.chi2 * measures.direction,
    "log_ratio": lambda measures: measures.log_ratio,
    "log_odds": lambda measures: measures.log_odds_z,
}
# The columns whose absolute values order the terms.
SORT_COLUMNS: Mapping[Sort, str] = {name: name for name in SORTS} | {"log_odds": "log_odds_z"}
# The reference if each corpus is compared with all others together.
REST = "rest"
# The number of terms of each direction that are shown.
SHOWN = 20
SIGNIFICANT = 0.05


@dataclass(frozen=True)
class KeynessSettings:
    """What is asked of a comparison.

    Attributes
    ----------
    min_count, min_range
        The smallest count, and number of texts (or groups), in both corpora together.
    sort
        The measure that orders the terms.
    prior
        The number of occurrences that the prior of the log-odds is worth; None for as many as there are.
    most
        The largest number of terms of each direction and length; None for all, unless there are too many.
    stopwords
        Terms of these words alone are left out.
    lines
        The number of concordance lines for each term that is shown, of corpora with texts.
    shown
        The number of terms of each direction that are shown.
    phrases
        Whether phrases that are parts of longer ones with nearly the same count are left out, and the others
        are ordered by counts and ranges.
    """

    min_count: int = 1
    min_range: int = 1
    sort: Sort = "g2"
    prior: float | None = None
    most: int | None = None
    stopwords: frozenset[str] = frozenset()
    lines: int = 0
    shown: int = SHOWN
    phrases: bool = False


@dataclass(frozen=True)
class ComparingTerms:
    """How the terms of corpora are compared.

    Attributes
    ----------
    terms
        What terms are made of.
    settings
        What is asked.
    resampling, config
        How texts are exchanged, and how to run.
    lengths_as_they_are
        Whether lengths that a corpus does not have are left out; otherwise they are an error.
    """

    terms: TermView
    settings: KeynessSettings
    resampling: Resampling
    config: RunConfig
    lengths_as_they_are: bool = False

    def compare(self, corpora: Sequence[tuple[str, Corpus]], reference: str | None) -> Keyness:
        """Compare each corpus with the reference (by default the first), or with the rest of them."""
        compiled = is_large([corpus for _, corpus in corpora], self.config)
        with counted(corpora, self.terms, self.config) as opened:
            sizes = self._sizes_of(opened)
            for corpus in opened:
                corpus.check(sizes)
            comparing = replace(self, terms=replace(self.terms, sizes=sizes))
            with threads_for([corpus.collected for corpus in opened], self.config) as threads:
                compared: list[KeyTerms] = []
                notes: list[Note] = []
                for sides in sides_of(opened, reference):
                    contrast = TermContrast(comparing, *sides, threads.run, compiled)
                    compared.append(contrast.key_terms())
                    notes += contrast.notes()
                    del contrast  # what it looked up takes more memory than its result
            notes += notes_on_corpora([corpus.scorer for corpus in opened], view=self.terms.view)
            facts = [corpus.facts() for corpus in opened]
        in_order = sorted(dict.fromkeys(notes), key=lambda note: note.level != "warning")
        return Keyness(facts, compared, in_order, self.settings.shown, self.settings.phrases)

    def _sizes_of(self, corpora: Sequence[TermCorpus]) -> tuple[int, ...]:
        """Return the lengths of terms to compare."""
        sizes = self.terms.sizes
        if not self.lengths_as_they_are:
            return sizes
        known = [n for n in sizes if all(corpus.table(n).totals.total for corpus in corpora)]
        return tuple(known) or sizes[:1]


def sides_of(corpora: Sequence[TermCorpus], reference: str | None) -> list[tuple[TermSide, TermSide]]:
    """Return each reference and candidate to compare."""
    names = [corpus.name for corpus in corpora]
    if len(corpora) < 2:
        raise InputError(
            f"Expected at least two corpora to compare, got '{names[0]}' alone. Give another file, or --by."
        )
    if reference == REST and REST not in names:
        others = [[each for each in corpora if each is not corpus] for corpus in corpora]
        return [
            (TermSide(THE_REST, rest), TermSide(corpus.name, [corpus]))
            for corpus, rest in zip(corpora, others)
        ]
    if reference is not None and reference not in names:
        raise unknown("corpus", reference, [*names, REST])
    first = 0 if reference is None else names.index(reference)
    of_reference = TermSide(names[first], [corpora[first]])
    candidates = [corpus for place, corpus in enumerate(corpora) if place != first]
    return [(of_reference, TermSide(corpus.name, [corpus])) for corpus in candidates]


@dataclass(frozen=True)
class TermContrast:
    """A reference and a candidate whose terms are compared.

    Attributes
    ----------
    comparing
        How.
    reference, candidate
        Both sides.
    run
        Runs calls, on threads if the tables allow it.
    compiled
        Whether to use compiled loops.
    """

    comparing: ComparingTerms
    reference: TermSide
    candidate: TermSide
    run: Runner
    compiled: bool

    @property
    def _settings(self) -> KeynessSettings:
        return self.comparing.settings

    @cached_property
    def totals(self) -> dict[int, tuple[int, int]]:
        """The number of all n-grams of each length in the reference and in the candidate."""
        sizes = self.comparing.terms.sizes
        return {n: (self.reference.total(n), self.candidate.total(n)) for n in sizes}

    @cached_property
    def kept(self) -> dict[int, CountedTerms]:
        """The listed terms of each length with their counts, by their hashes."""
        kept = {}
        for n in self.totals:
            # A term in several texts occurs several times.
            least = max(self._settings.min_count, self._settings.min_range)
            wanted = Wanted(least, partial(self._sizes, n), self._settings.most)
            tables = self.reference.table(n), self.candidate.table(n)
            terms = count_both(*tables, wanted, self.run, compiled=self.compiled)
            kept[n] = terms.take(np.argsort(terms.keys))
        return kept

    def _measures(self, n: int, reference: Integers, candidate: Integers) -> KeynessMeasures:
        return KeynessMeasures(reference, candidate, self.totals[n], self._settings.prior)

    @property
    def _sort(self) -> Sort:
        return "log_odds" if self._settings.phrases else self._settings.sort

    def _sizes(self, n: int, reference: Integers, candidate: Integers) -> Reals:
        """Return what chooses among terms of n words, given pairs of counts."""
        return SORTS[self._sort](self._measures(n, reference, candidate))

    @cached_property
    def tested(self) -> int:
        """The number of terms that are tested: all that are frequent enough, listed or not."""
        return sum(terms.tally.terms for terms in self.kept.values())

    @cached_property
    def uses(self) -> dict[int, tuple[TermUses, TermUses]]:
        """How the listed terms are used in the reference and in the candidate."""
        of_sides = []
        for place, side in enumerate((self.reference, self.candidate)):
            sought = {
                n: TermKeys(terms.keys, (terms.reference, terms.candidate)[place], self.totals[n][place])
                for n, terms in self.kept.items()
            }
            of_sides.append(side.uses(sought))
        return {n: (of_sides[0][n], of_sides[1][n]) for n in self.kept}

    @cached_property
    def words(self) -> list[tuple[str, ...]]:
        """The words of all listed terms, one length after another."""
        listed = (spelled(n, len(self.kept[n]), uses) for n, uses in self.uses.items())
        return [words for of_length in listed for words in of_length]

    @cached_property
    def columns(self) -> dict[str, NDArray[Any]]:
        """The columns of all listed terms, one length after another, without their text."""
        units = self.reference.units, self.candidate.units
        parts = [
            columns_of(n, terms, self._measures(n, terms.reference, terms.candidate), self.uses[n], units)
            for n, terms in self.kept.items()
        ]
        columns = {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
        columns["g2_p_corrected"] = self._corrected(lambda measures: measures.g2)
        columns["chi2_p_corrected"] = self._corrected(lambda measures: measures.chi2)
        if self.comparing.resampling.permutations:
            columns["permutation_p"] = self._exchanged()
        for name in {"range_p", "permutation_p"} & columns.keys():
            columns[f"{name}_corrected"] = benjamini_hochberg(columns[name], tests=self.tested)
        return columns

    def _corrected(self, statistic: Callable[[KeynessMeasures], Reals]) -> Reals:
        """Return the p-values of the listed terms, corrected for all terms that are tested."""

        def p_values(n: int, reference: Integers, candidate: Integers) -> Reals:
            return chi_squared_p(statistic(self._measures(n, reference, candidate)))

        return np.concatenate(
            corrected_p_values([(terms, partial(p_values, n)) for n, terms in self.kept.items()])
        )

    def _exchanged(self) -> Reals:
        """Return the p-values of exchanging texts."""
        comparing = self.comparing
        p_values = exchange_p_values(
            self.reference.texts(),
            self.candidate.texts(),
            comparing.terms,
            {n: TermKeys.of(terms.keys) for n, terms in self.kept.items()},
            comparing.resampling,
            comparing.config,
        )
        return np.concatenate(list(p_values.values()))

    @cached_property
    def order(self) -> Integers:
        """The places of the terms that pass the filters, in the order of the result."""
        settings, columns = self._settings, self.columns
        kept = columns["reference_range"] + columns["candidate_range"] >= settings.min_range
        if settings.stopwords:
            kept &= np.array([not settings.stopwords.issuperset(words) for words in self.words], np.bool_)
        sides = np.array([DIRECTIONS.index(side) for side in columns["more_in"].tolist()], np.int64)
        if settings.phrases:
            for direction, name in enumerate(DIRECTIONS[:2]):
                places = np.flatnonzero(sides == direction)
                words = [self.words[place] for place in places.tolist()]
                kept[places] &= maximal_phrases(words, columns[f"{name}_count"][places])
            kept &= sides < 2
        places = np.flatnonzero(kept)
        sizes = np.abs(phrase_ranks(columns) if settings.phrases else columns[SORT_COLUMNS[self._sort]])
        sizes = np.nan_to_num(sizes[places], nan=-1.0)
        names = alphabetical_ranks([" ".join(self.words[place]) for place in places.tolist()])
        return places[np.lexsort((names, -sizes, sides[places]))]

    def key_terms(self) -> KeyTerms:
        """Return the result."""
        terms = [" ".join(self.words[place]) for place in self.order.tolist()]
        known = [name for name in COLUMNS if name in self.columns]
        columns = {name: self.columns[name][self.order] for name in known}
        return KeyTerms(
            self.reference.name,
            self.candidate.name,
            {"term": np.array(terms, np.object_), **columns},
            SORT_COLUMNS[self._sort],
            self.tested,
            (self.reference.units, self.candidate.units),
            "groups" if self.candidate.grouped else "texts",
            self._signature(),
            dict(self._lines()),
        )

    def _shown(self) -> Iterator[tuple[TermSide, Integers]]:
        """Yield both sides, the candidate first, and the places of the first terms that each has more of."""
        directions = self.columns["more_in"][self.order]
        for direction, side in zip(DIRECTIONS, (self.candidate, self.reference)):
            yield side, self.order[directions == direction][: self._settings.shown]

    def _lines(self) -> Iterator[tuple[str, list[Quoted]]]:
        """Yield the first terms of each direction with lines of the side that has more of them."""
        if not self._settings.lines:
            return
        starts = np.cumsum([0, *map(len, self.kept.values())])
        for side, shown in self._shown():
            by_place: dict[int, list[Quoted]] = {}
            for (n, terms), start in zip(self.kept.items(), starts.tolist()):
                places = np.sort(shown[self.columns["n"][shown] == n])
                if len(places) and side.has_texts:
                    lines = side.lines(n, terms.keys[places - start], self._settings.lines)
                    by_place |= zip(places.tolist(), lines)
            for place in shown.tolist():
                yield " ".join(self.words[place]), by_place.get(place, [])

    def _signature(self) -> str:
        """Return what was compared, and how."""
        settings, terms, resampling = self._settings, self.comparing.terms, self.comparing.resampling
        kind, name, options = terms.view.describe(came_as_tokens=self.candidate.came_as_tokens)
        facts: dict[str, object] = {
            "n": "+".join(map(str, terms.sizes)),
            kind: ",".join([name, *(f"{key}:{value}" for key, value in options.items())]),
            "reference": self.reference.identity,
            "candidate": self.candidate.identity,
        }
        if self.candidate.grouped:  # ranges are numbers of groups
            facts["groups"] = f"{self.reference.units}+{self.candidate.units}"
        facts |= {
            "min_count": settings.min_count,
            "min_range": settings.min_range,
        }
        if settings.phrases:
            facts["phrases"] = "maximal"
        if settings.prior is not None:
            facts["prior"] = f"{settings.prior:g}"
        if resampling.permutations:
            facts |= {"permutations": resampling.permutations, "seed": resampling.seed}
        facts["v"] = __version__
        return "|".join(["keyness", *(f"{key}:{value}" for key, value in facts.items())])

    def notes(self) -> Iterator[Note]:
        """Yield what a reader should know about the terms."""
        listed = len(self.words)
        if listed < self.tested:
            yield Note(
                f"{listed:,} of {self.tested:,} terms are listed: of each direction and length, those with "
                f"the largest {SORT_COLUMNS[self._sort]}. P-values are corrected for all terms. For more of "
                "them, give --most (Python: most=).",
                scope="run",
            )
        few = sum(int(self.columns["few_texts"][shown].sum()) for _, shown in self._shown())
        if few:
            what = "groups" if self.candidate.grouped else "texts"
            yield Note(
                f"{few:,} of the terms shown are repeated in few {what} (°), which makes their G² too large. "
                f"Judge them by the number of {what} (--min-range, range_p), or exchange {what} "
                "(--permutations).",
                "warning",
                "run",
            )
        times = self.comparing.resampling.permutations or 0
        if times and self.columns["permutation_p_corrected"].min(initial=1.0) >= SIGNIFICANT:
            smallest = int((self.columns["permutation_p"] <= 1 / (times + 1)).sum())
            if smallest:
                corrected = min(self.tested / smallest / (times + 1), 1)
                yield Note(
                    f"{times:,} permutations are too few for {self.tested:,} terms: the p-value of "
                    f"{smallest:,} of them is the smallest that is possible, and {corrected:.2g} corrected. "
                    "Give more, or a larger --min-count.",
                    "warning",
                    "run",
                )
        if not all(side.has_texts for side in (self.reference, self.candidate)):
            yield Note(
                "The dispersion (DP) in a corpus that is a state is not known: it needs the texts.",
                scope="run",
            )
