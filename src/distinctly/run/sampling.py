"""Corpora that are larger than memory: whether texts fit, and samples of them for metrics that need rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from distinctly import hashing
from distinctly.batch import Batch
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.embedders.base import Positional
from distinctly.engine.local import ROWS_PER_BYTE
from distinctly.engine.protocol import engine_of
from distinctly.engine.states import underived
from distinctly.errors import ResourceError, SpecError
from distinctly.metrics import Metric
from distinctly.ragged import Integers, rows_of_each
from distinctly.run.corpora import NamedRows, Sampled
from distinctly.run.plan import Views, needs_rows
from distinctly.run.resampling import Resampling, hash_names
from distinctly.sources.held import HeldSource
from distinctly.spec import Request, sampled_spec
from distinctly.statistics.base import AnyStatistic, Mergeable, TwoPass
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.pool import Summaries
from distinctly.statistics.sampling import Chosen, Sample, SampledKeys, SampledTexts
from distinctly.strings import Strings
from distinctly.views.rows import Rows
from distinctly.views.texts import TextView
from distinctly.views.tokens import TokenView

# The number of texts of a sample, if none is given: metrics that compare all pairs of texts take seconds.
DEFAULT_SAMPLE = 20_000
# A named set measures what embeds, compresses or compares texts on no more texts and bytes than this.
SET_TEXTS, SET_BYTES = 5_000, 2_000_000
# The memory that a text takes with its tokens and hashes, beside that for its bytes, and with a vector.
# Measured: 19 to 29 bytes per byte of sentences, and 1,400 bytes per text with vectors of 256 dimensions.
PER_TEXT, PER_VECTOR = 100, 1500
# The share of the memory that a sample may take.
SHARE = 0.25


@dataclass(frozen=True)
class Fitted:
    """Corpora, and whether all their texts fit in memory.

    Attributes
    ----------
    corpora
        The corpora; those that can be read only once are in memory if they fit.
    fits
        Whether the texts of all of them fit.
    """

    corpora: Sequence[Corpus]
    fits: bool


def fitted(corpora: Sequence[Corpus], views: Views, config: RunConfig) -> Fitted:
    """Return whether the texts of corpora fit in memory, from their sizes or else by reading them.

    What is read for that, and fits, is held in memory. If they do not fit, nothing is lost of a source that
    can be read only once.
    """
    room = room_for_texts(config)
    per_text = PER_TEXT + PER_VECTOR * (views.embedder is not None)
    sizes = [corpus.source.text_bytes for corpus in corpora]
    # Even if each text had one byte.
    if None not in sizes and sum(size or 0 for size in sizes) * (ROWS_PER_BYTE + per_text) <= room:
        return Fitted(corpora, fits=True)
    held: list[Corpus] = []
    needed = 0
    for corpus in corpora:
        unread, batches = corpus.batches(config.batch_size), []
        for batch in unread:
            batches.append(batch)
            needed += ROWS_PER_BYTE * batch.strings.size + per_text * len(batch)
            if needed > room:
                corpus.put_back(batches, unread)
                return Fitted([*held, *corpora[len(held) :]], fits=False)
        held.append(Corpus.of_source(HeldSource(corpus.source, batches), corpus.name))
    return Fitted(held, fits=True)


def room_for_texts(config: RunConfig) -> int:
    """Return the memory for texts with their tokens and vectors: the given memory, or half of the machine's.

    Without `memory`, counts take up to a quarter of the machine's memory.
    """
    return config.memory_limit if config.memory is not None else 2 * config.memory_limit


@dataclass(frozen=True)
class Sampling:
    """How texts are sampled.

    Attributes
    ----------
    size
        The number of texts.
    seed
        The seed.
    most_bytes
        The number of bytes that the texts may have; half as many are drawn if they have more.
    in_spec
        Whether the spec of a score says that it is of a sample.
    """

    size: int
    seed: int
    most_bytes: float = math.inf
    in_spec: bool = False

    @classmethod
    def of(cls, resampling: Resampling, config: RunConfig) -> Sampling:
        """Return the requested sample, whatever its size; by default one that fits in memory."""
        if resampling.sample is not None:
            return cls(resampling.sample, resampling.seed)
        return cls(DEFAULT_SAMPLE, resampling.seed, SHARE * room_for_texts(config) / ROWS_PER_BYTE)

    @classmethod
    def of_request(cls, request: Request, resampling: Resampling, views: Views) -> Sampling | None:
        """Return the sample that a metric is measured on if there are more texts; None for all texts.

        It is that of the spec, of the run, or of a named set of metrics. Vectors from a file belong to texts
        by position, so that a set measures them all.
        """
        metric = request.metric
        if request.sampled is not None:
            return cls(request.sampled, resampling.seed, in_spec=True)
        if resampling.sample is not None and needs_rows(metric):
            return cls(resampling.sample, resampling.seed)
        by_position = metric.sees == "vectors" and isinstance(views.embedder, Positional)
        if request.of_set and is_costly(metric) and not by_position:
            return cls(SET_TEXTS, resampling.seed, SET_BYTES, in_spec=True)
        return None

    def named(self, request: Request, drawn: Sequence[NamedRows]) -> Request:
        """Return a request with the size of the sample in its spec, if a named set drew one."""
        sizes = [corpus.sampled.size for corpus in drawn if corpus.sampled is not None]
        if not self.in_spec or request.sampled is not None or not sizes:
            return request
        return replace(request, spec=sampled_spec(request.spec, sizes[0]), sampled=sizes[0])

    @property
    def keys(self) -> SampledKeys:
        """The statistic of the first reading."""
        return SampledKeys(self.size, self.seed)

    def draw(
        self, corpora: Sequence[Corpus], wholes: Sequence[Summaries], tokens: TokenView, config: RunConfig
    ) -> list[NamedRows]:
        """Read the chosen texts of each corpus, the same number of each if it has that number.

        A corpus that has no more texts is read as a whole, in its order.
        """
        samples = []
        for corpus, whole in zip(corpora, wholes):
            chosen: Chosen = whole[self.keys]
            texts = SampledTexts(chosen, self.size, self.most_bytes)
            samples.append(engine_of(corpus, config).summarize(corpus, [texts], config)[texts])
        size = min(sample.size for sample in samples)
        return [
            self._named(corpus, whole, sample, size, tokens, config)
            for corpus, whole, sample in zip(corpora, wholes, samples)
        ]

    def _named(
        self,
        corpus: Corpus,
        whole: Summaries,
        sample: Sample,
        size: int,
        tokens: TokenView,
        config: RunConfig,
    ) -> NamedRows:
        content: Content = whole[Contents(view=tokens)]
        if content.texts <= size:
            rows = engine_of(corpus, config).read(corpus, [tokens], config)
            return NamedRows(corpus.name, rows)
        drawn = Rows(sample.of_size(size).in_order(), config)
        sampled = Sampled(size, content.texts, self.seed, whole, in_spec=self.in_spec)
        return NamedRows(corpus.name, drawn, sampled=sampled)

    def of_rows(self, corpora: Sequence[NamedRows]) -> list[NamedRows]:
        """Return a sample of each corpus in memory, of the same size; the corpora if no one is too large.

        It has the texts that `draw` reads. Of texts with groups, whole groups are drawn: as many as have the
        number of texts on average, and the same ones of all corpora.
        """
        if not any(self._is_exceeded_by(corpus.rows) for corpus in corpora):
            return list(corpora)
        drawn = [_drawn_from(corpus.rows, self) for corpus in corpora]
        size = min(each.size for each in drawn)
        return [
            corpus if len(corpus.rows) <= size else self._of_part(corpus, each, size)
            for corpus, each in zip(corpora, drawn)
        ]

    def _is_exceeded_by(self, rows: Rows) -> bool:
        return len(rows) > self.size or rows.batch.strings.size > self.most_bytes

    def _of_part(self, corpus: NamedRows, drawn: Sample | _SampledGroups, size: int) -> NamedRows:
        batch, whole = corpus.rows.batch, corpus.summaries
        groups = 0 if batch.groups is None else len(set(batch.groups.tolist()))
        sampled = Sampled(size, len(batch), self.seed, whole, groups, self.in_spec)
        rows = Rows(drawn.of_size(size).in_order(), corpus.rows.config)
        return NamedRows(corpus.name, rows, sampled=sampled)


@dataclass(frozen=True)
class _SampledGroups:
    """Whole groups of texts, in the order of the hashes of their names and a seed.

    Attributes
    ----------
    batch
        All texts.
    rows
        The rows of each group, in that order.
    size
        The number of texts of the sample, if all groups had the same number.
    """

    batch: Batch
    rows: Sequence[Integers]
    size: int

    @classmethod
    def of(cls, batch: Batch, names: Strings, sampling: Sampling) -> _SampledGroups:
        """Return groups of at most the size of a sample, or a half, a quarter … if its bytes are too many."""
        by_name = rows_of_each(names)
        keys = hash_names(sorted(by_name))
        seeded = hashing.mix(keys + hashing.mix(np.array([2 * sampling.seed + 1], np.uint64)))
        ordered = np.array(sorted(by_name), object)[np.argsort(seeded, kind="stable")]
        drawn = cls(batch, [by_name[name] for name in ordered], sampling.size)
        while drawn.size > 1 and drawn.in_order().strings.size > sampling.most_bytes:
            drawn = drawn.of_size(drawn.size // 2)
        return drawn

    def of_size(self, size: int) -> _SampledGroups:
        """Return fewer groups."""
        return replace(self, size=min(self.size, size))

    def in_order(self) -> Batch:
        """Return the texts of the groups, in the order of the corpus."""
        count = max(round(self.size * len(self.rows) / max(len(self.batch), 1)), 1)
        return self.batch.select(np.sort(np.concatenate(self.rows[:count])))


def _drawn_from(rows: Rows, sampling: Sampling) -> Sample | _SampledGroups:
    """Return the sample of texts in memory."""
    batch = rows.batch
    if batch.groups is not None:
        return _SampledGroups.of(batch, batch.groups, sampling)
    texts = rows[TextView()]
    keys = sampling.keys
    statistic = SampledTexts(keys.summarize(keys.collect(texts)), sampling.size, sampling.most_bytes)
    return statistic.summarize(statistic.collect(texts))


def is_costly(metric: Metric) -> bool:
    """Return whether a metric embeds texts, holds all of them, or reads them twice."""
    needed = underived(metric.needed)
    one_pass = all(isinstance(statistic, Mergeable) for statistic in needed)
    return metric.sees == "vectors" or not one_pass


def without_rows(statistics: Iterable[AnyStatistic]) -> list[AnyStatistic]:
    """Return the statistics that need not hold all texts in memory."""
    return [
        statistic
        for statistic in statistics
        if all(isinstance(part, (Mergeable, TwoPass)) for part in underived([statistic]))
    ]


def refuse_sample(
    corpora: Sequence[Corpus], resampling: Resampling, views: Views, config: RunConfig, whole: str = ""
) -> None:
    """Raise if no sample can be drawn: of texts that can be read only once, or that are needed together.

    Parameters
    ----------
    corpora, resampling, views, config
        The corpora that do not fit in memory, or of which a sample is requested; and the settings.
    whole
        An option that needs all texts in memory; empty if none is given.
    """
    memory = f"{room_for_texts(config) / 1e6:,.0f} MB of memory"
    for corpus in corpora:
        if not corpus.source.rereadable:
            raise ResourceError(
                f"{corpus.source.name}: the texts do not fit into {memory}, and can be read only once. Save "
                "them as a file, or give more --memory (Python: memory=)."
            )
    if isinstance(views.embedder, Positional):
        reason = "Vectors from a file belong to the texts by position"
    elif whole:
        reason = f"`{whole}` needs all texts"
    elif any(corpus.has_groups(config.batch_size) for corpus in corpora):
        reason = "Texts with groups are measured together with all texts of their groups"
    else:
        return
    if resampling.sample is not None:
        raise SpecError(f"{reason}, so no sample can be drawn. Remove --sample (Python: sample=).")
    raise ResourceError(f"{reason}, and they do not fit into {memory}. Give more --memory (Python: memory=).")


def split_requests(requests: Sequence[Request]) -> tuple[list[Request], list[Request]]:
    """Return the metrics that are computed without holding the texts, and those that need them."""
    exact = [request for request in requests if not needs_rows(request.metric)]
    return exact, [request for request in requests if needs_rows(request.metric)]
