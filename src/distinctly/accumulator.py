"""`Accumulator`: scores of texts that come a batch at a time, as in a training loop."""

from __future__ import annotations

from typing import Any

from distinctly.api import DEFAULT_TOKENIZER, embedder_for
from distinctly.corpus import Corpus
from distinctly.embedders import AnyEmbedder
from distinctly.engine.states import Folded, fold
from distinctly.errors import InputError, SpecError
from distinctly.score import Scores
from distinctly.scoring import (
    Reference,
    Scorer,
    bind,
    needed,
    needed_of_reference,
    refuse_distances,
    score_all,
)
from distinctly.spec import AnyMetrics, parse_metrics
from distinctly.statistics.contents import Content, Contents
from distinctly.statistics.derived import Lookup
from distinctly.tokenizers import AnyTokenizer, find_tokenizer


class Accumulator:
    """Takes texts as they come; can be merged with others and read at any time.

    The scores are those of `measure` on all texts together, to the bit, whatever the batches,
    and the accumulators of several processes can be pickled and merged.

    Examples
    --------
    >>> state = Accumulator(["distinct:n=1"])
    >>> state.update(["the cat sat"])
    >>> other = Accumulator(["distinct:n=1"])
    >>> other.update(["the dog sat"])
    >>> state.merge(other).compute()["distinct:n=1"].value
    0.6666666666666666
    """

    def __init__(
        self,
        metrics: AnyMetrics,
        *,
        tokenizer: AnyTokenizer | None = None,
        embedder: AnyEmbedder | None = None,
        reference: object = None,
    ) -> None:
        requests = parse_metrics(metrics)
        refuse_distances(requests)
        self._tokenizer = find_tokenizer(DEFAULT_TOKENIZER if tokenizer is None else tokenizer)
        self._asked = tokenizer is not None
        self._reference: Reference | None = None
        wanted = needed_of_reference(requests)
        if wanted and reference is not None:
            other = Corpus.wrap(reference)
            self._reference = Reference.of(other.name, fold(other, wanted, self._tokenizer).summaries())
        self._embedder = embedder_for(requests, embedder)
        self._requests = bind(requests, self._tokenizer, self._reference, self._embedder)
        self._folded = Folded()

    def update(self, texts: object, *, groups: object = None, **reading: Any) -> None:
        """Add texts: anything that `measure` takes."""
        if groups is not None:
            reading["groups"] = groups
        self._folded += self._fold(texts, **reading)

    def merge(self, other: Accumulator) -> Accumulator:
        """Return an accumulator of the texts of both; neither is changed."""
        if not isinstance(other, Accumulator):
            raise SpecError(f"Expected an Accumulator to merge with, got {type(other).__name__}.")
        mine, theirs = ([(r.spec, r.metric) for r in one._requests] for one in (self, other))
        same_reference = _contents(self._reference) == _contents(other._reference)
        same_views = (self._tokenizer, self._embedder) == (other._tokenizer, other._embedder)
        if mine != theirs or not same_views or not same_reference:
            raise InputError(
                "cannot merge accumulators of different metrics, tokenizers, embedders or references."
            )
        total = Accumulator.__new__(Accumulator)
        total.__dict__.update(self.__dict__)
        total._folded = self._folded + other._folded
        return total

    def compute(self) -> Scores:
        """Return the scores of all texts so far."""
        folded = self._folded if self._folded.states else self._fold([])
        summaries = folded.summaries()
        scorer = Scorer(
            "texts",
            Lookup(summaries.by_statistic.__getitem__),
            summaries.tokenizer or self._tokenizer,
            self._tokenizer if self._asked else None,
            self._reference,
        )
        return score_all(self._requests, scorer)

    def reset(self) -> None:
        """Forget all texts."""
        self._folded = Folded()

    def _fold(self, texts: object, **reading: Any) -> Folded:
        return fold(Corpus.wrap(texts, **reading), needed(self._requests), self._tokenizer)


def _contents(reference: Reference | None) -> Content | None:
    return None if reference is None else reference.summaries[Contents()]
