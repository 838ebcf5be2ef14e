"""Differences between two records: numbers, signatures, cases, notes and outputs."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from .interface import Entries, Entry

# Fields that hold text, of which only the numbers are compared.
WORDING = ("notes", "reason", "text", "errors", "message", "facts", "signature", "kind")
_NUMBER = re.compile(r"\d+(?:,\d{3}(?!\d))*(?:\.\d+)?(?:e[-+]?\d+)?")
# The versions of the package and of the library that computes vectors.
_VERSION = re.compile(r"\|v:[^|]*|,version:[^|,]*")
Tolerance = Callable[[Entry], float]


@dataclass
class Differences:
    """The differences between two records, by category.

    Attributes
    ----------
    numbers, signatures, notes, outputs, facts
        One line per difference.
    missing, new
        The names of entries that only the first or only the second record has.
    reordered, reworded
        The names of outputs and facts with the same numbers in another order, and of entries that differ only
        in wording.
    example
        The first difference in wording, before and after.
    """

    numbers: list[str] = field(default_factory=list)
    signatures: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    outputs: list[str] = field(default_factory=list)
    facts: list[str] = field(default_factory=list)
    reordered: list[str] = field(default_factory=list)
    reworded: list[str] = field(default_factory=list)
    example: str = ""

    @property
    def failed(self) -> bool:
        """Whether a number differs, or an entry is missing."""
        return bool(self.numbers or self.missing)

    @property
    def any(self) -> bool:
        """Whether anything differs except wording and the order of numbers in outputs."""
        return self.failed or bool(self.signatures or self.new or self.notes or self.outputs or self.facts)


def exactly(_: Entry) -> float:
    """Allow no difference."""
    return 0.0


def differences(before: Entries, after: Entries, tolerance: Tolerance = exactly) -> Differences:
    """Compare two records; `tolerance` returns the relative tolerance of an entry."""
    result = Differences(
        missing=[name for name in before if name not in after],
        new=[name for name in after if name not in before],
    )
    for name, old in before.items():
        if name in after:
            _compare_entry(result, name, old, after[name], tolerance(old))
    return result


def bare(entries: Entries) -> Entries:
    """Return only numbers and signatures, without notes, wording, outputs and empty fields."""
    kept = ("kind", "signature")
    return {
        name: {
            key: _VERSION.sub("", value) if key == "signature" else value
            for key, value in entry.items()
            if (key in kept or key not in WORDING) and value not in (None, {}, [], "")
        }
        for name, entry in entries.items()
        if entry["kind"] not in ("facts", "output")
    }


def _compare_entry(result: Differences, name: str, old: Entry, new: Entry, tolerance: float) -> None:
    """Add the differences between two entries of the same name."""
    old_numbers, new_numbers = dict(_leaves(old)), dict(_leaves(new))
    for path in dict.fromkeys([*old_numbers, *new_numbers]):
        first, second = old_numbers.get(path), new_numbers.get(path)
        if not _same(first, second, tolerance):
            result.numbers.append(f"{name}: {path}: {first!r} -> {second!r}")
    signatures = [_VERSION.sub("", entry.get("signature", "")) for entry in (old, new)]
    if signatures[0] != signatures[1]:
        result.signatures.append(f"{name}: {signatures[0]} -> {signatures[1]}")
    old_notes, new_notes = ([_numbers(note) for note in _note_list(entry)] for entry in (old, new))
    if sorted(old_notes) != sorted(new_notes):
        result.notes.append(f"{name}: {_note_list(old)} -> {_note_list(new)}")
    elif _note_list(old) != _note_list(new):
        _reword(result, name, _note_list(old), _note_list(new))
    for key, lines in (("text", result.outputs), ("errors", result.outputs), ("message", result.outputs)):
        _compare_text(result, lines, f"{name} ({key})", old.get(key, ""), new.get(key, ""))
    shown = [_flat(entry.get("facts")) for entry in (old, new)]
    _compare_text(result, result.facts, name, *("\n".join(lines) for lines in shown))


def _compare_text(result: Differences, lines: list[str], name: str, old: str, new: str) -> None:
    """Compare the numbers in two texts, and record texts that differ only in order or wording."""
    if old == new:
        return
    old_numbers, new_numbers = _numbers(old), _numbers(new)
    if sorted(old_numbers) != sorted(new_numbers):
        lines.append(f"{name}: {_only(old_numbers, new_numbers)} -> {_only(new_numbers, old_numbers)}")
    elif old_numbers != new_numbers:
        result.reordered.append(name)
    else:
        _reword(result, name, old, new)


def _reword(result: Differences, name: str, old: object, new: object) -> None:
    result.reworded.append(name)
    result.example = result.example or f"{name}:\n    {old}\n    {new}"


def _leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Yield the path and the value of each leaf of an entry, without wording, None and empty lists."""
    if isinstance(value, dict):
        for key, item in value.items():
            if path or key not in WORDING:
                yield from _leaves(item, f"{path}.{key}" if path else key)
    elif value is not None and value != []:
        yield path, value


def _same(first: Any, second: Any, tolerance: float) -> bool:
    """Compare two values; NaN is stored as a string, so it equals itself."""
    if type(first) is bool or type(second) is bool or not _are_numbers(first, second):
        return bool(first == second)
    if tolerance:
        return math.isclose(first, second, rel_tol=tolerance, abs_tol=tolerance)
    return bool(first == second) and math.copysign(1, first) == math.copysign(1, second)


def _are_numbers(*values: Any) -> bool:
    return all(isinstance(value, (int, float)) for value in values)


def _note_list(entry: Entry) -> list[str]:
    return [*filter(None, [entry.get("reason", "")]), *entry.get("notes", ())]


def _flat(value: Any) -> list[str]:
    """Return the values of facts, one line per value, without the names of fields."""
    if isinstance(value, dict):
        return [line for item in value.values() for line in _flat(item)]
    if isinstance(value, list):
        return [line for item in value for line in _flat(item)]
    return [] if value is None else [repr(value)]


def _numbers(text: str) -> list[str]:
    return _NUMBER.findall(_VERSION.sub("", text))


def _only(numbers: list[str], others: list[str]) -> list[str]:
    """Return the numbers that are not in `others`, with multiplicity."""
    rest = list(others)
    lacking = []
    for number in numbers:
        if number in rest:
            rest.remove(number)
        else:
            lacking.append(number)
    return lacking
