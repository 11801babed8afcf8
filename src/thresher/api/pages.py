"""The document of one page, given or fetched: `thresher.extract()`."""

import base64
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from thresher.api.process import Child
from thresher.errors import UsageError
from thresher.extraction import extractor
from thresher.extraction.contract import Favour, Pages
from thresher.extraction.discussion import Posts
from thresher.extraction.memory import SiteMemory
from thresher.model import Document


def extract(  # noqa: PLR0913  # the front door: one word for each wish
    html: str | bytes | None = None,
    url: str | None = None,
    *,
    fetch: bool | Mapping[str, Any] = False,
    content_type: str | None = None,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
    memory: SiteMemory | None = None,
    posts: Posts = "threads",
    pages: Pages = "articles",
    images: bool = False,
) -> Document:
    """Return the article or thread of a page, or what else the page turns out to be; raise only a ThresherError.

    Bytes are decoded by content_type, BOM, meta and content. `fetched_at` is the clock: no date is later, and "2 hours
    ago" counts from it; a naive one is taken as UTC. `algorithm` names a published method, `model` the file it was
    trained to, `memory` is what other pages of the site showed, for our own method. `posts` says which posts are read:
    those of threads, the comments under articles too, always or never. `pages` says which have a main content: articles
    and threads, or any: documentation, products, services and lists too. `images` are looked for on wish. Raises
    UsageError for an unknown algorithm, favour, kind of posts or of pages, NotHtml for binary input and PageTooLarge.

    `extract("https://…", fetch=True)` fetches the page: robots.txt is obeyed, only public addresses are asked, and
    redirects are followed. Settings may be given instead of True, e.g. `fetch={"timeout_s": 5}`. It takes a process of
    its own for about a second, so for many pages `thresher.crawl` is the better way. Raises NotPermitted for what may
    not be fetched, Unreachable for a server that does not answer, ThresherError for one that answers with an error.
    """
    how: dict[str, Any] = {"algorithm": algorithm, "model": model, "favour": favour, "memory": memory}
    how |= {"posts": posts, "pages": pages, "images": images}
    if fetch is not False:
        page = _fetched(html, url, {} if fetch is True else dict(fetch))
        clock = fetched_at or datetime.fromisoformat(page["fetched_at"])
        body = base64.b64decode(page["body"])
        return extractor.extract(body, page["url"], content_type=page["content_type"], fetched_at=clock, **how)
    if not isinstance(html, str | bytes):
        raise UsageError(f"a page is str or bytes, not {type(html).__name__}; for its URL alone, add fetch=True")
    return extractor.extract(html, url, content_type=content_type, fetched_at=fetched_at, **how)


def _fetched(html: str | bytes | None, url: str | None, settings: dict[str, Any]) -> dict[str, Any]:
    """Fetch the page whose URL was given, as the first or the second argument."""
    wanted = html if url is None else url
    if not isinstance(wanted, str) or (html is not None and url is not None):
        raise UsageError("fetch= takes a URL and no page: thresher.extract('https://…', fetch=True)")
    child = Child({"errand": "fetch", "url": wanted, "settings": settings})
    try:
        (message,) = child.messages()
    finally:
        child.end()
    page: dict[str, Any] = message["page"]
    return page
