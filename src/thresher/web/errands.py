"""Errands: work that fetches, done by a process of its own while a page shows how far it is.

    page ──start──▶ Errand ──▶ Child (api/process.py)
         ◀─watch── its messages, as they come, and how it ended

An errand that nobody looks at goes on; it ends with this process at the latest.
"""

import asyncio
import secrets
import threading
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from thresher.api.process import Child
from thresher.config import Settings, environment_of
from thresher.errors import ThresherError, UsageError

MAX_RUNNING = 4  # at once
MAX_KEPT = 20  # that are over, for those who come back to see
LOOK_EVERY_S = 0.25
RUNNING, DONE, FAILED, CANCELLED = "running", "done", "failed", "cancelled"


@dataclass(eq=False)
class Errand:
    """One piece of work, what it has told so far and how it ended."""

    id: str
    kind: str
    about: Mapping[str, Any]  # what the page that shows it needs to know
    child: Child
    started_at: datetime
    state: str = RUNNING
    error: str = ""
    messages: list[dict[str, Any]] = field(default_factory=list)

    def of(self, name: str) -> list[Any]:
        """Return what the messages of one name say, in their order."""
        return [message[name] for message in self.messages if name in message]

    async def watch(self) -> AsyncIterator[int]:
        """Yield how many messages there are whenever that changes, and once more when the errand is over."""
        shown = -1
        while self.state == RUNNING:
            if len(self.messages) != shown:
                shown = len(self.messages)
                yield shown
            await asyncio.sleep(LOOK_EVERY_S)
        yield len(self.messages)


class Errands:
    """Starts errands and keeps what they tell."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._all: dict[str, Errand] = {}

    def start(self, kind: str, request: Mapping[str, Any], about: Mapping[str, Any]) -> Errand:
        """Start an errand of api/child.py; raise UsageError when too many run."""
        if sum(errand.state == RUNNING for errand in self._all.values()) >= MAX_RUNNING:
            raise UsageError(f"{MAX_RUNNING} of these run already; wait for one to end, or cancel it")
        over = [id_ for id_, errand in self._all.items() if errand.state != RUNNING]
        for id_ in over[:-MAX_KEPT]:
            del self._all[id_]
        order = {"errand": kind, "data": self._settings.data, **request}
        child = Child(order, environment_of(self._settings))
        errand = Errand(secrets.token_urlsafe(9), kind, about, child, datetime.now(UTC))
        self._all[errand.id] = errand
        threading.Thread(target=_listen, args=(errand,), daemon=True).start()
        return errand

    def get(self, id_: str) -> Errand | None:
        """Look an errand up; None when there is none, or none any more."""
        return self._all.get(id_)

    def cancel(self, errand: Errand) -> None:
        """Ask an errand to end; what it has told stays."""
        if errand.state == RUNNING:
            errand.state = CANCELLED
            errand.child.ask_to_end()

    def close(self) -> None:
        """Ask all to end, and do not wait for them: they end with this process."""
        for errand in self._all.values():
            errand.child.ask_to_end()


def _listen(errand: Errand) -> None:
    try:
        for message in errand.child.messages():
            errand.messages.append(message)
    except ThresherError as error:
        errand.error = str(error)
    if errand.state == RUNNING:
        errand.state = FAILED if errand.error else DONE
