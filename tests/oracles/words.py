"""The rule of the `words` tokenizer as a loop over characters, with `unicodedata` as the judge."""

from __future__ import annotations

import functools
import unicodedata

KANA = ("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "HENTAIGANA")
IDEOGRAPHS = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "NUSHU CHARACTER")


@functools.lru_cache(maxsize=4096)
def kind(character: str) -> str:
    """Return space, letter, digit, extend, ideograph or other."""
    code, category = ord(character), unicodedata.category(character)
    if character.isspace() or character in "\u200b\ufeff":
        return "space"
    if code in (0x3005, 0x3006, 0x3007, 0x303B) or 0x3021 <= code <= 0x3029 or 0x3038 <= code <= 0x303A:
        return "ideograph"
    if 0x17000 <= code <= 0x187F7 or 0x18800 <= code <= 0x18AFF or 0x18D00 <= code <= 0x18D08:
        return "ideograph"  # Tangut, which `unicodedata` cannot name
    if category[0] == "M" or category == "Cf":
        return "extend"
    if category in ("Lo", "Lm") and unicodedata.name(character, "").startswith(IDEOGRAPHS + KANA):
        return "ideograph"
    return {"L": "letter", "N": "digit"}.get(category[0], "other")


def words(text: str) -> list[str]:
    """Cut a text, one character at a time."""
    tokens: list[str] = []
    inside_word = False  # may the token at the end of the list grow by a letter or digit?
    base = "space"  # the kind of the last character that is no mark
    for place, character in enumerate(text):
        now = kind(character)
        after = kind(text[place + 1]) if place + 1 < len(text) else "space"
        if now == "space":
            inside_word, base = False, "space"
        elif now == "extend" and base != "space":
            tokens[-1] += character
        elif now == "extend":
            if inside_word:
                tokens[-1] += character
            else:
                tokens.append(character)
                inside_word = True
        elif now in ("letter", "digit"):
            if inside_word:
                tokens[-1] += character
            else:
                tokens.append(character)
            inside_word, base = True, now
        elif inside_word and (
            (character in "'’" and base == "letter" and after == "letter")
            or (character in ".," and base == "digit" and after == "digit")
        ):
            tokens[-1] += character
            base = now
        else:
            tokens.append(character)
            inside_word, base = False, now
    return tokens
