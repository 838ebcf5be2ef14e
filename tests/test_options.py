"""Options: declared bounds, and aliases."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Literal

import pytest

import distinctly as dy
from distinctly.options import (
    Bounds,
    bounds,
    check_options,
    describe_type,
    option,
    option_names,
    options_of,
    read_options,
)
from distinctly.tokenizers import find_tokenizer


@dataclass(frozen=True, kw_only=True)
class Sampler:
    """A class with options of every kind."""

    size: int = field(metadata=bounds(at_least=1))
    share: float = option(0.5, above=0, at_most=1)
    scale: float = option(1.0, above=0, below=math.inf)
    draws: int | Literal["auto"] = option("auto", at_least=2, aliases=("repetitions",))

    def __post_init__(self) -> None:
        check_options(self, "sampler")


@dataclass(frozen=True, kw_only=True)
class DefaultSampler(Sampler):
    """Another default for an inherited option."""

    size: int = 10


@dataclass(frozen=True, kw_only=True)
class NarrowSampler(Sampler):
    """Other bounds for an inherited option."""

    size: int = option(10, at_least=5)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"size": 0}, "Expected `size` of 'sampler' to be at least 1, got 0."),
        ({"size": 1, "share": 0.0}, "Expected `share` of 'sampler' to be above 0 and at most 1, got 0.0."),
        ({"size": 1, "share": 1.1}, "Expected `share` of 'sampler' to be above 0 and at most 1, got 1.1."),
        ({"size": 1, "share": math.nan}, "to be above 0 and at most 1, got nan."),
        ({"size": 1, "scale": math.inf}, "Expected `scale` of 'sampler' to be above 0 and finite, got inf."),
        ({"size": 1, "draws": 1}, "Expected `draws` of 'sampler' to be at least 2, got 1."),
        ({"size": 1.5}, "Expected `size` of 'sampler' to be a whole number, got 1.5."),
    ],
)
def test_a_value_outside_its_bounds_is_refused(options: dict[str, float], message: str) -> None:
    with pytest.raises(dy.SpecError) as caught:
        Sampler(**options)  # type: ignore[arg-type]
    assert message in str(caught.value)


def test_values_on_the_bounds_and_words_are_accepted() -> None:
    assert options_of(Sampler(size=1, share=1.0)) == {"size": 1, "share": 1.0, "scale": 1.0, "draws": "auto"}
    assert Sampler(size=1, draws=2).draws == 2


def test_an_option_without_a_default_has_to_be_given() -> None:
    with pytest.raises(TypeError, match="size"):
        Sampler()  # type: ignore[call-arg]


def test_an_option_that_is_declared_again_keeps_its_bounds_or_has_new_ones() -> None:
    assert DefaultSampler().size == 10
    with pytest.raises(dy.SpecError, match="`size` of 'sampler' to be at least 1, got 0"):
        DefaultSampler(size=0)
    with pytest.raises(dy.SpecError, match="`size` of 'sampler' to be at least 5, got 4"):
        NarrowSampler(size=4)
    # ead has another default for the n of all n-gram metrics.
    with pytest.raises(dy.SpecError, match="Expected `n` of 'ead' to be at least 1, got 0"):
        dy.measure(["a"], "ead:n=0")


def test_bounds_are_described() -> None:
    assert describe_type(Sampler, "size") == "a whole number, at least 1"
    assert describe_type(Sampler, "draws") == "a whole number, at least 2 | auto"
    assert str(Bounds(at_least=0, below=1)) == "at least 0 and below 1"


def test_an_option_is_read_by_its_alias() -> None:
    assert read_options(Sampler, "sampler", {"repetitions": "3"}) == {"draws": 3}
    assert list(option_names(Sampler)) == ["size", "share", "scale", "draws", "repetitions"]
    with pytest.raises(dy.SpecError, match="Option 'draws' of 'sampler' is given twice"):
        read_options(Sampler, "sampler", {"draws": "3", "repetitions": "3"})
    with pytest.raises(dy.SpecError, match="Did you mean 'repetitions'"):
        read_options(Sampler, "sampler", {"repetition": "3"})


@pytest.mark.parametrize("spec", ["words:lowercase=yes", r"regex:\w+,lowercase=yes"])
def test_lowercase_is_lc(spec: str) -> None:
    assert find_tokenizer(spec) == find_tokenizer(spec.replace("lowercase", "lc"))
    score = dy.measure(["The cat", "the dog"], "distinct:n=1", tokenizer=spec)[0]
    assert score.value == 3 / 4  # the, cat, dog, of 4
    assert "lc:yes" in score.signature
    assert "lowercase" not in score.signature
