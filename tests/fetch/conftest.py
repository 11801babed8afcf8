"""How the tests run the fetcher."""

import base64
import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from tests.commands import ROOT, run

CHILD = Path(__file__).with_name("child.py")
Crawl = Callable[..., "Told"]


@dataclass(frozen=True)
class Told:
    """What a run of the fetcher delivered."""

    ended: str
    error: str
    answers: list[dict[str, Any]]
    kept: list[dict[str, Any]]
    events: list[str]
    asked: list[str]
    listening: int
    wall_s: float
    stderr: str

    def of(self, url: str) -> dict[str, Any]:
        """The one answer that was delivered for a URL."""
        (only,) = [told for told in self.answers if told["url"] == url]
        return only

    def reasons(self) -> list[str | int]:
        """Every answer in short: its status or its reason."""
        return [told.get("reason") or told["status"] for told in self.answers]


def body_of(told: dict[str, Any]) -> bytes:
    """The body of a delivered page."""
    return base64.b64decode(told["body"])


def run_child(script: dict[str, Any], env: dict[str, str] | None = None) -> Told:
    """Run a script to its end in a process of its own."""
    return _told(run(module="tests.fetch.child", cwd=ROOT, environ=env, stdin=json.dumps(script), timeout_s=280))


def _told(done: "subprocess.CompletedProcess[str]") -> Told:
    assert done.returncode == 0, done.stderr
    return Told(**json.loads(done.stdout), stderr=done.stderr)


@pytest.fixture(scope="session")
def crawl() -> Crawl:
    """Fetch some URLs (or links as dicts) with the given options; robots.txt is not asked for unless told to."""

    def crawl(*links: str | dict[str, Any], env: dict[str, str] | None = None, **script: Any) -> Told:
        options = {"obey_robots": False, "timeout_s": 200.0} | script.pop("options", {})
        wanted = [{"url": link} if isinstance(link, str) else link for link in links]
        return run_child({"links": wanted, "options": options} | script, env)

    return crawl
