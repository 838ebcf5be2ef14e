"""One scan over UTF-8 bytes that classifies characters, finds tokens, and hashes each token.

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
from distinctly.kernels.sip import hash_token, put_hash

SPACE, LETTER, DIGIT, EXTEND, IDEOGRAPH, OTHER = range(6)

_ONE = np.uintp(1)


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
def _is_in(sorted_hashes: NDArray[np.uint64], x: np.uint64) -> bool:
    place = np.searchsorted(sorted_hashes, x)
    return bool(place < len(sorted_hashes) and sorted_hashes[place] == x)


@inlined
def _scan(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    spans: NDArray[np.int64],
    punct: bool,
    numbers: bool,
    stop_hashes: NDArray[np.uint64],
    dropping: bool,
    double: bool,
) -> tuple[int, int]:
    token = np.uintp(0)
    spelled = len(spans) > 0
    for row in range(np.uintp(len(starts))):
        place, end = np.uintp(starts[row]), np.uintp(ends[row])
        while place < end:
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
            while place < end:
                byte = data[place]
                if in_word and byte < 0x80:  # the common case: one more letter or digit
                    kind = classes[byte]
                    if kind == LETTER or kind == DIGIT:
                        base = kind
                        place += _ONE
                        continue
                    if kind == SPACE:
                        break
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
            pair = hash_token(data, start, place)
            if dropping and _is_in(stop_hashes, pair[0]):
                continue
            put_hash(hashes, token * np.uintp(2) if double else token, pair, double)
            if spelled:
                spans[np.uintp(2) * token] = np.int64(start)
                spans[np.uintp(2) * token + _ONE] = np.int64(place)
            token += _ONE
        bounds[row + _ONE] = np.int64(token)
    return np.int64(token), np.int64(-1)


@compiled
def scan(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    spans: NDArray[np.int64],
) -> tuple[int, int]:
    """Tokenize the texts ``data[starts[i]:ends[i]]``.

    Write one hash per token, the bounds of the tokens of each text, and, if `spans` is not empty, the
    start and end of each token in the data. Return the number of tokens and the position of the first
    undecodable byte, or −1.
    """
    return _scan(data, starts, ends, classes, hashes, bounds, spans, True, True, hashes[:0], False, False)


@compiled
def scan_with(
    data: NDArray[np.uint8],
    starts: NDArray[np.int64],
    ends: NDArray[np.int64],
    classes: NDArray[np.uint8],
    hashes: NDArray[np.uint64],
    bounds: NDArray[np.int64],
    spans: NDArray[np.int64],
    punct: bool,
    numbers: bool,
    stop_hashes: NDArray[np.uint64],
    double: bool,
) -> tuple[int, int]:
    """Do the same, and leave out punctuation, numbers, and the words with these 64-bit hashes (ascending).

    If `double`, hashes have 128 bits: two words per token.
    """
    return _scan(
        data, starts, ends, classes, hashes, bounds, spans, punct, numbers, stop_hashes, True, double
    )
