"""`ttr_difference`: by hand, and against all choices of texts or groups."""

from __future__ import annotations

import itertools
import math
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, two_corpora
from tests.oracles.leaving_out import types_at
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy
from distinctly.errors import InputError, SpecError

Texts = list[list[str]]
SMALL = st.lists(st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=4), min_size=1, max_size=5)
GROUPS = ["x", "y", "z"]


def tokens_in(texts: Texts) -> int:
    return sum(map(len, texts))


def expected_ttr(units: list[Texts], size: int) -> float:
    """Return the type-token ratio of random units with `size` tokens, from all choices of units."""
    # Of texts that differ in length, the expected number of types may exceed that of tokens.
    return min(types_at(units, 1, size), size) / size


def by_group(texts: Texts, groups: list[str]) -> list[Texts]:
    """Return the texts of each group."""
    return [[text for text, group in zip(texts, groups) if group == name] for name in dict.fromkeys(groups)]


def test_by_hand() -> None:
    # The smaller corpus has 2 tokens: a b has 2 types; one of the two texts c c and d d has 1.
    score = dy.compare([["a", "b"]], [["c", "c"], ["d", "d"]], "ttr_difference")[0]
    assert score.value == 1 - 1 / 2
    assert score.parts == {
        "reference_texts": 1,
        "candidate_texts": 2,
        "size": 2,
        "reference_tokens": 2,
        "candidate_tokens": 4,
        "reference_ttr": 1,
        "candidate_ttr": 1 / 2,
    }
    # 3 tokens are 1.5 of the texts a b and a c: halfway between the 2 types of one and the 3 types of both.
    score = dy.compare([["a", "b", "c"]], [["a", "b"], ["a", "c"]], "ttr_difference")[0]
    assert score.value == pytest.approx(1 - 2.5 / 3, rel=1e-12)


def test_groups_by_hand() -> None:
    # 4 tokens are 2 of the 4 texts of the candidate: of the 6 pairs of texts, 2 have 1 type, and 4 have 2.
    # As groups, they are 1 of the 2 groups {c c, c c} and {d d, d d}, with 1 type.
    texts = [["c", "c"], ["c", "c"], ["d", "d"], ["d", "d"]]
    reference = dy.Corpus([["a", "b"], ["a", "b"]], groups=["one", "other"])
    candidate = dy.Corpus(texts, groups=["one", "one", "other", "other"])
    grouped, by_text = (
        dy.compare(reference, candidate, f"ttr_difference{options}")[0] for options in ("", ":unit=text")
    )
    assert grouped.parts["candidate_ttr"] == 1 / 4
    assert by_text.parts["candidate_ttr"] == pytest.approx((2 * 1 + 4 * 2) / 6 / 4, rel=1e-12)
    assert grouped.value == 2 / 4 - 1 / 4


@given(reference=SMALL, candidate=SMALL, data=st.data())
def test_against_all_choices_of_texts(reference: Texts, candidate: Texts, data: st.DataObject) -> None:
    fewest = min(map(tokens_in, (reference, candidate)))
    at = data.draw(st.none() | st.integers(1, max(fewest, 1)))
    score = dy.compare(reference, candidate, "ttr_difference" + (f":at={at}" if at else ""))[0]
    if not fewest:
        assert math.isnan(score.value)
        assert score.undefined.endswith(" has no tokens.")
        return
    size = fewest if at is None else at
    one, other = (expected_ttr([[text] for text in texts], size) for texts in (reference, candidate))
    assert score.parts["size"] == size
    assert score.parts["reference_ttr"] == pytest.approx(one, rel=1e-9)
    assert score.parts["candidate_ttr"] == pytest.approx(other, rel=1e-9)
    assert score.value == pytest.approx(abs(one - other), rel=1e-9, abs=1e-12)


@given(reference=SMALL, candidate=SMALL, data=st.data())
def test_against_all_choices_of_groups(reference: Texts, candidate: Texts, data: st.DataObject) -> None:
    size = min(map(tokens_in, (reference, candidate)))
    groups = [
        data.draw(st.lists(st.sampled_from(GROUPS), min_size=len(texts), max_size=len(texts)))
        for texts in (reference, candidate)
    ]
    corpora = [dy.Corpus(texts, groups=names) for texts, names in zip((reference, candidate), groups)]
    score = dy.compare(*corpora, "ttr_difference")[0]
    assert score.options["unit"] == "group"
    if not size:
        assert score.undefined.endswith(" has no tokens.")
        return
    one, other = (
        expected_ttr(by_group(texts, names), size) for texts, names in zip((reference, candidate), groups)
    )
    assert score.value == pytest.approx(abs(one - other), rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("name", LABELLED)
def test_real_tokens_against_all_choices_of_texts(name: str) -> None:
    reference, candidate = (texts[:8] for texts in two_corpora(name))
    size = min(map(tokens_in, (reference, candidate)))
    one, other = (expected_ttr([[text] for text in texts], size) for texts in (reference, candidate))
    found = dy.compare(reference, candidate, "ttr_difference")[0]
    assert found.value == pytest.approx(abs(one - other), rel=1e-9)


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, data=st.data())
def test_bounds_order_and_sides(reference: Texts, candidate: Texts, data: st.DataObject) -> None:
    score = dy.compare(reference, candidate, "ttr_difference")[0]
    shuffled = data.draw(st.permutations(candidate))
    assert 0 <= score.value <= 1
    assert dy.compare(reference, shuffled, "ttr_difference")[0].value == score.value
    assert dy.compare(candidate, reference, "ttr_difference")[0].value == score.value
    assert dy.compare(reference, reference, "ttr_difference")[0].value == 0


def test_a_part_of_a_corpus_is_not_poorer_for_its_size() -> None:
    # Each text has the same 50 words, so 100 tokens have 50 types in both. The plain ratios are .5 and .05.
    words = [f"w{i}" for i in range(50)]
    score = dy.compare([words] * 2, [words] * 20, "ttr_difference")[0]
    assert score.parts["reference_ttr"] == pytest.approx(50 / 100, rel=1e-12)
    assert score.value == pytest.approx(0, abs=1e-12)


def test_the_halves_of_a_corpus_have_its_ratio_on_average() -> None:
    # Words cluster in texts: n-grams drawn from all texts would have more types than whole texts have.
    # Texts of equal lengths, so that each half has half of the tokens.
    texts = [["the", *(f"w{i * j % 5}-{i // 2}" for j in range(11))] for i in range(6)]
    halves = [dy.compare(list(half), texts, "ttr_difference")[0] for half in itertools.combinations(texts, 3)]
    assert {half.parts["size"] for half in halves} == {36}
    mean = fmean(half.parts["reference_ttr"] for half in halves)
    assert halves[0].parts["candidate_ttr"] == pytest.approx(mean, rel=1e-12)


def test_the_unit_is_the_group_if_both_corpora_have_groups() -> None:
    texts = [["a", "b"], ["a", "c"], ["b", "d"]]
    grouped = dy.Corpus(texts, groups=["x", "x", "y"])
    for reference, candidate, unit in [
        (grouped, grouped, "group"),
        (grouped, texts, "text"),
        (texts, texts, "text"),
    ]:
        score = dy.compare(reference, candidate, "ttr_difference")[0]
        assert score.options == {"unit": unit}
        assert f"|unit:{unit}|" in score.signature
        assert score.spec == "ttr_difference"


def test_an_accumulator_of_groups_gives_the_same() -> None:
    # A group may come in several batches.
    texts, groups = [["a", "b"], ["a", "c"], ["b", "d"], ["a"]], ["x", "y", "x", "z"]
    state = dy.Accumulator("ttr_difference:unit=group")
    for rows in (slice(0, 1), slice(1, 4)):
        state.update(reference=texts[rows], groups=groups[rows])
    state.update(candidate=texts[:3], groups=groups[1:])
    expected = dy.compare(
        dy.Corpus(texts, groups=groups), dy.Corpus(texts[:3], groups=groups[1:]), "ttr_difference:unit=group"
    )[0]
    found = state.compute()[0]
    assert found.value == expected.value
    assert found.parts == expected.parts


def test_few_texts_are_warned_of() -> None:
    # 30 of the reference's 60 tokens are 10 of its 20 texts; 27 are 9.
    warning = "Fewer than 10 texts (or groups) of a corpus are taken at this size: the value is uncertain."
    texts = [["a", "b", f"w{i}"] for i in range(20)]
    for at, warned in ((30, False), (27, True)):
        notes = dy.compare(texts, texts[:12], f"ttr_difference:at={at}")[0].notes
        assert (warning in notes) == warned


def test_written_answers() -> None:
    for pair, spec, why in [
        (([[]], [["a"]]), "ttr_difference", "the reference has no tokens."),
        (([["a"]], [[]]), "ttr_difference:at=3", "the candidate has no tokens."),
        (
            ([["a"] * 9], [["a", "b"]]),
            "ttr_difference:at=3",
            "the candidate has 2 tokens, fewer than at=3: choose a smaller size.",
        ),
    ]:
        score = dy.compare(*pair, spec)[0]
        assert math.isnan(score.value)
        assert score.undefined == why


def test_refusals() -> None:
    for spec, error, sentence in [
        ("ttr_difference:at=0", SpecError, "Expected `at` of 'ttr_difference' to be at least 1, got 0"),
        ("ttr_difference:at=9texts", SpecError, "Expected `at` of 'ttr_difference' to be a whole number"),
        ("ttr_difference:unit=line", SpecError, "Expected `unit` of 'ttr_difference' to be text | group"),
        ("ttr_difference:sample=9", SpecError, "Unknown option 'sample' of 'ttr_difference'"),
        ("ttr_difference:unit=group", InputError, "unit=group needs groups"),
    ]:
        with pytest.raises(error) as refused:
            dy.compare([["a"]], [["a"]], spec)
        assert str(refused.value).startswith(sentence)
