"""`thresher` in a process that the system kills as soon as it has noted for the first time how far an export is."""

import os
import signal

from thresher.cli.start import main
from thresher.export.partial import Partial

_keep = Partial.keep


def keep(self: Partial, documents: int, last: str | None, size: int = 0) -> None:
    """Note how far the export is, and die."""
    _keep(self, documents, last, size)
    os.kill(os.getpid(), signal.SIGKILL)


if __name__ == "__main__":
    Partial.keep = keep  # type: ignore[method-assign]
    main()
