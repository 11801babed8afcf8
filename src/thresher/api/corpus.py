"""What was collected, to read and to search: `thresher.open()`."""

import os
from collections.abc import Iterable, Iterator
from dataclasses import fields, replace
from datetime import UTC, date, datetime
from itertools import islice
from types import TracebackType
from typing import Any, Literal, Self

from thresher import config, urls, wiring
from thresher.analysis.stories import Story
from thresher.api import trends
from thresher.api.queries import labels, read_query
from thresher.api.stories import up_to_date
from thresher.api.trends import Trends
from thresher.config import Settings
from thresher.crawling.corpus import Corpus as Opened
from thresher.errors import MissingExtra, UsageError
from thresher.export import parquet
from thresher.index import advice, histogram
from thresher.index.fields import address
from thresher.index.query import Query
from thresher.model import ClauseCount, Document, Facets, Hit, HitPage, Post

MAX_REDIRECTS = 10  # followed from a URL to the document that it led to
_SETTINGS = frozenset(field.name for field in fields(Settings))


def open(path: str | os.PathLike[str] | None = None, **settings: Any) -> "Corpus":
    """Open what was collected in a folder, and close it when the `with` block ends.

    The folder is the one that `thresher crawl --data` and `thresher.crawl(data=…)` name; without it, the one of the
    settings file, of THRESHER_DATA, or `thresher-data`. Any setting may be given by name, e.g.
    `store="postgresql://…"`. Raises NothingCollected (a UsageError) where there is no corpus, BackendError where it
    cannot be read, Unreachable where a server does not answer.
    """
    return Corpus(wiring.open_corpus(read_settings(data=path, **settings), create=False))


def read_settings(*, data: str | os.PathLike[str] | None, **settings: Any) -> Settings:
    """Merge settings given by name with those of the environment and of the settings file, as the commands do."""
    unknown = sorted(settings.keys() - _SETTINGS)
    if unknown:
        raise UsageError(f"unknown setting {unknown[0]!r}; `thresher config show` lists them all")
    return config.load({**settings, "data": None if data is None else os.fspath(data)}).settings


class Corpus:
    """An open corpus; use it in a `with` block or call `close()`, and from one thread at a time."""

    def __init__(self, parts: Opened) -> None:
        self._parts = parts

    def documents(self, query: str = "", *, posts: bool = True) -> Iterator[Document]:
        """Iterate over all documents, oldest first, or over those that match a query; however many they are.

        One document is in memory at a time. A thread comes with all its posts; with `posts=False` it comes alone, and
        `posts(url)` gives them one by one.
        """
        if not query.strip():
            return self._parts.store.documents(posts=posts)
        return self._matching(self._parsed(query), posts=posts)

    def __iter__(self) -> Iterator[Document]:
        """Iterate over all documents, as `documents()` does."""
        return self.documents()

    def to_arrow(self, query: str = "", *, posts: bool = True) -> Any:
        """Return all documents, or those that match a query, as a pyarrow.Table: a row each, posts as a list in it.

        It must fit in memory; `documents()` and `thresher export` have no such limit. Needs `thresher[parquet]`.
        """
        return parquet.table_of(self.documents(query, posts=posts))

    def to_pandas(self, query: str = "", *, posts: bool = True) -> Any:
        """Return the same as a pandas.DataFrame; pandas must be installed."""
        table = self.to_arrow(query, posts=posts)
        try:
            return table.to_pandas()
        except ImportError as error:
            raise MissingExtra(f"{error}: pip install pandas") from error

    def get(self, url: str, *, posts: bool = True) -> Document | None:
        """Return the document of a URL; None when there is none.

        A thread is found under the URL of any of its pages; any document under one that redirected to it, under the URL
        that its page calls canonical, and with http:// for https://. A URL without a scheme means https://.
        """
        wanted = urls.canonical(url if "://" in url else f"https://{url}")
        for _ in range(MAX_REDIRECTS):
            document = self._parts.store.document(wanted, posts=posts)
            onward = next((link.url for link in self._parts.store.outlinks(wanted) if link.why == "redirect"), None)
            if document or onward is None:
                return document or self._elsewhere(wanted, posts=posts)
            wanted = onward
        return None

    def posts(self, url: str) -> Iterator[Post]:
        """Iterate over the posts of a thread, given the URL of any of its pages, in order and one at a time."""
        document = self.get(url, posts=False)
        return self._parts.store.posts(document.url) if document and document.url else iter(())

    def search(
        self,
        query: str,
        *,
        limit: int = 10,
        offset: int = 0,
        sort: Literal["relevance", "date", "seen"] = "relevance",
        after: str | None = None,
        passages: int = 1,
    ) -> HitPage:
        """Find documents: best first ("relevance"), newest first ("date") or last collected first ("seen").

        A hit names the posts in which the words stand. With `is:post` in the query hits are posts.

        Iterate over what comes back for the hits; its `total` says how many there are in all, and its `next`, passed
        as `after`, brings the following ones, however many there are. With `passages` above 1, hits have that many of
        their best passages. When nothing is found, `suggestion` may be the query with a misspelt word put right. The
        query language is that of `thresher search`; an empty query finds everything. Raises UsageError for one that
        cannot be read (QueryError says where) or takes too long.
        """
        parsed, index = self._parsed(query), self._parts.index
        page = index.search(parsed, limit=limit, offset=offset, sort=sort, after=after, passages=passages)
        if not page.total and not after:
            return replace(page, suggestion=advice.suggestion(index, parsed))
        return replace(page, hits=self._with_groups(page.hits))

    def facets(self, query: str = "", *, limit: int = 10, unit: str | None = None) -> Facets:
        """Count the documents that match, copies too, by site, source, language, author, kind, channel, tag and time.

        Channels and tags are those that sources have; without any, these facets are missing. Of a query with `is:post`
        posts are counted. Of each, the `limit` most frequent values. The unit of time is chosen by the period that they
        span, unless it is given: hour, day, week, month or year.
        """
        if unit not in (None, *histogram.UNITS):
            raise UsageError(f"unit: takes one of {', '.join(histogram.UNITS)}, not {unit!r}")
        parsed = self._parsed(query)
        return self._parts.index.facets(parsed, limit=limit, unit=unit, labels=labels(self._parts))

    def clauses(self, query: str) -> tuple[ClauseCount, ...]:
        """Count what each part of a query finds by itself or, if it excludes, takes away from what the others find."""
        return advice.clause_counts(self._parts.index, self._parsed(query))

    def count(self, query: str = "") -> int:
        """Count the documents that match a query; without one, all that can be found."""
        return self._parts.index.total(self._parsed(query))

    def copies(self, url: str) -> list[str]:
        """Return the URLs of all documents that say what the one of a URL says, that one too, first published first."""
        return self._parts.store.copies(urls.canonical(url))

    def stories(self, *, since: datetime | None = None, limit: int | None = None) -> list[Story]:
        """Return the stories that two articles or more report, those of most sites first.

        With `since`, only those with a report since then. What has come in since the last time is read first.
        """
        return up_to_date(self._parts.store).stories(since=since)[:limit]

    def story(self, id: str) -> Story | None:
        """Return one story; None when there is none of this id."""
        return up_to_date(self._parts.store).story(id)

    def trends(  # noqa: PLR0913  # a front door: one word for each wish
        self,
        query: str = "",
        *,
        period: str | tuple[int, int] = "week",
        last: date | None = None,
        top: int = 20,
        kinds: Iterable[str] = ("word", "name"),
        language: str | None = None,
        seconds: float | None = None,
        sample: int = 20_000,
    ) -> Trends:
        """Return the words and names that rise: that more documents hold than is usual (analysis/rising.py says how).

        The period is a "day", "week" or "month" (30 days) up to the day `last`, today if it is not given, in UTC; the
        usual is that of the 28 days, four weeks or four months before. Other lengths are given as (days of a period,
        number of periods before it). `kinds` are any of word, name and author.

        Without a query the whole corpus is meant, or one language of it. Its counts are kept, so that a call costs what
        has come since the last one and some tenths of a second; with `seconds`, counting stops after about so many and
        the answer is not `complete`; the next call goes on. With a query (`source:bbc`, `tag:ports`, words …), what it
        finds in these periods is read, of more than `sample` documents every n-th. Documents count by publication date
        and copies once.
        """
        span = _span(period, last)
        if query.strip() or span.days * (span.usual + 1) > trends.KEPT_DAYS:
            asked = f"({query}) " if query.strip() else ""
            asked += f"date:{span.starts[0]}..{span.last} is:original" + (f" lang:{language}" if language else "")
            return trends.counted_trends(
                self._sampled(asked, sample), trends.Reader(self._parts.store), span, top=top, kinds=kinds
            )
        complete = trends.bring_up_to_date(self._parts.store, seconds=seconds)
        found = trends.kept_trends(self._parts.store, span, top=top, kinds=kinds, language=language)
        return replace(found, complete=complete)

    def close(self) -> None:
        """Close the database; nothing can be read afterwards."""
        self._parts.close()

    def __enter__(self) -> Self:
        """Return the corpus itself."""
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        """Close the corpus."""
        self.close()

    def _parsed(self, query: str) -> Query:
        return read_query(self._parts, query, datetime.now(UTC))

    def _matching(self, query: Query, *, posts: bool) -> Iterator[Document]:
        for url in self._parts.index.urls(query):
            document = self._parts.store.document(url, posts=posts)
            if document:
                yield document

    def _sampled(self, query: str, most: int) -> Iterator[Document]:
        """Yield about so many of the documents that match, without their posts: all, or every n-th."""
        parsed = self._parsed(query)
        every = -(-self._parts.index.total(parsed) // most)
        for url in islice(self._parts.index.urls(parsed), 0, None, max(1, every)):
            document = self._parts.store.document(url, posts=False)
            if document:
                yield document

    def _with_groups(self, hits: tuple[Hit, ...]) -> tuple[Hit, ...]:
        """Return hits with where else their copies are, and who published first."""
        groups = self._parts.store.copy_groups([hit.url for hit in hits if not hit.document_url])
        return tuple(
            replace(hit, copy_sites=group.sites - 1, original=group.url if group.url != hit.url else None)
            if not hit.document_url and (group := groups.get(hit.url))
            else hit
            for hit in hits
        )

    def _elsewhere(self, url: str, *, posts: bool) -> Document | None:
        """Look for a document that the index knows under another form of the URL."""
        node = address(url)
        hits = self._parts.index.search(Query(node, url), limit=1).hits if node else ()
        return self._parts.store.document(hits[0].url, posts=posts) if hits else None


def _span(period: str | tuple[int, int], last: date | None) -> trends.Span:
    if isinstance(period, str) and period not in trends.PERIODS:
        raise UsageError(f"period: takes one of {', '.join(trends.PERIODS)}, not {period!r}")
    days, usual = trends.PERIODS[period] if isinstance(period, str) else period
    if days < 1 or usual < 1:
        raise UsageError("period: takes the days of a period and the number of periods before it, from 1 up")
    return trends.Span(last or datetime.now(UTC).date(), days, usual)
