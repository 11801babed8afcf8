"""A server with a filled corpus, and a Chromium that looks at it, for tests of what people see."""

import logging
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from html import escape
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from thresher import logs, wiring
from thresher.catalog.accounts import Role, User
from thresher.config import Settings
from thresher.fetch.rendering import SWITCHES, browser_path
from thresher.model import (
    Block,
    Document,
    Endpoint,
    EndpointKind,
    Fate,
    Judged,
    Kind,
    Post,
    Round,
    RunState,
    Source,
    SourceKind,
    Span,
)
from thresher.model import (
    Page as Fetched,
)
from thresher.store.contract import Record
from thresher.web.accounts import make_hasher

PASSWORD = "four words are long"
ATTACK = '<script>window.attacked=1</script><img src=x onerror="window.attacked=2">"\'><svg onload=window.attacked=3>'
WAIT_MS = 120_000  # for what the machine is slow with when it is busy; nothing waits so long by itself
TALE = "The harbour master said on Thursday that the ferry would sail again once the pier had been mended. "
PAPER = "https://paper.example/pier"  # a page with all that surrounds an article
PAPER_HTML = f"""<!doctype html><html lang="en"><head><title>The pier is mended</title></head><body>
<nav><a href="/">Home</a> <a href="/sport">Sport</a></nav><main><h1>The pier is mended</h1>
<p class="byline">By Ann Lee, 18 November 2026</p><p>{TALE}It was a long winter.</p>Loose <b>words</b> in between.
<p>{TALE}Nobody was hurt.</p><div>Buy one ticket, get one free <script>window.attacked=5</script></div></main>
<footer>All rights reserved, and so on</footer></body></html>"""
THREAD = "https://forum.example/t/1"
THREAD_POSTS = 3
CHINESE_TALE = "央行宣布下调存款准备金率，市场普遍认为这将释放长期资金，支持实体经济发展。"


class Looker:
    """One browser window, and what went wrong in it."""

    def __init__(self, context: BrowserContext, address: str) -> None:
        self.page: Page = context.new_page()
        self.page.set_default_timeout(WAIT_MS)
        self.wrong: list[str] = []  # console errors, refused by policy, uncaught exceptions
        self.asked: list[str] = []
        self._address = address
        self.page.on("console", self._heard)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))

    def open(self, path: str) -> Page:
        """Load a page of the application."""
        self.page.goto(self._address + path, wait_until="domcontentloaded")
        return self.page

    def log_in(self, name: str = "ada") -> "Looker":
        """Log in with the form."""
        page = self.open("/login")
        page.locator("input[name=name]").fill(name)
        page.locator("input[name=password]").fill(PASSWORD)
        page.locator("main form button").click()
        page.wait_for_url(lambda url: "/login" not in url)
        return self

    def is_wide(self) -> bool:
        """Say whether the page has to be scrolled sideways."""
        return bool(self.page.evaluate("document.documentElement.scrollWidth > innerWidth"))

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.wrong.append(f"{message.text} at {message.location.get('url')}")


class Stand:
    """A running server and browser."""

    def __init__(self, address: str, browser: Browser) -> None:
        self.address = address
        self._browser = browser

    @contextmanager
    def looker(self, *, language: str = "en", theme: str = "light", width: int = 1280, **more: Any) -> Iterator[Looker]:
        """Open a window with cookies of its own."""
        locale = {"en": "en-GB", "zh": "zh-CN"}[language]
        size = {"width": width, "height": 900}
        context = self._browser.new_context(locale=locale, color_scheme=theme, viewport=size, **more)  # type: ignore[arg-type]
        try:
            yield Looker(context, self.address)
        finally:
            context.close()


@contextmanager
def browsing(address: str) -> Iterator[Stand]:
    """Start a browser that can reach nothing but this machine."""
    switches = [each for each in SWITCHES if "imagesEnabled" not in each]
    with sync_playwright() as driver:
        browser = driver.chromium.launch(
            executable_path=browser_path(), args=switches, chromium_sandbox=os.geteuid() != 0
        )
        try:
            yield Stand(address, browser)
        finally:
            browser.close()


@contextmanager
def serving(data: Path, *arguments: str) -> Iterator[str]:
    """Run `thresher serve` on a free port; give its address."""
    environ = {"THRESHER_ALLOWED_ADDRESSES": "127.0.0.1", "THRESHER_DELAY_S": "0", "THRESHER_EXTRACTORS": "1"}
    command = [sys.executable, "-m", "thresher", "--data", str(data), "serve", "--port", "0", *arguments]
    server = subprocess.Popen(command, stderr=subprocess.PIPE, env=os.environ | environ, text=True, cwd=data.parent)
    try:
        assert server.stderr
        yield _address(server.stderr)
    finally:
        server.terminate()
        server.communicate(timeout=120)


def _address(lines: Any) -> str:
    told = []
    for line in lines:
        told.append(line)
        if found := re.search(r"Thresher is at (http://\S+)/", line):
            return found[1]
    raise AssertionError("".join(told))


def fill(data: Path) -> None:
    """Make a corpus with articles and a thread, hostile ones among them, sources, a run, and an admin."""
    corpus = wiring.open_corpus(Settings(data=str(data)))
    now = datetime.now(UTC).replace(microsecond=0)
    try:
        run = corpus.store.start_run(["https://harbour.example/"], {"scope": {}, "limit": 50, "refresh": False}, now)
        for number, document in enumerate(_documents(now)):
            fate = Fate(document.url or "", run.id, "stored", "article", now, status=200)
            body = {PAPER: PAPER_HTML, THREAD: thread_html()}.get(document.url or "", "<p>stored</p>")
            page = Fetched(document.url or "", 200, body.encode(), now, {"content-type": "text/html"})
            corpus.store.save(Record(fate, page, document))
            corpus.index.add([document], now - timedelta(minutes=number), run=run.id)
        hostile = Fate("https://harbour.example/" + "%3Cscript%3E", run.id, "buried", "timeout", now, detail=ATTACK)
        corpus.store.note([hostile])
        corpus.store.end_run(run.id, RunState.FINISHED, now + timedelta(minutes=2))
        _add_sources(corpus.catalog(), now)
    finally:
        corpus.close()
    told = {"msg": ATTACK, "levelno": logging.WARNING, "source": "harbour", "run": 1, "reason": "timeout"}
    line = logging.makeLogRecord(told | {"url": "https://harbour.example/?" + ATTACK})
    (data / logs.FOLDER).mkdir()
    (data / logs.FOLDER / logs.NAME).write_text(logs.EcsFormatter("crawl").format(line) + "\n", "utf-8")
    book = wiring.open_accounts(Settings(data=str(data)))
    book.add_user(User("ada", Role.ADMIN, make_hasher(1).hash(PASSWORD), now))
    book.close()


def thread_html() -> str:
    """Return the page of the thread: each post has a line with its author and time above it."""
    posts = "".join(
        f'<div class="post"><div class="who">{escape(ATTACK)}{n}</div><div>{n + 8} November 2026, 10:15</div>'
        f"<p>{escape(_said(n))}</p></div>"
        for n in range(THREAD_POSTS)
    )
    return f"<!doctype html><html><body><h1>Pier thread</h1>{posts}<footer>Powered by planks</footer></body></html>"


def _said(number: int) -> str:
    return f"{ATTACK} reply {number} about the pier"


def _documents(now: datetime) -> Iterator[Document]:
    for number in range(12):
        title = f"Ferry number {number} sails again"
        url, at = f"https://harbour.example/news/{number}", now - timedelta(hours=7 * number)
        yield _article(url, title, TALE * (number + 3) + f"Trip {number}.", at, "Ann Lee", "en")
    for number in range(6):
        title = f"央行下调存款准备金率 第{number}期"
        url, at = f"https://caijing.example/{number}.html", now - timedelta(hours=9 * number)
        yield _article(url, title, CHINESE_TALE * (number + 4), at, "张伟", "zh")
    yield _article(PAPER, "The pier is mended", f"{TALE}It was a long winter.", now, "Ann Lee", "en")
    hostile_url = "https://evil.example/?q=%3Cscript%3Ewindow.attacked=4%3C/script%3E"
    yield _article(hostile_url, f"Pier {ATTACK}", f"{ATTACK} {TALE * 4}", now, ATTACK, "en")
    posts = tuple(Post(f"{ATTACK}{n}", now, _said(n), n + 1) for n in range(THREAD_POSTS))
    yield Document(THREAD, Kind.THREAD, 0.9, "Pier thread", posts=posts, language="en", site="forum.example")


def _article(url: str, title: str, text: str, at: datetime, author: str, language: str) -> Document:
    site = url.split("/")[2]
    block = Block((Span(text),), "p", "/html/body/p")
    return Document(url, Kind.ARTICLE, 0.9, title, (block,), (author,), at, language, site=site)


def _add_sources(catalog: Any, now: datetime) -> None:
    for name, kind in (("harbour", SourceKind.SITE), ("caijing", SourceKind.FEED), ("quiet", SourceKind.FORUM)):
        address = f"https://{name}.example/"
        source = Source(name=name, kind=kind, address=address, channel="news", tags=(ATTACK[:30],), created_at=now)
        catalog.add(source, [Endpoint(source=name, url=address + "feed", kind=EndpointKind.FEED)])
    catalog.record(Round(source="harbour", url="https://harbour.example/feed", at=now, status=200, found=9, new=5))
    catalog.record(Round(source="quiet", url="https://quiet.example/feed", at=now, reason="timeout"))
    page = "https://harbour.example/"
    stored = [Judged(source="harbour", url=f"{page}{n}", at=now, stored=True, reason="article") for n in range(5)]
    refused = Judged(source="harbour", url=page + ATTACK, at=now, stored=False, reason="no-date")
    catalog.note([*stored, refused])
