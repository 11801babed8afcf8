"""Commands as processes of their own, which start in a fraction of the time that `python -m` takes (see starter.py)."""

import atexit
import json
import os
import select
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from pathlib import Path
from tempfile import TemporaryFile

ROOT = Path(__file__).parents[1]
PIPE_BYTES = 65_536  # that a pipe takes before somebody reads it


class Command:
    """A command that was started; it is asked and ended like a subprocess.Popen."""

    def __init__(
        self,
        *args: str,
        module: str = "thresher",
        cwd: Path | None = None,
        environ: Mapping[str, str] | None = None,
        stdin: str = "",
    ) -> None:
        self.args = [module, *args]
        self.returncode: int | None = None
        self._out, self._err = (TemporaryFile("w+", encoding="utf-8") for _ in range(2))  # noqa: SIM115
        self._ended, told = os.pipe()
        reading, writing = os.pipe()
        assert len(stdin.encode()) <= PIPE_BYTES
        os.write(writing, stdin.encode())
        os.close(writing)
        place = {"cwd": str(cwd or Path.cwd()), "environ": dict(environ or os.environ)}
        starter, fds = _starter(), [reading, self._out.fileno(), self._err.fileno(), told]
        socket.send_fds(starter, [json.dumps({"module": module, "args": args, **place}).encode()], fds)
        self.pid = int.from_bytes(starter.recv(8), "little")
        os.close(reading)
        os.close(told)

    def poll(self) -> int | None:
        """Return the exit code; None while the command runs."""
        return self._look(0.0)

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code when the command has ended; raise TimeoutExpired when it does not in time."""
        code = self._look(timeout)
        if code is None:
            raise subprocess.TimeoutExpired(self.args, timeout or 0.0)
        return code

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Return what a command has said when it has ended; raise TimeoutExpired when it does not in time."""
        self.wait(timeout)
        for said in (self._out, self._err):
            said.seek(0)
        return self._out.read(), self._err.read()

    def said(self) -> str:
        """Return what the command has written to standard error so far."""
        return os.pread(self._err.fileno(), os.fstat(self._err.fileno()).st_size, 0).decode("utf-8", "replace")

    def send_signal(self, number: int) -> None:
        """Send a signal to a command that runs."""
        with suppress(ProcessLookupError):  # it may end this moment
            if self.poll() is None:
                os.kill(self.pid, number)

    def kill(self) -> None:
        """End the command at once, if it runs."""
        self.send_signal(signal.SIGKILL)

    def _look(self, timeout_s: float | None) -> int | None:
        if self.returncode is None and select.select([self._ended], [], [], timeout_s)[0]:
            status = os.read(self._ended, 4)
            assert status, "the process that starts commands has died"
            os.close(self._ended)
            self.returncode = os.waitstatus_to_exitcode(int.from_bytes(status, "little"))
        return self.returncode


def run(
    *args: str,
    module: str = "thresher",
    cwd: Path | None = None,
    environ: Mapping[str, str] | None = None,
    stdin: str = "",
    timeout_s: float = 280.0,
) -> "subprocess.CompletedProcess[str]":
    """Run a command to its end; kill it and raise TimeoutExpired when that does not come in time."""
    command = Command(*args, module=module, cwd=cwd, environ=environ, stdin=stdin)
    try:
        out, err = command.communicate(timeout_s)
    except subprocess.TimeoutExpired:
        command.kill()
        raise
    assert command.returncode is not None
    return subprocess.CompletedProcess(command.args, command.returncode, out, err)


@cache
def _starter() -> socket.socket:
    """Return the way to the process that starts commands; it ends with this one."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    line = [sys.executable, "-m", "tests.starter", str(theirs.fileno())]
    process = subprocess.Popen(
        line, cwd=ROOT, pass_fds=[theirs.fileno()], stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    theirs.close()
    atexit.register(process.wait)
    atexit.register(ours.close)
    return ours
