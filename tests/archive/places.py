"""Places for tests: S3 by moto, a place that dies at a chosen step, and documents to append."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.request import Request, urlopen

from tests.export.documents import ARTICLE, POSTS, THREAD
from thresher.archive.places import Place
from thresher.lab.servers import HOST, free_port
from thresher.model import Page
from thresher.store.contract import Stored

DAY = datetime(2026, 11, 19, tzinfo=UTC)
KEYS = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_DEFAULT_REGION": "us-east-1"}


@contextmanager
def s3_server() -> Iterator[str]:
    """Run moto with a bucket, and give the options that name it."""
    port = free_port()
    arguments = [sys.executable, "-m", "moto.server", "-H", HOST, "-p", str(port)]
    server = subprocess.Popen(arguments, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    endpoint = f"http://{HOST}:{port}"
    try:
        while not _made(f"{endpoint}/corpus"):
            assert server.poll() is None
        yield endpoint
    finally:
        server.kill()
        server.wait()


def _made(bucket: str) -> bool:
    try:
        with urlopen(Request(bucket, method="PUT"), timeout=60) as answer:
            return bool(answer.status == 200)
    except (URLError, ConnectionError):
        return False


class Killed(BaseException):
    """Stands for kill -9: nothing behind it is done."""


class Dying:
    """A place whose user is killed before or after its n-th change."""

    def __init__(self, place: Place, steps: int, *, after: bool) -> None:
        self._place, self._left, self._after = place, steps, after

    def __getattr__(self, name: str) -> Any:
        found = getattr(self._place, name)
        if name not in ("put", "move", "remove"):
            return found

        def step(*args: Any) -> None:
            self._left -= 1
            if self._left == 0 and not self._after:
                raise Killed
            found(*args)
            if self._left == 0:
                raise Killed

        return step


def documents(first: int, count: int) -> list[Stored]:
    """Return documents by number, on two sites and two days; every fifth is a thread."""
    found = []
    for number in range(first, first + count):
        at = DAY + timedelta(days=number % 2)
        whole = replace(THREAD, posts=POSTS) if number % 5 == 0 else replace(ARTICLE, site=f"site{number % 3}.example")
        document = replace(whole, url=f"https://harbour.example/{number}", title=f"number {number}")
        found.append(Stored(f"key{number}", document, 1, at, at))
    return found


def page(number: int, body: str = "") -> Page:
    """Return a page by number."""
    headers = {"content-type": "text/html; charset=utf-8", "content-encoding": "gzip", "etag": f'"{number}"'}
    text = body or f"<html><title>page {number}</title><p>降准 {number}</p></html>"
    moment = DAY + timedelta(seconds=number)
    return Page(f"https://www.a.example/p/{number}?b=1&a=2", 200, text.encode(), moment, headers, address="127.0.0.1")


def files_below(folder: Path) -> list[str]:
    """Name all files below a folder that are no part of the manifest."""
    found = [path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()]
    return sorted(name for name in found if not name.startswith("_"))
