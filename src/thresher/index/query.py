"""The query language, one parser for command line, API, pages and alerts.

    降准 "存款准备金" -传闻 (site:xinhuanet.com | site:reuters.com) date:7d lang:zh is:article

    a b, a + b, a AND b    both                  "a b"       next to each other
    a | b, a OR b          either (binds less)   a*          words that begin so
    -a, !a, NOT a          not a                 field:a, field:"a b", field:(a | b)
    https://…              the document of that URL

A field is one of title, body, author (words); site (with its subdomains), url (a part of it), lang, run; source (its
name), channel and tag (of a source); date and seen (7d, today, 2026-11, 2026-11-01..2026-11-15); is, has; len (>800).
Full-width signs do what their plain forms do. What has no letters or digits is left out. An empty query finds
everything.
"""

from datetime import datetime

from thresher.errors import UsageError
from thresher.index import fields
from thresher.index.lexer import Lexeme, Sort, lexemes, whereabouts
from thresher.index.nodes import And, Everything, Node, Not, Or, Query

__all__ = ["Query", "parse"]

MAX_CHARS = 5000
MAX_TERMS = 200
MAX_DEPTH = 12  # parentheses inside parentheses


def parse(text: str, now: datetime) -> Query:
    """Return the query that a text means at a time; raise UsageError that says where it cannot be read and why."""
    if len(text) > MAX_CHARS:
        raise UsageError(f"the query has {len(text)} characters; the limit is {MAX_CHARS}")
    text = text.encode("utf-8", "replace").decode("utf-8")  # half a surrogate pair: no backend takes it
    if not text.strip():
        return Query(Everything(), text)
    return Query(_Parser(text, now).whole(), text)


class _Parser:
    """Reads the lexemes of one query from left to right."""

    def __init__(self, text: str, now: datetime) -> None:
        self._text = text
        self._now = now
        self._lexemes = list(lexemes(text, fields.FIELDS))
        self._next = 0
        self._terms = 0

    def whole(self) -> Node:
        node = self._either(None, depth=0)
        if self._peek() is Sort.CLOSE:
            raise self._wrong("a closing parenthesis without its opening one")
        if node is None:
            raise self._wrong("nothing to search for; give a word, a field or a URL")
        return node

    def _either(self, field: str | None, depth: int) -> Node | None:
        parts = [self._all(field, depth)]
        while self._peek() is Sort.OR:
            sign = self._take()
            parts.append(self._all(field, depth))
            if parts[-1] is None or parts[0] is None:
                raise self._wrong("OR and | stand between two things to search for", sign)
        return _joined(Or, [part for part in parts if part])

    def _all(self, field: str | None, depth: int) -> Node | None:
        parts = []
        while self._peek() not in (Sort.OR, Sort.CLOSE, Sort.END):
            parts.append(self._term(field, depth))
        return _joined(And, [part for part in parts if part])

    def _term(self, field: str | None, depth: int) -> Node | None:
        excluded = False
        while self._peek() in (Sort.NOT, Sort.AND):
            excluded ^= self._take().sort is Sort.NOT
        node = self._field(depth) if self._peek() is Sort.FIELD and not field else self._value(field, depth)
        return Not(node) if excluded and node else node

    def _field(self, depth: int) -> Node | None:
        name = self._take()
        if self._peek() not in (Sort.WORD, Sort.PHRASE, Sort.URL, Sort.OPEN):
            raise self._wrong(f"{name.text}: needs a value behind it, like {name.text}:something", name)
        return self._value(name.text, depth)

    def _value(self, field: str | None, depth: int) -> Node | None:
        lexeme = self._take()
        if lexeme.sort is Sort.OPEN:
            return self._group(lexeme, field, depth + 1)
        if lexeme.sort not in (Sort.WORD, Sort.PHRASE, Sort.URL):
            raise self._wrong("something to search for is missing", lexeme)
        self._terms += 1
        if self._terms > MAX_TERMS:
            raise self._wrong(f"too many terms; the limit is {MAX_TERMS}", lexeme)
        try:
            return self._leaf(lexeme, field)
        except UsageError as error:
            raise self._wrong(str(error), lexeme) from error

    def _leaf(self, lexeme: Lexeme, field: str | None) -> Node | None:
        if field:
            return fields.node_of(field, lexeme.text, self._now)
        if lexeme.sort is Sort.URL:
            return fields.address(lexeme.text)
        found = fields.words(lexeme.text)
        if found is None and lexeme.sort is Sort.PHRASE:
            raise UsageError("there is no word between the quotation marks")
        return found

    def _group(self, opening: Lexeme, field: str | None, depth: int) -> Node:
        if depth > MAX_DEPTH:
            raise self._wrong(f"parentheses are nested more than {MAX_DEPTH} deep", opening)
        node = self._either(field, depth)
        if self._peek() is not Sort.CLOSE:
            raise self._wrong("the parenthesis is never closed", opening)
        self._take()
        if node is None:
            raise self._wrong("the parentheses hold nothing to search for", opening)
        return node

    def _peek(self) -> Sort:
        return self._lexemes[self._next].sort

    def _take(self) -> Lexeme:
        lexeme = self._lexemes[self._next]
        self._next = min(self._next + 1, len(self._lexemes) - 1)
        return lexeme

    def _wrong(self, message: str, lexeme: Lexeme | None = None) -> UsageError:
        place = (lexeme or self._lexemes[self._next]).place
        return UsageError(f"{whereabouts(self._text, place)}: {message}")


def _joined(kind: type[And] | type[Or], parts: list[Node]) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return kind(tuple(parts))
