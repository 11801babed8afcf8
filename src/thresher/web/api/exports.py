"""Exports: everything that a query finds, streamed, with a row count and a hash at the end."""

import hashlib
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from functools import partial
from itertools import islice
from typing import Literal

from fastapi import APIRouter
from starlette.responses import Response, StreamingResponse

from thresher.export import csv_rows, jsonl
from thresher.export.contract import Posts
from thresher.model import Document
from thresher.store.contract import Store
from thresher.web.api.documents import Text
from thresher.web.api.guards import DEAR, Here, Reader
from thresher.web.corpora import OpenCorpus
from thresher.web.problems import Refused

ROUTER = APIRouter(tags=["exports"])
AT_ONCE = 4  # exports; each has a corpus of its own open
BATCH = 100  # documents in memory, without their posts
PIECE = 64_000  # bytes that are sent at a time
Format = Literal["jsonl", "csv"]
TYPES = {"jsonl": "application/jsonl", "csv": "text/csv; charset=utf-8"}


@ROUTER.get(
    "/export",
    responses={200: {"content": {"application/jsonl": {}, "text/csv": {}}}},
    response_class=Response,
    dependencies=DEAR,
)
async def export(site: Here, _visitor: Reader, q: Text = "", format: Format = "jsonl", footer: bool = True) -> Response:
    """Return all documents that a query finds, of whatever number.

    The last line says how many they are and the SHA-256 of the lines before it: {"end": {"documents": …, "sha256": …}},
    in CSV the cells #end, documents, sha256. An export without it was broken off. `footer=false` leaves it out.
    """
    if site.exports.locked():
        raise Refused(429, f"{AT_ONCE} exports are running; ask again later", headers={"retry-after": "30"})
    await site.corpora.read(lambda corpus: corpus.corpus.count(q))  # a query that cannot be read is told as an error
    headers = {"content-disposition": f'attachment; filename="thresher.{format}"', "cache-control": "no-store"}
    pieces = site.corpora.stream(partial(_pieces, query=q, format_=format, footer=footer))
    return StreamingResponse(_one_of(site, pieces), headers=headers, media_type=TYPES[format])


async def _one_of(site: Here, pieces: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    async with site.exports:
        async for piece in pieces:
            yield piece


def _pieces(corpus: OpenCorpus, *, query: str, format_: Format, footer: bool) -> Iterator[bytes]:
    digest, documents, waiting = hashlib.sha256(), 0, bytearray()
    if format_ == "csv":
        waiting += csv_rows.row(csv_rows.FIELDS).encode()
    pieces_of = csv_rows.pieces_of if format_ == "csv" else jsonl.pieces_of
    for document, posts in with_posts(corpus.corpus.documents(query, posts=False), corpus.store):
        documents += 1
        for text in pieces_of(document, posts):
            waiting += text.encode("utf-8", "replace")
            if len(waiting) >= PIECE:
                digest.update(waiting)
                yield bytes(waiting)
                waiting.clear()
    digest.update(waiting)
    yield bytes(waiting)
    if footer:
        yield _footer(format_, documents, digest.hexdigest())


def _footer(format_: Format, documents: int, sha256: str) -> bytes:
    if format_ == "csv":
        return csv_rows.row(["#end", documents, sha256]).encode()
    return json.dumps({"end": {"documents": documents, "sha256": sha256}}).encode() + b"\n"


def with_posts(documents: Iterable[Document], store: Store) -> Iterator[tuple[Document, Posts]]:
    """Give each document with what reads its posts; most have none, which is asked for many at a time."""
    coming = iter(documents)
    while batch := list(islice(coming, BATCH)):
        talked = store.with_posts([document.url for document in batch if document.url])
        for document in batch:
            yield document, partial(store.posts, document.url) if document.url in talked else tuple
