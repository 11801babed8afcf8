"""The index in OpenSearch or Elasticsearch, which machines share; both are spoken to by the client of OpenSearch.

    NAME (alias)      ──▶ NAME-1    what is searched
    NAME-next (alias) ──▶ NAME-2    one that is being built; whoever writes, writes to both

The servers get our own tokens, with spaces between them, and split them at these: their analysers would find other
words than the other indexes do, and differ by version and plug-in. What a query means is compiled in lucene.py. Where a
server has smartcn, which parts Chinese into words, documents that hold what is sought as a word come before those in
which its characters only stand side by side; what is found is the same.
"""

import logging
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from datetime import UTC, datetime
from itertools import islice
from types import MappingProxyType
from typing import Any

from thresher.errors import BackendError, Unreachable, UsageError
from thresher.index import cursor, histogram, tokens
from thresher.index.compiler import NEVER, check_sort
from thresher.index.contract import NO_LABELS, TIME_LIMIT_S, Given, Labels, Waiting
from thresher.index.entry import Entry, entry_of
from thresher.index.lucene import CHINESE, Copies, compiled, documents, holds
from thresher.index.nodes import Query
from thresher.index.snippet import Highlighter, Standing
from thresher.index.stems import Stems
from thresher.model import Bucket, Document, Facets, FoundPost, Hit, HitPage
from thresher.search_server import Row, SearchServer
from thresher.text import has_cjk

MAPPING = 3  # another one needs another index
BATCH = 200  # documents of a rebuild that are sent together
URLS_PER_QUERY = 2_000
MAX_GROUPS = 20_000  # of documents with one text that a query may find
AT_LEAST = 50  # hits that are asked for together
SORTS = {  # by what hits are ordered, all of it descending, and how a cursor keeps it
    "relevance": (("_score", float), ("day", float), ("added", int), ("key", str)),
    "date": (("day", float), ("seen_at", float), ("added", int), ("key", str)),
    "seen": (("seen_at", float), ("added", int), ("key", str)),
}
log = logging.getLogger("thresher.index")
_FACETS = {"site": "site", "source": "sources", "language": "language", "author": "authors", "kind": "kind"}
_YEAR_ONE_S = 62_135_596_800  # seconds from the year 1 to 1970
_WORD = {"type": "keyword", "ignore_above": 2_000}
_MEASURE = {"type": "double"}
_NUMBER = {"type": "long"}
_TOKENS = {"type": "text", "analyzer": "whitespace"}
_UNSEARCHED = {"type": "object", "enabled": False}
_FIELDS = {
    **dict.fromkeys(("key", "canonical_key", "host", "domain", "site", "kind", "language", "text_hash"), _WORD),
    **dict.fromkeys(("authors", "sources", "url_folded", "post_of", "copy_of"), _WORD),
    **dict.fromkeys(("published_at", "seen_at", "first_at", "day"), _MEASURE),
    **dict.fromkeys(("run", "length", "added"), _NUMBER),
    **dict.fromkeys(("title_tokens", "body_tokens", "names_tokens", "stems_tokens"), _TOKENS),
    **dict.fromkeys(("url", "title", "text", "published", "posts", "document_url", "position"), _UNSEARCHED),
    "has_author": {"type": "boolean"},
}
_OWN = ("posts", "text_hash", "first_at")  # of a document, and not of its posts
_SERVING = {"auto_expand_replicas": "0-1", "refresh_interval": "1s"}
_BUILDING = {"auto_expand_replicas": "false", "number_of_replicas": 0, "refresh_interval": "-1"}  # nobody searches it
SMARTCN = "smartcn"
_CHINESE = {CHINESE: {"type": "text", "analyzer": SMARTCN}}
_TOKEN_FIELDS = [name for name, field in _FIELDS.items() if field is _TOKENS]


class OpenSearchIndex:
    """Finds documents in a search server; `visible` makes each change wait until it can be found."""

    is_deferred = False

    def __init__(
        self,
        server: SearchServer,
        name: str = "thresher",
        *,
        stems: Stems | None = None,
        time_limit_s: float = TIME_LIMIT_S,
        visible: bool = False,
    ) -> None:
        self._server, self._name = server, name
        self._stems = stems or Stems()
        self._time_limit_s = time_limit_s
        self._refresh = "true" if visible else "false"
        self._version = f"{MAPPING}/{tokens.VERSION}/{self._stems.version}".rstrip("/")
        self._is_ready = False
        self._has_smartcn = False

    def add(self, documents: Sequence[Document], seen_at: datetime, *, run: int | None = None) -> None:
        """Make documents findable under the key of their URL, replacing earlier versions."""
        entries = {entry.key: entry for entry in (entry_of(document, seen_at, run) for document in documents)}
        known = self._known(list(entries))
        rows: list[Row] = []
        for number, entry in enumerate(entries.values()):
            before = known.get(entry.key, {})
            sources = list(dict.fromkeys([*before.get("sources", []), *entry.sources]))
            seen_s = before.get("seen_at", entry.facts["seen_at"])
            doc = self._fields(entry) | {"sources": sources, "first_at": _first_s(entry, seen_s)}
            seen = {"seen_at": entry.facts["seen_at"], "added": time.time_ns() + number}
            rows.append(("update", entry.key, {"doc": doc, "upsert": doc | seen}))
            for key, post in self._posts(entry, doc):
                rows.append(("update", key, {"doc": post, "upsert": post | seen}))
        there = {key for _, key, _ in rows}
        gone = [key for each in known.values() for key in _post_keys(each) if key not in there]
        self._write([*rows, *(("delete", key, None) for key in gone)])

    def remove(self, keys: Sequence[str]) -> None:
        """Forget documents; unknown keys are ignored."""
        posts = [key for each in self._known(list(keys)).values() for key in _post_keys(each)]
        self._write([("delete", key, None) for key in (*keys, *posts)])

    def clear(self) -> None:
        """Forget everything, to be made anew from the store."""
        self.flush()
        body = {"query": {"match_all": {}}, "size": URLS_PER_QUERY, "_source": False}
        while rows := self._ask(body)["hits"]["hits"]:
            self.remove([row["_id"] for row in rows])
            self.flush()

    def rebuild(self, documents: Iterable[Given]) -> Iterator[int]:
        """Build another index from the documents of the store beside the one in use, then let it take its place.

        What is there already, from a rebuild that was interrupted or from somebody who writes meanwhile, is left.
        """
        following = self._following()
        source = iter(documents)
        while batch := list(islice(source, BATCH)):
            rows = [row for number, given in enumerate(batch) for row in self._whole(given, number)]
            self._server.bulk([following], rows, refresh="false")
            yield len(batch)
        serving = {name: value for name, value in self._settings().items() if name in _BUILDING}
        self._server.call("PUT", f"/{following}/_settings", {"index": serving})
        self._switch(following)

    def damaged(self) -> list[str]:
        """Return nothing: the server looks after its files itself."""
        return []

    def search(
        self,
        query: Query,
        *,
        limit: int = 20,
        offset: int = 0,
        sort: str = "relevance",
        after: str | None = None,
        passages: int = 1,
    ) -> HitPage:
        """Find documents in order, with highlighted passages."""
        if limit < 0 or offset < 0:
            raise UsageError("limit and offset are numbers from 0 up")
        check_sort(sort)
        asked = self._compiled(query)
        place = list(cursor.read(after, sort, [kind for _, kind in SORTS[sort]])) if after else None
        first = self._singles(asked, sort, place, min(limit, 1_000) + 1)
        rows = list(islice(first, offset, offset + limit + 1))
        highlighter = Highlighter(query, self._stems)
        hits = tuple(_hit(row, alike, highlighter, passages) for row, alike in rows[:limit])
        onward = cursor.written(sort, rows[limit - 1][0]["sort"]) if len(rows) > limit > 0 else None
        return HitPage(hits, self._total(asked), onward)

    def total(self, query: Query) -> int:
        """Count the documents that match, those of one text once."""
        return self._total(self._compiled(query))

    def facets(
        self,
        query: Query,
        *,
        limit: int = 10,
        shift_s: int = 0,
        unit: str | None = None,
        labels: Labels = NO_LABELS,
    ) -> Facets:
        """Count the documents that match by their values, and by when they were published."""
        asked = self._compiled(query)
        order = [{"_count": "desc"}, {"_key": "asc"}]
        terms: dict[str, Any] = {
            name: {"terms": {"field": field, "size": max(1, limit), "order": order}} for name, field in _FACETS.items()
        }
        extent = {
            "first": {"min": {"field": "published_at"}},
            "last": {"max": {"field": "published_at"}},
            "undated": {"missing": {"field": "published_at"}},
        }
        labelled = {f"by {facet}": _labelled(meant) for facet, meant in labels.items() if meant}
        found = self._ask({"query": asked, "size": 0, "aggs": terms | extent | labelled})["aggregations"]
        period_s = (found["last"]["value"] or 0) - (found["first"]["value"] or 0)
        unit = unit or histogram.unit_for(period_s)
        counts = {
            name: tuple(Bucket(str(each["key"]), each["doc_count"]) for each in found[name]["buckets"])
            for name in _FACETS
        }
        for facet, meant in labels.items():
            buckets = found[f"by {facet}"]["buckets"] if meant else {}
            told = [Bucket(value, bucket["doc_count"]) for value, bucket in buckets.items() if bucket["doc_count"]]
            counts[facet] = tuple(sorted(told, key=lambda each: (-each.count, each.value))[:limit])
        dates = histogram.rolled_up(unit, self._days(asked, unit, shift_s))
        return Facets(counts, dates, found["undated"]["doc_count"])

    def known(self, words: Sequence[str]) -> dict[str, int]:
        """Count the documents that hold each of some words; those that none holds are missing."""
        if not words:
            return {}
        filters = {word: holds(word) for word in words}
        everything = documents({"match_all": {}})
        found = self._ask({"query": everything, "size": 0, "aggs": {"words": {"filters": {"filters": filters}}}})
        buckets = found["aggregations"]["words"]["buckets"]
        return {word: bucket["doc_count"] for word, bucket in buckets.items() if bucket["doc_count"]}

    def urls(self, query: Query) -> Iterator[str]:
        """The URLs of all documents that match, in the order in which they were first added, however many they are."""
        asked, place = self._compiled(query), None
        url, told = ("document_url" if query.of_posts else "url"), set()
        while True:
            order = [{"added": "asc"}, {"key": "asc"}]
            body = {"query": asked, "size": URLS_PER_QUERY, "sort": order, "_source": [url]}
            rows = self._ask(body | ({"search_after": place} if place else {}))["hits"]["hits"]
            for found in (row["_source"][url] for row in rows):
                if not query.of_posts:
                    yield found
                elif found not in told:
                    told.add(found)
                    yield found
            if len(rows) < URLS_PER_QUERY:
                return
            place = rows[-1]["sort"]

    def count(self) -> int:
        """How many documents can be found."""
        self._ready()
        body = {"query": documents({"match_all": {}})}
        return int(self._server.call("POST", f"/{self._name}/_count", body)["count"])

    def size_bytes(self) -> int:
        """How much room the index takes."""
        stats = self._server.call("GET", f"/{self._name}/_stats/store")
        return int(stats["_all"]["primaries"]["store"]["size_in_bytes"])

    def waiting(self) -> Waiting:
        """Nothing waits: what was added can be found at once."""
        return Waiting()

    def flush(self) -> None:
        """Wait until what was added can be found."""
        self._ready()
        self._server.call("POST", f"/{self._name}/_refresh")

    def close(self) -> None:
        """Close the connections."""
        self._server.close()

    def _ready(self) -> None:
        """Create what is not there yet, the template and the first index, before anything else is asked."""
        if self._is_ready:
            return
        found = self._indexes(self._name)
        self._has_smartcn = self._analyses(SMARTCN)
        if not found:
            # Of templates that fit an index, the one with the longest name holds: a name may begin with another.
            rank = 100 + len(self._name)
            ours = [f"{self._name}-{digit}*" for digit in range(1, 10)]  # and no store beside it, called NAME-store
            template = {"index_patterns": ours, "template": self._shape(), "priority": rank}
            self._server.call("PUT", f"/_index_template/{self._name}", template)
            self._create(f"{self._name}-1", self._name)
        elif self._version_of(found[0]) != self._version:
            log.warning(
                "the search index was made by another version of thresher, or with another setting of `stemming`, and "
                "may miss documents; run `thresher index rebuild` once (searches and crawls can go on meanwhile)"
            )
        self._is_ready = True

    def _analyses(self, analyzer: str) -> bool:
        """Say whether the server has an analyser, by trying it."""
        try:
            self._server.call("POST", "/_analyze", {"analyzer": analyzer, "text": "中文"})
        except Unreachable:
            raise
        except BackendError:
            return False
        return True

    def _version_of(self, index: str) -> str:
        mapping = self._server.call("GET", f"/{index}/_mapping")[index]["mappings"]
        return str(mapping.get("_meta", {}).get("version"))

    def _shape(self) -> dict[str, Any]:
        settings = {"number_of_shards": 1, **_SERVING}
        source = {"excludes": [*_TOKEN_FIELDS, CHINESE]}
        fields = _FIELDS | (_CHINESE if self._has_smartcn else {})
        meta = {"version": self._version}
        mappings = {"dynamic": False, "_source": source, "properties": fields, "_meta": meta}
        return {"settings": settings, "mappings": mappings}

    def _create(self, index: str, alias: str, settings: Mapping[str, Any] = MappingProxyType({})) -> None:
        body = self._shape() | {"aliases": {alias: {}}, "settings": {**self._settings(), **settings}}
        self._server.call("PUT", f"/{index}", body, exists={})

    def _settings(self) -> dict[str, Any]:
        """Return the settings of a new index: those of the template, which people may change."""
        found = self._server.call("GET", f"/_index_template/{self._name}", missing={}).get("index_templates", [])
        held = found[0]["index_template"].get("template", {}).get("settings", {}) if found else {}
        return {**self._shape()["settings"], **held.get("index", {})}

    def _indexes(self, alias: str) -> list[str]:
        return sorted(self._server.call("GET", f"/_alias/{alias}", missing={}))

    def _targets(self) -> list[str]:
        """Return what is written to: the index in use, and one that is being built."""
        found = self._server.call("GET", f"/{self._name}-*/_alias")
        ours = {self._name, f"{self._name}-next"}
        return sorted(index for index, told in found.items() if ours & told["aliases"].keys())

    def _following(self) -> str:
        """Return the index that is being built; make one unless there is one of this version."""
        self._ready()
        building = self._indexes(f"{self._name}-next")
        for index in building:
            if self._version_of(index) == self._version:
                return index
            self._server.call("DELETE", f"/{index}")
        numbers = [int(index.rpartition("-")[2]) for index in (*self._indexes(self._name), *building)]
        following = f"{self._name}-{max(numbers, default=0) + 1}"
        self._create(following, f"{self._name}-next", _BUILDING)
        return following

    def _switch(self, following: str) -> None:
        old = self._indexes(self._name)
        self._server.call("POST", f"/{following}/_refresh")
        actions: list[dict[str, Any]] = [{"remove": {"index": index, "alias": self._name}} for index in old]
        actions.append({"remove": {"index": following, "alias": f"{self._name}-next"}})
        actions.append({"add": {"index": following, "alias": self._name}})
        self._server.call("POST", "/_aliases", {"actions": actions})
        for index in old:
            self._server.call("DELETE", f"/{index}")

    def _write(self, rows: Sequence[tuple[str, str, Any]]) -> None:
        if rows:
            self._ready()
            self._server.bulk(self._targets(), rows, refresh=self._refresh)

    def _known(self, keys: list[str]) -> dict[str, dict[str, Any]]:
        """Return what is kept of documents that are there: sources, names of posts, when they were first seen."""
        self._ready()
        path = f"/{self._name}/_mget?_source=key,sources,seen_at,posts.name"
        found = self._server.call("POST", path, {"ids": keys}) if keys else {}
        return {row["_id"]: row["_source"] for row in found.get("docs", []) if row.get("found")}

    def _whole(self, given: Given, number: int) -> list[Row]:
        """Return what creates a document and its posts."""
        entry = entry_of(given.document, given.seen_at, given.run)
        seen = {"seen_at": entry.facts["seen_at"], "added": time.time_ns() + number}
        first_s = _first_s(entry, entry.facts["seen_at"])
        doc = self._fields(entry) | {"sources": list(entry.sources), "first_at": first_s}
        posts = [("create", key, post | seen) for key, post in self._posts(entry, doc)]
        return [("create", entry.key, doc | seen), *posts]

    def _fields(self, entry: Entry) -> dict[str, Any]:
        facts = {name: value for name, value in entry.facts.items() if name not in ("seen_at", "authors")}
        day = entry.facts["published_at"]
        return facts | {
            "key": entry.key,
            "day": NEVER if day is None else day,
            "authors": list(entry.authors),
            "has_author": bool(entry.authors),
            "text": entry.text,
            "posts": [asdict(post) for post in entry.posts],
            "title_tokens": tokens.spaced(entry.title),
            "body_tokens": tokens.spaced(entry.text),
            "names_tokens": tokens.spaced(entry.names),
            "stems_tokens": self._stems.spaced(f"{entry.title}\n{entry.text}", entry.language),
            **self._in_words(f"{entry.title}\n{entry.text}"),
        }

    def _posts(self, entry: Entry, doc: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
        """Yield the key and the fields of each post of a document."""
        shared = {name: value for name, value in doc.items() if name not in _OWN}
        for post in entry.posts:
            key, text = f"{entry.key}#{post.name}", entry.text[post.start : post.stop]
            authors = [post.author] if post.author else []
            yield (
                key,
                shared
                | {
                    "key": key,
                    "post_of": entry.key,
                    "copy_of": entry.facts["text_hash"],
                    "document_url": entry.facts["url"],
                    "url": post.permalink or entry.facts["url"],
                    "position": post.position,
                    "published": post.published,
                    "published_at": post.published_at,
                    "day": NEVER if post.published_at is None else post.published_at,
                    "length": len(text),
                    "authors": authors,
                    "has_author": bool(authors),
                    "text": text,
                    "body_tokens": tokens.spaced(text),
                    "names_tokens": tokens.spaced(post.author),
                    "stems_tokens": self._stems.spaced(text, entry.language),
                    **self._in_words(text),
                },
            )

    def _in_words(self, text: str) -> dict[str, str]:
        """Return what the server is to part into words, where it can."""
        return {CHINESE: tokens.fold(text).text} if self._has_smartcn and has_cjk(text) else {}

    def _compiled(self, query: Query) -> dict[str, Any]:
        self._ready()
        return compiled(query, self._stems, self._copies, has_smartcn=self._has_smartcn)

    def _copies(self) -> Copies:
        """Return the texts that several documents have, and the keys of the first of each."""
        groups = self._groups(documents({"match_all": {}}), least=2)
        return Copies(list(groups), [first for first, _ in groups.values()])

    def _groups(self, asked: Mapping[str, Any], *, least: int) -> dict[str, tuple[str, int]]:
        """Return the first document of each text that so many of those found have, and how many these are."""
        order = [{"first_at": "asc"}, {"seen_at": "asc"}, {"added": "asc"}]
        first = {"top_hits": {"size": 1, "sort": order, "_source": ["key"]}}
        terms = {"field": "text_hash", "min_doc_count": least, "size": MAX_GROUPS}
        aggs = {"texts": {"terms": terms, "aggs": {"first": first}}}
        buckets = self._ask({"query": asked, "size": 0, "aggs": aggs})["aggregations"]["texts"]["buckets"]
        if len(buckets) == MAX_GROUPS:
            raise UsageError(f"more than {MAX_GROUPS} texts have copies; narrow the query, for instance by date:")
        return {each["key"]: (each["first"]["hits"]["hits"][0]["_id"], each["doc_count"]) for each in buckets}

    def _singles(
        self, asked: Mapping[str, Any], sort: str, place: list[Any] | None, wanted: int
    ) -> Iterator[tuple[Mapping[str, Any], int]]:
        """Yield hits in order, of each text the first that was seen, with how many have it."""
        size = max(AT_LEAST, wanted)
        order = [{name: "desc"} for name, _ in SORTS[sort]]
        while True:
            body = {"query": asked, "size": size, "sort": order, "track_scores": True, "track_total_hits": False}
            rows = self._ask(body | ({"search_after": place} if place else {}))["hits"]["hits"]
            hashes = [row["_source"]["text_hash"] for row in rows if row["_source"].get("text_hash")]
            among = {"bool": {"filter": [asked, {"terms": {"text_hash": hashes}}]}}
            groups = self._groups(among, least=2) if hashes else {}
            for row in rows:
                first, alike = groups.get(row["_source"].get("text_hash") or "", (row["_id"], 1))
                if first == row["_id"]:
                    yield row, alike
            if len(rows) < size:
                return
            place = rows[-1]["sort"]

    def _total(self, asked: Mapping[str, Any]) -> int:
        terms = {"field": "text_hash", "min_doc_count": 2, "size": MAX_GROUPS}
        body = {"query": asked, "size": 0, "track_total_hits": True, "aggs": {"texts": {"terms": terms}}}
        found = self._ask(body)
        buckets = found["aggregations"]["texts"]["buckets"]
        twins = sum(int(bucket["doc_count"]) - 1 for bucket in buckets)
        return int(found["hits"]["total"]["value"]) - twins

    def _days(self, asked: Mapping[str, Any], unit: str, shift_s: int) -> list[tuple[int, int]]:
        step = histogram.step_s(unit)
        field = {"field": "published_at", "interval": step, "offset": -shift_s % step, "min_doc_count": 1}
        found = self._ask({"query": asked, "size": 0, "aggs": {"days": {"histogram": field}}})
        buckets = found["aggregations"]["days"]["buckets"]
        return [(round((each["key"] + _YEAR_ONE_S + shift_s) / step), each["doc_count"]) for each in buckets]

    def _ask(self, body: Mapping[str, Any]) -> Any:
        self._ready()
        return self._server.search(self._name, body, self._time_limit_s)


def _first_s(entry: Entry, seen_s: Any) -> float:
    """Return when a document counts as published among its copies: not after it was seen, whatever it says."""
    published_s = entry.facts["published_at"]
    return float(seen_s) if published_s is None else min(float(seen_s), float(published_s))


def _hit(row: Mapping[str, Any], alike: int, highlighter: Highlighter, passages: int) -> Hit:
    fields = row["_source"]
    is_post = "post_of" in fields
    posts, post_count = ((), 0) if is_post else highlighter.posts(fields["text"], _standing(fields))
    return highlighter.hit(
        fields["text"],
        passages,
        key=fields["key"],
        url=fields["url"],
        title=fields["title"],
        score=float(row.get("_score") or 0),
        site=fields["site"],
        kind="post" if is_post else fields["kind"],
        language=fields.get("language"),
        published=_moment(fields.get("published")),
        authors=tuple(fields["authors"]),
        copies=alike - 1,
        seen=datetime.fromtimestamp(fields["seen_at"], UTC),
        posts=posts,
        post_count=post_count,
        document_url=fields.get("document_url"),
        position=fields.get("position"),
    )


def _standing(fields: Mapping[str, Any]) -> list[Standing]:
    """Return the posts of a document, and where in its text they stand."""
    found = [
        Standing(
            post["start"],
            post["stop"],
            FoundPost(
                post["position"],
                post["author"] or None,
                _moment(post["published"]),
                post["permalink"] or fields["url"],
            ),
        )
        for post in fields.get("posts", [])
    ]
    return sorted(found, key=lambda standing: standing.start)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _post_keys(fields: Mapping[str, Any]) -> list[str]:
    """Return the keys of the posts that a document has in the index."""
    return [f"{fields['key']}#{post['name']}" for post in fields.get("posts", [])]


def _labelled(meant: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return what counts the documents that any of some sources brought, for each label."""
    return {"filters": {"filters": {label: {"terms": {"sources": list(known)}} for label, known in meant.items()}}}
