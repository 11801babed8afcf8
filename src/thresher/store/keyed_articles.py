"""Articles over several pages in a document database; the rules are those of articles.py, which is for SQL."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from thresher.errors import Damaged
from thresher.model import Document, Fate, Kind
from thresher.model.codec import document_to_dict, storable
from thresher.model.joining import MAX_PAGES, fullest, is_edition_of, is_page_of, joined
from thresher.store import rows
from thresher.store.articles import GONE, MAX_EDITIONS, STORED, Moment, packed_page, read_page
from thresher.store.collections import Row, Work
from thresher.store.contract import ARTICLE_PAGE, EDITION, EDITION_PART, MAX_VERSIONS, Record
from thresher.store.packing import Packer
from thresher.store.tables import article_pages, documents, fates, page_sources, parts, posts, versions
from thresher.store.threads import GONE as NOT_FOUND
from thresher.store.versions import content_of
from thresher.urls import key_of


class Saving(NamedTuple):
    """A call that changes articles."""

    work: Work
    packer: Packer
    moment: Moment


def touched(work: Work, key: str, record: Record) -> list[str]:
    """Return the keys of the articles that a record may change."""
    is_article = record.document is not None and record.document.kind is Kind.ARTICLE
    if not is_article and record.document is None and record.fate.status not in GONE:
        return []
    held = work.get(article_pages, key)
    found = {held["article"]} if held else set()
    if is_article:
        found |= {key, key_of(record.thread or record.fate.url)}
    return sorted(found)


def is_paged(work: Work, key: str, record: Record) -> bool:
    """Say whether a record is of a page of an article that others belong to, or that may belong to another."""
    if record.document is None or record.document.kind is not Kind.ARTICLE:
        return False
    if record.thread or work.get(article_pages, key):
        return True
    return bool(work.find(article_pages, ("article", "=", key), columns=["article"]))


def documents_of(work: Work, key: str, articles: Sequence[str], record: Record) -> list[str]:
    """Return the keys of the documents that saving a record may have changed."""
    found = {key_of(record.thread) if record.thread else key, key, *articles}
    if len(found) > 1 or record.thread:
        theirs = work.find(article_pages, ("article", "in", sorted(found)), columns=["article"])
        found.update(row["page"] for row in theirs)
    return sorted(found)


def save_page(saving: Saving, document: Document, record: Record) -> None:
    """Keep a page of an article, and make the documents of all its pages anew."""
    key, moment, work = key_of(record.fate.url), saving.moment, saving.work
    leave_thread(work, key)
    article = key_of(record.thread or record.fate.url)
    held = work.get(article_pages, key)
    if held and held["article"] != article:
        leave(saving, key)
    number = 1 if article == key else record.part
    row = {"page": key, "article": article, "number": number, "joined": 0, "run": moment.run, "seen_at": moment.at}
    row |= {"url": storable(record.fate.url), "text_hash": document.text_hash}
    row |= {"refusal": None if record.fate.state == STORED else record.fate.reason}
    content = document_to_dict(document) | {"posts": []}
    work.put(article_pages, row | {"content": packed_page(content, saving.packer)})
    if key == article or number > 1:
        _drop_unlinked(work, article, number, record)
    is_edit = held is not None and held["run"] < moment.run
    _make_anew(saving, article, saved=key, is_edit=is_edit)


def note_asked(saving: Saving, page: str, fate: Fate) -> None:
    """Note that a page was asked for; one that is gone is no part of its thread or article any more."""
    if fate.status in NOT_FOUND:
        leave_thread(saving.work, page)
    elif fate.status is not None and (part := saving.work.get(parts, page)):
        saving.work.change(parts, part, asked_at=rows.time_text(fate.at))
    if fate.status in GONE:
        leave(saving, page)


def leave_thread(work: Work, page: str) -> None:
    """Let a page be part of no thread any more."""
    if part := work.get(parts, page):
        work.drop(parts, part)


def leave(saving: Saving, page: str) -> None:
    """Let a page be part of no other page's article any more; a first page stays what it is."""
    row = saving.work.get(article_pages, page)
    if row and row["article"] != page:
        saving.work.drop(article_pages, row)
        _make_anew(saving, row["article"], is_edit=True)


def let_go(saving: Saving, articles: Sequence[str], record: Record) -> None:
    """Let a page that is no article any more be part of none; pages that were joined to it are on their own again."""
    if not articles or record.document is None or record.document.kind is Kind.ARTICLE:
        return
    page = key_of(record.fate.url)
    leave(saving, page)
    if row := saving.work.get(article_pages, page):
        saving.work.drop(article_pages, row)
        _make_anew(saving, page)


def hand_over(work: Work, left: str, kept: str) -> None:
    """Drop a document whose page has another address now; give the one stored there what it lacks."""
    for table, owner, name in ((posts, "thread", "post"), (versions, "key", "at"), (page_sources, "page", "source")):
        held = {row[name] for row in work.find(table, (owner, "=", kept))}
        for row in work.find(table, (owner, "=", left)):
            work.drop(table, row)
            if row[name] not in held:
                work.put(table, row | {owner: kept})
    for part in work.find(parts, ("thread", "=", left)):
        work.drop(parts, part)
    for page in work.find(article_pages, ("article", "=", left), columns=["joined"]):
        if page["joined"] or page["page"] == left:
            work.drop(article_pages, page)
    work.drop(documents, {"key": left})


def note_change(saving: Saving, key: str, document: Document) -> None:
    """Keep an article as it is stored, and as it is now, if title or text differ; call before it is replaced."""
    row = saving.work.get(documents, key)
    if row is None or row["kind"] != document.kind.value:
        return
    if document.text_hash and (row["title"], row["text_hash"]) == (document.title, document.text_hash):
        return  # a short text has no hash
    stored = rows.document_of(row, [], saving.packer)
    if (stored.title, stored.text) == (document.title, document.text):
        return
    found = [found["at"] for found in saving.work.find(versions, ("key", "=", key), columns=["at"])]
    new = {} if found else {row["first_seen"]: stored}
    for time, version in {**new, saving.moment.at: document}.items():
        content = saving.packer.pack_json(content_of(version))
        saving.work.put(versions, {"key": key, "at": time, "content": content})
    held = [at for at in found if at != saving.moment.at]  # that of another page of the article is replaced
    for at in sorted(held)[1 : 1 + max(0, len(held) + 1 - MAX_VERSIONS)]:
        saving.work.drop(versions, {"key": key, "at": at})


def _drop_unlinked(work: Work, article: str, number: int, record: Record) -> None:
    """Drop the pages after one that leads to the next no more: the article has become shorter."""
    linked = {link.url for link in record.outlinks}
    if not linked:
        return
    theirs = work.find(article_pages, ("article", "=", article), columns=["number", "run", "url", "article"])
    later = [row for row in theirs if row["number"] > number and row["run"] < record.fate.run]
    if later and not any(row["url"] in linked for row in later):
        for row in later:
            work.drop(article_pages, row)


def _make_anew(saving: Saving, article: str, *, saved: str = "", is_edit: bool = False) -> None:
    """Write the document of an article, and those of the pages that are not joined to it; keep what an edit changes."""
    _adopt_first(saving, article)
    found = _to_see(saving.work, article, saved)
    read = {row["page"]: document for row in found if (document := _read(row, saving.packer))}
    editions = _editions(article, found, read)
    further = [row for row in _outlines(saving.work, article) if row["number"] > EDITION_PART]
    members = [article] if len(further) > MAX_PAGES else _members(article, found, read)
    for row in found:
        document, belongs = read.get(row["page"]), row["page"] in members or row["page"] in editions
        if document and row["page"] != article and (row["page"] == saved or bool(row["joined"]) != belongs):
            if is_edit and not belongs and row["page"] == saved:
                note_change(saving, row["page"], document)
            _place(saving, row, document, belongs=belongs)
    if article in read:
        whole = fullest(joined([read[page] for page in members]), [read[page] for page in editions])
        if is_edit:
            note_change(saving, article, whole)
        put_document(saving.work, _document_row(article, whole, saving.moment, saving.packer))


def put_document(work: Work, row: Row) -> None:
    """Insert or replace a document, unless it stands there from an earlier page of its thread."""
    held = work.get(documents, row["key"])
    if held is None:
        work.put(documents, row)
    elif held["part"] >= row["part"]:
        work.put(documents, {**row, "first_seen": held["first_seen"]})


def _members(article: str, found: Sequence[Row], read: dict[str, Document]) -> list[str]:
    """Return the pages that are of one article, the first page first; empty when that is unknown."""
    first = read.get(article)
    if first is None:
        return []
    others = [row for row in found if row["page"] in read and row["page"] != article and row["number"] > EDITION_PART]
    return [article, *(row["page"] for row in others if is_page_of(first, read[row["page"]], row["number"]))]


def _editions(article: str, found: Sequence[Row], read: dict[str, Document]) -> list[str]:
    """Return the pages that are other versions of an article's first page."""
    first = read.get(article)
    others = [row["page"] for row in found if row["number"] == EDITION_PART and row["page"] in read]
    return [page for page in others if first and page != article and is_edition_of(first, read[page])]


def _outlines(work: Work, article: str) -> list[Row]:
    columns = ["number", "joined", "article"]
    theirs = work.find(article_pages, ("article", "=", article), columns=columns)
    return sorted(theirs, key=lambda row: (row["number"], row["page"]))


def _to_see(work: Work, article: str, saved: str) -> list[Row]:
    """Return the pages of an article that may have to change, or that its text comes from; pages in order, if few."""
    theirs = _outlines(work, article)
    further = [row for row in theirs if row["number"] > EDITION_PART]
    is_archive = len(further) > MAX_PAGES
    here = {saved, article}
    wanted = [row for row in theirs if row["page"] in here or (row in further and (row["joined"] or not is_archive))]
    editions = [row for row in theirs if row["number"] == EDITION_PART and row["page"] not in here]
    wanted += [row for row in editions if not row["joined"]][:MAX_PAGES]
    wanted += [row for row in editions if row["joined"]][:MAX_EDITIONS]
    whole = work.get_all(article_pages, [(row["page"],) for row in wanted])
    return [whole[(row["page"],)] for row in wanted if (row["page"],) in whole]


def _place(saving: Saving, row: Row, document: Document, *, belongs: bool) -> None:
    """Join a page to its article, or let it be a document of its own."""
    work, page, article = saving.work, row["page"], row["article"]
    mine = work.find(posts, ("page", "=", page))
    if belongs:
        if held := work.get(documents, page):
            work.drop(documents, held)
        shown = work.get_all(posts, [(article, post["post"]) for post in mine])
        for post in (post for post in mine if post["thread"] == page):
            _move_post(work, post, None if (article, post["post"]) in shown else article)
    elif not row["refusal"]:
        put_document(work, _document_row(page, document, Moment(row["run"], row["seen_at"]), saving.packer))
        for post in (post for post in mine if post["thread"] == article):
            _move_post(work, post, page)
    fate = {"state": STORED, "reason": ARTICLE_PAGE if belongs else STORED}
    if belongs and row["number"] == EDITION_PART:
        fate = {"state": "skipped", "reason": EDITION}
    if row["refusal"] and not belongs:
        fate = {"state": "skipped", "reason": row["refusal"]}
    told = work.get(fates, page, row["run"])
    if told and told["status"] is not None and 200 <= told["status"] < 300:
        work.change(fates, told, **fate)
    work.change(article_pages, row, joined=int(belongs))


def _move_post(work: Work, post: Row, thread: str | None) -> None:
    work.drop(posts, post)
    if thread is not None:
        work.put(posts, {**post, "thread": thread})


def _adopt_first(saving: Saving, article: str) -> None:
    """Keep as a page what was saved of a first page before others came."""
    row = None if saving.work.get(article_pages, article) else saving.work.get(documents, article)
    if row is None or row["url"] is None or row["kind"] != Kind.ARTICLE.value:
        return
    try:
        document = rows.stored_of(row, [], saving.packer).document
    except Damaged:  # what cannot be read is a document of its own, as it was
        return
    facts: dict[str, Any] = {"page": article, "article": article, "number": 1, "joined": 0, "refusal": None}
    facts |= {"run": row["run"], "seen_at": row["last_seen"], "url": row["url"], "text_hash": row["text_hash"]}
    content = packed_page(document_to_dict(document), saving.packer)
    saving.work.put(article_pages, facts | {"content": content})


def _read(row: Row, packer: Packer) -> Document | None:
    try:
        return read_page(row, packer)
    except Damaged:  # the other pages are still good; `doctor --deep` tells
        return None


def _document_row(key: str, document: Document, moment: Moment, packer: Packer) -> Row:
    facts = {"key": key, "thread": key, "part": 1, "first_seen": moment.at, "run": moment.run, "last_seen": moment.at}
    return facts | rows.document_row(document, packer)
