"""Sites for measurements: the same whoever serves them, with a log that tells when each was asked."""

import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import ProxyHandler, build_opener

import pytest

from thresher.errors import BackendError, MissingExtra
from thresher.html import parse
from thresher.lab import sites as module
from thresher.lab.rewind import cut, length
from thresher.lab.sites import Asked, Sites, can_delay, serve_sites

PAGES = 101  # so that there are two pages of links
direct = build_opener(ProxyHandler({}))


def get(url: str) -> bytes:
    with direct.open(url, timeout=200) as answer:
        body: bytes = answer.read()
        return body


@pytest.fixture(scope="module", params=["nginx", "sample"])
def sites(request: pytest.FixtureRequest) -> Iterator[Sites]:
    if request.param == "nginx" and shutil.which("nginx") is None:
        pytest.skip("nginx is not installed")
    with serve_sites(2, PAGES, nginx=request.param == "nginx") as served:
        yield served


def test_indexes_lead_to_every_page(sites: Sites) -> None:
    assert len(sites.indexes) == 6  # the first page of links has two addresses
    assert len(sites.files) == 2 * PAGES
    linked = set()
    for index in sites.indexes:
        origin = index[: index.index("/", 8)]
        linked |= {origin + str(link.get("href")) for link in parse(get(index)).root.iter("a")}
    assert set(sites.files) <= linked


def logged(sites: Sites, end: str) -> list[Asked]:
    """Return the log once it tells of a URL that ends so: it is written when an answer has been sent."""
    while not any(each.url.endswith(end) for each in sites.log()):
        time.sleep(0.01)
    return sites.log()


def test_pages_are_their_files_and_every_other_site_is_chinese(sites: Sites) -> None:
    for origin, chinese in zip(sites.origins, (False, True), strict=True):
        url = f"{origin}/articles/1.html"
        assert get(url) == sites.files[url].read_bytes()
        assert ("的" in get(url).decode("gbk", "replace")) is chinese


def test_the_log_tells_who_was_asked_and_how_it_went(sites: Sites) -> None:
    get(f"{sites.origins[0]}/articles/3.html?last")
    logged(sites, "3.html?last")
    sites.forget()
    with pytest.raises(HTTPError):
        get(f"{sites.origins[1]}/robots.txt")
    get(f"{sites.origins[0]}/articles/7.html")
    asked = logged(sites, "7.html")
    assert [(each.url.rpartition("/")[2], each.status) for each in asked] == [("robots.txt", 404), ("7.html", 200)]
    assert asked[0].began_at <= asked[1].began_at


@pytest.mark.skipif(not can_delay(), reason="nginx or its echo module is not installed")
def test_answers_come_after_the_latency() -> None:
    with serve_sites(1, 1, latency_s=0.3) as served:
        assert b"<html" in get(f"{served.origins[0]}/articles/1.html")
        (asked,) = (each for each in logged(served, "/1.html") if each.url.endswith("/1.html"))
        assert asked.ended_at - asked.began_at >= 0.29


def test_a_latency_without_nginx_names_what_to_install(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(module, "ECHO", tmp_path / "absent.so")
    with pytest.raises(MissingExtra, match="nginx-light"), serve_sites(1, 1, latency_s=0.3):
        pass


def test_the_growing_part_of_an_append_only_file_is_cut(tmp_path: Path) -> None:
    with pytest.raises(BackendError, match="no append-only file"):
        length(tmp_path)
    parts = tmp_path / "appendonlydir"
    parts.mkdir()
    for number in (9, 10):
        (parts / f"appendonly.aof.{number}.incr.aof").write_text("x" * number)
    assert length(tmp_path) == 10
    cut(tmp_path, 4)
    assert [length(tmp_path), (parts / "appendonly.aof.9.incr.aof").stat().st_size] == [4, 9]
