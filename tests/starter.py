"""Starts modules by forking a process that has loaded the commands and their libraries, which is most of their start.

Nothing hides behind what is loaded before: imports stand at the top of modules and form no cycles
(test_architecture.py), and a plain start has a test of its own (test_commands.py).
"""

import gc
import importlib
import json
import os
import runpy
import select
import signal
import socket
import sys
from typing import Any, Never

import charset_normalizer  # noqa: F401
import click  # noqa: F401
import lxml.html  # noqa: F401
import protego  # noqa: F401
import rich.progress  # noqa: F401
import scrapy.core.downloader.handlers.http11
import scrapy.crawler  # noqa: F401
import sqlalchemy.dialects.postgresql
import sqlalchemy.dialects.sqlite  # noqa: F401
import tldextract  # noqa: F401

from thresher.cli.main import COMMANDS, MODULES

SELDOM = ("bench", "train")  # too much to load for the few tests that start them
REQUEST_BYTES = 1 << 20


def serve(control: socket.socket) -> None:
    """Start what is asked for and tell how each process ended, until nobody is left to ask."""
    ended, told = os.pipe()
    os.set_blocking(told, False)
    signal.set_wakeup_fd(told)
    signal.signal(signal.SIGCHLD, lambda *_: None)  # the wakeup tells of it
    waiting: dict[int, int] = {}  # process → where its status is waited for
    gc.collect()
    gc.freeze()  # no process shall look again at what it was given
    while True:
        ready, _, _ = select.select([control.fileno(), ended], [], [])
        if ended in ready:
            os.read(ended, 4096)
            _tell(waiting)
        if control.fileno() in ready:
            request, fds, _, _ = socket.recv_fds(control, REQUEST_BYTES, 4)
            if not request:
                return
            pid = os.fork()
            if not pid:
                for fd in (control.detach(), ended, told, fds.pop(), *waiting.values()):
                    os.close(fd)
                _become(json.loads(request), fds)
            for fd in fds[:3]:
                os.close(fd)
            waiting[pid] = fds[3]
            control.send(pid.to_bytes(8, "little"))


def _tell(waiting: dict[int, int]) -> None:
    """Write the status of every process that has ended where it is waited for."""
    while waiting:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if not pid:
            return
        fd = waiting.pop(pid)
        os.write(fd, status.to_bytes(4, "little"))
        os.close(fd)


def _become(request: dict[str, Any], fds: list[int]) -> Never:
    """Be `python -m MODULE ARGS` from here on."""
    signal.set_wakeup_fd(-1)
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    for number, fd in enumerate(fds):
        os.dup2(fd, number)
        os.close(fd)
    os.chdir(request["cwd"])
    os.environ.clear()
    os.environ.update(request["environ"])
    module, args = request["module"], request["args"]
    sys.path[0] = request["cwd"]
    sys.argv = [module, *args]
    sys.orig_argv = [sys.executable, "-m", module, *args]
    runpy.run_module(module, run_name="__main__", alter_sys=True)
    sys.exit()


if __name__ == "__main__":
    for name in COMMANDS.keys() - set(SELDOM):
        importlib.import_module(f"thresher.cli.{MODULES.get(name, name)}")
    serve(socket.socket(fileno=int(sys.argv[1])))
