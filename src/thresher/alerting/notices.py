"""Notices: what alerts say, as one line, as plain text, as HTML and as the data of a webhook.

Everything of a document comes from a page, and pages say anything: control characters are dropped, HTML is escaped,
and only web addresses become links.
"""

from collections.abc import Iterator, Sequence
from datetime import datetime
from html import escape
from typing import Any

from thresher.alerting.judging import Verdict
from thresher.model.alert import Alert, AlertHit, AlertKind, Notice, notice_to_dict
from thresher.text import printable

SHOWN = 50  # documents in one notice of each hit
DIGEST_SHOWN = 100
MAX_TITLE = 200  # characters
_STYLE = "font-family:sans-serif;line-height:1.5;max-width:42em"


def every_notices(alert: Alert, hits: Sequence[AlertHit], now: datetime, link: str) -> list[Notice]:
    """Return what is to be said of documents that are new to an alert."""
    return [_notice(alert, now, hits[at : at + SHOWN], link) for at in range(0, len(hits), SHOWN)]


def digest_notice(alert: Alert, hits: Sequence[AlertHit], now: datetime, link: str) -> Notice:
    """Return what is to be said of the documents since the last digest."""
    return _notice(alert, now, hits[:DIGEST_SHOWN], link, total=len(hits))


def judged_notice(alert: Alert, verdict: Verdict, now: datetime, link: str) -> Notice:
    """Return what is to be said of a spike or of silence."""
    return Notice(
        alert=alert.name,
        kind=str(alert.kind),
        at=now,
        message=f"{alert.name}: {verdict.message}",
        query=alert.query,
        total=verdict.total,
        link=link,
    )


def trial_notice(alert: Alert, hits: Sequence[AlertHit], total: int, now: datetime, link: str) -> Notice:
    """Return what says that an alert's messages arrive, with what it would have found lately."""
    message = f"{alert.name}: a test; {_counted(total)} of the last week would match"
    return Notice(
        alert=alert.name,
        kind="test",
        at=now,
        message=message,
        query=alert.query,
        total=total,
        hits=tuple(hits),
        link=link,
    )


def payload(notice: Notice) -> dict[str, Any]:
    """Return what a webhook is sent: a type, a time and the data, as Standard Webhooks has it."""
    data = notice_to_dict(notice)
    return {"type": f"alert.{notice.kind}", "timestamp": data.pop("at"), "data": data}


def text_of(notice: Notice) -> str:
    """Return a notice as plain text."""
    return "\n".join(_lines(notice)) + "\n"


def html_of(notice: Notice) -> str:
    """Return a notice as a small page, without scripts, images or anything else that would be loaded."""
    parts = [f'<!doctype html><meta charset="utf-8"><div style="{_STYLE}"><p>{_html(notice.message)}</p>']
    if notice.hits:
        parts.append("<ul>" + "".join(_item(hit) for hit in notice.hits) + "</ul>")
    if notice.total > len(notice.hits) > 0:
        parts.append(f"<p>… and {notice.total - len(notice.hits)} more</p>")
    if _is_web(notice.link):
        parts.append(f'<p><a href="{escape(notice.link)}">{escape(notice.link)}</a></p>')
    if notice.query:
        parts.append(f"<p>{_html(f'query: {notice.query}')}</p>")
    return "".join(parts) + "</div>\n"


def subject_of(notice: Notice) -> str:
    """Return a notice as one line."""
    return line(notice.message)


def line(text: str, most: int = MAX_TITLE) -> str:
    """Return a text of a page as part of a line: nothing in it ends the line, or is obeyed by a terminal."""
    one = " ".join(printable(text).split())
    return one if len(one) <= most else one[: most - 1] + "…"


def _notice(alert: Alert, now: datetime, hits: Sequence[AlertHit], link: str, total: int | None = None) -> Notice:
    count = len(hits) if total is None else total
    named = f": {line(hits[0].title, 100)}" if count == 1 and alert.kind is AlertKind.EVERY else ""
    return Notice(
        alert=alert.name,
        kind=str(alert.kind),
        at=now,
        message=f"{alert.name}: {_counted(count)}{named}",
        query=alert.query,
        total=count,
        hits=tuple(hits),
        link=link,
    )


def _lines(notice: Notice) -> Iterator[str]:
    yield from (line(notice.message, 2_000), "")
    for hit in notice.hits:
        yield from (line(hit.title) or line(hit.url), f"  {line(hit.url, 2_000)}")
        about = line(" · ".join(filter(None, (hit.site, hit.published[:10]))))
        yield from (f"  {text}" for text in (about, line(hit.snippet, 400)) if text)
        yield ""
    if notice.total > len(notice.hits) > 0:
        yield from (f"… and {notice.total - len(notice.hits)} more", "")
    yield from (text for text in (notice.link, f"query: {line(notice.query, 5_000)}" if notice.query else "") if text)


def _item(hit: AlertHit) -> str:
    title = _html(line(hit.title) or line(hit.url))
    linked = f'<a href="{escape(hit.url)}">{title}</a>' if _is_web(hit.url) else title
    about = _html(" · ".join(filter(None, (hit.site, hit.published[:10]))))
    return f"<li><p>{linked}<br><small>{about}</small><br>{_html(line(hit.snippet, 400))}</p></li>"


def _html(text: str) -> str:
    return escape(" ".join(printable(text).split()))


def _is_web(url: str) -> bool:
    return url.startswith(("https://", "http://"))


def _counted(count: int) -> str:
    return "1 new document" if count == 1 else f"{count} new documents"
