"""How a process of ours is started: as a command that is told when its parent dies.

Linux tells the death of the thread that started it to a process as SIGTERM; other systems have no such call.
"""

import sys
from collections.abc import Sequence

_STARTER = """
import ctypes, os, sys
with __import__("contextlib").suppress(OSError, AttributeError):
    ctypes.CDLL(None).prctl(1, 15)
if os.getppid() != int(sys.argv[1]):
    sys.exit(143)
os.execv(sys.executable, [sys.executable, "-P", "-m", "thresher", *sys.argv[2:]])
"""


def child_command(parent: int, arguments: Sequence[str]) -> list[str]:
    """Return the command line of `thresher ARGUMENTS…` for a process that is to drain when its parent dies."""
    return [sys.executable, "-P", "-c", _STARTER, str(parent), *arguments]
