"""Exit codes, which error ends with which, and the quick way out while modules are imported."""

import os
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import NoReturn

from thresher.errors import NotPermitted, ThresherError, Unreachable, UsageError

DONE = 0
FAILED = 1
USAGE = 2
SOME_FAILED = 3
EMPTY = 4
UNREACHABLE = 5
NOT_PERMITTED = 6
INTERRUPTED = 130


def of(error: ThresherError) -> int:
    """Return the exit code that says what kind of error ended the command."""
    for kind, code in ((UsageError, USAGE), (Unreachable, UNREACHABLE), (NotPermitted, NOT_PERMITTED)):
        if isinstance(error, kind):
            return code
    return FAILED


@contextmanager
def at_once() -> Iterator[None]:
    """Let Ctrl-C end the process at once while modules are imported: nothing is open yet that needs closing."""
    before = signal.getsignal(signal.SIGINT)
    if before is not signal.default_int_handler:  # it is ignored, or somebody else listens
        yield
        return
    signal.signal(signal.SIGINT, _leave)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def _leave(number: int, frame: FrameType | None) -> NoReturn:
    os._exit(INTERRUPTED)
