"""What a survey finds at an address, and the source that it becomes; nothing here needs what fetches."""

import re
from dataclasses import dataclass, replace
from datetime import datetime
from urllib.parse import urlsplit

from thresher.model import Endpoint, EndpointKind, Source, SourceKind

_FEED_LIKE = re.compile(r"/(?:feed|rss|atom)s?(?:/|\.xml|$)|\.(?:rss|atom|rdf)$", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Spot:
    """A place that can be asked for new links."""

    url: str
    kind: EndpointKind
    links: tuple[str, ...]  # that it lists now
    how: str  # it was found: given, announced, well-known place, robots.txt


@dataclass(frozen=True, slots=True)
class Sample:
    """One of the pages that are listed, as it would be stored."""

    url: str
    title: str = ""
    published: datetime | None = None
    authors: tuple[str, ...] = ()
    characters: int = 0
    language: str = ""
    refusal: str = ""  # why it would not be stored; empty when it would
    text: str = ""  # how it begins


@dataclass(frozen=True, slots=True)
class Survey:
    """What was found at an address."""

    asked: str
    address: str  # the asked one, or where it has moved for good
    kind: SourceKind
    title: str
    language: str
    robots: str
    spots: tuple[Spot, ...]
    samples: tuple[Sample, ...] = ()

    @property
    def moved(self) -> bool:
        """True when the address that was asked leads elsewhere for good."""
        return self.address != self.asked


def source_of(found: Survey, draft: Source) -> tuple[Source, list[Endpoint]]:
    """Return the source that a draft becomes by a survey, and its endpoints."""
    source = replace(
        draft,
        kind=found.kind,
        address=found.address,
        language=draft.language or found.language,
        channel=draft.channel or ("forum" if found.kind is SourceKind.FORUM else ""),
    )
    return source, [Endpoint(source=source.name, url=spot.url, kind=spot.kind) for spot in found.spots]


def unseen(draft: Source) -> tuple[Source, list[Endpoint]]:
    """Return the source that a draft becomes without a survey: what it is is guessed by the look of its address."""
    kind = draft.kind
    if kind is SourceKind.SITE and _FEED_LIKE.search(urlsplit(draft.address).path):
        kind = SourceKind.FEED
    asked = {SourceKind.FEED: EndpointKind.FEED, SourceKind.FORUM: EndpointKind.BOARD}.get(kind, EndpointKind.LISTING)
    if kind is SourceKind.SITE and "sitemap" in urlsplit(draft.address).path:
        asked = EndpointKind.SITEMAP
    source = replace(draft, kind=kind)
    return source, [Endpoint(source=source.name, url=source.address, kind=asked)] if source.address else []
