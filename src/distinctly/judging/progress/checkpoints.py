"""The checkpoints of a training run: their names, and the step of each."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from pathlib import Path

from distinctly.corpus import Corpus
from distinctly.errors import InputError, SpecError

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
Step = int | float


def named(checkpoints: object) -> list[tuple[str, object]]:
    """Return the corpora that are given, each with its name.

    Examples
    --------
    >>> named(["runs/step-100.txt", "runs/step-200.txt"])
    [('step-100.txt', 'runs/step-100.txt'), ('step-200.txt', 'runs/step-200.txt')]
    >>> named(["100/texts.txt", "200/texts.txt"])[0], named([["a text"], ["another"]])[1]
    (('100/texts.txt', '100/texts.txt'), ('2', ['another']))
    """
    if isinstance(checkpoints, Mapping):
        found = [(str(name), one) for name, one in checkpoints.items()]
    else:
        listed = list(checkpoints) if isinstance(checkpoints, (list, tuple)) else [checkpoints]
        short = [Path(one).name for one in listed if isinstance(one, (str, Path))]
        found = []
        for place, one in enumerate(listed, 1):
            if isinstance(one, (str, Path)):
                name = Path(one).name
                found.append((name if short.count(name) == 1 else str(one), one))
            else:
                found.append((one.name if isinstance(one, Corpus) else str(place), one))
    if not found:
        raise InputError("Expected at least one checkpoint, got none.")
    names = [name for name, _ in found]
    for name in names:
        if names.count(name) > 1:
            raise InputError("expected each checkpoint once, got two of this name.", source=name)
    return found


def numbered(names: Sequence[str]) -> list[Step] | None:
    """Return the one number in which the names differ; None where there is no such number.

    Examples
    --------
    >>> numbered(["gpt2-step-100.txt", "gpt2-step-1000.txt"]), numbered(["base.txt", "tuned.txt"])
    ([100, 1000], None)
    """
    found = [_NUMBER.findall(name) for name in names]
    if len({len(numbers) for numbers in found}) != 1:
        return None
    columns = [[_read(number) for number in column] for column in zip(*found)]
    differ = [column for column in columns if len(set(column)) > 1] if len(names) > 1 else columns
    return differ[0] if len(differ) == 1 and len(set(differ[0])) == len(names) else None


def _read(number: str) -> Step:
    return float(number) if "." in number else int(number)


def steps_of(names: Sequence[str], given: Sequence[Step] | None, known: Mapping[str, Step]) -> list[Step]:
    """Return the step of each checkpoint: as given, as known, by the number in its name, or 1, 2, 3 …

    Examples
    --------
    >>> steps_of(["step-200.txt", "step-100.txt"], None, {})
    [200, 100]
    >>> steps_of(["step-300.txt"], None, {"step-100.txt": 100}), steps_of(["c"], None, {"a": 1, "b": 2})
    ([300], [3])
    """
    if given is not None:
        if len(given) != len(names):
            raise SpecError(f"Expected one step a checkpoint: {len(names)}, got {len(given)}.")
        if not all(math.isfinite(step) for step in given):
            raise SpecError(f"Expected steps to be numbers, got {', '.join(map(str, given))}.")
        return list(given)
    new = [name for name in names if name not in known]
    everything = [*known, *new]
    found = numbered(everything)
    if found is None or any(step != known.get(name, step) for name, step in zip(everything, found)):
        last = max(known.values(), default=0)
        found = [*known.values(), *(last + place for place in range(1, len(new) + 1))]
    steps = dict(zip(everything, found))
    return [steps[name] for name in names]
