"""A running site program: where it is, what is truly in it, and what was asked of it."""

import os
import re
import signal
import subprocess
import time
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from pathlib import Path
from urllib.error import HTTPError, URLError

HOST = "127.0.0.1"
START_S = 60  # a program that has not answered by then is not going to
_REQUEST = re.compile(r"\b(?:GET|HEAD|POST) (\S+)")


@dataclass(frozen=True)
class Said:
    """A post as the program keeps it."""

    author: str
    published: datetime
    text: str


@dataclass(frozen=True)
class Item:
    """An article or thread as the program keeps it, at the address that it gives to it."""

    key: str
    url: str
    kind: str  # article or thread
    title: str
    author: str | None  # None where the program does not show it
    published: datetime | None
    text: str
    posts: tuple[Said, ...] = ()
    visible: bool = True
    was_visible: bool = False  # visitors could read it before it was deleted: a corpus may still have it


@dataclass
class Site:
    """A program that runs: `items` is what its database holds now, and what it held before."""

    name: str
    url: str
    log: Path
    items: list[Item] = field(default_factory=list)
    zone: tzinfo | None = None  # of the times that its pages show without saying so

    def hold(self, items: Sequence[Item]) -> None:
        """Take these for what the database holds now; those that visitors cannot read any more are remembered."""
        now = {item.key: item for item in items}
        for old in self.items:
            new = now.get(old.key)
            if (old.visible or old.was_visible) and (new is None or not new.visible):
                now[old.key] = replace(old, visible=False, was_visible=True)
        self.items = list(now.values())

    def requests(self) -> list[str]:
        """Return the paths asked for so far, in order, as the program's own server logged them."""
        return _REQUEST.findall(self.log.read_text("utf-8", "replace"))


@contextmanager
def running(
    command: Sequence[str], *, log: Path, url: str, cwd: Path | None = None, env: Mapping[str, str] | None = None
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server until the block ends, its output in a log; wait until it answers at the URL."""
    with log.open("ab") as stream:
        process = subprocess.Popen(
            command,
            stdout=stream,
            stderr=subprocess.STDOUT,
            cwd=cwd,
            env={**os.environ, **(env or {})},
            start_new_session=True,  # PHP's server has processes of its own, which it leaves behind
        )
    try:
        _wait_for(url, process, log)
        yield process
    finally:
        os.killpg(process.pid, signal.SIGKILL)  # there is nothing in it that has to be kept
        process.wait()


def _wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    until = time.monotonic() + START_S
    while time.monotonic() < until:
        if process.poll() is not None:
            raise RuntimeError(f"{process.args!r} ended:\n{log.read_text('utf-8', 'replace')[-2000:]}")
        try:
            urllib.request.urlopen(url, timeout=START_S).close()
        except HTTPError:
            return
        except (URLError, OSError):
            time.sleep(0.1)
        else:
            return
    raise RuntimeError(f"nothing answers at {url} after {START_S} s")
