"""Compile a query into SQL over the entries of an index: what SQLite and PostgreSQL have in common.

How words are found differs: a backend gives the predicate of words (`Matching`), and this module all the rest. Values
stand for question marks.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from thresher import urls
from thresher.errors import UsageError
from thresher.index.entry import epoch_s, reversed_domain
from thresher.index.fields import BY_SOURCE
from thresher.index.nodes import (
    And,
    Dated,
    Everything,
    Labelled,
    Long,
    Near,
    Node,
    Not,
    Or,
    Site,
    Sources,
    Url,
    Words,
    wants_posts,
)

Value = str | float | int

NEVER = -1e15  # seconds: what has no date sorts as if it were older than anything
SORTS = {  # by what hits are ordered, all of it descending
    "relevance": ("score", "day", "id"),
    "date": ("day", "seen", "id"),
    "seen": ("seen", "id"),
}
UNKNOWN = {
    name: f"{name}: cannot be answered here: only the catalog knows the {name}s of sources" for name in BY_SOURCE
}
STRAY_POSTS = "is:post: can neither be excluded nor be one of several alternatives"
ORIGIN = "CASE WHEN {0}.published_at < {0}.seen_at THEN {0}.published_at ELSE {0}.seen_at END"  # no date: when seen
_IS_COPY = f"""
    EXISTS (
        SELECT 1 FROM entries AS o WHERE o.text_hash = e.text_hash
        AND ({ORIGIN.format("o")}, o.seen_at, o.id) < ({ORIGIN.format("e")}, e.seen_at, e.id)
    )
"""
# Of the entries with one text, the first that was published stands for all. Most have no twin and need no group.
_SINGLE = """
    SELECT id, score, day, seen, 1 AS alike FROM found WHERE twin IS NULL
    UNION ALL
    SELECT id, score, day, seen, alike FROM (
        SELECT id, score, day, seen, row_number() OVER (PARTITION BY twin ORDER BY origin, seen, id) AS place,
            count(*) OVER (PARTITION BY twin) AS alike
        FROM found WHERE twin IS NOT NULL
    ) AS groups WHERE place = 1
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL and the values for its placeholders."""

    sql: str
    values: tuple[Value, ...] = ()


Matching = Callable[[Words | Near], Statement]


@dataclass(frozen=True, slots=True)
class Subject:
    """What a query finds, documents or posts, and the columns of what is asked of either."""

    table: str  # its name in statements
    published: str
    seen: str
    length: str
    has_author: str
    origin: str  # when it counts as published
    twin: str  # what its copies share
    authors: str = ""  # the one author; empty: a document has a list of them


DOCUMENTS = Subject(
    "e",
    "e.published_at",
    "e.seen_at",
    "e.length",
    "e.authors <> '[]'",
    ORIGIN.format("e"),
    "CASE WHEN e.twinned = 1 THEN e.text_hash END",
)
POSTS = Subject("p", "p.published_at", "p.seen_at", "p.length", "p.author <> ''", "0", "NULL", "p.author")


@dataclass(frozen=True, slots=True)
class Selection:
    """What satisfies a query: where it comes from, how good each is, and what it must satisfy."""

    first: Statement  # "NAME AS (…)": what is worked out before
    source: str
    score: str  # higher is better
    predicate: Statement
    unranked: Statement  # in the place of `first`, where nobody asks how good an entry is: that takes most of the time
    subject: Subject = DOCUMENTS
    ranks: Statement | None = None  # selects from `single`, with scores; in the place of `score`

    def page(self, *, limit: int, offset: int, sort: str, after: tuple[Value, ...] | None = None) -> Statement:
        """Return what selects (id, score, day, seen, alike, total) of some entries in order, each of another text.

        `alike` counts those with the same text. `after` are the values by which the last entry seen was sorted.
        """
        columns = SORTS[sort]
        ranked = sort == "relevance"
        ranks = self.ranks if ranked else None
        score = self.score if ranked else "0.0"
        of = self.subject
        facts = f"{of.table}.id, {score} AS score, coalesce({of.published}, {NEVER}) AS day, {of.seen} AS seen"
        found = self.select(f"{facts}, {of.origin} AS origin, {of.twin} AS twin", ranked=ranked)
        marks = ", ".join("?" * len(columns))
        beyond = f"WHERE ({', '.join(columns)}) < ({marks})" if after else ""
        order = ", ".join(f"{column} DESC" for column in columns)
        single = f"WITH found AS MATERIALIZED ({found.sql}), single AS MATERIALIZED ({_SINGLE})"
        rows = ranks.sql if ranks else "single"
        sql = f"""
            {single} SELECT id, score, day, seen, alike, (SELECT count(*) FROM single) FROM {rows}
            {beyond} ORDER BY {order} LIMIT ? OFFSET ?
        """
        return Statement(sql, (*found.values, *(ranks.values if ranks else ()), *(after or ()), limit, offset))

    def ids(self) -> Statement:
        """Return what selects the ids of all documents, those of posts and copies too, oldest first."""
        return self.select("e.id" if self.subject is DOCUMENTS else "DISTINCT e.id", "ORDER BY e.id")

    def total(self) -> Statement:
        """Return what counts the entries, those of one text once."""
        if self.subject is POSTS:
            return self.select("count(*)")
        alone = "CASE WHEN e.twinned = 0 OR e.text_hash IS NULL THEN 1 END"
        return self.select(f"count({alone}) + count(DISTINCT CASE WHEN e.twinned = 1 THEN e.text_hash END)")

    def select(self, columns: str, tail: str = "", *, ranked: bool = False) -> Statement:
        """Return what selects columns of all entries; the score is there only where they are ranked."""
        first = self.first if ranked else self.unranked
        sql = f"WITH {first.sql} SELECT {columns} FROM {self.source} WHERE {self.predicate.sql} {tail}"
        return Statement(sql, first.values + self.predicate.values)


def check_sort(sort: str) -> None:
    """Raise UsageError for an unknown order."""
    if sort not in SORTS:
        raise UsageError(f"sort: takes one of {', '.join(SORTS)}, not {sort!r}")


def predicate(node: Node, matching: Matching, subject: Subject = DOCUMENTS) -> Statement:
    """Return what the entries `e`, or their posts `p`, of a node must satisfy.

    Raise UsageError for what the index holds nothing about.
    """
    if isinstance(node, Words | Near):
        return matching(node)
    if isinstance(node, And | Or):
        parts = [predicate(part, matching, subject) for part in node.parts]
        sign = " AND " if isinstance(node, And) else " OR "
        return Statement(f"({sign.join(part.sql for part in parts)})", tuple(v for part in parts for v in part.values))
    if isinstance(node, Not):
        part = predicate(node.part, matching, subject)
        return Statement(f"NOT {part.sql}", part.values)
    if isinstance(node, Everything):
        return Statement("TRUE")
    return _fact(node, subject)


def _fact(node: Site | Url | Sources | Labelled | Dated | Long, subject: Subject) -> Statement:
    """Return a predicate that is true or false for every entry, never unknown: it may stand under a NOT."""
    if isinstance(node, Site):
        return _site(node.host)
    if isinstance(node, Url):
        return _url(node)
    if isinstance(node, Sources):
        marks = ", ".join("?" * len(node.names)) or "NULL"
        return Statement(f"e.id IN (SELECT id FROM entry_sources WHERE source IN ({marks}))", node.names)
    if isinstance(node, Labelled):
        return _label(node, subject)
    if isinstance(node, Dated):
        column = subject.published if node.field == "date" else subject.seen
        return _between(column, _seconds(node.since), _seconds(node.until))
    return _between(subject.length, node.least, None if node.most is None else node.most + 1)


def _site(host: str) -> Statement:
    if ":" in host.rpartition("]")[2]:
        return Statement("e.host = ?", (host,))
    domain = reversed_domain(host)
    return Statement("(e.domain >= ? AND e.domain < ?)", (domain, domain[:-1] + "/"))  # "/" comes after "."


def _url(node: Url) -> Statement:
    if not node.whole:
        return Statement("e.url_folded LIKE ? ESCAPE '~'", (f"%{escaped(node.text.lower())}%",))
    keys = url_keys(node)
    return Statement("(e.key IN (?, ?) OR (e.canonical_key IS NOT NULL AND e.canonical_key IN (?, ?)))", keys * 2)


def url_keys(node: Url) -> tuple[str, str]:
    """Return the keys of a whole URL, with http and with https."""
    rest = node.text.partition("://")[2]
    return urls.key_of(f"http://{rest}"), urls.key_of(f"https://{rest}")


def escaped(text: str) -> str:
    """Return a text as LIKE … ESCAPE '~' takes it for itself."""
    return text.replace("~", "~~").replace("%", "~%").replace("_", "~_")


def _label(node: Labelled, subject: Subject) -> Statement:
    problem = UNKNOWN.get(node.field)
    if problem:
        raise UsageError(problem)
    if wants_posts(node):
        if subject is DOCUMENTS:
            raise UsageError(STRAY_POSTS)
        return Statement("TRUE")
    if node.field == "is" and node.value in ("duplicate", "original"):
        return Statement(_IS_COPY if node.value == "duplicate" else f"NOT {_IS_COPY}")
    if node.field == "is":
        return Statement("e.kind = ?", (node.value,))
    if node.field == "has":
        return Statement(subject.has_author if node.value == "author" else f"{subject.published} IS NOT NULL")
    if node.field == "run":
        return Statement("(e.run IS NOT NULL AND e.run = ?)", (int(node.value),))
    assert node.field == "lang"
    return Statement(
        "(e.language IS NOT NULL AND (e.language = ? OR (e.language >= ? AND e.language < ?)))",
        (node.value, node.value + "-", node.value + "."),
    )


def _seconds(moment: datetime | None) -> float | None:
    return None if moment is None else epoch_s(moment)


def _between(column: str, least: float | None, below: float | None) -> Statement:
    values: list[Value] = [bound for bound in (least, below) if bound is not None]
    bounds = [f"{column} >= ?"] * (least is not None) + [f"{column} < ?"] * (below is not None)
    return Statement(f"({' AND '.join([f'{column} IS NOT NULL', *bounds])})", tuple(values))
