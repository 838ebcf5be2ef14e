"""`lexicalrichness` and `kyle`: exactly the tokens of the packages."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.richness import RAW, kyle, peer
from tests.strategies import TEXTS
from tests.tokenizers.samples import TEXTS as SAMPLES

from distinctly.tokenizers import find_tokenizer

# What the packages treat in a special way: digits, dashes, punctuation, white space, and their markers.
SPECIAL = st.lists(
    st.sampled_from([*"aB1٣ \t\n\u2028'’\"“`-–—_.,;:!?()%/$", "-LRB-", "SYM", "S.YM", "``", "''", "Σ"]),
    max_size=20,
).map("".join)


@pytest.mark.parametrize(
    ("name", "text", "tokens"),
    [
        # LexicalRichness("…").wordlist of LexicalRichness 0.5.1
        ("lexicalrichness", "A hyphen-here, 3rd", ["a", "hyphenhere", "rd"]),
        ("lexicalrichness", "don't don’t x_y 1,000.5", ["don", "t", "don’t", "x", "y"]),
        ("lexicalrichness", "“Yes” – no—maybe…", ["“yes”", "nomaybe…"]),
        ("lexicalrichness", " 12 -- ", []),
        # lex_div.tokenize("…") of lexical-diversity 0.1.1
        ("kyle", "A hyphen-here, 3rd", ["a", "hyphenhere", "3rd"]),
        ("kyle", "don't don’t x_y 1,000.5", ["dont", "don’t", "xy", "10005"]),
        ("kyle", "THE SYMPHONY sym", ["the", "phony", "sym"]),
        ("kyle", " a -- b.\n", ["", "a", "b", ""]),
        ("kyle", "", [""]),
    ],
)
def test_by_hand(name: str, text: str, tokens: list[str]) -> None:
    assert find_tokenizer(name).tokenize(text) == tokens


@settings(max_examples=500)
@given(text=st.one_of(TEXTS, SPECIAL, st.sampled_from([*RAW, *SAMPLES])))
def test_tokens_of_lexicalrichness(text: str) -> None:
    assert (
        find_tokenizer("lexicalrichness").tokenize(text)
        == peer("lexicalrichness").LexicalRichness(text).wordlist
    )


@settings(max_examples=500)
@given(text=st.one_of(TEXTS, SPECIAL, st.sampled_from([*RAW, *SAMPLES])))
def test_tokens_of_lexical_diversity(text: str) -> None:
    assert find_tokenizer("kyle").tokenize(text) == kyle().tokenize(text)
