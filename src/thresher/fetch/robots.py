"""Ask each origin's robots.txt, as RFC 9309 says, and tell what it permits.

What is in memory or kept by the crew is used while it is fresh; else the network is asked. An answer of 2xx gives
rules; 4xx, or a redirect that leads nowhere, means that all is allowed; 429, 5xx, silence, or a file made to wear out
its reader, that nothing is for now.
"""

import asyncio
import re
from collections import Counter, OrderedDict
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta

from thresher import urls
from thresher.errors import UsageError
from thresher.fetch.contract import Crew, FetchOptions, Manner
from thresher.fetch.retry_after import retry_after_s
from thresher.model import Failure, Outcome, Page, Robots, RobotsRules
from thresher.model.robots import MAX_BYTES, read_rules

MAX_REDIRECTS = 5
REDIRECTS = frozenset({301, 302, 303, 307, 308})
SMALL_BYTES = 4_096  # what is no larger is read at once: within a millisecond or two, however it is made
MAX_MEMORY_BYTES = 16_000_000  # of rules kept
ENTRY_BYTES = 4_000  # what a robots.txt without rules costs
LEARNED = "robots-learned"
PATIENCE = 3  # times in a row that a robots.txt may be out of order before its host's links pay for it

Download = Callable[[str], Awaitable[Page | Failure]]


@dataclass(frozen=True, slots=True)
class Permit:
    """A page may be fetched; `crawl_delay_s` is what its host asks for."""

    crawl_delay_s: float | None = None


@dataclass(frozen=True, slots=True)
class Rules:
    """A robots.txt, read."""

    origin: str
    rules: RobotsRules | None  # None: the host could not say what it permits
    until: datetime
    why_not: str = ""  # why it could not
    learned: bool = False  # it came over the network just now


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
        manner = next((each for each in self._options.manners if re.fullmatch(each.pattern, url)), Manner(""))
        if not self._options.obey_robots or not manner.robots:
            return Permit(manner.delay_s or None)
        rules = await self._rules(urls.origin_of(url))
        if isinstance(rules, Failure):
            return rules
        if rules.rules is None:
            return self._not_now(rules)
        delay_s = max(rules.rules.crawl_delay_s or 0.0, manner.delay_s) or rules.rules.crawl_delay_s
        if not rules.rules.permits(url):
            return Failure("robots-disallowed", Outcome.DONE, crawl_delay_s=delay_s)
        if rules.learned:  # the host was asked just now: its delay is due before the page
            return Failure(LEARNED, Outcome.RETRY, counted=False, retry_after_s=0.0, crawl_delay_s=delay_s)
        return Permit(delay_s)

    async def permits(self, url: str) -> bool:
        """Say whether a URL may be fetched now, by whoever keeps to the delay."""
        permit = await self.consult(url)
        return isinstance(permit, Permit) or permit.reason == LEARNED

    def _not_now(self, rules: Rules) -> Failure:
        """Wait at first; a robots.txt that stays out of order uses up the attempts of its host's links."""
        given_up = self._out_of_order[rules.origin] > PATIENCE
        wait_s = max((rules.until - self.now()).total_seconds(), 0.0)
        return Failure(
            "robots-unavailable",
            Outcome.RETRY,
            rules.why_not,
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
        if kept and self._until(kept) > self.now():
            known = await self._read(kept)
            if known.rules or _unavailable(kept):
                return self._remember(known)
        answer = await self._learn(origin)
        if isinstance(answer, Failure):
            return answer
        robots, asked_for_s = answer
        learned = await self._read(robots, asked_for_s)
        bomb = learned.rules is None and not _unavailable(robots)
        await self._crew.keep_robots(replace(robots, status=0, body=b"") if bomb else robots)
        self._out_of_order[origin] = self._out_of_order[origin] + 1 if learned.rules is None else 0
        self._remember(learned)
        return replace(learned, learned=True)

    async def _learn(self, origin: str) -> tuple[Robots, float] | Failure:
        """Return the robots.txt as it comes over the network, and for how long it asks to be left alone."""
        answer = await self._download(f"{origin}/robots.txt")
        if isinstance(answer, Failure) and answer.reason != "too-large":
            return replace(answer, detail=f"robots.txt: {answer.detail}")
        for _ in range(MAX_REDIRECTS):
            target = _redirect_target(answer)
            if target is None:
                break
            answer = await self._download(target)
        if isinstance(answer, Failure):
            return Robots(origin, 0, b"", self.now()), 0.0
        body = answer.body[:MAX_BYTES] if 200 <= answer.status < 300 else b""
        asked_for_s = retry_after_s(answer.headers, answer.fetched_at) or 0.0
        return Robots(origin, answer.status, body, answer.fetched_at), asked_for_s

    async def _read(self, robots: Robots, asked_for_s: float = 0.0) -> Rules:
        if _unavailable(robots):
            why_not = f"robots.txt gave status {robots.status}" if robots.status else "robots.txt could not be had"
            return Rules(robots.origin, None, self._until(robots, asked_for_s), why_not)
        if len(robots.body) <= SMALL_BYTES:
            rules = read_rules(robots.body, self._name)
        else:
            rules = await self._crew.read_robots(robots.body, self._name)
        if rules is None:
            until = robots.fetched_at + timedelta(seconds=self._options.robots_retry_s)
            return Rules(robots.origin, None, until, "robots.txt has too many rules to be read")
        return Rules(robots.origin, rules, self._until(robots))

    def _until(self, robots: Robots, asked_for_s: float = 0.0) -> datetime:
        """Say how long a robots.txt holds."""
        waits = _unavailable(robots)
        ttl_s = max(self._options.robots_retry_s, asked_for_s) if waits else self._options.robots_ttl_s
        return robots.fetched_at + timedelta(seconds=ttl_s)

    def _remember(self, rules: Rules) -> Rules:
        """Keep rules in memory and drop the least used when there is too much."""
        forgotten = self._known.pop(rules.origin, None)
        self._known[rules.origin] = rules
        self._bytes += _cost(rules) - _cost(forgotten)
        while self._bytes > MAX_MEMORY_BYTES and len(self._known) > 1:
            self._bytes -= _cost(self._known.popitem(last=False)[1])
        return rules


def product_token(user_agent: str) -> str:
    """Return the name that robots.txt knows us by: "Thresher/0.1 (…)" gives "thresher"."""
    found = re.match(r"[A-Za-z_-]+", user_agent)
    return found[0].lower() if found else "*"


def _unavailable(robots: Robots) -> bool:
    """Say whether the host could not tell what it permits."""
    return robots.status in (0, 429) or robots.status >= 500


def _cost(rules: Rules | None) -> int:
    if rules is None:
        return 0
    return ENTRY_BYTES + (3 * rules.rules.size if rules.rules else 0)


def _redirect_target(page: Page | Failure) -> str | None:
    """Return where a robots.txt has moved to; None when it has not, or nowhere we go."""
    if isinstance(page, Failure) or page.status not in REDIRECTS or not page.headers.get("location"):
        return None
    try:
        return urls.canonical(page.headers["location"], page.url)
    except UsageError:
        return None
