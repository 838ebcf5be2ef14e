"""Write src/distinctly/tokenizers/unicode_classes.py from the Unicode database of this Python.

The `words` tokenizer reads its character classes from that file, not from `unicodedata`, so that
a text has the same tokens in every version of Python. Run the script with a Python that has the required
Unicode version, and raise the version of the package: tokens of newly assigned characters may change.

    python scripts/make_unicode_classes.py
"""

from __future__ import annotations

import sys
import textwrap
import unicodedata
from pathlib import Path

TARGET = Path(__file__).parent.parent / "src/distinctly/tokenizers/unicode_classes.py"

KANA = ("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA", "HENTAIGANA")
IDEOGRAPHS = ("CJK UNIFIED IDEOGRAPH", "CJK COMPATIBILITY IDEOGRAPH", "NUSHU CHARACTER")
# Ideographic characters that cannot be recognised by their names, and the two iteration marks.
IDEOGRAPHIC_RANGES = (
    (0x3005, 0x3007),  # iteration mark, closing mark, zero
    (0x3021, 0x3029),  # Hangzhou numerals
    (0x3038, 0x303B),  # more of them, and the vertical iteration mark
    (0x17000, 0x187F7),  # Tangut
    (0x18800, 0x18AFF),  # Tangut components
    (0x18D00, 0x18D08),  # Tangut supplement
)
# Invisible marks of a boundary, which are not tokens.
BOUNDARIES = (0x200B, 0xFEFF)


def class_of(code: int) -> str:
    """Return the name of the class of a code point, or an empty string if it has none."""
    character = chr(code)
    category = unicodedata.category(character)
    name = unicodedata.name(character, "")
    if character.isspace() or code in BOUNDARIES:
        return "SPACE"
    if any(first <= code <= last for first, last in IDEOGRAPHIC_RANGES):
        return "IDEOGRAPH"
    if category[0] == "M" or category == "Cf":
        return "EXTEND"
    if category in ("Lo", "Lm") and name.startswith(IDEOGRAPHS + KANA):
        return "IDEOGRAPH"
    return {"L": "LETTER", "N": "DIGIT"}.get(category[0], "")


def main() -> None:
    """Collect ranges of equal class and write them as first-last pairs in hexadecimal."""
    ranges_of: dict[str, list[list[int]]] = {}
    for code in range(sys.maxunicode + 1):
        name = class_of(code)
        if not name:
            continue
        ranges = ranges_of.setdefault(name, [])
        if ranges and ranges[-1][1] == code - 1:
            ranges[-1][1] = code
        else:
            ranges.append([code, code])
    lines = [
        '"""Character classes of the `words` tokenizer. Made by scripts/make_unicode_classes.py.',
        "",
        "Each class is a list of inclusive ranges of code points, `first-last` in hexadecimal.",
        "A code point in no class (punctuation, symbols, controls, unassigned) is a token alone.",
        '"""',
        "",
        f'UNICODE_VERSION = "{unicodedata.unidata_version}"',
    ]
    for name in ("SPACE", "LETTER", "DIGIT", "EXTEND", "IDEOGRAPH"):
        pairs = " ".join(f"{a:x}-{b:x}" if a != b else f"{a:x}" for a, b in ranges_of[name])
        lines += ["", f'{name} = """', *textwrap.wrap(pairs, 96, break_on_hyphens=False), '"""']
    TARGET.write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(
        f"{TARGET.name}: Unicode {unicodedata.unidata_version}, "
        + ", ".join(f"{name} {len(ranges)} ranges" for name, ranges in ranges_of.items())
    )


if __name__ == "__main__":
    main()
