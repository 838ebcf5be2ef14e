"""`check_metric`: each violated requirement is found and named."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
import pytest

import distinctly as dy
from distinctly.distance.dc import DensityCoverage
from distinctly.distance.jensen_shannon import JensenShannon
from distinctly.diversity.base import NgramDiversity, Reads, ratio
from distinctly.metrics import Direction, Reals
from distinctly.options import hidden, option
from distinctly.ragged import Integers, sums
from distinctly.score import Score
from distinctly.statistics.ngram_counts import Grams
from distinctly.statistics.pool import Pool
from distinctly.testing import check_metric


@dataclass(frozen=True, kw_only=True)
class Hapax(NgramDiversity):
    """The share of n-grams that occur once: a plug-in that meets all requirements."""

    name: ClassVar[str] = "my_hapax"
    more_is: ClassVar[Direction] = "more diverse"
    bounds: ClassVar[tuple[float, float]] = (0.0, 1.0)

    n: int = 1

    def formula(self, grams: Grams) -> Reals:
        return ratio(grams.seen(1), grams.total)


@dataclass(frozen=True, kw_only=True)
class OutOfBounds(Hapax):
    """Values outside its bounds."""

    bounds: ClassVar[tuple[float, float]] = (0.0, 0.5)


@dataclass(frozen=True, kw_only=True)
class Unexplained(Hapax):
    """NaN without a reason."""

    def score(self, *summaries: Any) -> Score:
        return replace(super().score(*summaries), undefined=None)


@dataclass(frozen=True, kw_only=True)
class Raising(Hapax):
    """Raises instead of dividing by 0."""

    def formula(self, grams: Grams) -> Reals:
        return np.array([int(once) / int(total) for once, total in zip(grams.seen(1), grams.total)])


@dataclass(frozen=True, kw_only=True)
class ZeroForNothing(Hapax):
    """Returns 0 if there are no texts."""

    def formula(self, grams: Grams) -> Reals:
        return np.nan_to_num(super().formula(grams))


@dataclass(frozen=True, kw_only=True)
class Unseeded(Hapax):
    """Draws without a seed."""

    def formula(self, grams: Grams) -> Reals:
        return super().formula(grams) * random.random()


@dataclass(frozen=True, kw_only=True)
class Unpicklable(Hapax):
    """Has an attribute that cannot be pickled."""

    _function: Callable[[float], float] = hidden(lambda value: value)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "_function", lambda value: value)


@dataclass(frozen=True, kw_only=True)
class Growing(Hapax):
    """Changes its option when it is created, so that a signature describes another metric."""

    size: int = option(1, at_least=1)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "size", self.size + 1)


@dataclass(frozen=True, kw_only=True)
class OtherSelections(Hapax):
    """Another formula for many selections at once."""

    def each(self, pool: Pool, labels: Integers, selections: int) -> Reals:
        return super().each(pool, labels, selections) / 2


@dataclass(frozen=True, kw_only=True)
class ReadsSums(Hapax):
    """Declares correctly that it reads sums over n-grams, so that no text has to be left out to know."""

    reads: ClassVar[Reads] = "sums"


@dataclass(frozen=True, kw_only=True)
class Misread(Hapax):
    """Reads the columns of counts, though it declares to read only sums over n-grams."""

    reads: ClassVar[Reads] = "sums"

    def formula(self, grams: Grams) -> Reals:
        once = sums(grams.types * (grams.counts == 1), grams.bounds)
        with np.errstate(invalid="ignore"):
            return np.asarray(once / grams.total, np.float64)


@dataclass(frozen=True, kw_only=True)
class MisreadShape(Misread):
    """The same, but the shapes of the columns do not fit."""

    def formula(self, grams: Grams) -> Reals:
        return ratio(sums(grams.types * (grams.counts == 1), grams.bounds), grams.total)


@dataclass(frozen=True, kw_only=True)
class ReadsMore(Hapax):
    """Reads sums over n-grams, though it declares to read only the sizes."""

    reads: ClassVar[Reads] = "sizes"


@dataclass(frozen=True, kw_only=True)
class Namesake(Hapax):
    """Has the name of another metric."""

    name: ClassVar[str] = "distinct"


@dataclass(frozen=True, kw_only=True)
class Directionless(Hapax):
    """Does not declare the meaning of a larger value."""

    more_is: ClassVar[Direction] = "better"  # type: ignore[assignment]


@dataclass(frozen=True, kw_only=True)
class Lopsided(DensityCoverage):
    """Declares to be symmetric, but is not."""

    name: ClassVar[str] = "lopsided"
    symmetric: ClassVar[bool] = True

    k: int = 1


@dataclass(frozen=True, kw_only=True)
class Divergence(JensenShannon):
    """A distance that meets all requirements."""

    name: ClassVar[str] = "my_divergence"


def first_length(texts: list[str]) -> float:
    """Return a number that depends on the order of the texts."""
    return len(texts[0])


def total_length(texts: list[str]) -> float:
    """Return a number that does not depend on the order of the texts."""
    return sum(map(len, texts))


@pytest.mark.parametrize(
    "metric",
    [
        Hapax(n=2),
        ReadsSums(n=2),
        Divergence(),
        total_length,
        "distinct",
        "density_coverage:k=2",
        # At a size: exact, drawn, in texts, by group, and of a distance.
        "distinct:n=2,at=40",
        Hapax(at=40, draws=3),
        "self_bleu:at=12texts,draws=2",
        "distinct:n=1,at=1200,unit=group",
        "entropy:n=1,at=400,unit=group,draws=3",
        "ttr_difference:at=30",
        "ttr_difference:unit=group",
    ],
    ids=lambda metric: getattr(metric, "__name__", str(metric)),
)
def test_what_keeps_every_promise_passes(metric: Any) -> None:
    check_metric(metric)


@pytest.mark.parametrize(
    ("metric", "sentence"),
    [
        (OutOfBounds(), "is outside its bounds for one text: expected between 0.0 and 0.5, got 1.0"),
        (Unexplained(), "is NaN for no texts, without a reason"),
        (Raising(), r"raises ZeroDivisionError \(division by zero\) for no texts"),
        (ZeroForNothing(), "has a value for no texts: expected NaN, got 0.0"),
        (Unseeded(), "returns another score when called again"),
        (Unpicklable(), "cannot be pickled"),
        (Growing(), "is not rebuilt by its signature"),
        (OtherSelections(), "scores texts selected from a pool differently than alone"),
        (
            Misread(),
            r'declares reads="sums" but does not have the value of the other texts if a text is left out '
            r'\(.+\. Declare reads="columns" \(or nothing\)',
        ),
        (MisreadShape(), r'left out .+ got ValueError .+ Declare reads="columns" \(or nothing\)'),
        (ReadsMore(), r'reads="sizes" but does not have the value of all texts at their own size .+"sums"'),
        (Namesake(), "has the name of another metric, 'distinct'"),
        (Directionless(), "has `more_is` = 'better'"),
        (Lopsided(), "is declared `symmetric` but changes"),
        (first_length, "depends on the order of the texts"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_a_broken_promise_is_named(metric: Any, sentence: str) -> None:
    with pytest.raises(AssertionError, match=sentence):
        check_metric(metric)


def test_an_error_about_the_request_is_no_broken_promise() -> None:
    with pytest.raises(dy.SpecError, match="Unknown metric"):
        check_metric("hapaks")
    with pytest.raises(dy.SpecError, match="vocabulary"):
        check_metric("ead:vocabulary=tokenizer")
