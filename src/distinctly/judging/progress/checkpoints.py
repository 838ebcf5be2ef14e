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
    """Return the given corpora with their names.

    Examples
    --------
    >>> named(["runs/step-100.txt", "runs/step-200.txt"])
    [('step-100.txt', 'runs/step-100.txt'), ('step-200.txt', 'runs/step-200.txt')]
    >>> named(["100/texts.txt", "200/texts.txt"])[0], named([["a text"], ["another"]])[1]
    (('100/texts.txt', '100/texts.txt'), ('2', ['another']))
    """
    if isinstance(checkpoints, Mapping):
        corpora = [(str(name), corpus) for name, corpus in checkpoints.items()]
    else:
        listed = list(checkpoints) if isinstance(checkpoints, (list, tuple)) else [checkpoints]
        short = [Path(item).name for item in listed if isinstance(item, (str, Path))]
        corpora = []
        for place, item in enumerate(listed, 1):
            if isinstance(item, (str, Path)):
                name = Path(item).name
                corpora.append((name if short.count(name) == 1 else str(item), item))
            else:
                corpora.append((item.name if isinstance(item, Corpus) else str(place), item))
    if not corpora:
        raise InputError("Expected at least one checkpoint, got none.")
    names = [name for name, _ in corpora]
    for name in names:
        if names.count(name) > 1:
            raise InputError("expected checkpoints of different names, got two of this name.", source=name)
    return corpora


def numbered(names: Sequence[str]) -> list[Step] | None:
    """Return the number in which the names differ; None if there is no such number.

    Examples
    --------
    >>> numbered(["gpt2-step-100.txt", "gpt2-step-1000.txt"]), numbered(["base.txt", "tuned.txt"])
    ([100, 1000], None)
    """
    numbers_by_name = [_NUMBER.findall(name) for name in names]
    if len({len(numbers) for numbers in numbers_by_name}) != 1:
        return None
    columns = [[_read(number) for number in column] for column in zip(*numbers_by_name)]
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
            raise SpecError(f"Expected one step per checkpoint, {len(names)}, got {len(given)}.")
        if not all(math.isfinite(step) for step in given):
            raise SpecError(f"Expected steps to be numbers, got {', '.join(map(str, given))}.")
        return list(given)
    new = [name for name in names if name not in known]
    everything = [*known, *new]
    numbers = numbered(everything)
    if numbers is None or any(step != known.get(name, step) for name, step in zip(everything, numbers)):
        last = max(known.values(), default=0)
        numbers = [*known.values(), *(last + place for place in range(1, len(new) + 1))]
    steps = dict(zip(everything, numbers))
    return [steps[name] for name in names]
