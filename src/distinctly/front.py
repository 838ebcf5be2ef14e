"""What the front doors share: the objects of a call, from keywords."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any, TypeVar

from distinctly.config import RunConfig
from distinctly.errors import unknown
from distinctly.run.resampling import Resampling
from distinctly.sources.base import Reading

T = TypeVar("T", Resampling, RunConfig)
_OBJECTS = (Reading, Resampling, RunConfig)


def sort_keywords(
    keywords: Mapping[str, Any],
    reading: Reading | None,
    resampling: Resampling | None,
    config: RunConfig | None,
) -> tuple[dict[str, Any], Resampling, RunConfig]:
    """Put each keyword into the object that has a field of its name.

    Returns
    -------
    tuple
        How to read, as keywords that `Corpus` takes; what is asked besides the values; how the work is done.
    """
    names = {kind: {field.name for field in fields(kind)} for kind in _OBJECTS}
    known = {name for kind_names in names.values() for name in kind_names}
    for name in keywords:
        if name not in known:
            raise unknown("argument", name, sorted(known))
    sorted_out = {
        kind: {
            name: _plain(value)
            for name, value in keywords.items()
            if name in names[kind] and value is not None
        }
        for kind in _OBJECTS
    }
    given = {} if reading is None else _changed(reading)
    return (
        {**given, **sorted_out[Reading]},
        replace(resampling or Resampling(), **sorted_out[Resampling]),
        replace(config or RunConfig(), **sorted_out[RunConfig]),
    )


def _plain(value: Any) -> Any:
    """Return a number of numpy, such as a seed from `arange`, as a number of Python."""
    return value.item() if getattr(value, "ndim", None) == 0 else value


def _changed(reading: Reading) -> dict[str, Any]:
    """Return the fields that are not the defaults, since a Corpus knows already how it is read."""
    default = Reading()
    return {
        field.name: getattr(reading, field.name)
        for field in fields(Reading)
        if getattr(reading, field.name) != getattr(default, field.name)
    }
