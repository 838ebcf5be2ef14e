"""`mtld`: by hand, against loops, and against peers by their presets."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tests.oracles import richness as oracle
from tests.richness import LONG_LISTS, both_roads, chinese, english, kyle, lexicalrichness, mean, value

import distinctly as dy


def test_by_hand() -> None:
    # a b a b b a c. Forward: a b a has 2/3, b b has 1/2, a c counts as (1 − 1) / 0.28 = 0 factors:
    # 7/2. Backward: c a b b has 3/4, and with another a 3/5; b a counts as 0: 7/1.
    score = dy.measure([list("ababbac")], "mtld:pool=corpus")[0]
    assert score.value == (7 / 2 + 7 / 1) / 2
    assert score.parts == {"C": 7, "forward": 3.5, "backward": 7.0, "texts": 1}
    # a b c a: 3/4 does not end a factor; it counts as (1 − 3/4) / 0.28 in both directions.
    assert value(list("abca"), "mtld") == pytest.approx(4 / (0.25 / 0.28), rel=1e-15)


def test_reaching_the_threshold_is_enough_or_not() -> None:
    # a a b c, threshold ½. `<=`: forward a a is a factor, and b c counts as 0: 4/1. Backward c b a a has
    # 3/4 and counts as (1 − 3/4) / ½: 4 / ½. `<`: forward, a a b c also counts as that.
    assert value(list("aabc"), "mtld:threshold=0.5,compare=<=") == (4 + 8) / 2
    assert value(list("aabc"), "mtld:threshold=0.5") == 8


def test_all_different_is_the_number_of_tokens() -> None:
    # No factor ends, so the value is the length of the text. A peer gives 0, the least diverse value.
    tokens = [str(i) for i in range(100)]
    assert value(tokens, "mtld") == 100
    assert value(["a"], "mtld") == 1
    assert kyle().mtld(tokens) == 0
    assert lexicalrichness(tokens).mtld() == 100


def test_a_factor_that_ends_with_the_text_is_a_whole_one() -> None:
    # a a: one factor of 2 tokens. Kyle's always treats the last one as incomplete: (1 − ½) / 0.28 = 1.79.
    assert value(list("aa"), "mtld") == 2
    assert kyle().mtld(list("aa"), min=0) == pytest.approx(2 / (0.5 / 0.28), rel=1e-15)


@given(
    texts=LONG_LISTS,
    threshold=st.sampled_from([0.72, 0.5, 0.9, 2 / 3]),
    compare=st.sampled_from(["<", "<="]),
    minimum=st.integers(0, 12),
)
def test_against_loops(texts: list[list[str]], threshold: float, compare: str, minimum: int) -> None:
    spec = f"mtld:threshold={threshold},compare={compare},minimum={minimum}"
    expected = mean([oracle.mtld(one, threshold, compare, minimum) for one in texts])
    assert both_roads(texts, spec) == pytest.approx(expected, rel=1e-9, nan_ok=True)
    pooled = oracle.mtld([token for one in texts for token in one], threshold, compare, minimum)
    assert both_roads(texts, f"{spec},pool=corpus") == pytest.approx(pooled, rel=1e-9, nan_ok=True)


def test_run_on_texts_are_one_stream() -> None:
    texts, groups = [list("aab"), list("ca"), list("abb")], ["x", "y", "x"]
    whole = dy.measure(texts, "mtld:pool=corpus")[0]
    grouped = dy.measure(texts, "mtld:pool=group", groups=groups)[0]
    assert whole.value == pytest.approx(oracle.mtld([*"aabcaabb"]), rel=1e-15)
    expected = (oracle.mtld([*"aababb"]) + oracle.mtld([*"ca"])) / 2
    assert grouped.value == pytest.approx(expected, rel=1e-15)
    assert "|order:" in whole.signature
    assert "|order:" in grouped.signature


@pytest.mark.parametrize(
    ("option", "words"),
    [
        ("threshold=0", "above 0 and below 1"),
        ("threshold=1", "above 0 and below 1"),
        ("minimum=-1", "at least 0"),
    ],
)
def test_what_makes_no_sense_is_refused(option: str, words: str) -> None:
    with pytest.raises(dy.SpecError, match=words):
        dy.measure(["a"], f"mtld:{option}")


def test_long_factors_on_both_paths() -> None:
    # 9,000 types before the first repetition: more than the initial size of the kernel's tables.
    tokens = [str(i % 9000) for i in range(30_000)]
    expected = both_roads([tokens], "mtld")
    # With 9,000 types, the ratio first falls below 0.72 at a length of 12,501.
    # 30,000 / (2 + (1 − 4,998/4,998) / 0.28).
    assert expected == 30_000 / 2


@pytest.mark.parametrize("tokens", [english, chinese])
def test_against_peers_by_their_presets(shared: Path, tokens: Callable[[Path, int], list[str]]) -> None:
    # Without the first character: backward, a factor of the Chinese text would end exactly there.
    text = tokens(shared, 3005)[5:]
    assert value(text, "mtld:preset=lexicalrichness") == pytest.approx(lexicalrichness(text).mtld(), rel=1e-9)
    assert value(text, "mtld:preset=kyle") == pytest.approx(kyle().mtld(text), rel=1e-9)


def test_the_same_tokens_have_another_mtld_by_preset(shared: Path) -> None:
    text = chinese(shared, 3000)
    specs = ["mtld", "mtld:preset=lexicalrichness", "mtld:preset=kyle"]
    values = [value(text, spec) for spec in specs]
    assert len(set(values)) == 3
    assert values[1] < values[0] < values[2]  # ends sooner; as in the paper; at least 10 tokens per factor
    signatures = [dy.measure([text], spec, tokens=True)[0].signature for spec in specs]
    assert len(set(signatures)) == 3


def test_short_texts_are_noted() -> None:
    few, enough = (dy.measure([[f"w{i}" for i in range(n)]], "mtld", tokens=True)[0] for n in (49, 50))
    assert few.notes == (
        "The texts have 49 tokens on average, too few for a reliable value: measure longer texts.",
    )
    assert enough.notes == ()
