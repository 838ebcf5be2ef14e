"""Records: one value of a metric each, and the names of metrics."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

Plain = str | int | float | None
# One value of a metric. Every record has `metric` (the spec as given), `embedder` (empty if the metric uses
# no vectors), `part` (empty for the value of the metric itself), `value` and `note`.
Record = Mapping[str, Plain]
# A metric, its embedder, and the part of its score.
Key = tuple[str, str, str]
_RESULT_COLUMNS = ("part", "value", "note")


def number(record: Record, column: str) -> float:
    """Return a number of a record; NaN if it is missing.

    Examples
    --------
    >>> number({"value": 3}, "value"), number({"value": None}, "value")
    (3.0, nan)
    """
    value = record[column]
    return math.nan if value is None else float(value)


def mean_of(values: Iterable[float]) -> float:
    """Return the mean of the values that are defined.

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
    """Group records by metric, embedder and part; all groups of a metric have the same length.

    If a function that returns several numbers failed, it has one record without a part, or too few records.
    The missing parts are then undefined, for the same reason.

    Examples
    --------
    >>> metric = {"metric": "f", "embedder": ""}
    >>> groups = by_subject(
    ...     [
    ...         {**metric, "part": "a", "set": 1, "value": 2.0, "note": ""},
    ...         {**metric, "part": "", "set": 2, "value": math.nan, "note": "Undefined: it raised."},
    ...     ]
    ... )
    >>> [(key[2], record["set"], record["note"]) for key, group in groups.items() for record in group]
    [('a', 1, ''), ('a', 2, 'Undefined: it raised.')]
    """
    metrics: dict[tuple[str, str], dict[tuple[Plain, ...], dict[str, Record]]] = {}
    for record in records:
        place = tuple(value for column, value in record.items() if column not in _RESULT_COLUMNS)
        places = metrics.setdefault((str(record["metric"]), str(record["embedder"])), {})
        places.setdefault(place, {})[str(record["part"])] = record
    groups: dict[Key, list[Record]] = {}
    for metric, places in metrics.items():
        # The parts of a metric depend on the kind of record: its time, for example, has none.
        names: dict[Plain, dict[str, None]] = {}
        for parts in places.values():
            # A record without a part is the value of the metric if there are others, and else a failure.
            known = parts if len(parts) > 1 else [part for part in parts if part]
            names.setdefault(_kind(parts), {}).update(dict.fromkeys(known))
        for parts in places.values():
            for part in names[_kind(parts)] or [""]:
                groups.setdefault((*metric, part), []).append(parts.get(part) or _missing(parts, part))
    return groups


def _kind(parts: Mapping[str, Record]) -> Plain:
    return next(iter(parts.values())).get("kind")


def _missing(parts: Mapping[str, Record], part: str) -> Record:
    record = next(iter(parts.values()))
    note = record["note"] or "Undefined: the function did not return this number."
    return {**record, "part": part, "value": math.nan, "note": note}
