"""Server-sent events: what happens, told to a page as it happens."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

KEEP_ALIVE_S = 15.0  # proxies close what is silent
RETRY_MS = 3_000


def sse(request: Request, events: AsyncIterator[tuple[str, Any]]) -> Response:
    """Return a response that sends (event, data) pairs; text as it is, other data as JSON.

    The iterator is closed when the page goes away or the server shuts down.
    """
    headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
    return StreamingResponse(_lines(request, events), media_type="text/event-stream", headers=headers)


async def _lines(request: Request, events: AsyncIterator[tuple[str, Any]]) -> AsyncIterator[str]:
    yield f"retry: {RETRY_MS}\n\n"
    waiting: asyncio.Task[tuple[str, Any]] | None = None
    try:
        while not await request.is_disconnected():
            waiting = waiting or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({waiting}, timeout=KEEP_ALIVE_S)
            if not done:
                yield ": still here\n\n"
                continue
            try:
                name, data = waiting.result()
            except StopAsyncIteration:
                yield "event: end\ndata: {}\n\n"
                return
            waiting = None
            yield _event(name, data)
    finally:
        if waiting:
            waiting.cancel()
            with suppress(asyncio.CancelledError):
                await waiting
        closing = getattr(events, "aclose", None)
        if closing:
            await closing()


def _event(name: str, data: Any) -> str:
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False, default=str)
    lines = "".join(f"data: {line}\n" for line in text.splitlines() or [""])
    return f"event: {name}\n{lines}\n"
