"""WebSub: subscribes to the hubs that feeds name, so that a feed is asked as soon as something is published in it.

    feed names a hub ──ask──▶ hub ──GET with a challenge──▶ confirm ──▶ a lease, asked for anew before it ends
    something new            hub ──POST, signed───────────▶ notice ───▶ the feed is due at once

Nothing that a hub sends is believed but that there is something new; the feed itself is asked, as politely as ever. It
is also asked on its schedule as before, so a hub that fails costs nothing but time. See W3C WebSub; of its signatures
all are taken.
"""

import hmac
import logging
import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime, timedelta
from typing import NamedTuple
from urllib.parse import urlencode

from thresher.catalog.alerts import Subscription
from thresher.crawling.corpus import Corpus
from thresher.discovery.feeds import feed_topic
from thresher.errors import NotPermitted, Unreachable, UsageError
from thresher.fetch.post import Answer
from thresher.frontier.contract import Rules, State
from thresher.model import Endpoint, EndpointKind
from thresher.model.run import WATCH
from thresher.model.source import EndpointState

LEASE_S = 10 * 86_400  # that is asked for; hubs give what they like
LEAST_LEASE_S, MOST_LEASE_S = 300, 90 * 86_400  # of what a hub gives, as it is counted here
RETRY_S, MOST_RETRY_S = 300, 86_400  # until a hub that did not confirm is asked again: doubled each time
GIVE_UP = timedelta(days=1)  # leaving a hub that does not confirm it
SPARE = timedelta(seconds=10)  # between two times that notices make a feed due
MAX_HUBS = 2  # of one feed: whoever writes a feed must not have us call many addresses
MAX_CHALLENGE = 4_096
SUBSCRIBE, UNSUBSCRIBE, DENIED = "subscribe", "unsubscribe", "denied"
SIGNATURES = ("sha1", "sha256", "sha384", "sha512")
log = logging.getLogger("thresher.websub")

Place = tuple[str, str]  # URL of an endpoint, hub


class Notice(NamedTuple):
    """What a hub sends when something is new."""

    path: str  # the secret part of the address that it was sent to
    body: bytes
    signature: str  # its X-Hub-Signature


class Hubs:
    """The subscriptions of a corpus; one that is opened anew goes on where another one ended."""

    def __init__(
        self, corpus: Corpus, rules: Rules, callback: str, post: Callable[[str, bytes, Mapping[str, str]], Answer]
    ) -> None:
        """`callback` is where hubs reach us, up to the secret part; `post` calls a hub, where that is permitted."""
        self._corpus, self._book, self._rules = corpus, corpus.alerts(), rules
        self._callback, self._post = callback, post
        self._away: dict[str, datetime] = {}  # hubs that cannot be reached, and until when they are left alone

    def tend(self, now: datetime) -> int:
        """Ask hubs for what is wanted and not there, or ends soon; return how many were asked. Raise BackendError."""
        wanted = self._wanted()
        known = {(one.url, one.hub): one for one in self._book.subscriptions()}
        asked = 0
        for place in [*wanted, *(place for place in known if place not in wanted)]:
            subscription = self._to_ask(place, wanted.get(place), known.get(place), now)
            if subscription is None or now < self._away.get(place[1], now):
                continue
            asked += 1
            if not self._ask(subscription, now):
                self._away[place[1]] = now + timedelta(seconds=RETRY_S)
        for subscription in self._book.subscriptions():  # read again: hubs confirm while they are asked
            if subscription.memory.get("again"):
                self._wake(subscription, now)
        return asked

    def confirm(self, path: str, told: Mapping[str, str], now: datetime) -> str | None:
        """Return what a hub that asks whether we meant it is to be answered; None for what nobody asked for."""
        subscription = self._book.subscription(path)
        mode, challenge = told.get("hub.mode"), told.get("hub.challenge", "")
        if subscription is None or told.get("hub.topic") != subscription.topic:
            return None
        if mode == DENIED:
            reason = told.get("hub.reason", "")[:200]
            detail = f"the hub refuses: {reason}" if reason else "the hub refuses"
            self._book.save_subscription(replace(subscription, until=None, detail=detail))
            return ""
        if mode != subscription.memory.get("mode") or not 0 < len(challenge) <= MAX_CHALLENGE:
            return None
        if mode == UNSUBSCRIBE:
            self._book.remove_subscription(subscription.url, subscription.hub)
            return challenge
        lease_s = _lease_s(told.get("hub.lease_seconds", ""))
        memory = {**subscription.memory, "lease_s": lease_s, "tries": 0}
        until = now + timedelta(seconds=lease_s)
        self._book.save_subscription(replace(subscription, until=until, detail="", memory=memory))
        return challenge

    def notice(self, notice: Notice, now: datetime) -> bool:
        """Make the feed due that a hub tells of, if it is signed as agreed; False where nobody wants to hear of it."""
        subscription = self._book.subscription(notice.path)
        if subscription is None or subscription.memory.get("mode") != SUBSCRIBE:
            return False
        if not is_signed(notice.body, notice.signature, subscription.secret):
            log.warning("%s: a notice about %s is not signed as agreed", subscription.hub, subscription.url)
        else:
            self._wake(replace(subscription, pushed_at=now), now)
        return True

    def _wanted(self) -> dict[Place, Endpoint]:
        """Return the feeds with hubs that are followed now."""
        catalog = self._corpus.catalog()
        active = {source.name for source in catalog.sources() if source.is_active}
        asked = (each for each in catalog.endpoints() if each.source in active and each.kind is EndpointKind.FEED)
        feeds = [each for each in asked if each.state is EndpointState.ACTIVE]
        return {(feed.url, hub): feed for feed in feeds for hub in feed.hubs[:MAX_HUBS]}

    def _to_ask(
        self, place: Place, endpoint: Endpoint | None, known: Subscription | None, now: datetime
    ) -> Subscription | None:
        """Return what a hub is to be asked for now; None for nothing."""
        if endpoint is None:
            return self._to_leave(known, now) if known else None
        if known is None:
            topic = self._topic(endpoint)
            path, secret = secrets.token_urlsafe(24), secrets.token_hex(32)
            return Subscription(endpoint.source, topic, *place, path, secret, now, memory={"mode": SUBSCRIBE})
        if known.memory.get("mode") == SUBSCRIBE and known.memory.get("callback") == self._callback:
            return known if now >= _due(known) else None
        return replace(known, until=None, memory={"mode": SUBSCRIBE})

    def _to_leave(self, known: Subscription, now: datetime) -> Subscription | None:
        """Return how to leave a hub; None when it was asked already, and forget it when it does not answer to it."""
        if known.memory.get("mode") == SUBSCRIBE and known.until and known.until > now:
            return replace(known, memory={"mode": UNSUBSCRIBE})
        if known.memory.get("mode") == SUBSCRIBE or now >= known.asked_at + GIVE_UP:
            self._book.remove_subscription(known.url, known.hub)
        return None

    def _topic(self, endpoint: Endpoint) -> str:
        page = self._corpus.store.page(endpoint.url)
        return feed_topic(page.body, page.url, page.headers.get("link", "")) if page else endpoint.url

    def _ask(self, subscription: Subscription, now: datetime) -> bool:
        """Ask a hub; False when it cannot be reached. It may confirm before it answers: what is asked is kept first."""
        memory = {**subscription.memory, "tries": _tries(subscription) + 1, "callback": self._callback}
        subscription = replace(subscription, asked_at=now, memory=memory)
        self._book.save_subscription(subscription)
        form = {
            "hub.mode": memory["mode"],
            "hub.topic": subscription.topic,
            "hub.callback": self._callback + subscription.path,
            "hub.lease_seconds": LEASE_S,
            "hub.secret": subscription.secret,
        }
        headers = {"Content-Type": "application/x-www-form-urlencoded"}
        try:
            answer = self._post(subscription.hub, urlencode(form).encode(), headers)
        except (NotPermitted, Unreachable, UsageError) as error:
            self._note(subscription, str(error))
            return not isinstance(error, Unreachable)
        if not answer.ok:
            self._note(subscription, f"HTTP {answer.status}: {' '.join(answer.text.split())[:200]}")
        return True

    def _note(self, subscription: Subscription, detail: str) -> None:
        """Keep what went wrong, beside what may have been confirmed meanwhile."""
        log.warning("%s: not subscribed to %s: %s", subscription.hub, subscription.topic, detail)
        now = self._book.subscription(subscription.path)
        if now is not None:
            self._book.save_subscription(replace(now, detail=detail))

    def _wake(self, subscription: Subscription, now: datetime) -> None:
        """Make a feed due; later, if it was made so just now or is being asked."""
        memory = dict(subscription.memory)
        last = memory.get("woken_at")
        memory["again"] = last is not None and now < datetime.fromisoformat(last) + SPARE
        if not memory["again"]:
            memory["again"] = not self._woken(subscription.url)
            memory["woken_at"] = now.isoformat()
        self._book.save_subscription(replace(subscription, memory=memory))

    def _woken(self, url: str) -> bool:
        """Make the link of a feed due; False while it is being asked."""
        if WATCH not in self._corpus.jobs():
            return True  # who watches begins with every feed that was never asked
        frontier = self._corpus.frontier(WATCH, self._rules)
        standing = frontier.find(url)
        if standing and standing.state is State.LEASED:
            return False
        if standing:
            frontier.wake([standing.link])
        return True


def is_signed(body: bytes, signature: str, secret: str) -> bool:
    """Say whether a body is signed with a secret, as METHOD=HEX."""
    method, _, digest = signature.strip().partition("=")
    if method not in SIGNATURES:
        return False
    expected = hmac.new(secret.encode(), body, method).hexdigest()
    return hmac.compare_digest(expected.encode(), digest.strip().lower().encode("utf-8", "replace"))


def _due(subscription: Subscription) -> datetime:
    """Return when a hub is to be asked again: in the last quarter of a lease, or some time after it did not answer."""
    tries = max(_tries(subscription), 1)
    again = subscription.asked_at + timedelta(seconds=min(RETRY_S * 2 ** min(tries - 1, 20), MOST_RETRY_S))
    if subscription.until is None:
        return again
    return max(again, subscription.until - timedelta(seconds=subscription.memory["lease_s"] / 4))


def _tries(subscription: Subscription) -> int:
    return int(subscription.memory.get("tries", 0))


def _lease_s(told: str) -> int:
    seconds = int(told) if told.isascii() and told.isdigit() and len(told) < 12 else LEASE_S
    return min(max(seconds, LEAST_LEASE_S), MOST_LEASE_S)
