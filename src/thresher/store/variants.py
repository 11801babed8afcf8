"""Variants: pages whose URLs differ in one parameter, and what they show of it.

    /a             ─┐
    /a?theme=dark  ─┼─▶ one row (base /a, theme): one document stands for all, `same` if another had its text,
    /a?theme=light ─┘                             `differs` if another of the same run had not

A parameter changes nothing on a host when enough bases say so and none says otherwise. Rows are few: those of a host
and parameter are limited, and those that show nothing give way.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    case,
    delete,
    distinct,
    func,
    literal_column,
    or_,
    select,
    update,
)
from sqlalchemy.sql.dml import Insert

from thresher.database import Columns, upsert_with
from thresher.model import Document
from thresher.model.codec import storable
from thresher.store.contract import SAME_PATHS
from thresher.store.rows import Row
from thresher.store.tables import article_pages, documents, variants
from thresher.store.threads import KEYS_PER_QUERY
from thresher.urls import host_of, key_of, without_parameters

MAX_PARAMETERS = 6  # of a URL that are looked at
MAX_NAME = 60  # characters of a parameter's name
MAX_NAMES = 60  # parameters of a host
MAX_BASES = 200  # of one parameter of a host
DECIDED = 2  # bases that say that a parameter matters: nothing more is noted of it
# Names that choose a page or a part of one nearly everywhere: a fault of a site must not make them be left out.
_CHOOSING = """
    id p page pg paged pagenum start offset from q s query search keyword t tid topic thread threadid pid post postid
    f fid forum cat category tag year month day date article aid news story item view action mod do
"""
CHOOSING = frozenset(_CHOOSING.split())


def _seen(new: Columns | Mapping[str, Any]) -> list[tuple[str, ColumnElement[Any]]]:
    """Return what a document changes in a row, each value by the row as it was; of a later run, it stands for the base.

    The order matters in MySQL, where a value sees what those before it have become: `key` and `run`, which tell
    whether the document is newer, come last, and `key` leaves `run` with the same answer.
    """
    held = variants.c
    is_other = held.key != new["key"]
    is_newer = or_(held.key == new["key"], held.run < new["run"])
    same = and_(is_other, held.text_hash == new["text_hash"])
    differs = and_(is_other, held.text_hash != new["text_hash"], held.run == new["run"])
    values = [("same", case((same, literal_column("1")), else_=held.same))]
    values.append(("differs", case((differs, literal_column("1")), else_=held.differs)))
    latest = ("text_hash", "url", "key", "run")
    return values + [(name, case((is_newer, new[name]), else_=held[name])) for name in latest]


@cache
def _put(dialect: str) -> Insert:
    return upsert_with(dialect, variants, lambda new: dict(_seen(new)))


_OWN = {name: bindparam(f"own_{name}", type_=variants.c[name].type) for name in ("key", "url", "text_hash", "run")}
_COMPARE = update(variants).where(variants.c.base == _OWN["key"]).ordered_values(*_seen(_OWN))


def note_variant(connection: Connection, url: str, document: Document, run: int) -> None:
    """Note what the document of a page shows of the parameters of its URL."""
    text_hash = document.text_hash
    if text_hash is None:
        return
    own: Row = {"key": key_of(url), "url": storable(url), "text_hash": text_hash, "run": run}
    connection.execute(_COMPARE, {f"own_{name}": value for name, value in own.items()})
    bases = {key_of(without_parameters(url, {name})): name for name in names_in(url)}
    if not bases:
        return
    host = storable(host_of(url))
    query = select(variants.c.base, variants.c.name).where(variants.c.base.in_(bases))
    held = {row.base for row in connection.execute(query) if bases[row.base] == row.name}
    room = _with_room(connection, host, {name for base, name in bases.items() if base not in held})
    plain = {row["key"]: row for row in _plain_pages(connection, list(bases))}
    put = _put(connection.dialect.name)
    for base in sorted(bases):  # in the order in which everybody waits for rows
        place = {"base": base, "name": bases[base], "host": host, "same": 0, "differs": 0}
        if base not in held and bases[base] not in room:
            continue
        if base in plain:
            connection.execute(put, place | plain[base])
        connection.execute(put, place | own)


def names_in(url: str) -> Iterator[str]:
    """Yield the parameters of a URL that stand in it once, where they are few."""
    names = [piece.partition("=")[0] for piece in url.partition("?")[2].split("&") if piece]
    if len(names) <= MAX_PARAMETERS:
        yield from (name for name in names if 0 < len(name) <= MAX_NAME and names.count(name) == 1)


def _plain_pages(connection: Connection, keys: Sequence[str]) -> list[Row]:
    """Return the documents of some pages; those of an article's pages as each is alone."""
    columns = (documents.c.key, documents.c.url, documents.c.text_hash, documents.c.run)
    query = select(*columns).where(documents.c.key.in_(keys), documents.c.part == 1)
    found = {row.key: row._asdict() for row in connection.execute(query)}
    single = (article_pages.c.page.label("key"), article_pages.c.url, article_pages.c.text_hash, article_pages.c.run)
    several = connection.execute(select(*single).where(article_pages.c.page.in_(keys)))
    found.update({row.key: row._asdict() for row in several})
    return [row for row in found.values() if row["url"] and row["text_hash"]]


def _with_room(connection: Connection, host: str, names: set[str]) -> set[str]:
    """Return the parameters of which one more base is noted: new ones while there are few, and undecided ones."""
    if not names:
        return set()
    columns = (variants.c.name, func.count().label("bases"), func.sum(variants.c.differs).label("differs"))
    query = select(*columns).where(variants.c.host == host).group_by(variants.c.name)
    known = {row.name: row for row in connection.execute(query)}
    for name in names & known.keys():
        if known[name].bases >= MAX_BASES:
            idle = (variants.c.host == host, variants.c.name == name, variants.c.same == 0, variants.c.differs == 0)
            connection.execute(delete(variants).where(*idle))
    full = {name for name in names & known.keys() if known[name].differs >= DECIDED or known[name].bases >= MAX_BASES}
    new = sorted(names - known.keys())[: max(0, MAX_NAMES - len(known))]
    return ((names & known.keys()) - full) | set(new)


def idle_parameters(connection: Connection, host: str) -> frozenset[str]:
    """Return the parameters that change nothing on a host."""
    agreeing = func.count(distinct(case((variants.c.same == 1, variants.c.text_hash))))
    query = select(variants.c.name).where(variants.c.host == storable(host)).group_by(variants.c.name)
    query = query.having(func.sum(variants.c.differs) == 0, agreeing >= SAME_PATHS)
    return frozenset(row.name for row in connection.execute(query)) - CHOOSING


def twins_of(connection: Connection, stems: Mapping[str, str]) -> dict[str, str]:
    """Return by URL the stored document whose URL has the same stem, if there is one besides it."""
    keys = sorted({key_of(stem) for stem in stems.values()})
    found: dict[str, list[tuple[str, str]]] = {}
    for start in range(0, len(keys), KEYS_PER_QUERY):
        chunk = keys[start : start + KEYS_PER_QUERY]
        for row in _plain_pages(connection, chunk):
            found.setdefault(row["key"], []).append((row["key"], row["url"]))
        query = select(variants.c.base, variants.c.key, variants.c.url).where(variants.c.base.in_(chunk))
        for other in connection.execute(query.order_by(variants.c.base, variants.c.name)):
            found.setdefault(other.base, []).append((other.key, other.url))
    twins: dict[str, str] = {}
    for url, stem in stems.items():
        own = key_of(url)
        twin = next((other for key, other in found.get(key_of(stem), ()) if key != own), None)
        if twin is not None:
            twins[url] = twin
    return twins
