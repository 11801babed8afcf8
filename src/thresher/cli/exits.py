"""Exit codes, and which error ends with which."""

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
