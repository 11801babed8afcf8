"""Pages that somebody hands in or names: fetched in a process of their own, read in others with limits.

URL ──▶ a child process fetches it, past the address guard and robots.txt ──▶ bytes
bytes ──▶ a pool process parses and extracts them; one that hangs or eats memory is killed ──▶ document
"""

import asyncio
import base64
import json
from collections.abc import Mapping
from dataclasses import fields
from datetime import UTC, datetime
from typing import Any

from thresher.api.process import Child
from thresher.config import Settings
from thresher.crawling import harvest
from thresher.crawling.judge import readable
from thresher.crawling.landing import Harvest, harvest_from_bytes
from thresher.crawling.pool import PageKilled, Pool
from thresher.crawling.probing import probe_facts
from thresher.errors import ExtractionError, ThresherError
from thresher.extraction import extractor
from thresher.model import Link, Page
from thresher.web.problems import Refused

FETCH_LIMIT_S = 90.0  # for a page with its robots.txt and redirects
SURVEY_LIMIT_S = 180.0  # for an address with its feeds and samples
READERS = 2  # processes
FETCHES = 4  # child processes at the same time
OF_FETCHING = (
    *("contact", "delay_s", "timeout_s", "max_body_bytes", "allowed_addresses", "strict_addresses"),
    *("allowed_ports", "proxy", "headers", "logins", "cookies"),
)


def answer(encoded: bytes) -> bytes:
    """Extract a document from a page, or harvest it; runs in a pool process."""
    head, body = encoded.split(b"\n", 1)
    told = json.loads(head)
    if "extract" not in told:
        return harvest.answer(encoded)
    how: dict[str, Any] = told["extract"]
    clock = datetime.fromisoformat(how.pop("fetched_at"))
    try:
        document = extractor.extract(body, how.pop("url"), fetched_at=clock, **how)
    except ThresherError as error:
        return json.dumps({"error": str(error)}).encode()
    return json.dumps({"document": document.to_dict() | {"markdown": document.markdown()}}).encode()


class Readings:
    """Reads pages for the API; its processes start when they are first needed."""

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._pool: Pool | None = None
        self._fetching = asyncio.Semaphore(FETCHES)

    async def extract(self, html: str | bytes, url: str | None, how: Mapping[str, Any]) -> dict[str, Any]:
        """Return the document of a page as JSON data; raise ThresherError for one that cannot be read."""
        body = html.encode("utf-8", "replace") if isinstance(html, str) else html
        kind = "text/html; charset=utf-8" if isinstance(html, str) else how.get("content_type")
        clock = datetime.now(UTC).isoformat()
        told = {"extract": {"fetched_at": clock, **how, "url": url, "content_type": kind}}
        found = json.loads(await self._ask(json.dumps(told).encode() + b"\n" + body))
        if "error" in found:
            raise ExtractionError(found["error"])
        document: dict[str, Any] = found["document"]
        return document

    async def extract_url(self, url: str, how: Mapping[str, Any]) -> dict[str, Any]:
        """Fetch a page and return its document; raise as `thresher.extract` does."""
        page = await self.fetch(url)
        clock = page.fetched_at.isoformat()
        return await self.extract(
            page.body, page.url, {**how, "content_type": page.content_type or None, "fetched_at": clock}
        )

    async def probe(self, url: str) -> dict[str, Any]:
        """Return what a crawl would do with a URL."""
        page = await self.fetch(url)
        found = Harvest("none", fault="not-html")
        if readable(page):
            found = harvest_from_bytes(await self._ask(harvest.request(page, Link(page.url), None)))
        return probe_facts(page, found, require_date=self._settings.require_date)

    async def fetch(self, url: str) -> Page:
        """Fetch a page as a crawl would; raise NotPermitted, Unreachable or another ThresherError."""
        (message,) = await self.errand({"errand": "fetch", "url": url}, FETCH_LIMIT_S)
        told = message["page"]
        clock = datetime.fromisoformat(told["fetched_at"])
        body = base64.b64decode(told["body"])
        return Page(told["url"], told["status"], body, clock, told["headers"], crawl_delay_s=told["crawl_delay_s"])

    async def errand(self, request: Mapping[str, Any], limit_s: float) -> list[dict[str, Any]]:
        """Let a child process fetch something, and return all that it tells; raise the ThresherError it ends with."""
        if self._fetching.locked():
            raise Refused(429, "enough pages are being fetched; ask again in a moment", headers={"retry-after": "5"})
        async with self._fetching:
            child = await asyncio.to_thread(Child, {**request, "settings": self._of_fetching()})
            telling = asyncio.create_task(asyncio.to_thread(lambda: list(child.messages())))
            try:
                return await asyncio.wait_for(asyncio.shield(telling), limit_s)
            except TimeoutError:
                raise Refused(503, f"this took longer than {limit_s:g} s and was given up") from None
            finally:
                if not telling.done():
                    await asyncio.to_thread(child.end)

    def close(self) -> None:
        """End the processes."""
        if self._pool:
            self._pool.close()

    async def _ask(self, request: bytes) -> bytes:
        if self._pool is None:
            timeout_s, memory_bytes = self._settings.extract_timeout_s, self._settings.extract_memory_bytes
            self._pool = Pool(answer, READERS, timeout_s=timeout_s, memory_bytes=memory_bytes)
        try:
            return await self._pool.ask(request)
        except PageKilled as error:
            raise ExtractionError(
                f"this page could not be read within the limits of time and memory: {error}"
            ) from error

    def _of_fetching(self) -> dict[str, Any]:
        chosen = {item.name: getattr(self._settings, item.name) for item in fields(Settings)}
        return {name: value for name, value in chosen.items() if name in OF_FETCHING}
