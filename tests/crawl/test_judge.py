"""What each kind of answer means for its link."""

from dataclasses import replace
from datetime import UTC, datetime

import pytest

from thresher.crawling.judge import Judge, readable
from thresher.crawling.landing import Harvest
from thresher.model import Block, Document, Evidence, Failure, Kind, Lease, Link, Outcome, Page, Span, Verdict

NOW = datetime(2026, 11, 15, tzinfo=UTC)
URL = "http://a.test/page"


@pytest.fixture
def judge() -> Judge:
    return Judge(7, max_attempts=3, require_date=False)


def lease(link: Link | None = None, attempts: int = 0) -> Lease:
    return Lease(link or Link(URL, depth=2), token=1, worker="w", expires_at=0.0, attempts=attempts)


def page(status: int = 200, **headers: str) -> Page:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return Page(URL, status, b"<html>", NOW, {"content-type": "text/html"} | named)


def document(kind: Kind = Kind.ARTICLE, *faults: str) -> Document:
    return Document(URL, kind, 0.9, "A title", (Block((Span("text"),)),), verdict=Verdict(faults))


def test_an_article_is_stored_and_counts_as_a_page(judge: Judge) -> None:
    landing = judge.answer(lease(), page(), Harvest("page", document(), links=(Link("http://a.test/b", 3),)))
    assert landing.document == document()
    assert landing.fate
    assert (landing.fate.state, landing.fate.run, landing.fate.status) == ("stored", 7, 200)
    assert landing.settlement.outcome is Outcome.DONE
    assert landing.settlement.fetched
    assert landing.settlement.fruitful
    assert [link.url for link in landing.links] == ["http://a.test/b"]


@pytest.mark.parametrize(
    ("harvest", "reason"),
    [
        (Harvest("page", document(Kind.LISTING)), "listing"),
        (Harvest("page", document(Kind.ARTICLE, "short-text", "no-date")), "short-text"),
        (Harvest("page", document(), noindex=True), "noindex"),
        (Harvest("feed"), "feed"),
        (Harvest("none", fault="not-html"), "not-html"),
    ],
)
def test_what_is_no_document_is_followed_but_not_stored(judge: Judge, harvest: Harvest, reason: str) -> None:
    landing = judge.answer(lease(), page(), harvest)
    assert landing.document is None
    assert landing.fate
    assert (landing.fate.state, landing.fate.reason) == ("skipped", reason)
    assert landing.settlement.fetched
    assert not landing.settlement.fruitful


def test_the_raw_page_of_a_noindex_page_is_not_kept(judge: Judge) -> None:
    landing = judge.answer(lease(), page(), Harvest("page", document(), noindex=True))
    assert landing.record
    assert landing.record.page
    assert landing.record.page.body == b""


def test_a_missing_date_is_tolerated_unless_dates_are_required() -> None:
    undated = Harvest("page", document(Kind.ARTICLE, "no-date"))
    lenient = Judge(1, max_attempts=3, require_date=False).answer(lease(), page(), undated)
    strict = Judge(1, max_attempts=3, require_date=True).answer(lease(), page(), undated)
    assert lenient.fate
    assert (lenient.fate.state, lenient.fate.detail) == ("stored", "no-date")
    assert strict.fate
    assert (strict.fate.state, strict.fate.reason) == ("skipped", "no-date")


def test_a_text_that_is_not_sure_enough_is_not_stored() -> None:
    doubtful = replace(document(), evidence={"text": Evidence("thresher", 0.7)})
    easy = Judge(1, max_attempts=3, require_date=False, confidence=0.7)
    strict = Judge(1, max_attempts=3, require_date=False, confidence=0.71)
    stored = easy.answer(lease(), page(), Harvest("page", doubtful)).fate
    skipped = strict.answer(lease(), page(), Harvest("page", doubtful)).fate
    assert stored
    assert stored.state == "stored"
    assert skipped
    assert (skipped.state, skipped.reason) == ("skipped", "unsure")


def test_a_redirect_leads_to_a_link_of_the_same_depth(judge: Judge) -> None:
    landing = judge.answer(lease(), page(301, location="/new"), None)
    assert landing.links == (Link("http://a.test/new", 2, "redirect", URL, hops=1),)
    assert landing.record
    assert landing.record.outlinks == landing.links
    assert not landing.settlement.fetched
    assert not landing.from_start


def test_a_redirect_of_a_start_says_so(judge: Judge) -> None:
    landing = judge.answer(lease(Link(URL)), page(302, location="http://www.a.test/"), None)
    assert landing.from_start


def test_a_redirect_to_a_form_that_comes_back_is_not_followed(judge: Judge) -> None:
    path = URL.removeprefix("http://a.test")
    landing = judge.answer(lease(), page(302, location=f"/user/login/?next={path}"), None)
    assert landing.links == ()
    assert landing.fate
    assert landing.fate.reason == "sign-in"


def test_the_sixth_redirect_is_not_followed(judge: Judge) -> None:
    landing = judge.answer(lease(Link(URL, hops=5)), page(301, location="/on"), None)
    assert landing.links == ()
    assert landing.fate
    assert landing.fate.reason == "too-many-redirects"


@pytest.mark.parametrize("location", ["", "ftp://a.test/", "http://[::1", "http://-1.1.1.1/", "http://1_27.0.0.1/"])
def test_a_redirect_to_nowhere_is_skipped(judge: Judge, location: str) -> None:
    landing = judge.answer(lease(), page(301, location=location), None)
    if location:
        assert landing.fate
        assert landing.fate.reason == "bad-redirect"
    assert landing.settlement.outcome is Outcome.DONE


def test_a_busy_server_slows_its_host_and_the_link_comes_again(judge: Judge) -> None:
    landing = judge.answer(lease(), page(503, retry_after="17"), None)
    assert landing.settlement.outcome is Outcome.RETRY
    assert landing.settlement.retry_after_s == 17
    assert landing.settlement.slow_host
    assert landing.record is None


def test_the_last_failure_buries_the_link(judge: Judge) -> None:
    landing = judge.answer(lease(attempts=2), page(500), None)
    assert landing.settlement.outcome is Outcome.BURY
    assert landing.fate
    assert (landing.fate.state, landing.fate.reason) == ("buried", "http-500")


def test_a_missing_page_is_skipped_at_once(judge: Judge) -> None:
    landing = judge.answer(lease(), page(404), None)
    assert landing.settlement.outcome is Outcome.DONE
    assert landing.fate
    assert (landing.fate.reason, landing.fate.status) == ("http-404", 404)


def test_an_unchanged_page_leaves_what_is_stored_alone(judge: Judge) -> None:
    landing = judge.answer(lease(), page(304), None)
    assert landing.record
    assert landing.record.page is None
    assert landing.settlement.reason == "unchanged"


def test_a_failure_that_is_no_fault_of_the_link_is_never_the_last(judge: Judge) -> None:
    failure = Failure("robots-learned", Outcome.RETRY, counted=False, crawl_delay_s=3)
    landing = judge.failure(lease(attempts=2), failure, NOW)
    assert landing.settlement.outcome is Outcome.RETRY
    assert landing.settlement.crawl_delay_s == 3
    assert not landing.settlement.counted


def test_a_page_that_killed_its_extractor_is_buried_and_its_bytes_are_kept(judge: Judge) -> None:
    landing = judge.killed(lease(), page(), "extract-timeout")
    assert landing.settlement.outcome is Outcome.BURY
    assert landing.record
    assert landing.record.page == page()


@pytest.mark.parametrize(
    ("content_type", "expected"),
    [
        ("text/html; charset=gbk", True),
        ("", True),
        ("application/rss+xml", True),
        ("application/feed+json", True),
        ("image/png", False),
        ("application/pdf", False),
        ("video/mp4", False),
    ],
)
def test_only_pages_feeds_and_sitemaps_are_read(content_type: str, expected: bool) -> None:
    assert readable(Page(URL, 200, b"x", NOW, {"content-type": content_type})) is expected


def test_traces_are_kept_with_a_document_alone(judge: Judge) -> None:
    stored = judge.answer(lease(), page(), Harvest("page", document(), traces=b"x"))
    listing = judge.answer(lease(), page(), Harvest("page", document(Kind.LISTING), traces=b"x"))
    assert stored.record
    assert stored.record.traces == b"x"
    assert listing.record
    assert listing.record.traces is None
