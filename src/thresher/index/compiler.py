"""Compile a query into one SQL statement over the embedded index: full-text expressions, and predicates on entries."""

from dataclasses import dataclass
from datetime import datetime

from thresher import urls
from thresher.errors import UsageError
from thresher.index import tokens
from thresher.index.entry import epoch_s, reversed_domain
from thresher.index.fields import BY_SOURCE
from thresher.index.nodes import And, Dated, Everything, Labelled, Long, Node, Not, Or, Query, Site, Sources, Url, Words

Value = str | float | int

_COLUMNS = {"title": "title", "body": "body", "author": "names"}
_WEIGHTS = "8.0, 1.0, 4.0"  # of a match in title, body and names
_ORDERS = {
    "relevance": "coalesce(score, 0), published_at IS NULL, published_at DESC, id DESC",
    "date": "published_at IS NULL, published_at DESC, seen_at DESC, id DESC",
}
_UNKNOWN = {
    name: f"{name}: cannot be answered here: only the catalog knows the {name}s of sources" for name in BY_SOURCE
}
_IS_COPY = """
    EXISTS (SELECT 1 FROM entries AS o WHERE o.text_hash = e.text_hash AND (o.seen_at, o.id) < (e.seen_at, e.id))
"""
# Whether another entry has the same text: most have none, and need not be put in groups.
_TWIN = "EXISTS (SELECT 1 FROM entries AS o WHERE o.text_hash = e.text_hash AND o.id <> e.id)"
_FACTS = f"e.id, score, e.published_at, e.seen_at, CASE WHEN {_TWIN} THEN e.text_hash END AS twin"
# Of the entries with one text, the first that was seen stands for all.
_SINGLE = """
    SELECT id, score, published_at, seen_at, 1 AS alike FROM found WHERE twin IS NULL
    UNION ALL
    SELECT id, score, published_at, seen_at, alike FROM (
        SELECT *, row_number() OVER (PARTITION BY twin ORDER BY seen_at, id) AS place,
            count(*) OVER (PARTITION BY twin) AS alike
        FROM found WHERE twin IS NOT NULL
    ) WHERE place = 1
"""


@dataclass(frozen=True, slots=True)
class Statement:
    """SQL and the values for its placeholders."""

    sql: str
    values: tuple[Value, ...]


@dataclass(frozen=True, slots=True)
class Selection:
    """The entries that satisfy a query: where they come from, each with its score, and what they must satisfy."""

    matched: Statement | None  # the full-text part, which also ranks
    source: str
    predicate: Statement

    def page(self, *, limit: int, offset: int, sort: str) -> Statement:
        """Return what selects (id, score, total, alike) of some entries in order, each of another text.

        `alike` counts those with the same text. Raise UsageError for an unknown order.
        """
        if sort not in _ORDERS:
            raise UsageError(f"sort: takes one of {', '.join(_ORDERS)}, not {sort!r}")
        found = self._select(_FACTS)
        sql = f"""
            WITH found AS MATERIALIZED ({found.sql})
            SELECT id, score, count(*) OVER (), alike FROM ({_SINGLE}) ORDER BY {_ORDERS[sort]} LIMIT ? OFFSET ?
        """
        return Statement(sql, (*found.values, limit, offset))

    def ids(self) -> Statement:
        """Return what selects the ids of all entries, copies too, oldest first."""
        return self._select("e.id", "ORDER BY e.id")

    def total(self) -> Statement:
        """Return what counts the entries, those of one text once."""
        return self._select("count(DISTINCT coalesce(e.text_hash, e.id))")

    def _select(self, columns: str, tail: str = "") -> Statement:
        # MATERIALIZED: the rank can be computed only where the full-text table is read directly.
        matched = self.matched or Statement("SELECT 0 AS score", ())
        sql = f"""
            WITH matched AS MATERIALIZED ({matched.sql})
            SELECT {columns} FROM {self.source} WHERE {self.predicate.sql} {tail}
        """
        return Statement(sql, matched.values + self.predicate.values)


def compile_query(query: Query) -> Selection:
    """Return what selects the documents of a query; raise UsageError for what this index holds nothing about."""
    parts = query.root.parts if isinstance(query.root, And) else (query.root,)
    textual = [part for part in parts if _is_textual(part)]
    others = [part for part in parts if not _is_textual(part)]
    if any(not isinstance(part, Not) for part in textual):
        matched = _ranked(_expression(_conjunction(textual)))
        return Selection(matched, "matched JOIN entries AS e USING (id)", _predicate(_conjunction(others)))
    wanted = [_expression(words) for words in query.words()]
    if wanted:
        matched = _ranked(" OR ".join(wanted))
        return Selection(matched, "entries AS e LEFT JOIN matched USING (id)", _predicate(query.root))
    return Selection(None, "entries AS e CROSS JOIN matched", _predicate(query.root))


def _ranked(expression: str) -> Statement:
    sql = f"SELECT rowid AS id, bm25(words, {_WEIGHTS}) AS score FROM words WHERE words MATCH ?"
    return Statement(sql, (expression,))


def _conjunction(parts: list[Node]) -> Node:
    return And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else Everything()


def _is_textual(node: Node) -> bool:
    """Say whether the full-text engine alone can answer a node; it can exclude only from something."""
    if isinstance(node, Words):
        return True
    if isinstance(node, Not):
        return _is_textual(node.part) and not isinstance(node.part, Not)
    if isinstance(node, And):
        return all(map(_is_textual, node.parts)) and not all(isinstance(part, Not) for part in node.parts)
    if isinstance(node, Or):
        return all(_is_textual(part) and not isinstance(part, Not) for part in node.parts)
    return False


def _expression(node: Node) -> str:
    """Return a textual node in the full-text engine's own syntax; words are quoted, and hold no quotation marks."""
    if isinstance(node, Words):
        phrase = tokens.phrase(node.text, prefix=node.prefix)
        column = f"{_COLUMNS[node.field]} : " if node.field else ""
        return f'{column}"{" ".join(phrase.tokens)}"{" *" if phrase.prefix else ""}'
    if isinstance(node, Or):
        return "(" + " OR ".join(map(_expression, node.parts)) + ")"
    assert isinstance(node, And), "exclusions are handled with the parts that they exclude from"
    wanted = " AND ".join(_expression(part) for part in node.parts if not isinstance(part, Not))
    unwanted = " OR ".join(_expression(part.part) for part in node.parts if isinstance(part, Not))
    return f"(({wanted}) NOT ({unwanted}))" if unwanted else f"({wanted})"


def _predicate(node: Node) -> Statement:
    if _is_textual(node) and not isinstance(node, Not):
        return Statement("e.id IN (SELECT rowid FROM words WHERE words MATCH ?)", (_expression(node),))
    if isinstance(node, And | Or):
        parts = [_predicate(part) for part in node.parts]
        sign = " AND " if isinstance(node, And) else " OR "
        return Statement(f"({sign.join(part.sql for part in parts)})", tuple(v for part in parts for v in part.values))
    if isinstance(node, Not):
        part = _predicate(node.part)
        return Statement(f"NOT {part.sql}", part.values)
    if isinstance(node, Everything):
        return Statement("TRUE", ())
    assert not isinstance(node, Words), "words are textual"
    return _fact(node)


def _fact(node: Site | Url | Sources | Labelled | Dated | Long) -> Statement:
    """Return a predicate that is true or false for every entry, never unknown: it may stand under a NOT."""
    if isinstance(node, Site):
        return _site(node.host)
    if isinstance(node, Url):
        return _url(node)
    if isinstance(node, Sources):
        marks = ", ".join("?" * len(node.names))
        return Statement(f"e.id IN (SELECT id FROM entry_sources WHERE source IN ({marks}))", node.names)
    if isinstance(node, Labelled):
        return _label(node)
    if isinstance(node, Dated):
        column = "e.published_at" if node.field == "date" else "e.seen_at"
        return _between(column, _seconds(node.since), _seconds(node.until))
    return _between("e.length", node.least, None if node.most is None else node.most + 1)


def _site(host: str) -> Statement:
    if ":" in host.rpartition("]")[2]:
        return Statement("e.host = ?", (host,))
    domain = reversed_domain(host)
    return Statement("(e.domain >= ? AND e.domain < ?)", (domain, domain[:-1] + "/"))  # "/" comes after "."


def _url(node: Url) -> Statement:
    if not node.whole:
        return Statement("instr(lower(e.url), lower(?)) > 0", (node.text,))
    rest = node.text.partition("://")[2]
    keys = (urls.key_of(f"http://{rest}"), urls.key_of(f"https://{rest}"))
    return Statement("(e.key IN (?, ?) OR (e.canonical_key IS NOT NULL AND e.canonical_key IN (?, ?)))", keys * 2)


def _label(node: Labelled) -> Statement:
    problem = _UNKNOWN.get(node.field) or (_UNKNOWN.get(node.value) if node.field == "is" else None)
    if problem:
        raise UsageError(problem)
    if node.field == "is" and node.value in ("duplicate", "original"):
        return Statement(_IS_COPY if node.value == "duplicate" else f"NOT {_IS_COPY}", ())
    if node.field == "is":
        return Statement("e.kind = ?", ("thread" if node.value == "post" else node.value,))
    if node.field == "has":
        return Statement({"date": "e.published_at IS NOT NULL", "author": "e.authors <> '[]'"}[node.value], ())
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
