"""`Strings`: encoded and decoded together, as one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from distinctly.strings import Strings

# Also halves of a surrogate pair, which two adjacent strings may have.
CHARACTERS = st.sampled_from(["a", "b", "\x00", "é", "知", "👍", "\ud83d", "\udc4d"])
COLUMNS = st.lists(st.text(CHARACTERS, max_size=4), max_size=12)


def one_by_one(strings: Sequence[str]) -> list[bytes]:
    """Encode each string by itself."""
    return [string.encode("utf-8", "surrogatepass") for string in strings]


@given(COLUMNS)
@example(["\ud83d", "\udc4d"])
@example(["é"])
@example(["é" * 100, "a"])
def test_encoding_and_decoding(strings: list[str]) -> None:
    column = Strings.encode(strings)
    assert column.encoded() == one_by_one(strings)
    assert column.tolist() == strings
    assert [column[row] for row in range(len(strings))] == strings


@given(COLUMNS, st.data())
def test_a_selection_is_decoded_too(strings: list[str], data: st.DataObject) -> None:
    rows = data.draw(st.lists(st.integers(0, len(strings) - 1)) if strings else st.just([]))
    assert Strings.encode(strings).take(rows).tolist() == [strings[row] for row in rows]


def test_bytes_of_no_string_are_not_decoded() -> None:
    data = np.frombuffer(b"\xffab\xc3\xa9c\xff", np.uint8)
    for first, last, expected in [(1, 6, ["a", "b", "é", "c"]), (1, 5, ["a", "b", "é"])]:
        starts = np.array([1, 2, 3, 5][: len(expected)])
        ends = np.append(starts[1:], last)
        assert starts[0] == first
        assert Strings(data, starts, ends).tolist() == expected
