"""Page and Failure: what the network returned, or why it returned nothing."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from thresher.model.link import Outcome


@dataclass(frozen=True, slots=True)
class Page:
    """One HTTP answer, decompressed; redirects and errors are Pages too."""

    url: str  # as requested, canonical
    status: int
    body: bytes
    fetched_at: datetime  # aware, UTC
    headers: Mapping[str, str] = field(default_factory=dict)  # lower-case names; repeated ones joined by ", "
    elapsed_s: float = 0.0
    address: str | None = None  # the address that was connected to
    crawl_delay_s: float | None = None  # what robots.txt asks of us for this host
    rendered: bool = False  # the body is what a browser made of the answer
    moved_to: str = ""  # where permanent redirects led, of those that were followed on the way here

    @property
    def content_type(self) -> str:
        """The Content-Type header, or the empty string."""
        return self.headers.get("content-type", "")


@dataclass(frozen=True, slots=True)
class Failure:
    """Why there is no Page, and what that means for the link."""

    reason: str  # a short fixed word, e.g. "timeout", "robots-disallowed", "address-refused"
    outcome: Outcome
    detail: str = ""
    counted: bool = True  # False: no fault of the link; the attempt does not count
    retry_after_s: float | None = None
    crawl_delay_s: float | None = None
