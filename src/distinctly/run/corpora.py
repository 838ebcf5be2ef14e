"""Corpora in memory: read into pools, and split into subcorpora and units to draw."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from distinctly.batch import Batch, VectorHashes, are_vectors
from distinctly.config import RunConfig
from distinctly.corpus import Corpus, read_together
from distinctly.embedders import find_embedder
from distinctly.embedders.base import Vectors
from distinctly.embedders.given import GivenVectors, checked_tables
from distinctly.embedders.vectors import FileVectors
from distinctly.engine.protocol import engine_of
from distinctly.errors import InputError, SpecError
from distinctly.ragged import Integers, rows_of_each
from distinctly.run.resampling import SUBSAMPLE, Units
from distinctly.sources.held import HeldSource
from distinctly.sources.vectors import VectorSource
from distinctly.spec import Request
from distinctly.statistics.pool import Pool, Summaries
from distinctly.views.base import View
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView


@dataclass(frozen=True)
class Sampled:
    """A sample of the texts of a corpus.

    Attributes
    ----------
    size, texts
        The number of texts in the sample, and in the corpus.
    seed
        The seed of the sample.
    whole
        The summaries of all texts that do not need them in memory.
    groups
        The number of groups of the corpus; 0 without groups.
    in_spec
        Whether the spec of a score says that it is of a sample (`sampled=`).
    """

    size: int
    texts: int
    seed: int
    whole: Summaries
    groups: int = 0
    in_spec: bool = False

    @property
    def facts(self) -> dict[str, str]:
        """The facts of a signature that determine the sample."""
        return {"sample": str(self.size), "seed": str(self.seed)}

    def __str__(self) -> str:
        return f"{self.size:,} of {self.texts:,} texts"


@dataclass(frozen=True)
class Subcorpus:
    """Named texts of a pool.

    Attributes
    ----------
    name
        Name of the corpus, or of a part that a field splits it into.
    pool
        The pool of the texts.
    rows
        Its rows in the pool, in the order of reading.
    summaries
        The summaries of all its texts in the order of reading, for descriptions and signatures.
    sampled
        The sample of the corpus that the texts are; None if they are all texts. `summaries` are then those
        of the whole corpus.
    chosen
        The number of texts, the seed and the role (0 for the reference, 1 for a candidate) of a random
        subsample; None for all texts. Two roles draw different texts of the same corpus.
    first_row
        The row in the pool of the first text that was read with its texts; texts are numbered from it.
    """

    name: str
    pool: Pool
    rows: Integers
    summaries: Summaries
    chosen: tuple[int, int, int] | None = None
    sampled: Sampled | None = None
    first_row: int = 0
    _units: dict[View[Any], Units] = field(default_factory=dict, repr=False, compare=False)

    @property
    def grouped(self) -> bool:
        """Whether its texts have groups."""
        return self.pool.rows.batch.groups is not None

    @cached_property
    def group_count(self) -> int:
        """The number of groups, of the whole corpus if its texts are a sample; 0 without groups."""
        if self.sampled is not None:
            return self.sampled.groups
        groups = self.pool.rows.batch.groups
        return 0 if groups is None else len(set(groups.take(self.rows).tolist()))

    def units(self, view: View[Any]) -> Units:
        """Return its groups, or its texts if they have no groups, in an order by the contents of a view."""
        if view not in self._units:
            units = Units.of(self.pool, self.rows, view)
            if self.chosen is not None:
                size, seed, role = self.chosen
                units = units.subsample(size, seed, np.random.default_rng([seed, SUBSAMPLE, role]))
            self._units[view] = units
        return self._units[view]


@dataclass(frozen=True)
class NamedRows:
    """A corpus that was read.

    Attributes
    ----------
    name
        Its name.
    rows
        Its texts, or a sample of them.
    parts
        The rows of its parts; None if it is not split.
    sampled
        The sample that the texts are; None for all texts.
    whole
        The corpus that this is a part of: its rows that were skipped may have been of any part. None for all
        of a corpus.
    """

    name: str
    rows: Rows
    parts: Mapping[str, Integers] | None = None
    sampled: Sampled | None = None
    whole: Batch | None = None

    @property
    def summaries(self) -> Summaries:
        """The summaries of all texts of the corpus."""
        if self.sampled is not None:
            return self.sampled.whole
        origin = self.rows.batch.origin
        if self.whole is not None:
            origin = replace(origin, bad_rows=self.whole.bad_rows, remarks=self.whole.remarks)
        return Summaries(rows=[self.rows], origin=origin)

    def part(self, name: str, rows: Integers) -> NamedRows:
        """Return some of the texts."""
        return NamedRows(name, self.rows.select(rows), whole=self.rows.batch)


def read_corpus(corpus: Corpus, tokens: TokenView, config: RunConfig, *, split: bool) -> NamedRows:
    """Read and tokenize all texts of a corpus."""
    rows = engine_of(corpus, config).read(corpus, [tokens], config)
    return NamedRows(corpus.name, rows, parts_by_id(rows.batch, corpus.name) if split else None)


def parts_by_id(batch: Batch, source: str) -> dict[str, Integers]:
    """Return the rows of each part of a corpus that is split by the ids of its texts, in order."""
    if batch.ids is None:
        raise InputError("expected a field to split the texts by. Name it with --by.", source=source)
    return rows_of_each(batch.ids)


def split_parts(corpora: Sequence[NamedRows]) -> list[NamedRows]:
    """Return the parts of the corpora that are split, and the others as they are."""
    parts: list[NamedRows] = []
    for corpus in corpora:
        if corpus.parts is None:
            parts.append(corpus)
        else:
            parts += [corpus.part(name, rows) for name, rows in corpus.parts.items()]
    return parts


def separate_pools(parts: Sequence[NamedRows]) -> list[Subcorpus]:
    """Put each corpus into a separate pool."""
    return [
        Subcorpus(part.name, Pool(part.rows), np.arange(len(part.rows)), part.summaries, sampled=part.sampled)
        for part in parts
    ]


def one_pool(corpora: Sequence[NamedRows], tokens: TokenView) -> list[Subcorpus]:
    """Put the texts of several corpora into one pool, so that any two can be compared."""
    # Each corpus is tokenized before they are joined, so that it is done once; texts are hashed together.
    tokenized = [corpus.rows[tokens] for corpus in corpora]
    pool = Pool(Rows.join([corpus.rows for corpus in corpora]))
    pool.view(tokens).share_hashes(tokenized)
    subcorpora, start = [], 0
    for corpus in corpora:
        whole = {corpus.name: np.arange(len(corpus.rows))}
        for name, rows in (whole if corpus.parts is None else corpus.parts).items():
            part = corpus if corpus.parts is None else corpus.part(name, rows)
            subcorpora.append(
                Subcorpus(name, pool, start + rows, part.summaries, sampled=corpus.sampled, first_row=start)
            )
        start += len(corpus.rows)
    return subcorpora


def rereadable(corpora: Sequence[Corpus]) -> list[Corpus]:
    """Return corpora that can be read several times; those that can be read only once are held in memory."""
    return [
        corpus
        if corpus.source.rereadable
        else Corpus.of_source(HeldSource(corpus.source, list(corpus.batches())), corpus.name)
        for corpus in corpora
    ]


def joined(first: Subcorpus, second: Subcorpus, view: View[Any]) -> tuple[Pool, Units, Units]:
    """Put the texts of two subcorpora with separate pools into one pool."""
    pool = Pool(Rows.join([first.pool.rows, second.pool.rows]))
    rows = np.arange(len(pool))
    left, right = (Units.of(pool, part, view) for part in np.split(rows, [len(first.pool)]))
    return pool, left, right


def open_named(
    named: Sequence[tuple[str, object]], aligned: Aligned | None, reading: dict[str, Any]
) -> list[tuple[str, Corpus | None]]:
    """Open the corpora of a comparison under different names; those that are only vectors are None."""
    opened_corpora = [
        Corpus.wrap(texts, **({} if isinstance(texts, Corpus) else reading))
        if aligned is None or not are_vectors(texts)
        else None
        for _, texts in named
    ]
    read_together(corpus for corpus in opened_corpora if corpus is not None)
    names: list[str] = []
    for place, ((given_name, texts), corpus) in enumerate(zip(named, opened_corpora)):
        name = given_name or ("candidate" if place else "reference")
        if corpus is not None:
            name = given_name or (corpus.name if isinstance(texts, (Corpus, str, Path)) else name)
            corpus.name = name
        # Corpora of the same name are numbered.
        times = sum(other.partition(" (")[0] == name for other in names) + 1
        names.append(name if times == 1 else f"{name} ({times})")
    return list(zip(names, opened_corpora))


def read_named(
    opened: Sequence[tuple[str, Corpus | None]],
    aligned: Aligned | None,
    tokens: TokenView,
    config: RunConfig,
    *,
    split: bool,
) -> list[NamedRows]:
    """Read the corpora of a comparison, with the given vectors."""
    corpora: list[NamedRows] = []
    for place, (name, opened_corpus) in enumerate(opened):
        if opened_corpus is not None:
            corpus = replace(read_corpus(opened_corpus, tokens, config, split=False), name=name)
            if aligned is not None:
                corpus = replace(corpus, rows=_with_vectors(corpus, aligned, place))
        elif aligned is not None:
            batch = Batch.of_vectors(aligned.tables[place], hashes=aligned.hashes[place])
            corpus = NamedRows(name, Rows(batch, config))
        if split:
            parts = parts_by_id(corpus.rows.batch, corpus.name)
            if len(opened) > 1:
                parts = {f"{corpus.name}: {label}": rows for label, rows in parts.items()}
            corpus = replace(corpus, parts=parts)
        corpora.append(corpus)
    return corpora


def _with_vectors(corpus: NamedRows, aligned: Aligned, place: int) -> Rows:
    """Return the texts of a corpus with their vectors; only those that have one."""
    rows, vectors, places = corpus.rows, aligned.tables[place], aligned.places[place]
    if places is not None:
        if len(places) and (places.min() < 0 or places.max() >= len(rows)):
            raise InputError(
                f"expected vectors of texts 0 to {len(rows) - 1:,}, got one of text {places.max():,}.",
                source=corpus.name,
            )
        rows = rows.select(places)
    if len(vectors) != len(rows):
        raise InputError(
            f"expected one vector per text, got {len(vectors):,} for {len(rows):,} texts "
            "(a missing text that is skipped has none).",
            source=corpus.name,
        )
    batch = replace(rows.batch, vectors=vectors).with_vector_hashes(aligned.hashes[place])
    return Rows(batch, rows.config)


@dataclass(frozen=True)
class Aligned:
    """Given vectors, one table per corpus, and the places of their texts; None for all texts."""

    tables: Sequence[Vectors]
    places: Sequence[Integers | None]
    embedder: GivenVectors
    hashes: Sequence[VectorHashes]

    @classmethod
    def of(cls, vectors: Sequence[Any], corpora: int) -> Aligned:
        """Open one array or file per corpus."""
        if len(vectors) != corpora:
            raise SpecError(
                f"Expected `vectors` to have one array per corpus, the reference's first: {corpora}, "
                f"got {len(vectors)}."
            )
        opened = [_table(table) for table in vectors]
        tables = checked_tables([rows for rows, _ in opened])
        hashes = VectorHashes.of_each(tables)
        embedder = GivenVectors.of(tables, [of_table.of_rows for of_table in hashes])
        return cls(tables, [places for _, places in opened], embedder, hashes)


def given_vectors(
    named: Sequence[tuple[str, object]],
    vectors: Sequence[Any] | None,
    requests: Sequence[Request],
    embedder: object,
) -> Aligned | None:
    """Return the vectors given with texts or instead of texts; None if there are none."""
    if any(_are_ids(texts) for _, texts in named) and any(r.metric.sees == "vectors" for r in requests):
        raise InputError("the integers are token ids, which have no vectors. Give vectors as floats.")
    if any(are_vectors(texts) for _, texts in named):
        if vectors is not None or embedder is not None:
            raise SpecError(
                "Expected texts for `vectors` or `embedder`, got vectors. Give texts, or only the vectors."
            )
        if not all(are_vectors(texts) for _, texts in named):
            raise InputError("Expected all corpora as texts or all as vectors, got some of each.")
        for request in requests:
            if request.metric.sees != "vectors":
                raise SpecError(
                    f"'{request.spec}' needs texts, got vectors (2-D arrays of floats). Give the texts, and "
                    "the vectors as `vectors`; or choose metrics that need only vectors, such as vendi, "
                    "frechet or mauve."
                )
        return Aligned.of([texts for _, texts in named], len(named))
    if vectors is None:
        return None
    if embedder is not None:
        raise SpecError("Expected `vectors` or `embedder`, got both.")
    return Aligned.of(vectors, len(named))


def _are_ids(texts: object) -> bool:
    """Return whether an object is a 2-D array of integers."""
    return getattr(texts, "ndim", 0) == 2 and "int" in str(getattr(texts, "dtype", ""))


def vector_corpora(names: Sequence[str], aligned: Aligned, columns: Mapping[str, Any]) -> list[Corpus]:
    """Return vectors without texts as corpora, with the groups and ids of the vectors."""
    groups, ids = columns.get("groups"), columns.get("ids")
    sources = [VectorSource(*table, groups, ids) for table in zip(aligned.tables, aligned.hashes)]
    return [Corpus.of_source(source, name) for source, name in zip(sources, names)]


def _table(vectors: Any) -> tuple[Any, Integers | None]:
    """Return vectors, read from a file if a path is given, and the places of their texts; None for all."""
    if not isinstance(vectors, (str, Path)):
        return vectors, None
    file = find_embedder(f"vectors:{vectors}")
    if not isinstance(file, FileVectors):
        raise TypeError(f"'{vectors}' is not a file of vectors")
    return file.rows(), file.places()
