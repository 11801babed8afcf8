"""robots.txt in a whole run: asked once per origin, before any page, also of the host a redirect leads to."""

from datetime import UTC, datetime

from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer

OBEY = {"obey_robots": True}
AGAIN = ["robots-learned"]


def robots(body: bytes) -> bytes:
    return answer(body, content_type="text/plain")


def test_robots_is_asked_once_and_the_page_only_in_a_later_lease(crawl: Crawl) -> None:
    rules = b"User-agent: thresher\nDisallow: /no\nCrawl-delay: 3"
    with Site({"/robots.txt": robots(rules), "/a": answer(b"a"), "/b": answer(b"b")}) as site:
        links = [site.origin + path for path in ("/a", "/b", "/no")]
        first = crawl(*links, options=OBEY)
        assert first.reasons() == ["robots-learned", "robots-learned", "robots-disallowed"]
        assert site.paths() == ["/robots.txt"]
        told = crawl(*links, options=OBEY, again=AGAIN)
    assert {(a["url"], a["crawl_delay_s"]) for a in told.answers if "status" in a} == {(links[0], 3), (links[1], 3)}
    assert site.paths().count("/robots.txt") == 2  # once for each run
    assert "/no" not in site.paths()
    assert told.kept == [{"origin": site.origin, "status": 200, "body": rules.decode()}]


def test_a_kept_robots_is_not_asked_for_again(crawl: Crawl) -> None:
    with Site({"/a": answer(b"a")}) as site:
        kept = {"origin": site.origin, "status": 200, "body": "User-agent: *\nDisallow: /no"}
        kept["fetched_at"] = datetime.now(UTC).isoformat()
        told = crawl(site.origin + "/a", site.origin + "/no", options=OBEY, robots=[kept])
    assert sorted(map(str, told.reasons())) == ["200", "robots-disallowed"]
    assert site.paths() == ["/a"]


def test_robots_is_checked_again_for_the_host_a_redirect_leads_to(crawl: Crawl) -> None:
    """Each hop is a lease of its own, so the second host's rules are asked for as a matter of course."""
    with Site({"/robots.txt": robots(b"User-agent: *\nDisallow: /")}, "127.0.0.2") as second:
        moved = answer(b"", "302 Found", location=f"{second.origin}/secret")
        with Site({"/robots.txt": robots(b""), "/open": moved}) as first:
            hop = crawl(first.origin + "/open", options=OBEY, again=AGAIN).answers[-1]
            assert hop["status"] == 302
            onward = crawl({"url": hop["headers"]["location"], "why": "redirect", "hops": 1}, options=OBEY, again=AGAIN)
    assert onward.reasons() == ["robots-disallowed"]
    assert second.paths() == ["/robots.txt"]


def test_a_moved_robots_is_followed_through_the_same_guard(crawl: Crawl) -> None:
    rules = robots(b"User-agent: *\nDisallow: /no")
    with Site({"/rules": rules}, "127.0.0.2") as second, Site({}) as first:
        first.routes["/robots.txt"] = answer(b"", "301 Moved", location=f"{second.origin}/rules")
        followed = crawl(first.origin + "/no", options=OBEY)
        refused = crawl(first.origin + "/no", options=OBEY | {"allowed_addresses": ["127.0.0.1"]})
    assert followed.reasons() == ["robots-disallowed"]
    assert refused.reasons() == ["robots-unavailable"]
    assert second.paths() == ["/rules"]


def test_without_an_answer_the_lease_fails_as_the_page_would_have(crawl: Crawl) -> None:
    with Site({"/robots.txt": answer(b"", "503 Busy"), "/": answer(b"a")}) as busy, Site({}) as gone:
        refused = f"http://127.0.0.9:{busy.port}/"
        links = [busy.origin + "/", refused]
        told = crawl(*links, options=OBEY | {"allowed_addresses": ["127.0.0.1"]})
    closed = crawl(gone.origin + "/", options=OBEY)
    assert told.of(links[0])["reason"] == "robots-unavailable"
    assert (told.of(refused)["reason"], told.of(refused)["outcome"]) == ("address-refused", "done")
    assert (closed.answers[0]["reason"], closed.answers[0]["counted"]) == ("connection", True)
    assert busy.paths() == ["/robots.txt"]
