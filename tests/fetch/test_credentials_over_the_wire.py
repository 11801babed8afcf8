"""What requests carry, seen by the servers: each host gets what is meant for it, and no other host ever does."""

import os
import ssl
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from tests.commands import run as thresher
from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer
from tests.fetch.test_tls import certify

SECRETS = ("x-key", "authorization", "cookie")
ARTICLE = b"<html><title>The ferry is late again</title><p>" + b"The ferry to the islands was late again. " * 9


@pytest.fixture
def sites() -> Iterator[list[Site]]:
    """Three hosts; /away of the first leads to the second, and its robots.txt to the third."""
    with ExitStack() as stack:
        first, second, third = (stack.enter_context(Site({"/": answer(ARTICLE)}, f"127.0.0.{n}")) for n in (2, 3, 4))
        first.routes["/away"] = answer(b"", "302 Found", location=f"{second.origin}/")
        second.routes["/back"] = answer(b"", "302 Found", location=f"{first.origin}/")
        yield [first, second, third]


def secrets_seen(site: Site) -> set[str]:
    return {f"{visit.path} {name}" for visit in site.visits for name in SECRETS if name in visit.headers}


def all_for(site: Site) -> dict[str, list[str] | str]:
    host = site.origin.removeprefix("http://").partition(":")[0]
    return {
        "headers": [f"{site.origin} X-Key: hush"],
        "logins": [f"{site.origin} me:hush"],
        "cookies": f"{host}\tFALSE\t/\tFALSE\t0\tsession\thush",
    }


def test_every_host_gets_what_is_its_own(sites: list[Site], crawl: Crawl) -> None:
    first, second, third = sites
    crawl(*(f"{site.origin}/" for site in sites), options={"credentials": all_for(first)})
    (visit,) = first.visits
    assert [visit.headers[name] for name in SECRETS] == ["hush", "Basic bWU6aHVzaA==", "session=hush"]
    assert secrets_seen(second) | secrets_seen(third) == set()


def test_robots_txt_is_asked_with_them_and_a_host_it_leads_to_without(sites: list[Site], crawl: Crawl) -> None:
    first, second, _ = sites
    first.routes["/robots.txt"] = answer(b"", "301 Moved", location=f"{second.origin}/robots.txt")
    options = {"credentials": all_for(first), "obey_robots": True}
    crawl(f"{first.origin}/", options=options, again=["robots-learned"])
    assert {f"/robots.txt {name}" for name in SECRETS} <= secrets_seen(first)
    assert second.paths() == ["/robots.txt"]
    assert secrets_seen(second) == set()


def test_another_port_of_the_host_gets_no_header_and_no_login(crawl: Crawl) -> None:
    with Site({"/": answer()}) as one, Site({"/": answer()}) as other:
        given = all_for(one) | {"cookies": ""}
        crawl(f"{one.origin}/", f"{other.origin}/", options={"credentials": given})
        assert secrets_seen(one) == {"/ x-key", "/ authorization"}
        assert secrets_seen(other) == set()


def test_names_below_and_above_are_other_hosts(crawl: Crawl) -> None:
    names = ["news.test", "www.news.test", "evilnews.test", "news.test.evil.test"]
    with Site({"/": answer()}) as site:
        for place, expected in (("news.test", {"news.test"}), ("*.news.test", {"news.test", "www.news.test"})):
            site.visits.clear()
            links = [f"http://{name}:{site.port}/" for name in names]
            lines = [f"http://{place}:{site.port} X-Key: hush"]
            hosts = {name: ["127.0.0.1"] for name in names}
            crawl(*links, hosts=hosts, options={"credentials": {"headers": lines}})
            told = {visit.headers["host"].partition(":")[0] for visit in site.visits if "x-key" in visit.headers}
            assert told == expected
            assert len(site.visits) == len(names)


def test_what_is_meant_for_https_is_not_sent_in_the_clear(tmp_path: Path, crawl: Crawl) -> None:
    certificate = certify(tmp_path)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificate)
    with Site({"/": answer()}, tls=context) as safe, Site({"/": answer()}) as plain:
        given = {
            "headers": [f"127.0.0.1:{site.port} X-Key: hush" for site in (safe, plain)],
            "logins": [f"https://127.0.0.1:{site.port} me:hush" for site in (safe, plain)],
            "cookies": "127.0.0.1\tFALSE\t/\tTRUE\t0\tsession\thush",
        }
        env = os.environ | {"SSL_CERT_FILE": str(certificate)}
        crawl(f"{safe.origin}/", f"{plain.origin}/", options={"credentials": given}, env=env)
        assert secrets_seen(safe) == {f"/ {name}" for name in SECRETS}
        assert secrets_seen(plain) == set()


def permitting(sites: list[Site]) -> dict[str, str]:
    """The environment with the ports of all sites permitted."""
    return os.environ | {"THRESHER_ALLOWED_PORTS": ",".join(str(site.port) for site in sites)}


@pytest.fixture
def flags(sites: list[Site], tmp_path: Path) -> list[str]:
    """The options of the command line that give everything to the host of the first site."""
    (tmp_path / "cookies.txt").write_text("127.0.0.2\tFALSE\t/\tFALSE\t0\tsession\thush\n")
    (tmp_path / "login").write_text("me:hush\n")
    return [
        "--header",
        "X-Key: hush",
        "--auth",
        "@login",
        "--cookies",
        "cookies.txt",
        "--allow-address",
        "127.0.0.0/24",
    ]


@pytest.mark.parametrize("command", [("probe",), ("extract",), ("crawl", "--any-host", "--progress", "none")])
def test_commands_follow_a_redirect_to_another_host_without_them(
    command: tuple[str, ...], sites: list[Site], flags: list[str], tmp_path: Path
) -> None:
    first, second, _ = sites
    ended = thresher(*command, f"{first.origin}/away", *flags, cwd=tmp_path, environ=permitting(sites))
    assert ended.returncode == 0, ended.stderr
    assert secrets_seen(first) == {f"{path} {name}" for path in ("/robots.txt", "/away") for name in SECRETS}
    assert "/" in second.paths()
    assert secrets_seen(second) == set()


def test_the_way_back_carries_them_again(sites: list[Site], flags: list[str], tmp_path: Path) -> None:
    first, second, _ = sites
    second.routes["/"] = answer(b"", "302 Found", location=f"{first.origin}/")
    assert thresher("probe", f"{first.origin}/away", *flags, cwd=tmp_path, environ=permitting(sites)).returncode == 0
    assert "/ x-key" in secrets_seen(first)
    assert secrets_seen(second) == set()


def test_nothing_secret_is_kept_with_the_run_or_said(sites: list[Site], flags: list[str], tmp_path: Path) -> None:
    first, *_ = sites
    proxyless = ["crawl", f"{first.origin}/", *flags, "--delay", "0"]
    ended = thresher(*proxyless, cwd=tmp_path)
    assert ended.returncode == 0, ended.stderr
    assert "with the same --cookies, --header, --auth" in ended.stderr
    assert "hush" not in ended.stdout + ended.stderr
    for file in filter(Path.is_file, (tmp_path / "thresher-data").rglob("*")):
        content = file.read_bytes()
        assert b"hush" not in content
        assert b"aHVzaA" not in content


def test_settings_give_each_host_its_own_and_a_worker_takes_them_from_its_own(
    sites: list[Site], tmp_path: Path
) -> None:
    first, second, _ = sites
    (tmp_path / "headers").write_text(f"{first.origin} X-Key: one\n{second.origin} X-Key: two\n")
    (tmp_path / "thresher.toml").write_text(
        f'headers_file = "{tmp_path}/headers"\nallowed_addresses = ["127.0.0.0/8"]\ndelay_s = 0\n'
    )
    opened = thresher("crawl", f"{first.origin}/", f"{second.origin}/", "--enqueue", cwd=tmp_path)
    assert opened.returncode == 0, opened.stderr
    assert first.visits == []
    worked = thresher("worker", "run", "--until-done", cwd=tmp_path)
    assert worked.returncode == 0, worked.stderr
    assert {visit.headers["x-key"] for visit in first.visits} == {"one"}
    assert {visit.headers["x-key"] for visit in second.visits} == {"two"}
