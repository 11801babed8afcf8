"""Landing: all that one lease leaves behind, written in one go."""

import json
from base64 import b64decode, b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from urllib.parse import urlsplit

from thresher import logs, tracing
from thresher.frontier.contract import Settlement
from thresher.model import Document, Fate, Kind, Link, Outcome, Run
from thresher.model.codec import document_from_dict, document_to_dict, links_from_dict, links_to_dict
from thresher.store.contract import Record


@dataclass(frozen=True, slots=True)
class Harvest:
    """What one page held: its links, and its document if it is one."""

    medium: str  # page, feed, sitemap, search; or "none" with the reason in `fault`
    document: Document | None = None
    links: tuple[Link, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()  # (url, reason)
    noindex: bool = False
    fault: str = ""
    traces: bytes | None = None  # what the page leaves to the memory of its site
    thread: str | None = None  # the URL that names the thread or article whose page it is, or may be
    part: int = 1  # which page of that, from 1; EDITION_PART: another version of it
    note: str = ""  # what is to be told of it


@dataclass(frozen=True, slots=True)
class Landing:
    """What to save, what to offer, and how to settle."""

    settlement: Settlement
    record: Record | None = None  # None: nothing to say yet, the link comes again
    links: tuple[Link, ...] = ()
    skipped: tuple[tuple[str, str], ...] = ()
    from_start: bool = False  # a redirect of a start: where it leads is in scope
    headers: Mapping[str, str] = field(default_factory=dict)  # of the answer, if there was one
    received_bytes: int | None = None  # of the answer's body; None: there was none
    extract_s: float | None = None  # that links and document took; None: nothing was read

    @property
    def document(self) -> Document | None:
        """The document to save and index, if any."""
        return self.record.document if self.record else None

    @property
    def is_part(self) -> bool:
        """True for a further page of a thread, or one too short for an article: it is no document of its own."""
        if self.record is None or self.record.document is None or self.record.part <= 1:
            return False
        return self.record.document.kind is Kind.THREAD or self.record.fate.state != "stored"

    @property
    def fate(self) -> Fate | None:
        """What became of the URL, when that is known."""
        return self.record.fate if self.record else None


def log_landing(landing: Landing, run: Run, *, is_findable: bool = True) -> None:
    """Note in the log file what became of a page; a failure that will be tried again is a warning.

    `is_findable`: its document can be found by now.
    """
    settlement, fate = landing.settlement, landing.fate
    link = settlement.lease.link
    if fate is None and settlement.outcome is Outcome.DONE:
        return  # a link that was followed again without a request
    failed = settlement.outcome is not Outcome.DONE
    level = "error" if settlement.outcome is Outcome.BURY else "warning" if failed else "info"
    state = fate.state if fate else "tried again later"
    title = landing.document.title if landing.document else ""
    detail = f"{state}: {title or (fate.detail if fate else '') or settlement.reason}"
    outcome = {"info": "success", "warning": "unknown", "error": "failure"}[level]
    about: dict[str, Any] = {"url": link.url, "domain": urlsplit(link.url).hostname, "source": link.source}
    about |= {"run": run.id, "job": run.job, "reason": settlement.reason}
    about |= {"is_document": landing.document is not None and fate is not None}
    about |= {"state": outcome, "status": fate.status if fate else None}
    if landing.document and fate:
        about |= {"lag_s": landing.document.lag_s(fate.at)}
        lag_s = landing.document.lag_s(datetime.now(UTC))
        about |= {"index_lags_s": [lag_s] if is_findable and lag_s is not None else []}
    about |= {"bytes": landing.received_bytes, "extract_s": landing.extract_s}
    trace = tracing.told(settlement.lease, outcome=outcome, reason=settlement.reason, status=about["status"])
    logs.note(level, detail, trace=trace, **about)


def harvest_to_bytes(found: Harvest) -> bytes:
    """Encode a harvest for the process that asked for it."""
    values = {
        "medium": found.medium,
        "document": document_to_dict(found.document) if found.document else None,
        "links": links_to_dict(found.links),
        "skipped": found.skipped,
        "noindex": found.noindex,
        "fault": found.fault,
        "traces": b64encode(found.traces).decode() if found.traces else None,
        "thread": found.thread,
        "part": found.part,
        "note": found.note,
    }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def harvest_from_bytes(encoded: bytes) -> Harvest:
    """Decode what `harvest_to_bytes` made."""
    values = json.loads(encoded.decode("utf-8", "surrogatepass"))
    return Harvest(
        values["medium"],
        document_from_dict(values["document"]) if values["document"] else None,
        links_from_dict(values["links"]),
        tuple((url, reason) for url, reason in values["skipped"]),
        values["noindex"],
        values["fault"],
        b64decode(values["traces"]) if values["traces"] else None,
        values["thread"],
        values["part"],
        values["note"],
    )
