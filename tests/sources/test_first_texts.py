"""The first texts of a corpus, which can be quoted: the same however the corpus is cut into batches."""

from __future__ import annotations

from unittest import mock

from hypothesis import given
from hypothesis import strategies as st

from distinctly import batch
from distinctly.batch import Batch

TEXTS = st.lists(st.text("ab é", max_size=4), max_size=9)
TOKENS = st.lists(st.lists(st.text("ab", min_size=1, max_size=3), max_size=3), max_size=9)


def expected(texts: list[str] | list[list[str]], most: int, size: int) -> list[str] | list[list[str]]:
    """Take texts one by one until there are enough."""
    taken, taken_bytes = [], 0
    for text in texts[:most]:
        if taken_bytes >= size:
            break
        taken.append(text)
        taken_bytes += len("".join(text).encode())
    return taken


def kept(first: Batch) -> list[str] | list[list[str]]:
    """Return the texts of a batch as they came."""
    return [first.select([row]).strings.tolist() for row in range(len(first))]


@given(texts=st.one_of(TEXTS, TOKENS), cut=st.integers(0, 9), most=st.integers(1, 5), size=st.integers(1, 12))
def test_batches_do_not_change_the_first_texts(texts, cut, most, size):
    with mock.patch.multiple(batch, FIRST=most, FIRST_BYTES=size):
        origin = Batch.of(texts[:cut]).origin + Batch.of(texts[cut:]).origin
        wanted = [[text] if isinstance(text, str) else text for text in expected(texts, most, size)]
        assert kept(origin.first) == wanted
        assert kept(Batch.of(texts).origin.first) == wanted


def test_a_copy_does_not_hold_the_bytes_of_other_texts():
    whole = Batch.of(["first", *(f"text {number}" for number in range(1000))])
    assert len(whole.first_texts().strings.data) < len(whole.strings.data) / 4
