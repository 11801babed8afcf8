"""Feeds that are gone, found again on the front page of their site.

feed: 404 three times, or 410 ──▶ the front page is asked ──▶ a feed that it announces is asked instead
"""

from collections.abc import Collection, Sequence

from thresher import urls
from thresher.discovery.feeds import is_side_feed
from thresher.discovery.links import priority_of
from thresher.model import Endpoint, EndpointKind, Link
from thresher.model.source import EndpointState

LOST_AFTER = 3  # answers in a row that it is not there
MISSING = frozenset({404, 410})
FEEDS = ("feed", "subfeed")  # whys of links to feeds


def is_lost(endpoint: Endpoint) -> bool:
    """Say whether a feed is not where it was, and nobody knows where it is."""
    given_up = endpoint.state is EndpointState.GONE or endpoint.failures >= LOST_AFTER
    return endpoint.kind is EndpointKind.FEED and given_up and not endpoint.moved_to


def home_of(endpoint: Endpoint) -> Link:
    """Return the front page of an endpoint's site, to be asked for its sake."""
    url = f"{urls.origin_of(endpoint.url)}/"
    return Link(url, 0, "page", endpoint.url, priority_of("page", 0), source=endpoint.source)


def replacement(links: Sequence[Link], known: Collection[str]) -> str | None:
    """Return the feed that a front page announces and that is not asked yet; None when there is none."""
    announced = (link.url for link in links if link.why in FEEDS)
    return next((url for url in announced if url not in known and not is_side_feed(url)), None)
