"""Ask each origin's robots.txt, as RFC 9309 says, and tell what it permits.

What is in memory or kept by the crew is used while it is fresh; else the network is asked. An answer of 2xx gives
rules; 4xx, or a redirect that leads nowhere, means that all is allowed; 429, 5xx or silence, that nothing is for now.
"""

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from protego import Protego

from thresher import urls
from thresher.errors import UsageError
from thresher.fetch.contract import Crew, FetchOptions
from thresher.fetch.retry_after import retry_after_s
from thresher.model import Failure, Outcome, Page, Robots

MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
MAX_PARSED_BYTES = 500 * 1024  # RFC 9309 §2.5: at least this much
MAX_MEMORY_BYTES = 16_000_000  # of robots.txt kept parsed
ENTRY_BYTES = 4_000  # what an empty one costs
PATIENCE = 3  # times in a row that a robots.txt may be out of order before its host's links pay for it

Download = Callable[[str], Awaitable[Page | Failure]]


@dataclass(frozen=True, slots=True)
class Permit:
    """A page may be fetched; `crawl_delay_s` is what its host asks for."""

    crawl_delay_s: float | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """A robots.txt, read."""

    robots: Robots
    parsed: Protego | None  # None: it has no rules
    until: datetime
    learned: bool = False  # it came over the network just now

    @property
    def unavailable(self) -> bool:
        """True when the host could not say what it permits."""
        return self.robots.status in (0, 429) or self.robots.status >= 500


class RobotsDesk:
    """Asks for robots.txt, remembers it, and decides; leases of one origin share one request."""

    def __init__(self, crew: Crew, download: Download, options: FetchOptions) -> None:
        self.now: Callable[[], datetime] = lambda: datetime.now(UTC)
        self._crew = crew
        self._download = download
        self._options = options
        self._name = product_token(options.user_agent)
        self._known: OrderedDict[str, Rules] = OrderedDict()
        self._bytes = 0
        self._asking: dict[str, asyncio.Task[Rules | Failure]] = {}
        self._out_of_order: Counter[str] = Counter()

    async def consult(self, url: str) -> Permit | Failure:
        """Permit the request, or say why not now ("robots-learned", "robots-unavailable") or not at all.

        A host that does not answer at all gives the failure that the page itself would have met.
        """
        if not self._options.obey_robots:
            return Permit()
        rules = await self._rules(urls.origin_of(url))
        if isinstance(rules, Failure):
            return rules
        if rules.unavailable:
            return self._not_now(rules)
        delay_s = rules.parsed.crawl_delay(self._name) if rules.parsed else None
        if rules.parsed and not rules.parsed.can_fetch(url, self._name):
            return Failure("robots-disallowed", Outcome.DONE, crawl_delay_s=delay_s)
        if rules.learned:  # the host was asked just now: its delay is due before the page
            return Failure("robots-learned", Outcome.RETRY, counted=False, retry_after_s=0.0, crawl_delay_s=delay_s)
        return Permit(delay_s)

    def _not_now(self, rules: Rules) -> Failure:
        """Wait at first; a robots.txt that stays out of order uses up the attempts of its host's links."""
        given_up = self._out_of_order[rules.robots.origin] > PATIENCE
        wait_s = max((rules.until - self.now()).total_seconds(), 0.0)
        return Failure(
            "robots-unavailable",
            Outcome.RETRY,
            f"robots.txt gave status {rules.robots.status}",
            counted=given_up,
            retry_after_s=None if given_up else wait_s,
        )

    async def _rules(self, origin: str) -> Rules | Failure:
        known = self._known.get(origin)
        if known and known.until > self.now():
            self._known.move_to_end(origin)
            return known
        asking = self._asking.get(origin)
        if asking is None:
            asking = self._asking[origin] = asyncio.create_task(self._recall_or_learn(origin))
            asking.add_done_callback(lambda _: self._asking.pop(origin, None))
        return await asyncio.shield(asking)

    async def _recall_or_learn(self, origin: str) -> Rules | Failure:
        kept = await self._crew.recall_robots(origin)
        rules = self._read(kept) if kept else None
        if rules and rules.until > self.now():
            return self._remember(rules)
        learned = await self._learn(origin)
        if isinstance(learned, Failure):
            return learned
        await self._crew.keep_robots(learned.robots)
        self._out_of_order[origin] = self._out_of_order[origin] + 1 if learned.unavailable else 0
        self._remember(learned)
        return replace(learned, learned=True)

    async def _learn(self, origin: str) -> Rules | Failure:
        answer = await self._download(f"{origin}/robots.txt")
        if isinstance(answer, Failure) and answer.reason != "too-large":
            return replace(answer, detail=f"robots.txt: {answer.detail}")
        for _ in range(MAX_REDIRECTS):
            target = _redirect_target(answer)
            if target is None:
                break
            answer = await self._download(target)
        if isinstance(answer, Failure):
            return self._read(Robots(origin, 0, b"", self.now()))
        body = answer.body[:MAX_PARSED_BYTES] if 200 <= answer.status < 300 else b""
        asked_for_s = retry_after_s(answer.headers, answer.fetched_at) or 0.0
        return self._read(Robots(origin, answer.status, body, answer.fetched_at), asked_for_s)

    def _read(self, robots: Robots, asked_for_s: float = 0.0) -> Rules:
        rules = Rules(robots, _parsed(robots.body), robots.fetched_at)
        ttl_s = max(self._options.robots_retry_s, asked_for_s) if rules.unavailable else self._options.robots_ttl_s
        return replace(rules, until=robots.fetched_at + timedelta(seconds=ttl_s))

    def _remember(self, rules: Rules) -> Rules:
        """Keep rules in memory and drop the least used when there is too much."""
        forgotten = self._known.pop(rules.robots.origin, None)
        self._known[rules.robots.origin] = rules
        self._bytes += _cost(rules) - _cost(forgotten)
        while self._bytes > MAX_MEMORY_BYTES and len(self._known) > 1:
            self._bytes -= _cost(self._known.popitem(last=False)[1])
        return rules


def product_token(user_agent: str) -> str:
    """Return the name that robots.txt knows us by: "Thresher/0.1 (…)" gives "thresher"."""
    found = re.match(r"[A-Za-z_-]+", user_agent)
    return found[0].lower() if found else "*"


def _parsed(body: bytes) -> Protego | None:
    return Protego.parse(body.decode("utf-8-sig", "replace")) if body.strip() else None


def _cost(rules: Rules | None) -> int:
    return len(rules.robots.body) + ENTRY_BYTES if rules else 0


def _redirect_target(page: Page | Failure) -> str | None:
    """Return where a robots.txt has moved to; None when it has not, or nowhere we go."""
    if isinstance(page, Failure) or page.status not in REDIRECTS or not page.headers.get("location"):
        return None
    try:
        return urls.canonical(page.headers["location"], page.url)
    except UsageError:
        return None
