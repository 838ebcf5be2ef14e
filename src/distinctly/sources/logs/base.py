"""The base of readers of logs: samples of any tool as texts with fields of the same names."""

from __future__ import annotations

import copy
import json
import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice
from pathlib import Path
from typing import Any, ClassVar

from distinctly.batch import LEFT_OUT
from distinctly.errors import InputError, reason
from distinctly.sources.base import Reading, describe, is_null, is_number
from distinctly.sources.blocks import UNSCORED, Remark, Row, Unreadable, bad_row
from distinctly.sources.files import FileSource
from distinctly.sources.json_array import JsonSource
from distinctly.sources.jsonl import JsonlSource, loads
from distinctly.sources.locations import Location
from distinctly.sources.records import row_or_skip

# Columns that are read if one of the first samples has them, and the number of first samples.
COLUMNS, FIRST_SAMPLES = ("prompt", "quality", "partition"), 100
_MESSAGES = re.compile(r"\s*\[\s*\{")
_OTHER_SHAPES = (AttributeError, IndexError, KeyError, TypeError)
FAILED = f"{LEFT_OUT} samples that failed"
WITHOUT_TEXT = f"{LEFT_OUT} samples without a text"
REPEATED = "Logs of a system and task of which another log is read too, as further repeats"
SHARED_QUALITY = "Texts that share the score of their sample with other texts"


@dataclass(frozen=True)
class Sample:
    """One text of a log.

    Attributes
    ----------
    where
        Its place in the file.
    text
        The text.
    id
        The id of what the text answers; texts with the same id (and task) form a group.
    repeat
        Which of the texts of the same id it is, from 0.
    system
        The model.
    task
        The task, if the log names one.
    prompt
        What the model was given, if the log has it.
    quality
        The score, if there is one.
    partition
        The class of the text, if there is one.
    fields
        All other fields: those of the row as the tool wrote it, and its scores by name.
    """

    where: str
    text: object
    id: object
    repeat: int
    system: str
    task: str = ""
    prompt: str | None = None
    quality: float | None = None
    partition: object = None
    fields: Mapping[str, object] = field(default_factory=dict)

    def record(self) -> dict[str, object]:
        """Return the sample as a row with named fields."""
        return {
            **self.fields,
            "text": self.text,
            "group": f"{self.task}/{self.id}" if self.task else str(self.id),
            "sample": self.id,
            "repeat": self.repeat,
            "system": self.system,
            "task": self.task,
            "prompt": self.prompt or "",
            "quality": self.quality,
            "partition": self.partition,
        }


class LogSource(FileSource):
    """A log of a tool; subclasses yield its samples.

    Attributes
    ----------
    tool
        The name of the tool.
    only
        The system whose samples are read; None for all.
    is_repeated
        Whether another log of the same system and task is read before it, as texts of the same corpus.
    """

    tool: ClassVar[str]
    plain = False
    is_log = True
    only: str | None = None
    is_repeated = False
    _systems: tuple[str, ...] | None = None

    def __init__(
        self, path: Path | Location | None, reading: Reading, *, name: str = "", part: str = ""
    ) -> None:
        super().__init__(path, reading, name=name, part=part)
        if not self.rereadable:
            raise InputError(
                f"a log of {self.tool} cannot be read from standard input or a pipe. Save it as a file.",
                source=self.name,
            )
        self.reading = replace(
            reading, reasoning=reading.reasoning or "remove", group=reading.group or "group"
        )
        columns = self._columns()
        self.reading = replace(
            self.reading,
            prompt=reading.prompt or columns.get("prompt"),
            quality=reading.quality or columns.get("quality"),
            partition=reading.partition or columns.get("partition"),
        )

    @abstractmethod
    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the samples, remarks on what is left out, and bad rows if they are skipped."""

    @property
    def task(self) -> str:
        """The task, if the log is of one and says so; empty otherwise."""
        return ""

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems whose texts the log has, in order."""
        if self._systems is None:
            names = (sample.system for sample in self.samples() if isinstance(sample, Sample))
            self._systems = tuple(dict.fromkeys(names))
        return self._systems

    def of_system(self, system: str) -> LogSource:
        """Return a source of the samples of one system."""
        source = copy.copy(self)
        source.only, source.title = system, system
        return source

    def items(self) -> Iterator[Row | Remark]:
        """Yield the texts."""
        if self.is_repeated:
            yield Remark(REPEATED)
        for item in self._selected():
            if isinstance(item, Sample):
                row = row_or_skip(item.record(), self.reading, source=self.name, where=item.where)
                is_scored = self.reading.quality is None or not is_null(row.quality)
                yield row if is_scored else row._replace(quality=UNSCORED)
            else:
                yield item

    def objects(self) -> Iterator[tuple[str, object]]:
        """Yield each text with all of its fields, and its place."""
        for item in self._selected():
            if isinstance(item, Sample):
                yield item.where, item.record()
            elif isinstance(item, Row):
                yield item.where, item.text

    def _selected(self) -> Iterator[Sample | Remark | Row]:
        for item in self.samples():
            if self.only is None or not isinstance(item, Sample) or item.system == self.only:
                yield item

    def _columns(self) -> dict[str, str]:
        """Return the columns that some of the first samples have."""
        first = [sample for sample in islice(self.samples(), FIRST_SAMPLES) if isinstance(sample, Sample)]
        return {
            flag: flag
            for flag in COLUMNS
            if any(getattr(sample, flag) is not None for sample in first)
            # Classes cannot be missing, as prompts and scores can.
            and (flag != "partition" or all(sample.partition is not None for sample in first))
        }

    def other_format(self, where: str, problem: str) -> InputError:
        """Make the error for a row that is not as the tool writes it."""
        return InputError(
            f"not a sample of {self.tool} as this version of distinctly reads it: {problem}. Name another "
            "format and the field of the text with --input and --field (Python: format=, field=), or write "
            "the log with another version of the tool.",
            source=self.name,
            row=where,
        )


class JsonLog(LogSource):
    """A log of JSON: an object per line, an array of objects, or one object; subclasses read one object.

    Attributes
    ----------
    needed
        The fields that every object has.
    """

    needed: ClassVar[tuple[str, ...]] = ()

    @abstractmethod
    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the samples of an object; raise an `InputError` if it is not as the tool writes it."""

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the samples of all objects."""
        for where, record in self.rows():
            try:
                if isinstance(record, Unreadable):
                    raise record.error
                if not isinstance(record, Mapping):
                    raise self.other_format(where, f"expected an object, got {describe(record)}")
                missing = [name for name in self.needed if name not in record]
                if missing:
                    raise self.other_format(where, f"it has no '{missing[0]}'")
                samples = self._samples_of(where, record)
            except InputError as error:
                if not self.reading.skip_bad:
                    raise
                yield bad_row(error)
            else:
                yield from samples

    def _samples_of(self, where: str, record: Mapping[str, Any]) -> list[Sample | Remark]:
        try:
            return list(self.samples_of(where, record))
        except _OTHER_SHAPES as error:  # a list where the tool writes an object, or the like
            raise self.other_format(where, reason(error)) from error

    def rows(self) -> Iterator[tuple[str, object]]:
        """Yield the objects and their places."""
        kind: type[FileSource] = JsonlSource
        if next(self.whole().pieces(), "").lstrip().startswith("["):
            kind = JsonSource
        elif not self.has_lines:
            yield from self.rows_of(self._object())
            return
        source = kind(self.location, self.reading, name=self.name)
        source.limit_memory(self.memory)
        for item in source.objects():
            self.position = source.position
            yield item

    def rows_of(self, value: object) -> Iterator[tuple[str, object]]:
        """Yield the objects in the only value of a file, and their places."""
        yield "", value

    @property
    def has_lines(self) -> bool:
        """Whether the file has an object per line, by its ending."""
        names = ("" if self.location is None else self.location.title).lower().split(".")
        return "json" not in names[-2:]

    def _object(self) -> object:
        try:
            return loads(self.joined("the log", "Write it with an object per line, as .jsonl"))
        except (ValueError, RecursionError) as error:
            raise InputError(
                f"not valid JSON ({error}). It is damaged or incomplete: write or copy it again.",
                source=self.name,
            ) from error


def first_number(scores: Iterable[object]) -> float | None:
    """Return the first of some scores that is a number."""
    numbers = (number_or_none(score) for score in scores)
    return next((number for number in numbers if number is not None), None)


def sharing_quality(samples: Sequence[Sample]) -> list[Sample | Remark]:
    """Return the samples of one row, with a remark if they have one score together."""
    is_shared = len(samples) > 1 and samples[0].quality is not None
    return [*samples, Remark(SHARED_QUALITY, len(samples))] if is_shared else list(samples)


def last_message(prompt: object) -> str | None:
    """Return a prompt as text: of a list of messages, or of the JSON of one, the last one of the user.

    Examples
    --------
    >>> last_message([{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello!"}])
    'Hello!'
    >>> last_message("Hello!"), last_message(None)
    ('Hello!', None)
    """
    if isinstance(prompt, str) and _MESSAGES.match(prompt):
        with suppress(ValueError, RecursionError):
            return last_message(json.loads(prompt)) or prompt
    if isinstance(prompt, list) and prompt and isinstance(prompt[-1], str):
        return last_message(prompt[-1])
    if isinstance(prompt, list):
        messages = [message for message in prompt if isinstance(message, Mapping)]
        asked = [message for message in messages if message.get("role") == "user"] or messages
        prompt = asked[-1].get("content") if asked else None
    return prompt if isinstance(prompt, str) else None


def number_or_none(value: object) -> float | None:
    """Return a value as a number; None if it is none, or not finite.

    Examples
    --------
    >>> number_or_none(1), number_or_none(True), number_or_none("0.5"), number_or_none(None)
    (1.0, 1.0, None, None)
    """
    if isinstance(value, bool):
        return float(value)
    return float(value) if is_number(value) else None
