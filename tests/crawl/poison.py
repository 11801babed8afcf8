"""Jobs for pool processes: well-behaved ones and deadly ones."""

import os
import signal
import socket
import sys
import time
from pathlib import Path


def work(request: bytes) -> bytes:
    if request == b"hang":
        while True:
            pass
    if request == b"doze":
        time.sleep(0.5)
        return b"DOZED"
    if request == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if request == b"raise":
        raise ValueError("this page is not liked")
    if request == b"greedy":
        return bytes(bytearray(1 << 33)[:1])
    if request == b"pid":
        return str(os.getpid()).encode()
    return request.upper()


def attempt(request: bytes) -> bytes:
    """Do what no page may make its process do; say how far it came."""
    what, _, argument = request.decode().partition(" ")
    try:
        if what == "network":
            socket.create_connection(("127.0.0.1", int(argument)), timeout=5).close()
        elif what == "local-socket":
            socket.socketpair()
        elif what == "write":
            Path(argument).write_text("written")
        elif what == "create":
            Path(argument).touch()
        elif what == "remove":
            Path(argument).unlink()
        elif what == "program":
            os.execv(sys.executable, [sys.executable, "-c", "pass"])
        elif what == "user":
            return str(os.getuid()).encode()
    except OSError as error:
        return type(error).__name__.encode()
    return b"done"


def damaged(request: bytes) -> bytes:
    """Fail at every page, as a damaged model does."""
    raise ValueError("the model is damaged")


def missing(request: bytes) -> bytes:
    """End at every page, as a broken library does."""
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""
