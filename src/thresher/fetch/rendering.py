"""Render pages that are empty until a script fills them, with Chromium: only where that helps, and in bounds.

    Page ──▶ an empty shell? ──▶ Chromium, through a proxy that checks every address ──▶ Page, marked as rendered

One browser process serves a few pages at a time, each in a context of its own with its own proxy (checking_proxy.py);
it is started again after many pages, and when it hangs or dies. What is learnt of a host saves work: where rendering
helped a few times, every page is rendered, and where it did not, none.
"""

import asyncio
import logging
import os
import shutil
import signal
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from thresher.errors import MissingExtra
from thresher.fetch.checking_proxy import CheckingProxy
from thresher.fetch.contract import Crew, FetchOptions
from thresher.fetch.guard import Guard
from thresher.model import Failure, Link, Outcome, Page

PROGRAMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
RENDERS_A_BROWSER = 100  # after which it is started again: it grows
GRACE_S = 10.0  # beyond the time limit of a page, after which the browser is taken for hung
CLOSE_S = 3.0
HELPED = 3  # shells of a host that rendering filled, from which on all its pages are rendered
USELESS = 5  # shells that it did not fill, with none that it did, from which on none is
MAX_HOSTS = 10_000  # remembered
MAX_FAILURES = 5  # in a row, after which nothing is rendered any more
MAX_REQUESTS = 200  # of one page
MAX_DETAIL_CHARS = 300
HTML = ("text/html", "application/xhtml+xml")
WANTED = frozenset({"document", "script", "xhr", "fetch", "stylesheet"})  # kinds of requests; never pictures or films
# The browser looks up no name and speaks to nobody but its proxy, whatever a page asks for.
SWITCHES = (
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--dns-prefetch-disable",
    "--disable-background-networking",
    "--disable-remote-fonts",
    "--blink-settings=imagesEnabled=false",
)
NOWHERE = "http://127.0.0.1:9"  # proxy of what belongs to no page: nobody listens there
log = logging.getLogger("thresher.fetch")

Permit = Callable[[str], Awaitable[bool]]


class Habits:
    """What is known of hosts: whether rendering their pages helps."""

    def __init__(self) -> None:
        self._helped: Counter[str] = Counter()
        self._useless: Counter[str] = Counter()

    def note(self, host: str, *, helped: bool) -> None:
        """Remember what rendering a page of a host brought."""
        if len(self._helped) + len(self._useless) > MAX_HOSTS:
            self._helped.clear()
            self._useless.clear()
        (self._helped if helped else self._useless)[host] += 1

    def always(self, host: str) -> bool:
        """Say whether a host's pages are rendered without looking whether they are shells."""
        return self._helped[host] >= HELPED

    def never(self, host: str) -> bool:
        """Say whether rendering is useless for a host."""
        return self._useless[host] >= USELESS and not self._helped[host]


class Rendering:
    """Renders what needs it, for one crawl; does nothing unless the options ask for it."""

    def __init__(self, options: FetchOptions, guard: Guard, permit: Permit, crew: Crew) -> None:
        """`permit` says whether robots.txt lets a URL be fetched."""
        self.habits = Habits()
        self._options, self._crew = options, crew
        self._browser = Chromium(options, guard, permit) if options.render != "off" else None
        self._failed: set[str] = set()  # pages that the browser broke over once; a second time they stay as they are
        self._failures = 0  # in a row

    async def shown(self, link: Link, answer: Page | Failure) -> Page | Failure:
        """Return the answer as a browser shows it, if it is an empty shell; any other as it is.

        A browser that dies or hangs costs an attempt, the first time that it does over this page.
        """
        if (
            self._browser is None
            or not isinstance(answer, Page)
            or not _is_html(answer)
            or self._failures > MAX_FAILURES
        ):
            return answer
        if not await self._is_wanted(link.host, answer):
            return answer
        rendered = await self._browser.render(answer)
        if isinstance(rendered, Failure):
            return self._broken(link, answer, rendered)
        self._failures = 0
        helped = rendered is not None and not await self._crew.shell_of(rendered)
        self.habits.note(link.host, helped=helped)
        return rendered if rendered is not None and helped else answer

    async def _is_wanted(self, host: str, page: Page) -> bool:
        if self._options.render == "always" or self.habits.always(host):
            return True
        return not self.habits.never(host) and bool(await self._crew.shell_of(page))

    def _broken(self, link: Link, answer: Page, failure: Failure) -> Page | Failure:
        self._failures += 1
        if self._failures > MAX_FAILURES:
            log.warning(
                "Chromium failed %s times in a row; nothing is rendered any more: %s", MAX_FAILURES, failure.detail
            )
        if link.url in self._failed or len(self._failed) > MAX_HOSTS or self._failures > MAX_FAILURES:
            return answer
        self._failed.add(link.url)
        return failure

    async def close(self) -> None:
        """End the browser."""
        if self._browser:
            await self._browser.close()


class Chromium:
    """One browser process, started when it is needed; a few pages at a time."""

    def __init__(self, options: FetchOptions, guard: Guard, permit: Permit) -> None:
        self.pid: int | None = None
        self._options, self._guard, self._permit = options, guard, permit
        self._room = asyncio.Semaphore(options.render_pages)
        self._starting = asyncio.Lock()
        self._driver: Any = None
        self._browser: Any = None
        self._rendered = 0
        self._under_way = 0

    async def render(self, page: Page) -> Page | Failure | None:
        """Return a page as the browser shows it; None when it cannot show it, a Failure when it died or hung."""
        async with self._room:
            self._under_way += 1
            limit_s = self._options.render_timeout_s + GRACE_S
            (result,) = await asyncio.gather(asyncio.wait_for(self._render(page), limit_s), return_exceptions=True)
            self._under_way -= 1
        if isinstance(result, asyncio.CancelledError | MissingExtra):
            raise result
        if isinstance(result, BaseException):
            return await self._failure_of(result)
        if self._rendered >= RENDERS_A_BROWSER and not self._under_way:
            await self._end()
        return result

    async def _failure_of(self, error: BaseException) -> Failure | None:
        """Say what an error means: that a page does not come is nothing that the browser can help."""
        if not isinstance(error, TimeoutError) and self._browser is not None and self._browser.is_connected():
            log.debug("cannot render: %s", error)
            return None
        await self._end()
        detail = f"{type(error).__name__}: {error}".partition("\n")[0][:MAX_DETAIL_CHARS]
        return Failure("render-failed", Outcome.RETRY, detail)

    async def _render(self, page: Page) -> Page | None:
        browser = await self._started()
        self._rendered += 1
        max_bytes = self._options.max_body_bytes
        async with CheckingProxy(self._guard, max_bytes, strict=self._options.strict_addresses) as proxy:
            context = await browser.new_context(
                proxy={"server": proxy.url},
                user_agent=self._options.user_agent,
                locale=self._options.accept_language.partition(",")[0],
                service_workers="block",
                accept_downloads=False,
            )
            try:
                content = await self._content(context, page.url)
            finally:
                await asyncio.wait_for(context.close(), CLOSE_S)
            if proxy.traffic.is_too_much:
                return None
        body = content.encode("utf-8", "replace")
        if len(body) > max_bytes:
            return None
        headers = {**page.headers, "content-type": "text/html; charset=utf-8"}
        return replace(page, body=body, headers=headers, rendered=True)

    async def _content(self, context: Any, url: str) -> str:
        """Open a URL and return its markup when it asks for nothing more, or when its time is up."""
        loop = asyncio.get_running_loop()
        until = loop.time() + self._options.render_timeout_s
        tab = await context.new_page()
        asked: list[str] = []

        async def judge(route: Any) -> None:
            asked.append(route.request.url)
            wanted = len(asked) <= MAX_REQUESTS and await self._may_ask(route.request, url)
            await (route.continue_() if wanted else route.abort())

        await context.route("**/*", judge)
        await context.route_web_socket("**/*", lambda socket: socket.close())
        await tab.goto(url, wait_until="domcontentloaded", timeout=1_000 * self._options.render_timeout_s)
        idle = tab.wait_for_load_state("networkidle", timeout=max(1.0, 1_000 * (until - loop.time())))
        await asyncio.gather(idle, return_exceptions=True)  # a page that never rests is taken as it is
        content: str = await tab.content()
        return content

    async def _may_ask(self, request: Any, page: str) -> bool:
        """Say whether a request of a page is sent: for what makes text, from where robots.txt permits it.

        The page itself was permitted already. Frames, and other pages that a script wants to go to, are not opened.
        """
        if not request.url.startswith(("http://", "https://")) or request.resource_type not in WANTED:
            return False
        if request.is_navigation_request():
            return request.frame.parent_frame is None and _same(request.url, page)
        return await self._permit(request.url)

    async def _started(self) -> Any:
        async with self._starting:
            if self._browser is None or not self._browser.is_connected():
                await self._end()
                self._driver = await _playwright()().start()
                self._browser = await self._driver.chromium.launch(
                    executable_path=browser_path(),
                    args=list(SWITCHES),
                    proxy={"server": NOWHERE},
                    chromium_sandbox=os.geteuid() != 0,  # Chromium cannot have one as root
                    handle_sigint=False,
                    handle_sigterm=False,
                    handle_sighup=False,
                )
                self._rendered = 0
                session = await self._browser.new_browser_cdp_session()
                processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
                self.pid = next(int(process["id"]) for process in processes if process["type"] == "browser")
            return self._browser

    async def _end(self) -> None:
        """End the browser at once, whatever state it is in."""
        pid, driver = self.pid, self._driver
        self.pid = self._driver = self._browser = None
        if pid is not None:
            with suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)
        if driver is not None:
            await asyncio.gather(asyncio.wait_for(driver.stop(), CLOSE_S), return_exceptions=True)

    async def close(self) -> None:
        """End the browser."""
        await self._end()


def browser_path() -> str | None:
    """Return where the system has Chromium; None when it has none, and Playwright may have brought its own."""
    return next(filter(None, map(shutil.which, PROGRAMS)), None)


def check_render(mode: str) -> None:
    """Raise MissingExtra when pages are to be rendered and the library for it is not installed."""
    if mode != "off":
        _playwright()


def _playwright() -> Any:
    try:
        from playwright.async_api import async_playwright
    except ImportError as error:
        raise MissingExtra(
            "rendering pages needs Playwright and Chromium: pip install 'thresher[render]', and the package chromium "
            'of your system; or set render = "off"'
        ) from error
    return async_playwright


def _is_html(page: Page) -> bool:
    kind = page.content_type.partition(";")[0].strip().lower()
    return page.status == 200 and bool(page.body) and (not kind or kind in HTML)


def _same(one: str, other: str) -> bool:
    return one.partition("#")[0] == other.partition("#")[0]
