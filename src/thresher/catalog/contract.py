"""What a catalog promises; every catalog passes the same tests.

Every call is atomic, and what workers call is idempotent: a round or a verdict that comes twice counts once. Calls come
from one thread at a time, of any number of processes. Times are aware and passed in. No backend's error type leaves a
catalog: what it raises is a BackendError.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from thresher.model import Endpoint, Judged, Keyword, Round, Source, SourceState

KEEP_ROUNDS_DAYS = 30  # rounds that are older go when another one of their source comes
KEEP_JUDGED_DAYS = 30  # single verdicts likewise; the counts of their hours stay
HOUR_S = 3_600

STORED = "stored"  # documents
REFUSED = "refused"  # pages that gave none
ASKED = "asked"  # rounds that succeeded
FAILED = "failed"  # rounds that did not


@dataclass(frozen=True, slots=True)
class HourCount:
    """What happened to a source in one hour."""

    source: str
    hour: int  # since 1970, in UTC: int(timestamp // HOUR_S)
    state: str  # STORED, REFUSED, ASKED or FAILED
    reason: str
    count: int


class Catalog(Protocol):
    """Keeps sources, their endpoints and rounds, what became of their pages, and keywords."""

    def add(self, source: Source, endpoints: Sequence[Endpoint] = ()) -> None:
        """Keep a new source; raise UsageError when there is one of its name."""

    def change(self, source: Source) -> None:
        """Replace the definition of a source; raise UsageError when there is none of its name."""

    def set_state(self, name: str, state: SourceState) -> None:
        """Pause or resume a source; raise UsageError when there is none of its name."""

    def remove(self, name: str) -> bool:
        """Forget a source with all that belongs to it (not its documents); False when there is none."""

    def source(self, name: str) -> Source | None:
        """Look a source up."""

    def sources(self) -> list[Source]:
        """All sources, by name."""

    def version(self) -> int:
        """A number that grows when a source or an endpoint is added, changed or removed; rounds leave it as it is."""

    def save_endpoints(self, endpoints: Sequence[Endpoint]) -> None:
        """Insert or replace endpoints, each identified by source and URL."""

    def remove_endpoint(self, source: str, url: str) -> None:
        """Forget an endpoint."""

    def endpoint(self, source: str, url: str) -> Endpoint | None:
        """Look an endpoint up."""

    def endpoints(self, source: str | None = None) -> list[Endpoint]:
        """The endpoints of a source, or all, by source and URL."""

    def record(self, visit: Round) -> Endpoint | None:
        """Keep a round, count it, and bring its endpoint up to date (Endpoint.after); once, if it comes twice.

        Return the endpoint as it is now; None when there is none, and then nothing is kept.
        """

    def rounds(self, source: str, *, url: str | None = None, limit: int = 20) -> list[Round]:
        """The latest rounds of a source, or of one of its endpoints, newest first."""

    def note(self, verdicts: Sequence[Judged]) -> None:
        """Keep what became of pages, and count it in the hour of its time.

        A page counts once per source: as stored for good, or else with its latest reason. So a document that is saved
        again, and a landing that is repeated, change no count; a page that was refused before and is stored now does.
        Verdicts of a source that is not there (any more) are dropped.
        """

    def judged(self, source: str, *, limit: int = 50) -> list[Judged]:
        """The latest verdicts of a source, newest first."""

    def hours(self, source: str | None = None, *, since: datetime | None = None) -> list[HourCount]:
        """What happened in each hour, the earliest first; from a time on, or ever."""

    def tally(self, source: str) -> Mapping[tuple[str, str], int]:
        """Count what ever happened to a source, by (state, reason)."""

    def keywords(self) -> list[Keyword]:
        """All hot keywords, the heaviest first, then by word."""

    def save_keywords(self, keywords: Sequence[Keyword]) -> None:
        """Insert or replace keywords."""

    def remove_keywords(self, words: Sequence[str]) -> int:
        """Forget keywords; answer how many there were."""

    def close(self) -> None:
        """Let go of the database."""
