"""Document → Hit, how it is found again.

    Document ──add──▶ words (title, text and posts, authors)            ┐
                      facts (site, kind, language, dates, length, run)  ├──search──▶ HitPage(hits, total)
    text ──parse──▶ Query: words, phrases, fields, and, or, not         ┘

    Query ──facets──▶ counts by site, language, author and time         Query ──total──▶ how many

A query is read by index/query.py, the same for every backend. It asks for words anywhere in title, text and authors,
or in one of them, and for facts. A word in the title counts more than one in the text. Words of any language are
found: Latin ones whatever their case and accents, Chinese, Japanese and Korean ones anywhere in a sentence, traditional
characters like simplified ones, full-width forms like plain ones. The posts of a thread are found as part of it, and a
query with `is:post` finds posts by themselves: their words, authors, dates and lengths, and all else of their document.
What is known of a document when it is added decides: the index asks nobody, and can always be rebuilt from the store.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Protocol

from thresher.index.query import Query
from thresher.model import Document, Facets, HitPage

TIME_LIMIT_S = 10.0  # of one query

Labels = Mapping[str, Mapping[str, Sequence[str]]]  # facet → value → names of the sources that have it
NO_LABELS: Labels = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Given:
    """A document as the store gives it, to be indexed anew."""

    key: str
    document: Document
    seen_at: datetime
    run: int | None = None


@dataclass(frozen=True, slots=True)
class Waiting:
    """What was added and cannot be found yet."""

    changes: int = 0
    since: datetime | None = None  # when the one that waits the longest was added; None: none waits


class Index(Protocol):
    """Finds documents by the one query language.

    Every call is atomic. Calls come from one thread at a time. No backend's error type leaves an index: what it raises
    is a BackendError, or a UsageError for a query that it holds no data for.
    """

    is_deferred: bool  # what is added is carried over later, and the log says when (`waiting`); False: found at once

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Make documents findable under the key of their URL, replacing earlier versions.

        Adding the same document twice leaves one hit. `seen_at` of the first time stays (it answers `seen:`), `run` is
        that of the last time; the sources of all times stay. Of a very long text the beginning is enough. A document
        without a URL is a UsageError.
        """

    def remove(self, keys: Sequence[str]) -> None:
        """Forget documents; unknown keys are ignored."""

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""

    def damaged(self) -> list[str]:
        """Read every entry; return the URLs of those that cannot be read any more. A search passes over these."""

    def rebuild(self, documents: Iterable[Given]) -> Iterator[int]:
        """Make everything anew from the documents of the store, a batch at a time; yield how many each batch had.

        What could be found before can be found until the last batch is done; then only what is in the store can.
        Interrupted, it does not have to begin again. Others may write meanwhile.
        """

    def search(
        self,
        query: Query,
        *,
        limit: int = 20,
        offset: int = 0,
        sort: str = "relevance",
        after: str | None = None,
        passages: int = 1,
    ) -> HitPage:
        """Find documents, best first ("relevance"), newest first ("date"; undated last) or last seen first ("seen").

        Each hit carries the passages of the text where the words stand closest, and where in them they are: marks are
        (start, end), in order, without overlaps. The total is exact. Equal hits keep their order from page to page.
        A document names the posts in which the words stand; a post that is a hit has no copies.
        Copies of one text (Document.copy_group, or text_hash) are one hit: of those that match the first that was
        published, or seen where no date is known; of several at a time the first that was seen.
        `after` is the `next` of a page with the same order: hits go on behind it, however deep that is.
        A query that takes too long is a UsageError.
        """

    def total(self, query: Query) -> int:
        """Count the hits of a query."""

    def facets(
        self,
        query: Query,
        *,
        limit: int = 10,
        shift_s: int = 0,
        unit: str | None = None,
        labels: Labels = NO_LABELS,
    ) -> Facets:
        """Count the documents that match, copies too, by their most frequent values and by when they were published.

        The unit of time is chosen by the period that they span, unless one is given (histogram.UNITS); `shift_s` is
        how far ahead of UTC the days begin. `labels` are further facets, each with its values and the sources that
        have them: {"channel": {"news": ["bbc", "dw"]}}. A document counts once for each value.
        """

    def known(self, words: Sequence[str]) -> Mapping[str, int]:
        """Count the documents that hold each of some words, given as tokens; words that none holds are missing."""

    def urls(self, query: Query) -> Iterator[str]:
        """The URLs of all documents that match, copies too, in the order they were first added, however many they are.

        Of posts that match they are those of their documents.

        What is added or changed meanwhile may be among them or not.
        """

    def count(self) -> int:
        """How many documents can be found."""

    def waiting(self) -> Waiting:
        """Say what was added and cannot be found yet: nothing, unless the index is deferred."""

    def flush(self) -> None:
        """Wait until what was added can be found; not for a server that is away."""

    def close(self) -> None:
        """Let go of what the index opened itself."""
