"""Bodies decompressed: whole, in pieces, broken off, damaged, nested, unknown and beyond the limit."""

import gzip
import zlib

import pytest
import zstandard
from scrapy.exceptions import IgnoreRequest
from scrapy.http import HtmlResponse

from tests.costs import costing_at_most
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


@pytest.mark.parametrize(
    ("part", "encoding"),
    [(gzip.compress(b""), "gzip"), (zstandard.compress(b"x"), "zstd"), (b"\x50\x2a\x4d\x18" + bytes(4), "zstd")],
    ids=["gzip", "zstd", "zstd to be skipped"],
)
def test_countless_parts_do_not_wear_out_the_decoder(part: bytes, encoding: str) -> None:
    hostile = response(part * (10_000_000 // len(part)), encoding)
    with costing_at_most(1), pytest.raises(zlib.error, match="parts"):
        decompress(hostile, 10_000_000)


def test_a_page_packed_in_many_parts_is_read() -> None:
    parts = b"".join(gzip.compress(TEXT[start : start + 100]) for start in range(0, len(TEXT), 100))
    assert decompress(response(parts, "gzip"), LIMIT_BYTES) == TEXT


def test_no_more_than_three_encodings_are_undone() -> None:
    body = TEXT
    for _ in range(4):
        body = gzip.compress(body)
    with pytest.raises(zlib.error, match="4 encodings"):
        decompress(response(body, "gzip, gzip", "gzip, gzip"), LIMIT_BYTES)
