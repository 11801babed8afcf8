"""Which traces of a site are kept: those of a few pages of each run, the same ones in whatever order pages come."""

from sqlalchemy import Connection, and_, delete, select

from thresher.store.contract import SITE_PAGES
from thresher.store.tables import traces


def make_room(connection: Connection, site: str, run: int, key: str) -> bool:
    """Say whether a page's traces belong to the kept ones of its site and run; drop those that do not any more."""
    query = select(traces.c.run, traces.c.key).where(traces.c.site == site)
    held = [(row.run, row.key) for row in connection.execute(query)]
    ours = sorted({key, *(other for of, other in held if of == run)})
    earlier = sorted(((of, other) for of, other in held if of < run), key=_latest_first)
    surplus = [(run, other) for other in ours[SITE_PAGES:] if other != key] + earlier[2 * SITE_PAGES :]
    for of, other in surplus:
        where = and_(traces.c.site == site, traces.c.run == of, traces.c.key == other)
        connection.execute(delete(traces).where(where))
    return key in ours[:SITE_PAGES]


def latest_traces(connection: Connection, site: str, before: int) -> dict[str, bytes]:
    """Return the traces of a site's pages that runs before this one saved, the newest of each page."""
    query = select(traces.c.key, traces.c.content).where(traces.c.site == site, traces.c.run < before)
    found: dict[str, bytes] = {}
    for row in connection.execute(query.order_by(traces.c.run.desc(), traces.c.key).limit(2 * SITE_PAGES)):
        if len(found) < SITE_PAGES:
            found.setdefault(row.key, row.content)
    return found


def _latest_first(held: tuple[int, str]) -> tuple[int, str]:
    return -held[0], held[1]
