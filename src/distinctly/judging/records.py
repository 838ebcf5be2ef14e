"""Records: what a metric gave, one number each, and how they are told apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

Plain = str | int | float | None
# One number that a metric gave. All have `metric` (the spec as it was given), `embedder` (nothing where the
# metric sees none), `part` (nothing for the metric's value itself), `value` and `note`.
Record = Mapping[str, Plain]
# A metric, an embedder, and which of the metric's values.
Key = tuple[str, str, str]
_GIVEN = ("part", "value", "note")


def number(record: Record, column: str) -> float:
    """Return a number of a record; NaN where there is none.

    Examples
    --------
    >>> number({"value": 3}, "value"), number({"value": None}, "value")
    (3.0, nan)
    """
    found = record[column]
    return math.nan if found is None else float(found)


def mean_of(values: Iterable[float]) -> float:
    """Return the mean of those that are defined.

    Examples
    --------
    >>> mean_of([1.0, math.nan, 2.0])
    1.5
    """
    known = [value for value in values if not math.isnan(value)]
    return math.fsum(known) / len(known) if known else math.nan


def name_of(metric: str, embedder: str = "", part: str = "") -> str:
    """Return the name of a metric, with its part and its embedder where it has them.

    Examples
    --------
    >>> name_of("pr", "wordllama", "recall")
    'pr recall (wordllama)'
    """
    return f"{metric}{f' {part}' if part else ''}{f' ({embedder})' if embedder else ''}"


def name_metrics(keys: Iterable[Key]) -> dict[Key, str]:
    """Return the name of each metric of a trial on pages and figures.

    The embedder is part of the name only if the trial has several, without the options that all of them have.

    Examples
    --------
    >>> dims = ("wordllama:dim=256,norm=yes", "wordllama:dim=64,norm=yes")
    >>> list(name_metrics([("vendi", dim, "") for dim in dims]).values())
    ['vendi (wordllama:dim=256)', 'vendi (wordllama:dim=64)']
    >>> list(name_metrics([("vendi", dims[0], ""), ("ead", "", "")]).values())
    ['vendi', 'ead']
    """
    unique = list(dict.fromkeys(keys))
    embedders = list(dict.fromkeys(embedder for _, embedder, _ in unique if embedder))
    short = {"": "", **dict(zip(embedders, _shorten(embedders)))}
    return {(metric, made, part): name_of(metric, short[made], part) for metric, made, part in unique}


def _shorten(embedders: Sequence[str]) -> list[str]:
    """Return what distinguishes embedders: nothing for a single one."""
    if len(embedders) < 2:
        return [""] * len(embedders)
    split = [embedder.partition(":") for embedder in embedders]
    # Embedders of different names have different options, and their names suffice.
    if len({name for name, _, _ in split}) == len(embedders):
        return [name for name, _, _ in split]
    options = [rest.split(",") if rest else [] for _, _, rest in split]
    shared = set(options[0]).intersection(*options)
    different = [",".join(option for option in several if option not in shared) for several in options]
    return [f"{name}:{rest}" if rest else name for (name, _, _), rest in zip(split, different)]


def by_subject(records: Sequence[Record]) -> dict[Key, list[Record]]:
    """Return the records of each value of each metric; all of them have the same places.

    Where a function that gives several numbers failed, there is one record without a name, or there are too
    few: the others are undefined there, for the same reason.

    Examples
    --------
    >>> told = {"metric": "f", "embedder": ""}
    >>> found = by_subject(
    ...     [
    ...         {**told, "part": "a", "set": 1, "value": 2.0, "note": ""},
    ...         {**told, "part": "", "set": 2, "value": math.nan, "note": "Undefined: it raised."},
    ...     ]
    ... )
    >>> [(key[2], one["set"], one["note"]) for key, own in found.items() for one in own]
    [('a', 1, ''), ('a', 2, 'Undefined: it raised.')]
    """
    subjects: dict[tuple[str, str], dict[tuple[Plain, ...], dict[str, Record]]] = {}
    for one in records:
        place = tuple(value for column, value in one.items() if column not in _GIVEN)
        places = subjects.setdefault((str(one["metric"]), str(one["embedder"])), {})
        places.setdefault(place, {})[str(one["part"])] = one
    found: dict[Key, list[Record]] = {}
    for subject, places in subjects.items():
        # What a metric gives by name, by kind of record: its time, say, has no parts.
        named: dict[Plain, dict[str, None]] = {}
        for parts in places.values():
            # One without a name beside others is the metric's own value; alone, it is what failed.
            own = parts if len(parts) > 1 else [part for part in parts if part]
            named.setdefault(_kind(parts), {}).update(dict.fromkeys(own))
        for parts in places.values():
            for part in named[_kind(parts)] or [""]:
                found.setdefault((*subject, part), []).append(parts.get(part) or _missing(parts, part))
    return found


def _kind(parts: Mapping[str, Record]) -> Plain:
    return next(iter(parts.values())).get("kind")


def _missing(parts: Mapping[str, Record], part: str) -> Record:
    one = next(iter(parts.values()))
    note = one["note"] or "Undefined: it did not give this number."
    return {**one, "part": part, "value": math.nan, "note": note}
