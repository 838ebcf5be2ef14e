"""`check_metric`: check that a metric has the properties that all metrics share."""

from __future__ import annotations

import itertools
import math
import pickle
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from distinctly.accumulator import Accumulator
from distinctly.api import compare, measure
from distinctly.batch import Batch, Column
from distinctly.config import RunConfig
from distinctly.corpus import Corpus
from distinctly.distance.base import Distance
from distinctly.diversity.base import CountDiversity
from distinctly.errors import DistinctlyError, reason
from distinctly.hashing import hash_strings
from distinctly.metrics import Context, Direction, Metric, Sizable
from distinctly.options import read_options, split_spec
from distinctly.registry import find_metric, is_metric_name
from distinctly.run.corpora import read_corpus
from distinctly.run.plan import Views
from distinctly.score import NO_REASON, Score, Signature
from distinctly.spec import AnyMetrics, Request, parse_metrics
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.pool import Pool, Summaries
from distinctly.statistics.unit_table import UnitTable
from distinctly.views.parsing import TAGS
from distinctly.views.rows import Rows

Texts = list[str]

TOLERANCE = 1e-9
_WORDS = [
    "amber",
    "brook",
    "cedar",
    "delta",
    "ember",
    "fjord",
    "grove",
    "heath",
    "inlet",
    "jetty",
    "knoll",
    "ledge",
]


def _make_texts(seed: int, number: int, tokens: int) -> Texts:
    """Return texts of random words, each with one unique word."""
    draws = np.random.default_rng(seed)
    return [" ".join([*draws.choice(_WORDS, tokens - 1), f"word{seed}x{row}"]) for row in range(number)]


IDENTICAL = ["the cat sat down here"] * 6
DIFFERENT = [" ".join(f"w{row}{place}" for place in range(6)) for row in range(6)]
MIXED = [*_make_texts(1, 8, 7), "amber", "amber brook amber", "", *IDENTICAL[:2]]
# Long enough for windows of 50 tokens.
LONG = _make_texts(2, 8, 70)
CORPORA: dict[str, Texts] = {
    "no texts": [],
    "one empty text": [""],
    "only empty texts": ["", "", ""],
    "one text": DIFFERENT[:1],
    "identical texts": IDENTICAL,
    "texts without a word in common": DIFFERENT,
    "short and empty texts": MIXED,
    "long texts": LONG,
}
PAIRS: dict[str, tuple[Texts, Texts]] = {
    "a reference without texts": ([], MIXED),
    "a candidate without texts": (MIXED, []),
    "two corpora without texts": ([], []),
    "an empty text against others": ([""], MIXED),
    "one text each": (DIFFERENT[:1], IDENTICAL[:1]),
    "identical texts on each side": (DIFFERENT[:1] * 8, IDENTICAL),
    "one corpus twice": (LONG, LONG),
    "corpora without a word in common": (DIFFERENT, IDENTICAL),
    "short and long texts": (MIXED, LONG),
    "two samples of one source": (_make_texts(3, 12, 9), _make_texts(4, 10, 9)),
}
REFERENCE = ["amber brook amber the", "the cat", "the cat brook"]
# Of a metric at a size: the texts to draw from, about half of which are drawn, and their groups.
TO_DRAW_FROM, GROUPS = 100, 40


def check_metric(metric: AnyMetrics, **options: Any) -> None:
    """Raise if a metric lacks a property that all metrics share; the message names the property.

    A metric

    - describes itself: it has a name, `more_is`, and ordered `bounds`;
    - is within its bounds on every corpus, or NaN with a reason (`undefined`); an infinite value also has
      a note; it never raises, and is NaN without texts or with fewer than `least_texts`;
    - does not depend on the order of the texts, unless `ordered` is true;
    - does not depend on batches, threads or merged accumulators;
    - has the same value for a corpus alone and for the same texts selected from a larger pool;
    - if it counts n-grams and declares what it `reads` of the counts, has the same value in closed form,
      without each of the texts, as the other texts have;
    - if it is a distance that is declared `symmetric`, is the same with the two corpora exchanged;
    - returns the same score and parts when called again, and can be pickled;
    - can be rebuilt from its signature.

    The checks call `measure` or `compare` on the small corpora of this module.

    Parameters
    ----------
    metric
        A metric, a spec, a function, or several of those; if a spec names several metrics, each is checked.
        Columns that it reads beside the texts (`reads_columns`) are made from the texts.
    **options
        Named parameters of `measure` or `compare` that the metric needs, such as `tokenizer`. The default
        embedder is `embed`, which needs no model; the default `reference` is a small corpus. A metric that
        reads tags by default has the tagger `tag`.

    Raises
    ------
    AssertionError
        With a sentence that names the missing property.

    Examples
    --------
    >>> from distinctly.testing import check_metric
    >>> check_metric("distinct:n=2")  # all checks pass
    """
    for request in parse_metrics(metric):
        checks = _DistanceChecks if isinstance(request.metric, Distance) else _DiversityChecks
        checks(request.spec, request.metric, options).run()


def embed(texts: Texts) -> NDArray[np.float32]:
    """Return a vector of six numbers per text, without a model: the sum of hashes of its words.

    Examples
    --------
    >>> embed(["", "a b"]).shape, embed(["a b"]).tolist() == embed(["b a"]).tolist()
    ((2, 6), True)
    """
    rows = np.zeros((len(texts), 6), np.float32)
    for row, text in zip(rows, texts):
        hashes = hash_strings(text.split()) if text.split() else np.zeros(0, np.uint64)
        for i in range(6):
            bytes_of_hashes = (hashes >> np.uint64(8 * i)) % np.uint64(256)
            row[i] = bytes_of_hashes.astype(np.float64).sum() - 100.0 * len(hashes)
    return rows


def tag(text: str | list[str]) -> list[str]:
    """Return a tag per word of a text, without a model: the word itself.

    Examples
    --------
    >>> tag("a cat"), tag(["a cat", "sat"])
    (['a', 'cat'], ['a cat', 'sat'])
    """
    return text.split() if isinstance(text, str) else text


def columns_of(metric: Metric, texts: Sequence[Any]) -> dict[str, list[Any]]:
    """Return the columns beside texts that a metric reads, each entry of which depends only on its text.

    Examples
    --------
    >>> from distinctly.spec import metric
    >>> columns_of(metric("answers:by=partition"), ["a b", "c", "a"])
    {'partition': ['class 0', 'class 1', 'class 1']}
    """
    made: dict[Column, Callable[[Any], Any]] = {
        "prompts": lambda text: f"prompt {len(text) % 2}",
        "quality": lambda text: 1 + len(text) % 3 / 4,
        "partition": lambda text: f"class {len(text) % 3}",
    }
    return {column: [made[column](text) for text in texts] for column in metric.reads_columns}


@dataclass(frozen=True)
class _Checks(ABC):
    """The checks of one metric."""

    spec: str
    metric: Metric
    options: Mapping[str, Any]

    directions: ClassVar[tuple[str, ...]]

    @property
    @abstractmethod
    def inputs(self) -> dict[str, tuple[Texts, ...]]:
        """The corpora to measure, by description."""

    @abstractmethod
    def call(self, corpora: tuple[Texts, ...], **options: Any) -> Score:
        """Return the score of one corpus, or of a reference and a candidate."""

    @abstractmethod
    def check_selections(self) -> None:
        """Check that texts selected from a pool have the same score as alone."""

    def run(self) -> None:
        """Run all checks."""
        self.check_description()
        self.check_pickling()
        scores = {name: self.score(name, corpora) for name, corpora in self.inputs.items()}
        for name, score in scores.items():
            self.check_answer(name, score)
        for name, score in scores.items():
            self.check_repetition(name, score)
            self.check_order(name, score)
            self.check_batches(name, score)
            self.check_signature(score)
        self.check_selections()

    @property
    def tagger(self) -> dict[str, Any]:
        """The default tagger, if the metric reads tags unless told otherwise."""
        return {"tagger": tag} if self.metric.default_view == TAGS and not self.metric.of else {}

    @property
    def by_group(self) -> bool:
        """Whether the texts need groups."""
        return self.metric.reads_groups or getattr(self.metric, "unit", None) == "group"

    def groups_of(self, texts: Texts) -> list[str] | None:
        """Return the groups of texts, if the metric needs them."""
        if not self.by_group:
            return None
        return _groups(texts) if self.metric.reads_groups else _many_groups(texts)

    def require(self, condition: bool, problem: str) -> None:
        """Raise with the problem unless the condition holds."""
        if not condition:
            raise AssertionError(f"{self.spec} {problem}")

    def score(self, name: str, corpora: tuple[Texts, ...], **options: Any) -> Score:
        """Return a score; any exception except a `DistinctlyError` is a failure of the metric."""
        try:
            return self.call(corpora, **options)
        except DistinctlyError:
            raise
        except Exception as error:
            raise AssertionError(
                f"{self.spec} raises {type(error).__name__} ({reason(error)}) for {name}: "
                "return NaN with a reason where there is no value."
            ) from error

    def require_equal(self, name: str, score: Score, expected: Score, problem: str) -> None:
        """Raise with the problem unless two values are equal up to rounding."""
        self.require(
            _is_close(score.value, expected.value),
            f"{problem} ({name}): expected {expected.value}, got {score.value}.",
        )

    def check_description(self) -> None:
        """Check the name, the direction and the bounds."""
        name, (low, high) = self.metric.metric_name(), self.metric.bounds
        self.require(bool(name), "has no name: give the class a `name`.")
        self.require(
            self.metric.more_is in self.directions,
            f"has `more_is` = {self.metric.more_is!r}: expected one of {', '.join(self.directions)}.",
        )
        self.require(low < high, f"has bounds out of order: {low} is not less than {high}.")
        self.require(
            not is_metric_name(name) or find_metric(name) is type(self.metric),
            f"has the name of another metric, '{name}': choose another name.",
        )

    def check_pickling(self) -> None:
        """Check that the metric survives pickling, as for another process."""
        try:
            copy = pickle.loads(pickle.dumps(self.metric))  # noqa: S301 - pickled here
        except Exception as error:
            raise AssertionError(f"{self.spec} cannot be pickled: {reason(error)}.") from error
        self.require(copy == self.metric, "is not equal to itself after pickling.")

    def check_answer(self, name: str, score: Score) -> None:
        """Check that the value is within the bounds, or NaN with a reason."""
        low, high = self.metric.bounds
        fewest = min(len(texts) for texts in self.inputs[name])
        if math.isnan(score.value):
            explained = score.undefined not in (None, NO_REASON)
            self.require(explained, f"is NaN for {name}, without a reason: pass `undefined` to `scored`.")
            return
        self.require(
            low <= score.value <= high,
            f"is outside its bounds for {name}: expected between {low} and {high}, got {score.value}.",
        )
        self.require(
            math.isfinite(score.value) or bool(score.notes), f"is {score.value} for {name}, without a note."
        )
        self.require(fewest > 0, f"has a value for {name}: expected NaN, got {score.value}.")
        self.require(
            fewest >= self.metric.least_texts,
            f"has a value for {name}, though `least_texts` is {self.metric.least_texts}.",
        )

    def check_repetition(self, name: str, score: Score) -> None:
        """Check that the same call gives the same score."""
        again = self.score(name, self.inputs[name])
        same_value = score.value == again.value or (math.isnan(score.value) and math.isnan(again.value))
        self.require(
            same_value and str(dict(score.parts)) == str(dict(again.parts)),
            f"returns another score when called again ({name}): first {score.value}, then {again.value}. "
            "Random draws must depend only on a `seed`.",
        )

    def check_order(self, name: str, score: Score) -> None:
        """Check that the order of the texts changes nothing."""
        if self.metric.ordered:
            return
        for seed in (0, 1):
            shuffled = tuple(_shuffle(texts, seed) for texts in self.inputs[name])
            self.require_equal(name, self.score(name, shuffled), score, "depends on the order of the texts")

    def check_batches(self, name: str, score: Score) -> None:
        """Check that batches and threads change nothing."""
        for batch_size, threads in ((1, 1), (2, 2), (100, 1)):
            batched = self.score(name, self.inputs[name], batch_size=batch_size, threads=threads)
            self.require_equal(name, batched, score, f"depends on the batches (batch_size={batch_size})")

    def check_signature(self, score: Score) -> None:
        """Check that the options of the signature rebuild the metric."""
        name, words = split_spec(Signature.parse(score.signature).spec)
        self.require(
            name == self.metric.metric_name(),
            f"signs its scores as '{name}': expected '{self.metric.metric_name()}'.",
        )
        kind = type(self.metric)
        # What the metric reads is signed as such, not as an option.
        options: dict[str, Any] = {"of": self.metric.of, **read_options(kind, name, words)}
        rebuilt = kind(**options)
        # A signature has the unit that is drawn, also where it was not given.
        expected = self.metric.drawing("group" if self.by_group else "text")
        self.require(
            rebuilt == expected, f"is not rebuilt by its signature: {score.signature} gives {rebuilt}."
        )


@dataclass(frozen=True)
class _DiversityChecks(_Checks):
    """The checks of a metric of one corpus."""

    directions: ClassVar[tuple[str, ...]] = get_args(Direction)

    @cached_property
    def inputs(self) -> dict[str, tuple[Texts, ...]]:
        """One corpus per case, and one that is larger than the size of the metric, if it has one."""
        corpora: dict[str, tuple[Texts, ...]] = {name: (texts,) for name, texts in CORPORA.items()}
        if isinstance(self.metric, Sizable) and self.metric.at is not None:
            corpora["texts to draw from"] = (_texts_to_draw_from(self.metric),)
        return corpora

    @property
    def needs(self) -> dict[str, Any]:
        """The default options of `measure`."""
        return {"embedder": embed, "reference": REFERENCE, **self.tagger, **self.options}

    def call(self, corpora: tuple[Texts, ...], **options: Any) -> Score:
        """Measure a corpus, with groups if the metric needs them."""
        (texts,) = corpora
        beside = {"groups": self.groups_of(texts), **columns_of(self.metric, texts)}
        given = {"cache": False, **beside, **self.needs, **options}
        return measure(texts, self.metric, **given)[-1]  # the last scope is `pooled`

    def check_batches(self, name: str, score: Score) -> None:
        """Check that batches, threads and merged accumulators change nothing."""
        super().check_batches(name, score)
        if isinstance(self.metric, Sizable) and self.metric.drawn:  # needs all texts in memory
            return
        (texts,) = self.inputs[name]
        accumulated = {key: value for key, value in self.needs.items() if key in _ACCUMULATED}
        parts: list[Accumulator] = []
        for part in (texts[: len(texts) // 3], texts[len(texts) // 3 :]):
            accumulator = Accumulator(self.metric, **accumulated)
            accumulator.update(part, groups=self.groups_of(part), **columns_of(self.metric, part))
            parts.append(accumulator)
        merged = parts[0].merge(parts[1]).compute()[0]
        self.require_equal(name, merged, score, "depends on how texts are accumulated and merged")

    def check_selections(self) -> None:
        """Check that groups selected from a pool have the same scores as alone."""
        if isinstance(self.metric, CountDiversity):
            self.check_closed_form(self.metric)
        if isinstance(self.metric, Sizable) and self.metric.at is not None:
            self.check_neighbours("texts to draw from", "long texts")
            return
        if self.metric.reads_groups:
            return
        for name in ("short and empty texts", "long texts"):
            (texts,) = self.inputs[name]
            groups = _groups(texts)
            beside = columns_of(self.metric, texts)
            options = {"cache": False, **beside, **self.needs, "groups": groups}
            scopes = {score.scope: score for score in measure(texts, self.metric, **options)}
            whole = self.score(name, (texts,))
            self.require_equal(name, scopes["pooled"], whole, "scores a pool of all texts differently")
            values = []
            for group in dict.fromkeys(groups):
                members = [text for text, label in zip(texts, groups) if label == group]
                value = self.score(name, (members,)).value
                values += [value] if math.isfinite(value) else []
            mean = math.fsum(values) / len(values) if values else math.nan
            self.require(
                _is_close(scopes["within"].value, mean),
                f"scores texts selected from a pool differently than alone ({name}): expected {mean} as "
                f"the mean over groups, got {scopes['within'].value}.",
            )

    def check_neighbours(self, name: str, other: str) -> None:
        """Check that a corpus has the same score beside another corpus as alone."""
        corpora = [
            Corpus(texts, groups=self.groups_of(texts), name=place, **columns_of(self.metric, texts))
            for place, (texts,) in self.inputs.items()
            if place in (name, other)
        ]
        scores = measure(corpora, self.metric, **{"cache": False, **self.needs}).select(corpus=name)
        alone = self.score(name, self.inputs[name])
        self.require_equal(name, scores[-1], alone, "scores a corpus differently beside another")

    def check_closed_form(self, metric: CountDiversity) -> None:
        """Check that the value without each text, and that at a size, follow from what the metric reads."""
        if metric.pool != "corpus" or metric.reads == "columns":
            return
        bound = self.bound(metric.plain if isinstance(metric, Sizable) else metric)
        for name in ("identical texts", "texts without a word in common", "short and empty texts"):
            pool = Pool(Rows(Batch.of(self.inputs[name][0])))
            index, rows = pool.index(bound.counted()), np.arange(len(pool))
            table = UnitTable.of(index, rows, rows, len(rows))
            others = [index.summarize(np.delete(rows, row)) for row in rows]
            self.require_formula(
                bound,
                table.left_out(),
                others,
                f"does not have the value of the other texts if a text is left out ({name})",
                'Declare reads="columns" (or nothing).',
            )
            if metric.reads == "sizes" and table.curve.total:
                self.require_formula(
                    bound,
                    table.curve.at(table.curve.total),
                    [index.summarize(rows)],
                    f"does not have the value of all texts at their own size ({name})",
                    'Declare reads="sums", or reads="columns" (or nothing) if it reads more than sums.',
                )

    def require_formula(
        self, metric: CountDiversity, grams: Grams, alone: Sequence[Grams], problem: str, remedy: str
    ) -> None:
        """Raise with the problem unless a formula gives the same on expected counts as on counts."""
        expected = np.array([metric.formula(each)[0] for each in alone])
        try:
            values = np.broadcast_to(metric.formula(grams), expected.shape)
            result = str(values)
        except Exception as error:
            values, result = np.zeros(0), f"{type(error).__name__} ({reason(error)})"
        same = len(values) == len(expected) and all(map(_is_close, values.tolist(), expected.tolist()))
        declared = f'declares reads="{metric.reads}" but {problem}'
        self.require(same, f"{declared}: expected {expected}, got {result}. {remedy}")

    def bound(self, metric: CountDiversity) -> CountDiversity:
        """Return a metric with its view and the summaries of the reference."""
        views = Views.of(
            [Request(self.spec, metric)],
            *(self.needs.get(name) for name in ("tokenizer", "embedder", "tagger")),
        )
        reference = read_corpus(Corpus.wrap(self.needs["reference"]), views.tokens, RunConfig(), split=False)
        return metric.bind(Context(views.view_of(metric), Summaries(rows=[reference.rows])))


@dataclass(frozen=True)
class _DistanceChecks(_Checks):
    """The checks of a distance."""

    directions: ClassVar[tuple[str, ...]] = ("farther",)

    @property
    def inputs(self) -> dict[str, tuple[Texts, ...]]:
        """A reference and a candidate per case."""
        return dict(PAIRS)

    def call(self, corpora: tuple[Texts, ...], **options: Any) -> Score:
        """Compare a candidate with a reference."""
        reference, candidate = map(self.grouped, corpora)
        return compare(reference, candidate, self.metric, **self.needs, **options)[0]

    def grouped(self, texts: Texts) -> Texts | Corpus:
        """Return texts with groups if the metric needs them."""
        return Corpus(texts, groups=self.groups_of(texts)) if self.by_group else texts

    @property
    def needs(self) -> dict[str, Any]:
        """The default options of `compare`."""
        return {"cache": False, "embedder": embed, **self.tagger, **self.options}

    def check_order(self, name: str, score: Score) -> None:
        """Check that the order of the texts and, if `symmetric`, that of the corpora do not matter."""
        super().check_order(name, score)
        if isinstance(self.metric, Distance) and self.metric.symmetric:
            reference, candidate = self.inputs[name]
            exchanged = self.score(name, (candidate, reference))
            self.require_equal(
                name, exchanged, score, "is declared `symmetric` but changes with the corpora exchanged"
            )

    def check_selections(self) -> None:
        """Check that a candidate has the same score beside another candidate as alone."""
        names = ["short and long texts", "two samples of one source"]
        for name, other in itertools.permutations(names):
            reference, candidate = self.inputs[name]
            others = {"candidate": candidate, "other": self.inputs[other][1]}
            candidates = {key: self.grouped(texts) for key, texts in others.items()}
            scores = compare(self.grouped(reference), candidates, self.metric, **self.needs)
            together = scores.select(corpus="candidate")[0]
            alone = self.score(name, (reference, candidate))
            self.require_equal(name, together, alone, "scores a candidate differently beside another")


_ACCUMULATED = ("tokenizer", "embedder", "tagger", "reference")


def _shuffle(texts: Texts, seed: int) -> Texts:
    return [texts[row] for row in np.random.default_rng(seed).permutation(len(texts))]


def _groups(texts: Texts) -> list[str]:
    """Return one group per text, which depends only on the text."""
    return [f"group {len(text) % 3}" for text in texts]


def _many_groups(texts: Texts) -> list[str]:
    """Return one group per text, of many groups; it depends only on the text."""
    return [f"group {number % GROUPS}" for number in hash_strings(texts).tolist()] if texts else []


def _texts_to_draw_from(metric: Sizable) -> Texts:
    """Return about twice as many texts, or n-grams, as the size of a metric."""
    if metric.sized == "texts":
        return _make_texts(5, max(2 * metric.size, TO_DRAW_FROM), 5)
    ngrams = 2 * metric.size // TO_DRAW_FROM + 1
    return _make_texts(5, TO_DRAW_FROM, ngrams + (metric.ngram_size or 1) - 1)


def _is_close(value: float, expected: float) -> bool:
    if math.isnan(value) or math.isnan(expected):
        return math.isnan(value) and math.isnan(expected)
    return math.isclose(value, expected, rel_tol=TOLERANCE, abs_tol=TOLERANCE)
