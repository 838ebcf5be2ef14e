"""`Metric`: a frozen dataclass whose fields are its options, and one formula."""

from __future__ import annotations

import copy
import importlib
import re
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Column
from distinctly.embedders.base import Embedder
from distinctly.errors import SpecError
from distinctly.loading import is_elsewhere, names_function
from distinctly.options import (
    Value,
    check_options,
    hidden,
    option,
    options_of,
    settle_options,
    view_option,
    written,
)
from distinctly.ragged import Integers
from distinctly.score import Kind, Note, Score, Scores, spec_of
from distinctly.statistics.base import AnyStatistic
from distinctly.statistics.pool import Lookup, Pool, Selection
from distinctly.strings import Letters, Script
from distinctly.views.base import View, ViewKind
from distinctly.views.parsing import TAGS
from distinctly.views.sentences import SentenceView
from distinctly.views.texts import TextView
from distinctly.views.tokens import WORDS, TokenView
from distinctly.views.vectors import VectorView

Reals = NDArray[np.float64]
# What "A larger value is …" ends with.
Direction = Literal["more diverse", "less diverse", "neither more nor less diverse", "farther", "nearer"]
NEITHER: Direction = "neither more nor less diverse"
Sized = Literal["no", "ngrams", "texts"]
# The named sets that metrics can belong to; empty for none.
Family = Literal["", "lexical", "content", "repetition", "richness"]
M = TypeVar("M", bound="Metric")
S = TypeVar("S", bound="Sizable")
_TEXTS = re.compile(r"[1-9]\d*texts")
# Notes on a script need at least this share of letters.
MOSTLY = 0.5
CHARACTERS = Note(
    "Most tokens are Chinese or Japanese characters: each character is one token, so n-grams and lengths are "
    "of characters, not of words. For words, use --tokenizer jieba (Chinese) or ja-mecab (Japanese).",
    scope="corpus",
)
# With less than one space per this number of letters, words of a script without spaces are not cut.
LETTERS_PER_SPACE = 10
UNCUT = Note(
    "Most letters are of a script without spaces between words, but the tokenizer cuts texts at spaces: many "
    "tokens are whole phrases or texts. Use --tokenizer char, jieba (Chinese), ja-mecab (Japanese) or "
    "hf:NAME.",
    "warning",
    scope="corpus",
)


@dataclass(frozen=True)
class Context:
    """What a metric may need in addition to the summaries of the corpus.

    Attributes
    ----------
    view
        The view of the texts that the metric reads.
    reference
        The summaries of the reference corpus; None without a reference.
    """

    view: View[Any]
    reference: Lookup | None = None


@dataclass(frozen=True)
class Given:
    """What a run has beside the texts, which decides what a named set of metrics measures.

    Attributes
    ----------
    columns
        The columns: some of ``groups``, ``tags``, ``prompts``, ``quality`` and ``partition``.
    embedder
        The embedder; None if vectors are given in its place.
    texts
        Whether there are texts, not only their vectors.
    vectors
        Whether texts have vectors, which token ids do not have.
    """

    columns: frozenset[str] = frozenset()
    embedder: Embedder | None = None
    texts: bool = True
    vectors: bool = True


@dataclass(frozen=True, kw_only=True)
class Metric(ABC):
    """Base class of all metrics.

    Class attributes describe the metric, whatever its options.

    Attributes
    ----------
    name
        The name of a plug-in; a metric of the package is named after its file.
    kind
        What is measured: the diversity of one corpus, or the distance between two corpora.
    aliases
        Alternative names for specs; scores and signatures show `name`.
    more_is
        What a larger value means.
    bounds
        The smallest and the largest possible value.
    presets
        Named sets of options, for variants of the metric in the literature.
    expands
        Options that a spec may omit, and the values that the spec then expands to.
    elsewhere
        Options of other metrics, and the metric that a spec with such an option names.
    least_texts
        The smallest number of texts with a value.
    compares_texts
        Whether texts are compared with each other, so that the value of one text says nothing.
    depends_on_length
        Whether texts of another length have another value, whoever wrote them.
    needs_choice
        Whether some texts have a value only with a column or an option that has no default; trials of all
        metrics leave it out.
    runs_in_threads
        Whether its work lets other threads of Python run, so that corpora are measured at the same time.
    of_answers
        Whether the value describes several texts of one group, such as the answers to a prompt: a named set
        measures it within groups only.
    family
        The named set that the metric belongs to, as in ``-m content``; empty for none but ``all``.
    references
        The papers that define the metric, each an entry in BibTeX.
    files
        Options whose value is the path of a file.
    function_options
        The options that name a function to import and call, or a file if they are in `files` too; strangers
        may not name functions.
    default_view
        The value of `of` where neither `of` nor a tokenizer is given; empty for words. Texts that came as
        token lists are then read as they are.
    of
        What the metric reads of texts: ``tags``, or a tokenizer such as ``char`` or ``words(lc=yes)``.
    """

    name: ClassVar[str] = ""
    kind: ClassVar[Kind] = "diversity"
    aliases: ClassVar[tuple[str, ...]] = ()
    more_is: ClassVar[Direction]
    bounds: ClassVar[tuple[float, float]]
    presets: ClassVar[Mapping[str, Mapping[str, Value]]] = {}
    expands: ClassVar[Mapping[str, tuple[Value, ...]]] = {}
    elsewhere: ClassVar[Mapping[str, str]] = {}
    least_texts: ClassVar[int] = 1
    compares_texts: ClassVar[bool] = False
    depends_on_length: ClassVar[bool] = True
    needs_choice: ClassVar[bool] = False
    runs_in_threads: ClassVar[bool] = False
    of_answers: ClassVar[bool] = False
    family: ClassVar[Family] = ""
    references: ClassVar[tuple[str, ...]] = ()
    files: ClassVar[tuple[str, ...]] = ()
    default_view: ClassVar[str] = ""
    function_options: ClassVar[tuple[str, ...]] = ()

    of: str = view_option()
    _view: View[Any] | None = hidden(None)

    def __post_init__(self) -> None:
        check_options(self, self.metric_name())
        settle_options(self)

    @classmethod
    def metric_name(cls) -> str:
        """Return `name` or, if it is empty, the name of the file."""
        return cls.name or cls.__module__.rpartition(".")[2]

    @classmethod
    def needs_trust(cls, options: Mapping[str, str]) -> str:
        """Return the function, or the file outside the working folder, that these options name.

        As part of a sentence; a stranger must not choose them. Empty if there is none.
        """
        named = [options[name] for name in cls.function_options if name in options]
        functions = [path for path in named if names_function(path)]
        if functions:
            return f"the function '{functions[0]}', which would run"
        paths = [options[name] for name in cls.files if is_elsewhere(options.get(name, ""))]
        return f"the file '{paths[0]}', outside the working folder" if paths else ""

    @cached_property
    def needed(self) -> tuple[AnyStatistic, ...]:
        """The result of `statistics`, computed once."""
        return self.statistics()

    @cached_property
    def shown_options(self) -> Mapping[str, Value]:
        """The options that can change the value, by name."""
        return options_of(self)

    @cached_property
    def signed_options(self) -> Mapping[str, str]:
        """The options that can change the value, as a signature writes them."""
        return {name: written(value) for name, value in self.shown_options.items()}

    @property
    def sees(self) -> ViewKind:
        """What the value depends on: the tokens of a text, the text itself, or its vector."""
        return "tokens"

    @property
    def view(self) -> View[Any]:
        """The view of the texts that the metric reads."""
        if self._view is not None:
            return self._view
        return TextView() if self.sees == "texts" else WORDS

    @property
    def reads_groups(self) -> bool:
        """Whether the value depends on how the texts are grouped."""
        return False

    @property
    def reads_columns(self) -> tuple[Column, ...]:
        """The columns beside the texts that the value depends on."""
        return ()

    @property
    def ngram_size(self) -> int | None:
        """Tokens per n-gram; None if the metric does not count n-grams."""
        return None

    @property
    def gives_several(self) -> bool:
        """Whether the parts are values in their own right, as for a function that returns several numbers."""
        return False

    @property
    def ordered(self) -> bool:
        """Whether the value depends on the order of the texts."""
        return False

    @property
    def sized(self) -> Sized:
        """The size that the value depends on, so that only corpora of equal size can be compared.

        ``ngrams``: the number of n-grams. ``texts``: the number of texts. ``no``: neither.
        """
        return "no"

    @property
    def of_one_text(self) -> bool:
        """Whether a single text has a value."""
        return self.least_texts == 1 and not self.compares_texts

    def in_set(self: M, given: Given) -> M | None:
        """Return the metric as a named set of metrics measures it; None if the texts do not allow it."""
        tagged = TAGS in (self.of, self.default_view)
        needed = {*self.reads_columns, *(["tags"] if tagged else [])}
        return self if given.texts and needed <= given.columns and not self.reads_reference else None

    def repeats_another(self, scores: Sequence[Score]) -> bool:
        """Return whether its scores say nothing that other metrics of the same named set do not say."""
        return False

    def without_blocks(self, texts: Selection, labels: NDArray[np.int64], blocks: int) -> Reals | None:
        """Return the value of the texts without each block of them, given the block of each text (from 0 on).

        By default None: the metric is measured again without each block. It is for metrics that can count
        once for all blocks.
        """
        return None

    def for_left_out(self: M) -> M:
        """Return a metric that is as sensitive to the texts as this one, but faster; by default itself.

        Its changes without a block of texts stand for those of this metric.
        """
        return self

    def drawing(self: M, unit: Literal["text", "group"]) -> M:
        """Return the metric with this unit to draw, if it draws units and has none."""
        return self

    def once(self: M) -> M:
        """Return the metric without averaging over its own draws, for trials, which repeat it anyway."""
        return self

    def approximated(self: M) -> M:
        """Return the metric computed from sketches in place of tables of counts; itself if it reads none."""
        return self

    @abstractmethod
    def statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of the corpus whose summaries `score` takes."""

    def reference_statistics(self) -> tuple[AnyStatistic, ...]:
        """Return the statistics of the reference corpus, if the options need one."""
        return ()

    @property
    def reads_reference(self) -> bool:
        """Whether the value depends on a reference corpus."""
        return bool(self.reference_statistics())

    def bind(self: M, context: Context) -> M:
        """Return the metric with the context filled in."""
        return self.reading(context.view)

    def reading(self: M, view: View[Any]) -> M:
        """Return the metric with this view of the texts."""
        self.signed_options  # noqa: B018 - computed once, for all copies
        copied = copy.copy(self)  # not `replace`: the options have been checked
        object.__setattr__(copied, "_view", view)
        for name in ("needed", "plain"):  # depend on the view
            copied.__dict__.pop(name, None)
        return copied

    def score_from(self, summaries: Lookup) -> Score:
        """Return the score of some texts."""
        return self.as_score(self.score(*(summaries[statistic] for statistic in self.needed)))

    def each(self, pool: Pool, labels: Integers, selections: int) -> Reals:
        """Return one value per selection; label i is the selection of text i."""
        values = np.full(selections, np.nan)
        order = np.argsort(labels, kind="stable")
        bounds = np.searchsorted(labels[order], np.arange(selections + 1))
        for selection in range(selections):
            summaries = pool.select(order[bounds[selection] : bounds[selection + 1]])
            values[selection] = self.score_from(summaries).value
        return values

    def values_of_texts(self, pool: Pool) -> Reals:
        """Return the value of each text as if it were the whole corpus; NaN where it is undefined."""
        return self.each(pool, np.arange(len(pool)), len(pool))

    def why_texts_lack(self, pool: Pool, rows: Integers) -> Mapping[str, int]:
        """Return why the texts in these rows have no value, to follow "Undefined:", and for how many."""
        scores = [self.score_from(pool.select(rows[place : place + 1])) for place in range(len(rows))]
        reasons = [str(score.undefined).rstrip(".") for score in scores]
        return Counter(reasons)

    @abstractmethod
    def score(self, *summaries: Any) -> Score:
        """Return the score that the summaries give."""

    def remarks_on_script(self, letters: Letters, *, came_as_tokens: bool) -> tuple[Note, ...]:
        """Return notes on what the script of the texts means for the value."""
        return remarks_on_characters(self.view, letters, came_as_tokens=came_as_tokens)

    def as_score(self, result: Any) -> Score:
        """Return the result of `score`, also if a plug-in returns a number or something else instead."""
        return result if isinstance(result, Score) else self.scored(result, {})

    def scored(
        self,
        value: float,
        parts: Mapping[str, int | float],
        notes: Sequence[str] = (),
        *,
        undefined: str | None = None,
    ) -> Score:
        """Return a score of this metric.

        Parameters
        ----------
        value, parts
            The value, and the numbers that it was computed from.
        notes
            What a reader should know; a `Note` unless it is plain information about the metric.
        undefined
            Why there is no value if `value` is NaN, such as "there are no texts."
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
        """Return the score of a corpus, as `measure` with this metric does.

        Parameters
        ----------
        texts
            Any corpus that `measure` takes.
        **options
            Named parameters of `measure`, such as `tokenizer`, `embedder` or `reference`.

        Raises
        ------
        SpecError
            If the call has several scores, as with `groups` or `by`: `measure` returns them all.

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


def remarks_on_characters(view: View[Any], letters: Letters, *, came_as_tokens: bool) -> tuple[Note, ...]:
    """Return a note if most tokens of a view are not words, because of the script.

    They are single characters of Chinese or Japanese, or phrases of a script without spaces between words.
    """
    words = view.words if isinstance(view, SentenceView) else view
    tokenizer = words.tokenizer if isinstance(words, TokenView) and not came_as_tokens else None
    if tokenizer is None:
        return ()
    if tokenizer.cuts_ideographs and letters.share("ideographs") >= MOSTLY:
        return (CHARACTERS,)
    scripts: tuple[Script, ...] = ("unspaced",) if tokenizer.cuts_ideographs else ("unspaced", "ideographs")
    unspaced = letters.share(*scripts) >= MOSTLY
    are_cut = letters.spaces * LETTERS_PER_SPACE >= letters.unspaced + letters.ideographs
    return (UNCUT,) if tokenizer.cuts_at_spaces and unspaced and not are_cut else ()


def single_score(function: Literal["measure", "compare"], *arguments: object, **options: Any) -> Score:
    """Call `distinctly.measure` or `distinctly.compare`; return the score, or raise if there are several."""
    # Both are in higher layers, which the package imports on first use.
    scores: Scores = getattr(importlib.import_module("distinctly"), function)(*arguments, **options)
    if len(scores) != 1:
        raise SpecError(
            f"Calling a metric returns one score, got {len(scores)} (one per scope or corpus): "
            f"use `distinctly.{function}`, which returns them all."
        )
    return scores[0]


def _is_approximate(metric: Approximable) -> bool:
    return metric.approximate


@dataclass(frozen=True, kw_only=True)
class Approximable(Metric):
    """A metric of a number of distinct items, which can be estimated in constant memory.

    Attributes
    ----------
    approximate
        Whether the number is estimated by a sketch, not counted.
    """

    approximate: bool = option(False, only=_is_approximate, last=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.approximate and (why := self.why_exact) is not None:
            options = {name: value for name, value in self.shown_options.items() if name != "approximate"}
            raise SpecError(
                f"'{spec_of(self.metric_name(), options)}' cannot be approximate: {why}. Leave out "
                "--approximate (Python: approximate=)."
            )

    @property
    @abstractmethod
    def why_exact(self) -> str | None:
        """Why the value cannot be computed from a number of distinct items, as a clause; None if it can."""


def _at_a_size(metric: Sizable) -> bool:
    return metric.at is not None


def _drawn(metric: Sizable) -> bool:
    return metric.drawn


@dataclass(frozen=True, kw_only=True)
class Sizable(Metric):
    """A metric whose value depends on the size of the corpus, and can be taken at any smaller size.

    Attributes
    ----------
    at
        The size: a number of n-grams, such as 20000, or of texts, such as ``400texts``. By default the value
        is that of all texts.
    unit
        What is drawn for a smaller size: each ``text``, or each ``group`` of texts as a whole. By default
        groups if there are some.
    draws, seed
        The number of random draws, and their seed, for metrics without an exact expectation.
    """

    at: int | str | None = option(None, at_least=1, last=True)
    unit: Literal["text", "group"] | None = option(None, only=_at_a_size, last=True)
    draws: int = option(20, only=_drawn, at_least=2, last=True)
    seed: int = option(0, only=_drawn, at_least=0, last=True)

    def __post_init__(self) -> None:
        super().__post_init__()
        if self.at is None:
            return
        name = self.metric_name()
        if self.sized == "no":
            raise SpecError(
                f"'{spec_of(name, self.plain.shown_options)}' does not depend on the size of the corpus, so "
                f"`at={self.at}` has no effect. Remove it."
            )
        if self.sized == "ngrams" and not isinstance(self.at, int):
            raise SpecError(
                f"Expected `at` of '{name}' to be a number of n-grams, as in at=20000, got {self.at!r}."
            )
        if self.sized == "texts" and not (isinstance(self.at, str) and _TEXTS.fullmatch(self.at)):
            raise SpecError(
                f"Expected `at` of '{name}' to be a number of texts, as in at=400texts, got {self.at!r}."
            )

    @property
    def of_one_text(self) -> bool:
        """Whether a single text has a value: at a size, texts are drawn."""
        return super().of_one_text and self.at is None

    @property
    def size(self) -> int:
        """The number of n-grams or of texts that `at` names; 0 without `at`."""
        return int(str(self.at or 0).removesuffix("texts"))

    @property
    def drawn(self) -> bool:
        """Whether the value at a size is the mean over random draws."""
        return self.at is not None

    @cached_property
    def plain(self: S) -> S:
        """The metric of all texts, without `at`."""
        return self if self.at is None else replace(self, at=None)

    def is_multiple_of(self, other: Metric) -> bool:
        """Return whether, at one size, the value is a constant multiple of that of another metric.

        It then orders corpora of that size as the other metric does, with the same p-values.
        """
        return False

    def sized_to(self: S, size: int, unit: Literal["text", "group"]) -> S:
        """Return the metric at a number of n-grams, or of texts if the value depends on that."""
        return replace(self, at=f"{size}texts" if self.sized == "texts" else size, unit=unit)

    def drawing(self: S, unit: Literal["text", "group"]) -> S:
        """Return the metric at a size with this unit, if it has none."""
        return self if self.at is None or self.unit is not None else replace(self, unit=unit)

    def score_from(self, summaries: Lookup) -> Score:
        """Return the score of some texts; raise if it is the mean over draws of them."""
        if self.drawn:
            raise SpecError(
                f"'{spec_of(self.metric_name(), self.shown_options)}' is a mean over random draws of texts, "
                "which needs all of them in memory. Use dy.measure."
            )
        return super().score_from(summaries)


@dataclass(frozen=True, kw_only=True)
class VectorMetric(Metric):
    """A metric on the vectors of texts."""

    @property
    def sees(self) -> ViewKind:
        """The vector of a text."""
        return "vectors"

    @property
    def view(self) -> VectorView:
        """The vectors of the texts."""
        if not isinstance(self._view, VectorView):
            raise SpecError(f"'{self.metric_name()}' needs an embedder: give --embedder (Python: embedder=).")
        return self._view
