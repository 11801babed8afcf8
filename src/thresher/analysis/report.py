"""What a run did, in numbers: how many links became pages and documents, what was skipped and why, hosts, languages."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from html import unescape
from typing import Any

from thresher import urls
from thresher.html import decode
from thresher.model import Page, Run, Visit
from thresher.text import clean

FIELDS = (
    *("url", "state", "reason", "status", "content_type", "bytes", "outlinks", "images", "title", "kind", "language"),
    *("published", "length", "new", "at", "found_on", "detail"),
)
MAX_HOSTS = 100_000  # that are counted one by one
OTHER_HOSTS = "all other hosts"
MAX_FAILURES = 200  # that are listed
THREAD_PAGE = "thread-page"  # the reason of a further page of a thread: stored, but no document of its own
MAX_TITLE = 300  # characters
_TITLE_SAMPLE = 65_536  # bytes in which a page's <title> is looked for
_TITLE = re.compile(r"<title[^>]*>([^<]{1,2000})", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Words:
    """What the words of fates mean, as the crawler defines them."""

    is_failure: Callable[[str, str], bool]  # by state and reason
    not_permitted: frozenset[str]  # reasons
    meaning_of: Callable[[str], str]


@dataclass(slots=True)
class HostCounts:
    """What became of the links of one host."""

    asked: int = 0
    fetched: int = 0
    documents: int = 0
    failed: int = 0


@dataclass(slots=True)
class Summary:
    """A run in numbers."""

    run: Run
    at: datetime  # when this was counted
    tally: Mapping[tuple[str, str], int]
    waiting: int = 0  # links left in the queue
    bytes: int = 0  # of the pages that came, decompressed
    not_permitted: int = 0
    fetched: int = 0  # answers with a page (status 2xx)
    documents: int = 0
    new: int = 0  # documents that no earlier run had stored
    failed: int = 0
    statuses: Counter[int] = field(default_factory=Counter)
    languages: Counter[str] = field(default_factory=Counter)
    hosts: dict[str, HostCounts] = field(default_factory=dict)
    failures: list[Visit] = field(default_factory=list)  # the first MAX_FAILURES

    @property
    def found(self) -> int:
        """Links that were found, the starts among them."""
        return sum(self.tally.values()) + self.waiting

    @property
    def pages(self) -> int:
        """Links with a row in the list of pages: all that were not refused."""
        return sum(count for (state, _), count in self.tally.items() if state != "refused")

    @property
    def allowed(self) -> int:
        """Links that scope, traps, robots.txt and the address rules let through."""
        refused = sum(count for (state, _), count in self.tally.items() if state == "refused")
        return self.found - refused - self.not_permitted

    @property
    def funnel(self) -> list[tuple[str, int]]:
        """From the links that were found to the documents that are new."""
        return [
            ("found", self.found),
            ("allowed", self.allowed),
            ("fetched", self.fetched),
            ("article", self.documents),
            ("new", self.new),
        ]

    @property
    def duration_s(self) -> float:
        """Seconds from the start to the end, or until now; pauses of a run that was resumed count."""
        return max(((self.run.finished_at or self.at) - self.run.started_at).total_seconds(), 0.0)

    @property
    def pages_per_s(self) -> float | None:
        """Pages fetched per second of the duration; None when it is too short to tell."""
        return self.fetched / self.duration_s if self.duration_s > 0 else None

    def reasons(self, state: str) -> list[tuple[str, int]]:
        """The reasons of one state (stored, skipped, buried, refused) with their counts, the most frequent first."""
        found = Counter({reason: count for (each, reason), count in self.tally.items() if each == state})
        return sorted(found.items(), key=lambda item: (-item[1], item[0]))

    def to_dict(self) -> dict[str, Any]:
        """Return plain JSON data."""
        states = ("stored", "skipped", "buried", "refused")
        return {
            "run": self.run.id,
            "state": self.run.state.value,
            "starts": list(self.run.starts),
            "started_at": self.run.started_at.isoformat(),
            "finished_at": self.run.finished_at.isoformat() if self.run.finished_at else None,
            "duration_s": self.duration_s,
            "pages_per_s": self.pages_per_s,
            "bytes": self.bytes,
            "funnel": dict(self.funnel),
            "failed": self.failed,
            "waiting": self.waiting,
            "reasons": {state: dict(self.reasons(state)) for state in states},
            "statuses": {str(status): count for status, count in sorted(self.statuses.items())},
            "languages": dict(self.languages.most_common()),
            "hosts": [{"host": host, **_counts(counts)} for host, counts in busiest(self)],
        }


def summarise(summary: Summary, visits: Iterable[Visit], words: Words) -> Summary:
    """Count a run's visits into a summary that knows the tally, and return it; the visits need no pages."""
    for visit in visits:
        fate = visit.fate
        host = _host_counts(summary, urls.host_of(fate.url))
        came = fate.status is not None and 200 <= fate.status < 300
        kept = fate.state == "stored" and fate.reason != THREAD_PAGE
        failed = words.is_failure(fate.state, fate.reason)
        host.asked += 1
        host.fetched += came
        host.documents += kept
        host.failed += failed
        summary.fetched += came
        summary.documents += kept
        summary.new += kept and is_new(visit, summary.run)
        summary.failed += failed
        summary.not_permitted += fate.reason in words.not_permitted
        if fate.status is not None:
            summary.statuses[fate.status] += 1
        if kept:
            summary.languages[visit.language or "unknown"] += 1
        if failed and len(summary.failures) < MAX_FAILURES:
            summary.failures.append(visit)
    return summary


def is_new(visit: Visit, run: Run) -> bool:
    """Say whether the document of a visit was stored for the first time since the run began."""
    return visit.fate.state == "stored" and visit.first_seen is not None and visit.first_seen >= run.started_at


def busiest(summary: Summary) -> list[tuple[str, HostCounts]]:
    """Return the hosts, those with the most links first."""
    return sorted(summary.hosts.items(), key=lambda item: (-item[1].asked, item[0]))


def facts_of(visit: Visit, run: Run) -> dict[str, Any]:
    """Return the values of FIELDS: what is known of one page, as JSON data.

    Size, outlinks and images are of the page as it is stored now; images are counted as <img> tags in the raw page.
    """
    fate, page = visit.fate, visit.page
    return {
        "url": fate.url,
        "state": fate.state,
        "reason": fate.reason,
        "status": fate.status,
        "content_type": page.content_type if page else None,
        "bytes": len(page.body) if page else None,
        "outlinks": visit.outlinks if page else None,
        "images": images_of(page) if page else None,
        "title": title_of(visit),
        "kind": visit.kind,
        "language": visit.language,
        "published": visit.published.isoformat() if visit.published else None,
        "length": visit.length,
        "new": is_new(visit, run),
        "at": fate.at.isoformat(),
        "found_on": fate.found_on,
        "detail": fate.detail,
    }


def title_of(visit: Visit) -> str:
    """Return the title of the document, or else the <title> of the page; empty when there is none."""
    if visit.title or visit.page is None or not is_html(visit.page):
        return clean(visit.title)[:MAX_TITLE]
    found = _TITLE.search(decode(visit.page.body[:_TITLE_SAMPLE], visit.page.content_type).text)
    return clean(unescape(found[1]))[:MAX_TITLE] if found else ""


def images_of(page: Page) -> int:
    """Count the <img> tags of a page."""
    return page.body.lower().count(b"<img") if is_html(page) else 0


def is_html(page: Page) -> bool:
    """Say whether a page has markup to look into; without a content type it is taken for HTML."""
    return not page.content_type or "html" in page.content_type.lower()


def _host_counts(summary: Summary, host: str) -> HostCounts:
    if host not in summary.hosts and len(summary.hosts) >= MAX_HOSTS:
        host = OTHER_HOSTS
    return summary.hosts.setdefault(host, HostCounts())


def _counts(counts: HostCounts) -> dict[str, int]:
    return {name: getattr(counts, name) for name in HostCounts.__slots__}
