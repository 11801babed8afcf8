"""The application in this process, and browsers that ask it: requests go through ASGI, without a socket."""

import asyncio
import re
import threading
import time
from collections.abc import Awaitable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

import httpx
from starlette.applications import Starlette

from thresher.catalog.accounts import Role, Scope
from thresher.config import Settings
from thresher.web.app import create_app
from thresher.web.site import Site, WebOptions

PASSWORD = "correct horse battery"
ORIGIN = "http://localhost"
CHEAP = WebOptions(password_cost=1, setup_token="set-me-up", reader_threads=2)
T = TypeVar("T")


class Served:
    """A running application; its event loop has a thread of its own."""

    def __init__(self, app: Starlette, loop: asyncio.AbstractEventLoop) -> None:
        self.app = app
        self._loop = loop

    @property
    def site(self) -> Site:
        """What its handlers reach."""
        site: Site = self.app.state.site
        return site

    def do(self, work: Awaitable[T]) -> T:
        """Wait for something that the application does."""

        async def done() -> T:
            return await work

        return asyncio.run_coroutine_threadsafe(done(), self._loop).result(120)

    def browser(self, user: str | None = None, *, address: str = "127.0.0.1", base: str = ORIGIN) -> "Browser":
        """Return a browser; with a user, one that is logged in."""
        browser = Browser(self, address, base)
        if user:
            browser.log_in(user)
        return browser

    def program(self, user: str, scope: Scope) -> "Browser":
        """Return a client that sends a new token of a user."""
        number = len(self.do(self.site.corpora.accounts(lambda accounts: accounts.tokens(user))))
        token = self.do(self.site.gate.make_token(user, f"token-{number}", scope))
        client = self.browser()
        client.headers["authorization"] = f"Bearer {token}"
        return client


class Browser:
    """As much of a browser as tests need: cookies, forms and headers."""

    def __init__(self, served: Served, address: str, base: str) -> None:
        transport = httpx.ASGITransport(app=served.app, client=(address, 40_000), raise_app_exceptions=False)
        self._served = served
        self._client = httpx.AsyncClient(transport=transport, base_url=base, timeout=120)
        self.headers = self._client.headers
        self.cookies = self._client.cookies

    def get(self, path: str, **kwargs: Any) -> httpx.Response:
        """Ask for a page."""
        return self._served.do(self._client.get(path, **kwargs))

    def request(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        """Send any request, without a CSRF token of its own."""
        return self._served.do(self._client.request(method, path, **kwargs))

    def settled(self, method: str, path: str, **kwargs: Any) -> httpx.Response:
        """Send a request again until what is counted beside the server is there."""
        while True:
            answer = self.request(method, path, **kwargs)
            if answer.status_code != 503 or "being worked out" not in answer.text:
                return answer
            time.sleep(0.05)

    def post(self, path: str, form: dict[str, Any] | None = None, **kwargs: Any) -> httpx.Response:
        """Send a form as a page of ours would: with its CSRF token."""
        data = {"csrf": self.csrf(), **(form or {})}
        return self.request("POST", path, data=data, headers={"origin": str(self._client.base_url)}, **kwargs)

    def csrf(self) -> str:
        """Return the CSRF token that pages show to this browser."""
        found = re.search(r'name="csrf" value="([0-9a-f]+)"', self.get("/login").text)
        assert found
        return found[1]

    def log_in(self, user: str, password: str = PASSWORD) -> httpx.Response:
        """Log in with the form."""
        return self.post("/login", {"name": user, "password": password})


@contextmanager
def serving(settings: Settings, options: WebOptions = CHEAP, *, users: bool = True) -> Iterator[Served]:
    """Give the application while it runs; with users: one of each role, named like it."""
    app = create_app(settings, options=options)
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    served = Served(app, loop)
    lifespan = app.router.lifespan_context(app)
    served.do(lifespan.__aenter__())
    try:
        for role in Role if users else ():
            served.do(served.site.gate.create(str(role), PASSWORD, role))
        yield served
    finally:
        served.do(lifespan.__aexit__(None, None, None))
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
