"""`Limits`: how large a request may be, and how long it may take to arrive."""

from __future__ import annotations

import asyncio
import contextlib

from fastapi import Request
from fastapi.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from distinctly.web.refusals import RefusalError, answer_refusal
from distinctly.web.settings import MEGABYTE, Settings

# The number of seconds in which the rest of a refused request is read and dropped. A connection that is
# closed while the client still sends is reset, and the client may then not see the answer.
LINGER = 5.0


class _RefusedError(Exception):
    """A request turned out to be too large, or too slow, while it was read."""

    def __init__(self, problem: RefusalError) -> None:
        super().__init__(problem.message)
        self.problem = problem


class Limits:
    """Refuses a request that is too large, as soon as that is known, and one that stops arriving."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app, self.settings = app, settings

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request = Request(scope)
        length = request.headers.get("content-length", "0")
        if not length.isdigit() or int(length) > self.settings.body_limit:
            await _refuse(request, self._too_large(), receive, send)
            return
        arrived, complete, answered = 0, False, False

        async def receive_some() -> Message:
            nonlocal arrived, complete
            if complete:
                return await receive()
            try:
                message = await asyncio.wait_for(receive(), self.settings.pause_limit)
            except asyncio.TimeoutError:
                raise _RefusedError(
                    RefusalError(
                        408, f"Nothing arrived for {self.settings.pause_limit:g} seconds. Send it again."
                    )
                ) from None
            arrived += len(message.get("body", b""))
            complete = not message.get("more_body", False)
            if arrived > self.settings.body_limit:
                raise _RefusedError(self._too_large())
            return message

        async def send_noting(message: Message) -> None:
            nonlocal answered
            answered = True
            await send(message)

        try:
            await self.app(scope, receive_some, send_noting)
        except _RefusedError as refused:
            if answered:
                raise
            await _refuse(request, refused.problem, receive, send)

    def _too_large(self) -> RefusalError:
        limit = self.settings.body_limit / MEGABYTE
        return RefusalError(
            413,
            f"The request is larger than {limit:g} MB, the limit of this server. Measure larger files with "
            "the command: distinctly measure FILE.",
            {"Connection": "close"},
        )


async def _refuse(request: Request, problem: RefusalError, receive: Receive, send: Send) -> None:
    """Send the answer at once, and drop what still arrives for a while."""
    response: Response = answer_refusal(request, problem)
    start: Message = {
        "type": "http.response.start",
        "status": response.status_code,
        "headers": response.raw_headers,
    }
    await send(start)
    await send({"type": "http.response.body", "body": response.body, "more_body": True})
    with contextlib.suppress(asyncio.TimeoutError):
        await asyncio.wait_for(_drop(receive), LINGER)
    await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _drop(receive: Receive) -> None:
    message = await receive()
    while message["type"] == "http.request" and message.get("more_body", False):
        message = await receive()
