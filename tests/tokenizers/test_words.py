"""`words`: the rule, case by case; every code point against `unicodedata`; arbitrary text."""

from __future__ import annotations

import hashlib
import pickle
import sys
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given, settings
from tests.oracles import words as oracle
from tests.strategies import TEXTS

from distinctly.errors import SpecError
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


@pytest.mark.slow
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


@pytest.mark.parametrize(
    ("text", "without_punctuation", "without_numbers"),
    [
        ("Don’t stop, it's 3.14!", ["Don’t", "stop", "it's", "3.14"], ["Don’t", "stop", ",", "it's", "!"]),
        ("a_b-c $5 50%", ["a", "b", "c", "5", "50"], ["a", "_", "b", "-", "c", "$", "%"]),
        # Letters make a word of digits.
        ("90s v2.0 2nd 1,000.50", ["90s", "v2.0", "2nd", "1,000.50"], ["90s", "v2.0", "2nd"]),
        ("½ Ⅷ x² ١٢", ["½", "Ⅷ", "x²", "١٢"], ["x²"]),  # all of Unicode's N are digits
        ("二〇年12", ["二", "〇", "年", "12"], ["二", "〇", "年"]),  # ideographs are words
        ("ok 👍🏽 ❤️ 👩‍💻 → + §", ["ok"], ["ok", "👍", "🏽", "❤️", "👩‍", "💻", "→", "+", "§"]),
        # Marks and joiners without a character before them are words only if a letter or digit follows.
        (
            "\u0301 \u200d\ufe0f \u0301a \u03011",
            ["\u0301a", "\u03011"],
            ["\u0301", "\u200d\ufe0f", "\u0301a"],
        ),
        ("!\u0301a 1\u0301 .\u0301", ["a", "1\u0301"], ["!\u0301", "a", ".\u0301"]),
        ("𝐀𝟏 𝟏 𠀀 😀", ["𝐀𝟏", "𝟏", "𠀀"], ["𝐀𝟏", "𠀀", "😀"]),
        ("...?!", [], [".", ".", ".", "?", "!"]),
        ("", [], []),
    ],
)
def test_punctuation_and_numbers_are_left_out(
    text: str, without_punctuation: list[str], without_numbers: list[str]
) -> None:
    assert Words(punct=False).tokenize(text) == without_punctuation
    assert Words(numbers=False).tokenize(text) == without_numbers
    both = [token for token in without_punctuation if token in without_numbers]
    assert Words(punct=False, numbers=False).tokenize(text) == both


@settings(max_examples=500)
@given(TEXTS)
def test_what_is_left_out_of_arbitrary_text(text: str) -> None:
    text = "".join(c for c in text if not assigned_since(c))
    kinds = [(token, {oracle.kind(character) for character in token}) for token in oracle.words(text)]
    is_word = {"letter", "ideograph"}
    assert Words(punct=False).tokenize(text) == [token for token, of in kinds if of & (is_word | {"digit"})]
    assert Words(numbers=False).tokenize(text) == [
        token for token, of in kinds if of & is_word or "digit" not in of
    ]


def stop_file(folder: Path, content: str) -> str:
    path = folder / "stop.txt"
    path.write_bytes(content.encode())
    return str(path)


def test_stop_words_are_left_out(tmp_path: Path) -> None:
    # With a byte order mark, white space around words, an empty line, and both kinds of line ends.
    path = stop_file(tmp_path, "\ufeffThe\r\n on \n\ndon’t\nwell-known\n")
    text = "The cat sat ON the mat. Don’t!"
    assert Words(stopwords=path).tokenize(text) == ["cat", "sat", "ON", "the", "mat", ".", "Don’t", "!"]
    lowered = Words(stopwords=path, lc=True, punct=False)
    assert lowered.tokenize(text) == ["cat", "sat", "mat"]
    assert lowered.tokenize("well-known") == ["well", "known"]  # is not one token


def test_the_options_are_signed_only_if_they_are_used(tmp_path: Path) -> None:
    path = stop_file(tmp_path, "the\n")
    assert Words(punct=True, numbers=True).options() == {"lc": "no"}
    assert Words(punct=False, lc=True).options() == {"lc": "yes", "punct": "no"}
    # The first 16 digits of `sha256sum stop.txt`.
    signed = {"lc": "no", "numbers": "no", "stopwords": "./stop.txt", "hash": digest_of("the\n")}
    assert Words(numbers=False, stopwords=path).options() == signed


def digest_of(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:16]


def test_the_content_of_a_file_decides_and_not_its_name(tmp_path: Path) -> None:
    path = stop_file(tmp_path, "the\n")
    (tmp_path / "other.txt").write_text("the\n")
    tokenizer = Words(stopwords=path)
    assert tokenizer == Words(stopwords=str(tmp_path / "other.txt"))
    content = "the\na\n"
    stop_file(tmp_path, content)
    assert Words(stopwords=path) != tokenizer
    with pytest.raises(SpecError, match=f"Expected hash {tokenizer.hash} .* got {digest_of(content)}"):
        Words(stopwords=path, hash=tokenizer.hash)


def test_stop_words_of_a_relative_path_are_found_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stop_file(tmp_path, "the\n")
    monkeypatch.chdir(tmp_path)
    packed = pickle.dumps(Words(stopwords="stop.txt"))
    monkeypatch.chdir("/")
    assert pickle.loads(packed).tokenize("the cat") == ["cat"]
