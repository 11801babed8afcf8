"""The contract of books of alerts: saved searches, alerts, hits, deliveries, feeds and subscriptions."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from thresher.catalog.alerts import Alerts, Feed, Step, Subscription
from thresher.errors import UsageError
from thresher.model.alert import (
    Alert,
    AlertHit,
    AlertKind,
    AlertState,
    Attempt,
    Delivery,
    DeliveryState,
    Notice,
    SavedSearch,
    Standing,
)

NOW = datetime(2026, 11, 16, 12, 30, tzinfo=UTC)
SOON = NOW + timedelta(minutes=1)
LATER = NOW + timedelta(hours=1)


def alert(name: str = "harbour", **values: Any) -> Alert:
    return Alert(name=name, **{"query": "harbour", "to": ("https://example.com/hook",), "created_at": NOW, **values})


def hit(number: int, **values: Any) -> AlertHit:
    return AlertHit(key=f"{number:032}", url=f"https://example.com/{number}", title="标题", seen_at=NOW, **values)


def delivery(id: str = "a", **values: Any) -> Delivery:
    notice = Notice(alert="harbour", kind="every", at=NOW, message="one", total=1, hits=(hit(1, snippet="…"),))
    given = {"alert": "harbour", "target": "mailto:a@example.org", "created_at": NOW, "due_at": NOW, "notice": notice}
    return Delivery(id=id, **{**given, **values})


def begun(alerts: Alerts) -> Standing:
    alerts.add(alert(), NOW)
    standing = alerts.lease("harbour", "one", SOON, NOW)
    assert standing == Standing(started_at=NOW, cursor_at=NOW, swept_at=NOW)
    return standing


def test_saved_searches_come_back_as_they_were_saved(alerts: Alerts) -> None:
    first = SavedSearch(name="港口", query='港口 -"船"', owner="ann", shared=False, created_at=NOW)
    second = SavedSearch(name="b", query="b", created_at=NOW)
    alerts.save_search(first)
    alerts.save_search(second)
    assert alerts.saved_searches() == [second, first]
    with pytest.raises(UsageError, match="there is a saved search b already"):
        alerts.save_search(replace(second, query="c"))
    alerts.save_search(replace(second, query="c", created_at=LATER), replace=True)
    assert alerts.saved_search("b") == replace(second, query="c")
    assert [alerts.remove_search("b"), alerts.remove_search("b")] == [True, False]
    assert alerts.saved_search("b") is None


def test_alerts_come_back_as_they_were_added(alerts: Alerts) -> None:
    full = alert(
        "周报", kind=AlertKind.DIGEST, to=("mailto:a@example.org",), at="18:05", day="fri", zone="Asia/Shanghai"
    )
    alerts.add(full, NOW)
    alerts.add(alert(), NOW)
    assert alerts.alerts() == [alert(), full]
    with pytest.raises(UsageError, match="there is an alert harbour already"):
        alerts.add(alert(query="other"), NOW)
    with pytest.raises(UsageError, match="no alert nobody"):
        alerts.change(alert("nobody"), NOW)
    with pytest.raises(UsageError, match="no alert nobody"):
        alerts.set_state("nobody", AlertState.PAUSED, NOW)
    assert [alerts.remove("harbour"), alerts.remove("harbour")] == [True, False]
    assert alerts.alert("harbour") is None


def test_one_worker_at_a_time_looks_after_an_alert(alerts: Alerts) -> None:
    begun(alerts)
    assert alerts.lease("harbour", "two", LATER, NOW) is None
    assert alerts.lease("harbour", "one", LATER, NOW) is not None
    assert alerts.lease("harbour", "two", LATER + timedelta(hours=1), LATER) is not None
    assert alerts.lease("harbour", "one", LATER, SOON) is None


def test_a_step_is_kept_whole_or_not_at_all(alerts: Alerts) -> None:
    standing = begun(alerts)
    moved = replace(standing, cursor_at=SOON, due_at=LATER, memory={"hours": {"1": 2}})
    step = Step(moved, hits=[hit(1), hit(2)], deliveries=[delivery()])
    assert alerts.advance("harbour", "two", step) is False
    assert [*alerts.hits("harbour"), *alerts.deliveries()] == []
    assert alerts.advance("harbour", "one", step) is True
    assert alerts.standing("harbour") == moved
    assert alerts.hits("harbour") == [hit(1), hit(2)]
    assert alerts.known("harbour", [hit(2).key, hit(3).key]) == {hit(2).key}
    assert [alerts.count_hits("harbour"), alerts.count_hits("harbour", since=SOON)] == [2, 0]
    assert alerts.deliveries("harbour") == [delivery()]


def test_a_worker_whose_lease_was_taken_over_changes_nothing(alerts: Alerts) -> None:
    standing = begun(alerts)
    assert alerts.lease("harbour", "two", LATER, SOON) == standing
    assert alerts.advance("harbour", "one", Step(standing, hits=[hit(1)])) is False
    assert alerts.advance("harbour", "two", Step(standing, hits=[hit(1)])) is True


def test_an_alert_that_asks_for_something_else_begins_anew(alerts: Alerts) -> None:
    standing = begun(alerts)
    alerts.change(alert(to=()), LATER)
    assert alerts.standing("harbour") == standing
    alerts.change(alert(query="mooring"), LATER)
    assert alerts.standing("harbour") == Standing(started_at=LATER, cursor_at=LATER, swept_at=LATER)
    assert alerts.advance("harbour", "one", Step(standing, hits=[hit(1)])) is False
    assert alerts.alert("harbour") == alert(query="mooring")


def test_a_paused_alert_is_looked_after_by_nobody(alerts: Alerts) -> None:
    standing = begun(alerts)
    alerts.set_state("harbour", AlertState.PAUSED, SOON)
    assert alerts.advance("harbour", "one", Step(standing)) is False
    assert alerts.lease("harbour", "one", LATER, SOON) is None
    alerts.set_state("harbour", AlertState.ACTIVE, LATER)
    found = alerts.lease("harbour", "one", LATER, SOON)
    assert found == Standing(started_at=LATER, cursor_at=LATER, swept_at=LATER)


def test_a_digest_tells_of_each_hit_once(alerts: Alerts) -> None:
    standing = begun(alerts)
    alerts.advance("harbour", "one", Step(standing, hits=[hit(1), hit(2)]))
    alerts.advance("harbour", "one", Step(standing, hits=[hit(3)], told=[hit(1).key, hit(2).key]))
    assert alerts.hits("harbour", untold=True) == [hit(3)]


def test_a_delivery_is_leased_sent_and_logged(alerts: Alerts) -> None:
    alerts.add_delivery(delivery("a"))
    alerts.add_delivery(delivery("b", due_at=LATER))
    assert alerts.lease_deliveries("one", SOON, NOW) == [delivery("a")]
    assert alerts.lease_deliveries("two", SOON, NOW) == []
    failed = Attempt(number=1, at=NOW, ok=False, detail="HTTP 500")
    assert alerts.settle("a", "two", failed, DeliveryState.FAILED) is False
    assert alerts.settle("a", "one", failed, DeliveryState.WAITING, SOON) is True
    assert alerts.lease_deliveries("two", LATER, NOW) == []
    again = delivery("a", due_at=SOON, attempts=1, detail="HTTP 500")
    assert alerts.lease_deliveries("two", LATER, SOON) == [again]
    sent = Attempt(number=2, at=SOON, ok=True, detail="HTTP 200")
    assert alerts.settle("a", "two", sent, DeliveryState.SENT) is True
    assert alerts.attempts("a") == [failed, sent]
    assert [one.id for one in alerts.deliveries(state=DeliveryState.WAITING)] == ["b"]


def test_a_delivery_of_a_worker_that_died_is_sent_by_another(alerts: Alerts) -> None:
    alerts.add_delivery(delivery())
    alerts.lease_deliveries("one", SOON, NOW)
    assert [one.id for one in alerts.lease_deliveries("two", LATER, SOON)] == ["a"]


def test_a_delivery_is_replayed(alerts: Alerts) -> None:
    alerts.add_delivery(delivery())
    alerts.lease_deliveries("one", SOON, NOW)
    alerts.settle("a", "one", Attempt(number=9, at=NOW, ok=False, detail="no"), DeliveryState.FAILED)
    assert alerts.replay("a", LATER) == delivery(due_at=LATER, detail="no")
    assert [one.id for one in alerts.lease_deliveries("one", LATER + timedelta(hours=1), LATER)] == ["a"]
    with pytest.raises(UsageError, match="no delivery b"):
        alerts.replay("b", NOW)


def test_what_is_old_and_over_is_forgotten(alerts: Alerts) -> None:
    standing = begun(alerts)
    alerts.advance("harbour", "one", Step(standing, hits=[hit(1), hit(2)], deliveries=[delivery("a"), delivery("b")]))
    alerts.advance("harbour", "one", Step(standing, told=[hit(1).key]))
    alerts.lease_deliveries("one", SOON, NOW, limit=1)
    alerts.settle("a", "one", Attempt(number=1, at=NOW, ok=True, detail=""), DeliveryState.SENT)
    alerts.forget_before(NOW)
    assert len(alerts.hits("harbour")) == len(alerts.deliveries()) == 2
    alerts.forget_before(LATER)
    assert alerts.hits("harbour") == [hit(2)]
    assert [one.id for one in alerts.deliveries()] == ["b"]
    assert alerts.attempts("a") == []


def test_an_alert_takes_what_belongs_to_it_along_and_nothing_else(alerts: Alerts) -> None:
    standing = begun(alerts)
    alerts.add_delivery(delivery("other", alert="other"))
    alerts.advance("harbour", "one", Step(standing, hits=[hit(1)], deliveries=[delivery()]))
    assert alerts.remove("harbour") is True
    assert alerts.hits("harbour") == []
    assert [one.id for one in alerts.deliveries()] == ["other"]


def test_feeds_are_found_by_the_hash_of_their_token(alerts: Alerts) -> None:
    feed = Feed("hash", "港口 site:example.com", "harbour", "ann", NOW)
    alerts.add_feed(feed)
    alerts.add_feed(feed)
    alerts.add_feed(Feed("other", "b", "b", "bob", NOW))
    assert alerts.feed("hash") == feed
    assert alerts.feeds("ann") == [feed]
    assert len(alerts.feeds()) == 2
    assert [alerts.remove_feed("hash"), alerts.remove_feed("hash")] == [True, False]
    assert alerts.feed("hash") is None


def test_subscriptions_are_kept_by_endpoint_and_hub(alerts: Alerts) -> None:
    url = "https://example.com/feed.xml"
    asked = Subscription("example", url, url, "https://hub.example/", "p" * 32, "s" * 32, NOW)
    alerts.save_subscription(asked)
    assert alerts.subscription("p" * 32) == asked
    confirmed = replace(asked, until=LATER, memory={"interval_s": 900})
    alerts.save_subscription(confirmed)
    assert alerts.subscriptions() == [confirmed]
    assert [alerts.remove_subscription(url, asked.hub), alerts.remove_subscription(url, asked.hub)] == [True, False]
    assert alerts.subscription("p" * 32) is None
