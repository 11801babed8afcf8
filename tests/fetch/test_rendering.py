"""Rendering: empty shells are filled by Chromium, in bounds, and nothing that goes wrong there ends a crawl."""

import asyncio
import json
import os
import signal
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tests.fetch.conftest import Crawl, body_of
from tests.fetch.loopback import Site, answer
from tests.servers import chromium
from thresher.fetch.contract import FetchOptions
from thresher.fetch.guard import Guard
from thresher.fetch.rendering import HELPED, MAX_FAILURES, USELESS, Chromium, Rendering
from thresher.model import Failure, Link, Outcome, Page

NOW = datetime(2026, 3, 4, tzinfo=UTC)
TEXT = "The ferry to the islands was late again, and people stood in the rain for more than an hour. " * 4
SHELL = '<!doctype html><title>Harbour</title><body><div id="root"></div><script src="/app.js"></script></body>'
APP = "fetch('/data').then(r => r.json()).then(d => {document.getElementById('root').innerHTML = `<p>${d.text}</p>`})"
LOST = Failure("render-failed", Outcome.RETRY, "it died")


class FakeBrowser:
    """Answers as it is told, and counts how often it is asked."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked = list(answers), 0

    async def render(self, page: Page) -> Any:
        self.asked += 1
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]

    async def close(self) -> None:
        return


class FakeCrew:
    """Takes a page for a shell that says so."""

    async def shell_of(self, page: Page) -> str:
        return "empty-root" if b"shell" in page.body else ""


def page(body: bytes = b"shell", content_type: str = "text/html") -> Page:
    return Page("https://a.test/", 200, body, NOW, {"content-type": content_type})


def rendering(browser: FakeBrowser, mode: str = "auto") -> Rendering:
    async def permit(url: str) -> bool:
        return True

    made = Rendering(FetchOptions("Thresher/0", render=mode), Guard(), permit, FakeCrew())  # type: ignore[arg-type]
    if mode != "off":
        made._browser = browser  # type: ignore[assignment]
    return made


def shown(made: Rendering, pages: Sequence[Page | Failure], *, same: bool = False) -> list[Any]:
    async def show() -> list[Any]:
        links = [Link(f"https://a.test/{0 if same else number}") for number in range(len(pages))]
        return [await made.shown(link, each) for link, each in zip(links, pages, strict=True)]

    return asyncio.run(show())


FULL = page(b"text")


def test_shells_alone_are_rendered_unless_all_pages_are_to_be() -> None:
    pages: list[Page | Failure] = [
        page(b"plain"),
        page(b"shell"),
        page(b"shell", "application/json"),
        Failure("dns", Outcome.RETRY),
    ]
    browser = FakeBrowser(FULL)
    assert shown(rendering(browser), pages) == [pages[0], FULL, pages[2], pages[3]]
    assert browser.asked == 1
    assert shown(rendering(FakeBrowser(FULL), "always"), pages)[:2] == [FULL, FULL]
    assert shown(rendering(FakeBrowser(FULL), "off"), pages) == pages


def test_a_host_whose_shells_were_filled_has_every_page_rendered() -> None:
    browser = FakeBrowser(FULL)
    made = rendering(browser)
    shown(made, [page()] * HELPED)
    assert shown(made, [page(b"plain")]) == [FULL]
    assert browser.asked == HELPED + 1


def test_a_host_whose_shells_stay_empty_is_left_alone() -> None:
    browser = FakeBrowser(page(b"still a shell"))
    made = rendering(browser)
    assert shown(made, [page()] * (USELESS + 3)) == [page()] * (USELESS + 3)
    assert browser.asked == USELESS


def test_a_page_that_cannot_be_shown_stays_as_it_came() -> None:
    assert shown(rendering(FakeBrowser(None)), [page()]) == [page()]


def test_a_browser_that_dies_costs_one_attempt_and_then_the_page_is_taken_as_it_is() -> None:
    assert shown(rendering(FakeBrowser(LOST)), [page()] * 3, same=True) == [LOST, page(), page()]


def test_a_browser_that_always_dies_is_given_up() -> None:
    browser = FakeBrowser(LOST)
    answers = shown(rendering(browser), [page()] * (MAX_FAILURES + 5))
    assert answers[:MAX_FAILURES] == [LOST] * MAX_FAILURES
    assert answers[MAX_FAILURES:] == [page()] * 5
    assert browser.asked == MAX_FAILURES + 1


def app(data: str = TEXT, script: str = APP, **routes: bytes) -> Site:
    fixed = {
        "/": answer(SHELL.encode()),
        "/app.js": answer(script.encode(), content_type="text/javascript"),
        "/data": answer(json.dumps({"text": data}).encode(), content_type="application/json"),
    }
    return Site(fixed | routes)


OPTIONS: dict[str, Any] = {"render": "auto", "allowed_addresses": ["127.0.0.1"]}


def test_what_a_script_puts_into_a_page_is_delivered(crawl: Crawl) -> None:
    chromium()
    with app() as site:
        told = crawl(f"{site.origin}/", options=OPTIONS).of(f"{site.origin}/")
        assert told["rendered"]
        assert TEXT.strip().encode() in body_of(told)
        assert {"/", "/app.js", "/data"} <= set(site.paths())


def test_a_page_that_has_text_is_not_opened_in_the_browser(crawl: Crawl) -> None:
    with app() as site:
        site.routes["/"] = answer(f'<body><div id="root"><p>{TEXT}</p></div><script src="/app.js"></script>'.encode())
        told = crawl(f"{site.origin}/", options=OPTIONS).of(f"{site.origin}/")
        assert not told["rendered"]
        assert site.paths() == ["/"]


def test_nothing_that_a_page_asks_for_reaches_a_refused_address(crawl: Crawl) -> None:
    chromium()
    with Site({}, address="127.0.0.9", otherwise=lambda _: answer(b"secret")) as inside:
        wanted = [f"http://{host}:{inside.port}/x" for host in ("127.0.0.9", "inside.test", "0x7f000009", "2130706441")]
        tries = "".join(
            f"fetch('{url}', {{mode: 'no-cors'}}).catch(() => 0); new WebSocket('{url.replace('http', 'ws')}');"
            f"document.body.append(Object.assign(new Image(), {{src: '{url}'}}));"
            f"document.body.append(Object.assign(document.createElement('iframe'), {{src: '{url}'}}));"
            f"navigator.sendBeacon('{url}');"
            for url in wanted
        )
        with app(script=f"{tries} fetch('file:///etc/hostname').catch(() => 0); {APP}") as site:
            url, hosts = f"{site.origin}/", {"inside.test": ["127.0.0.9"]}
            assert crawl(url, hosts=hosts, options=OPTIONS).of(url)["rendered"]
            assert inside.connections == 0
            wider = OPTIONS | {"allowed_addresses": ["127.0.0.0/8"]}
            assert crawl(url, hosts=hosts, options=wider).of(url)["rendered"]
            assert set(inside.paths()) == {"/x"}  # what was tried does arrive where it may


def test_what_robots_txt_forbids_is_not_asked_for_by_a_page_either(crawl: Crawl) -> None:
    chromium()
    with app() as site:
        rules = {"status": 200, "body": "User-agent: *\nDisallow: /data\n", "fetched_at": datetime.now(UTC).isoformat()}
        options = OPTIONS | {"obey_robots": True}
        told = crawl(f"{site.origin}/", options=options, robots=[{"origin": site.origin, **rules}])
        assert not told.of(f"{site.origin}/")["rendered"]
        assert site.paths() == ["/", "/", "/app.js"]


def test_a_script_that_never_ends_costs_its_page_alone(crawl: Crawl) -> None:
    chromium()
    with app(script="for (;;) {}") as busy, app() as site:
        told = crawl(
            f"{busy.origin}/", f"{site.origin}/", options=OPTIONS | {"render_timeout_s": 3.0, "render_pages": 1}
        )
        assert told.of(f"{site.origin}/")["rendered"]
        assert not told.of(f"{busy.origin}/").get("rendered")


def test_a_browser_that_was_killed_is_started_again() -> None:
    chromium()

    async def permit(url: str) -> bool:
        return True

    async def render() -> list[Page | Failure | None]:
        options = FetchOptions("Thresher/0", render="auto", allowed_addresses=("127.0.0.1",))
        browser = Chromium(options, Guard(options.allowed_addresses), permit)
        found = [await browser.render(shell)]
        assert browser.pid
        os.kill(browser.pid, signal.SIGKILL)
        found += [await browser.render(shell) for _ in range(2)]
        pid = browser.pid
        await browser.close()
        assert pid
        assert not Path(f"/proc/{pid}/exe").exists()
        return found

    with app() as site:
        shell = replace(page(), url=f"{site.origin}/")
        first, second, third = asyncio.run(render())
    assert isinstance(first, Page)
    assert isinstance(second, Page) or (second is not None and second.reason == "render-failed")
    assert isinstance(third, Page)


def test_what_goes_over_the_limit_is_not_taken(crawl: Crawl) -> None:
    chromium()
    with app(data="x" * 300_000) as site:
        told = crawl(f"{site.origin}/", options=OPTIONS | {"max_body_bytes": 100_000}).of(f"{site.origin}/")
        assert not told["rendered"]
        assert body_of(told) == SHELL.encode()
