"""Wire: links and settlements as the Lua steps read and write them (lua/records.lua, offer.lua, settle.lua)."""

import hashlib
import struct
from collections.abc import Sequence
from functools import lru_cache

from thresher import urls
from thresher.frontier.contract import Settlement
from thresher.model import Lease, Link, Outcome

NAME_BYTES = 8
REPLAY = 2  # flag of an entry
WAITING = 4  # state of a link that is pending
_LINK = struct.Struct("<8shHBB")  # name, priority, depth, replay, length of the shape
_END = struct.Struct("<8sdBBddd")  # name, token, outcome, flags, retry-after, crawl-delay, response time
_RECORD = struct.Struct("<BdH")  # state, token, length of the worker
_ENTRY = struct.Struct("<8sBBBhHB")  # name, attempts, lost, flags, priority, depth, length of the reason
_TOKEN = struct.Struct("<d")
_OUTCOMES = {Outcome.DONE: 0, Outcome.RETRY: 1, Outcome.BURY: 2}
_AGAIN = 3  # done, and to be asked for again: how soon comes after the texts
_WHYS = {"start": "s", "page": "p", "next": "n", "feed": "f", "sitemap": "m", "redirect": "r", "part": "t"}
_WORDS = {letter: why for why, letter in _WHYS.items()}
_EMPTY = "\x02"  # an empty text where None is another thing
_ESCAPED = "\x03"  # of NUL, which separates the parts of a blob
NO_SHAPE = b"-"


def name_of(url: str) -> bytes:
    """Return the beginning of the hash that identifies a canonical URL everywhere (urls.key_of)."""
    return hashlib.blake2b(url.encode("utf-8", "surrogatepass"), digest_size=16).digest()[:NAME_BYTES]


def shape_hash(url: str) -> bytes:
    """Return a hash of the URL's shape, or a dash when only this one URL can have it: then it says nothing."""
    shape = urls.shape_of(url)
    if "#" not in shape and "?" not in shape:
        return NO_SHAPE
    return hashlib.blake2b(shape.encode("utf-8", "surrogatepass"), digest_size=6).digest()


def pack_link(link: Link, *, with_shape: bool) -> bytes:
    """Pack a link as offer reads it."""
    host = link.host
    shape = shape_hash(link.url) if with_shape else b""
    priority = min(max(link.priority, -32768), 32767)
    head = _LINK.pack(name_of(link.url), priority, min(link.depth, 65535), link.replay, len(shape))
    name = host.encode("utf-8", "surrogatepass")
    return b"".join((head, shape, len(name).to_bytes(2, "little"), name, _blob(link, host)))


def pack_settlement(end: Settlement, shapes: tuple[bytes, bytes, object]) -> bytes:
    """Pack a settlement as settle reads it, with the hashes of the shapes that its page counts for.

    What a server asked for counts as nothing where it makes no sense.
    """
    lease, asked = end.lease, end.crawl_delay_s
    flags = end.fetched + 2 * end.fruitful + 4 * end.counted + 8 * end.slow_host
    flags += 16 * (asked is not None) + 32 * end.unchanged
    seconds = (_positive(end.retry_after_s), _positive(asked), _positive(end.response_s))
    comes_again = end.outcome is Outcome.DONE and end.again_in_s is not None
    outcome = _AGAIN if comes_again else _OUTCOMES[end.outcome]
    head = _END.pack(name_of(lease.link.url), lease.token, outcome, flags, *seconds)
    page, listing, _ = shapes
    again = _TOKEN.pack(_positive(end.again_in_s)) if comes_again else b""
    return b"".join((head, _texts(end.reason, end.address), _sized(page), _sized(listing), again))


@lru_cache(maxsize=4096)
def _texts(reason: str, address: str | None) -> bytes:
    return _sized(reason.encode()[:255]) + _sized((address or "").encode()[:255])


def _sized(text: bytes) -> bytes:
    return b"%c%b" % (len(text), text) if text else b"\0"


def unpack_leases(records: Sequence[bytes], worker: str, expires_at: float) -> list[Lease]:
    """Build the leases of a worker from the records of their links."""
    lane_at = _RECORD.size + len(worker.encode("utf-8", "surrogatepass"))
    leases = []
    for record in records:
        at = lane_at + 2 + record[lane_at] + 256 * record[lane_at + 1]
        _, attempts, lost, flags, priority, depth, length = _ENTRY.unpack_from(record, at)
        host_at = at + _ENTRY.size + length
        blob_at = host_at + 2 + record[host_at] + 256 * record[host_at + 1]
        host = (record[host_at + 2 : blob_at] or record[lane_at + 2 : at]).decode("utf-8", "surrogatepass")
        link = _link(record[blob_at:], host, priority, depth, replay=flags & REPLAY != 0)
        leases.append(Lease(link, int(_TOKEN.unpack_from(record, 1)[0]), worker, expires_at, attempts, lost))
    return leases


class Entry:
    """What a record says besides the link."""

    __slots__ = ("attempts", "lost", "reason", "state", "token", "worker")

    state: int
    token: int
    worker: str
    attempts: int
    lost: int
    reason: str


def unpack_record(record: bytes) -> tuple[Link, Entry]:
    """Build link and entry from a record (see lua/records.lua)."""
    state, token, length = _RECORD.unpack_from(record)
    at = _RECORD.size + length
    worker = record[_RECORD.size : at].decode("utf-8", "surrogatepass")
    size = record[at] + 256 * record[at + 1]
    lane = record[at + 2 : at + 2 + size].decode("utf-8", "surrogatepass")
    link, entry = unpack_entry(record, lane, at + 2 + size)
    entry.state, entry.token, entry.worker = state, int(token), worker
    return link, entry


def unpack_entry(packed: bytes, lane: str, at: int = 0) -> tuple[Link, Entry]:
    """Build link and entry from what waits in a lane, which names the host where the entry does not."""
    entry = Entry()
    entry.state, entry.token, entry.worker = WAITING, 0, ""
    _, entry.attempts, entry.lost, flags, priority, depth, length = _ENTRY.unpack_from(packed, at)
    at += _ENTRY.size
    entry.reason = packed[at : at + length].decode()
    at += length
    size = packed[at] + 256 * packed[at + 1]
    at += 2
    host = packed[at : at + size].decode("utf-8", "surrogatepass") if size else lane
    return _link(packed[at + size :], host, priority, depth, replay=flags & REPLAY != 0), entry


def _positive(seconds: float | None) -> float:
    return seconds if seconds is not None and seconds > 0 else 0.0


def pages_counted(end: Settlement) -> tuple[str, str]:
    """Return the URLs whose shapes a page counts for: its own, and the listing of its host that led to it."""
    link = end.lease.link
    if end.outcome is Outcome.RETRY or (end.again_in_s is not None and not end.fruitful):
        return "", ""
    if not end.fruitful:
        return (link.url if (end.fetched or end.unchanged) and not link.replay else ""), ""
    listing = link.found_on
    return link.url, listing if listing and urls.host_of(listing) == link.host else ""


def _blob(link: Link, host: str) -> bytes:
    parts = [_WHYS.get(link.why) or link.why, _shortened(link.url, host), _shortened(link.found_on, host)]
    if link.hops or link.etag is not None or link.modified is not None or link.source:
        parts += [str(link.hops), _text(link.etag), _text(link.modified)]
        parts += [link.source] if link.source else []
    blob = "\0".join(parts)
    if blob.count("\0") != len(parts) - 1:
        blob = "\0".join([part.replace("\0", _ESCAPED) for part in parts])
    return blob.encode("utf-8", "surrogatepass")


def _link(blob: bytes, host: str, priority: int, depth: int, *, replay: bool) -> Link:
    why, url, found_on, *more = blob.decode("utf-8", "surrogatepass").split("\0")
    hops, etag, modified = (int(more[0]), _value(more[1]), _value(more[2])) if more else (0, None, None)
    origin = _lengthened(found_on, host) if found_on else None
    known = (_lengthened(url, host), depth, _WORDS.get(why, why), origin, priority, hops, replay, etag, modified)
    return Link(*known, source=more[3] if len(more) > 3 else "")


def _shortened(url: str | None, host: str) -> str:
    """Return a URL without the host that it shares with its link."""
    if url is None:
        return ""
    start = len(host) + 8
    if url[8:start] == host and url[start : start + 1] == "/" and url.startswith("https://"):
        return url[start:]
    if url[7 : start - 1] == host and url[start - 1 : start] == "/" and url.startswith("http://"):
        return "h" + url[start - 1 :]
    return "=" + url


def _lengthened(short: str, host: str) -> str:
    if short[0] == "/":
        return f"https://{host}{short}"
    return f"http://{host}{short[1:]}" if short[0] == "h" else short[1:]


def _text(value: str | None) -> str:
    return "" if value is None else value or _EMPTY


def _value(text: str) -> str | None:
    return None if text == "" else "" if text == _EMPTY else text
