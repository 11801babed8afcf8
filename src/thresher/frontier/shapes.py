"""Shapes: which URL shapes a settlement counts for, and which of them the server has not heard of yet."""

from collections.abc import Iterable
from typing import NamedTuple

from thresher.frontier.contract import Settlement
from thresher.frontier.wire import NO_SHAPE, pages_counted, shape_hash

REMEMBERED = 50_000  # URLs, digits aside
_DIGITS = bytes.maketrans(b"123456789", b"000000000")  # which digits they are makes no difference to a shape

Page = tuple[str, bytes]  # a host, and a URL of it with its digits made equal


class Untold(NamedTuple):
    """What to tell with a settlement, and what to remember when it is settled."""

    page: bytes = b""  # the hash of a shape, or nothing
    listing: bytes = b""
    pages: tuple[Page, ...] = ()


NOTHING = Untold()


class Shapes:
    """Remembers the shapes that gave documents, so that each is worked out and told to the server once."""

    def __init__(self) -> None:
        self._told: set[Page] = set()

    def untold(self, end: Settlement) -> Untold:
        """Return the hashes to tell with a settlement, and the pages to remember when it is settled."""
        url, listing = pages_counted(end)
        if not url:
            return NOTHING
        if not end.fruitful:
            return Untold(_hash(url))
        host, told = end.lease.link.host, self._told
        page, other = (host, _levelled(url)), (host, _levelled(listing))
        if page in told and (not listing or other in told):
            return NOTHING
        of_page = b"" if page in told else _hash(url)
        of_listing = _hash(listing) if listing and other not in told else b""
        return Untold(of_page, of_listing, (page, other) if listing else (page,))

    def remember(self, pages: Iterable[Page]) -> None:
        """Note pages whose shapes were told."""
        if len(self._told) > REMEMBERED:
            self._told.clear()
        self._told.update(pages)


def _levelled(url: str) -> bytes:
    text = url.encode("utf-8", "surrogatepass")
    return text if "%" in url else text.translate(_DIGITS)  # digits may encode a byte


def _hash(url: str) -> bytes:
    shape = shape_hash(url)
    return b"" if shape == NO_SHAPE else shape
