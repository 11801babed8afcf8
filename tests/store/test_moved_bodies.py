"""Bodies that stood in the rows of pages, in MongoDB and search servers, are moved when the store is opened."""

import base64
import json
from collections.abc import Mapping
from itertools import count
from typing import Any

import pytest
from pymongo import MongoClient

from tests.contracts.store_words import fate, page
from tests.servers import Server, mongodb_server
from thresher.search_server import SearchServer
from thresher.store import tables
from thresher.store.contract import Record
from thresher.store.elastic import elastic_store
from thresher.store.keyed import KeyedStore
from thresher.store.mongo import PIECE_BYTES, mongo_store
from thresher.store.packing import Packer
from thresher.store.rows import page_row
from thresher.urls import key_of

URLS = [f"https://example.com/{number}" for number in range(45)]  # more than are moved at a time
LARGE = bytes(range(256)) * 40_000
_NUMBERS = count()


def body(url: str) -> bytes:
    return f"<p>{url}</p>".encode()


def old_row(url: str) -> dict[str, Any]:
    """Return the row of a page as it was when the body stood in it."""
    row = page_row(page(url), key_of(url), 1, (), Packer())
    return row | {"body": Packer().pack(body(url))}


def check(store: KeyedStore) -> None:
    """Assert that every page has its body, and that a page that is fetched again leaves none behind."""
    for url in URLS:
        found = store.page(url)
        assert found
        assert found.body == body(url)
    assert bodies(store) == {key_of(url): "" for url in URLS}
    store.save(Record(fate(URLS[0], run=2), page(URLS[0], body=b"<p>New</p>")))
    assert store.page(URLS[0]) == page(URLS[0], body=b"<p>New</p>")
    assert key_of(URLS[0]) not in bodies(store)
    assert len(bodies(store)) == len(URLS)
    assert list(store.damaged()) == []


def bodies(store: KeyedStore) -> Mapping[str, str]:
    return {row["hash"]: row["host"] for row in store.collections.find(tables.bodies, order=["hash"])}


@pytest.mark.parametrize("moved", [0, 7])
def test_bodies_in_mongodb_are_moved_once_also_when_that_was_interrupted(moved: int) -> None:
    with mongodb_server() as server, MongoClient[dict[str, Any]](server.url) as client:
        database = client["old"]
        database["pages"].insert_many([old_row(url) | {"_id": key_of(url)} for url in URLS])
        for url in URLS[:moved]:  # the first step was done, the second not
            content = {"hash": key_of(url), "host": "", "dictionary": None, "content": old_row(url)["body"]}
            database["bodies"].insert_one(content | {"_id": key_of(url)})
        for _ in range(2):
            store, close = mongo_store(f"{server.url}old")
            assert database["pages"].count_documents({"body": {"$type": "string"}}) == len(URLS)
            close()
        store, close = mongo_store(f"{server.url}old")
        check(store)
        close()


def test_a_body_in_mongodb_that_is_kept_in_pieces_is_moved_with_them() -> None:
    with mongodb_server() as server, MongoClient[dict[str, Any]](server.url) as client:
        database, packed = client["old"], Packer().pack(LARGE)
        pieces = [packed[start : start + 1_000] for start in range(0, len(packed), 1_000)]
        assert len(packed) < PIECE_BYTES
        for number, piece in enumerate(pieces):
            database["pieces"].insert_one({"_id": f"{number}", "content": piece})
        names = {"$pieces": [f"{number}" for number in range(len(pieces))], "is_text": False}
        database["pages"].insert_one(old_row(URLS[0]) | {"_id": key_of(URLS[0]), "body": names})
        store, close = mongo_store(f"{server.url}old")
        found = store.page(URLS[0])
        assert found
        assert found.body == LARGE
        close()


@pytest.mark.parametrize("moved", [0, 7])
def test_bodies_in_a_search_server_are_moved_once_also_when_that_was_interrupted(
    opensearch_process: Server, moved: int
) -> None:
    name, word = f"old{next(_NUMBERS)}", {"type": "keyword"}
    server = SearchServer(opensearch_process.url)
    fields = {"t": word, "pages": {"properties": {"key": word}}}
    settings = {"number_of_shards": 1, "refresh_interval": "-1"}
    made = {"settings": {"index": settings}, "mappings": {"dynamic": False, "properties": fields}}
    server.call("PUT", f"/{name}-pages", made)
    for number, url in enumerate(URLS):
        row = old_row(url)
        content = base64.b64encode(row["body"]).decode()
        put(server, name, "pages", row | {"body": content}, row["key"])
        if number < moved:
            put(server, name, "bodies", {"hash": row["key"], "host": "", "dictionary": None, "content": content})
    server.close()
    for _ in range(2):
        store, close = elastic_store(f"{opensearch_process.url}/{name}")
        assert len(bodies(store)) == len(URLS)
        close()
    store, close = elastic_store(f"{opensearch_process.url}/{name}")
    check(store)
    close()


def put(server: SearchServer, name: str, table: str, row: Mapping[str, Any], key: str = "") -> None:
    place = {"_index": f"{name}-pages", "_id": f"{table}\x1f{key or row['hash']}"}
    server.write([f"{json.dumps({'index': place})}\n{json.dumps({'t': table, table: row})}\n"])
