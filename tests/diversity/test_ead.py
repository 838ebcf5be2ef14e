"""`ead`: the paper's table and properties, exact fractions, and every vocabulary."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import ngrams as oracle
from tests.strategies import FULL_TOKEN_LISTS

import distinctly as dy
from distinctly.diversity.ead import Ead
from distinctly.statistics.ngram_counts import Grams

# Table 2 of Liu et al. (2022): method, then average length, Distinct (%) and EAD (%) on
# DailyDialog (5,800 responses) and on OpenSubtitles (10,000).
TABLE_2 = {
    "FL": ((9.33, 2.38, 5.09), (8.56, 3.19, 9.51)),
    "NL": ((9.99, 1.66, 3.70), (8.40, 3.24, 9.52)),
    "CP": ((8.67, 2.35, 4.80), (8.74, 3.11, 9.44)),
    "LS": ((8.50, 1.48, 2.98), (9.04, 2.77, 8.64)),
    "D2GPo": ((9.15, 1.26, 2.65), (8.77, 2.07, 6.32)),
    "CE": ((8.29, 1.67, 3.31), (9.21, 2.55, 8.08)),
    "F2": ((8.71, 1.40, 2.87), (8.60, 2.89, 8.67)),
    "UL": ((9.93, 2.35, 5.23), (8.09, 2.84, 8.10)),
    "Face": ((10.62, 1.63, 3.79), (9.11, 3.31, 10.41)),
    "AdaLab": ((11.30, 3.96, 9.63), (8.12, 4.78, 13.68)),
}
CELLS = [
    pytest.param(responses, *cells[place], id=f"{method}-{name}")
    for method, cells in TABLE_2.items()
    for place, (name, responses) in enumerate([("DailyDialog", 5800), ("OpenSubtitles", 10000)])
]


def counted(distinct: float, total: float) -> Grams:
    """Return a summary with only N and C."""
    none = np.zeros(0, np.int64)
    one = np.array([0])
    return Grams(np.array([distinct]), np.array([total]), one, one, one, none, none, np.array([0, 0]))


@pytest.mark.parametrize(("responses", "length", "distinct", "ead"), CELLS)
def test_table_2_of_the_paper(responses: int, length: float, distinct: float, ead: float) -> None:
    # C = responses × average length and N = Distinct × C; the inputs are printed with three
    # digits, so each cell is reproduced within 0.35 % of the printed EAD.
    total = responses * length
    value = Ead().formula(counted(distinct / 100 * total, total))[0]
    assert value * 100 == pytest.approx(ead, rel=0.0035)


@given(texts=FULL_TOKEN_LISTS, n=st.integers(1, 3), size=st.sampled_from([1, 2, 10, 30522, 10**9]))
def test_against_exact_fractions(texts: list[list[str]], n: int, size: int) -> None:
    value = dy.measure(texts, f"ead:n={n},vocabulary={size}")[0].value
    assert value == pytest.approx(oracle.ead(texts, n, size), rel=1e-9, nan_ok=True)


def test_digits_survive_a_large_vocabulary() -> None:
    # V = 50257⁴ ≈ 6.4e18: 1 − (1 − 1/V)^C is 0 in floating point; as V grows, EAD tends to N/C.
    assert dy.measure(["a b c d e", "a b c d"], "ead:n=4,vocabulary=50257")[0].value == pytest.approx(
        2 / 3, rel=1e-12
    )
    assert dy.measure(["a b"], f"ead:vocabulary={10**300},n=2")[0].value == 1.0


class TestProperties:
    """The properties that the paper's appendix B derives."""

    def test_slope_in_distinct(self) -> None:
        # dEAD/dN = 1 / (V·(1 − ((V−1)/V)^C)), the same for every N.
        size, total = 1000, 500
        slope = 1 / (size * (1 - ((size - 1) / size) ** total))
        values = Ead(vocabulary=size).formula(counted(101, total)) - Ead(vocabulary=size).formula(
            counted(100, total)
        )
        assert values[0] == pytest.approx(slope, rel=1e-9)

    def test_limit_for_many_tokens_is_the_share_of_the_vocabulary(self) -> None:
        assert Ead(vocabulary=1000).formula(counted(300, 10**9))[0] == pytest.approx(0.3, rel=1e-12)

    def test_passes_one_when_nearly_all_words_are_used(self) -> None:
        # All of 10 words in 12 draws: expected 10·(1 − 0.9¹²) = 7.18.
        texts = [[*"abcdefghij", "a", "b"]]
        assert dy.measure(texts, "ead:vocabulary=10")[0].value == pytest.approx(
            10 / (10 * (1 - 0.9**12)), rel=1e-12
        )


class TestVocabularies:
    """Every source of V."""

    def test_bert_is_the_default(self) -> None:
        assert Ead() == Ead(vocabulary="bert") == Ead(vocabulary=30522)
        assert "|vocabulary:30522|" in dy.measure(["a"], "ead:vocabulary=bert")[0].signature

    def test_chao1_has_no_power_of_n(self) -> None:
        # Bigrams ab ab bc cd: N = 3, f1 = 2, f2 = 1; Chao1 = 3 + 2·1/(2·2) = 3.5; C = 4.
        texts = [["a", "b"], ["a", "b", "c", "d"]]
        expected = 3 / (3.5 * (1 - (2.5 / 3.5) ** 4))
        assert dy.measure(texts, "ead:n=2,vocabulary=chao1")[0].value == pytest.approx(expected, rel=1e-12)

    def test_reference_counts_its_distinct_tokens(self) -> None:
        texts, reference = ["a b a", "c d"], ["x y z x", "w"]  # V = 4
        for n in (1, 2):
            by_number = dy.measure(texts, f"ead:n={n},vocabulary=4")[0].value
            score = dy.measure(texts, f"ead:n={n},vocabulary=reference", reference=reference)[0]
            assert score.value == by_number
            assert score.reference == "texts"
            assert "|reference:2#" in score.signature

    def test_tokenizer_without_a_vocabulary_is_an_error(self) -> None:
        with pytest.raises(dy.SpecError, match="'words' has none"):
            dy.measure(["a"], "ead:vocabulary=tokenizer")

    def test_a_missing_or_empty_reference_is_an_error(self) -> None:
        for reference in (None, ["", ""]):
            with pytest.raises(dy.SpecError, match="needs .*reference corpus"):
                dy.measure(["a"], "ead:expected=reference", reference=reference)

    @pytest.mark.parametrize("size", [0, -5])
    def test_too_small_a_number_is_an_error(self, size: int) -> None:
        with pytest.raises(dy.SpecError, match="at least 1"):
            Ead(vocabulary=size)


class TestExpectedFromAReference:
    """E[N] drawn from the reference's own distribution."""

    def test_by_hand(self) -> None:
        # Reference a a b b: nothing seen once, so p = ½, ½ and nothing unseen. Three draws:
        # 2·(1 − (½)³) = 1.75 expected; the corpus a b c has 3.
        score = dy.measure(["a b c"], "ead:expected=reference", reference=["a a b b"])[0]
        assert score.value == pytest.approx(3 / 1.75, rel=1e-12)
        assert score.parts["expected"] == pytest.approx(1.75, rel=1e-12)

    @given(texts=FULL_TOKEN_LISTS, reference=FULL_TOKEN_LISTS, n=st.integers(1, 2))
    def test_against_the_sum_over_types(
        self, texts: list[list[str]], reference: list[list[str]], n: int
    ) -> None:
        found, total = oracle.counts(texts, n), sum(oracle.counts(texts, n).values())
        if not oracle.counts(reference, n):
            return
        score = dy.measure(texts, f"ead:n={n},expected=reference", reference=reference)[0]
        expected = len(found) / oracle.expected_from(reference, n, total) if found else math.nan
        assert score.value == pytest.approx(expected, rel=1e-9, nan_ok=True)

    def test_the_reference_itself_scores_about_one(self, shared: object) -> None:
        corpus = f"{shared}/banking77.jsonl"
        score = dy.measure(corpus, "ead:expected=reference", reference=corpus)[0]
        # 0.879 when this was written: near 1 by construction; the sign of the deviation depends on the text.
        assert 0.8 < score.value < 1.1


def test_no_tokens_is_undefined() -> None:
    score = dy.measure(["", " "], "ead")[0]
    assert math.isnan(score.value)
    assert score.undefined is not None


class TestNotes:
    """Notes for the reader."""

    def test_higher_n_approaches_distinct(self) -> None:
        assert "approaches Distinct-2" in dy.measure(["a b c"], "ead:n=2")[0].notes[0]
        assert "approaches" not in " ".join(dy.measure(["a b c"], "ead:n=2,vocabulary=chao1")[0].notes)

    def test_varied_lengths(self) -> None:
        texts = [f"a b{place}" for place in range(30)]
        even, varied = dy.measure(texts, "ead")[0], dy.measure([*texts, "a " * 40], "ead")[0]
        assert even.notes == ()
        assert "`distinctly judge length --designated -m ead`" in varied.notes[0]
        assert "planned" not in varied.notes[0]


def test_the_card_shows_table_2_as_it_is_computed(root: Path) -> None:
    card = (root / "docs" / "metrics" / "ead.md").read_text(encoding="utf-8")
    for method, cells in TABLE_2.items():
        row = [method]
        for (length, distinct, ead), responses in zip(cells, (5800, 10000)):
            ours = Ead().formula(counted(distinct / 100 * responses * length, responses * length))[0] * 100
            row += [f"{length:.2f}", f"{distinct:.2f}", f"{ead:.2f}", f"{ours:.2f}", f"{ours / ead - 1:+.2%}"]
        assert f"| {' | '.join(row)} |".replace("%", " %") in card
