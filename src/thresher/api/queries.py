"""Queries as everybody with a corpus means them: with its saved searches, and the channels and tags of its sources."""

from collections.abc import Mapping
from datetime import datetime

from thresher.crawling.corpus import Corpus
from thresher.errors import BackendError, QueryError, UsageError
from thresher.index.labels import resolved
from thresher.index.query import Query, parse
from thresher.model.alert import SavedSearch


def read_query(corpus: Corpus, text: str, now: datetime) -> Query:
    """Return the query that a text means at a time; raise QueryError that says where it cannot be read and why."""

    def saved(name: str) -> str | None:
        found = corpus.alerts().saved_search(name)
        return found.query if found else None

    def sources_with(field: str, value: str) -> list[str]:
        sources = corpus.catalog().sources()
        if field == "channel":
            return [source.name for source in sources if source.channel == value]
        return [source.name for source in sources if value in source.tags]

    return resolved(parse(text, now, saved), sources_with)


def labels(corpus: Corpus) -> Mapping[str, Mapping[str, list[str]]]:
    """Return the channels and the tags that sources have, each with the names of these sources."""
    found: dict[str, dict[str, list[str]]] = {"channel": {}, "tag": {}}
    try:
        sources = corpus.catalog().sources()
    except BackendError:  # a corpus that may only be read and never had sources has no catalog
        return {}
    for source in sources:
        named = [("channel", source.channel), *(("tag", tag) for tag in source.tags)]
        for field, value in named:
            if value:
                found[field].setdefault(value, []).append(source.name)
    return {field: values for field, values in found.items() if values}


def check_search(corpus: Corpus, search: SavedSearch, now: datetime) -> None:
    """Raise UsageError for a search whose query cannot be read, or that would contain itself."""

    def saved(name: str) -> str | None:
        found = search if name == search.name else corpus.alerts().saved_search(name)
        return found.query if found else None

    try:
        parse(f"saved:{search.name}", now, saved)
    except QueryError as error:
        if isinstance(error.__cause__, UsageError):
            raise UsageError(str(error.__cause__)) from None
        raise
