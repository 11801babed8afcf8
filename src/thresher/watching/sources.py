"""The sources that are watched, as their catalog has them, and which links each of them may lead to."""

import time
from dataclasses import dataclass, field, replace

from thresher import urls
from thresher.catalog.contract import Catalog
from thresher.discovery.scope import BEFORE_SINCE, is_old_document, is_old_link
from thresher.model import Document, Endpoint, EndpointKind, Link, Source, SourceKind
from thresher.model.source import EndpointState

MAX_HOPS_FROM_ENDPOINT = 1  # links followed from an endpoint: its articles, and no farther
READ_EVERY_S = 300.0  # the catalog, though nobody says that it has changed: others note rounds of their own
ONWARD = ("redirect", "part", "continued")  # whys of links that lead to what is wanted already
_OWN_ENDPOINT = {
    SourceKind.FEED: EndpointKind.FEED,
    SourceKind.SITE: EndpointKind.LISTING,
    SourceKind.FORUM: EndpointKind.BOARD,
}


@dataclass(slots=True)
class Watched:
    """One source and the addresses where it is asked."""

    source: Source
    endpoints: dict[str, Endpoint] = field(default_factory=dict)  # by URL

    def refuse(self, link: Link) -> str | None:
        """Return why a link that was found for the source is not followed; None when it is.

        The patterns win. Without them, the entries of a feed, the results of a search, and where a link redirects to,
        may be anywhere; what is found on a page stays on the hosts of the source.
        """
        if link.depth == 0 or link.url in self.endpoints:
            return None
        if link.depth > MAX_HOPS_FROM_ENDPOINT and link.why not in ONWARD:
            return "too-deep"
        if not self.source.wants(link.url):
            return "not-included" if self.source.include else "excluded"
        if self.source.since and is_old_link(link, self.source.since.isoformat()):
            return BEFORE_SINCE
        anywhere = self.source.include or link.why in (*ONWARD, "feed", "result")
        return None if anywhere or link.host in self._hosts() else "off-host"

    def _hosts(self) -> set[str]:
        return {urls.host_of(url) for url in (self.source.address, *self.endpoints) if url}


class Sources:
    """All sources, read again from the catalog now and then; the Limits of what is taken in for them."""

    max_depth: int | None = None

    def __init__(self, catalog: Catalog) -> None:
        self._catalog = catalog
        self._watched: dict[str, Watched] = {}
        self._at: dict[str, dict[str, None]] = {}  # sources by the addresses of their endpoints
        self._version: int | None = None  # of the catalog as it was read
        self._read_s = 0.0

    def get(self, name: str) -> Watched | None:
        """Return a source by its name; None when it is not there any more."""
        return self._watched.get(name)

    def endpoint(self, name: str, url: str) -> Endpoint | None:
        """Return the endpoint of a source at an address; None when it has none there."""
        watched = self._watched.get(name)
        return watched.endpoints.get(url) if watched else None

    def asked_at(self, url: str) -> list[Endpoint]:
        """Return the endpoints at an address of sources that are followed now: several may have it."""
        found = (self.endpoint(name, url) for name in self._at.get(url, ()))
        return [each for each in found if each and self._watched[each.source].source.is_active]

    def refuse(self, link: Link) -> str | None:
        """Return why a link is not followed for its source; None when it is."""
        watched = self._watched.get(link.source)
        return watched.refuse(link) if watched else "source-removed"

    def is_too_old(self, document: Document, link: Link) -> bool:
        """Say whether a document is dated before the day from which on its source is wanted."""
        watched = self._watched.get(link.source)
        since = watched.source.since if watched else None
        return since is not None and is_old_document(document, since.isoformat())

    def widened(self, host: str) -> "Sources":
        """Return the same: where a source redirects to is an endpoint of its own."""
        return self

    def addresses(self) -> list[str]:
        """Return where sources are asked."""
        own = [watched.source.address for watched in self._watched.values() if watched.source.address]
        return [*own, *(url for watched in self._watched.values() for url in watched.endpoints)]

    def keep(self, endpoint: Endpoint) -> None:
        """Remember an endpoint as it is now."""
        if watched := self._watched.get(endpoint.source):
            watched.endpoints[endpoint.url] = endpoint
            self._at.setdefault(endpoint.url, {})[endpoint.source] = None

    def refreshed(self) -> tuple[list[Endpoint], list[Endpoint]]:
        """Read the catalog if it has changed; return the new endpoints that are to be asked, and those to ask at once.

        At once: those of a source that was changed or resumed meanwhile. What a source without endpoints is asked at is
        its own address.
        """
        version = self._catalog.version()
        if version == self._version and time.monotonic() < self._read_s + READ_EVERY_S:
            return [], []
        self._version, self._read_s = version, time.monotonic()
        before, self._at = self._watched, {}
        self._watched = {source.name: Watched(source) for source in self._catalog.sources()}
        for endpoint in self._catalog.endpoints():
            self.keep(endpoint)
        new: list[Endpoint] = []
        hurried: list[Endpoint] = []
        for name, watched in self._watched.items():
            self._complete(watched)
            if watched.source.is_active:
                asked = [each for each in watched.endpoints.values() if each.state is EndpointState.ACTIVE]
                known = before[name].endpoints if name in before else {}
                new += [each for each in asked if each.url not in known]
                if name in before and before[name].source != watched.source:
                    hurried += [each for each in asked if each.url in known]
        return new, hurried

    def _complete(self, watched: Watched) -> None:
        source = watched.source
        if not watched.endpoints and source.address and source.kind in _OWN_ENDPOINT:
            own = Endpoint(source=source.name, url=source.address, kind=_OWN_ENDPOINT[source.kind])
            self._catalog.save_endpoints([own])
            self.keep(own)


def moved(endpoint: Endpoint, target: str) -> tuple[Endpoint, Endpoint]:
    """Return an endpoint that has moved for good, and the one that is asked instead."""
    there = Endpoint(source=endpoint.source, url=target, kind=endpoint.kind, rhythm=endpoint.rhythm)
    return replace(endpoint, state=EndpointState.MOVED, moved_to=target), there
