"""The query language, one parser for command line, API, pages and alerts.

    降准 "存款准备金" -传闻 (site:xinhuanet.com | site:reuters.com) date:7d lang:zh is:article

    a b, a + b, a AND b    both                  "a b"         next to each other
    a | b, a OR b          either (binds less)   a NEAR/5 b    at most five words or characters apart
    -a, !a, NOT a          not a                 a*            words that begin so
    https://…              the document of that URL
    field:a, field:"a b", field:(a | b)

A field is one of title, body, author (words); site (with its subdomains), url (a part of it), lang, run; source (its
name), channel and tag (of a source); saved (the query of that name); date and seen (7d, today, 2026-11,
2026-11-01..2026-11-15); is, has; len (>800). `is:post` finds posts in the place of documents: words, author, date, has
and len are then the post's own, all else that of its document. Full-width signs do what their plain forms do. What has
no letters or digits is left out. An empty query finds everything.
"""

import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import datetime

from thresher.errors import QueryError, UsageError
from thresher.index import fields, tokens
from thresher.index.lexer import Lexeme, Sort, lexemes, wrong
from thresher.index.nodes import POSTS, And, Clause, Everything, Near, Node, Not, Or, Query, Words

__all__ = ["Query", "parse"]

MAX_CHARS = 5000
MAX_TERMS = 200
MAX_DEPTH = 12  # parentheses inside parentheses
MAX_DISTANCE = 100  # of NEAR
MAX_SAVED = 8  # saved searches inside saved searches
Saved = Callable[[str], str | None]  # the name of a saved search → its query; None: there is none


def parse(text: str, now: datetime, saved: Saved | None = None) -> Query:
    """Return the query that a text means at a time; raise QueryError that says where it cannot be read and why.

    `saved` looks up what saved:NAME stands for.
    """
    if len(text) > MAX_CHARS:
        raise QueryError(f"the query has {len(text)} characters; the limit is {MAX_CHARS}", MAX_CHARS)
    # Neither half a surrogate pair nor a zero is taken by every backend.
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", " ")
    if not text.strip():
        return Query(Everything(), text)
    parser = _Parser(text, now, saved)
    root = parser.whole()
    parser.check_posts(root)
    return Query(root, text, parser.clauses(root))


class _Parser:
    """Reads the lexemes of one query from left to right."""

    def __init__(self, text: str, now: datetime, saved: Saved | None, inside: tuple[str, ...] = ()) -> None:
        """Read a text, which may be that of a saved search `inside` of others."""
        self._text = text
        self._now = now
        self._saved = saved
        self._inside = inside
        self._lexemes = list(lexemes(text, fields.FIELDS, fields.MEANT))
        self._next = 0
        self._terms = 0
        self._posts: list[tuple[Node, Lexeme]] = []  # each is:post
        self._outermost: list[tuple[Node, int, int]] = []  # what stands outside parentheses, from where to where

    def whole(self) -> Node:
        node = self._either(None, depth=0)
        if self._peek() is Sort.CLOSE:
            raise self._wrong("a closing parenthesis without its opening one")
        if node is None:
            raise self._wrong("nothing to search for; give a word, a field or a URL")
        return node

    def check_posts(self, root: Node) -> None:
        """Raise QueryError for an is:post that does not hold for everything that the query finds."""
        holding = {id(node) for node in _conjuncts(root)}
        for node, lexeme in self._posts:
            if id(node) not in holding:
                raise self._wrong(
                    "is:post finds posts in the place of documents: it can be neither excluded nor one of several "
                    "alternatives. Without it documents are found; is:thread finds threads",
                    lexeme,
                )

    def clauses(self, root: Node) -> tuple[Clause, ...]:
        """Return what the outermost AND or OR joins, with the text of each."""
        parts = root.parts if isinstance(root, And | Or) else (root,)
        texts = {id(node): self._text[start:end].strip() for node, start, end in self._outermost}
        if not all(id(part) in texts for part in parts):  # they stand in parentheses, or on both sides of NEAR
            return (Clause(self._text.strip(), root),)
        return tuple(Clause(texts[id(part)], part) for part in parts)

    def _either(self, field: str | None, depth: int) -> Node | None:
        parts = [self._all(field, depth)]
        while self._peek() is Sort.OR:
            sign = self._take()
            parts.append(self._all(field, depth))
            if parts[-1] is None or parts[0] is None:
                raise self._wrong("OR and | stand between two things to search for", sign)
        return _joined(Or, [part for part in parts if part])

    def _all(self, field: str | None, depth: int) -> Node | None:
        first = self._lexemes[self._next]
        parts = []
        while self._peek() not in (Sort.OR, Sort.CLOSE, Sort.END):
            lexeme = self._lexemes[self._next]
            parts.append(self._term(field, depth))
            self._note(parts[-1], lexeme, depth)
        node = _joined(And, [part for part in parts if part])
        self._note(node, first, depth)
        return node

    def _note(self, node: Node | None, first: Lexeme, depth: int) -> None:
        if node and not depth:
            self._outermost.append((node, first.place, self._lexemes[self._next - 1].end))

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
        node = self._read(lexeme, field)
        return self._near(node, field) if self._peek() is Sort.NEAR else node

    def _read(self, lexeme: Lexeme, field: str | None) -> Node | None:
        self._terms += 1
        if self._terms > MAX_TERMS:
            raise self._wrong(f"too many terms; the limit is {MAX_TERMS}", lexeme)
        try:
            node = self._leaf(lexeme, field)
        except UsageError as error:
            raise self._wrong(str(error), lexeme) from error
        if node == POSTS:
            self._posts.append((node, lexeme))
        return node

    def _near(self, node: Node | None, field: str | None) -> Node | None:
        """Read `NEAR/5 b` behind a word; of a NEAR/5 b NEAR/5 c, both hold."""
        pairs: list[Node] = []
        while self._peek() is Sort.NEAR:
            sign = self._take()
            right = self._read(self._take(), field) if self._peek() in (Sort.WORD, Sort.PHRASE) else None
            if not isinstance(node, Words) or not isinstance(right, Words):
                raise self._wrong("NEAR stands between two words or phrases", sign)
            pairs.append(self._pair(node, right, sign))
            node = right
        return _joined(And, pairs)

    def _pair(self, left: Words, right: Words, sign: Lexeme) -> Node:
        told = sign.text.partition("/")[2]
        distance = int(told) if re.fullmatch("[0-9]{1,9}", told) else 0
        if not 0 < distance <= MAX_DISTANCE:
            raise self._wrong(f"NEAR takes a distance from 1 to {MAX_DISTANCE}, like NEAR/5", sign)
        one, other = (tokens.phrase(words.text, prefix=words.prefix) for words in (left, right))
        if one.prefix or other.prefix:
            raise self._wrong("NEAR takes whole words, or two characters and more", sign)
        if one == other:
            return left
        # Between two pairs of characters there is one token more than there are characters.
        unspaced = all(tokens.is_unspaced(phrase.tokens[-1]) for phrase in (one, other))
        return Near(left, right, distance + unspaced)

    def _leaf(self, lexeme: Lexeme, field: str | None) -> Node | None:
        if field == fields.SAVED and self._saved:
            return self._saved_search(lexeme.text, self._saved)
        if field:
            return self._placed(fields.node_of(field, lexeme.text, self._now), lexeme)
        if lexeme.sort is Sort.URL:
            return fields.address(lexeme.text)
        found = self._placed(fields.words(lexeme.text), lexeme)
        if found is None and lexeme.sort is Sort.PHRASE:
            raise UsageError("there is no word between the quotation marks")
        return found

    def _saved_search(self, name: str, saved: Saved) -> Node:
        """Read the query of a saved search, which counts as one group of parentheses here."""
        trail = (*self._inside, name)
        if name in self._inside:
            raise UsageError(f"the saved searches contain each other: {' → '.join(trail)}")
        if len(trail) > MAX_SAVED:
            raise UsageError(f"saved searches are nested more than {MAX_SAVED} deep: {' → '.join(trail)}")
        text = saved(name)
        if text is None:
            raise UsageError(f"there is no saved search {name}; `thresher saved list` lists them")
        inner = _Parser(text, self._now, self._saved, trail)
        inner._terms = self._terms
        try:
            node = inner.whole()
        except QueryError as error:
            raise UsageError(f"in the saved search {name}: {str(error).splitlines()[0]}") from error
        self._terms = inner._terms
        return node

    def _placed(self, node: Node | None, lexeme: Lexeme) -> Node | None:
        """Say where in the query words stand, unless they stand in that of a saved search."""
        if self._inside or not isinstance(node, Words):
            return node
        return replace(node, place=(lexeme.place, lexeme.end))

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

    def _wrong(self, message: str, lexeme: Lexeme | None = None) -> QueryError:
        return wrong(self._text, (lexeme or self._lexemes[self._next]).place, message)


def _conjuncts(node: Node) -> Iterator[Node]:
    """Yield what has to hold for everything that a node finds."""
    yield node
    if isinstance(node, And):
        for part in node.parts:
            yield from _conjuncts(part)


def _joined(kind: type[And] | type[Or], parts: list[Node]) -> Node | None:
    if len(parts) < 2:
        return parts[0] if parts else None
    return kind(tuple(parts))
