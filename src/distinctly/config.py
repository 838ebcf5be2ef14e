"""`RunConfig`: the settings of a run, in one picklable object."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cache, cached_property
from typing import Any, Literal, NamedTuple

from distinctly.arrays import CPU, Device
from distinctly.errors import SpecError
from distinctly.options import bytes_of, check_options, hidden, setting


class Step(NamedTuple):
    """The progress of some work.

    Attributes
    ----------
    what
        A short name of the work.
    done, total
        The amount done so far, and the whole amount; None if that is unknown.
    unit
        The unit of both: bytes read, or other items.
    detail
        More about it, such as the speed.
    """

    what: str
    done: int
    total: int | None
    unit: Literal["bytes", "items"] = "items"
    detail: str = ""


# Called while texts are read, embedded or drawn.
Progress = Callable[[Step], None]
SMALLEST_MEMORY = 10_000_000
_CALLBACKS = ("progress",)


@dataclass(frozen=True, kw_only=True)
class RunConfig:
    """The settings of a run. They change no value beyond rounding, except by a sample that `memory` requires.

    It can be pickled, so that worker processes use the same settings; the callback is left out.

    Attributes
    ----------
    engine
        The engine that folds statistics over texts: ``local``, threads on this machine, or ``ray``.
    batch_size
        The number of texts per batch; by default a suitable size.
    threads
        The number of threads; by default one per core.
    memory
        The number of bytes for counts before they spill to a temporary folder, also as text such as
        "0.5GB"; by default a quarter of the machine's memory. If texts, with their tokens and vectors, take
        more than this (by default, more than half of the machine's memory), metrics that need all of them in
        memory are measured on a sample: see `Resampling`. A text in a file may have 1/32 of it
        (at least 4 MB, at most 1 GB), since processing it takes several times its size; a longer one is an
        error.
    hash_bits
        The number of bits of the hashes by which tokens, n-grams and texts are counted: 64, or 128 for more
        than about five billion different n-grams. States are merged only with those of the same width.
    address
        The address of the Ray cluster, for the engine ``ray``: ``auto``, ``ray://host:port`` or
        ``host:port``; by default that of the environment variable RAY_ADDRESS or, without it, a new one on
        this machine.
    checkpoint
        A folder, also of an object store such as ``s3://bucket/folder``, for the states of the partitions
        that have been read. The same command, started again after an interruption, does not read them again.
        They are removed when it has finished.
    compiled
        Whether to use the compiled loops; by default only on large inputs.
    device
        The device that computes on vectors: ``cpu``, or ``cuda`` for a GPU (with torch).
    tf32
        Multiply in TF32 on a GPU: faster, accurate to about three digits.
    cache
        Whether to read known vectors of texts from the user's cache folder, and to store new ones there.
    progress
        A function that is called while texts are read, embedded or drawn.
    on_device
        The device object of `device` and `tf32`.

    Examples
    --------
    >>> RunConfig(memory="0.5GB").memory_limit
    500000000
    """

    engine: str = setting("local", "Engine that reads and counts the texts: local or ray.", metavar="NAME")
    batch_size: int | None = setting(
        None,
        "Number of texts per batch; changes no value.",
        metavar="TEXTS",
        unset="a suitable size",
        at_least=1,
    )
    threads: int | None = setting(
        None, "Number of threads; changes no value.", metavar="N", unset="one per core", at_least=1
    )
    memory: str | int | None = setting(
        None,
        "Memory, such as 0.5GB, for counts before they spill to a temporary folder, and for texts before "
        "metrics that need all of them measure a sample; a text may have 1/32 of it.",
        metavar="SIZE",
        unset="a quarter of the machine's",
    )
    hash_bits: Literal[64, 128] = setting(
        64,
        "Bits of the hashes that n-grams are counted by: 64, or 128 for billions of different ones.",
        metavar="BITS",
    )
    address: str | None = setting(
        None,
        "Address of the Ray cluster for --engine ray: auto, ray://HOST:PORT, HOST:PORT.",
        metavar="ADDRESS",
        unset="RAY_ADDRESS, or a new one on this machine",
    )
    checkpoint: str | None = setting(
        None,
        "Folder, also of an object store, for the states of the partitions that were read: the same command "
        "resumes there after an interruption. They are removed at the end.",
        metavar="FOLDER",
    )
    compiled: bool | None = None
    device: str = setting(
        "cpu", "Device that computes on vectors: cpu, cuda, cuda:1; changes no value.", metavar="NAME"
    )
    tf32: bool = setting(False, "Multiply in TF32 on a GPU: faster, accurate to about three digits.")
    cache: bool = setting(True, "Neither read vectors of texts from the cache nor store them there.")
    progress: Progress | None = hidden(None)
    on_device: Device = field(init=False, repr=False, compare=False, metadata={"hidden": True})

    def __post_init__(self) -> None:
        check_options(self)
        if self.memory is not None:
            parse_memory(self.memory)
        plain = self.device == "cpu" and not self.tf32
        object.__setattr__(self, "on_device", CPU if plain else Device(self.device, self.tf32))

    def __getstate__(self) -> dict[str, Any]:
        state = {item.name: getattr(self, item.name) for item in fields(self)}
        return {**state, **dict.fromkeys(_CALLBACKS)}

    @cached_property
    def with_loops(self) -> RunConfig:
        """The same settings with compiled loops."""
        return replace(self, compiled=True)

    @property
    def memory_limit(self) -> int:
        """The number of bytes for counts."""
        return default_memory() if self.memory is None else parse_memory(self.memory)

    def report(
        self,
        what: str,
        done: int,
        total: int | None,
        unit: Literal["bytes", "items"] = "items",
        detail: str = "",
    ) -> None:
        """Call `progress`, if it is set."""
        if self.progress is not None:
            self.progress(Step(what, done, total, unit, detail))


def parse_memory(amount: str | int) -> int:
    """Return an amount of memory in bytes.

    Examples
    --------
    >>> parse_memory("0.5GB"), parse_memory("64 MiB"), parse_memory(10**8)
    (500000000, 67108864, 100000000)
    """
    size = bytes_of(str(amount))
    if size is None or size < SMALLEST_MEMORY:
        raise SpecError(f"Expected `memory` to be an amount of at least 10MB, such as 0.5GB, got '{amount}'.")
    return size


@cache
def default_memory() -> int:
    """Return a quarter of the machine's memory in bytes, or 1 GB where the system does not report it."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 4
    except (AttributeError, OSError, ValueError):
        return 10**9


def cores() -> int:
    """Return the number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
