"""The jobs that worker processes run: from the bytes of a request to the bytes of its answer.

A request is parsed here, not in the server, so that even the parsing of a large one does not delay others.
"""

from __future__ import annotations

import contextlib
import json
import logging
import os
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from distinctly.api import COUNTED_METRICS, DEFAULT_DISTANCES, compare, measure, per_text
from distinctly.errors import DistinctlyError, MissingExtraError, ResourceError, SpecError
from distinctly.report.pages.scores import page_of_scores
from distinctly.report.pages.texts import page_of_texts
from distinctly.web import fields
from distinctly.web.fields import Field, read_body

MOST_PERMUTATIONS, MOST_EXAMPLES = 10_000, 1_000
# Settings of every run: texts of clients leave no trace on the disk.
RUN: Mapping[str, Any] = {"cache": False}

MEASURE: Mapping[str, Field] = {
    "texts": fields.corpora(
        "The texts; lists of texts that belong together; or several corpora by name, to compare them."
    ),
    "metrics": fields.METRICS,
    "tokenizer": fields.TOKENIZER,
    "embedder": fields.EMBEDDERS,
    "groups": fields.GROUPS,
    "reference": fields.texts("The reference, for metrics that need one.", required=False),
    "interval": fields.flag("Compute the 95 % interval of every value."),
    "paired": fields.flag("Test the difference of each corpus from the best."),
    "permutations": fields.number("The number of exchanges per test.", 1, MOST_PERMUTATIONS),
    "population": fields.number("The size of the population that the texts are a part of.", 1, 10**12),
    "seed": fields.SEED,
    "top": fields.number("The number of most frequent n-grams to list.", 1, MOST_EXAMPLES),
    "explain": fields.number("The number of n-grams and texts that reduce diversity most.", 1, MOST_EXAMPLES),
    "per_text": fields.flag("Measure each text separately instead, as --per-text does."),
}
COMPARE: Mapping[str, Field] = {
    "reference": fields.texts("The texts of the reference."),
    "candidate": fields.texts("The texts of the candidate.", required=False),
    "candidates": fields.corpora("Several candidates by name, instead of `candidate`.", required=False),
    "metrics": fields.METRICS,
    "tokenizer": fields.TOKENIZER,
    "embedder": fields.EMBEDDERS,
    "interval": fields.flag("Compute the 95 % interval of every value."),
    "permutations": fields.number("The number of exchanges per test; 0 for none.", 0, MOST_PERMUTATIONS),
    "noise_floor": fields.flag("Also measure the distance of two random parts of the reference."),
    "subsample": fields.number("The number of random texts of each corpus to compare.", 1, 10**9),
    "seed": fields.SEED,
    "explain": fields.number("The number of tokens, texts and clusters that drive the distances.", 1, 100),
}


class Answer(NamedTuple):
    """The HTTP status and the bytes of an answer."""

    status: int
    body: bytes


def warm_up() -> None:
    """Import and load what the first request would wait for: metrics, compiled loops."""
    _limit_memory()
    texts = ["the cat sat on the mat", "the dog sat on the log"]
    with contextlib.suppress(DistinctlyError):
        measure(texts, COUNTED_METRICS)
        measure(texts, COUNTED_METRICS, compiled=True)
        per_text(texts)


def answered(work: Callable[[], Mapping[str, Any] | bytes]) -> Answer:
    """Return what a function returns, plain data as JSON, or the JSON of the error that it raises."""
    try:
        result = work()
        return Answer(200, result if isinstance(result, bytes) else as_json(result))
    except SyntaxError as error:
        return _problem(400, error.msg)
    except ResourceError as error:
        return _problem(503, str(error))
    except MissingExtraError as error:
        return _problem(503, f"On the machine of this server: {error}")
    except DistinctlyError as error:
        return _problem(422, str(error))
    except MemoryError:
        return _problem(503, "There is not enough memory for this. Send fewer texts or metrics at a time.")
    except Exception as error:
        logging.getLogger(__name__).exception("a request failed")
        return _problem(500, f"Internal error: {type(error).__name__}. This is a bug: please report it.")


def measure_json(body: bytes) -> Answer:
    """Answer a request to measure texts: the same document as `distinctly measure --format json`."""
    return answered(lambda: measured(read_body(body, MEASURE)))


def compare_json(body: bytes) -> Answer:
    """Answer a request to compare texts: the same document as `distinctly compare --format json`."""
    return answered(lambda: compared(read_body(body, COMPARE)))


def measured(request: dict[str, Any]) -> Mapping[str, Any]:
    """Measure the texts of a checked request, and return the document."""
    if request.pop("per_text", False):
        return page_of_texts(per_text(request.pop("texts"), **request, **RUN)).document()
    return page_of_scores(measure(request.pop("texts"), **request, **RUN)).document()


def compared(request: dict[str, Any]) -> Mapping[str, Any]:
    """Compare the texts of a checked request, and return the document."""
    candidates = request.pop("candidates", None)
    single = request.pop("candidate", None)
    if (candidates is None) == (single is None):
        raise SpecError(
            "Expected either `candidate`, a list of texts, or `candidates`, lists of texts by name."
        )
    if single is not None:
        candidates = {"candidate": single}
    elif not isinstance(candidates, dict):
        candidates = {"candidate": candidates}
    if "reference" in candidates:
        raise SpecError("The name 'reference' is that of the reference. Give the candidate another name.")
    corpora = {"reference": request.pop("reference"), **candidates}
    request.setdefault("metrics", DEFAULT_DISTANCES)
    return page_of_scores(compare(corpora, **request, **RUN)).document()


def as_json(document: Mapping[str, Any]) -> bytes:
    """Return plain data as JSON in UTF-8; half a surrogate pair is written as an escape."""
    text = json.dumps(document, ensure_ascii=False, allow_nan=False, default=str)
    return text.encode("utf-8", "backslashreplace")


def _problem(status: int, message: str) -> Answer:
    return Answer(status, as_json({"error": " ".join(message.split())}))


def _limit_memory() -> None:
    """Let an allocation beyond half of the machine's memory fail, instead of the machine."""
    try:
        import resource

        total = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
        limit = max(total // 2, 2 * 10**9)
        resource.setrlimit(resource.RLIMIT_DATA, (limit, resource.getrlimit(resource.RLIMIT_DATA)[1]))
    except (AttributeError, ImportError, OSError, ValueError):  # not on this system
        return
