"""SampleWeb: three sites of any size from one seed, each page made when it is asked for."""

from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from dataclasses import replace
from datetime import datetime
from typing import Any
from urllib.parse import urlsplit

from thresher.errors import UsageError
from thresher.sample.answer import Answer, missing
from thresher.sample.expected import ExpectedUrls, expected_urls
from thresher.sample.forum_site import forum_answer
from thresher.sample.plan import REFERENCE, Origins, Plan, origins_at
from thresher.sample.sites import blog_answer, news_answer
from thresher.sample.truth import Truth, truths

_DEFAULT_PORT = 8600
_SMALLEST, _LARGEST = 10, 100_000


class SampleWeb:
    """A news site, a blog and a forum; `pages` counts their articles and threads."""

    def __init__(
        self,
        pages: int = 60,
        seed: int = 1,
        crawl_delay_s: float | None = 0.2,
        *,
        slow_s: float = 1.0,
        reference: datetime = REFERENCE,
        origins: Origins | None = None,
    ) -> None:
        """Plan a web; raise UsageError for a size outside 10 to 100,000 or a reference without a time zone."""
        if not _SMALLEST <= pages <= _LARGEST:
            raise UsageError(f"a sample web has {_SMALLEST} to {_LARGEST:,} pages, not {pages:,}")
        if reference.tzinfo is None:
            raise UsageError("the reference date of a sample web needs a time zone")
        self.plan = Plan(pages, seed, crawl_delay_s, slow_s, reference, origins or origins_at(_DEFAULT_PORT))

    @property
    def origins(self) -> Origins:
        """Where the three sites are."""
        return self.plan.origins

    @property
    def starts(self) -> tuple[str, ...]:
        """The front pages of the three sites."""
        return tuple(f"{origin}/" for origin in self.plan.origins)

    def at(self, origins: Origins) -> "SampleWeb":
        """Return the same web at other addresses."""
        return self._changed(origins=origins)

    def grown(self, added: Mapping[int, int], edited: Iterable[tuple[int, int]] = ()) -> "SampleWeb":
        """Return the web as it is after more posts: `added` by thread; `edited` are (thread, position)."""
        plan = self.plan
        return self._changed(added=(*plan.added, *added.items()), edited=(*plan.edited, *edited))

    def _changed(self, **values: Any) -> "SampleWeb":
        other = copy(self)
        other.plan = replace(self.plan, **values)
        return other

    def answer(self, url: str) -> Answer:
        """Return what the web replies to a request for a URL; a 404 for addresses that it does not have."""
        parts = urlsplit(url)
        plan, origin, path = self.plan, f"{parts.scheme}://{parts.netloc}", parts.path or "/"
        if origin == plan.origins.news:
            found = news_answer(plan, path)
        elif origin == plan.origins.blog:
            found = blog_answer(plan, path, parts.query)
        elif origin == plan.origins.forum:
            found = forum_answer(plan, path, parts.query)
        else:
            found = None
        return found or missing()

    def truth(self) -> Iterator[Truth]:
        """Yield what is true of every article and thread."""
        return truths(self.plan)

    def expected_urls(self) -> ExpectedUrls:
        """Return the addresses of the web by what they are."""
        return expected_urls(self.plan)
