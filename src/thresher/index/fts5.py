"""Queries in the syntax of SQLite's full-text engine, FTS5: one expression for as much of a query as it can answer."""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from thresher.index import tokens
from thresher.index.compiler import DOCUMENTS, POSTS, Selection, Statement, Subject, predicate
from thresher.index.nodes import And, Everything, Near, Node, Not, Or, Query, Words
from thresher.index.stems import Stems

RANKED = 5_000  # matches that are ranked: the last ones; to rank a common word's would take seconds, and tell nothing


class Table(NamedTuple):
    """A full-text table: what a word without a field, or in one, is looked for in, and how much a match counts."""

    name: str
    key: str  # the entry or post that a row is about
    columns: Mapping[str | None, str]
    stems: str
    weights: str


DOCUMENT_WORDS = Table(
    "words",
    "e.id",
    {"title": "title", "body": "body", "author": "names", None: "{title body names}"},
    "{title body stems}",
    "8.0, 1.0, 4.0, 0.5",
)
POST_WORDS = Table(
    "post_words", "p.id", {"body": "body", "author": "names", None: "{body names}"}, "{body stems}", "1.0, 4.0, 0.5"
)


def select(query: Query, stems: Stems) -> Selection:
    """Return what selects the documents or posts of a query; raise UsageError for what the index holds nothing about.

    Where words alone select documents, the statement in the place of `first` is all there is to ask.
    """
    posts = query.of_posts
    compiler = _Compiler(stems, POST_WORDS if posts else DOCUMENT_WORDS)
    subject = POSTS if posts else DOCUMENTS
    first, then = ("entry_posts AS p", " JOIN entries AS e ON e.id = p.entry") if posts else ("entries AS e", "")
    parts = query.root.parts if isinstance(query.root, And) else (query.root,)
    textual = [part for part in parts if compiler.is_textual(part)]
    others = [part for part in parts if not compiler.is_textual(part)]
    if any(not isinstance(part, Not) for part in textual):
        asked = compiler.expression(_conjunction(textual))
        rest = compiler.predicate(_conjunction(others), subject)
        source = f"matched JOIN {first} ON {subject.table}.id = matched.id{then}"
        return Selection(compiler.ranked(asked), source, "matched.score", rest, compiler.unranked(asked), subject)
    wanted = [compiler.expression(words) for words in query.words() if compiler.is_textual(words)]
    whole = compiler.predicate(query.root, subject)
    if wanted:
        source = f"{first} LEFT JOIN matched ON matched.id = {subject.table}.id{then}"
        ranked = compiler.ranked(" OR ".join(wanted))
        return Selection(ranked, source, "coalesce(matched.score, 0)", whole, _NONE, subject)
    return Selection(_NONE, first + then, "0.0", whole, _NONE, subject)


def ids(query: Query, stems: Stems) -> Statement:
    """Return what selects the ids of all documents of a query, as one JSON list."""
    compiler = _Compiler(stems, DOCUMENT_WORDS)
    if compiler.is_textual(query.root) and not isinstance(query.root, Not):
        sql = "SELECT json_group_array(rowid) FROM words WHERE words MATCH ?"
        return Statement(sql, (compiler.expression(query.root),))
    return select(query, stems).select("json_group_array(e.id)")


def ranks(query: Query, stems: Stems, among: Sequence[int]) -> Statement | None:
    """Return what selects (id, score) of those among some documents, in order, that hold the words of a query."""
    compiler = _Compiler(stems, DOCUMENT_WORDS)
    whole = compiler.is_textual(query.root) and not isinstance(query.root, Not)
    wanted = [query.root] if whole else list(query.words())
    if not wanted or not among:
        return None
    asked = " OR ".join(map(compiler.expression, wanted))
    # The sign keeps SQLite from looking each of them up, which takes longer than reading on from the first.
    sql = f"""
        SELECT rowid, -bm25(words, {DOCUMENT_WORDS.weights}) FROM words
        WHERE words MATCH ? AND rowid BETWEEN ? AND ? AND +rowid IN (SELECT value FROM json_each(?))
    """
    return Statement(sql, (asked, among[0], among[-1], json.dumps(list(among))))


def expression(node: Words | Near, stems: Stems) -> str:
    """Return words in the syntax of FTS5."""
    return _Compiler(stems, DOCUMENT_WORDS).expression(node)


_NONE = Statement("matched AS (SELECT 0 AS id, 0.0 AS score WHERE FALSE)")


def _conjunction(parts: list[Node]) -> Node:
    return And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else Everything()


class _Compiler:
    """Compiles the nodes of a query; words are quoted, and hold no quotation marks."""

    def __init__(self, stems: Stems, table: Table) -> None:
        self._stems, self._table = stems, table

    def is_textual(self, node: Node) -> bool:
        """Say whether the full-text table alone can answer a node; it can exclude only from something."""
        if isinstance(node, Words | Near):
            return (node.left if isinstance(node, Near) else node).field in self._table.columns
        if isinstance(node, Not):
            return self.is_textual(node.part) and not isinstance(node.part, Not)
        if isinstance(node, And):
            return all(map(self.is_textual, node.parts)) and not all(isinstance(part, Not) for part in node.parts)
        if isinstance(node, Or):
            return all(self.is_textual(part) and not isinstance(part, Not) for part in node.parts)
        return False

    def unranked(self, expression: str) -> Statement:
        name = self._table.name
        return Statement(f"matched AS (SELECT rowid AS id FROM {name} WHERE {name} MATCH ?)", (expression,))

    def ranked(self, expression: str) -> Statement:
        # MATERIALIZED: the rank can be computed only where the full-text table is read directly.
        name = self._table.name
        sql = f"""
            first_ranked AS MATERIALIZED (
                SELECT rowid AS id FROM {name} WHERE {name} MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET {RANKED - 1}
            ),
            matched AS MATERIALIZED (
                SELECT rowid AS id, -bm25({name}, {self._table.weights}) AS score FROM {name}
                WHERE {name} MATCH ? AND rowid >= coalesce((SELECT id FROM first_ranked), 0)
                UNION ALL
                SELECT rowid, 0.0 FROM {name}
                WHERE {name} MATCH ? AND rowid < coalesce((SELECT id FROM first_ranked), 0)
            )
        """
        return Statement(sql, (expression,) * 3)

    def expression(self, node: Node) -> str:
        if isinstance(node, Words):
            return self._words(node)
        if isinstance(node, Near):
            near = " ".join(f'"{" ".join(tokens.phrase(words.text).tokens)}"' for words in (node.left, node.right))
            return f"{self._column(node.left.field)}NEAR({near}, {node.distance})"
        if isinstance(node, Or):
            return "(" + " OR ".join(map(self.expression, node.parts)) + ")"
        assert isinstance(node, And), "exclusions are handled with the parts that they exclude from"
        wanted = " AND ".join(self.expression(part) for part in node.parts if not isinstance(part, Not))
        unwanted = " OR ".join(self.expression(part.part) for part in node.parts if isinstance(part, Not))
        return f"(({wanted}) NOT ({unwanted}))" if unwanted else f"({wanted})"

    def predicate(self, node: Node, subject: Subject) -> Statement:
        return predicate(node, self._matching, subject)

    def _matching(self, node: Words | Near) -> Statement:
        if not self.is_textual(node):  # the title of a post is that of its document
            return Statement("e.id IN (SELECT rowid FROM words WHERE words MATCH ?)", (expression(node, self._stems),))
        name = self._table.name
        sql = f"{self._table.key} IN (SELECT rowid FROM {name} WHERE {name} MATCH ?)"
        return Statement(sql, (self.expression(node),))

    def _column(self, field: str | None) -> str:
        """Return the filter for a field; none is much faster where no stems are kept."""
        return f"{self._table.columns[field]} : " if field or self._stems.version else ""

    def _words(self, node: Words) -> str:
        phrase = tokens.phrase(node.text, prefix=node.prefix)
        exact = f'{self._column(node.field)}"{" ".join(phrase.tokens)}"{" *" if phrase.prefix else ""}'
        stems = self._stems.of(node.text) if not node.field and not phrase.prefix else ()
        if not stems:
            return exact
        return "(" + " OR ".join([exact, *(f'{self._table.stems} : "{stem}"' for stem in stems)]) + ")"
