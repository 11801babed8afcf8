"""Entry: what the embedded index keeps of one document."""

import json
import zlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from thresher import urls
from thresher.errors import UsageError
from thresher.model import Document, Kind, Post
from thresher.model.codec import storable

MAX_TEXT_CHARS = 1_000_000  # of a document's text that can be found
MAX_NAME_CHARS = 1_000  # of the author of a post
MAX_ID_CHARS = 100  # of a post


@dataclass(frozen=True, slots=True)
class PostEntry:
    """A post as a row; its text stands at `start` to `stop` in that of its document."""

    name: str  # what it is told from other posts of the document by
    position: int
    start: int
    stop: int
    author: str
    published: str | None
    published_at: float | None
    permalink: str | None


@dataclass(frozen=True, slots=True)
class Entry:
    """A document as rows: what is filtered by, and the three texts whose words are searched."""

    key: str
    title: str
    text: str
    names: str  # of the authors, those of posts included
    facts: Mapping[str, str | float | int | None]
    sources: tuple[str, ...] = ()
    posts: tuple[PostEntry, ...] = ()

    @property
    def authors(self) -> tuple[str, ...]:
        """The authors of the document, without those of its posts."""
        return tuple(json.loads(str(self.facts["authors"])))

    @property
    def language(self) -> str | None:
        """The language of the text, whose words have stems."""
        code = self.facts["language"]
        return code if isinstance(code, str) else None


def entry_of(document: Document, seen_at: datetime, run: int | None) -> Entry:
    """Return the rows of a document; raise UsageError when it has no URL to be found under."""
    if not document.url:
        raise UsageError(f"a document without a URL cannot be indexed: {document.title[:80]!r}")
    title = storable(document.title)[:MAX_TEXT_CHARS]
    whole, places = searchable(document)
    text = whole[:MAX_TEXT_CHARS]
    names = [*document.authors, *(post.author for post in document.posts if post.author)]
    host = urls.host_of(document.url)
    facts = {
        "url": storable(document.url),
        "url_folded": storable(document.url).lower(),
        "canonical_key": _canonical_key(document),
        "host": host,
        "domain": reversed_domain(host),
        "site": storable(document.site or urls.site_of(document.url)),
        "kind": document.kind.value,
        "language": storable(document.language).lower() if document.language else None,
        "title": title,
        "authors": storable(json.dumps(document.authors, ensure_ascii=False)),
        "published": document.published.isoformat() if document.published else None,
        "published_at": epoch_s(document.published) if document.published else None,
        "seen_at": epoch_s(seen_at),
        "run": run,
        "length": len(text),
        "text_hash": document.copy_group or document.text_hash,
    }
    all_names = storable("\n".join(dict.fromkeys(names)))[:MAX_TEXT_CHARS]
    posts = tuple(_posts(document.posts, places, len(text)))
    return Entry(urls.key_of(document.url), title, text, all_names, facts, document.sources, posts)


def searchable(document: Document) -> tuple[str, list[int]]:
    """Return the text that is searched, and where in it each post begins.

    Of a thread it is its posts, else the main text and the posts that are not in it.
    """
    main = "" if document.kind is Kind.THREAD and document.posts else storable(document.text).strip()
    pieces, places, length = [main] if main else [], [], len(main)
    for post in document.posts:
        text = storable(post.text).strip()
        place = main.find(text)
        if place < 0 or not main:
            place = length + bool(pieces)
            pieces.append(text)
            length = place + len(text)
        places.append(place)
    return "\n".join(pieces), places


def _posts(posts: Sequence[Post], places: Sequence[int], end: int) -> Iterator[PostEntry]:
    """Yield the posts that stand before the end of what can be found, each under a name of its own."""
    taken: set[str] = set()
    for number, (post, start) in enumerate(zip(posts, places, strict=True)):
        stop = min(start + len(storable(post.text).strip()), end)
        name = storable(post.id or "")[:MAX_ID_CHARS]
        if not name or name in taken:
            name = f"#{number}"
        if start < stop and name not in taken:
            taken.add(name)
            published = post.published
            yield PostEntry(
                name,
                post.position,
                start,
                stop,
                storable(post.author or "")[:MAX_NAME_CHARS],
                published.isoformat() if published else None,
                epoch_s(published) if published else None,
                storable(post.permalink) if post.permalink else None,
            )


def reversed_domain(host: str) -> str:
    """Return "com.example.www." for www.example.com:8080, so that a site and its subdomains share a beginning."""
    name = host.rpartition("]")[0] or host.partition(":")[0]
    return ".".join(reversed(name.split("."))) + "."


def epoch_s(moment: datetime) -> float:
    """Return seconds since 1970; a time without a zone is taken as UTC."""
    return (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp()


def packed(text: str) -> bytes:
    """Return a text compressed."""
    return zlib.compress(text.encode("utf-8"), 4)


def unpacked(data: bytes) -> str:
    """Return the text that was packed."""
    return zlib.decompress(data).decode("utf-8")


def _canonical_key(document: Document) -> str | None:
    if not document.canonical_url or document.canonical_url == document.url:
        return None
    try:
        return urls.key_of(urls.canonical(document.canonical_url))
    except UsageError:  # a page may say anything
        return None
