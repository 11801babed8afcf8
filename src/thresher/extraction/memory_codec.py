"""Traces and memories as bytes: what is stored, and what passes between processes."""

import struct
from collections.abc import Iterator

from thresher.extraction.memory import Place, SiteMemory, Traces

_HEAD = struct.Struct("<III")
_LARGEST = 2**32 - 1  # of a count of characters


def traces_to_bytes(traces: Traces) -> bytes:
    """Return a page's traces as bytes."""
    places = sorted(traces.places.items())
    kept = sorted(traces.kept.items())
    return _HEAD.pack(len(kept), len(traces.dropped), len(places)) + b"".join(
        (
            _longs(mark for mark, _ in kept),
            _ints(size for _, size in kept),
            _longs(sorted(traces.dropped)),
            _longs(spot for spot, _ in places),
            _ints(sizes[0] for _, sizes in places),
            _ints(sizes[1] for _, sizes in places),
        )
    )


def traces_from_bytes(data: bytes) -> Traces:
    """Return the traces that `traces_to_bytes` wrote."""
    kept, dropped, places = _HEAD.unpack_from(data)
    columns = _columns(data, (kept, "Q"), (kept, "I"), (dropped, "Q"), (places, "Q"), (places, "I"), (places, "I"))
    return Traces(
        dict(zip(next(columns), next(columns), strict=True)),
        frozenset(next(columns)),
        dict(zip(next(columns), zip(next(columns), next(columns), strict=True), strict=True)),
    )


def memory_to_bytes(memory: SiteMemory) -> bytes:
    """Return a memory as bytes."""
    texts = sorted(memory.texts.items())
    places = sorted(memory.places.items())
    return _HEAD.pack(memory.pages, len(texts), len(places)) + b"".join(
        (
            _longs(mark for mark, _ in texts),
            _ints(count for _, count in texts),
            _longs(spot for spot, _ in places),
            *(_ints(place[column] for _, place in places) for column in range(3)),
        )
    )


def memory_from_bytes(data: bytes) -> SiteMemory:
    """Return the memory that `memory_to_bytes` wrote."""
    pages, texts, places = _HEAD.unpack_from(data)
    columns = _columns(data, (texts, "Q"), (texts, "I"), (places, "Q"), *[(places, "I")] * 3)
    counts = dict(zip(next(columns), next(columns), strict=True))
    spots = next(columns)
    return SiteMemory(pages, counts, dict(zip(spots, map(Place, *columns), strict=True)))


def _columns(data: bytes, *columns: tuple[int, str]) -> Iterator[tuple[int, ...]]:
    at = _HEAD.size
    for count, kind in columns:
        column = struct.Struct(f"<{count}{kind}")
        yield column.unpack_from(data, at)
        at += column.size


def _longs(values: "Iterator[int] | list[int]") -> bytes:
    found = tuple(values)
    return struct.pack(f"<{len(found)}Q", *found)


def _ints(values: Iterator[int]) -> bytes:
    found = tuple(min(value, _LARGEST) for value in values)
    return struct.pack(f"<{len(found)}I", *found)
