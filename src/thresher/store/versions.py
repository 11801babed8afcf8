"""Versions: what edited articles said before. Nothing is kept of one that never changed but the article itself."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from thresher.model import Document
from thresher.store.contract import MAX_VERSIONS, Version
from thresher.store.packing import Packer
from thresher.store.rows import document_of
from thresher.store.tables import documents, versions


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
    for time, version in {**new, at: document}.items():
        if time not in held:
            values = {"key": key, "at": time, "content": packer.pack_json(_content(version))}
            connection.execute(insert(versions).values(values))
    surplus = sorted(held)[1 : 1 + max(0, len(held) + 1 - MAX_VERSIONS)]
    connection.execute(delete(versions).where(versions.c.key == key, versions.c.at.in_(surplus)))


def versions_of(connection: Connection, key: str, packer: Packer) -> list[Version]:
    """Return the versions of an article, the oldest first."""
    query = select(versions).where(versions.c.key == key).order_by(versions.c.at)
    found = [_version(row.at, packer.unpack_json(row.content)) for row in connection.execute(query)]
    if found:
        return found
    row = connection.execute(select(documents).where(documents.c.key == key)).mappings().first()
    return [_version(row["first_seen"], _content(document_of(dict(row), [], packer)))] if row else []


def _content(document: Document) -> dict[str, Any]:
    published = document.published.isoformat() if document.published else None
    return {"title": document.title, "text": document.text, "published": published}


def _version(at: str, content: Mapping[str, Any]) -> Version:
    published = content["published"]
    return Version(
        at=datetime.fromisoformat(at),
        title=content["title"],
        text=content["text"],
        published=datetime.fromisoformat(published) if published else None,
    )
