"""Nouns as rows of the tables, and back."""

import json
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from sqlalchemy import Select, func, literal_column, select
from zstandard import ZstdError

from thresher import urls
from thresher.errors import Damaged
from thresher.model import Document, Fate, Link, Page, Post, Robots, Run, RunState, Visit
from thresher.model.codec import (
    document_from_dict,
    document_to_dict,
    links_from_dict,
    links_to_dict,
    post_from_dict,
    storable,
)
from thresher.store.bodies import hash_of
from thresher.store.contract import Stored
from thresher.store.packing import Packer, json_text
from thresher.store.tables import bodies, documents, fates, pages, parts

Row = dict[str, Any]

_UNREADABLE = (ZstdError, ValueError, KeyError, TypeError, AttributeError)  # what reading damaged data ends in

PLACES = 1_000_000  # posts of a page, at most
NOT_SHOWN = -1  # the position of a post whose page shows none

BODY = (bodies.c.host, bodies.c.dictionary, bodies.c.content)  # what a body is read from
_PAGE = "page_"  # before the names of a page's columns in a row of a visit

_JSON_FIELDS = ("authors", "verdict")  # of a document, as text
_PACKED_FIELDS = ("blocks", "links", "evidence")  # of a document, together in `content`


@contextmanager
def reading(what: str, name: object) -> Iterator[None]:
    """Turn what goes wrong with data that a disk or a program has changed into one error that names it."""
    try:
        yield
    except _UNREADABLE as error:
        why = " ".join(f"{type(error).__name__} {error}".split())[:200]
        raise Damaged(f"the stored {what} {name} is damaged ({why})") from error


@lru_cache(maxsize=256)  # all links of one page are judged at one time
def time_text(moment: datetime) -> str:
    """Return a time in UTC, in the one form that sorts as text; without a zone it is taken as UTC."""
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        aware = aware.astimezone(UTC)
    except OverflowError:  # the last hours of the year 9999 west of Greenwich: pages say anything
        aware = aware.replace(tzinfo=UTC)
    return aware.isoformat(timespec="microseconds")


def page_row(page: Page, key: str, run: int, outlinks: tuple[Link, ...], packer: Packer) -> Row:
    """Return the row of a page and what it led to."""
    return _clean(
        {
            "key": key,
            "run": run,
            "status": page.status,
            "fetched_at": time_text(page.fetched_at),
            "elapsed_s": page.elapsed_s,
            "crawl_delay_s": page.crawl_delay_s,
            "address": page.address,
            "etag": page.headers.get("etag"),
            "modified": page.headers.get("last-modified"),
            "content_type": page.content_type,
            "url": page.url,
            "headers": json_text(dict(page.headers)),
            "outlinks": links_packed(outlinks, packer),
            "body": hash_of(page.body),
        }
    )


def page_of(row: Mapping[str, Any], body_of: Callable[[Mapping[str, Any]], bytes]) -> Page:
    """Return the page of a row with the columns of its body's, which `body_of` reads."""
    with reading("page", row["url"]):
        return Page(
            url=row["url"],
            status=row["status"],
            body=body_of(row) if row["body"] else b"",
            fetched_at=datetime.fromisoformat(row["fetched_at"]),
            headers=json.loads(row["headers"]),
            elapsed_s=row["elapsed_s"],
            address=row["address"],
            crawl_delay_s=row["crawl_delay_s"],
        )


def links_packed(links: tuple[Link, ...], packer: Packer) -> bytes | None:
    """Return links compressed; None for none."""
    return packer.pack_json(links_to_dict(links)) if links else None


def links_of(packed: bytes | None, packer: Packer, url: str) -> tuple[Link, ...]:
    """Return the links of a page that were packed."""
    with reading("links of", url):
        return links_from_dict(packer.unpack_json(packed)) if packed else ()


def document_row(document: Document, packer: Packer) -> Row:
    """Return the columns that come from the document itself, posts aside."""
    row = document_to_dict(document)
    del row["posts"]
    content = {name: row.pop(name) for name in _PACKED_FIELDS}
    row.update((name, json_text(row[name])) for name in _JSON_FIELDS)
    facts = {"length": len(document.text), "text_hash": document.text_hash}
    return _clean({**row, **facts, "content": packer.pack_json(content)})


def document_of(row: Mapping[str, Any], posts: Iterable[Row], packer: Packer) -> Document:
    """Return the document of a row and of the rows of its posts."""
    texts = {name: json.loads(row[name]) for name in _JSON_FIELDS}
    return document_from_dict({**row, **texts, **packer.unpack_json(row["content"]), "posts": map(_post_data, posts)})


def stored_of(row: Mapping[str, Any], posts: Iterable[Row], packer: Packer) -> Stored:
    """Return what is stored of a document, given the rows of its posts."""
    with reading("document", row["url"]):
        return Stored(
            key=row["key"],
            document=document_of(row, posts, packer),
            run=row["run"],
            first_seen=datetime.fromisoformat(row["first_seen"]),
            last_seen=datetime.fromisoformat(row["last_seen"]),
        )


def post_rows(posts: tuple[Post, ...], page: str, thread: str, part: int) -> Iterator[Row]:
    """Yield the rows of the posts of a thread's page; ids that repeat on the page identify nothing.

    Positions that only count the posts of a later page are none: the post's place then tells its order alone.
    """
    ids = Counter(post.id for post in posts if post.id)
    counted = part > 1 and [post.position for post in posts] == list(range(1, len(posts) + 1))
    taken: Counter[str] = Counter()
    for place, post in enumerate(posts, start=1):
        name = f"id {post.id}" if post.id and ids[post.id] == 1 else _saying(post)
        taken[name] += 1
        data = post.to_dict()
        data |= {"position": NOT_SHOWN, "place": (part - 1) * PLACES + place} if counted else {"place": post.position}
        data |= {"id": post.id if post.id and ids[post.id] == 1 else None}
        keys = {
            "thread": thread,
            "page": page,
            "post": urls.key_of(f"{name} {taken[name]}" if taken[name] > 1 else name),
        }
        yield _clean({**data, **keys, "quotes": json_text(data["quotes"])})


def _saying(post: Post) -> str:
    """Identify a post by who says what when; a time with fractions of a second was counted back from the fetch."""
    exact = post.published and not post.published.microsecond
    return json_text([post.author, time_text(post.published) if exact and post.published else None, post.text])


def fate_row(fate: Fate) -> Row:
    """Return the row of a fate."""
    return {  # field by field: a page may have hundreds of these
        "key": urls.key_of(fate.url),
        "run": fate.run,
        "state": fate.state,
        "reason": fate.reason,
        "at": time_text(fate.at),
        "status": fate.status,
        "url": storable(fate.url),
        "found_on": storable(fate.found_on) if fate.found_on else fate.found_on,
        "detail": storable(fate.detail),
    }


def fate_of(row: Mapping[str, Any]) -> Fate:
    """Return the fate of a row."""
    values = {name: row[name] for name in ("url", "run", "state", "reason", "detail", "status", "found_on")}
    return Fate(**values, at=datetime.fromisoformat(row["at"]))


def visits_query(run: int, *, with_bodies: bool) -> Select[Any]:
    """Return what selects a run's fates that are not refusals, each with its document and, if asked, its raw page."""
    about = (documents.c[name] for name in ("title", "kind", "language", "published", "length", "first_seen"))
    raw = [column.label(_PAGE + column.name) for column in (*pages.columns, *BODY)] if with_bodies else []
    of_document = documents.c.key == func.coalesce(parts.c.thread, fates.c.key)  # a thread's, for each of its pages
    query = select(*fates.columns, *about, *raw).outerjoin(parts, parts.c.page == fates.c.key)
    query = query.outerjoin(documents, of_document)
    if with_bodies:
        query = query.outerjoin(pages, pages.c.key == fates.c.key).outerjoin(bodies, bodies.c.hash == pages.c.body)
    # The literal lets the partial index be used.
    asked = query.where(fates.c.run == run, fates.c.state != literal_column("'refused'"))
    return asked.order_by(fates.c.at, fates.c.key)


def page_part(row: Mapping[str, Any]) -> Row | None:
    """Return the row of the page in the row of a visit; None when it has none."""
    part = {name.removeprefix(_PAGE): value for name, value in row.items() if name.startswith(_PAGE)}
    return part if part.get("key") else None


def visit_of(row: Mapping[str, Any], page: Page | None, outlinks: int) -> Visit:
    """Return the visit of a row, with its page if that was asked for and could be read."""
    return Visit(
        fate_of(row),
        page,
        row.get("page_run"),
        outlinks,
        title=row["title"] or "",
        kind=row["kind"],
        language=row["language"],
        published=datetime.fromisoformat(row["published"]) if row["published"] else None,
        length=row["length"],
        first_seen=datetime.fromisoformat(row["first_seen"]) if row["first_seen"] else None,
    )


def run_of(row: Mapping[str, Any]) -> Run:
    """Return the run of a row."""
    with reading("run", row["id"]):
        return Run(
            id=row["id"],
            starts=tuple(json.loads(row["starts"])),
            options=json.loads(row["options"]),
            state=RunState(row["state"]),
            started_at=datetime.fromisoformat(row["started_at"]),
            finished_at=datetime.fromisoformat(row["finished_at"]) if row["finished_at"] else None,
        )


def robots_row(robots: Robots, packer: Packer) -> Row:
    """Return the row of a robots.txt."""
    return {
        "origin": storable(robots.origin),
        "status": robots.status,
        "fetched_at": time_text(robots.fetched_at),
        "body": packer.pack(robots.body),
    }


def robots_of(row: Mapping[str, Any], packer: Packer) -> Robots:
    """Return the robots.txt of a row."""
    with reading("robots.txt of", row["origin"]):
        body = packer.unpack(row["body"])
        return Robots(row["origin"], row["status"], body, datetime.fromisoformat(row["fetched_at"]))


def post_of(row: Row) -> Post:
    """Return the post of a row."""
    with reading("post of", row.get("author")):
        return post_from_dict(_post_data(row))


def _post_data(row: Row) -> Row:
    data = {name: value for name, value in row.items() if name not in ("thread", "page", "post", "place")}
    return {**data, "quotes": json.loads(row["quotes"])}


def _clean(row: Row) -> Row:
    """Make every text of a row one that a database takes: pages say anything."""
    return {name: storable(value) if isinstance(value, str) else value for name, value in row.items()}
