"""Files of states: tables of counts by key, in partitions, and whatever else is known of some texts.

A file begins with a mark and the version of the format, then has the data, and ends with a description in
JSON, its checksum and its length. So it is written in one go, and any partition can be read alone. The places
of the partitions are just before the description, so that one read of the end finds them. Every piece of data
has a checksum (CRC-32). Numbers are little-endian. The same state is the same file.
"""

from __future__ import annotations

import json
import math
import re
import struct
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from typing import Any, BinaryIO, get_args, get_origin

import numpy as np
from numpy.typing import NDArray

from distinctly.batch import Origin
from distinctly.engine.encoding import UnreadableError, decode, encode
from distinctly.engine.states import CollectedStates, Folded
from distinctly.engine.storage import Stored
from distinctly.errors import DistinctlyError, InputError, reason
from distinctly.hashing import VERSION as HASH_VERSION
from distinctly.hashing import Hashes
from distinctly.statistics.all_tokens import TextPieces
from distinctly.statistics.base import Mergeable
from distinctly.statistics.tables import (
    NONE,
    PARTITIONS,
    Counting,
    HashCounts,
    Table,
    Totals,
    joined,
    sorted_entries,
)

# Version 1: tables of counts of 8 bits, with the larger ones behind them.
FORMAT_VERSION = 1
MARK = b"distinctly state"
_HEAD = struct.Struct("<16sI")
_TAIL = struct.Struct("<IQ16s")
# A count of this or more is written in 8 bytes, after the others.
LARGE = 255
# The number of bytes at the end of a file that are read at once: the places of ten tables, and a description.
END = 1 << 18
# Arrays have numbers, or strings of a fixed number of bytes.
_TYPE = re.compile(r"[<|][biufSV][1-9]\d{0,3}")
# What the description has, beside `origin`.
_DESCRIPTION = {"hash": int, "bits": int, "about": dict, "tables": list, "states": list}
# What decoding raises, if the file was not written by this module.
UNFIT = (
    ArithmeticError,
    AttributeError,
    LookupError,
    RecursionError,
    TypeError,
    ValueError,
)
SAVE_AGAIN = "Save it again from the texts with this version: distinctly state save."


class _Writer:
    """Writes pieces of data one after another, and knows where they are."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.place = 0

    def write(self, data: bytes | memoryview) -> None:
        self._stream.write(data)
        self.place += len(data)

    def array(self, array: NDArray[Any]) -> dict[str, object]:
        """Write an array, and return how to find it."""
        array = np.ascontiguousarray(array)
        little = array.astype(array.dtype.newbyteorder("<"), copy=False)
        data, place = little.tobytes(), self.place
        self.write(data)
        kind = little.dtype.str
        return {"at": place, "type": kind, "shape": list(array.shape), "crc": zlib.crc32(data)}

    def table(self, table: Table) -> Callable[[], dict[str, object]]:
        """Write a table, one partition after another; return a function that writes their places."""
        starts = np.zeros(PARTITIONS + 1, np.int64)
        entries, checksums = np.zeros(PARTITIONS, np.int64), np.zeros(PARTITIONS, np.uint32)
        width = 1
        for p in range(PARTITIONS):
            starts[p] = self.place
            hashes, counts = joined(list(sorted_entries(table, p)))
            if not len(hashes):
                continue
            width = hashes.ndim
            data = _packed(hashes, counts)
            entries[p], checksums[p] = len(hashes), zlib.crc32(data)
            self.write(data)
        starts[PARTITIONS] = self.place
        totals = table.totals
        return lambda: {
            "totals": [totals.total, totals.tokens, totals.texts, totals.short],
            "width": width,
            "starts": self.array(starts),
            "entries": self.array(entries),
            "checksums": self.array(checksums),
        }


def _packed(hashes: Hashes, counts: Hashes) -> bytes:
    """Return keys and counts as bytes: counts in one byte each, larger ones again behind them."""
    large = counts >= LARGE
    small = np.where(large, LARGE, counts).astype(np.uint8)
    return b"".join([hashes.astype("<u8").tobytes(), small.tobytes(), counts[large].astype("<u8").tobytes()])


def _unpacked(data: memoryview, entries: int, width: int) -> HashCounts:
    """Return the keys and counts that were packed; raise if they are not as many."""
    size = 8 * width * entries
    counts = np.frombuffer(data[size : size + entries], np.uint8).astype(np.uint64)
    large = counts == LARGE
    if len(data) != size + entries + 8 * int(large.sum()):
        raise UnreadableError("a partition of a table has another size")
    hashes = np.frombuffer(data[:size], "<u8").astype(np.uint64, copy=False)
    counts[large] = np.frombuffer(data[size + entries :], "<u8")
    return hashes if width == 1 else hashes.reshape(-1, 2), counts


def write_state(
    stream: BinaryIO, collection: CollectedStates, about: Mapping[str, Any], bits: int = 64
) -> None:
    """Write a state to a stream.

    Parameters
    ----------
    stream
        An open file.
    collection
        The states.
    about
        What the states are of, as JSON: metrics, tokenizer and so on.
    bits
        The number of bits of the hashes.
    """
    writer = _Writer(stream)
    writer.write(_HEAD.pack(MARK, FORMAT_VERSION))
    written = [(_name(s), writer.table(table)) for s, table in _in_order(collection.tables)]
    states = [
        {"of": _name(s), "state": encode(canonical(state), writer.array)}
        for s, state in _in_order(collection.folded.states)
    ]
    tables = [{"of": name, **places()} for name, places in written]
    described = {
        "hash": HASH_VERSION,
        "bits": bits,
        "about": about,
        "tables": tables,
        "states": states,
        "origin": encode(collection.folded.origin, writer.array),
    }
    text = json.dumps(described, sort_keys=True, ensure_ascii=False).encode("utf-8", "surrogatepass")
    writer.write(text)
    writer.write(_TAIL.pack(zlib.crc32(text), len(text), MARK))


def canonical(state: Any) -> Any:
    """Return a state in the form that does not depend on how it was added up, if it has several forms."""
    return state.canonical() if hasattr(state, "canonical") else state


def _name(statistic: Mergeable[Any, Any]) -> str:
    return repr(statistic)


def _in_order(by_statistic: Mapping[Any, Any]) -> list[tuple[Any, Any]]:
    return sorted(by_statistic.items(), key=lambda item: _name(item[0]))


def _description(described: Any) -> dict[str, Any]:
    """Return the description of a file; raise if it is not one."""
    if any(not isinstance(described[name], kind) for name, kind in _DESCRIPTION.items()):
        raise UnreadableError("a description of another form")
    if any(not isinstance(entry["of"], str) for entry in (*described["tables"], *described["states"])):
        raise UnreadableError("a state without a name")
    return dict(described)


def _are_counts(values: Sequence[Any]) -> bool:
    """Return whether values are integers that count something."""
    return all(type(value) is int and 0 <= value < 2**63 for value in values)


def checked_origin(origin: Any) -> Origin:
    """Return the origin of texts; raise if it is not one, or if its texts are not in its bytes."""
    if not isinstance(origin, Origin):
        raise UnreadableError("no origin")
    strings, bounds = origin.first.strings, origin.first.bounds
    ends = np.array([0, *np.stack([strings.starts, strings.ends], axis=1).ravel(), len(strings.data)])
    rows = np.array([0, len(strings)]) if bounds is None else np.array([0, *bounds, len(strings)])
    kinds = [array.dtype.kind for array in (strings.starts, strings.ends, ends, rows)]
    if strings.data.dtype != np.uint8 or strings.data.ndim != 1 or kinds != ["i"] * 4:
        raise UnreadableError("texts of another type")
    if (np.diff(ends) < 0).any() or (np.diff(rows) < 0).any():
        raise UnreadableError("texts outside their data")
    return origin


def state_type(statistic: Mergeable[Any, Any]) -> type:
    """Return the class of the states of a statistic, as its base class says: ``Mergeable[Few, …]``."""
    for kind in type(statistic).__mro__:
        for base in vars(kind).get("__orig_bases__", ()):
            if issubclass(get_origin(base) or object, Mergeable) and isinstance(get_args(base)[0], type):
                state: type = get_args(base)[0]
                return state
    return object


@dataclass(frozen=True)
class _Named:
    """A statistic of which only the name is known."""

    name: str

    def __repr__(self) -> str:
        return self.name


class StateFile:
    """A state on disk or in an object store: tables are read partition by partition.

    Parameters
    ----------
    stored
        The file.
    """

    def __init__(self, stored: Stored) -> None:
        self.stored = stored
        self._size = size = stored.size()
        self._end_at = max(size - END, 0)
        self._end = stored.read(self._end_at, size - self._end_at)
        head = self._end[: _HEAD.size] if not self._end_at else stored.read(0, _HEAD.size)
        if not size or not MARK.startswith(head[: len(MARK)]):
            raise InputError("this is not a state. Give a file of distinctly state save.", source=stored.name)
        if size < _HEAD.size + _TAIL.size:
            raise self.damaged("it is too short")
        _, version = _HEAD.unpack(head)
        if version != FORMAT_VERSION:
            raise InputError(
                f"the state has version {version} of the format, and this version of distinctly reads "
                f"version {FORMAT_VERSION}. {SAVE_AGAIN}",
                source=stored.name,
            )
        checksum, length, mark = _TAIL.unpack(self._read(size - _TAIL.size, _TAIL.size))
        if mark != MARK or length > size - _HEAD.size - _TAIL.size:
            raise self.damaged("its end is missing")
        text = self._read(size - _TAIL.size - length, length)
        if zlib.crc32(text) != checksum:
            raise self.damaged("the checksum of its description differs")
        try:
            self._described = _description(json.loads(text.decode("utf-8", "surrogatepass")))
        except UNFIT as error:
            raise self.damaged("its description cannot be read") from error
        if self._described["hash"] != HASH_VERSION:
            raise InputError(
                f"the state was counted by version {self._described['hash']} of the hash, and this version "
                f"of distinctly has version {HASH_VERSION}. {SAVE_AGAIN}",
                source=stored.name,
            )

    @property
    def about(self) -> Mapping[str, Any]:
        """What the states are of."""
        about: Mapping[str, Any] = self._described["about"]
        return about

    @property
    def bits(self) -> int:
        """The number of bits of the hashes."""
        return int(self._described["bits"])

    @property
    def names(self) -> list[str]:
        """The statistics, as text."""
        return [entry["of"] for entry in (*self._described["tables"], *self._described["states"])]

    def collected(self, statistics: Sequence[Mergeable[Any, Any]]) -> CollectedStates:
        """Return the states of some statistics, all of which it must have; tables are read when needed."""
        collection = self._decoded(
            {_name(s): s for s in statistics if isinstance(s, Counting)},
            {_name(s): s for s in statistics if not isinstance(s, Counting)},
        )
        for statistic, state in collection.folded.states.items():
            if not isinstance(state, state_type(statistic)):
                raise self.damaged(f"no state of {type(statistic).__name__}")
        return collection

    def everything(self) -> CollectedStates:
        """Return all states, of statistics that are known by their names alone: to merge them."""
        names = {name: _Named(name) for name in self.names}
        return self._decoded(
            {entry["of"]: names[entry["of"]] for entry in self._described["tables"]},
            {entry["of"]: names[entry["of"]] for entry in self._described["states"]},
        )

    def verify(self) -> None:
        """Read the whole file, and raise if any checksum differs."""
        everything = self.everything()
        for table in everything.tables.values():
            for p in range(PARTITIONS):
                for _ in table.entries(p):
                    pass
        for state in everything.folded.states.values():
            for piece in state.pieces if isinstance(state, TextPieces) else ():
                piece.read()

    def _decoded(self, counting: Mapping[str, Any], others: Mapping[str, Any]) -> CollectedStates:
        """Return the states with some names."""
        tables = {entry["of"]: entry for entry in self._described["tables"]}
        states = {entry["of"]: entry for entry in self._described["states"]}
        with self.errors():
            return CollectedStates(
                {statistic: self._table(tables[name]) for name, statistic in counting.items()},
                Folded(
                    {
                        s: decode(states[name]["state"], self._array, self.errors)
                        for name, s in others.items()
                    },
                    None,
                    checked_origin(decode(self._described["origin"], self._array)),
                ),
            )

    def errors(self) -> AbstractContextManager[None]:
        """Raise an error of this file for data that do not fit together."""
        return _errors_of(self.stored)

    def item(self, statistic: Mergeable[Any, Any], place: int) -> Any:
        """Return one item of a state that is a tuple, without reading the others."""
        states = {entry["of"]: entry for entry in self._described["states"]}
        with self.errors():
            return decode(states[_name(statistic)]["state"]["tuple"][place], self._array)

    def _table(self, entry: Mapping[str, Any]) -> StoredTable:
        starts, entries, checksums = (self._array(entry[name]) for name in ("starts", "entries", "checksums"))
        shapes = [(array.dtype.kind, array.shape) for array in (starts, entries, checksums)]
        if shapes != [("i", (PARTITIONS + 1,)), ("i", (PARTITIONS,)), ("u", (PARTITIONS,))]:
            raise UnreadableError("a table has another number of partitions")
        if (np.diff(starts) < 0).any() or starts[0] < 0 or starts[-1] > self._size or (entries < 0).any():
            raise UnreadableError("a table is outside the file")
        if entry["width"] not in (1, 2) or len(entry["totals"]) != 4 or not _are_counts(entry["totals"]):
            raise UnreadableError("a table has other numbers")
        totals = Totals(*entry["totals"])
        return StoredTable(self.stored, totals, entry["width"], starts, entries, checksums)

    def _array(self, entry: Mapping[str, Any]) -> NDArray[Any]:
        if not _TYPE.fullmatch(entry["type"]) or not _are_counts([entry["at"], *entry["shape"]]):
            raise UnreadableError("an array of an unknown type")
        kind = np.dtype(entry["type"])
        data = self._read(entry["at"], kind.itemsize * math.prod(entry["shape"]))
        self.check(data, entry["crc"])
        array = np.frombuffer(data, kind).reshape(entry["shape"])
        return np.array(array, kind.newbyteorder("="))

    def _read(self, start: int, length: int) -> bytes:
        """Return some bytes; those at the end of the file are known. Raise if there are not as many."""
        if start + length > self._size:
            raise self.damaged("data are outside the file")
        if start >= self._end_at:
            return self._end[start - self._end_at : start - self._end_at + length]
        data = self.stored.read(start, length)
        if len(data) != length:
            raise self.damaged("it has become shorter")
        return data

    def check(self, data: bytes | memoryview, checksum: int) -> None:
        """Raise if data does not have its checksum."""
        _check(self.stored, data, checksum)

    def damaged(self, why: str) -> InputError:
        """Return the error for a file that cannot be read, and why."""
        return _damaged(self.stored, why)


def _check(stored: Stored, data: bytes | memoryview, checksum: int) -> None:
    """Raise if data does not have its checksum."""
    if zlib.crc32(data) != checksum:
        raise _damaged(stored, "a checksum differs")


def _damaged(stored: Stored, why: str) -> InputError:
    return InputError(
        f"the state is damaged or incomplete ({why}). Copy it again, or save it again from the texts.",
        source=stored.name,
    )


@contextmanager
def _errors_of(stored: Stored) -> Iterator[None]:
    """Raise an error of a file for data that do not fit together."""
    try:
        yield
    except DistinctlyError:
        raise
    except UNFIT as error:
        raise _damaged(stored, reason(error)) from error


@dataclass(frozen=True)
class StoredTable:
    """A table in a file, or some of its partitions.

    Attributes
    ----------
    stored
        The file.
    totals
        The sums over the texts.
    width
        The number of words per key.
    starts, lengths, checksums
        Where each partition begins (and, at the end, where the last one ends), how many keys it has, and its
        checksum.
    first
        The first partition.
    """

    stored: Stored
    totals: Totals
    width: int
    starts: NDArray[np.int64]
    lengths: NDArray[np.int64]
    checksums: NDArray[np.uint32]
    first: int = 0

    def within(self, partitions: range) -> StoredTable:
        """Return consecutive partitions; of thousands of files, the places of all would fill the memory."""
        start, stop = partitions.start - self.first, partitions.stop - self.first
        return replace(
            self,
            starts=self.starts[start : stop + 1].copy(),
            lengths=self.lengths[start:stop].copy(),
            checksums=self.checksums[start:stop].copy(),
            first=partitions.start,
        )

    def entries(self, p: int) -> Iterator[HashCounts]:
        """Yield the keys and counts of a partition."""
        return (piece for piece in self.read(range(p, p + 1)) if len(piece[0]))

    def read(self, partitions: range) -> list[HashCounts]:
        """Read consecutive partitions in one go."""
        places = range(partitions.start - self.first, partitions.stop - self.first)
        start, end = int(self.starts[places.start]), int(self.starts[places.stop])
        data = memoryview(self.stored.read(start, end - start) if end > start else b"")
        pieces = []
        for place in places:
            count = int(self.lengths[place])
            part = data[int(self.starts[place]) - start : int(self.starts[place + 1]) - start]
            _check(self.stored, part, int(self.checksums[place]))
            with _errors_of(self.stored):
                piece = _unpacked(part, count, self.width)
            pieces.append(piece if count else (NONE, NONE))
        return pieces


class ReadAhead:
    """A table in a file whose partitions are read in order: several of them at a time.

    Parameters
    ----------
    table
        The table.
    size
        The number of bytes to read at a time; a larger partition is read alone.
    """

    def __init__(self, table: StoredTable, size: int) -> None:
        self.totals = table.totals
        self._table, self._size = table, size
        self._first, self._pieces = 0, list[HashCounts]()

    def entries(self, p: int) -> Iterator[HashCounts]:
        """Yield the keys and counts of a partition."""
        if not 0 <= p - self._first < len(self._pieces):
            starts = self._table.starts
            stop = int(np.searchsorted(starts, starts[p] + self._size, side="right")) - 1
            stop = min(max(stop, p + 1), PARTITIONS)
            self._first, self._pieces = p, self._table.read(range(p, stop))
        piece = self._pieces[p - self._first]
        if len(piece[0]):
            yield piece


def read_ahead(states: CollectedStates, size: int) -> CollectedStates:
    """Return states whose tables are read in order, about `size` bytes of each at a time."""
    tables = {
        statistic: ReadAhead(table, size) if isinstance(table, StoredTable) else table
        for statistic, table in states.tables.items()
    }
    return CollectedStates(tables, states.folded)
