"""Undo the compression of an answer's body, up to a limit; what a server calls by another name stays as it is.

Scrapy's middleware does the same, but makes a new response of it and guesses its charset, which takes longer than all
the rest of a download; a page is decoded later, where it is parsed.
"""

import zlib
from collections.abc import Callable

from scrapy.exceptions import IgnoreRequest
from scrapy.http import Response
from scrapy.utils._compression import (
    _DecompressionMaxSizeExceeded,
    _inflate,
    _unbrotli,
    _unzstd,
)
from scrapy.utils.gz import gunzip

GZIP = 31  # zlib's "window bits" of a gzip stream
MAX_ENCODINGS = 3  # one upon the other
# Streams that follow one another in a body. Each costs the decoder more than a page's worth of text: ten megabytes of
# empty ones would hold up all other downloads for ten seconds.
MAX_PARTS = 1_000
_BEGINNINGS = {  # of a part; about 1 in 16 million bytes looks like one by chance
    b"gzip": (b"\x1f\x8b\x08",),
    b"x-gzip": (b"\x1f\x8b\x08",),
    b"zstd": (b"\x28\xb5\x2f\xfd", b"\x2a\x4d\x18"),
}


def decompress(response: Response, max_bytes: int) -> bytes:
    """Return the body, and drop its encodings from the headers; raise IgnoreRequest for one beyond the limit.

    One that is not what it is called raises what its decoder raises, one made to wear out the decoder a zlib.error.
    """
    body = response.body
    named = b",".join(response.headers.getlist("Content-Encoding"))
    encodings = [name.strip() for name in named.lower().split(b",")] if named else []
    if len(encodings) > MAX_ENCODINGS:
        raise zlib.error(f"{len(encodings)} encodings, one upon the other")
    try:
        while encodings and encodings[-1] in _DECODERS:
            name = encodings.pop()
            if sum(map(body.count, _BEGINNINGS.get(name, ()))) > MAX_PARTS:
                raise zlib.error(f"more than {MAX_PARTS} parts")
            body = _DECODERS[name](body, max_bytes) if body else body
    except _DecompressionMaxSizeExceeded as error:
        raise IgnoreRequest(str(error)) from error
    response.headers.pop("Content-Encoding", None)
    if encodings:
        response.headers.setlist("Content-Encoding", encodings)
    return body


def _gunzip(data: bytes, max_bytes: int) -> bytes:
    """Decompress what is whole in one go; from anything else Scrapy saves what it can, ten times as slowly."""
    stream = zlib.decompressobj(wbits=GZIP)
    try:
        body = stream.decompress(data, max_bytes + 1)
    except zlib.error:
        return gunzip(data, max_size=max_bytes)
    whole = stream.eof and not stream.unused_data
    return body if whole and len(body) <= max_bytes else gunzip(data, max_size=max_bytes)


_DECODERS: dict[bytes, Callable[[bytes, int], bytes]] = {
    b"gzip": _gunzip,
    b"x-gzip": _gunzip,
    b"deflate": lambda data, max_bytes: _inflate(data, max_size=max_bytes),
    b"br": lambda data, max_bytes: _unbrotli(data, max_size=max_bytes),
    b"zstd": lambda data, max_bytes: _unzstd(data, max_size=max_bytes),
}
