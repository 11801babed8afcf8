"""Searches that are followed: the result pages of their keywords, as endpoints of their sources."""

from collections.abc import Sequence

from thresher.catalog.contract import Catalog
from thresher.errors import UsageError
from thresher.model import Endpoint, EndpointKind, Source, SourceKind
from thresher.model.engine import HOT, Engine, chosen, result_pages


def plan_searches(catalog: Catalog, engines: Sequence[Engine]) -> list[str]:
    """Give every search source the endpoints that its keywords and the engines mean now, and no others.

    Return what stands in the way, a line for each source that cannot be asked as it is; its endpoints stay.
    """
    faults = []
    hot = [keyword.word for keyword in catalog.keywords()]
    for source in catalog.sources():
        if source.kind is SourceKind.SEARCH:
            try:
                plan_search(catalog, source, search_endpoints(source, engines, hot))
            except UsageError as error:
                faults.append(f"source {source.name}: {error}")
    return faults


def search_endpoints(source: Source, engines: Sequence[Engine], hot: Sequence[str]) -> list[Endpoint]:
    """Return the result pages of a search source; raise UsageError when its engine is not set up.

    `hot` are the keywords that its own may refer to.
    """
    asked = chosen(engines, [source.engine] if source.engine else [])
    words = [each for word in source.keywords for each in (hot if word == HOT else [word])]
    kind = EndpointKind.SEARCH
    pages = dict.fromkeys(page.url for page in result_pages(words, asked))
    return [Endpoint(source=source.name, url=url, kind=kind) for url in pages]


def plan_search(catalog: Catalog, source: Source, wanted: Sequence[Endpoint]) -> None:
    """Give one search source these endpoints and no others; those that it has keep what is known of them."""
    known = {endpoint.url for endpoint in catalog.endpoints(source.name) if endpoint.kind is EndpointKind.SEARCH}
    catalog.save_endpoints([endpoint for endpoint in wanted if endpoint.url not in known])
    for url in known - {endpoint.url for endpoint in wanted}:
        catalog.remove_endpoint(source.name, url)
