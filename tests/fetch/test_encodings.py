"""Bodies decompressed: whole, in pieces, broken off, damaged, nested, unknown and beyond the limit."""

import gzip
import zlib

import pytest
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse

from thresher.fetch.encodings import decompress

TEXT = b"<p>" + bytes(range(256)) * 40
ZIPPED = gzip.compress(TEXT)
LIMIT_BYTES = 100_000


def response(body: bytes, *encodings: str) -> HtmlResponse:
    return HtmlResponse("http://a.test/", body=body, headers={"Content-Encoding": list(encodings)})


@pytest.mark.parametrize(
    ("body", "encoding"),
    [
        (ZIPPED, "gzip"),
        (ZIPPED, "X-GZip"),
        (gzip.compress(TEXT[:100]) + gzip.compress(TEXT[100:]), "gzip"),
        (ZIPPED + bytes(20), "gzip"),
        (ZIPPED[:-8] + bytes(8), "gzip"),
        (zlib.compress(TEXT), "deflate"),
        (zlib.compress(TEXT, wbits=-15), "deflate"),
        (gzip.compress(zlib.compress(TEXT)), "deflate, gzip"),
        (TEXT, "identity"),
    ],
    ids=["gzip", "x-gzip", "members", "padded", "wrong checksum", "zlib", "raw deflate", "twice", "unknown"],
)
def test_a_body_comes_out_as_it_was(body: bytes, encoding: str) -> None:
    assert decompress(response(body, encoding), LIMIT_BYTES) == TEXT


def test_a_stream_that_breaks_off_gives_what_came() -> None:
    noise = bytes(zlib.crc32(bytes([n])) & 0xFF for n in range(256)) * 8
    whole = gzip.compress(noise, 1)
    found = decompress(response(whole[:-20], "gzip"), LIMIT_BYTES)
    assert 0 < len(found) < len(noise)
    assert noise.startswith(found)


def test_only_the_encodings_that_were_undone_leave_the_headers() -> None:
    undone, left = response(ZIPPED, "gzip"), response(ZIPPED, "sdch", "gzip")
    decompress(undone, LIMIT_BYTES)
    decompress(left, LIMIT_BYTES)
    assert "Content-Encoding" not in undone.headers
    assert left.headers.getlist("Content-Encoding") == [b"sdch"]


@pytest.mark.parametrize("size", [LIMIT_BYTES + 1, 50 * LIMIT_BYTES])
def test_more_than_the_limit_is_refused(size: int) -> None:
    with pytest.raises(IgnoreRequest):
        decompress(response(gzip.compress(bytes(size)), "gzip"), LIMIT_BYTES)


def test_exactly_the_limit_is_taken() -> None:
    assert len(decompress(response(gzip.compress(bytes(LIMIT_BYTES)), "gzip"), LIMIT_BYTES)) == LIMIT_BYTES


def test_what_is_not_compressed_at_all_is_an_error() -> None:
    with pytest.raises(OSError, match="gzip"):
        decompress(response(b"plain after all", "gzip"), LIMIT_BYTES)


def test_an_empty_body_needs_no_decoder() -> None:
    assert decompress(response(b"", "gzip"), LIMIT_BYTES) == b""
