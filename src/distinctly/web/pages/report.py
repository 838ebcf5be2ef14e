"""The report: upload files, and get one page with tables, plots and examples."""

from __future__ import annotations

import json
import secrets
from collections.abc import Mapping

from fastapi import APIRouter, Request
from fastapi.responses import RedirectResponse, Response

from distinctly.report.html import policy_of
from distinctly.web.allowed import TOKENIZERS
from distinctly.web.refusals import RefusalError
from distinctly.web.rendering import page
from distinctly.web.report_job import report_html
from distinctly.web.settings import Settings
from distinctly.web.uploads import Form, uploaded
from distinctly.web.workers import Workers

router = APIRouter(include_in_schema=False)
NAVIGATION = (3, "/report", "Report")
# The number of reports that are kept, in memory, until the server ends.
MOST_KEPT = 10
_FORMATS = ("txt", "jsonl", "json", "csv", "tsv", "file")


@router.get("/report")
async def show(request: Request) -> Response:
    """Show the form."""
    return _form(request, 200, "", {})


@router.post("/report")
async def make(request: Request) -> Response:
    """Make a report on the files of the form, and lead to it; an error is shown above the form."""
    workers: Workers = request.app.state.workers
    settings: Settings = request.app.state.settings
    async with uploaded(request) as form:
        files, (reference, *_) = form.files.get("files", []), [*form.files.get("reference", []), None]
        options = json.dumps(_options(form))
        try:
            answer = await workers.run(
                report_html,
                files,
                reference,
                options,
                seconds=settings.report_seconds,
                has_left=request.is_disconnected,
            )
        except RefusalError as refusal:
            return _form(request, refusal.status, refusal.message, form.texts, refusal.headers)
    if answer.status != 200:
        return _form(request, answer.status, json.loads(answer.body)["error"], form.texts)
    kept = _kept(request)
    name = secrets.token_urlsafe(12)
    kept[name] = answer.body
    while len(kept) > MOST_KEPT:
        kept.pop(next(iter(kept)))
    return RedirectResponse(f"/report/{name}", 303)


@router.get("/report/{name}")
async def ready(request: Request, name: str) -> Response:
    """Show the links to a report."""
    return page(request, "ready.html", name=name, size=len(_report(request, name)))


@router.get("/report/{name}/report.html")
async def opened(request: Request, name: str) -> Response:
    """Return a report, with the policy that it declares."""
    html = _report(request, name)
    policy = f"{policy_of(html.decode())}; frame-ancestors 'none'"
    disposition = "attachment" if "download" in request.query_params else "inline"
    headers = {
        "Content-Security-Policy": policy,
        "Content-Disposition": f'{disposition}; filename="report.html"',
    }
    return Response(html, headers=headers, media_type="text/html; charset=utf-8")


def _form(
    request: Request,
    status: int,
    problem: str,
    given: Mapping[str, str],
    headers: dict[str, str] | None = None,
) -> Response:
    return page(
        request,
        "report.html",
        status,
        headers,
        problem=problem,
        given=given,
        tokenizers=[*TOKENIZERS[:3], "words:lc=yes"],
        formats=_FORMATS,
    )


def _options(form: Form) -> dict[str, object]:
    """Return the fields of the form that are filled in; metrics are separated by spaces."""
    options: dict[str, object] = {name: text.strip() for name, text in form.texts.items() if text.strip()}
    if "metrics" in options:
        options["metrics"] = str(options["metrics"]).split()
    return options


def _kept(request: Request) -> dict[str, bytes]:
    """Return the reports of this server by name."""
    state = request.app.state
    if not hasattr(state, "reports"):
        state.reports = {}
    kept: dict[str, bytes] = state.reports
    return kept


def _report(request: Request, name: str) -> bytes:
    kept = _kept(request)
    if name not in kept:
        raise RefusalError(404, f"There is no such report. The last {MOST_KEPT} are kept: make it again.")
    return kept[name]
