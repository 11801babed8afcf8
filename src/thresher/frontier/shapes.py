"""Shapes: which URL shapes a settlement counts for, and which of them the server has not heard of yet."""

from collections.abc import Iterable

from thresher.frontier.contract import Settlement
from thresher.frontier.wire import NO_SHAPE, pages_counted, shape_hash

REMEMBERED = 50_000  # URLs, digits aside
_DIGITS = str.maketrans("123456789", "000000000")  # which digits they are makes no difference to a shape

Page = tuple[str, str]  # a host, and a URL of it with its digits made equal


class Shapes:
    """Remembers the shapes that gave documents, so that each is worked out and told to the server once."""

    def __init__(self) -> None:
        self._told: set[Page] = set()

    def untold(self, end: Settlement) -> tuple[list[bytes], list[Page]]:
        """Return the hashes to tell with a settlement (page, listing), and what to remember when it is settled."""
        host, hashes, pages = end.lease.link.host, [b"", b""], []
        for at, url in enumerate(pages_counted(end)):
            if not url:
                continue
            page = (host, url if "%" in url else url.translate(_DIGITS))  # digits may encode a byte
            if not end.fruitful or page not in self._told:
                shape = shape_hash(url)
                hashes[at] = b"" if shape == NO_SHAPE else shape
                pages.append(page)
        return hashes, pages if end.fruitful else []

    def remember(self, pages: Iterable[Page]) -> None:
        """Note pages whose shapes were told."""
        if len(self._told) > REMEMBERED:
            self._told.clear()
        self._told.update(pages)
