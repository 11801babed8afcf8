"""Queries in the syntax of SQLite's full-text engine, FTS5: one expression for as much of a query as it can answer."""

from thresher.index import tokens
from thresher.index.compiler import Selection, Statement, predicate
from thresher.index.nodes import And, Everything, Near, Node, Not, Or, Query, Words
from thresher.index.stems import Stems

RANKED = 5_000  # matches that are ranked: the last ones; to rank a common word's would take seconds, and tell nothing
_COLUMNS = {"title": "title : ", "body": "body : ", "author": "names : ", None: "{title body names} : "}
_WEIGHTS = "8.0, 1.0, 4.0, 0.5"  # of a match in title, body, names and stems


def select(query: Query, stems: Stems) -> Selection:
    """Return what selects the documents of a query; raise UsageError for what this index holds nothing about."""
    compiler = _Compiler(stems)
    parts = query.root.parts if isinstance(query.root, And) else (query.root,)
    textual = [part for part in parts if _is_textual(part)]
    others = [part for part in parts if not _is_textual(part)]
    if any(not isinstance(part, Not) for part in textual):
        asked = compiler.expression(_conjunction(textual))
        rest = compiler.predicate(_conjunction(others))
        source = "matched JOIN entries AS e USING (id)"
        return Selection(_ranked(asked), source, "matched.score", rest, _unranked(asked))
    wanted = [compiler.expression(words) for words in query.words()]
    whole = compiler.predicate(query.root)
    if wanted:
        source, score = "entries AS e LEFT JOIN matched USING (id)", "coalesce(matched.score, 0)"
        return Selection(_ranked(" OR ".join(wanted)), source, score, whole, _NONE)
    return Selection(_NONE, "entries AS e", "0.0", whole, _NONE)


def expression(node: Words | Near, stems: Stems) -> str:
    """Return words in the syntax of FTS5."""
    return _Compiler(stems).expression(node)


_NONE = Statement("matched AS (SELECT 0 AS id, 0.0 AS score WHERE FALSE)")


def _unranked(expression: str) -> Statement:
    return Statement("matched AS (SELECT rowid AS id FROM words WHERE words MATCH ?)", (expression,))


def _ranked(expression: str) -> Statement:
    # MATERIALIZED: the rank can be computed only where the full-text table is read directly.
    sql = f"""
        first_ranked AS MATERIALIZED (
            SELECT rowid AS id FROM words WHERE words MATCH ? ORDER BY rowid DESC LIMIT 1 OFFSET {RANKED - 1}
        ),
        matched AS MATERIALIZED (
            SELECT rowid AS id, -bm25(words, {_WEIGHTS}) AS score FROM words
            WHERE words MATCH ? AND rowid >= coalesce((SELECT id FROM first_ranked), 0)
            UNION ALL
            SELECT rowid, 0.0 FROM words WHERE words MATCH ? AND rowid < coalesce((SELECT id FROM first_ranked), 0)
        )
    """
    return Statement(sql, (expression,) * 3)


def _conjunction(parts: list[Node]) -> Node:
    return And(tuple(parts)) if len(parts) > 1 else parts[0] if parts else Everything()


def _is_textual(node: Node) -> bool:
    """Say whether the full-text engine alone can answer a node; it can exclude only from something."""
    if isinstance(node, Words | Near):
        return True
    if isinstance(node, Not):
        return _is_textual(node.part) and not isinstance(node.part, Not)
    if isinstance(node, And):
        return all(map(_is_textual, node.parts)) and not all(isinstance(part, Not) for part in node.parts)
    if isinstance(node, Or):
        return all(_is_textual(part) and not isinstance(part, Not) for part in node.parts)
    return False


class _Compiler:
    """Compiles the nodes of a query; words are quoted, and hold no quotation marks."""

    def __init__(self, stems: Stems) -> None:
        self._stems = stems

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

    def predicate(self, node: Node) -> Statement:
        return predicate(node, self._matching)

    def _matching(self, node: Words | Near) -> Statement:
        return Statement("e.id IN (SELECT rowid FROM words WHERE words MATCH ?)", (self.expression(node),))

    def _column(self, field: str | None) -> str:
        """Return the filter for a field; none is much faster where no stems are kept."""
        return _COLUMNS[field] if field or self._stems.version else ""

    def _words(self, node: Words) -> str:
        phrase = tokens.phrase(node.text, prefix=node.prefix)
        exact = f'{self._column(node.field)}"{" ".join(phrase.tokens)}"{" *" if phrase.prefix else ""}'
        stems = self._stems.of(node.text) if not node.field and not phrase.prefix else ()
        if not stems:
            return exact
        return "(" + " OR ".join([exact, *(f'{{title body stems}} : "{stem}"' for stem in stems)]) + ")"
