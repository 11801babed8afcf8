"""Queries in the language of OpenSearch and Elasticsearch."""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from thresher.errors import UsageError
from thresher.index import tokens
from thresher.index.compiler import UNKNOWN, url_keys
from thresher.index.entry import epoch_s, reversed_domain
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
)
from thresher.index.stems import Stems

Asked = dict[str, Any]
MAX_EXPANSIONS = 20_000  # words that the beginning of one, at the end of a phrase, may stand for
_BOOSTS = {"title_tokens": 8, "body_tokens": 1, "names_tokens": 4}
_FIELDS = {"title": ["title_tokens"], "body": ["body_tokens"], "author": ["names_tokens"], None: list(_BOOSTS)}
_NOTHING: Asked = {"match_none": {}}


class Copies(NamedTuple):
    """The texts that several documents have, and the keys of the first document of each."""

    hashes: Sequence[str]
    firsts: Sequence[str]


def compiled(node: Node, stems: Stems, copies: Callable[[], Copies]) -> Asked:
    """Return what a node asks for; `copies` is asked when copies matter. Raise UsageError for an unknown label."""
    if isinstance(node, And):
        return {"bool": {"must": [compiled(part, stems, copies) for part in node.parts]}}
    if isinstance(node, Or):
        return _any([compiled(part, stems, copies) for part in node.parts])
    if isinstance(node, Not):
        return _not(compiled(node.part, stems, copies))
    if isinstance(node, Words):
        return _words(node, stems)
    if isinstance(node, Near):
        return _near(node)
    if isinstance(node, Everything):
        return {"match_all": {"boost": 0}}
    return {"bool": {"filter": [_fact(node, copies)]}}


def holds(token: str) -> Asked:
    """Return what asks for a token anywhere."""
    return _any([{"term": {field: token}} for field in _BOOSTS])


def _words(node: Words, stems: Stems) -> Asked:
    phrase = tokens.phrase(node.text, prefix=node.prefix)
    ways = [_phrase(field, phrase) for field in _FIELDS[node.field]]
    if not node.field and not phrase.prefix:
        fields = ("title_tokens", "body_tokens", "stems_tokens")
        ways += [{"term": {field: {"value": stem, "boost": 0.5}}} for stem in stems.of(node.text) for field in fields]
    return _any(ways)


def _phrase(field: str, phrase: tokens.Phrase) -> Asked:
    boost, text = _BOOSTS[field], " ".join(phrase.tokens)
    if len(phrase.tokens) == 1:
        return {"prefix" if phrase.prefix else "term": {field: {"value": text, "boost": boost}}}
    if phrase.prefix:
        return {"match_phrase_prefix": {field: {"query": text, "boost": boost, "max_expansions": MAX_EXPANSIONS}}}
    return {"match_phrase": {field: {"query": text, "boost": boost}}}


def _near(node: Near) -> Asked:
    phrases = [" ".join(tokens.phrase(words.text).tokens) for words in (node.left, node.right)]
    both = [{"match": {"query": phrase, "max_gaps": 0, "ordered": True}} for phrase in phrases]
    rule = {"all_of": {"max_gaps": node.distance, "intervals": both}}
    return _any([{"intervals": {field: rule}} for field in _FIELDS[node.left.field]])


def _fact(node: Site | Url | Sources | Labelled | Dated | Long, copies: Callable[[], Copies]) -> Asked:
    if isinstance(node, Site):
        if ":" in node.host.rpartition("]")[2]:
            return {"term": {"host": node.host}}
        return {"prefix": {"domain": reversed_domain(node.host)}}
    if isinstance(node, Url):
        return _url(node)
    if isinstance(node, Sources):
        return {"terms": {"sources": list(node.names)}}
    if isinstance(node, Labelled):
        return _label(node, copies)
    if isinstance(node, Dated):
        field = "published_at" if node.field == "date" else "seen_at"
        since, until = (None if moment is None else epoch_s(moment) for moment in (node.since, node.until))
        return _range(field, {"gte": since, "lt": until})
    return _range("length", {"gte": node.least, "lte": node.most})


def _url(node: Url) -> Asked:
    if not node.whole:
        part = node.text.lower().replace("\\", "\\\\").replace("*", "\\*").replace("?", "\\?")
        return {"wildcard": {"url_folded": {"value": f"*{part}*"}}}
    keys = list(url_keys(node))
    return _any([{"terms": {"key": keys}}, {"terms": {"canonical_key": keys}}])


def _label(node: Labelled, copies: Callable[[], Copies]) -> Asked:
    if node.field in UNKNOWN:
        raise UsageError(UNKNOWN[node.field])
    if node.field == "is" and node.value in ("duplicate", "original"):
        known = copies()
        others = {"bool": {"filter": [{"terms": {"text_hash": known.hashes}}], "must_not": [_keys(known.firsts)]}}
        return others if node.value == "duplicate" else _not(others)
    if node.field == "is":
        return {"term": {"kind": "thread" if node.value == "post" else node.value}}
    if node.field == "has":
        return {"exists": {"field": "published_at"}} if node.value == "date" else {"term": {"has_author": True}}
    if node.field == "run":
        return {"term": {"run": int(node.value)}}
    assert node.field == "lang"
    return _any([{"term": {"language": node.value}}, {"prefix": {"language": f"{node.value}-"}}])


def _keys(keys: Sequence[str]) -> Asked:
    return {"terms": {"key": list(keys)}}


def _range(field: str, bounds: dict[str, float | int | None]) -> Asked:
    given = {name: bound for name, bound in bounds.items() if bound is not None}
    return {"range": {field: given}} if given else {"exists": {"field": field}}


def _any(parts: list[Asked]) -> Asked:
    return parts[0] if len(parts) == 1 else {"bool": {"should": parts, "minimum_should_match": 1}}


def _not(part: Asked) -> Asked:
    return {"bool": {"must_not": [part], "must": [{"match_all": {"boost": 0}}]}}
