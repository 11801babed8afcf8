"""Reference: what a page, feed or sitemap points to, before it is judged; and how HTML spells it."""

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from hashlib import blake2b
from typing import NamedTuple

from lxml import etree

FEED_TYPES = ("application/rss+xml", "application/atom+xml", "application/feed+json", "application/rdf+xml")
# "ugc" alone says who wrote a link, not that it should be left; the other two ask not to follow.
UNFOLLOWED = frozenset({"nofollow", "sponsored"})
_NEXT_LATIN = "next,next page,next ›,next »,next >,older,older posts,older entries,« older posts,← older posts,›,»,>,>>"
_NEXT_OTHERS = ",下一页,下一页>,下一页>>,下一頁,下页,次へ,次のページ,다음,suivant,weiter,siguiente"
NEXT_WORDS = frozenset((_NEXT_LATIN + _NEXT_OTHERS).split(","))
MAX_TIME_CHARS = 60
MARK_BYTES = 6
MIN_DATED = 3  # links of a list that have a date, for the date of the list to be known
MAX_TITLE_END = 40  # characters of a feed's title that are read: what it is about stands before
_COMMENTS = re.compile(
    r"\bcomments?\b|\bkommentare?\b|commentaires|comentarios|comentários|комментари|评论|評論|コメント|댓글", re.I
)
_MARKUP = re.compile(r"<[^<>]{0,2000}>")
_FIRST_PAGE = re.compile(r"([^?#]+)\?page=1")
_TAGS = ("a", "area", "link", "frame", "meta")
_REFRESH = re.compile(r"\s*[0-9.]*\s*[;,]\s*(?:url\s*=\s*)?[\"']?([^\"']+)", re.IGNORECASE)


class Reference(NamedTuple):
    """A target as it is spelled, why it may be wanted, and why not."""

    href: str
    why: str = "page"  # page, next, feed, comments, sitemap
    refusal: str | None = None
    base: str | None = None  # when it is not the document's
    date: float | None = None  # the latest time that the document tells of it, in seconds since 1970
    mark: str = ""  # of what the document says of it (see mark_of)


def time_of(text: str | None) -> float | None:
    """Read a time as feeds and sitemaps write it (RFC 822 or ISO 8601), in seconds since 1970; None when it is none."""
    told = (text or "").strip()[:MAX_TIME_CHARS]
    if not told:
        return None
    try:
        at = datetime.fromisoformat(told)
    except ValueError:
        try:
            at = parsedate_to_datetime(told)
        except (ValueError, TypeError, IndexError, OverflowError):  # it raises any of them
            return None
    try:
        return (at if at.tzinfo else at.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError):
        return None


def mark_of(texts: Iterable[str]) -> str:
    """Return a short mark of what a feed says of an entry, another one where that changes; markup does not count."""
    said = " ".join(_MARKUP.sub(" ", text) for text in texts).split()
    return blake2b(" ".join(said).encode("utf-8", "surrogatepass"), digest_size=MARK_BYTES).hexdigest() if said else ""


def newest_of(times: Iterable[float | None], *, least: int = MIN_DATED) -> float | None:
    """Return the latest of the times that are known; None where there are too few of them to tell."""
    known = [at for at in times if at is not None]
    return max(known) if len(known) >= least else None


def html_references(root: etree._Element) -> Iterator[Reference]:
    """Yield what a page links to in document order: anchors, areas, frames, refreshes, feeds, next and previous pages.

    Left alone: iframes (advertisements and widgets, mostly) and rel=canonical (a claim, not a link).
    """
    for element in root.iter(*_TAGS):
        reference = _READERS[str(element.tag)](element)
        if reference is not None and reference.href:
            yield reference


def _anchor(element: etree._Element) -> Reference | None:
    href = element.get("href")
    if not href or href[0] == "#":
        return None
    rel: Sequence[str] = ()
    if told := element.get("rel"):
        rel = told.lower().split()
        if not UNFOLLOWED.isdisjoint(rel):
            return Reference(href, "page", "nofollow")
    if element.get("download") is not None:
        return Reference(href, "page", "not-a-page")
    text = element.text
    if (
        text and text.strip() == "1" and (first := _FIRST_PAGE.fullmatch(href))
    ):  # of a list or thread that has it without a number, too
        return Reference(first[1])
    is_next = "next" in rel or "prev" in rel or (text is not None and text.strip().lower() in NEXT_WORDS)
    return Reference(href, "next" if is_next else "page")


def _link(element: etree._Element) -> Reference | None:
    rel = (element.get("rel") or "").lower().split()
    href = element.get("href") or ""
    if "alternate" in rel and (element.get("type") or "").partition(";")[0].strip().lower() in FEED_TYPES:
        is_of_comments = _COMMENTS.search(href) or _COMMENTS.search((element.get("title") or "")[-MAX_TITLE_END:])
        return Reference(href, "comments" if is_of_comments else "feed")
    return Reference(href, "next") if "next" in rel or "prev" in rel else None


def _frame(element: etree._Element) -> Reference | None:
    return Reference(element.get("src") or "")


def _refresh(element: etree._Element) -> Reference | None:
    if (element.get("http-equiv") or "").strip().lower() != "refresh":
        return None
    target = _REFRESH.match(element.get("content") or "")
    return Reference(target[1].strip()) if target else None


_READERS = {"a": _anchor, "area": _anchor, "link": _link, "frame": _frame, "meta": _refresh}
