"""Queries in the language of OpenSearch and Elasticsearch."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from thresher.errors import UsageError
from thresher.index import tokens
from thresher.index.compiler import STRAY_POSTS, UNKNOWN, url_keys
from thresher.index.entry import epoch_s, reversed_domain
from thresher.index.nodes import (
    POSTS,
    And,
    Dated,
    Everything,
    Labelled,
    Long,
    Near,
    Node,
    Not,
    Or,
    Query,
    Site,
    Sources,
    Url,
    Words,
)
from thresher.index.stems import Stems
from thresher.text import has_cjk

Asked = dict[str, Any]
MAX_EXPANSIONS = 20_000  # words that the beginning of one, at the end of a phrase, may stand for
CHINESE = "chinese"  # text that the server has parted into words
WORD_BOOST = 2  # of what is sought as a word, over its characters side by side
_BOOSTS = {"title_tokens": 8, "body_tokens": 1, "names_tokens": 4}
_FIELDS = {"title": ["title_tokens"], "body": ["body_tokens"], "author": ["names_tokens"], None: list(_BOOSTS)}
_POST_BOOSTS = {"body_tokens": 1, "names_tokens": 4}
_POST_FIELDS = {**_FIELDS, None: list(_POST_BOOSTS)}
_IS_POST: Asked = {"exists": {"field": "post_of"}}


class Copies(NamedTuple):
    """The texts that several documents have, and the keys of the first document of each."""

    hashes: Sequence[str]
    firsts: Sequence[str]


def compiled(query: Query, stems: Stems, copies: Callable[[], Copies], *, has_smartcn: bool = False) -> Asked:
    """Return what a query asks for; `copies` is asked when copies matter. Raise UsageError for an unknown label."""
    asked = _Compiler(stems, copies, posts=query.of_posts, has_smartcn=has_smartcn).compiled(query.root)
    if query.of_posts:
        return {"bool": {"must": [asked], "filter": [_IS_POST]}}
    return documents(asked)


def documents(asked: Asked) -> Asked:
    """Return what asks for documents alone."""
    return {"bool": {"must": [asked], "must_not": [_IS_POST]}}


def holds(token: str) -> Asked:
    """Return what asks for a token anywhere."""
    return _any([{"term": {field: token}} for field in _BOOSTS])


class _Compiler:
    """Compiles the nodes of one query."""

    def __init__(self, stems: Stems, copies: Callable[[], Copies], *, posts: bool, has_smartcn: bool) -> None:
        self._stems, self._copies, self._posts, self._has_smartcn = stems, copies, posts, has_smartcn
        self._fields = _POST_FIELDS if posts else _FIELDS

    def compiled(self, node: Node) -> Asked:
        if isinstance(node, And):
            return {"bool": {"must": [self.compiled(part) for part in node.parts]}}
        if isinstance(node, Or):
            return _any([self.compiled(part) for part in node.parts])
        if isinstance(node, Not):
            return _not(self.compiled(node.part))
        if isinstance(node, Words):
            return self._words(node)
        if isinstance(node, Near):
            return _near(node, self._fields[node.left.field])
        if isinstance(node, Everything):
            return {"match_all": {"boost": 0}}
        return {"bool": {"filter": [self._fact(node)]}}

    def _words(self, node: Words) -> Asked:
        phrase = tokens.phrase(node.text, prefix=node.prefix)
        ways = [_phrase(field, phrase) for field in self._fields[node.field]]
        if not node.field and not phrase.prefix:
            fields = ("body_tokens", "stems_tokens", *(() if self._posts else ("title_tokens",)))
            stems = self._stems.of(node.text)
            ways += [{"term": {field: {"value": stem, "boost": 0.5}}} for stem in stems for field in fields]
        if not self._has_smartcn or node.field not in (None, "body") or not has_cjk(node.text):
            return _any(ways)
        as_word = {"match_phrase": {CHINESE: {"query": tokens.fold(node.text).text, "boost": WORD_BOOST}}}
        return {"bool": {"must": [_any(ways)], "should": [as_word]}}

    def _fact(self, node: Site | Url | Sources | Labelled | Dated | Long) -> Asked:
        if isinstance(node, Site):
            if ":" in node.host.rpartition("]")[2]:
                return {"term": {"host": node.host}}
            return {"prefix": {"domain": reversed_domain(node.host)}}
        if isinstance(node, Url):
            return _url(node, "post_of" if self._posts else "key")
        if isinstance(node, Sources):
            return {"terms": {"sources": list(node.names)}}
        if isinstance(node, Labelled):
            return self._label(node)
        if isinstance(node, Dated):
            field = "published_at" if node.field == "date" else "seen_at"
            since, until = (None if moment is None else epoch_s(moment) for moment in (node.since, node.until))
            return _range(field, {"gte": since, "lt": until})
        return _range("length", {"gte": node.least, "lte": node.most})

    def _label(self, node: Labelled) -> Asked:
        if node.field in UNKNOWN:
            raise UsageError(UNKNOWN[node.field])
        if node.field == "is" and node.value in ("duplicate", "original"):
            known = self._copies()
            text, key = ("copy_of", "post_of") if self._posts else ("text_hash", "key")
            firsts = {"terms": {key: list(known.firsts)}}
            others = {"bool": {"filter": [{"terms": {text: known.hashes}}], "must_not": [firsts]}}
            return others if node.value == "duplicate" else _not(others)
        if node == POSTS:
            if not self._posts:
                raise UsageError(STRAY_POSTS)
            return {"match_all": {}}
        if node.field == "is":
            return {"term": {"kind": node.value}}
        if node.field == "has":
            return {"exists": {"field": "published_at"}} if node.value == "date" else {"term": {"has_author": True}}
        if node.field == "run":
            return {"term": {"run": int(node.value)}}
        assert node.field == "lang"
        return _any([{"term": {"language": node.value}}, {"prefix": {"language": f"{node.value}-"}}])


def _phrase(field: str, phrase: tokens.Phrase) -> Asked:
    boost, text = _BOOSTS[field], " ".join(phrase.tokens)
    if len(phrase.tokens) == 1:
        return {"prefix" if phrase.prefix else "term": {field: {"value": text, "boost": boost}}}
    if phrase.prefix:
        return {"match_phrase_prefix": {field: {"query": text, "boost": boost, "max_expansions": MAX_EXPANSIONS}}}
    return {"match_phrase": {field: {"query": text, "boost": boost}}}


def _near(node: Near, fields: Sequence[str]) -> Asked:
    phrases = [" ".join(tokens.phrase(words.text).tokens) for words in (node.left, node.right)]
    both = [{"match": {"query": phrase, "max_gaps": 0, "ordered": True}} for phrase in phrases]
    rule = {"all_of": {"max_gaps": node.distance, "intervals": both}}
    return _any([{"intervals": {field: rule}} for field in fields])


def _url(node: Url, key: str) -> Asked:
    if not node.whole:
        part = node.text.lower().replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
        return {"wildcard": {"url_folded": {"value": f"*{part}*"}}}
    keys = list(url_keys(node))
    return _any([{"terms": {key: keys}}, {"terms": {"canonical_key": keys}}])


def _range(field: str, bounds: dict[str, float | int | None]) -> Asked:
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"range": {field: given}} if given else {"exists": {"field": field}}


def _any(parts: list[Asked]) -> Asked:
    return parts[0] if len(parts) == 1 else {"bool": {"should": parts, "minimum_should_match": 1}}


def _not(part: Asked) -> Asked:
    return {"bool": {"must_not": [part], "must": [{"match_all": {"boost": 0}}]}}
