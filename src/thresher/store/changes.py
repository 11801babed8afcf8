"""The log of changes of a store in SQL: each document once, in the order of its last change.

Numbers are given under a lock that is held to the end of the transaction, so they become visible in their order: who
has read up to one has missed none. It is taken last of all, for everybody who saves a document waits for it.
"""

from collections.abc import Callable, Iterable, Sequence

from sqlalchemy import Connection, func, select

from thresher.store import threads
from thresher.store.prepared import Prepared
from thresher.store.tables import article_pages, changes, documents, parts

LOG = -(2**63)  # the number that stands for the log among those that `lock` knows

Lock = Callable[[Connection, Sequence[int]], None]


def note_changes(connection: Connection, keys: Iterable[str], put: Prepared, lock: Lock) -> None:
    """Move the entries of some documents to the end of the log; of those that never were one there is none."""
    wanted = sorted(set(keys))
    known: set[str] = set()
    for start in range(0, len(wanted), threads.KEYS_PER_QUERY):
        chunk = wanted[start : start + threads.KEYS_PER_QUERY]
        known.update(connection.scalars(select(documents.c.key).where(documents.c.key.in_(chunk))))
        known.update(connection.scalars(select(changes.c.key).where(changes.c.key.in_(chunk))))
    if not known:
        return
    lock(connection, [LOG])
    last = connection.scalar(select(func.max(changes.c.number))) or 0
    put.run(connection, [{"key": key, "number": last + place} for place, key in enumerate(sorted(known), start=1)])


def documents_with(connection: Connection, pages: Sequence[str]) -> set[str]:
    """Return the keys of the documents that some pages are part of, or may be."""
    found = set(pages)
    for start in range(0, len(pages), threads.KEYS_PER_QUERY):
        chunk = pages[start : start + threads.KEYS_PER_QUERY]
        found.update(connection.scalars(select(parts.c.thread).where(parts.c.page.in_(chunk))))
        found.update(connection.scalars(select(article_pages.c.article).where(article_pages.c.page.in_(chunk))))
    return found
