"""The dates that a page tells in its structured data: JSON-LD and <meta> elements."""

import re
from collections.abc import Iterable, Iterator

from thresher.extraction.fields.clues import Clues, describes_page
from thresher.extraction.fields.dates import Habits, Moment, read_date
from thresher.extraction.fields.json_ld import texts_of

PUBLISHED_META = (
    *("article:published_time", "og:article:published_time", "og:published_time", "datepublished", "article:published"),
    *("publishdate", "pubdate", "publish_date", "publication_date", "published_time", "published-date", "pub_date"),
    *("sailthru.date", "parsely-pub-date", "article.published", "published-time", "publish-date", "article:post_date"),
    *("citation_publication_date", "citation_date", "dc.date.issued", "dcterms.issued", "dc.date", "dcterms.date"),
    *("dcterms.created", "dc.created", "dc.date.created", "datecreated", "bytedance:published_time", "og:release_date"),
    *("article:create_at", "article_date_original", "cxenseparse:recs:publishtime", "originalpublicationdate"),
    *("cxenseparse:publishtime", "http://ogp.me/ns/article#published_time", "article:publicationdate", "published_at"),
    *("publicationdate", "publisheddate", "firstpublishedtime", "mediator_published_time", "vr:published_time"),
    *(
        "shareaholic:article_published_time",
        "weibo: article:create_at",
        "weibo:article:create_at",
        "apub:time",
        "og:time",
    ),
    *(
        "prism.publicationdate",
        "citation_online_date",
        "date.created",
        "date.available",
        "firstcreate",
        "published",
        "date",
    ),
)
# What else sites call it: "content:publishDate", "dateOfPublication", "issue_date".
_PUBLISHED_NAME = re.compile(
    r"publi(?:sh|c)[a-z]{0,6}[-_:.]?(?:date|time|day)$|published[-_:.]?(?:at|on)$|date[-_ ]?of[-_ ]?publi|"
    r"pub[-_]?(?:date|day|time)$|(?:issue|creation|upload)[-_]?date$"
)
_NO_PUBLICATION = re.compile(r"last|modif|updat|expir|review")
MODIFIED_META = (
    *("article:modified_time", "og:updated_time", "datemodified", "last-modified", "dcterms.modified", "dateupdate"),
    *("og:article:modified_time", "article:updated_time", "og:modified_time", "http://ogp.me/ns/article#modified_time"),
    *("shareaholic:article_modified_time", "weibo: article:update_at", "weibo:article:update_at", "dc.date.modified"),
    *(
        "date.modified",
        "date.updated",
        "modified-date",
        "modified_time",
        "last-modified-date",
        "lastmodifiedtime",
        "updated",
    ),
)


def told_in_json_ld(clues: Clues, habits: Habits) -> Iterator[Moment]:
    """Yield the dates of publication that JSON-LD tells of the page."""
    for item in clues.items:
        if describes_page(item):
            for name in ("datePublished", "uploadDate", "dateCreated"):
                if name in item:
                    yield from read_all(texts_of(item[name]), habits)


def told_in_meta(clues: Clues, habits: Habits) -> Iterator[Moment]:
    """Yield the dates of publication that <meta> elements tell, those of usual names first."""
    others = (name for name in clues.meta if _PUBLISHED_NAME.search(name) and not _NO_PUBLICATION.search(name))
    names = dict.fromkeys((*PUBLISHED_META, *others))
    yield from read_all((clues.meta[name] for name in names if name in clues.meta), habits)


def modified(clues: Clues, habits: Habits) -> Iterator[Moment]:
    """Yield the dates of the last change that the page tells."""
    for item in clues.items:
        if "dateModified" in item and describes_page(item):
            yield from read_all(texts_of(item["dateModified"]), habits)
    yield from read_all((clues.meta[name] for name in MODIFIED_META if name in clues.meta), habits)


def read_all(texts: Iterable[str], habits: Habits) -> Iterator[Moment]:
    """Yield the dates of those fields of structured data that hold one."""
    for text in texts:
        if moment := read_date(text, habits):
            yield moment
