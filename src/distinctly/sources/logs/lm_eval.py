"""lm-evaluation-harness: `samples_<task>_<date>.jsonl`, one row per document and filter."""

from __future__ import annotations

import glob
import json
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from distinctly.batch import LEFT_OUT
from distinctly.errors import SpecError
from distinctly.sources.base import describe
from distinctly.sources.blocks import Remark, Row
from distinctly.sources.locations import LocalFile
from distinctly.sources.logs.base import (
    WITHOUT_TEXT,
    JsonLog,
    Sample,
    first_number,
    last_message,
    sharing_quality,
)

_NAME = re.compile(r"samples_(?P<task>.+)_(?P<date>[^_]+)\.jsonl.*")
# What rows have besides scores, whose names versions before 0.4.7 do not list.
_FIELDS = (
    *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps"),
    *("filter", "metrics", "doc_hash", "prompt_hash", "target_hash"),
)
LIKELIHOODS = f"{LEFT_OUT} samples of log-likelihoods, which have no text"
OTHER_ROWS = f"{LEFT_OUT} further rows of documents, which are those of other filters in older versions"


class OtherFilter(Remark):
    """In place of the samples of a row: its filter, which is not the one that is read."""


class LmEvalLog(JsonLog):
    """The answers of one model to one task; the name of the model is that of the folder."""

    tool = "lm-evaluation-harness"
    needed = ("doc_id", "resps")
    _filter: str | None = None
    _model: str | None = None
    _seen: set[object]

    def samples(self) -> Iterator[Sample | Remark | Row]:
        """Yield the samples of one filter; the text before filters is the same for all."""
        self._filter, self._seen = self.reading.filter, set()
        others: set[str] = set()
        is_empty = True
        for item in super().samples():
            if isinstance(item, OtherFilter):
                others.add(item.text)
                yield Remark(f"Rows of other filters than '{self._filter}' (--filter)")
            else:
                is_empty = False
                yield item
        if others and is_empty:
            names = ", ".join(sorted(others))
            raise SpecError(
                f"{self.name}: there is no filter '{self._filter}'. Choose one of {names} with --filter "
                "(Python: filter=)."
            )

    def samples_of(self, where: str, record: Mapping[str, Any]) -> Iterable[Sample | Remark]:
        """Return the texts of a document: one per repeat."""
        name = record.get("filter")
        if name is not None:
            self._filter = self._filter or name
            if name != self._filter:
                return [OtherFilter(name)]
        elif record["doc_id"] in self._seen:
            return [Remark(OTHER_ROWS)]
        self._seen.add(record["doc_id"])
        responses = _responses(record["resps"])
        if responses is None:
            raise self.other_format(
                where, f"expected 'resps' to be lists of texts, got {describe(record['resps'])}"
            )
        prompt, settings = _request(record.get("arguments"))
        texts = [text for text in responses if isinstance(text, str)]
        if len(texts) < len(responses) or not isinstance(settings, Mapping):
            return [Remark(LIKELIHOODS)]
        if not texts:
            return [Remark(WITHOUT_TEXT)]
        names = record.get("metrics") or [name for name in record if name not in _FIELDS]
        quality = first_number(record.get(name) for name in names)
        return sharing_quality(
            [
                Sample(
                    where,
                    text,
                    record["doc_id"],
                    repeat,
                    self._system,
                    self.task,
                    last_message(prompt),
                    quality,
                    fields=record,
                )
                for repeat, text in enumerate(texts)
            ]
        )

    @property
    def systems(self) -> tuple[str, ...]:
        """The model."""
        return (self._system,)

    @property
    def task(self) -> str:
        """The task, by the name of the file."""
        match = _NAME.fullmatch(self._file_name)
        return match["task"] if match else ""

    @property
    def _system(self) -> str:
        """The name of the model: in the results beside the samples, or that of the folder."""
        if self._model is None:
            self._model = self._read_model()
        return self._model

    def _read_model(self) -> str:
        match = _NAME.fullmatch(self._file_name)
        if match is None or not isinstance(self.location, LocalFile):
            return self.title.partition(".json")[0]
        folder = self.location.path.absolute().parent
        for results in sorted(folder.glob(f"*_{glob.escape(match['date'])}.json")):
            with suppress(OSError, ValueError, RecursionError):
                value = json.loads(results.read_bytes())
                name = value.get("model_name") if isinstance(value, dict) else None
                if isinstance(name, str) and name:
                    return name
        return folder.name

    @property
    def _file_name(self) -> str:
        return "" if self.location is None else self.location.title


def _responses(resps: object) -> list[object] | None:
    """Return the responses to the requests of a document; None if there are no lists of them."""
    if not isinstance(resps, list) or not all(isinstance(repeats, list) for repeats in resps):
        return None
    return [response for repeats in resps for response in repeats]


def _request(arguments: object) -> tuple[object, object]:
    """Return the prompt of the first request, and the settings with which a text was generated, if one was.

    The arguments are an object, or a list in older versions. Log-likelihoods have a text in place of
    settings, or nothing.
    """
    request: object = None
    if isinstance(arguments, Mapping):
        request = next(iter(arguments.values()), None)
    elif isinstance(arguments, list) and arguments:
        request = arguments[0]
    if isinstance(request, Mapping):
        return request.get("arg_0"), request.get("arg_1")
    if isinstance(request, list) and request:
        return request[0], request[1] if len(request) > 1 else None
    return None, {} if arguments is None else None
