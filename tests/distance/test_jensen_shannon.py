"""`jensen_shannon`: by hand, against loops over n-grams, and against scipy on real tokens."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, two_corpora
from tests.oracles import token_tables
from tests.strategies import FULL_TOKEN_LISTS, TOKEN_LISTS

import distinctly as dy
from distinctly.errors import SpecError


def test_by_hand() -> None:
    # p = (1, 0), q = (½, ½), m = (¾, ¼): ½ log2(4/3) + ½ (½ log2(2/3) + ½ log2 2).
    score = dy.compare([["a", "a"]], [["a", "b"]], "jensen_shannon")[0]
    divergence = math.log2(4 / 3) / 2 + (math.log2(2 / 3) / 2 + 1 / 2) / 2
    assert score.value == pytest.approx(math.sqrt(divergence), rel=1e-12)
    assert score.parts == pytest.approx(
        {
            "reference_texts": 1,
            "candidate_texts": 1,
            "types": 2,
            "shared_types": 1,
            "reference_total": 2,
            "candidate_total": 2,
            "divergence": divergence,
        },
        rel=1e-12,
    )


@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, n=st.integers(1, 3))
def test_against_loops(reference: list[list[str]], candidate: list[list[str]], n: int) -> None:
    table = token_tables.columns(reference, candidate, n=n)
    score = dy.compare(reference, candidate, f"jensen_shannon:n={n}")[0]
    if not min(token_tables.totals(table)):
        assert math.isnan(score.value)
        assert score.undefined.startswith("the ")
        return
    assert 0 <= score.value <= 1
    # The root of a rounding error.
    assert score.value == pytest.approx(token_tables.jensen_shannon(table), rel=1e-9, abs=2e-8)


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, data=st.data())
def test_order_and_sides_change_nothing(
    reference: list[list[str]], candidate: list[list[str]], data: st.DataObject
) -> None:
    value = dy.compare(reference, candidate, "jensen_shannon")[0].value
    assert dy.compare(data.draw(st.permutations(reference)), candidate, "jensen_shannon")[0].value == value
    assert dy.compare(candidate, reference, "jensen_shannon")[0].value == value


@given(texts=FULL_TOKEN_LISTS, times=st.integers(1, 7))
def test_the_same_shares_are_not_apart_and_disjoint_ones_as_far_as_can_be(
    texts: list[list[str]], times: int
) -> None:
    assert dy.compare(texts, texts * times, "jensen_shannon")[0].value == 0
    others = [[f"{token}!" for token in text] for text in texts]
    assert dy.compare(texts, others * times, "jensen_shannon")[0].value == 1


def test_a_growing_share_of_other_tokens_is_seen_growing() -> None:
    draw = random.Random(0)
    words, others = [f"w{i}" for i in range(50)], [f"v{i}" for i in range(50)]

    def text(share: float) -> list[str]:
        return [draw.choice(others if draw.random() < share else words) for _ in range(20)]

    reference = [text(0.0) for _ in range(200)]
    shares = (0.0, 0.05, 0.2, 0.5, 1.0)
    candidates = {f"{share}": [text(share) for _ in range(200)] for share in shares}
    values = [score.value for score in dy.compare(reference, candidates, "jensen_shannon")]
    assert values == sorted(values)
    assert values[-1] == 1


def test_written_answers() -> None:
    for pair, spec, why in [
        (([[]], [["a"]]), "jensen_shannon", "the reference has no tokens."),
        (([["a", "b"]], [["a"]]), "jensen_shannon:n=2", "the candidate has no text of at least 2 tokens."),
    ]:
        score = dy.compare(*pair, spec)[0]
        assert math.isnan(score.value)
        assert score.undefined == why
    with pytest.raises(SpecError, match="Expected `n` of 'jensen_shannon' to be at least 1, got 0"):
        dy.compare([["a"]], [["a"]], "jensen_shannon:n=0")


@pytest.mark.parametrize("name", LABELLED)
@pytest.mark.parametrize("n", [1, 2, 3])
def test_real_tokens_against_scipy(name: str, n: int) -> None:
    from scipy.spatial.distance import jensenshannon

    reference, candidate = two_corpora(name)
    table = token_tables.columns(reference, candidate, n=n)
    expected = jensenshannon(*zip(*table.values()), base=2)
    assert dy.compare(reference, candidate, f"jensen_shannon:n={n}")[0].value == pytest.approx(
        expected, rel=1e-9
    )
