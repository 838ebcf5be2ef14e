"""States as bytes, without code: for a message to another process, or a checkpoint."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from typing import Any

from distinctly.engine.encoding import UnreadableError, from_bytes, to_bytes
from distinctly.engine.state_file import UNFIT, canonical, checked_origin, state_type
from distinctly.engine.states import Folded
from distinctly.errors import DistinctlyError, InputError, reason
from distinctly.hashing import VERSION
from distinctly.statistics.base import Mergeable


def dump(about: Sequence[str], parts: Sequence[Folded], statistics: Sequence[Mergeable[Any, Any]]) -> bytes:
    """Return the states of statistics in several parts of texts.

    Parameters
    ----------
    about
        What the states are of; `load` takes only those with the same.
    parts
        The states, such as those of a reference and of a candidate; without texts in memory.
    statistics
        The statistics, in any order that is the same in all processes.
    """
    values = [
        None if part.is_empty else ([canonical(part.states[s]) for s in statistics], part.origin)
        for part in parts
    ]
    return to_bytes((VERSION, tuple(about), tuple(values)))


def load(data: bytes, about: Sequence[str], statistics: Sequence[Mergeable[Any, Any]]) -> list[Folded]:
    """Return the parts that were dumped; raise if they are of something else, or no states."""
    try:
        version, known, values = from_bytes(data)
        if version == VERSION and known == tuple(about):
            return [_part(value, statistics) for value in values]
    except DistinctlyError:
        raise
    except (*UNFIT, struct.error) as error:
        raise InputError(f"expected the bytes of a state, which are damaged ({reason(error)}).") from error
    raise InputError(
        f"expected the state of {', '.join(about)}, got that of {', '.join(map(str, known))}. States are "
        "added up only if metrics, tokenizers and versions are the same."
    )


def _part(value: Any, statistics: Sequence[Mergeable[Any, Any]]) -> Folded:
    """Return the states of one part; raise if they are not those of the statistics."""
    if value is None:
        return Folded()
    states, origin = value
    if not isinstance(states, list) or len(states) != len(statistics):
        raise UnreadableError("another number of states")
    for state, statistic in zip(states, statistics):
        if not isinstance(state, state_type(statistic)):
            raise UnreadableError(f"no state of {type(statistic).__name__}")
    return Folded(dict(zip(statistics, states)), None, checked_origin(origin))
