"""Versions: what edited articles said before, and documents under an earlier address.

Nothing is kept of an article that never changed but the article itself.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Column, Connection, Table, and_, delete, insert, or_, select, update

from thresher.model import Document
from thresher.store.contract import MAX_VERSIONS, Version
from thresher.store.packing import Packer
from thresher.store.rows import document_of
from thresher.store.tables import article_pages, documents, page_sources, parts, posts, versions


def note_change(connection: Connection, key: str, document: Document, at: str, packer: Packer) -> None:
    """Keep an article as it is stored, and as it is now, if title or text differ; call before it is replaced."""
    query = select(documents).where(documents.c.key == key)
    row = connection.execute(query).mappings().first()
    if row is None or row["kind"] != document.kind.value:
        return
    if document.text_hash and (row["title"], row["text_hash"]) == (document.title, document.text_hash):
        return  # a short text has no hash
    stored = document_of(dict(row), [], packer)
    if (stored.title, stored.text) == (document.title, document.text):
        return
    held = [found.at for found in connection.execute(select(versions.c.at).where(versions.c.key == key))]
    new = {} if held else {row["first_seen"]: stored}
    if at in held:  # another page of the article, saved at the same moment
        held.remove(at)
        connection.execute(delete(versions).where(versions.c.key == key, versions.c.at == at))
    for time, version in {**new, at: document}.items():
        values = {"key": key, "at": time, "content": packer.pack_json(content_of(version))}
        connection.execute(insert(versions).values(values))
    surplus = sorted(held)[1 : 1 + max(0, len(held) + 1 - MAX_VERSIONS)]
    connection.execute(delete(versions).where(versions.c.key == key, versions.c.at.in_(surplus)))


def versions_of(connection: Connection, key: str, packer: Packer) -> list[Version]:
    """Return the versions of an article, the oldest first."""
    query = select(versions).where(versions.c.key == key).order_by(versions.c.at)
    found = [version_of(row.at, packer.unpack_json(row.content)) for row in connection.execute(query)]
    if found:
        return found
    row = connection.execute(select(documents).where(documents.c.key == key)).mappings().first()
    return [version_of(row["first_seen"], content_of(document_of(dict(row), [], packer)))] if row else []


def hand_over(connection: Connection, left: str, kept: str) -> str | None:
    """Drop a document whose page has another address now; give the one stored there what it lacks.

    Return when it was first seen; None, and do nothing, where one of the two is no document.
    """
    query = select(documents.c.key, documents.c.first_seen).where(documents.c.key.in_((left, kept)))
    seen = {row.key: row.first_seen for row in connection.execute(query)}
    if {left, kept} - seen.keys():
        return None
    first_seen = min(seen.values())
    _give(connection, posts, (posts.c.thread, left, kept), posts.c.post)
    _give(connection, versions, (versions.c.key, left, kept), versions.c.at)
    _give(connection, page_sources, (page_sources.c.page, left, kept), page_sources.c.source)
    connection.execute(delete(parts).where(parts.c.thread == left))
    joined = and_(article_pages.c.article == left, article_pages.c.joined == 1)
    connection.execute(delete(article_pages).where(or_(article_pages.c.page == left, joined)))
    connection.execute(delete(documents).where(documents.c.key == left))
    connection.execute(update(documents).where(documents.c.key == kept).values(first_seen=first_seen))
    return str(first_seen)


def _give(connection: Connection, table: Table, owner: tuple[Column[Any], str, str], name: Column[Any]) -> None:
    """Let the rows of one owner be those of another, which may have some of the same name; those are dropped."""
    column, left, kept = owner
    held = set(connection.scalars(select(name).where(column == kept)))
    for row in set(connection.scalars(select(name).where(column == left))):
        theirs = (column == left, name == row)
        if row in held:
            connection.execute(delete(table).where(*theirs))
        else:
            connection.execute(update(table).where(*theirs).values({column.name: kept}))


def content_of(document: Document) -> dict[str, Any]:
    published = document.published.isoformat() if document.published else None
    return {"title": document.title, "text": document.text, "published": published}


def version_of(at: str, content: Mapping[str, Any]) -> Version:
    published = content["published"]
    return Version(
        at=datetime.fromisoformat(at),
        title=content["title"],
        text=content["text"],
        published=datetime.fromisoformat(published) if published else None,
    )
