"""The guard at work: no connection is made to an address that is not admitted, however it is written."""

from collections.abc import Iterator

import pytest

from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer

SPELLINGS = ["127.0.0.1", "127.1", "2130706433", "0x7f000001", "0x7f.1", "0177.0.0.1", "0177.0.0.01", "localhost"]


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({"/": answer(b"inside")}) as site:
        yield site


def test_loopback_is_refused_in_every_spelling(site: Site, crawl: Crawl) -> None:
    hosts = [*SPELLINGS, "[::1]", "[::ffff:127.0.0.1]", "[::ffff:7f00:1]"]
    links = [f"http://{host}:{site.port}/" for host in hosts]
    told = crawl(*links, options={"allowed_addresses": []})
    assert {(link, told.of(link).get("reason"), told.of(link).get("outcome")) for link in links} == {
        (link, "address-refused", "done") for link in links
    }
    assert site.connections == 0


def test_what_is_allowed_by_name_is_reached_in_every_spelling(site: Site, crawl: Crawl) -> None:
    links = [f"http://{host}:{site.port}/" for host in SPELLINGS]
    told = crawl(*links, options={"allowed_addresses": ["127.0.0.1"]})
    assert {(told.of(link).get("status"), told.of(link).get("address")) for link in links} == {(200, "127.0.0.1")}


def test_one_allowed_address_does_not_open_the_others(crawl: Crawl) -> None:
    with Site({"/": answer(b"a")}, "127.0.0.2") as allowed, Site({"/": answer(b"b")}, "127.0.0.3") as other:
        told = crawl(allowed.origin + "/", other.origin + "/", options={"allowed_addresses": ["127.0.0.2/32"]})
    assert told.of(allowed.origin + "/")["address"] == "127.0.0.2"
    assert told.of(other.origin + "/")["reason"] == "address-refused"
    assert "127.0.0.3" in told.of(other.origin + "/")["detail"]
    assert other.connections == 0


def test_a_name_is_reached_at_the_address_that_was_checked(crawl: Crawl) -> None:
    """Of a host's addresses only the admitted one is tried, and the name is looked up once."""
    with Site({"/": answer(b"public")}, "127.0.0.2") as public:
        links = [f"http://mixed.test:{public.port}/", f"http://mixed.test:{public.port}/2"]
        hosts = {"mixed.test": ["127.0.0.3", "127.0.0.2"]}
        told = crawl(*links, hosts=hosts, slots=1, options={"allowed_addresses": ["127.0.0.2"]})
    assert told.reasons() == [200, 404]
    assert {answer["address"] for answer in told.answers} == {"127.0.0.2"}
    assert told.asked.count("mixed.test") == 1


def test_names_that_lead_nowhere_or_inside_are_told_apart(site: Site, crawl: Crawl) -> None:
    inside, nowhere = f"http://inside.test:{site.port}/", "http://nowhere.test/"
    hosts = {"inside.test": ["127.0.0.1"], "nowhere.test": []}
    told = crawl(inside, nowhere, hosts=hosts, options={"allowed_addresses": []})
    assert (told.of(inside)["reason"], told.of(inside)["outcome"]) == ("address-refused", "done")
    assert (told.of(nowhere)["reason"], told.of(nowhere)["outcome"]) == ("dns", "retry")


def test_only_http_is_spoken(crawl: Crawl) -> None:
    links = [
        "file:///etc/hostname",
        "data:text/html,hello",
        "ftp://127.0.0.1/x",
        "s3://bucket/key",
        "no-scheme",
        "http://",
        f"http://{'a' * 64}.test/",
        "http://[broken/",
        "http://127.0.0.1:99999/",
        "http://user:secret@127.0.0.1/",
    ]
    for obey in (False, True):
        told = crawl(*links, options={"obey_robots": obey})
        assert told.ended == "finished", told.error
        answers = {link: (told.of(link).get("reason"), told.of(link).get("outcome")) for link in links}
        assert set(answers.values()) <= {("bad-url", "done"), ("dns", "retry")}, answers
        assert [answers[link][0] for link in links[:6]] == ["bad-url"] * 6


def test_a_closed_port_is_a_connection_failure(crawl: Crawl) -> None:
    with Site({}) as site:
        gone = site.origin + "/"
    told = crawl(gone).of(gone)
    assert (told["reason"], told["outcome"], told["counted"]) == ("connection", "retry", True)


def test_a_port_that_is_not_allowed_is_never_connected_to(crawl: Crawl) -> None:
    moved = answer(b"", "301 Moved")
    with Site({"/": answer(b"a"), "/robots.txt": answer(b"")}) as closed, Site({"/": answer(b"b")}) as open_:
        open_.routes["/robots.txt"] = moved.replace(
            b"\r\n\r\n", f"\r\nLocation: {closed.origin}/robots.txt\r\n\r\n".encode()
        )
        ports = {"allowed_ports": [open_.port], "obey_robots": True}
        told = crawl(closed.origin + "/", open_.origin + "/", options=ports)
    refused = told.of(closed.origin + "/")
    assert (refused["reason"], refused["outcome"], closed.connections) == ("port-refused", "done", 0)
    assert told.of(open_.origin + "/")["reason"] == "robots-unavailable"
