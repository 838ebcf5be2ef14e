"""The jobs on files of clients: measure them, or compare them with a reference."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.api import DEFAULT_DISTANCES, compare, measure
from distinctly.corpus import Corpus, read_together
from distinctly.errors import DistinctlyError, InputError, SpecError
from distinctly.report.pages.scores import page_of_scores
from distinctly.web import fields
from distinctly.web.fields import Field, read_body
from distinctly.web.jobs import COMPARE, MEASURE, RUN, Answer, answered
from distinctly.web.uploads import Upload

READING: Mapping[str, Field] = {
    "field": fields.word("The field of the texts, for files that have fields."),
    "group": fields.word("The field of the groups."),
    "format": fields.choice(
        "How to read the files; by default, their ending decides.",
        "txt",
        "jsonl",
        "json",
        "csv",
        "tsv",
        "file",
    ),
}
BY = fields.word("The field by which texts are split into corpora.")
MEASURE_FILES: Mapping[str, Field] = {
    **{
        name: field
        for name, field in MEASURE.items()
        if name not in ("texts", "groups", "reference", "per_text")
    },
    **READING,
    "by": BY,
}
COMPARE_FILES: Mapping[str, Field] = {
    **{
        name: field for name, field in COMPARE.items() if name not in ("reference", "candidate", "candidates")
    },
    **READING,
}


def measure_files(uploads: Sequence[Upload], options: str) -> Answer:
    """Answer a request to measure files, with the options as JSON."""
    return answered(lambda: _measured(uploads, read_body(options.encode(), MEASURE_FILES)))


def compare_files(uploads: Sequence[Upload], options: str) -> Answer:
    """Answer a request to compare files, the reference first, with the options as JSON."""
    return answered(lambda: _compared(uploads, read_body(options.encode(), COMPARE_FILES)))


def _measured(uploads: Sequence[Upload], request: dict[str, Any]) -> Mapping[str, Any]:
    by = request.get("by")
    try:
        corpora = opened(uploads, request, by)
        return page_of_scores(measure(corpora, **request, **RUN)).document()
    except DistinctlyError as error:
        raise renamed(error, uploads) from error


def _compared(uploads: Sequence[Upload], request: dict[str, Any]) -> Mapping[str, Any]:
    if len(uploads) < 2:
        raise SpecError("Expected the file of the reference and that of a candidate. Choose both.")
    request.setdefault("metrics", DEFAULT_DISTANCES)
    try:
        reference, *candidates = opened(uploads, request)
        return page_of_scores(compare(reference, candidates, **request, **RUN)).document()
    except DistinctlyError as error:
        raise renamed(error, uploads) from error


def opened(uploads: Sequence[Upload], request: dict[str, Any], by: str | None = None) -> list[Corpus]:
    """Open files under the names of the client, and remove the options of reading from the request."""
    if not uploads:
        raise SpecError("Expected at least one file. Choose one.")
    reading = {name: request.pop(name) for name in READING if name in request}
    if by is not None:
        reading["id"] = by
    names = unique_names([upload.name for upload in uploads])
    corpora = [Corpus.read(upload.path, name=name, **reading) for upload, name in zip(uploads, names)]
    read_together(corpora)
    return corpora


def unique_names(names: Sequence[str]) -> list[str]:
    """Return different names, the second of a name with its number.

    Examples
    --------
    >>> unique_names(["a.txt", "b.txt", "a.txt"])
    ['a.txt', 'b.txt', 'a.txt (2)']
    """
    return [
        name if name not in names[:place] else f"{name} ({names[: place + 1].count(name)})"
        for place, name in enumerate(names)
    ]


def renamed(error: DistinctlyError, uploads: Sequence[Upload]) -> DistinctlyError:
    """Return an error with the client's name of a file in the place of ours."""
    message = str(error)
    for upload in uploads:
        message = message.replace(str(upload.path), upload.name)
    return InputError(message) if message != str(error) else error
