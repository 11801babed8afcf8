"""A process that fetches for this one: Scrapy's event loop runs once in a process, and never beside another one.

    parent ──request (one line of JSON)──▶ stdin    child.py
           ◀──messages (lines of JSON)─── stdout
           closes stdin: finish what is in flight, and end

The child has a session of its own, so that a Ctrl-C reaches the parent alone, which passes it on. It ends when its
standard input does: also when the parent is killed.
"""

import json
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Iterator, Mapping
from queue import SimpleQueue
from typing import Any

from thresher import errors
from thresher.errors import ThresherError

GRACE_S = 60.0  # for a child that was asked to end
_COMMAND = ("-P", "-c", "from thresher.api.child import main; main()")


class Child:
    """A process that does one errand, and tells of it in messages."""

    def __init__(self, request: Mapping[str, Any], environment: Mapping[str, str] | None = None) -> None:
        """Start it, in this process's environment or another one."""
        self._log = tempfile.TemporaryFile("w+b")  # noqa: SIM115  # as long as the child lives
        self._process = subprocess.Popen(
            [sys.executable, *_COMMAND],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
            start_new_session=True,
            env=environment,
        )
        self._messages: SimpleQueue[bytes | None] = SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()
        self._send(request)

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    def messages(self) -> Iterator[dict[str, Any]]:
        """Yield what the child says until it ends; raise the ThresherError that it ended with.

        Ctrl-C lets the child finish what is in flight, then raises KeyboardInterrupt; a second one kills it.
        """
        try:
            while (line := self._messages.get()) is not None:
                message = json.loads(line)
                if "error" in message:
                    raise _error_of(message)
                yield message
        except (KeyboardInterrupt, ThresherError):
            self.end()
            raise
        self._check()

    def ask_to_end(self) -> None:
        """Ask the child to finish what is in flight, and to end; its last messages are still to come."""
        if self._process.stdin and not self._process.stdin.closed:
            self._process.stdin.close()

    def end(self) -> None:
        """Ask the child to end and wait for it; kill it when it takes too long or the wait is interrupted."""
        self.ask_to_end()
        try:
            self._process.wait(GRACE_S)
        except (subprocess.TimeoutExpired, KeyboardInterrupt):
            self._process.kill()
            self._process.wait()

    def _send(self, request: Mapping[str, Any]) -> None:
        assert self._process.stdin
        try:
            self._process.stdin.write(json.dumps(request, default=str).encode() + b"\n")
            self._process.stdin.flush()
        except BrokenPipeError:  # it could not even start: the end of its messages tells why
            return

    def _read(self) -> None:
        """Take messages off the pipe as they come, lest the child wait for whoever reads them slowly."""
        assert self._process.stdout
        with self._process.stdout:
            for line in self._process.stdout:
                self._messages.put(line)
        self._messages.put(None)

    def _check(self) -> None:
        code = self._process.wait()
        stopped = code == -signal.SIGTERM and self._process.stdin and self._process.stdin.closed
        if code and not stopped:  # who is asked to end before anything began has nothing to tell
            self._log.seek(0)
            last = self._log.read().decode("utf-8", "replace").strip().rpartition("\n")[2]
            raise ThresherError(f"the process that fetches ended with code {code}" + (f": {last}" if last else ""))


def _error_of(message: Mapping[str, Any]) -> ThresherError:
    kind = getattr(errors, message["error"], ThresherError)
    return kind(message["words"]) if issubclass(kind, ThresherError) else ThresherError(message["words"])
