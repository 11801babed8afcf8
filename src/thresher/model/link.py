"""Link, Lease, Outcome: what is to be fetched, who may fetch it, and how that ended."""

from dataclasses import dataclass
from enum import StrEnum

from thresher import urls


@dataclass(frozen=True, slots=True)
class Link:
    """A URL worth fetching, how far it is from a start, and why it is wanted."""

    url: str  # canonical (urls.canonical)
    depth: int = 0  # links followed from a start; redirects do not count
    # start, search, result, redirect; page, article, thread, board, next, part, continued, moved; feed, subfeed,
    # comments and sitemap for those files and for what they name
    why: str = "start"
    found_on: str | None = None
    priority: int = 0  # higher is leased first
    hops: int = 0  # redirects followed to get here
    replay: bool = False  # stored already: follow its saved outlinks, send no request
    etag: str | None = None  # validators of the stored version, for a conditional request
    modified: str | None = None
    active_at: float | None = None  # the latest time that the list shows beside it, in seconds since 1970
    counts: str = ""  # the numbers that the list shows beside it, with blanks between
    mark: str = ""  # of what a feed says of it: another one later means that it was edited
    source: str = ""  # the name of the source that it is followed for; empty in a plain crawl

    @property
    def host(self) -> str:
        """The host (with a port that is not the default): what politeness is counted by."""
        return urls.host_of(self.url)

    @property
    def is_step(self) -> bool:
        """True when the link leads farther from the start than the page that it stands on."""
        return self.why not in ("redirect", "part", "continued")

    @property
    def key(self) -> str:
        """The hash that identifies the URL everywhere."""
        return urls.key_of(self.url)


class Outcome(StrEnum):
    """How a lease ended."""

    DONE = "done"  # nothing more to do: stored, or skipped for a reason
    RETRY = "retry"  # later again
    BURY = "bury"  # given up: a dead letter with its reason


@dataclass(frozen=True, slots=True)
class Lease:
    """The exclusive right to fetch one link until a time of the frontier's clock."""

    link: Link
    token: int  # fencing: a settle with an older token is refused
    worker: str
    expires_at: float
    attempts: int = 0  # settled failures so far
    lost: int = 0  # leases of this link that ended without a settle
