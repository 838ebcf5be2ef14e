"""Corpora that are larger than memory: whether texts fit, and samples of them for metrics that need rows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.embedders.base import Positional
from distinctly.engine.local import ROWS_PER_BYTE
from distinctly.engine.protocol import engine_of
from distinctly.engine.states import underived
from distinctly.errors import ResourceError, SpecError
from distinctly.run.corpora import NamedRows, Sampled
from distinctly.run.plan import Views, needs_rows
from distinctly.run.resampling import Resampling
from distinctly.sources.held import HeldSource
from distinctly.spec import Request
from distinctly.statistics.base import AnyStatistic, Mergeable, TwoPass
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.pool import Summaries
from distinctly.statistics.sampling import Chosen, Sample, SampledKeys, SampledTexts
from distinctly.views.rows import Rows
from distinctly.views.tokens import TokenView

# The number of texts of a sample, if none is given: metrics that compare all pairs of texts take seconds.
DEFAULT_SAMPLE = 20_000
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

    What is read for that, and fits, is held in memory.
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
        batches = []
        for batch in corpus.batches(config.batch_size):
            needed += ROWS_PER_BYTE * batch.strings.size + per_text * len(batch)
            if needed > room:
                return Fitted(corpora, fits=False)
            batches.append(batch)
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
    """

    size: int
    seed: int
    most_bytes: float

    @classmethod
    def of(cls, resampling: Resampling, config: RunConfig) -> Sampling:
        """Return the requested sample, whatever its size; by default one that fits in memory."""
        if resampling.sample is not None:
            return cls(resampling.sample, resampling.seed, math.inf)
        return cls(DEFAULT_SAMPLE, resampling.seed, SHARE * room_for_texts(config) / ROWS_PER_BYTE)

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
        return NamedRows(corpus.name, drawn, sampled=Sampled(size, content.texts, self.seed, whole))


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
