"""Tables of counts, against dictionaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from distinctly.hashing import Hashes
from distinctly.statistics import tables
from distinctly.statistics.tables import (
    PARTITIONS,
    SMALL,
    HashCounts,
    MergedTable,
    PackedTable,
    Tally,
    Totals,
    add_counts,
    frequent_entries,
    joined,
    of_turn,
    turns_for,
    words_of,
)

# Keys of one or of two words. Few first words, so that keys agree in a part of their bits, or in all.
FIRST = st.sampled_from([0, 1, 2**53, 2**54 - 1, 2**54, 2**63, 2**63 + 1, 2**64 - 1])
SECOND = st.sampled_from([0, 1, 256, 2**64 - 1])
COUNTS = st.one_of(st.integers(1, 5), st.sampled_from([254, 255, 256, SMALL - 1, SMALL, SMALL + 1, 2**40]))
Known = dict[tuple[int, ...], int]
NARROW = st.dictionaries(st.tuples(st.one_of(FIRST, st.integers(0, 2**64 - 1))), COUNTS, max_size=12)
WIDE = st.dictionaries(st.tuples(FIRST, SECOND), COUNTS, max_size=12)
KNOWN = st.one_of(NARROW, WIDE)
SEVERAL = st.one_of(st.lists(NARROW, max_size=4), st.lists(WIDE, max_size=4))


def arrays(known: Mapping[tuple[int, ...], int], order: int = 1) -> HashCounts:
    """Return keys and counts as arrays, in the order of the dictionary or the reverse."""
    items = list(known.items())[::order]
    keys = np.array([key for key, _ in items], np.uint64)
    wide = bool(items) and len(items[0][0]) == 2
    counts = np.array([count for _, count in items], np.uint64)
    return (keys if wide else keys.reshape(-1)), counts


def dictionary(hashes: Hashes, counts: Hashes) -> Known:
    """Return arrays of distinct keys as a dictionary."""
    rows = hashes.reshape(len(hashes), hashes.ndim).tolist()
    assert len({tuple(row) for row in rows}) == len(rows)
    return {tuple(row): count for row, count in zip(rows, counts.tolist())}


def slow_sum(several: list[Known]) -> Known:
    total: Counter[tuple[int, ...]] = Counter()
    for known in several:
        total.update(known)
    return dict(total)


def partition_of(key: tuple[int, ...]) -> int:
    """Return the partition of a key: its first ten bits."""
    return int(f"{key[0]:064b}"[:10], 2)


@given(KNOWN, KNOWN)
def test_tally(known: Known, more: Known) -> None:
    more = {key: count for key, count in more.items() if key not in known}
    if known and more and len(next(iter(known))) != len(next(iter(more))):
        more = {}
    tally = Tally.of(*arrays(known)) + Tally.of(*arrays(more))
    both = {**known, **more}
    counts = Counter(both.values())
    assert tally.distinct == len(both)
    assert dict(zip(*(column.tolist() for column in tally.counts_of_counts()))) == counts
    assert tally.counts_of_counts()[0].tolist() == sorted(counts)
    assert tally.most == max(both.values(), default=0)
    if both:
        often = [key for key, count in both.items() if count == tally.most]
        # Numbers are compared as numbers, and two words as the bytes of their memory.
        as_bytes = [b"".join(word.to_bytes(8, "little") for word in key) for key in often]
        smallest = min(as_bytes) if len(often[0]) == 2 else min(often)[0].to_bytes(8, "little")
        assert tally.key.ljust(8 * len(often[0]), b"\0") == smallest


@given(KNOWN)
def test_tallies_of_parts_add_up(known: Known) -> None:
    items = list(known.items())
    one, two, three = (dict(items[start::3]) for start in range(3))
    a, b, c = (Tally.of(*arrays(part)) for part in (one, two, three))
    for total in ((a + b) + c, a + (b + c), c + a + b, sum([a, b, c], Tally())):
        whole = Tally.of(*arrays(known))
        assert (total.small == whole.small).all()
        assert (total.large == whole.large).all()
        assert (total.most, total.key) == (whole.most, whole.key)


@given(KNOWN, st.sampled_from([1, -1]))
def test_packed_table(known: Known, order: int) -> None:
    table = PackedTable.of(*arrays(known, order), Totals(5))
    assert table.totals == Totals(5)
    assert dictionary(table.hashes, table.counts) == known
    entries = {p: list(table.entries(p)) for p in range(PARTITIONS)}
    for p in {*map(partition_of, known), 0, 512, PARTITIONS - 1}:
        expected = {key: count for key, count in known.items() if partition_of(key) == p}
        pieces = entries.pop(p)
        assert len(pieces) == bool(expected)
        for piece in pieces:
            assert dictionary(*piece) == expected
            assert list(dictionary(*piece)) == sorted(expected)
    assert not any(entries.values())
    again = PackedTable.packed(table)
    assert (again.hashes == table.hashes).all()
    assert (again.counts == table.counts).all()
    assert (again.bounds == table.bounds).all()


@given(SEVERAL, st.sampled_from([tables.LARGEST_TURN, 1, 2]))
def test_merged_table(several: list[Known], turn: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(tables, "LARGEST_TURN", turn)
        parts = [PackedTable.of(*arrays(known), Totals(1, 2, 3, 4)) for known in several]
        merged = MergedTable(parts, add_counts)
        many = len(several)
        assert merged.totals == Totals(many, 2 * many, 3 * many, 4 * many)
        expected = slow_sum(several)
        read: Known = {}
        for p in {*map(partition_of, expected), 7}:
            keys: list[tuple[int, ...]] = []
            for piece in merged.entries(p):
                assert len(piece[0])
                keys += dictionary(*piece)
                read |= dictionary(*piece)
            assert keys == sorted(key for key in expected if partition_of(key) == p)
        assert read == expected
        packed = PackedTable.packed(merged)
        assert dictionary(packed.hashes, packed.counts) == expected


@given(SEVERAL)
def test_add_counts(several: list[Known]) -> None:
    hashes, counts = add_counts(*joined([arrays(known) for known in several]))
    expected = slow_sum(several)
    assert dictionary(hashes, counts) == expected
    assert list(dictionary(hashes, counts)) == sorted(expected)


@given(KNOWN, st.sampled_from([1, 2, 4, 64]))
def test_turns(known: Known, turns: int) -> None:
    """A turn has the keys whose bits after the first ten are its number; the turns have all keys."""
    bits = turns.bit_length() - 1
    for turn in range(turns):
        expected = {
            key: count
            for key, count in known.items()
            if not bits or int(f"{key[0]:064b}"[10 : 10 + bits], 2) == turn
        }
        assert dictionary(*of_turn(*arrays(known), turn, turns)) == expected


def test_number_of_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "LARGEST_TURN", 10)
    assert [turns_for(entries) for entries in (0, 10, 11, 20, 21, 40, 41)] == [1, 1, 2, 2, 4, 4, 8]


@given(KNOWN, st.integers(1, 300))
def test_frequent_entries(known: Known, least: int) -> None:
    table = PackedTable.of(*arrays(known), Totals())
    frequent = dictionary(*frequent_entries(table, range(PARTITIONS), least))
    assert frequent == {key: count for key, count in known.items() if count >= least}


def test_words_of_keys() -> None:
    wide = np.array([[1, 2], [3, 0]], np.uint64)
    assert (words_of(wide.view("S16").reshape(-1)) == wide).all()
    assert words_of(wide[:, 0]).tolist() == [1, 3]
