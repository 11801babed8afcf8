"""Run the fetcher once with a scripted crew and print what was delivered: each Scrapy run needs its own process."""

import asyncio
import base64
import json
import logging
import os
import socket
import sys
import time
from collections import deque
from collections.abc import AsyncIterator, Awaitable
from dataclasses import asdict
from datetime import datetime
from pathlib import Path
from typing import Any

from thresher.crawling.questions import is_shell
from thresher.fetch.fetcher import FetchOptions, fetch
from thresher.model import Failure, Lease, Link, Page, Robots, RobotsRules
from thresher.model.credentials import read_credentials
from thresher.model.robots import read_rules


class ScriptedCrew:
    """Leases the links of a script, again where the answer says so, and writes everything down."""

    def __init__(self, script: dict[str, Any]) -> None:
        self.script = script
        self.waiting = deque(Lease(Link(**link), n, "test", 0.0) for n, link in enumerate(script["links"]))
        self.robots = {r["origin"]: _robots(r) for r in script.get("robots", [])}
        self.slots = script.get("slots", 48)
        self.open = 0
        self.changed = asyncio.Event()
        self.draining = False
        self.told: list[dict[str, Any]] = []
        self.kept: list[dict[str, Any]] = []
        self.events: list[str] = []
        self.listening = 0

    async def leases(self) -> AsyncIterator[Lease]:
        while not self.draining and (self.waiting or self.open or self.script.get("endless")):
            self.changed.clear()
            if not self.waiting or self.open >= self.slots:
                await self.changed.wait()
                continue
            self.open += 1
            yield self.waiting.popleft()

    async def deliver(self, lease: Lease, asking: Awaitable[Page | Failure]) -> None:
        answer = await asking
        self.told.append({"url": lease.link.url, "at": time.monotonic()} | _plain(answer))
        self.say(f"delivered {lease.link.url}")
        if self.script.get("count_ports"):
            self.listening = max(self.listening, _ports_open())
        await self._take_time()
        if self.script.get("raise_on_deliver"):
            raise LookupError("the crew broke")
        if isinstance(answer, Failure) and answer.reason in self.script.get("again", []):
            self.waiting.append(lease)
        self.open -= 1
        self.changed.set()
        self.say(f"settled {lease.link.url}")

    async def _take_time(self) -> None:
        try:
            await asyncio.sleep(self.script.get("deliver_s", 0))
        except asyncio.CancelledError:
            await asyncio.sleep(self.script.get("linger_s", 0))
            raise

    async def closing(self, *, broken: bool) -> None:
        self.say("closing")

    def interrupt(self) -> None:
        self.say("interrupt")
        self.draining = True
        self.changed.set()

    async def recall_robots(self, origin: str) -> Robots | None:
        return self.robots.get(origin)

    async def keep_robots(self, robots: Robots) -> None:
        self.robots[robots.origin] = robots
        self.kept.append({"origin": robots.origin, "status": robots.status, "body": robots.body.decode("latin-1")})

    async def read_robots(self, body: bytes, name: str) -> RobotsRules | None:
        return read_rules(body, name)

    async def shell_of(self, page: Page) -> str:
        return is_shell(page)

    def say(self, event: str) -> None:
        self.events.append(event)
        if self.script.get("loud"):
            print(event, file=sys.stderr, flush=True)


def _robots(kept: dict[str, Any]) -> Robots:
    fetched_at = datetime.fromisoformat(kept["fetched_at"])
    return Robots(kept["origin"], kept["status"], kept["body"].encode(), fetched_at)


def _plain(answer: Page | Failure) -> dict[str, Any]:
    if isinstance(answer, Failure):
        return asdict(answer)
    body = base64.b64encode(answer.body).decode()
    return asdict(answer) | {"body": body, "fetched_at": answer.fetched_at.isoformat()}


def _ports_open() -> int:
    """How many sockets of this process wait for connections."""
    mine = {os.readlink(entry.path) for entry in os.scandir("/proc/self/fd") if os.path.lexists(entry.path)}
    rows = [
        line.split() for table in ("tcp", "tcp6") for line in Path(f"/proc/self/net/{table}").read_text().splitlines()
    ]
    return sum(row[3] == "0A" and f"socket:[{row[9]}]" in mine for row in rows)


def _pretend_hosts(hosts: dict[str, list[str]]) -> list[str]:
    """Answer for these names as a name server would, and write down every name that is looked up."""
    real, asked = socket.getaddrinfo, []

    def fake(host: Any, port: Any, *rest: Any, **named: Any) -> Any:
        asked.append(str(host))
        if host in hosts and not hosts[host]:
            raise socket.gaierror(f"no such name: {host}")
        return [found for address in hosts.get(host, [host]) for found in real(address, port, *rest, **named)]

    socket.getaddrinfo = fake
    return asked


def main() -> None:
    script = json.load(sys.stdin)
    if script.get("log"):
        logging.basicConfig(level=logging.DEBUG)
    asked = _pretend_hosts(script.get("hosts", {}))
    options = script.get("options", {})
    options["allowed_addresses"] = tuple(options.get("allowed_addresses", ["127.0.0.0/8", "::1"]))
    if "allowed_ports" in options:
        options["allowed_ports"] = frozenset(options["allowed_ports"])
    options["credentials"] = read_credentials(**options.get("credentials", {}))
    crew = ScriptedCrew(script)
    started, ended, error = time.monotonic(), "", ""
    try:
        ended = fetch(crew, FetchOptions(**{"user_agent": "Thresher/0.1 (test)"} | options))
    except Exception as raised:  # noqa: BLE001 - the test asserts on what it was
        error = f"{type(raised).__name__}: {raised}"
    report: dict[str, Any] = {
        "ended": ended,
        "error": error,
        "answers": crew.told,
        "kept": crew.kept,
        "events": crew.events,
    }
    report |= {
        "listening": crew.listening,
        "asked": asked,
        "wall_s": time.monotonic() - started,
    }
    print(json.dumps(report))


main()
