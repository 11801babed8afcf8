"""Judge an answer: what it means for its link, what is kept of it, and what it leads to."""

from dataclasses import replace
from datetime import datetime

from thresher import urls
from thresher.crawling.landing import Harvest, Landing
from thresher.discovery.scope import BEFORE_SINCE, Limits
from thresher.errors import UsageError
from thresher.fetch.retry_after import retry_after_s
from thresher.frontier.contract import Settlement
from thresher.model import Failure, Fate, Kind, Lease, Link, Outcome, Page
from thresher.store.contract import Record

MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
TRY_AGAIN = frozenset({408, 425, 429})  # and every 5xx
SLOW_DOWN = frozenset({429, 503})
READABLE_TYPES = ("text/html", "application/xhtml+xml", "application/vnd.wap.xhtml+xml")
LINK_TYPES = ("xml", "rss", "atom", "json", "gzip", "text/plain")  # parts of types that a feed or sitemap may have
THREAD_PAGE = "thread-page"  # the reason of a page that adds posts to a thread
SHORT = "short-text"
UNSURE = "unsure"
DOCUMENT_KINDS = frozenset({Kind.ARTICLE, Kind.THREAD})


class Judge:
    """Turns (lease, answer, harvest) into a Landing for one run."""

    def __init__(
        self, run: int, *, max_attempts: int, require_date: bool, scope: Limits | None = None, confidence: float = 0.0
    ) -> None:
        self._run, self._scope = run, scope
        self._max_attempts = max_attempts
        self._require_date = require_date
        self._confidence = confidence

    def failure(self, lease: Lease, failure: Failure, now: datetime) -> Landing:
        """Judge a fetch that brought no page."""
        settlement = Settlement(
            lease,
            self._last_chance(lease, failure.outcome, failure.counted),
            failure.reason,
            counted=failure.counted,
            retry_after_s=failure.retry_after_s,
            crawl_delay_s=failure.crawl_delay_s,
        )
        return self._closed(settlement, now, detail=failure.detail)

    def killed(self, lease: Lease, page: Page, reason: str, detail: str = "") -> Landing:
        """Judge a page that took its extractor down; the raw page is kept for whoever looks into it."""
        settlement = Settlement(lease, Outcome.BURY, reason, fetched=True, crawl_delay_s=page.crawl_delay_s)
        return self._closed(settlement, page.fetched_at, page=page, detail=detail)

    def answer(self, lease: Lease, page: Page, harvest: Harvest | None) -> Landing:
        """Judge an answer; `harvest` is what was found in it where it is worth reading (see `readable`)."""
        if page.status in REDIRECTS:
            return self._redirect(lease, page)
        if page.status in TRY_AGAIN or page.status >= 500:
            return self._try_again(lease, page)
        if not 200 <= page.status < 300:
            return self._skip(lease, page, "unchanged" if page.status == 304 else f"http-{page.status}")
        if harvest is None:
            return self._skip(lease, page, "not-html", detail=page.content_type[:200])
        return self._harvested(lease, page, harvest)

    def _harvested(self, lease: Lease, page: Page, harvest: Harvest) -> Landing:
        document = None if harvest.noindex else harvest.document
        refusal = refusal_of(harvest, require_date=self._require_date, min_confidence=self._confidence)
        if not refusal and self._scope and document and self._scope.is_too_old(document, lease.link):
            refusal = BEFORE_SINCE
        is_thread = document is not None and document.kind is Kind.THREAD
        settlement = Settlement(
            lease,
            Outcome.DONE,
            refusal or (THREAD_PAGE if is_thread and harvest.part > 1 else "stored"),
            fetched=True,
            fruitful=not refusal,
            crawl_delay_s=page.crawl_delay_s,
        )
        fate = self._fate(settlement, page.fetched_at, page=page, detail=_told(harvest, page))
        if harvest.medium == "search" and harvest.links:  # no trap, however many result pages give no document
            settlement = replace(settlement, fruitful=True)
        kept_page = replace(page, body=b"") if harvest.noindex else page
        is_last_page = refusal == SHORT and harvest.part > 1 and not is_thread
        kept = document if not refusal or is_last_page else None
        record = Record(fate, kept_page, kept, harvest.links, traces=None if refusal else harvest.traces)
        if kept and harvest.thread:
            kept = replace(kept, url=harvest.thread) if is_thread else kept
            record = replace(record, document=kept, thread=harvest.thread, part=harvest.part)
        return Landing(settlement, record, harvest.links, harvest.skipped)

    def _redirect(self, lease: Lease, page: Page) -> Landing:
        link = lease.link
        try:
            target = urls.canonical(page.headers.get("location", ""), page.url)
        except UsageError as error:
            return self._skip(lease, page, "bad-redirect", detail=str(error))
        if target == link.url:  # it asks for a cookie or a session parameter, and we carry neither
            return self._skip(lease, page, "redirected-to-itself")
        if link.hops >= MAX_REDIRECTS:
            return self._skip(lease, page, "too-many-redirects", detail=target)
        if urls.carries(target, link.url):  # it comes back when somebody has signed in
            return self._skip(lease, page, "sign-in", detail=target)
        why = "search" if link.why == "search" else "redirect"
        onward = Link(target, link.depth, why, link.url, link.priority, hops=link.hops + 1)
        landing = self._skip(lease, page, "redirected", detail=target)
        assert landing.record
        record = replace(landing.record, page=replace(page, body=b""), outlinks=(onward,))
        return replace(landing, record=record, links=(onward,), from_start=leads_from_start(link))

    def _try_again(self, lease: Lease, page: Page) -> Landing:
        wait_s = retry_after_s(page.headers, page.fetched_at)
        settlement = Settlement(
            lease,
            self._last_chance(lease, Outcome.RETRY, counted=True),
            f"http-{page.status}",
            retry_after_s=wait_s,
            slow_host=page.status in SLOW_DOWN,
            crawl_delay_s=page.crawl_delay_s,
        )
        return self._closed(settlement, page.fetched_at, status=page.status)

    def _skip(self, lease: Lease, page: Page, reason: str, *, detail: str = "") -> Landing:
        unchanged = page.status == 304
        settlement = Settlement(lease, Outcome.DONE, reason, unchanged=unchanged, crawl_delay_s=page.crawl_delay_s)
        return self._closed(settlement, page.fetched_at, status=page.status, detail=detail)

    def _last_chance(self, lease: Lease, outcome: Outcome, counted: bool) -> Outcome:
        """Turn the last allowed failure into a burial."""
        spent = counted and lease.attempts + 1 >= self._max_attempts
        return Outcome.BURY if outcome is Outcome.RETRY and spent else outcome

    def _closed(
        self,
        settlement: Settlement,
        at: datetime,
        *,
        page: Page | None = None,
        status: int | None = None,
        detail: str = "",
    ) -> Landing:
        if settlement.outcome is Outcome.RETRY:
            return Landing(settlement)
        fate = self._fate(settlement, at, page=page, detail=detail)
        return Landing(settlement, Record(replace(fate, status=status or fate.status), page))

    def _fate(self, settlement: Settlement, at: datetime, *, page: Page | None, detail: str) -> Fate:
        link = settlement.lease.link
        state = {Outcome.BURY: "buried"}.get(settlement.outcome, "stored" if settlement.fruitful else "skipped")
        status = page.status if page else None
        return Fate(link.url, self._run, state, settlement.reason, at, detail, status, link.found_on)


def refusal_of(harvest: Harvest, *, require_date: bool, min_confidence: float = 0.0) -> str:
    """Say why a page gives no document; empty when it gives one."""
    if harvest.noindex:
        return "noindex"
    if harvest.medium != "page" or harvest.document is None:
        return harvest.fault or harvest.medium
    if harvest.document.kind not in DOCUMENT_KINDS:
        return harvest.document.kind.value
    tolerated: tuple[str, ...] = () if require_date else ("no-date",)
    if harvest.document.kind is Kind.THREAD and harvest.document.posts:
        tolerated += (SHORT, "short-title")  # the last page of a thread may hold one short post alone
    fault = next((fault for fault in harvest.document.verdict.faults if fault not in tolerated), "")
    return fault or ("" if harvest.document.chance_of("text") >= min_confidence else UNSURE)


def readable(page: Page) -> bool:
    """Say whether an answer is a page, feed or sitemap worth parsing."""
    kind = page.content_type.split(";")[0].strip().lower()
    known = not kind or kind in READABLE_TYPES or any(part in kind for part in LINK_TYPES)
    return 200 <= page.status < 300 and bool(page.body) and known


def leads_from_start(link: Link) -> bool:
    """Say whether a link is a start, or was reached from one by redirects alone."""
    return link.depth == 0 and link.why in ("start", "redirect")


def _told(harvest: Harvest, page: Page) -> str:
    faults = harvest.document.verdict.faults if harvest.document else ()
    return ", ".join(filter(None, (harvest.note, *faults, "rendered" if page.rendered else "")))
