"""The HTTP server: uvicorn, told to believe no header, to say nothing of itself, and to wait for nobody for long."""

import asyncio
import socket

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol

from thresher.errors import ThresherError

GRACE_S = 5  # for requests in flight when the server ends
MAX_CONNECTIONS = 1_000  # at once; more are told to come again
HEAD_S = 15.0  # for the head of a request to arrive


class Prompt(H11Protocol):
    """Hangs up on who opens a connection and does not send the head of a request in time."""

    head_s = HEAD_S
    _hurry: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Begin to wait for a request."""
        super().connection_made(transport)
        self._hurry = self.loop.call_later(self.head_s, transport.close)

    def data_received(self, data: bytes) -> None:
        """Wait no more once the head of a request is there, and again from the first byte of the next one."""
        super().data_received(data)
        answering = self.cycle is not None and not self.cycle.response_complete
        if self._hurry and answering:
            self._hurry.cancel()
            self._hurry = None
        elif not self._hurry and not answering:
            self._hurry = self.loop.call_later(self.head_s, self.transport.close)

    def connection_lost(self, exc: Exception | None) -> None:
        """Forget the wait."""
        if self._hurry:
            self._hurry.cancel()
        super().connection_lost(exc)


def run(app: ASGIApp, listening: socket.socket) -> None:
    """Serve an application until a signal ends it; raise ThresherError when it cannot start."""
    config = uvicorn.Config(
        app,
        http=Prompt,
        log_config=None,
        log_level="warning",
        access_log=False,
        proxy_headers=False,  # the application itself decides what to believe
        server_header=False,
        limit_concurrency=MAX_CONNECTIONS,
        timeout_graceful_shutdown=GRACE_S,
        lifespan="on",
    )
    server = uvicorn.Server(config)
    server.run(sockets=[listening])
    if not server.started:
        raise ThresherError("the web application could not start; the lines above say why")
