"""Find out which tool wrote a log, by looking at the file."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from distinctly.errors import InputError
from distinctly.sources.base import Reading
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.locations import LocalFile, Location

if TYPE_CHECKING:
    from distinctly.sources.logs.base import LogSource


@dataclass(frozen=True)
class Kind:
    """A kind of logs.

    Attributes
    ----------
    reader
        The module and the name of the class that reads it, which is imported only when it is needed.
    signs
        Sets of fields; a file whose first object has all fields of one set is of this kind.
    endings
        The endings of its files, without that of compression.
    objects
        Fields that hold an object, or a list of objects: a file that has a text or the like in one of them is
        not of this kind.
    """

    reader: tuple[str, str]
    signs: tuple[frozenset[str], ...]
    endings: tuple[str, ...] = ("jsonl", "ndjson", "json")
    objects: tuple[str, ...] = ()

    def matches(self, first: Mapping[str, object]) -> bool:
        """Return whether the first object of a file is of this kind."""
        has_signs = any(sign <= first.keys() for sign in self.signs)
        return has_signs and all(_may_hold_objects(first.get(name)) for name in self.objects)

    def load(self) -> type[LogSource]:
        """Import the class that reads it."""
        module, name = self.reader
        kind: type[LogSource] = getattr(importlib.import_module(f"distinctly.sources.logs.{module}"), name)
        return kind


def _signs(*alternatives: str) -> tuple[frozenset[str], ...]:
    return tuple(frozenset(names.split()) for names in alternatives)


LOGS = {
    "lm-eval": Kind(("lm_eval", "LmEvalLog"), _signs("doc_id resps")),
    "inspect": Kind(("inspect_eval", "InspectLog"), _signs("version status eval"), ("json",)),
    "promptfoo": Kind(("promptfoo", "PromptfooLog"), _signs("provider vars", "evalId results")),
    "lighteval": Kind(
        ("lighteval", "LightevalLog"), _signs("doc model_response", "full_prompt predictions"), ("parquet",)
    ),
    "every-eval-ever": Kind(
        ("every_eval_ever", "EveryEvalEverLog"),
        _signs(
            "schema_version evaluation_id sample_id",
            "schema_version evaluation_id evaluation_results",
            "sample_id model_id output evaluation",
        ),
        objects=("output", "evaluation"),
    ),
    "noveltybench": Kind(
        ("noveltybench", "NoveltyBenchLog"), _signs("id prompt generations", "id prompt partition distinct")
    ),
    "openai": Kind(
        ("openai_chat", "OpenAiLog"),
        _signs("choices object", "choices model", "custom_id response", "output object model"),
        objects=("choices", "response", "output"),
    ),
}
# The ending of logs of inspect alone.
LOG = "eval"
# Written beside samples by lm-evaluation-harness and lighteval: averages, and no texts.
_SUMMARY = re.compile(r"results_.*\d{4}-\d\d-\d\dT[\d.:-]+\.json")
# The same of Every Eval Ever.
_UUID = r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_RESULTS, _SAMPLES = re.compile(rf"{_UUID}\.json"), re.compile(rf"{_UUID}_samples\.jsonl.*")
# NoveltyBench writes each of them anew from the one before, with more fields; the last two also in folders
# of versions.
_STAGES = ("generations.jsonl", "partitions.jsonl", "scores.jsonl")
_VERSION = re.compile(r"v[\d.]+")
_TOKEN = re.compile(r'"(?P<text>(?:[^"\\]|\\.)*)"|(?P<begin>[{\[])|(?P<end>[}\]])|(?P<colon>:)', re.DOTALL)
# The number of characters of a long object in which fields are looked for.
_LONG = 1_000_000


def log_of(location: Location, ending: str, reading: Reading) -> type[LogSource] | None:
    """Return the reader of a log; None if the file is no log, or has the field of the text itself.

    Parameters
    ----------
    location
        The file.
    ending
        Its ending, without that of compression.
    reading
        How to read it; a file whose field of the text is named is read as a file of its format.
    """
    if ending == LOG:
        return LOGS["inspect"].load()
    kinds = [kind for kind in LOGS.values() if ending in kind.endings]
    if not kinds or reading.field != Reading.field or location.checked_size() is None:
        return None
    first = _columns(location) if ending == "parquet" else _first_object(location, reading)
    # A response of OpenAI has settings of the text in a field of this name.
    if not isinstance(first.get(reading.field, {}), Mapping):
        return None
    return next((kind.load() for kind in kinds if kind.matches(first)), None)


def _may_hold_objects(value: object) -> bool:
    if isinstance(value, list):
        return all(isinstance(item, Mapping) for item in value)
    return value is None or isinstance(value, Mapping)


def without_summaries(files: Iterable[Location]) -> list[Location]:
    """Return files without summaries that stand beside logs, and without earlier stages of the same log."""
    files = _last_stages(list(files))
    if any(_may_be_log(file) for file in files):
        files = [file for file in files if not _SUMMARY.fullmatch(file.title)]
    if any(_SAMPLES.fullmatch(file.title) for file in files):
        files = [file for file in files if not _RESULTS.fullmatch(file.title)]
    return files


def _may_be_log(file: Location) -> bool:
    return file.title.startswith(("samples_", "details_")) or file.ending == LOG


def _last_stages(files: list[Location]) -> list[Location]:
    """Return files with the last stage of each run of NoveltyBench that has its texts."""
    runs: dict[Path, list[tuple[tuple[int, str], Location]]] = {}
    for file in files:
        if file.title in (*_STAGES, "summary.json") and isinstance(file, LocalFile):
            folder = file.path.absolute().parent
            version = folder.name if _VERSION.fullmatch(folder.name) else ""
            stage = _STAGES.index(file.title) if file.title in _STAGES else -1
            runs.setdefault(folder.parent if version else folder, []).append(((stage, version), file))
    passed_over: set[int] = set()
    for run in runs.values():
        stages = sorted((item for item in run if item[0][0] >= 0), key=lambda item: item[0])
        names = {id(file): _first_object(file, Reading()).keys() for _, file in stages}
        whole = [file for _, file in stages if {"id", "prompt", "generations"} <= names[id(file)]]
        if whole:
            passed_over |= {id(file) for _, file in run if file is not whole[-1]}
    return [file for file in files if id(file) not in passed_over]


def _columns(location: Location) -> Mapping[str, object]:
    import pyarrow.parquet

    stream, _ = location.open()
    with stream:
        try:
            return dict.fromkeys(pyarrow.parquet.read_schema(stream).names)
        except (pyarrow.ArrowException, OSError):  # raised again when the file is read
            return {}


def _first_object(location: Location, reading: Reading) -> Mapping[str, object]:
    """Return the first object of a file; of a long one, its first fields with values of the same kind."""
    try:
        head = next(JsonlSource(location, reading).pieces(), "").lstrip().removeprefix("[").lstrip()
    except InputError:  # raised again when the file is read
        return {}
    if not head.startswith("{"):
        return {}
    try:
        value: Mapping[str, object] = json.JSONDecoder().raw_decode(head)[0]
    except (ValueError, RecursionError):  # an object that is longer than a piece
        return _fields(head[:_LONG])
    return value


def _fields(head: str) -> Mapping[str, object]:
    r"""Return the fields of an object that is cut off: those of the object itself, not of its parts.

    Examples
    --------
    >>> _fields('{"a": {"text": "b"}, "c": [1, 2], "d": "e: \\"f\\": 0')
    {'a': {}, 'c': None, 'd': None}
    """
    fields: dict[str, object] = {}
    depth, text = 0, ""
    for token in _TOKEN.finditer(head):
        if token["begin"]:
            depth += 1
        elif token["end"]:
            depth -= 1
        elif token["colon"] and depth == 1:
            fields[text] = {} if head[token.end() : token.end() + 10].lstrip().startswith("{") else None
        elif token["text"] is not None:
            text = token["text"]
    return fields
