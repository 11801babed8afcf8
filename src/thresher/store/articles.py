"""Articles over several pages: one document under the first page's URL, whichever pages came and in whatever order.

    /a    "Title"            ─┐                       documents: /a  the text of /a, then of /a/2
    /a/2  "Title – Page 2"   ─┼─▶ pages of /a, each ─▶
    /a/3  "Another"          ─┘   with its text       documents: /a/3  which is of no other article

A page that may be one of an article (its pager says so) is kept in `article_pages` with what was read from it. It is a
document of its own until the first page is there and turns out to be of the same article (model/joining.py).
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, and_, delete, func, or_, select, update

from thresher.errors import Damaged
from thresher.model import Document, Fate, Kind
from thresher.model.codec import document_from_dict, document_to_dict, storable
from thresher.model.joining import MAX_PAGES, fullest, is_edition_of, is_page_of, joined
from thresher.store import rows, threads
from thresher.store.contract import ARTICLE_PAGE, EDITION, EDITION_PART, Record
from thresher.store.packing import Packer, json_text
from thresher.store.prepared import Prepared
from thresher.store.tables import article_pages, documents, fates, posts
from thresher.store.versions import note_change
from thresher.urls import key_of

GONE = (301, 308, 404, 410)  # the status of a page that is no more, or leads to another: often to the first
STORED = "stored"
MAX_EDITIONS = 5  # joined versions of an article whose text is looked at for more than the main page has


class Means(NamedTuple):
    """What rows are written with."""

    packer: Packer
    put_document: Prepared
    put_page: Prepared  # of an article


class Moment(NamedTuple):
    """When, and in which run, something is saved."""

    run: int
    at: str

    @classmethod
    def of(cls, fate: Fate) -> "Moment":
        """Return that of a fate."""
        return cls(fate.run, rows.time_text(fate.at))


def wait_for(
    connection: Connection, key: str, record: Record, alone: Callable[[Connection, str], None]
) -> Sequence[str]:
    """Wait until nobody else writes the articles that a record may change; return their keys."""
    found = _touched(connection, key, record)
    for article in found:
        alone(connection, article)
    return found


def _touched(connection: Connection, key: str, record: Record) -> list[str]:
    """Return the keys of the articles that a record may change, in the order in which everybody waits for them."""
    is_article = record.document is not None and record.document.kind is Kind.ARTICLE
    if not is_article and record.document is None and record.fate.status not in GONE:
        return []
    held = connection.scalar(select(article_pages.c.article).where(article_pages.c.page == key))
    found = {held} if held else set()
    if is_article:
        found |= {key, key_of(record.thread or record.fate.url)}
    return sorted(found)


def is_paged(connection: Connection, key: str, record: Record) -> bool:
    """Say whether a record is of a page of an article that others belong to, or that may belong to another."""
    if record.document is None or record.document.kind is not Kind.ARTICLE:
        return False
    if record.thread:
        return True
    query = select(article_pages.c.page).where(or_(article_pages.c.page == key, article_pages.c.article == key))
    return connection.execute(query.limit(1)).first() is not None


def documents_of(connection: Connection, key: str, touched: Sequence[str], record: Record) -> list[str]:
    """Return the keys of the documents that saving a record may have changed."""
    found = {key_of(record.thread) if record.thread else key, key, *touched}
    if len(found) > 1 or record.thread:
        pages = select(article_pages.c.page).where(article_pages.c.article.in_(found))
        found.update(connection.scalars(pages))
    return sorted(found)


def save_page(connection: Connection, means: Means, document: Document, record: Record) -> None:
    """Keep a page of an article, and make the documents of all its pages anew."""
    key, moment = key_of(record.fate.url), Moment.of(record.fate)
    threads.leave(connection, key)
    article = key_of(record.thread or record.fate.url)
    held = connection.execute(select(article_pages).where(article_pages.c.page == key)).first()
    if held and held.article != article:
        leave(connection, means, key, record.fate)
    number = 1 if article == key else record.part
    content = document_to_dict(document) | {"posts": []}
    row = {"page": key, "article": article, "number": number, "joined": 0, "run": moment.run, "seen_at": moment.at}
    row |= {"url": storable(record.fate.url), "text_hash": document.text_hash}
    row |= {"refusal": None if record.fate.state == STORED else record.fate.reason}
    means.put_page.run(connection, [row | {"content": packed_page(content, means.packer)}])
    if key == article or number > 1:
        _drop_unlinked(connection, article, number, record)
    is_edit = held is not None and held.run < moment.run  # pages that come for the first time change no article
    _make_anew(connection, means, article, moment, saved=key, is_edit=is_edit)


def note_asked(connection: Connection, means: Means, page: str, fate: Fate) -> None:
    """Note that a page was asked for; one that is gone is no part of its thread or article any more."""
    threads.note_asked(connection, page, fate)
    if fate.status in GONE:
        leave(connection, means, page, fate)


def leave(connection: Connection, means: Means, page: str, fate: Fate) -> None:
    """Let a page be part of no other page's article any more; a first page stays what it is."""
    query = select(article_pages.c.article).where(article_pages.c.page == page, article_pages.c.article != page)
    article = connection.scalar(query)
    if article:
        connection.execute(delete(article_pages).where(article_pages.c.page == page))
        _make_anew(connection, means, article, Moment.of(fate), is_edit=True)


def let_go(connection: Connection, means: Means, touched: Sequence[str], record: Record) -> None:
    """Let a page that is no article any more be part of none; pages that were joined to it are on their own again."""
    if not touched or record.document is None or record.document.kind is Kind.ARTICLE:
        return
    page = key_of(record.fate.url)
    leave(connection, means, page, record.fate)
    if connection.execute(delete(article_pages).where(article_pages.c.page == page)).rowcount:
        _make_anew(connection, means, page, Moment.of(record.fate))


def pages_of(connection: Connection, keys: Sequence[str]) -> dict[str, str]:
    """Return all pages of the articles that some pages may belong to: each one's URL, and that of its document."""
    found: dict[str, str] = {}
    for start in range(0, len(keys), threads.KEYS_PER_QUERY):
        chunk = keys[start : start + threads.KEYS_PER_QUERY]
        theirs = select(article_pages.c.article).where(article_pages.c.page.in_(chunk))
        columns = (article_pages.c.page, article_pages.c.article, article_pages.c.joined, article_pages.c.url)
        all_pages = list(connection.execute(select(*columns).where(article_pages.c.article.in_(theirs))))
        firsts = {row.page: row.url for row in all_pages if row.page == row.article}
        found.update({row.url: firsts[row.article] if row.joined else row.url for row in all_pages})
    return found


def _drop_unlinked(connection: Connection, article: str, number: int, record: Record) -> None:
    """Drop the pages after one that leads to the next no more: the article has become shorter."""
    linked = {link.url for link in record.outlinks}
    if not linked:
        return
    after = (article_pages.c.article == article, article_pages.c.run < record.fate.run)
    columns = (article_pages.c.url, article_pages.c.number)
    later = list(connection.execute(select(*columns).where(*after, article_pages.c.number > number)))
    if later and not any(row.number > number and row.url in linked for row in later):
        connection.execute(delete(article_pages).where(*after, article_pages.c.number > number))


def _make_anew(
    connection: Connection, means: Means, article: str, moment: Moment, *, saved: str = "", is_edit: bool = False
) -> None:
    """Write the document of an article, and those of the pages that are not joined to it; keep what an edit changes."""
    _adopt_first(connection, means, article)
    further = select(func.count()).where(article_pages.c.article == article, article_pages.c.number > EDITION_PART)
    is_archive = (connection.scalar(further) or 0) > MAX_PAGES
    found = _to_see(connection, article, saved, is_archive=is_archive)
    read = {row.page: document for row in found if (document := _read(row, means.packer))}
    editions = _editions(article, found, read)
    members = [article] if is_archive else _members(article, found, read)
    for row in found:
        document, belongs = read.get(row.page), row.page in members or row.page in editions
        if document and row.page != article and (row.page == saved or bool(row.joined) != belongs):
            if is_edit and not belongs and row.page == saved:
                note_change(connection, row.page, document, moment.at, means.packer)
            _place(connection, means, row, document, belongs=belongs)
    if article in read:
        whole = fullest(joined([read[page] for page in members]), [read[page] for page in editions])
        if is_edit:
            note_change(connection, article, whole, moment.at, means.packer)
        means.put_document.run(connection, [_document_row(article, whole, moment, means.packer)])


def _members(article: str, found: Sequence[Row[Any]], read: dict[str, Document]) -> list[str]:
    """Return the pages that are of one article, the first page first; empty when that is unknown."""
    first = read.get(article)
    if first is None:
        return []
    others = [row for row in found if row.page in read and row.page != article and row.number > EDITION_PART]
    return [article, *(row.page for row in others if is_page_of(first, read[row.page], row.number))]


def _editions(article: str, found: Sequence[Row[Any]], read: dict[str, Document]) -> list[str]:
    """Return the pages that are other versions of an article's first page."""
    first = read.get(article)
    others = [row.page for row in found if row.number == EDITION_PART and row.page in read and row.page != article]
    return [page for page in others if first and is_edition_of(first, read[page])]


def _to_see(connection: Connection, article: str, saved: str, *, is_archive: bool) -> list[Row[Any]]:
    """Return the pages of an article that may have to change, or that its text comes from; pages in order, if few."""
    number, is_joined = article_pages.c.number, article_pages.c.joined == 1
    query = select(article_pages).where(article_pages.c.article == article).order_by(number, article_pages.c.page)
    here = article_pages.c.page.in_((saved, article))
    further = and_(number > EDITION_PART, is_joined) if is_archive else number > EDITION_PART
    found = list(connection.execute(query.where(or_(here, further))))
    editions = query.where(number == EDITION_PART, ~here)
    found += connection.execute(editions.where(~is_joined).limit(MAX_PAGES))
    found += connection.execute(editions.where(is_joined).limit(MAX_EDITIONS))
    return found


def _place(connection: Connection, means: Means, row: Row[Any], document: Document, *, belongs: bool) -> None:
    """Join a page to its article, or let it be a document of its own."""
    mine, theirs = (posts.c.page == row.page, posts.c.thread)
    if belongs:
        connection.execute(delete(documents).where(documents.c.key == row.page))
        shown = select(posts.c.post).where(theirs == row.article)
        connection.execute(delete(posts).where(mine, theirs == row.page, posts.c.post.in_(shown)))
        connection.execute(update(posts).where(mine, theirs == row.page).values(thread=row.article))
    elif not row.refusal:
        own = _document_row(row.page, document, Moment(row.run, row.seen_at), means.packer)
        means.put_document.run(connection, [own])
        connection.execute(update(posts).where(mine, theirs == row.article).values(thread=row.page))
    fate = {"state": STORED, "reason": ARTICLE_PAGE if belongs else STORED}
    if belongs and row.number == EDITION_PART:
        fate = {"state": "skipped", "reason": EDITION}
    if row.refusal and not belongs:
        fate = {"state": "skipped", "reason": row.refusal}
    told = update(fates).where(fates.c.key == row.page, fates.c.run == row.run, fates.c.status.between(200, 299))
    connection.execute(told.values(fate))
    connection.execute(update(article_pages).where(article_pages.c.page == row.page).values(joined=int(belongs)))


def _adopt_first(connection: Connection, means: Means, article: str) -> None:
    """Keep as a page what was saved of a first page before others came."""
    known = select(article_pages.c.page).where(article_pages.c.page == article)
    if connection.execute(known).first():
        return
    query = select(documents).where(documents.c.key == article, documents.c.kind == Kind.ARTICLE.value)
    row = next(map(dict, connection.execute(query).mappings()), None)
    if row is None or row["url"] is None:
        return
    try:
        document = rows.stored_of(row, [], means.packer).document
    except Damaged:  # what cannot be read is a document of its own, as it was
        return
    facts = {"page": article, "article": article, "number": 1, "joined": 0}
    facts |= {"run": row["run"], "seen_at": row["last_seen"], "url": row["url"], "text_hash": row["text_hash"]}
    facts |= {"refusal": None}
    means.put_page.run(connection, [facts | {"content": packed_page(document_to_dict(document), means.packer)}])


def packed_page(content: dict[str, Any], packer: Packer) -> bytes:
    """Return a page's content compressed, each text as a row of its own would have it."""
    return packer.pack(storable(json_text(content)).encode("utf-8"))


def read_page(row: Any, packer: Packer) -> Document:
    """Return what was read from a page of an article; raise Damaged when it cannot be read any more."""
    with rows.reading("page of an article", row["url"]):
        return document_from_dict(packer.unpack_json(row["content"]))


def _read(row: Row[Any], packer: Packer) -> Document | None:
    try:
        return read_page(row._mapping, packer)
    except Damaged:  # the other pages are still good; `doctor --deep` tells
        return None


def _document_row(key: str, document: Document, moment: Moment, packer: Packer) -> rows.Row:
    facts = {"key": key, "thread": key, "part": 1, "first_seen": moment.at, "run": moment.run, "last_seen": moment.at}
    return facts | rows.document_row(document, packer)
