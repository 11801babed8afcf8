"""RSS 2.0: hits as a feed that any reader follows."""

import re
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from email.utils import format_datetime
from xml.sax.saxutils import escape

from thresher.model import Hit

_NOT_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
TYPE = "application/rss+xml; charset=utf-8"


def feed(title: str, link: str, about: str, hits: Iterable[Hit]) -> Iterator[str]:
    """Yield a feed piece by piece; an item is known by the key of its document, so none is told twice."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n<rss version="2.0"><channel>\n'
    yield f"<title>{text(title)}</title><link>{text(link)}</link><description>{text(about)}</description>\n"
    for hit in hits:
        yield f"<item><title>{text(hit.title or hit.url)}</title><link>{text(hit.url)}</link>"
        yield f'<guid isPermaLink="false">{text(hit.key)}</guid><description>{text(hit.snippet)}</description>'
        if moment := hit.published or hit.seen:
            yield f"<pubDate>{_date(moment)}</pubDate>"
        yield f"<source url={_quoted(hit.url)}>{text(hit.site)}</source></item>\n"
    yield "</channel></rss>\n"


def text(value: str) -> str:
    """Return a text as XML has it; what XML cannot hold is left out."""
    return escape(_NOT_XML.sub("", value))


def _quoted(value: str) -> str:
    return '"' + escape(_NOT_XML.sub("", value), {'"': "&quot;"}) + '"'


def _date(moment: datetime) -> str:
    return format_datetime(moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC), usegmt=True)
