"""What the fetcher costs beside a plain Scrapy spider in the same minute."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fetch.conftest import run_fresh_child

PAGES = 600
CONCURRENCY = 16
SERVER = """
import asyncio
BODY = b"<html><body>" + b"<p>some words of a page</p>" * 400
ANSWER = b"HTTP/1.1 200 OK\\r\\nContent-Type: text/html\\r\\nContent-Length: %d\\r\\n\\r\\n" % len(BODY) + BODY

class Conversation(asyncio.Protocol):
    def connection_made(self, transport):
        self.transport, self.rest = transport, b""
    def data_received(self, data):
        *requests, self.rest = (self.rest + data).split(b"\\r\\n\\r\\n")
        self.transport.write(ANSWER * len(requests))

async def main():
    server = await asyncio.get_running_loop().create_server(Conversation, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()

asyncio.run(main())
"""


@pytest.fixture
def origin() -> Iterator[str]:
    """A server in a process of its own, fast enough to be no part of what is measured."""
    server = subprocess.Popen([sys.executable, "-c", SERVER], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    yield f"http://127.0.0.1:{server.stdout.readline().strip()}"
    server.terminate()
    server.wait()


def test_a_page_costs_no_more_than_in_a_plain_spider(origin: str) -> None:
    urls = [f"{origin}/{n}" for n in range(PAGES)]
    script = json.dumps({"urls": urls, "concurrency": CONCURRENCY})
    spider = Path(__file__).with_name("plain_spider.py")
    done = subprocess.run(
        [sys.executable, str(spider)], input=script, capture_output=True, text=True, check=True, timeout=60
    )
    plain = json.loads(done.stdout)
    options = {"concurrency": CONCURRENCY, "obey_robots": False, "timeout_s": 5.0}
    ours = run_fresh_child({"links": [{"url": url} for url in urls], "options": options})
    assert plain["pages"] == len(ours.answers) == PAGES
    ratio = plain["cpu_s"] / ours.cpu_s
    print(f"pages per CPU second: plain Scrapy {PAGES / plain['cpu_s']:.0f}, fetcher {PAGES / ours.cpu_s:.0f}")
    assert ratio > 0.85
