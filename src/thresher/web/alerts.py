"""Saved searches, alerts and feeds as one visitor may see and change them; pages and API both come through here.

A saved search is seen by everybody or, where it is private, by its owner; an alert, which names mailboxes, by its
owner. Who owns something changes it, and so does an admin. What was made on the command line belongs to all analysts.
"""

import secrets
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from thresher import services
from thresher.alerting.lookout import check_alert, trial_delivery
from thresher.api.queries import check_search, read_query
from thresher.catalog.accounts import Role, Scope
from thresher.catalog.alerts import Alerts, Feed
from thresher.config import Settings
from thresher.errors import UsageError
from thresher.model.alert import (
    MAX_QUERY,
    Alert,
    AlertState,
    Attempt,
    Delivery,
    DeliveryState,
    SavedSearch,
    alert_to_dict,
)
from thresher.web.accounts import Visitor, hashed
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused

FEED_MARK = "thf_"  # so that scanners of published code can know a feed's token
MAX_FEEDS = 200  # of one user
MAX_FEED_NAME = 80
SHOWN_ID = 16  # characters of the hash that a feed is known by


def searches(corpus: OpenCorpus, visitor: Visitor) -> list[SavedSearch]:
    """Return the saved searches that a visitor sees."""
    return [search for search in corpus.parts.alerts().saved_searches() if _sees(visitor, search)]


def search(corpus: OpenCorpus, visitor: Visitor, name: str) -> SavedSearch:
    """Return a saved search; raise Refused (404) for one that there is not, or that the visitor does not see."""
    found = corpus.parts.alerts().saved_search(name)
    if found is None or not _sees(visitor, found):
        raise Refused(404, f"there is no saved search {name}")
    return found


def save_search(corpus: OpenCorpus, visitor: Visitor, wanted: SavedSearch) -> bool:
    """Keep a search as the visitor's, or in the place of one that they may change; say whether it is new.

    Raise Refused (403) for somebody else's, UsageError for a query that cannot be read.
    """
    book = corpus.parts.alerts()
    before = book.saved_search(wanted.name)
    if before is not None and not _owns(visitor, before.owner):
        raise Refused(403, f"the name {wanted.name} is taken by somebody else")
    owner = before.owner if before else visitor.name
    kept = replace(wanted, owner=owner, created_at=datetime.now(UTC))
    check_search(corpus.parts, kept, datetime.now(UTC))
    book.save_search(kept, replace=before is not None)
    return before is None


def remove_search(corpus: OpenCorpus, visitor: Visitor, name: str) -> None:
    """Forget a saved search; raise Refused for one that the visitor does not see or may not change."""
    found = search(corpus, visitor, name)
    if not _owns(visitor, found.owner):
        raise Refused(403, f"the saved search {name} is somebody else's")
    corpus.parts.alerts().remove_search(name)


def alerts(corpus: OpenCorpus, visitor: Visitor) -> list[Alert]:
    """Return the alerts that a visitor sees."""
    return [alert for alert in corpus.parts.alerts().alerts() if _owns(visitor, alert.owner)]


def alert(corpus: OpenCorpus, visitor: Visitor, name: str) -> Alert:
    """Return an alert; raise Refused (404) for one that there is not, or that is somebody else's."""
    found = corpus.parts.alerts().alert(name)
    if found is None or not _owns(visitor, found.owner):
        raise Refused(404, f"there is no alert {name}")
    return found


def add_alert(corpus: OpenCorpus, visitor: Visitor, wanted: Alert, settings: Settings) -> Alert:
    """Keep a new alert as the visitor's; raise UsageError for one that makes no sense or cannot be sent."""
    now = datetime.now(UTC)
    made = replace(wanted, owner=visitor.name, created_at=now)
    _check(corpus, made, settings, now)
    corpus.parts.alerts().add(made, now)
    return made


def change_alert(corpus: OpenCorpus, visitor: Visitor, name: str, changes: dict[str, Any], settings: Settings) -> Alert:
    """Change fields of an alert; it begins anew where it asks for something else. Raise as `add_alert` does."""
    now = datetime.now(UTC)
    changed = replace(alert(corpus, visitor, name), **changes)
    _check(corpus, changed, settings, now)
    corpus.parts.alerts().change(changed, now)
    return changed


def set_alert_state(corpus: OpenCorpus, visitor: Visitor, name: str, state: AlertState) -> Alert:
    """Pause an alert, or resume it; raise Refused as `alert` does."""
    alert(corpus, visitor, name)
    corpus.parts.alerts().set_state(name, state, datetime.now(UTC))
    return alert(corpus, visitor, name)


def remove_alert(corpus: OpenCorpus, visitor: Visitor, name: str) -> None:
    """Forget an alert with what it found and what it still has to send; raise Refused as `alert` does."""
    alert(corpus, visitor, name)
    corpus.parts.alerts().remove(name)


def try_alert(corpus: OpenCorpus, visitor: Visitor, name: str, settings: Settings) -> list[Delivery]:
    """Put a test to each target of an alert on its way; raise Refused as `alert` does."""
    found = alert(corpus, visitor, name)
    services.senders(settings).check(found.to)
    link = services.search_link(settings, found.query)
    made = trial_delivery(corpus.parts, found, datetime.now(UTC), link)
    for delivery in made:
        corpus.parts.alerts().add_delivery(delivery)
    return made


def deliveries(
    corpus: OpenCorpus, visitor: Visitor, name: str | None, state: DeliveryState | None, limit: int
) -> list[Delivery]:
    """Return what was or is to be sent for the alerts that a visitor sees, or one of them, the newest first."""
    book = corpus.parts.alerts()
    if name is not None:
        alert(corpus, visitor, name)
        return book.deliveries(name, state=state, limit=limit)
    if visitor.may(Role.ADMIN):
        return book.deliveries(state=state, limit=limit)
    found = [each for one in alerts(corpus, visitor) for each in book.deliveries(one.name, state=state, limit=limit)]
    return sorted(found, key=lambda each: each.created_at, reverse=True)[:limit]


def delivery(corpus: OpenCorpus, visitor: Visitor, id: str) -> tuple[Delivery, list[Attempt]]:
    """Return a delivery with its attempts; raise Refused (404) for one of an alert that the visitor does not see."""
    book = corpus.parts.alerts()
    found = book.delivery(id)
    if found is None or not _sees_delivery(book, visitor, found):
        raise Refused(404, f"there is no delivery {id}")
    return found, book.attempts(id)


def replay(corpus: OpenCorpus, visitor: Visitor, id: str) -> Delivery:
    """Send something once more; raise Refused as `delivery` does."""
    delivery(corpus, visitor, id)
    return corpus.parts.alerts().replay(id, datetime.now(UTC))


def feeds(corpus: OpenCorpus, visitor: Visitor) -> list[Feed]:
    """Return a visitor's own feeds."""
    return corpus.parts.alerts().feeds(visitor.name)


def make_feed(corpus: OpenCorpus, visitor: Visitor, query: str, name: str = "") -> tuple[Feed, str]:
    """Make a feed of what a query finds; return it with its token, which is never shown again.

    Raise Refused for a token that only reads, and for too many; UsageError for a query that cannot be read.
    """
    if visitor.scope is Scope.READ:
        raise Refused(403, "a token that only reads makes no feed; make it with one that writes, or in the pages")
    if len(query) > MAX_QUERY:
        raise UsageError(f"the query has more than {MAX_QUERY} characters")
    read_query(corpus.parts, query, datetime.now(UTC))
    if len(feeds(corpus, visitor)) >= MAX_FEEDS:
        raise Refused(409, f"{visitor.name} has {MAX_FEEDS} feeds; end one first")
    secret = FEED_MARK + secrets.token_urlsafe(24)
    named = " ".join(name.split())[:MAX_FEED_NAME] or query[:MAX_FEED_NAME] or "Thresher"
    feed = Feed(hashed(secret), query, named, visitor.name, datetime.now(UTC))
    corpus.parts.alerts().add_feed(feed)
    return feed, secret


def end_feed(corpus: OpenCorpus, visitor: Visitor, id: str) -> None:
    """End a visitor's own feed, by its id or how that begins; raise Refused (404) when there is none."""
    known = [feed for feed in feeds(corpus, visitor) if len(id) >= SHOWN_ID and feed.id.startswith(id)]
    if not known:
        raise Refused(404, "there is no such feed")
    corpus.parts.alerts().remove_feed(known[0].id)


def alert_facts(corpus: OpenCorpus, alert: Alert) -> dict[str, Any]:
    """Return an alert as plain data, with how much it has found."""
    return alert_to_dict(alert) | {"found": corpus.parts.alerts().count_hits(alert.name)}


def delivery_facts(delivery: Delivery) -> dict[str, Any]:
    """Return a delivery as plain data."""
    return {
        "id": delivery.id,
        "alert": delivery.alert,
        "target": delivery.target,
        "state": str(delivery.state),
        "created_at": delivery.created_at,
        "due_at": delivery.due_at,
        "attempts": delivery.attempts,
        "detail": delivery.detail,
        "message": delivery.notice.message,
        "total": delivery.notice.total,
    }


def feed_facts(feed: Feed) -> dict[str, Any]:
    """Return a feed as plain data, without its token."""
    return {"id": feed.id[:SHOWN_ID], "name": feed.name, "query": feed.query, "created_at": feed.created_at}


def _sees(visitor: Visitor, search: SavedSearch) -> bool:
    return search.shared or _owns(visitor, search.owner)


def _owns(visitor: Visitor, owner: str) -> bool:
    if visitor.may(Role.ADMIN):
        return True
    return owner == visitor.name if owner else visitor.may(Role.ANALYST)


def _sees_delivery(book: Alerts, visitor: Visitor, delivery: Delivery) -> bool:
    found = book.alert(delivery.alert)
    return visitor.may(Role.ADMIN) if found is None else _owns(visitor, found.owner)


def _check(corpus: OpenCorpus, alert: Alert, settings: Settings, now: datetime) -> None:
    check_alert(corpus.parts, alert, now)
    services.senders(settings).check(alert.to)
