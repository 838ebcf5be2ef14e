"""Find out which tool wrote a log, by looking at the file."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from distinctly.errors import InputError
from distinctly.sources.base import Reading
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.locations import Location

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
    """

    reader: tuple[str, str]
    signs: tuple[frozenset[str], ...]
    endings: tuple[str, ...] = ("jsonl", "ndjson", "json")

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
    "every-eval-ever": Kind(("every_eval_ever", "EveryEvalEverLog"), _signs("sample_id model_id")),
    "noveltybench": Kind(("noveltybench", "NoveltyBenchLog"), _signs("id prompt generations")),
    "openai": Kind(
        ("openai_chat", "OpenAiLog"), _signs("choices object", "custom_id response", "output object model")
    ),
}
# The ending of logs of inspect alone.
LOG = "eval"
# Written beside samples by lm-evaluation-harness and lighteval: averages, and no texts.
_SUMMARY = re.compile(r"results_.*\d{4}-\d\d-\d\dT[\d.:-]+\.json")
_NAME = re.compile(r'"([A-Za-z]\w*)"\s*:')


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
    names = _columns(location) if ending == "parquet" else _names(location, reading)
    if reading.field in names:
        return None
    return next((kind.load() for kind in kinds if any(sign <= names for sign in kind.signs)), None)


def without_summaries(files: Iterable[Location]) -> list[Location]:
    """Return files without the summaries that stand beside logs."""
    files = list(files)
    texts = [file for file in files if not _SUMMARY.fullmatch(file.title)]
    return texts if any(_may_be_log(file) for file in texts) else files


def _may_be_log(file: Location) -> bool:
    return file.title.startswith(("samples_", "details_")) or file.ending == LOG


def _columns(location: Location) -> frozenset[str]:
    import pyarrow.parquet

    stream, _ = location.open()
    with stream:
        try:
            return frozenset(pyarrow.parquet.read_schema(stream).names)
        except (pyarrow.ArrowException, OSError):  # raised again when the file is read
            return frozenset()


def _names(location: Location, reading: Reading) -> frozenset[str]:
    """Return the names of the fields of the first object of a file."""
    try:
        head = next(JsonlSource(location, reading).pieces(), "").lstrip().removeprefix("[").lstrip()
    except InputError:  # raised again when the file is read
        return frozenset()
    if not head.startswith("{"):
        return frozenset()
    try:
        value, _ = json.JSONDecoder().raw_decode(head)
    except (ValueError, RecursionError):  # an object that is longer than a piece
        return frozenset(_NAME.findall(head[:100_000]))
    return frozenset(value)
