"""The contract of catalogs: sources, endpoints, rounds, verdicts and keywords."""

from datetime import date, timedelta

import pytest

from tests.contracts.catalog_words import FEED, NOW, endpoint, judged, source, visit
from thresher.catalog.contract import (
    ASKED,
    FAILED,
    KEEP_JUDGED_DAYS,
    KEEP_ROUNDS_DAYS,
    REFUSED,
    STORED,
    Catalog,
    HourCount,
)
from thresher.errors import UsageError
from thresher.model import EndpointKind, Keyword, Source, SourceKind, SourceState
from thresher.model.source import EndpointState

HOUR = int(NOW.timestamp() // 3600)


def full_source() -> Source:
    return source(
        "新闻-1",
        kind=SourceKind.FORUM,
        keywords=("降准", 'quo"ted'),
        engine="searx",
        include=(r"/\d{4}/", "ü"),
        exclude=("\\.pdf$",),
        frequency="*/15 6-22 * * 1-5",
        language="zh",
        channel="forum",
        tags=("a", "b c"),
        limit=50,
        since=date(2026, 1, 31),
        state=SourceState.PAUSED,
    )


def test_a_source_comes_back_as_it_was_added(catalog: Catalog) -> None:
    catalog.add(full_source())
    catalog.add(source("b"))
    assert catalog.source("新闻-1") == full_source()
    assert catalog.sources() == [source("b"), full_source()]
    assert catalog.source("nobody") is None


def test_names_are_unique_and_kept_apart_by_case(catalog: Catalog) -> None:
    catalog.add(source("example"))
    catalog.add(source("Example"))
    with pytest.raises(UsageError, match="there is a source example already"):
        catalog.add(source("example", address="https://other.example/"), [endpoint()])
    assert [s.name for s in catalog.sources()] == ["Example", "example"]
    assert catalog.endpoints() == []


def test_a_source_is_changed_paused_and_resumed(catalog: Catalog) -> None:
    catalog.add(source())
    catalog.change(source(tags=("x",), created_at=None))
    assert catalog.source("example") == source(tags=("x",))
    catalog.set_state("example", SourceState.PAUSED)
    assert catalog.source("example") == source(tags=("x",), state=SourceState.PAUSED)
    catalog.set_state("example", SourceState.ACTIVE)
    assert catalog.source("example") == source(tags=("x",))
    with pytest.raises(UsageError, match="no source other"):
        catalog.change(source("other"))
    with pytest.raises(UsageError, match="no source other"):
        catalog.set_state("other", SourceState.PAUSED)


def test_a_removed_source_takes_what_belongs_to_it_along_and_nothing_else(catalog: Catalog) -> None:
    for name in ("a", "b"):
        catalog.add(source(name), [endpoint(source=name)])
        catalog.record(visit(source=name))
        catalog.note([judged(source=name)])
    assert catalog.remove("a") is True
    assert catalog.remove("a") is False
    assert [s.name for s in catalog.sources()] == ["b"]
    assert [e.source for e in catalog.endpoints()] == ["b"]
    assert [*catalog.rounds("a"), *catalog.judged("a"), *catalog.hours("a")] == []
    assert len(catalog.rounds("b")) == len(catalog.judged("b")) == 1
    assert len(catalog.hours("b")) == 2


def test_endpoints_come_back_as_they_were_saved(catalog: Catalog) -> None:
    first = endpoint(
        interval_s=900.5,
        last_asked=NOW,
        last_new=NOW - timedelta(hours=1),
        asked=3,
        found=60,
        new=2,
        failures=1,
        moved_to="https://example.org/f",
        state=EndpointState.MOVED,
    )
    second = endpoint("https://example.com/a", kind=EndpointKind.LISTING)
    catalog.add(source(), [first])
    catalog.save_endpoints([second])
    assert catalog.endpoints("example") == [second, first]
    assert catalog.endpoint("example", FEED) == first
    catalog.save_endpoints([endpoint(asked=4)])
    assert catalog.endpoint("example", FEED) == endpoint(asked=4)
    catalog.remove_endpoint("example", FEED)
    assert catalog.endpoints() == [second]
    assert catalog.endpoint("example", FEED) is None


def test_a_round_brings_its_endpoint_up_to_date(catalog: Catalog) -> None:
    catalog.add(source(), [endpoint()])
    later = NOW + timedelta(minutes=20)
    catalog.record(visit(found=10, new=2, interval_s=1200.0))
    after = catalog.record(visit(later, status=None, reason="timeout", interval_s=2400.0))
    expected = endpoint(interval_s=2400.0, last_asked=later, last_new=NOW, asked=2, found=10, new=2, failures=1)
    assert after == catalog.endpoint("example", FEED) == expected
    assert after is not None
    assert after.due == later + timedelta(seconds=2400)
    newest, oldest = catalog.rounds("example")
    assert newest == visit(later, status=None, reason="timeout", interval_s=2400.0)
    assert oldest == visit(found=10, new=2, interval_s=1200.0)
    assert catalog.tally("example") == {(ASKED, ""): 1, (FAILED, "timeout"): 1}


def test_a_round_that_comes_twice_counts_once(catalog: Catalog) -> None:
    catalog.add(source(), [endpoint()])
    first = catalog.record(visit(found=3, new=1))
    assert catalog.record(visit(found=3, new=1)) == first
    assert catalog.endpoint("example", FEED) == first
    assert first is not None
    assert first.asked == 1
    assert catalog.tally("example") == {(ASKED, ""): 1}


def test_a_round_of_an_unknown_endpoint_leaves_nothing(catalog: Catalog) -> None:
    catalog.add(source())
    assert catalog.record(visit()) is None
    assert [*catalog.rounds("example"), *catalog.hours("example")] == []


def test_rounds_of_one_endpoint_are_found_and_old_ones_go(catalog: Catalog) -> None:
    other = "https://example.com/other"
    catalog.add(source(), [endpoint(), endpoint(other)])
    catalog.record(visit(NOW))
    catalog.record(visit(NOW + timedelta(days=1), other))
    assert [r.url for r in catalog.rounds("example", url=other)] == [other]
    assert [r.url for r in catalog.rounds("example", limit=1)] == [other]
    catalog.record(visit(NOW + timedelta(days=KEEP_ROUNDS_DAYS, hours=1)))
    assert [r.at for r in catalog.rounds("example", url=FEED)] == [NOW + timedelta(days=KEEP_ROUNDS_DAYS, hours=1)]
    assert catalog.tally("example") == {(ASKED, ""): 3}


def test_verdicts_are_counted_by_hour_and_reason(catalog: Catalog) -> None:
    catalog.add(source())
    catalog.note([judged(1), judged(2), judged(3, stored=False, reason="no-date")])
    catalog.note([judged(4, at=NOW + timedelta(hours=2), length=900, text_hash="f" * 32)])
    assert catalog.hours("example") == [
        HourCount("example", HOUR, REFUSED, "no-date", 1),
        HourCount("example", HOUR, STORED, "article", 2),
        HourCount("example", HOUR + 2, STORED, "article", 1),
    ]
    assert catalog.hours(since=NOW + timedelta(hours=1)) == [HourCount("example", HOUR + 2, STORED, "article", 1)]
    assert catalog.tally("example") == {(STORED, "article"): 3, (REFUSED, "no-date"): 1}
    assert catalog.judged("example", limit=1) == [
        judged(4, at=NOW + timedelta(hours=2), length=900, text_hash="f" * 32)
    ]


def test_a_page_counts_once_whatever_comes_again(catalog: Catalog) -> None:
    catalog.add(source())
    for hours in range(3):
        catalog.note([judged(1, at=NOW + timedelta(hours=hours)), judged(1, at=NOW + timedelta(hours=hours))])
    catalog.note([judged(1, stored=False, reason="short-text")])
    assert catalog.tally("example") == {(STORED, "article"): 1}


def test_a_page_that_was_refused_counts_again_when_it_is_stored(catalog: Catalog) -> None:
    catalog.add(source())
    for reason in ("http-503", "http-503", "no-date"):
        catalog.note([judged(1, stored=False, reason=reason)])
    catalog.note([judged(1, at=NOW + timedelta(hours=1))])
    expected = {(REFUSED, "http-503"): 1, (REFUSED, "no-date"): 1, (STORED, "article"): 1}
    assert catalog.tally("example") == expected
    assert [verdict.reason for verdict in catalog.judged("example")] == ["article"]


def test_pages_of_a_source_that_was_removed_leave_nothing(catalog: Catalog) -> None:
    catalog.add(source("b"))
    catalog.note([judged(1, source="a"), judged(1, source="b")])
    assert [count.source for count in catalog.hours()] == ["b"]
    assert catalog.judged("a") == []


def test_old_verdicts_go_and_their_counts_stay(catalog: Catalog) -> None:
    catalog.add(source())
    catalog.note([judged(1)])
    catalog.note([judged(2, at=NOW + timedelta(days=KEEP_JUDGED_DAYS, hours=1))])
    assert [verdict.url for verdict in catalog.judged("example")] == ["https://example.com/2"]
    assert catalog.tally("example") == {(STORED, "article"): 2}


def test_long_words_and_odd_characters_are_kept_as_far_as_they_can_be(catalog: Catalog) -> None:
    catalog.add(source(), [endpoint()])
    catalog.record(visit(status=None, reason="x" * 100))
    catalog.note([judged(1, stored=False, reason="\ud800" + "y" * 100)])
    assert catalog.rounds("example")[0].reason == "x" * 64
    assert len(catalog.judged("example")[0].reason) == 64


def test_the_version_grows_with_sources_and_endpoints(catalog: Catalog) -> None:
    before = catalog.version()
    catalog.add(source("a"))
    added = catalog.version()
    catalog.set_state("a", SourceState.PAUSED)
    assert before < added < catalog.version()


def test_keywords_are_kept_and_forgotten(catalog: Catalog) -> None:
    plain = Keyword(word="降准", origin="edited", added_at=NOW)
    rising = Keyword(word="flood", origin="rising", added_at=NOW, weight=2.5)
    catalog.save_keywords([plain, rising])
    catalog.save_keywords([plain])
    assert catalog.keywords() == [rising, plain]
    assert catalog.remove_keywords(["降准", "nothing"]) == 1
    assert catalog.keywords() == [rising]
    with pytest.raises(UsageError, match="not a keyword"):
        catalog.save_keywords([Keyword(word="", origin="edited", added_at=NOW)])


def test_the_hubs_of_a_feed_stay_with_it_and_go_when_it_names_none(catalog: Catalog) -> None:
    catalog.add(source(), [endpoint(hubs=("https://hub.example/", "https://other.example/hub"))])
    catalog.record(visit())
    for found in (catalog.endpoint("example", FEED), *catalog.endpoints()):
        assert found is not None
        assert (found.hubs, found.asked) == (("https://hub.example/", "https://other.example/hub"), 1)
    catalog.save_endpoints([endpoint()])
    assert catalog.endpoints()[0].hubs == ()
