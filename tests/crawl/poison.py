"""Jobs for pool processes: well-behaved ones and deadly ones."""

import os
import signal


def work(request: bytes) -> bytes:
    if request == b"hang":
        while True:
            pass
    if request == b"crash":
        os.kill(os.getpid(), signal.SIGSEGV)
    if request == b"raise":
        raise ValueError("this page is not liked")
    if request == b"greedy":
        return bytes(bytearray(1 << 33)[:1])
    if request == b"pid":
        return str(os.getpid()).encode()
    return request.upper()


def damaged(request: bytes) -> bytes:
    """Fail at every page, as a damaged model does."""
    raise ValueError("the model is damaged")


def missing(request: bytes) -> bytes:
    """End at every page, as a broken library does."""
    os.kill(os.getpid(), signal.SIGSEGV)
    return b""
