"""What a search brings: hits, how many there are, and how they are spread over sites, languages and time."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

Marks = tuple[tuple[int, int], ...]  # where in a text the matches are: start, end


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of a document's text, and where in it the matches are."""

    text: str
    marks: Marks


@dataclass(frozen=True, slots=True)
class FoundPost:
    """A post in which words of the query stand."""

    position: int
    author: str | None
    published: datetime | None
    url: str  # its own, or that of the document


@dataclass(frozen=True, slots=True)
class Hit:
    """One found Document with the passage that matched; or, where posts were asked for, one of its posts.

    A post has its own author and time, its permalink as URL if it has one, "post" as kind and the title of its thread.
    """

    key: str
    url: str
    title: str
    snippet: str  # plain text around the matches
    marks: Marks  # in the snippet
    score: float
    site: str
    kind: str
    language: str | None = None
    published: datetime | None = None
    authors: tuple[str, ...] = ()
    copies: int = 0  # other documents that match and are copies of it; this is the first that was published
    copy_sites: int = 0  # other sites that have a copy, whether it matches or not
    original: str | None = None  # the URL of the first that was published, where it is another that does not match
    seen: datetime | None = None  # when it was first collected
    title_marks: Marks = ()
    passages: tuple[Passage, ...] = ()  # the best ones, in the order of the text, where several were asked for
    posts: tuple[FoundPost, ...] = ()  # of a document the posts with most of the words, in the order of the text
    post_count: int = 0  # posts of the document in which words of the query stand
    document_url: str | None = None  # of a post: the document that it belongs to
    position: int | None = None  # of a post: its number in the document


@dataclass(frozen=True, slots=True)
class Bucket:
    """How many documents have one value."""

    value: str
    count: int


@dataclass(frozen=True, slots=True)
class Histogram:
    """How many documents were published in each hour, day, week, month or year; those with none are left out."""

    unit: str
    buckets: tuple[Bucket, ...]  # by the time each begins, as ISO 8601 has it


@dataclass(frozen=True, slots=True)
class Facets:
    """How the documents that match are spread; copies count like others."""

    counts: Mapping[str, tuple[Bucket, ...]]  # the most frequent sites, sources, languages, authors, kinds, channels …
    dates: Histogram
    undated: int = 0


@dataclass(frozen=True, slots=True)
class ClauseCount:
    """How many documents one part of a query finds by itself or, if it excludes some, takes away from the others."""

    text: str
    count: int
    excludes: bool = False


@dataclass(frozen=True, slots=True)
class HitPage:
    """Some hits, to iterate over, and how many there are in all; copies of one text are one hit."""

    hits: tuple[Hit, ...]
    total: int
    next: str | None = None  # pass it as `after` to go on; None: there are no more
    suggestion: str | None = None  # the query with a misspelt word put right, where nothing was found

    def __iter__(self) -> Iterator[Hit]:
        """Iterate over the hits of this page."""
        return iter(self.hits)

    def __len__(self) -> int:
        """Count the hits of this page."""
        return len(self.hits)
