"""How a whole run of the fetcher goes, whatever the answers are."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator

import pytest

from tests.fetch.conftest import Crawl
from tests.fetch.loopback import Site, answer


@pytest.fixture
def site() -> Iterator[Site]:
    with Site({f"/{n}": answer(b"x") for n in range(100)}) as site:
        yield site


def test_a_slow_delivery_does_not_hold_up_other_downloads(site: Site, crawl: Crawl) -> None:
    links = [f"{site.origin}/{n}" for n in range(20)]
    told = crawl(*links, deliver_s=1.0, slots=20, options={"concurrency": 2})
    assert told.reasons() == [200] * 20
    arrivals = [answer["at"] for answer in told.answers]
    assert max(arrivals) - min(arrivals) < 0.9
    assert told.events.index(f"settled {links[0]}") > 19


def test_no_more_requests_are_open_than_lanes(crawl: Crawl) -> None:
    with Site({}) as site:
        told = crawl(*(f"{site.origin}/{n}" for n in range(60)), slots=60, options={"concurrency": 3})
    assert told.reasons() == [404] * 60
    assert site.connections <= 3  # kept alive and used again


def test_no_leases_is_the_end(crawl: Crawl) -> None:
    told = crawl()
    assert (told.ended, told.events) == ("finished", ["closing"])


def test_what_the_crew_raises_comes_out_and_the_leases_are_given_back(site: Site, crawl: Crawl) -> None:
    told = crawl(f"{site.origin}/1", f"{site.origin}/2", raise_on_deliver=True, endless=True)
    assert told.error == "LookupError: the crew broke"
    assert told.events[-1] == "closing"


def test_an_address_that_cannot_be_allowed_is_said_so(crawl: Crawl) -> None:
    told = crawl("http://127.0.0.1/", options={"allowed_addresses": ["everything"]})
    assert told.error.startswith("UsageError: ")
    assert "everything" in told.error


def test_log_lines_are_ours_and_nobody_elses_logging_is_touched(site: Site, crawl: Crawl) -> None:
    told = crawl(f"{site.origin}/1", log=True)
    lines = told.stderr.splitlines()
    assert f"DEBUG:thresher.fetch:{site.origin}/1: 200" in lines
    assert {line.split(":")[1] for line in lines} <= {"thresher.fetch", "asyncio"}


def test_a_second_run_in_one_process_is_refused_with_a_reason() -> None:
    code = """
import json
import os
from thresher.errors import ThresherError
from thresher.fetch.fetcher import FetchOptions, fetch

class Nobody:
    async def leases(self):
        return
        yield
    async def closing(self, *, broken):
        pass

endings = [fetch(Nobody(), FetchOptions("Thresher/0.1"))]
try:
    fetch(Nobody(), FetchOptions("Thresher/0.1"))
except ThresherError as error:
    endings.append(str(error))
print(json.dumps(endings))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=280)
    assert json.loads(done.stdout) == ["finished", "a process can crawl only once: start another one"]
    assert done.stderr == ""


def test_nothing_is_carried_from_one_page_to_another(crawl: Crawl) -> None:
    with Site({"/1": answer(b"x", set_cookie="a=1"), "/2": answer(b"x")}) as site:
        told = crawl(f"{site.origin}/1", f"{site.origin}/2", slots=1)
    assert told.reasons() == [200, 200]
    assert site.paths() == ["/1", "/2"]
    assert not {"cookie", "referer", "authorization"} & site.visits[1].headers.keys()


def test_a_proxy_in_the_environment_is_not_asked(site: Site, crawl: Crawl) -> None:
    with Site({}) as proxy:
        told = crawl(f"{site.origin}/1", env=os.environ | {"http_proxy": proxy.origin, "HTTP_PROXY": proxy.origin})
    assert told.reasons() == [200]
    assert proxy.connections == 0
