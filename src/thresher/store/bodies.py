"""Bodies of pages: each kept once, by the hash of what it says, compressed with what the pages of its host share.

    pages ──body──▶ bodies ──host, dictionary──▶ dictionaries

Pages of one host are mostly the same frame around another text. A dictionary (of zstd) holds that frame: it is trained
from a sample of the host's bodies when there are FIRST of them, and anew whenever there are GROWTH times as many as for
the one before. Bodies stay compressed with the dictionary that was the newest when they came, so all are kept. On pages
of fourteen real sites, other ones than it was trained from, such a dictionary made bodies 1.1 to 6.7 times smaller than
zstd without one; training takes 0.03 s.
"""

import hashlib
from collections.abc import Mapping, Sequence
from itertools import accumulate
from typing import Any, Protocol

import zstandard

from thresher.store.packing import LEVEL

Row = dict[str, Any]

FIRST = 32  # bodies of a host before it gets a dictionary
GROWTH = 8  # times as many bodies before it gets another one
SAMPLE = 64  # bodies that a dictionary is trained from
SAMPLE_BYTES = 4_000_000  # of them together
MAX_BYTES = 128 * 1024  # of one of them that are looked at
DICTIONARY_BYTES = 112 * 1024  # what zstd takes by default
DICTIONARY_LEVEL = 6  # 8 to 15 % smaller than level 3, at the price of compressing without a dictionary
MOST = 6  # dictionaries of a host: with these numbers the last one is for a million bodies
HOSTS = 10_000  # whose bodies are counted
KEPT = 32  # dictionaries in memory, each with about a megabyte of tables
_SEGMENT, _DMER = 1_024, 8  # parameters of the training, chosen by hand: to search for them takes forty times as long


class Shelf(Protocol):
    """Where bodies and dictionaries are looked up, as the transaction that is open sees them."""

    def versions(self, host: str) -> Sequence[Mapping[str, Any]]:
        """The dictionaries of a host by number, without their content."""

    def dictionary(self, host: str, number: int) -> bytes:
        """The content of a dictionary; raise KeyError when there is none."""

    def count(self, host: str) -> int:
        """How many bodies of a host there are."""

    def sample(self, host: str, limit: int) -> Sequence[Mapping[str, Any]]:
        """Some bodies of a host: those with the lowest hashes, which are any."""

    def add(self, dictionary: Row) -> None:
        """Keep a dictionary, unless there is one of its number."""


def hash_of(body: bytes) -> str:
    """Return the hash under which a body is kept; "" for an empty one, which is not."""
    return hashlib.blake2b(body, digest_size=16).hexdigest() if body else ""


class Bodies:
    """Compresses and decompresses bodies, for one thread at a time."""

    def __init__(self) -> None:
        self._counts: dict[str, int] = {}  # bodies by host: roughly, for others add some too
        self._wanted: dict[str, int] = {}  # how many there must be before a training is tried again that was in vain
        self._compressor = zstandard.ZstdCompressor(level=LEVEL)
        self._decompressor = zstandard.ZstdDecompressor()
        self._loaded: dict[str, _Loaded] = {}  # dictionaries by hash; the one that was used last comes last

    def row_of(self, body: bytes, host: str, shelf: Shelf) -> Row:
        """Return the row of a new body; train a dictionary for its host first, if it is time."""
        row: Row = {"hash": hash_of(body), "host": host, "dictionary": None, "content": b""}
        held = self._trained(host, shelf)
        if held:
            row["dictionary"] = held[-1]["number"]
            row["content"] = self._dictionary(host, held[-1]["number"], held[-1]["hash"], shelf).pack(body)
        else:
            row["content"] = self._compressor.compress(body)
        return row

    def body_of(self, row: Mapping[str, Any], shelf: Shelf) -> bytes:
        """Return the body of a row; raise KeyError or ZstdError when it, or its dictionary, is damaged or missing."""
        if row["dictionary"] is None:
            return self._decompressor.decompress(row["content"])
        held = {version["number"]: version["hash"] for version in shelf.versions(row["host"])}
        number = row["dictionary"]
        return self._dictionary(row["host"], number, held[number], shelf).unpack(row["content"])

    def _dictionary(self, host: str, number: int, hash_: str, shelf: Shelf) -> "_Loaded":
        loaded = self._loaded.pop(hash_, None) or _Loaded(shelf.dictionary(host, number))
        self._loaded[hash_] = loaded
        if len(self._loaded) > KEPT:
            del self._loaded[next(iter(self._loaded))]
        return loaded

    def _trained(self, host: str, shelf: Shelf) -> Sequence[Mapping[str, Any]]:
        """Return the dictionaries of a host, a new one among them when there are enough bodies."""
        held = shelf.versions(host)
        if host not in self._counts:
            if len(self._counts) >= HOSTS:
                self._counts.clear()
                self._wanted.clear()
            self._counts[host] = shelf.count(host)
        count = self._counts[host]
        self._counts[host] += 1
        wanted = held[-1]["bodies"] * GROWTH if held else FIRST
        if len(held) == MOST or count < max(wanted, self._wanted.get(host, 0)):
            return held
        self._wanted[host] = count * GROWTH
        content = _train([self.body_of(row, shelf) for row in shelf.sample(host, SAMPLE)])
        if content:
            number = held[-1]["number"] + 1 if held else 1
            shelf.add({"host": host, "number": number, "bodies": count, "hash": hash_of(content), "content": content})
            return shelf.versions(host)
        return held


class _Loaded:
    """A dictionary, ready for use."""

    def __init__(self, content: bytes) -> None:
        dictionary = zstandard.ZstdCompressionDict(content)
        dictionary.precompute_compress(level=DICTIONARY_LEVEL)
        self.pack = zstandard.ZstdCompressor(dict_data=dictionary, level=DICTIONARY_LEVEL).compress
        self.unpack = zstandard.ZstdDecompressor(dict_data=dictionary).decompress


def _train(bodies: Sequence[bytes]) -> bytes | None:
    """Return a dictionary trained from some bodies; None when they have nothing in common."""
    cut = [body[:MAX_BYTES] for body in bodies]
    sizes = accumulate(map(len, cut))
    sample: list[bytes | bytearray | memoryview[int]] = [
        body for body, size in zip(cut, sizes, strict=True) if size <= SAMPLE_BYTES
    ]
    try:
        return zstandard.train_dictionary(DICTIONARY_BYTES, sample, k=_SEGMENT, d=_DMER).as_bytes()
    except zstandard.ZstdError:  # too little to learn from
        return None
