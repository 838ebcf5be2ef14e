"""The systems whose texts logs have: each of them is a corpus of its own."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypeGuard

from distinctly.sources.base import Source
from distinctly.sources.many import ManySource

if TYPE_CHECKING:
    from distinctly.sources.logs.base import LogSource


def sources_by_system(source: Source) -> list[Source]:
    """Return one source per system of logs, titled by the system; nothing if the texts are not of logs."""
    by_system: dict[str, list[Source]] = {}
    for log in logs_of(source):
        for system in log.systems:
            by_system.setdefault(system, []).append(log.of_system(system) if len(log.systems) > 1 else log)
    if list(by_system) == [""]:  # the log does not name the system
        return [source]
    return [_titled(system or source.title, parts) for system, parts in by_system.items()]


def logs_of(source: Source) -> list[LogSource]:
    """Return the logs of a source; nothing if not all of its texts are of logs."""
    files = list(source.sources) if isinstance(source, ManySource) else [source]
    logs = [file for file in files if _is_log(file)]
    return logs if len(logs) == len(files) else []


def mark_repeated(sources: Iterable[Source]) -> None:
    """Mark logs of a system and task of which another log is read before."""
    known: set[tuple[object, ...]] = set()
    for log in sources:
        if _is_log(log) and log.task:
            key = (log.task, *log.systems)
            log.is_repeated = key in known
            known.add(key)


def _is_log(source: Source) -> TypeGuard[LogSource]:
    return source.is_log  # without an import of the readers of logs


def _titled(system: str, parts: list[Source]) -> Source:
    if len(parts) > 1:
        return ManySource(parts, name=system, title=system)
    parts[0].title = system
    return parts[0]
