"""One scan over UTF-8 bytes that classifies characters and finds tokens.

The rule is that of `tokenizers/words.py`. The table of classes decides which tokenizer it is: if every
visible character is a letter, tokens are separated by white space; if every character is of the class
`OTHER`, each character is a token.

Tokens can be left out, by the rule of `tokenizers/dropping.py`. The kind of the last character that is no
mark decides in most cases: it is a letter or digit in every word except those of marks alone.

Positions and lengths are unsigned throughout: signed indices cost a third of the speed.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from distinctly.kernels.compiling import compiled, inlined

SPACE, LETTER, DIGIT, EXTEND, IDEOGRAPH, OTHER = range(6)

_ONE, _TWO = np.uintp(1), np.uintp(2)


@inlined
def decode(data: NDArray[np.uint8], place: np.uintp, end: np.uintp) -> tuple[np.uint32, np.uintp]:
    """Return the character at a position and its number of bytes; 0 bytes if they are undecodable.

    Surrogates are accepted, as by Python's ``surrogatepass``; the bytes of files are checked before.
    """
    first = np.uint32(data[place])
    if first < 0x80:
        return first, _ONE
    wide = np.uintp(0)
    if 0xC2 <= first < 0xE0:
        wide = np.uintp(2)
        code = first & np.uint32(0x1F)
    elif 0xE0 <= first < 0xF0:
        wide = np.uintp(3)
        code = first & np.uint32(0x0F)
    elif 0xF0 <= first < 0xF5:
        wide = np.uintp(4)
        code = first & np.uint32(0x07)
    else:
        return first, np.uintp(0)
    if place + wide > end:
        return first, np.uintp(0)
    for i in range(_ONE, wide):
        follow = np.uint32(data[place + i])
        if follow & np.uint32(0xC0) != np.uint32(0x80):
            return first, np.uintp(0)
        code = (code << np.uint32(6)) | (follow & np.uint32(0x3F))
    if (wide == np.uintp(3) and code < 0x800) or (wide == np.uintp(4) and not 0x10000 <= code < 0x110000):
        return first, np.uintp(0)
    return code, wide


@inlined
def _has_letter(data: NDArray[np.uint8], start: np.uintp, end: np.uintp, classes: NDArray[np.uint8]) -> bool:
    """Return whether a token contains a letter; its bytes are known to be decodable."""
    place = start
    while place < end:
        code, wide = decode(data, place, end)
        if classes[code] == LETTER:
            return True
        place += wide
    return False


@inlined
def _find(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    spans: NDArray[np.int64],
    counts: NDArray[np.int64],
    punct: bool,
    numbers: bool,
    dropping: bool,
) -> tuple[int, int]:
    token = np.uintp(0)
    for row in range(np.uintp(len(starts))):
        place, end = np.uintp(starts[row]), np.uintp(ends[row])
        while place < end:
            kind = classes[data[place]]
            if data[place] < 0x80:  # the common case: ASCII
                if kind == SPACE:
                    place += _ONE
                    continue
                start = place
                place += _ONE
            else:
                code, wide = decode(data, place, end)
                if not wide:
                    return np.int64(token), np.int64(place)
                kind = classes[code]
                if kind == SPACE:
                    place += wide
                    continue
                start = place
                place += wide
            in_word = kind <= EXTEND
            base = kind
            if in_word:
                while place < end and data[place] < 0x80:
                    kind = classes[data[place]]
                    if kind != LETTER and kind != DIGIT:
                        break
                    base = kind
                    place += _ONE
            while place < end:
                code, wide = np.uint32(data[place]), _ONE
                if code < 0x80:
                    kind = classes[code]
                    if kind == SPACE:
                        break
                else:
                    code, wide = decode(data, place, end)
                    if not wide:
                        return np.int64(token), np.int64(place)
                    kind = classes[code]
                if kind == EXTEND:
                    place += wide
                elif in_word and (kind == LETTER or kind == DIGIT):
                    base = kind
                    place += wide
                elif (
                    in_word
                    and place + wide < end
                    and (
                        (base == LETTER and (code == 0x27 or code == 0x2019))
                        or (base == DIGIT and (code == 0x2E or code == 0x2C))
                    )
                ):
                    after, after_wide = decode(data, place + wide, end)
                    if not after_wide or classes[after] != base:
                        break
                    place += wide + after_wide
                else:
                    break
            if dropping and (
                (not punct and (base == OTHER or base == EXTEND))
                or (not numbers and base == DIGIT and not _has_letter(data, start, place, classes))
            ):
                continue
            spans[_TWO * token] = np.int64(start)
            spans[_TWO * token + _ONE] = np.int64(place)
            token += _ONE
        counts[row] = np.int64(token)
    return np.int64(token), np.int64(-1)


@compiled
def find_tokens(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    spans: NDArray[np.int64],
    counts: NDArray[np.int64],
) -> tuple[int, int]:
    """Find the tokens of the texts ``data[starts[i]:ends[i]]``.

    Write the start and the end of each token to `spans`, and the number of tokens up to the end of each text
    to `counts`. Return the number of all tokens and the position of the first undecodable byte, or −1.
    """
    return _find(data, starts, ends, classes, spans, counts, True, True, False)


@compiled
def find_some_tokens(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    spans: NDArray[np.int64],
    counts: NDArray[np.int64],
    punct: bool,
    numbers: bool,
) -> tuple[int, int]:
    """Do the same, and leave out punctuation and numbers."""
    return _find(data, starts, ends, classes, spans, counts, punct, numbers, True)
