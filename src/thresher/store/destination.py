"""What a sink's destination promises: it takes what changed in the store, again if need be, and has it once.

    store's log of changes ──sink (a cursor)──▶ Destination: another store, a search index, a Kafka topic, files

A sink reads the log in order, hands a batch over and moves its cursor when `deliver` has returned. After a crash or an
error the same batch comes again, perhaps with later changes of the same documents in it.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from thresher.model import Page
from thresher.store.contract import Change

RawPage = Callable[[str], Page | None]  # the raw page that is stored under a URL; None when there is none


class Destination(Protocol):
    """Takes the changes of a store, one batch at a time, from one thread."""

    def deliver(self, changes: Sequence[Change], page: RawPage) -> None:
        """Keep these documents, safely: what was delivered is not given again.

        `stored` has the document as it is now, with its posts; where it is None the document has gone: one that can
        forget forgets it, one that only appends may leave or mark it. None of the changes is damaged. Raise
        Unreachable when trying again may help, and any other BackendError when a person must do something first.
        """

    def close(self) -> None:
        """Let go of connections and files; everything that was delivered stays."""
