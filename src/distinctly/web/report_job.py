"""The job of a report: from files of a client to one HTML page."""

from __future__ import annotations

import shlex
from collections.abc import Mapping, Sequence
from typing import Any

from distinctly.corpus import Corpus
from distinctly.errors import DistinctlyError
from distinctly.web import fields
from distinctly.web.fields import Field, read_body
from distinctly.web.file_jobs import BY, READING, opened, renamed
from distinctly.web.jobs import RUN, Answer, answered
from distinctly.web.uploads import Upload

REPORT: Mapping[str, Field] = {
    **READING,
    "by": BY,
    "metrics": fields.METRICS,
    "tokenizer": fields.TOKENIZER,
    "seed": fields.SEED,
}


def report_html(uploads: Sequence[Upload], reference: Upload | None, options: str) -> Answer:
    """Answer a request for a report on files, with the options as JSON; errors are JSON."""
    return answered(lambda: _reported(uploads, reference, read_body(options.encode(), REPORT)))


def _reported(uploads: Sequence[Upload], reference: Upload | None, request: dict[str, Any]) -> bytes:
    from distinctly.overview.layout import check_installed
    from distinctly.overview.reporting import overview_page
    from distinctly.report.html import render

    check_installed()
    command = _command(uploads, reference, request)
    by = request.pop("by", None)
    of_reference = {name: value for name, value in request.items() if name in ("field", "format")}
    try:
        corpora = opened(uploads, request, by)
        given: Corpus | None = None if reference is None else opened([reference], of_reference)[0]
        page = overview_page(corpora, reference=given, by=by, command=command, **request, **RUN)
        return render(page).encode("utf-8", "replace")
    except DistinctlyError as error:
        raise renamed(error, [*uploads, *([] if reference is None else [reference])]) from error


def _command(uploads: Sequence[Upload], reference: Upload | None, request: Mapping[str, Any]) -> str:
    """Return the command that writes the same report."""
    words = ["distinctly", "report", *(upload.name for upload in uploads)]
    words += [] if reference is None else ["--reference", reference.name]
    for name in ("field", "group", "by", "tokenizer", "seed"):
        words += [f"--{name}", str(request[name])] if name in request else []
    words += ["--input", request["format"]] if "format" in request else []
    words += [word for spec in request.get("metrics", ()) for word in ("-m", spec)]
    return shlex.join([*words, "-o", "report.html"])
