"""`chi`: by hand, against loops over tokens, scipy's contingency test and IBM's formula."""

from __future__ import annotations

import math
import random

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.distance.corpora import LABELLED, tables, two_corpora
from tests.oracles import ibm_tokens, token_tables
from tests.strategies import FULL_TOKEN_LISTS, TOKEN_LISTS

import distinctly as dy
from distinctly.distance.chi import Chi, log_survival
from distinctly.errors import SpecError
from distinctly.run.explain import ngram_drivers


def test_by_hand() -> None:
    # a: 2 1, b: 2 0, c: 0 3; rows 4 and 4, so half of each column is expected in each row.
    # a: (½)²/1.5 · 2 = 1/3; b: 1²/1 · 2 = 2; c: 1.5²/1.5 · 2 = 3. N = 8, K = 3, so 2 degrees of freedom.
    score = dy.compare([["a", "a", "b", "b"]], [["a", "c", "c", "c"]], "chi")[0]
    chi = 1 / 3 + 2 + 3
    assert score.parts == pytest.approx(
        {
            "reference_texts": 1,
            "candidate_texts": 1,
            "types": 3,
            "reference_tokens": 4,
            "candidate_tokens": 4,
            "statistic": chi,
            "degrees_of_freedom": 2,
            "log_p": -chi / 2,  # with two degrees p = exp(−χ²/2)
            "cbdf": chi / 2,
            "cramer_plain": math.sqrt(chi / 8),
            "cramer": math.sqrt((chi / 8 - 2 / 7) * 7 / 6),
        },
        rel=1e-12,
    )
    assert score.value == score.parts["cramer"]


def test_the_value_that_is_asked_for() -> None:
    pair = [["a", "a", "b", "b"]], [["a", "c", "c", "c"]]
    chi = 1 / 3 + 2 + 3
    by_p, by_freedom, paper = dy.compare(*pair, ["chi:value=p", "chi:value=cbdf", "chi:preset=paper"])
    assert by_p.value == pytest.approx(1 - math.exp(-chi / 2), rel=1e-12)
    assert by_freedom.value == pytest.approx(chi / 2, rel=1e-12)
    # Four degrees: p = exp(−χ²/2) (1 + χ²/2).
    assert paper.value == pytest.approx(1 - math.exp(-chi / 2) * (1 + chi / 2), rel=1e-12)
    assert paper.options == {"top": 5000, "value": "p", "degrees": "paper"}
    assert paper.parts["degrees_of_freedom"] == 4
    assert any("assumes independent tokens" in note for note in paper.notes)
    assert not any("independent" in note for note in by_freedom.notes)
    assert "degrees" not in by_freedom.options


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, top=st.integers(2, 8))
def test_against_loops(reference: list[list[str]], candidate: list[list[str]], top: int) -> None:
    table = token_tables.columns(reference, candidate, top)
    score = dy.compare(reference, candidate, f"chi:top={top}")[0]
    rows = token_tables.totals(table)
    assert (score.parts["types"], score.parts["reference_tokens"], score.parts["candidate_tokens"]) == (
        len(table),
        *rows,
    )
    if not min(rows):
        assert score.undefined.startswith("the ")
        return
    chi = float(sum(token_tables.chi_parts(table).values()))
    assert score.parts["statistic"] == pytest.approx(chi, rel=1e-9)
    assert score.parts["cramer_plain"] == pytest.approx(math.sqrt(chi / sum(rows)), rel=1e-9)
    if len(table) == sum(rows) > 1:
        assert score.undefined.startswith("no token occurs twice")
    elif len(table) > 1:
        expected = token_tables.bergsma(chi, 2, len(table), sum(rows))
        assert score.value == pytest.approx(expected, rel=1e-9, abs=1e-9)
        assert 0 <= score.value <= 1


@given(reference=FULL_TOKEN_LISTS, candidate=FULL_TOKEN_LISTS, data=st.data())
def test_order_and_sides_change_nothing(
    reference: list[list[str]], candidate: list[list[str]], data: st.DataObject
) -> None:
    specs = ["chi", "chi:top=3", "chi:value=p", "chi:value=cbdf", "chi:preset=paper"]
    shuffled = data.draw(st.permutations(reference))
    for score, other, turned in zip(
        dy.compare(reference, candidate, specs),
        dy.compare(shuffled, candidate, specs),
        dy.compare(candidate, reference, specs),
    ):
        same = pytest.approx(score.value, abs=0, rel=0, nan_ok=True)
        assert other.value == same
        assert turned.value == same


@given(texts=FULL_TOKEN_LISTS)
def test_identical_corpora_are_not_apart(texts: list[list[str]]) -> None:
    for score in dy.compare(texts, texts, ["chi", "chi:value=p", "chi:value=cbdf", "chi:preset=paper"]):
        assert score.value == 0
        assert score.parts["log_p"] == 0


def test_disjoint_corpora_are_as_far_as_their_size_can_tell() -> None:
    score = dy.compare([["a", "b"] * 50], [["c", "d"] * 50], "chi")[0]
    assert score.parts["cramer_plain"] == 1
    # χ²/N is 1, so √((1 − (K−1)/(N−1)) (N−1)/(N−2)) = √((N−K)/(N−2)), with N = 200 and K = 4.
    assert score.value == pytest.approx(math.sqrt(196 / 198), rel=1e-12)


def test_written_answers() -> None:
    single = dy.compare([["a"], ["a"]], [["a"]], ["chi", "chi:value=p", "chi:value=cbdf"])
    assert [score.value for score in single] == [0, 0, 0]
    assert single[0].parts["degrees_of_freedom"] == 0
    assert single[0].notes[0] == "Both corpora consist of the same single token."
    for pair, why in [
        (([[]], [["a"]]), "the reference has no tokens."),
        (([["a"]], [[], []]), "the candidate has no tokens."),
        (([[]], [[]]), "the reference has no tokens."),
        (
            ([["a", "b"]], [["c"]]),
            "no token occurs twice, so chance alone would make the corpora differ as much.",
        ),
    ]:
        score = dy.compare(*pair, "chi")[0]
        assert math.isnan(score.value)
        assert score.undefined == why
    rare = dy.compare([["a", "b"] * 9], [["c"]], "chi:top=2")[0]
    assert math.isnan(rare.value)
    assert rare.undefined == ("the candidate has none of the 2 most frequent tokens: raise `top`.")
    with pytest.raises(SpecError, match="Expected `top` of 'chi' to be at least 2, got 1"):
        dy.compare([["a"]], [["a"]], "chi:top=1")


def test_other_values_are_defined_without_cramer() -> None:
    score = dy.compare([["a", "b"]], [["c"]], "chi:value=cbdf")[0]
    # χ² of a table whose columns each lie in one row is N = 3; 2 degrees of freedom.
    assert score.value == pytest.approx(1.5, rel=1e-12)
    assert score.notes[0].startswith("Cramér's V is undefined: no token occurs twice")


def test_a_growing_share_of_other_tokens_is_seen_growing() -> None:
    draw = random.Random(0)
    words, others = [f"w{i}" for i in range(50)], [f"v{i}" for i in range(50)]

    def text(share: float) -> list[str]:
        return [draw.choice(others if draw.random() < share else words) for _ in range(20)]

    reference = [text(0.0) for _ in range(200)]
    shares = (0.0, 0.05, 0.2, 0.5, 1.0)
    candidates = {f"{share}": [text(share) for _ in range(200)] for share in shares}
    values = [score.value for score in dy.compare(reference, candidates, "chi")]
    assert values == sorted(values)
    # χ²/N = ½ Σ (p−q)²/(p+q) = ½ (s + s²/(2−s)) = s/(2−s) of the shares; .02 allows for the random draw.
    assert values == pytest.approx([math.sqrt(s / (2 - s)) for s in shares], abs=0.02)


@pytest.mark.parametrize("degrees", [2, 4, 30, 1000, 9998])
@pytest.mark.parametrize("times", [0.7, 1.0, 1.3, 3.0, 40.0, 1e4])
def test_log_p_is_right_where_p_is_no_float_any_more(degrees: int, times: float) -> None:
    expected = token_tables.log_survival_even(degrees * times, degrees)
    # Where p is near 1 its logarithm has few digits in the oracle's sum.
    assert log_survival(degrees * times, degrees) == pytest.approx(expected, rel=1e-9, abs=1e-11)


def test_log_p_of_odd_degrees_lies_between_its_neighbours() -> None:
    # p grows with the degrees of freedom. scipy.stats.chi2.logsf is −inf at all of these.
    for statistic in (2e4, 1e6, 1e9):
        low, middle, high = (log_survival(statistic, degrees) for degrees in (4998, 4999, 5000))
        assert -math.inf < low < middle < high < -1000


@pytest.mark.parametrize("name", LABELLED)
def test_real_tokens_against_scipy(name: str) -> None:
    from scipy.stats import chi2_contingency

    reference, candidate = two_corpora(name)
    for top in (200, 5000):
        table = token_tables.columns(reference, candidate, top)
        expected = chi2_contingency(list(zip(*table.values())), correction=False)
        score = dy.compare(reference, candidate, f"chi:value=p,top={top}")[0]
        assert score.parts["degrees_of_freedom"] == expected.dof
        assert score.parts["statistic"] == pytest.approx(expected.statistic, rel=1e-9)
        assert math.exp(score.parts["log_p"]) == pytest.approx(expected.pvalue, rel=1e-9)
        assert score.value == pytest.approx(1 - expected.pvalue, rel=1e-9)
        assert score.parts["log_p"] > -math.inf


def test_p_of_parts_of_one_real_corpus_against_scipy() -> None:
    from scipy.stats import chi2_contingency

    texts = two_corpora("dailydialog-hredf-vs-reference.jsonl")[0]
    seen = []
    for size in (20, 100, 200):
        parts = texts[:size], texts[size : 2 * size]
        expected = chi2_contingency(list(zip(*token_tables.columns(*parts).values())), correction=False)
        score = dy.compare(*parts, "chi:value=p")[0]
        assert math.exp(score.parts["log_p"]) == pytest.approx(expected.pvalue, rel=1e-9)
        seen.append(expected.pvalue)
    assert max(seen) > 1e-3, "a p that is not lost in rounding is among them"


@pytest.mark.parametrize("name", LABELLED)
def test_real_tokens_against_ibm(name: str) -> None:
    # Only some of the texts, so that p is neither 0 nor 1; all tokens, since the peer breaks ties at the cut
    # by insertion.
    reference, candidate = (texts[:60] for texts in two_corpora(name))
    score = dy.compare(reference, candidate, "chi:preset=paper")[0]
    released = ibm_tokens.chi_square_distance(reference, candidate)
    assert score.value == pytest.approx(1 - released, rel=1e-9, abs=1e-12)
    assert math.exp(score.parts["log_p"]) == pytest.approx(released, rel=1e-9, abs=1e-12)


def test_halves_of_one_real_corpus_are_not_apart_but_for_chance() -> None:
    # Plain V is .59 under the null at 50 texts; the corrected V is near 0.
    texts = list(two_corpora("dailydialog-hredf-vs-reference.jsonl")[1])
    plain, corrected = [], []
    for seed in range(20):
        random.Random(seed).shuffle(texts)
        score = dy.compare(texts[:50], texts[50:100], "chi")[0]
        plain.append(score.parts["cramer_plain"])
        corrected.append(score.value)
    assert sum(plain) / 20 == pytest.approx(0.59, abs=0.05)
    assert sum(corrected) / 20 < 0.15


@given(reference=TOKEN_LISTS, candidate=TOKEN_LISTS, top=st.integers(2, 8), most=st.integers(0, 5))
def test_drivers_against_loops(
    reference: list[list[str]], candidate: list[list[str]], top: int, most: int
) -> None:
    table = token_tables.columns(reference, candidate, top)
    rows = token_tables.totals(table)
    # Counts per million are of all tokens, not only of those in the table.
    everything = [sum(map(len, corpus)) for corpus in (reference, candidate)]
    found = ngram_drivers(Chi(top=top), tables(reference, candidate), most)
    if not min(rows):
        assert found == []
        return
    parts = token_tables.chi_parts(table)
    ranked = sorted((token for token in parts if parts[token]), key=lambda token: (-parts[token], token))
    assert [one["token"] for one in found] == ranked[:most]
    for one in found:
        a, b = table[one["token"]]
        assert one["share"] == pytest.approx(float(parts[one["token"]] / sum(parts.values())), rel=1e-9)
        assert (one["reference"], one["candidate"]) == (a, b)
        assert one["more_in"] == ("reference" if a * everything[1] > b * everything[0] else "candidate")
        assert one["reference_per_million"] == pytest.approx(1e6 * a / everything[0], rel=1e-12)
        assert one["candidate_per_million"] == pytest.approx(1e6 * b / everything[1], rel=1e-12)


def test_drivers_by_hand() -> None:
    # Parts of χ²: a 1/3, b 2, c 3 (see above), together 16/3.
    found = ngram_drivers(Chi(), tables([["a", "a", "b", "b"]], [["a", "c", "c", "c"]]), 2)
    assert [one["token"] for one in found] == ["c", "b"]
    assert found[0] == {
        "token": "c",
        "share": pytest.approx(9 / 16, rel=1e-12),
        "more_in": "candidate",
        "reference": 0,
        "candidate": 3,
        "reference_per_million": 0.0,
        "candidate_per_million": 750_000.0,
    }
    assert found[1]["more_in"] == "reference"
