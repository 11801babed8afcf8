"""The command line, which dies as a power cut would while `reextract` writes the second batch of documents."""

import os
import signal
from collections.abc import Mapping
from itertools import count
from typing import Any

from thresher.cli.start import main
from thresher.store.sql import SqlStore

LAST = 5  # of the notes of how far it has come: one at the start, and before and in the writing of each batch
notes = count(1)
keep = SqlStore.keep_state


def keep_until_the_last(self: SqlStore, name: str, state: Mapping[str, Any]) -> None:
    if next(notes) == LAST:
        os.kill(os.getpid(), signal.SIGKILL)
    keep(self, name, state)


if __name__ == "__main__":
    SqlStore.keep_state = keep_until_the_last  # type: ignore[assignment, method-assign]
    main()
