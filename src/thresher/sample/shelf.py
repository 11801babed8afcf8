"""Ready answers: what a server sends for a URL, kept while there is room."""

import gzip
import hashlib
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass

from thresher.sample.answer import Answer

_ROOM_BYTES = 128_000_000
_WORTH_ZIPPING = 500  # bytes


@dataclass(frozen=True, slots=True)
class Parcel:
    """An answer in the form in which it is sent."""

    status: int
    headers: tuple[tuple[bytes, bytes], ...]
    body: bytes
    gzipped: bytes | None
    etag: bytes | None
    modified_s: float | None
    delay_s: float
    at_first: "Parcel | None"


class Shelf:
    """Parcels by URL; those not asked for lately make room for others."""

    def __init__(self, answer: Callable[[str], Answer], room_bytes: int = _ROOM_BYTES) -> None:
        self._answer = answer
        self._room_bytes = room_bytes
        self._parcels: OrderedDict[str, Parcel] = OrderedDict()

    def take(self, url: str) -> Parcel:
        """Return the parcel of a URL, made now if it is not at hand."""
        parcel = self._parcels.get(url)
        if parcel is not None:
            self._parcels.move_to_end(url)
            return parcel
        parcel = self._parcels[url] = _packed(self._answer(url))
        self._room_bytes -= _size(parcel)
        while self._room_bytes < 0 and len(self._parcels) > 1:
            self._room_bytes += _size(self._parcels.popitem(last=False)[1])
        return parcel


def _packed(answer: Answer) -> Parcel:
    headers = [(b"content-type", answer.content_type.encode())]
    headers += [(name.lower().encode(), value.encode()) for name, value in answer.headers.items()]
    zippable = len(answer.body) > _WORTH_ZIPPING and answer.content_type.startswith(("text/", "application/xml"))
    if zippable:
        headers.append((b"vary", b"accept-encoding"))
    fine = answer.status == 200
    return Parcel(
        status=answer.status,
        headers=tuple(headers),
        body=answer.body,
        gzipped=gzip.compress(answer.body, 1, mtime=0) if zippable else None,
        etag=b'W/"%s"' % hashlib.blake2b(answer.body, digest_size=8).hexdigest().encode() if fine else None,
        modified_s=answer.modified.timestamp() if fine and answer.modified else None,
        delay_s=answer.delay_s,
        at_first=_packed(answer.at_first) if answer.at_first else None,
    )


def _size(parcel: Parcel) -> int:
    return len(parcel.body) + len(parcel.gzipped or b"") + 500
