"""`zipf`: by hand, against loops over ranks, and against IBM's formula on real tokens."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, two_corpora
from tests.oracles import ibm_tokens, token_tables
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy
from distinctly.errors import SpecError


def test_by_hand() -> None:
    # Frequencies 4, 2 and 1, 1: log 4 − log 2 over log 1 − log 2 is −1, and 0 for the other.
    score = dy.compare([["a", "a", "a", "a", "b", "b"]], [["a", "b"]], "zipf:ranks=exact")[0]
    assert score.value == pytest.approx(1, rel=1e-12)
    assert score.parts == pytest.approx(
        {
            "reference_texts": 1,
            "candidate_texts": 1,
            "reference_types": 2,
            "candidate_types": 2,
            "reference_coefficient": -1,
            "reference_residual": 0,
            "candidate_coefficient": 0,
            "candidate_residual": 0,
        },
        abs=1e-12,
    )
    # 15·log 2 = 10.4 rounds to 10, so log 2 to 2/3.
    rounded = dy.compare([["a", "a", "a", "a", "b", "b"]], [["a", "b"]], "zipf")[0]
    assert rounded.value == pytest.approx(math.log(2) / (2 / 3), rel=1e-12)


def test_a_residual_by_hand() -> None:
    # Frequencies 4, 4, 1 at log ranks 0, log 2, log 3: the least-squares line and its residual.
    score = dy.compare([["a"] * 4 + ["b"] * 4 + ["c"]], [["a", "b"]], "zipf:ranks=exact")[0]
    x, y = [0, math.log(2), math.log(3)], [math.log(4), math.log(4), 0]
    slope = sum((a - sum(x) / 3) * (b - sum(y) / 3) for a, b in zip(x, y)) / sum(
        (a - sum(x) / 3) ** 2 for a in x
    )
    left = [b - sum(y) / 3 - slope * (a - sum(x) / 3) for a, b in zip(x, y)]
    assert score.parts["reference_coefficient"] == pytest.approx(slope, rel=1e-12)
    assert score.parts["reference_residual"] == pytest.approx(
        math.sqrt(sum(one**2 for one in left) / 3), rel=1e-12
    )


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, top=st.integers(2, 12), exact=st.booleans())
def test_against_loops(reference: list[list[str]], candidate: list[list[str]], top: int, exact: bool) -> None:
    spec = f"zipf:top={top},ranks={'exact' if exact else 'rounded'}"
    score, turned = dy.compare(reference, candidate, spec)[0], dy.compare(candidate, reference, spec)[0]
    assert score.value == pytest.approx(turned.value, abs=0, nan_ok=True)
    if min(len({token for text in texts for token in text}) for texts in (reference, candidate)) < 2:
        assert math.isnan(score.value)
        assert score.undefined.startswith("the ")
        return
    one, other = (token_tables.zipf_slope(texts, top, exact=exact) for texts in (reference, candidate))
    assert score.parts["reference_coefficient"] == pytest.approx(one, rel=1e-9, abs=1e-12)
    assert score.parts["candidate_coefficient"] == pytest.approx(other, rel=1e-9, abs=1e-12)
    assert score.value == pytest.approx(abs(one - other), rel=1e-9, abs=1e-12)


def test_frequencies_by_zipfs_law_have_its_exponent() -> None:
    # Frequencies 5040/rank, whole numbers for all ranks to 10: −1.
    law = [[f"w{rank}"] * (5040 // rank) for rank in range(1, 11)]
    flat = [[f"w{rank}"] * 7 for rank in range(1, 11)]
    score = dy.compare(law, flat, "zipf:ranks=exact")[0]
    assert score.parts["reference_coefficient"] == pytest.approx(-1, rel=1e-12)
    assert score.value == pytest.approx(1, rel=1e-12)


@given(texts=FULL_TOKEN_LISTS)
def test_identical_corpora_are_not_apart(texts: list[list[str]]) -> None:
    for score in dy.compare(texts, texts, ["zipf", "zipf:ranks=exact"]):
        assert score.value == 0 or score.undefined is not None


def test_which_tokens_there_are_is_not_seen() -> None:
    assert dy.compare([["a", "a", "b"]], [["c", "c", "d"]], "zipf")[0].value == 0


def test_written_answers() -> None:
    for pair, why in [
        (([[]], [["a", "b"]]), "the reference has no tokens."),
        (([["a", "b"]], [["a", "a"]]), "the candidate has 1 of the two ranks that a line needs."),
    ]:
        score = dy.compare(*pair, "zipf")[0]
        assert math.isnan(score.value)
        assert score.undefined == why
    # Two tokens; `released` leaves out the last rank.
    released = dy.compare([["a", "b"]], [["a", "b"]], "zipf:preset=paper")[0]
    assert released.undefined == "the reference has 1 of the two ranks that a line needs."
    with pytest.raises(SpecError, match="Expected `top` of 'zipf' to be at least 2, got 0"):
        dy.compare([["a"]], [["a"]], "zipf:top=0")


def test_unequal_sizes_are_noted() -> None:
    texts = [["a", "a", "b"]]
    assert not any("steeper" in note for note in dy.compare(texts, texts, "zipf")[0].notes)
    note = dy.compare(texts * 2, texts, "zipf")[0].notes[0]
    assert note.startswith("The reference has 6 tokens and the candidate 3, but coefficients grow steeper")


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("many", [20, 60, 400])
def test_real_tokens_against_ibm(name: str, many: int) -> None:
    reference, candidate = (texts[:many] for texts in two_corpora(name))
    plain, paper = dy.compare(reference, candidate, ["zipf", "zipf:preset=paper"])
    assert paper.value == pytest.approx(ibm_tokens.zipf_distance(reference, candidate), rel=1e-9)
    for side, texts in (("reference", reference), ("candidate", candidate)):
        released = ibm_tokens.zipf_coeff(texts)
        assert paper.parts[f"{side}_coefficient"] == pytest.approx(released, rel=1e-9)
        # The default is equal unless the last rank, which the package omits, is a step of its own.
        last = min(int(plain.parts[f"{side}_types"]), 5000)
        if round(15 * math.log(last)) == round(15 * math.log(last - 1)):
            assert plain.parts[f"{side}_coefficient"] == pytest.approx(released, rel=1e-9)
