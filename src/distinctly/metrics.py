"""`Metric`: a frozen dataclass whose fields are its options, and one formula."""

from __future__ import annotations

import copy
import importlib
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from distinctly.errors import SpecError
from distinctly.options import Value, check_options, hidden, options_of, settle_options, view_option, written
from distinctly.ragged import Integers
from distinctly.score import Kind, Note, Score, Scores
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.pool import Lookup, Pool
from distinctly.views.base import View, ViewKind
from distinctly.views.texts import TextView
from distinctly.views.vectors import VectorView
from distinctly.views.words import WORDS

Reals = NDArray[np.float64]
Direction = Literal["more diverse", "less diverse", "farther", "nearer"]
Sized = Literal["no", "ngrams", "texts"]
M = TypeVar("M", bound="Metric")


@dataclass(frozen=True)
class Context:
    """What a metric may need to know besides the summaries of the corpus itself.

    Attributes
    ----------
    view
        What it reads of the texts.
    reference
        The summaries of the reference corpus that the metric asked for; None without one.
    """

    view: View[Any]
    reference: Lookup | None = None


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """What all metrics share.

    Class attributes tell what is true of the metric whatever its options.

    Attributes
    ----------
    name
        Only for plug-ins: a metric of the package is called as its file is.
    kind
        What is measured: the diversity of one corpus, or the distance between two.
    aliases
        Longer names that a spec may use instead; scores and signatures show the name.
    more_is
        What a larger value means.
    bounds
        The smallest and the largest value that there can be.
    presets
        Names for readings of the metric in the literature, as options.
    expands
        Options that a spec may leave out, and the values that it then stands for.
    least_texts
        The number of texts that it takes for a value.
    default_view
        What it reads of texts where neither `of` nor a tokenizer is given, as `of` says it; empty for words.
    of
        What it reads of texts instead: ``tags``, or a tokenizer such as ``char`` or ``words(lc=yes)``.
    """

    name: ClassVar[str] = ""
    kind: ClassVar[Kind] = "diversity"
    aliases: ClassVar[tuple[str, ...]] = ()
    more_is: ClassVar[Direction]
    bounds: ClassVar[tuple[float, float]]
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {}
    least_texts: ClassVar[int] = 1
    default_view: ClassVar[str] = ""

    of: str = view_option()
    _view: View[Any] | None = hidden(None)

    def __post_init__(self) -> None:
        check_options(self, self.metric_name())
        settle_options(self)

    @classmethod
    def metric_name(cls) -> str:
        """Return the name: that of the file that the metric is written in, unless it has one."""
        return cls.name or cls.__module__.rpartition(".")[2]

    @cached_property
    def needed(self) -> tuple[AnyStatistic, ...]:
        """What `statistics` returns, made once."""
        return self.statistics()

    @cached_property
    def shown_options(self) -> Mapping[str, Value]:
        """The options that can change the number, by name."""
        return options_of(self)

    @cached_property
    def signed_options(self) -> Mapping[str, str]:
        """The same as a signature writes them."""
        return {name: written(value) for name, value in self.shown_options.items()}

    @property
    def sees(self) -> ViewKind:
        """What of a text the number depends on: its tokens, the text as it came, or its vector."""
        return "tokens"

    @property
    def view(self) -> View[Any]:
        """What it reads of the texts."""
        if self._view is not None:
            return self._view
        return TextView() if self.sees == "texts" else WORDS

    @property
    def reads_groups(self) -> bool:
        """Whether the number depends on how the texts are grouped."""
        return False

    @property
    def ngram_size(self) -> int | None:
        """Tokens per n-gram that it counts; None where it counts no n-grams."""
        return None

    @property
    def gives_several(self) -> bool:
        """Whether its parts are values of their own, as those of a function that returns several numbers."""
        return False

    @property
    def ordered(self) -> bool:
        """Whether the number depends on the order of the texts."""
        return False

    @property
    def sized(self) -> Sized:
        """What the number grows or falls with, so that only corpora of equal size can be compared.

        ``ngrams``: with how many there are; `score` then takes the counts at a smaller sample, too.
        ``texts``: with how many there are. ``no``: with neither.
        """
        return "no"

    def at(self: M, sample: int) -> M:
        """Return the metric as it is at a sample of so many n-grams."""
        return self

    def once(self: M) -> M:
        """Return the metric without means over draws of its own, for trials: these repeat it anyway."""
        return self

    @abstractmethod
    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of the corpus whose summaries `score` takes."""

    def reference_statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of the reference corpus, where the options need one."""
        return ()

    @property
    def reads_reference(self) -> bool:
        """Whether the number depends on a reference corpus."""
        return bool(self.reference_statistics())

    def bind(self: M, context: Context) -> M:
        """Return the metric with what it needs to know filled in."""
        return self.reading(context.view)

    def reading(self: M, view: View[Any]) -> M:
        """Return the metric with what it reads of the texts."""
        self.signed_options  # noqa: B018 - made once, for all copies
        copied = copy.copy(self)  # not `replace`: the options have been checked
        object.__setattr__(copied, "_view", view)
        copied.__dict__.pop("needed", None)
        return copied

    def score_from(self, summaries: Lookup, sample: int | None = None) -> Score:
        """Score some texts; with a sample, what is expected of that many of their n-grams."""
        statistics = self.needed
        if sample is None or self.sized != "ngrams":
            return self.score(*(summaries[statistic] for statistic in statistics))
        sampled = [summaries.at_sample(statistic, sample) for statistic in statistics]
        # Selections that have fewer n-grams than that are taken as they are.
        totals = [int(summary.total[0]) for summary in sampled if isinstance(summary, Grams)]
        return self.at(max(min(sample, *totals), 1)).score(*sampled)

    def each(self, pool: Pool, labels: Integers, selections: int) -> Reals:
        """Return the value of each of many selections at once: label i says to which one text i belongs."""
        found = np.full(selections, np.nan)
        order = np.argsort(labels, kind="stable")
        bounds = np.searchsorted(labels[order], np.arange(selections + 1))
        for place in range(selections):
            summaries = pool.select(order[bounds[place] : bounds[place + 1]])
            found[place] = self.score_from(summaries).value
        return found

    @abstractmethod
    def score(self, *summaries: Any) -> Score:
        """Turn the summaries into a score."""

    def scored(
        self,
        value: float,
        parts: Mapping[str, int | float],
        notes: Sequence[str] = (),
        *,
        undefined: str | None = None,
    ) -> Score:
        """Make the score of this metric.

        Parameters
        ----------
        value, parts
            The number, and the numbers that it was made of.
        notes
            What a reader should know; a `Note` where it is more than information on the metric.
        undefined
            Why there is no value, where `value` is NaN: "there are no texts."
        """
        return Score(
            value,
            metric=self.metric_name(),
            kind=self.kind,
            options=self.shown_options,
            parts=parts,
            notes=tuple(note if isinstance(note, Note) else Note(note) for note in notes),
            undefined=undefined,
        )

    def __call__(self, texts: object, **options: Any) -> Score:
        """Return the score of a corpus, by itself: `measure` with this metric alone.

        Parameters
        ----------
        texts
            Whatever `measure` takes.
        **options
            Named parameters of `measure`, such as `tokenizer`, `embedder` or `reference`.

        Raises
        ------
        SpecError
            Where the call has several scores: with `groups` or `by`, `measure` returns all of them.

        Examples
        --------
        >>> import distinctly as dy
        >>> distinct = dy.Distinct(n=1)
        >>> distinct(["the cat sat", "the dog sat"]).value
        0.6666666666666666
        >>> distinct(["a", "A"], tokenizer="words:lowercase=yes").value
        0.5
        """
        return single_score("measure", texts, self, **options)


def single_score(function: Literal["measure", "compare"], *arguments: object, **options: Any) -> Score:
    """Call `distinctly.measure` or `distinctly.compare`, and return the only score, or raise."""
    # Both lie in layers above: the package imports them when they are first used.
    scores: Scores = getattr(importlib.import_module("distinctly"), function)(*arguments, **options)
    if len(scores) != 1:
        raise SpecError(
            f"Calling a metric returns one score, got {len(scores)} (one per scope or corpus): "
            f"use `distinctly.{function}`, which returns them all."
        )
    return scores[0]


@dataclass(frozen=True, kw_only=True)
class VectorMetric(Metric):
    """A metric of the vectors of texts."""

    @property
    def sees(self) -> ViewKind:
        """What of a text it sees: its vector."""
        return "vectors"

    @property
    def view(self) -> VectorView:
        """The vectors of the texts."""
        if not isinstance(self._view, VectorView):
            raise SpecError(f"'{self.metric_name()}' has not been given an embedder.")
        return self._view
