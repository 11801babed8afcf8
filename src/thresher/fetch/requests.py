"""Requests: what each one carries, to whom, and which way it goes.

Every request is made here, robots.txt and each hop of a redirect included, from its own URL alone: what is meant for
one host cannot travel to another. Behind a proxy it is the proxy that looks up names, and our guard never sees the
address; then we refuse what the URL itself gives away: addresses that are not public, `localhost`, and the proxy.
"""

import base64
from collections.abc import Mapping
from datetime import UTC, datetime
from urllib.parse import unquote, urlsplit

from scrapy import Request

from thresher.fetch.contract import FetchOptions
from thresher.fetch.guard import Guard
from thresher.model import Failure, Outcome

ACCEPT = "text/html,application/xhtml+xml,application/xml;q=0.9,application/rss+xml,application/atom+xml,*/*;q=0.1"
ENCODINGS = "gzip, deflate, br, zstd"
LOCAL_NAMES = ("localhost", "localdomain", "local", "internal")  # last labels that lead to the proxy's own network


class Requests:
    """Makes the requests of one crawl."""

    def __init__(self, options: FetchOptions, guard: Guard) -> None:
        self._options = options
        self.guard = guard
        self._headers = {
            "User-Agent": options.user_agent,
            "Accept": ACCEPT,
            "Accept-Language": options.accept_language,
            "Accept-Encoding": ENCODINGS,
        }
        self._proxy = urlsplit(options.proxy)
        self._proxy_headers = _proxy_login(options.proxy)

    @property
    def proxy_host(self) -> str:
        """The host of the proxy; empty when there is none."""
        return self._proxy.hostname or ""

    def make(self, url: str, why: str, conditions: Mapping[str, str]) -> Request:
        """Return a request for a canonical URL."""
        own = self._options.credentials.headers_for(url, datetime.now(UTC))
        meta = {"why": why, "download_timeout": self._options.timeout_s}
        if self.proxy_host:
            own |= self._proxy_headers  # Scrapy gives them to the proxy only
            meta["proxy"] = f"http://{self._proxy.netloc.rpartition('@')[2]}"
        return Request(url, headers=self._headers | dict(conditions) | own, meta=meta)

    def refusal_of(self, url: str) -> Failure | None:
        """Say why a canonical URL must not be asked for, as far as it can be told from the URL; None when it may be."""
        try:
            host = urlsplit(url).hostname or ""
        except ValueError as error:  # it is not canonical: nobody checked it
            return Failure("bad-url", Outcome.DONE, str(error))
        port = self.guard.refused_port(url)
        if port is not None:
            return Failure("port-refused", Outcome.DONE, f"port {port}")
        if self.proxy_host and self._leads_inside(host):
            return Failure("address-refused", Outcome.DONE, f"not public: {host}")
        return None

    def _leads_inside(self, host: str) -> bool:
        last = host.rpartition(".")[2]
        if ":" in host or last.isdigit() or last.startswith("0x"):  # an address, or what a resolver takes for one
            return not self.guard.admits(host)
        return last in LOCAL_NAMES or host == self.proxy_host


def _proxy_login(proxy: str) -> dict[str, str]:
    parts = urlsplit(proxy)
    if parts.username is None:
        return {}
    login = f"{unquote(parts.username)}:{unquote(parts.password or '')}"
    return {"Proxy-Authorization": f"Basic {base64.b64encode(login.encode()).decode()}"}
