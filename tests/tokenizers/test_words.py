"""`words`: the rule, case by case; every code point against `unicodedata`; arbitrary text."""

from __future__ import annotations

import sys
import unicodedata

import pytest
from hypothesis import given, settings
from tests.oracles import words as oracle
from tests.strategies import TEXTS

from distinctly.tokenizers.unicode_classes import UNICODE_VERSION
from distinctly.tokenizers.words import Words


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("The cat sat.", ["The", "cat", "sat", "."]),
        ("don't won’t", ["don't", "won’t"]),
        (
            "rock 'n' roll, dogs' '90s 80's",
            ["rock", "'", "n", "'", "roll", ",", "dogs", "'", "'", "90s", "80", "'", "s"],
        ),
        (
            "3.14 1,000.50 v2.0 3. .5 1,a e.g.",
            ["3.14", "1,000.50", "v2.0", "3", ".", ".", "5", "1", ",", "a", "e", ".", "g", "."],
        ),
        ("a_b-c #tag @me $5 50%", ["a", "_", "b", "-", "c", "#", "tag", "@", "me", "$", "5", "50", "%"]),
        ("...?!", [".", ".", ".", "?", "!"]),
        ("知道吗？", ["知", "道", "吗", "？"]),
        ("カタカナとひらがな", list("カタカナとひらがな")),
        ("東京2020年abc漢", ["東", "京", "2020", "年", "abc", "漢"]),
        ("한국어 단어", ["한국어", "단어"]),  # Hangul syllables are letters
        ("नमस्ते दुनिया", ["नमस्ते", "दुनिया"]),  # vowel signs are marks
        ("می‌خواهم", ["می‌خواهم"]),  # a zero-width non-joiner stays
        ("cafe\u0301 e\u0301'a", ["cafe\u0301", "e\u0301'a"]),  # marks do not hide the letter before '
        ("が\u3099a", ["が\u3099", "a"]),
        ("❤️ok 👍🏽", ["❤️", "ok", "👍", "🏽"]),
        ("👩‍💻", ["👩‍", "💻"]),
        (" \u0301a", ["\u0301a"]),
        ("a\u200bb\ufeffc", ["a", "b", "c"]),
        ("soft\u00adhyphen", ["soft\u00adhyphen"]),
        ("a\x00b", ["a", "\x00", "b"]),
        ("a\ud800b", ["a", "\ud800", "b"]),
        ("a\x1cb\x85c\u3000d", ["a", "b", "c", "d"]),
        ("½ cup x²", ["½", "cup", "x²"]),
        ("", []),
        (" \t\n", []),
    ],
)
def test_rule(text: str, tokens: list[str]) -> None:
    assert Words().tokenize(text) == tokens


def test_lower_casing_and_normalisation() -> None:
    assert Words(lc=True).tokenize("The İstanbul") == ["the", "i̇stanbul"]
    assert Words(norm="nfc").tokenize("e\u0301") == ["é"]
    assert Words(norm="nfkc", lc=True).tokenize("ＡＢＣ①") == ["abc1"]


def test_every_code_point_in_context_against_the_oracle() -> None:
    """Each code point between letters, digits, ideographs and apostrophes, on all 17 planes."""
    wrong, tokenizer = [], Words()
    for code in range(sys.maxunicode + 1):
        character = chr(code)
        text = f"a{character}b 1{character}2 漢{character}'a"
        if not assigned_since(character) and tokenizer.tokenize(text) != oracle.words(text):
            wrong.append(f"U+{code:04X}")
    assert not wrong, f"{len(wrong)} code points differ: {wrong[:20]}"


def assigned_since(character: str) -> bool:
    """Return whether a character is assigned in only one of our Unicode version and Python's."""
    if unicodedata.unidata_version == UNICODE_VERSION:
        return False
    alone = Words().tokenize(f"a{character}b") == ["a", character, "b"]
    return unicodedata.category(character) == "Cn" or (alone and oracle.kind(character) != "other")


@settings(max_examples=1000)
@given(TEXTS)
def test_arbitrary_text_against_the_oracle(text: str) -> None:
    text = "".join(c for c in text if not assigned_since(c))
    assert Words().tokenize(text) == oracle.words(text)


@given(TEXTS)
def test_nothing_but_white_space_is_lost(text: str) -> None:
    text = "".join(c for c in text if not assigned_since(c))
    kept = "".join(c for c in text if oracle.kind(c) != "space")
    assert "".join(Words().tokenize(text)) == kept
