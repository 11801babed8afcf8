"""Where the `thresher` command starts: from the first import on, Ctrl-C ends it with 130 and without a traceback."""

import signal
import sys
from typing import NoReturn

from thresher.cli import exits


def main() -> NoReturn:
    """Run the command line and exit with its code."""
    with exits.at_once():
        from thresher.cli.main import run
    if signal.getsignal(signal.SIGTERM) is signal.SIG_DFL:
        signal.signal(signal.SIGTERM, signal.default_int_handler)  # a job in the background hears no Ctrl-C
    try:
        code = run()
    except KeyboardInterrupt:
        code = exits.INTERRUPTED
    for number in (signal.SIGINT, signal.SIGTERM):  # what is left to do is Python's, which would print a traceback
        if callable(signal.getsignal(number)):
            signal.signal(number, signal.SIG_DFL)
    sys.exit(code)
