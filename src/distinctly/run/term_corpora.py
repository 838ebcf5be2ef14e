"""Corpora whose n-grams are counted once, and of which some terms are then looked up in the texts.

Counting gives tables of any size, which are compared key by key. What else is shown of a term (its text, the
number of texts that have it, lines) needs a second reading, in which only chosen terms are looked up. A state
has no texts: it has the text of all terms, and the number of texts with each, if it was saved for that.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from itertools import chain, zip_longest
from operator import add
from typing import Any

import numpy as np

from distinctly.batch import Batch
from distinctly.config import SMALLEST_MEMORY, RunConfig, cores
from distinctly.corpus import Corpus, is_state
from distinctly.engine.kept import KeptSource, keep
from distinctly.engine.local import COMPILED_FROM
from distinctly.engine.protocol import engine_of
from distinctly.engine.states import CollectedStates
from distinctly.engine.stored import open_state
from distinctly.engine.threads import Threads
from distinctly.errors import InputError
from distinctly.hashing import Hashes, hash_strings
from distinctly.ragged import Integers, bounds_of
from distinctly.run.corpora import parts_by_id
from distinctly.run.plan import Plan, Views
from distinctly.run.scoring import Scorer
from distinctly.run.term_views import Statistics, TermView
from distinctly.sources.base import Source
from distinctly.sources.held import HeldSource
from distinctly.statistics.concordance import Concordance, Line
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.pool import Summaries
from distinctly.statistics.recurrence import TextsPerKey
from distinctly.statistics.sought_terms import SoughtTerms, TermKeys, TermUses
from distinctly.statistics.spelled_terms import SpelledTerms
from distinctly.statistics.tables import BITS, PARTITIONS, MergedTable, Table, add_counts, joined
from distinctly.views.rows import Rows

# The memory that a byte of text takes with its tokens.
KEPT = 5


@dataclass(frozen=True)
class TermCorpus:
    """A corpus whose terms have been counted.

    Attributes
    ----------
    name
        Its name.
    corpus
        Its texts, or its state.
    terms
        What the terms are made of.
    config
        How to run.
    collected
        The tables of the first reading.
    summaries
        The summaries that describe it.
    """

    name: str
    corpus: Corpus
    terms: TermView
    config: RunConfig
    collected: CollectedStates
    summaries: Summaries

    @property
    def content(self) -> Content:
        """The number and the hash of the texts, as their terms see them."""
        content: Content = self.summaries[Contents(view=self.terms.view)]
        return content

    @cached_property
    def scorer(self) -> Scorer:
        """What describes the corpus, and knows the notes on it."""
        views = Views(None, None, described=self.terms.described)
        return Scorer(self.name, self.summaries, Plan((), views))

    def facts(self) -> dict[str, Any]:
        """Return the description of the corpus."""
        return {**self.scorer.facts(), **({"groups": self.groups} if self.groups else {})}

    def check(self, sizes: Sequence[int]) -> None:
        """Raise if there are no texts, or no terms of some length."""
        if not self.content.texts:
            raise InputError("there are no texts. Give a corpus with texts.", source=self.name)
        for n in sizes:
            if not self.table(n).totals.total:
                raise no_terms(self.name, n)

    def table(self, n: int) -> Table:
        """Return the counts of the terms of n tokens."""
        return self.collected.tables[self.terms.counts(n)]

    @property
    def _part(self) -> PartSource | None:
        """The texts in memory, if they are a part of a corpus or in groups."""
        source = self.corpus.source
        source = source.source if isinstance(source, KeptSource) else source
        return source if isinstance(source, PartSource) else None

    @cached_property
    def groups(self) -> int:
        """The number of groups of texts; 0 without groups."""
        return 0 if self._part is None else self._part.groups

    @property
    def units(self) -> int:
        """The number of units over which terms are spread: groups, or texts if there are no groups."""
        return self.groups or self.content.texts

    @property
    def has_texts(self) -> bool:
        """Whether terms can be looked up in texts."""
        return not is_state(self.corpus)

    def uses(self, sought: Mapping[int, TermKeys]) -> dict[int, TermUses]:
        """Return how some terms of each length are used."""
        if not self.has_texts:
            return {n: self._saved_uses(n, keys) for n, keys in sought.items()}
        view = self.terms.view
        statistics = {n: SoughtTerms(n, keys, self.groups > 0, view=view) for n, keys in sought.items()}
        summaries = self._summarized(list(statistics.values()))
        return {n: summaries[statistic] for n, statistic in statistics.items()}

    def _saved_uses(self, n: int, keys: TermKeys) -> TermUses:
        """Return the number of texts that have each term, and its text; its dispersion is not known."""
        view = self.terms.view
        statistics = TextsPerKey(n, again=False, view=view), SpelledTerms(n, view=view)
        file = open_state(self.corpus)
        with file.errors():
            collected = file.collected(statistics)
            units = counts_of(collected.tables[statistics[0]], keys.hashes)
            spelled = statistics[1].summarize(collected.folded.states[statistics[1]])
            places = np.flatnonzero(units)
            words = spelled.words_of(keys.hashes[places])
        return TermUses(units, np.full(len(units), -1), places, words)

    @property
    def texts(self) -> Batch:
        """The texts, which are in memory as a part of a corpus."""
        if self._part is None:
            raise TypeError("expected a corpus in memory")
        return self._part.batch

    def lines(self, n: int, keys: Hashes, lines: int) -> list[list[Line]]:
        """Return up to `lines` occurrences in context of each term, given in ascending order."""
        concordance = Concordance(n, TermKeys.of(keys), lines, view=self.terms.view)
        chosen: list[list[Line]] = self._summarized([concordance])[concordance]
        if self._part is not None:
            numbers = self._part.numbers.tolist()
            chosen = [[replace(line, text=numbers[line.text - 1]) for line in lines] for lines in chosen]
        return chosen

    def _summarized(self, statistics: Statistics) -> Summaries:
        return engine_of(self.corpus, self.config).summarize(self.corpus, statistics, self.config)


@dataclass(frozen=True)
class TermSide:
    """One side of a comparison: a corpus, or several together.

    Attributes
    ----------
    name
        What it is called.
    members
        Its corpora.
    """

    name: str
    members: Sequence[TermCorpus]

    @cached_property
    def units(self) -> int:
        """The number of texts or groups; a group that several corpora have is one."""
        if not self._shares_groups:
            return sum(member.units for member in self.members)
        return len({group for member in self.members for group in groups_of(member.texts).tolist()})

    @property
    def grouped(self) -> bool:
        """Whether the units are groups."""
        return all(member.groups for member in self.members)

    @property
    def _shares_groups(self) -> bool:
        """Whether groups have to be brought together."""
        return self.grouped and len(self.members) > 1

    @property
    def came_as_tokens(self) -> bool:
        """Whether the texts came as lists of tokens."""
        return any(member.summaries.origin.as_tokens for member in self.members)

    @property
    def has_texts(self) -> bool:
        """Whether terms can be looked up in texts."""
        return all(member.has_texts for member in self.members)

    @property
    def identity(self) -> str:
        """The number and the hash of the texts."""
        content = reduce(add, [member.content for member in self.members])
        return f"{content.texts}#{content.hex}"

    def table(self, n: int) -> Table:
        """Return the counts of the terms of n tokens."""
        tables = [member.table(n) for member in self.members]
        return tables[0] if len(tables) == 1 else MergedTable(tables, add_counts)

    def total(self, n: int) -> int:
        """Return the number of all n-grams."""
        return self.table(n).totals.total

    def uses(self, sought: Mapping[int, TermKeys]) -> dict[int, TermUses]:
        """Return how some terms of each length are used."""
        members = [grouped_together(self.members)] if self._shares_groups else self.members
        of_members = [member.uses(sought) for member in members]
        return {n: reduce(add, [uses[n] for uses in of_members]) for n in sought}

    def lines(self, n: int, keys: Hashes, most: int) -> list[list[Quoted]]:
        """Return up to `most` occurrences in context of each term, given in ascending order.

        Of several corpora, each gives its first line before one of them gives a second one.
        """
        of_members = [
            [[Quoted(member.name, line) for line in lines] for lines in member.lines(n, keys, most)]
            for member in self.members
        ]
        in_turns = (chain.from_iterable(zip_longest(*of_term)) for of_term in zip(*of_members))
        return [[line for line in lines if line is not None][:most] for lines in in_turns]

    def texts(self) -> Batch:
        """Return the texts, which are in memory."""
        return Batch.join([member.texts for member in self.members])


@dataclass(frozen=True)
class Quoted:
    """A concordance line, and the corpus that it is from."""

    corpus: str
    line: Line

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON."""
        return {"corpus": self.corpus, **self.line.to_dict()}


def no_terms(name: str, n: int) -> InputError:
    """Return the error for a corpus without terms of n tokens."""
    if n == 1:
        return InputError("there are no tokens in the texts. Give a corpus with texts.", source=name)
    return InputError(
        f"no text has {n} tokens, so there are no {n}-grams. Choose a smaller --n (Python: n=).", source=name
    )


@contextmanager
def counted(
    corpora: Sequence[tuple[str, Corpus]], terms: TermView, config: RunConfig
) -> Iterator[list[TermCorpus]]:
    """Count the terms of corpora, which share the memory; large tables are on disk until the context ends."""
    memory = max(config.memory_limit // max(len(corpora), 1), SMALLEST_MEMORY)
    config = replace(config, memory=memory)
    with ExitStack() as stack:
        opened = []
        for name, corpus in corpora:
            engine = engine_of(corpus, config)
            collected = stack.enter_context(engine.collecting(corpus, terms.counted, config))
            summaries = collected.summaries_of(terms.describing)
            opened.append(TermCorpus(name, corpus, terms, config, collected, summaries))
        yield opened


class PartSource(HeldSource):
    """Some texts of another source in memory, in one batch; the texts of a group follow each other.

    Attributes
    ----------
    batch
        The texts.
    numbers
        The number of each text in the other source, from 1.
    """

    def __init__(self, source: Source, batch: Batch, numbers: Integers) -> None:
        super().__init__(source, [batch])
        self.batch, self.numbers = batch, numbers

    @property
    def groups(self) -> int:
        """The number of groups; 0 without groups."""
        return 0 if self.batch.groups is None else len(set(self.batch.groups.tolist()))


def groups_of(batch: Batch) -> Hashes:
    """Return the hash of the group of each text."""
    if batch.groups is None:
        raise TypeError("expected texts in groups")
    return hash_strings(batch.groups)


def grouped_together(members: Sequence[TermCorpus]) -> TermCorpus:
    """Return corpora in memory as one, in which the texts of a group of any of them follow each other."""
    sources = [member.corpus.source for member in members]
    pieces = [piece for source in sources if isinstance(source, KeptSource) for piece in source.pieces]
    batch = Batch.join([member.texts for member in members])
    order = np.argsort(groups_of(batch), kind="stable")
    together: Source = PartSource(sources[0], batch.select(order), order + 1)
    if all(isinstance(source, KeptSource) for source in sources):  # they have been tokenized
        together = KeptSource(together, [Rows.join(pieces).select(order)])
    return replace(members[0], corpus=Corpus.of_source(together, members[0].name))


def held_parts(
    corpora: Sequence[tuple[str, Corpus]], config: RunConfig, *, split: bool
) -> list[tuple[str, Corpus]]:
    """Return corpora in memory, split by the ids of their texts if `split`; with groups if all have some."""
    held = []
    wholes = [Batch.join(list(corpus.batches(config.batch_size))) for _, corpus in corpora]
    if any(whole.groups is None for whole in wholes):
        wholes = [replace(whole, groups=None) for whole in wholes]
    for (name, corpus), whole in zip(corpora, wholes):
        parts = parts_by_id(whole, name) if split else {name: np.arange(len(whole))}
        if split and len(corpora) > 1:
            parts = {f"{name}: {label}": rows for label, rows in parts.items()}
        for label, rows in parts.items():
            if whole.groups is not None:
                rows = rows[np.argsort(hash_strings(whole.groups.take(rows)), kind="stable")]  # noqa: PLW2901
            batch = replace(
                whole.select(rows),
                nulls_skipped=whole.nulls_skipped,
                nulls_emptied=whole.nulls_emptied,
                nested=whole.nested,
                bad_rows=whole.bad_rows,
                remarks=whole.remarks,
            )
            held.append((label, Corpus.of_source(PartSource(corpus.source, batch, rows + 1), label)))
    return held


def kept_in_memory(
    corpora: Sequence[tuple[str, Corpus]], terms: TermView, config: RunConfig
) -> list[tuple[str, Corpus]]:
    """Return corpora that are held with their tokens, if all of them fit and one machine reads them."""
    sizes = [corpus.source.text_bytes for _, corpus in corpora]
    elsewhere = config.engine != "local" or config.checkpoint is not None
    if elsewhere or None in sizes or KEPT * sum(map(int, filter(None, sizes))) > config.memory_limit:
        return list(corpora)
    return [(name, keep(corpus, terms.view, config)) for name, corpus in corpora]


def threads_for(collected: Sequence[CollectedStates], config: RunConfig) -> Threads:
    """Return the threads that read tables: one, if their partitions have to be read in order."""
    return Threads(1 if any(each.in_order for each in collected) else config.threads or cores())


def compiled_if_large(corpora: Sequence[tuple[str, Corpus]], config: RunConfig) -> RunConfig:
    """Return how to run: with compiled loops, if corpora are worth their start-up time together."""
    large = sum(corpus.source.size or 0 for _, corpus in corpora) >= COMPILED_FROM
    return replace(config, compiled=True) if large and config.compiled is None else config


def is_large(corpora: Sequence[Corpus], config: RunConfig) -> bool:
    """Return whether corpora are worth the start-up time of compiled loops."""
    if config.compiled is not None:
        return config.compiled
    return any(corpus.source.size is None or corpus.source.size >= COMPILED_FROM for corpus in corpora)


def counts_of(table: Table, keys: Hashes) -> Integers:
    """Return the count of each of some keys, which ascend, in a table; 0 if it does not have them.

    Examples
    --------
    >>> from distinctly.statistics.tables import PackedTable, Totals
    >>> table = PackedTable.of(np.array([7, 9], np.uint64), np.array([1, 2]), Totals(3))
    >>> counts_of(table, np.array([5, 9], np.uint64)).tolist()
    [0, 2]
    """
    counts = np.zeros(len(keys), np.int64)
    bounds = bounds_of(np.bincount((keys >> np.uint64(64 - BITS)).astype(np.int64), minlength=PARTITIONS))
    for p in np.flatnonzero(np.diff(bounds)).tolist():
        part = slice(bounds[p], bounds[p + 1])
        hashes, of_hashes = joined(list(table.entries(p)))
        if not len(hashes):
            continue
        order = np.argsort(hashes)
        places = np.minimum(np.searchsorted(hashes, keys[part], sorter=order), len(hashes) - 1)
        present = hashes[order[places]] == keys[part]
        counts[part] = np.where(present, of_hashes[order[places]].astype(np.int64), 0)
    return counts
