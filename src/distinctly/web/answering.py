"""Answers that worker processes compute."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import Request
from fastapi.responses import Response

from distinctly.web.jobs import Answer
from distinctly.web.settings import Settings
from distinctly.web.workers import Workers


async def run_job(
    request: Request, job: Callable[..., Answer], *arguments: object, seconds: float | None = None
) -> Response:
    """Run a job in a worker process, within a time limit, and return its JSON."""
    workers: Workers = request.app.state.workers
    settings: Settings = request.app.state.settings
    limit = settings.seconds if seconds is None else seconds
    answer = await workers.run(job, *arguments, seconds=limit, has_left=request.is_disconnected)
    headers = {"Retry-After": "2"} if answer.status == 503 else {}
    return Response(answer.body, answer.status, headers, media_type="application/json")
