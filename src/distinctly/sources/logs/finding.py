"""Find out which tool wrote a log, by looking at the file."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

from distinctly.errors import InputError
from distinctly.sources.base import Reading
from distinctly.sources.jsonl import JsonlSource
from distinctly.sources.locations import Location
from distinctly.sources.logs.base import JsonLog, LogSource
from distinctly.sources.logs.every_eval_ever import EveryEvalEverLog
from distinctly.sources.logs.inspect_eval import InspectLog
from distinctly.sources.logs.lighteval import LightevalLog
from distinctly.sources.logs.lm_eval import LmEvalLog
from distinctly.sources.logs.noveltybench import NoveltyBenchLog
from distinctly.sources.logs.openai_chat import OpenAiLog
from distinctly.sources.logs.promptfoo import PromptfooLog

LOGS: dict[str, type[LogSource]] = {
    "lm-eval": LmEvalLog,
    "inspect": InspectLog,
    "promptfoo": PromptfooLog,
    "lighteval": LightevalLog,
    "every-eval-ever": EveryEvalEverLog,
    "noveltybench": NoveltyBenchLog,
    "openai": OpenAiLog,
}
# The ending of logs of inspect alone, and endings that logs share with other files.
LOG = "eval"
ENDINGS = ("json", "jsonl", "ndjson", "parquet")
# Written beside samples by lm-evaluation-harness and lighteval: averages, and no texts.
_SUMMARY = re.compile(r"results_.*\d{4}-\d\d-\d\dT[\d.:-]+\.json")
_INSPECT = frozenset({"version", "status", "eval"})
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
        return InspectLog
    if ending not in ENDINGS or reading.field != Reading.field or location.checked_size() is None:
        return None
    names = _columns(location) if ending == "parquet" else _names(location, reading)
    if reading.field in names:
        return None
    if names >= _INSPECT and ending == "json":
        return InspectLog
    kinds: Iterable[type[LogSource]] = LOGS.values()
    for kind in kinds:
        if issubclass(kind, JsonLog) and any(sign <= names for sign in kind.signs):
            return kind
    return None


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
