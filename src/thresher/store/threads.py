"""Threads over several pages: one document, whose posts are kept once each whichever pages show them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, tuple_, update

from thresher.model import Fate
from thresher.store import rows
from thresher.store.contract import Known, LastPage
from thresher.store.tables import article_pages, documents, pages, parts, posts
from thresher.urls import key_of

GONE = (404, 410)  # the status of a page that is no more
POSTS_PER_QUERY = 500
KEYS_PER_QUERY = 500  # every database takes so many values in one statement


def drop_posts(connection: Connection, page: str, *, named: bool) -> None:
    """Drop the posts that a page gave before, what is left of them comes again; those with an id only if `named`."""
    theirs = delete(posts).where(posts.c.page == page)
    connection.execute(theirs if named else theirs.where(posts.c.id.is_(None)))


def in_place(connection: Connection, new: Sequence[rows.Row]) -> list[rows.Row]:
    """Return the rows of one page's posts, those that an earlier page shows too where they stand there."""
    if not new:
        return []
    thread, page = new[0]["thread"], new[0]["page"]
    names = [row["post"] for row in new]
    query = select(posts.c.post, posts.c.page, posts.c.place, posts.c.position).where(posts.c.thread == thread)
    held = {}
    for start in range(0, len(names), KEYS_PER_QUERY):
        chunk = names[start : start + KEYS_PER_QUERY]
        found = connection.execute(query.where(posts.c.post.in_(chunk), posts.c.page != page))
        held.update({row.post: row._asdict() for row in found})
    return [{**row, **held[row["post"]]} if stands_before(held.get(row["post"]), row) else row for row in new]


def stands_before(held: rows.Row | None, row: rows.Row) -> bool:
    return held is not None and held["place"] < row["place"]


def note_asked(connection: Connection, page: str, fate: Fate) -> None:
    """Note that a page of a thread was asked for; one that is gone is no part of it any more."""
    if fate.status in GONE:
        leave(connection, page)
    elif fate.status is not None:
        at = rows.time_text(fate.at)
        connection.execute(update(parts).where(parts.c.page == page).values(asked_at=at))


def leave(connection: Connection, page: str) -> None:
    """Let a page be part of no thread any more."""
    connection.execute(delete(parts).where(parts.c.page == page))


def thread_of(connection: Connection, url: str) -> str:
    """Return the key of the document that a URL, or the page under it, belongs to."""
    key = key_of(url)
    thread = select(parts.c.thread).where(parts.c.page == key).scalar_subquery()
    joined = (article_pages.c.page == key, article_pages.c.joined == 1)
    article = select(article_pages.c.article).where(*joined).scalar_subquery()
    return connection.scalar(select(func.coalesce(thread, article, key))) or key


def talked(connection: Connection, threads: Sequence[str]) -> set[str]:
    """Say which of some documents have posts."""
    found: set[str] = set()
    for start in range(0, len(threads), KEYS_PER_QUERY):
        chunk = threads[start : start + KEYS_PER_QUERY]
        found.update(connection.scalars(select(posts.c.thread).where(posts.c.thread.in_(chunk)).distinct()))
    return found


def known_pages(connection: Connection, keys: Sequence[str]) -> dict[str, Known]:
    """Return by key what is known of the pages that are stored."""
    document = func.coalesce(parts.c.thread, article_pages.c.article, pages.c.key)
    is_joined = and_(article_pages.c.page == pages.c.key, article_pages.c.joined == 1)
    wide = pages.outerjoin(parts, parts.c.page == pages.c.key).outerjoin(article_pages, is_joined)
    wide = wide.outerjoin(documents, documents.c.key == document)
    columns = (
        pages.c.key,
        documents.c.kind,
        pages.c.etag,
        pages.c.modified,
        pages.c.run,
        parts.c.thread,
        pages.c.fetched_at,
    )
    query = select(*columns).select_from(wide)
    found: dict[str, Known] = {}
    for start in range(0, len(keys), KEYS_PER_QUERY):
        for row in connection.execute(query.where(pages.c.key.in_(keys[start : start + KEYS_PER_QUERY]))):
            at = datetime.fromisoformat(row.fetched_at)
            found[row.key] = Known(row.kind, row.etag, row.modified, row.run, row.thread, at)
    return found


def last_pages(connection: Connection, keys: Sequence[str]) -> Mapping[str, LastPage]:
    """Return by thread its last page."""
    highest = select(parts.c.thread, func.max(parts.c.number).label("number")).group_by(parts.c.thread)
    found: dict[str, LastPage] = {}
    for start in range(0, len(keys), KEYS_PER_QUERY):
        last = highest.where(parts.c.thread.in_(keys[start : start + KEYS_PER_QUERY])).subquery()
        joined = parts.join(last, and_(parts.c.thread == last.c.thread, parts.c.number == last.c.number))
        joined = joined.join(pages, pages.c.key == parts.c.page)
        count = select(func.count()).where(posts.c.thread == parts.c.thread).scalar_subquery().label("posts")
        latest = select(func.max(posts.c.published)).where(posts.c.thread == parts.c.thread).scalar_subquery()
        columns = (parts, pages.c.etag, pages.c.modified, count, latest.label("latest"))
        query = select(*columns).select_from(joined).order_by(parts.c.page)
        for row in connection.execute(query):
            asked_at = datetime.fromisoformat(row.asked_at)
            found[row.thread] = LastPage(
                row.url, row.number, asked_at, row.posts, row.etag, row.modified, in_a_zone(row.latest)
            )
    return found


def pages_of(connection: Connection, thread: str) -> list[str]:
    """Return the URLs of the pages of a thread, by number."""
    query = select(parts.c.url).where(parts.c.thread == thread).order_by(parts.c.number, parts.c.page)
    return list(connection.scalars(query))


def in_a_zone(text: str | None) -> datetime | None:
    moment = datetime.fromisoformat(text) if text else None
    return moment.replace(tzinfo=UTC) if moment and moment.tzinfo is None else moment


def posts_after(connection: Connection, thread: str, last: rows.Row | None) -> list[rows.Row]:
    """Return the next posts of a thread in order, after the row of one of them."""
    order: tuple[ColumnElement[object], ...] = (posts.c.place, func.coalesce(posts.c.published, ""), posts.c.post)
    query = select(posts).where(posts.c.thread == thread).order_by(*order).limit(POSTS_PER_QUERY)
    if last:
        query = query.where(tuple_(*order) > (last["place"], last["published"] or "", last["post"]))
    return [dict(row) for row in connection.execute(query).mappings()]


def posts_in_order(connection: Connection, thread: str) -> Iterator[rows.Row]:
    """Yield all posts of a thread in order."""
    batch = posts_after(connection, thread, None)
    while batch:
        yield from batch
        batch = posts_after(connection, thread, batch[-1])


def numbered(found: Iterable[rows.Row], before: int = 0) -> Iterator[rows.Row]:
    """Give each post whose page showed no number the one after its neighbour's."""
    for row in found:
        before = before + 1 if row["position"] == rows.NOT_SHOWN else row["position"]
        yield {**row, "position": before}


def long_threads(connection: Connection, run: int, posts_over: int) -> list[str]:
    """Return the URLs of the threads that a run saved last and that have more posts than so many."""
    counted = select(posts.c.thread).group_by(posts.c.thread).having(func.count() > posts_over)
    query = select(documents.c.url).where(documents.c.run == run, documents.c.key.in_(counted))
    return [row.url for row in connection.execute(query.order_by(documents.c.key))]
