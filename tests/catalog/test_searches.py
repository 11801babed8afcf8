"""Searches that are followed ask the result pages of their keywords, and no others."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from thresher import sqlite
from thresher.catalog.contract import Catalog
from thresher.catalog.searches import plan_searches
from thresher.catalog.sql import sqlite_catalog
from thresher.model import EndpointKind, Keyword, Source, SourceKind
from thresher.model.engine import HOT, Engine
from thresher.model.source import source_from_dict, source_to_dict

NOW = datetime(2026, 11, 16, tzinfo=UTC)
ENGINES = [
    Engine(name="a", url="https://a.test/?q={keyword}"),
    Engine(name="b", url="https://b.test/?q={keyword}&p={page}", pages=2),
]


@pytest.fixture
def catalog(tmp_path: Path) -> Catalog:
    return sqlite_catalog(sqlite.connect(tmp_path / "c.db"))


def search(name: str, *keywords: str, engine: str = "") -> Source:
    return Source(name=name, kind=SourceKind.SEARCH, keywords=keywords, engine=engine)


def asked(catalog: Catalog, name: str) -> list[str]:
    assert all(endpoint.kind is EndpointKind.SEARCH for endpoint in catalog.endpoints(name))
    return sorted(endpoint.url for endpoint in catalog.endpoints(name))


def test_every_keyword_is_asked_for_at_every_engine_and_page(catalog: Catalog) -> None:
    catalog.add(search("ferry", "ferry", "boat"))
    assert plan_searches(catalog, ENGINES) == []
    pages = [f"https://{rest}" for word in ("boat", "ferry") for rest in (f"a.test/?q={word}",)]
    pages += [f"https://b.test/?q={word}&p={number}" for word in ("boat", "ferry") for number in (1, 2)]
    assert asked(catalog, "ferry") == pages


def test_one_engine_is_asked_where_the_source_names_it(catalog: Catalog) -> None:
    catalog.add(search("ferry", "ferry", engine="a"))
    plan_searches(catalog, ENGINES)
    assert asked(catalog, "ferry") == ["https://a.test/?q=ferry"]


def test_hot_keywords_are_followed_as_they_change_and_what_was_learned_of_the_others_stays(catalog: Catalog) -> None:
    catalog.add(search("hot", HOT, engine="a"))
    catalog.save_keywords([Keyword(word=word, origin="edited", added_at=NOW) for word in ("flood", "strike")])
    plan_searches(catalog, ENGINES)
    assert asked(catalog, "hot") == ["https://a.test/?q=flood", "https://a.test/?q=strike"]
    (flood, _) = catalog.endpoints("hot")
    catalog.save_endpoints([type(flood)(source="hot", url=flood.url, kind=flood.kind, asked=7)])
    catalog.remove_keywords(["strike"])
    plan_searches(catalog, ENGINES)
    (left,) = catalog.endpoints("hot")
    assert (left.url, left.asked) == ("https://a.test/?q=flood", 7)


def test_a_search_whose_engine_is_gone_is_told_and_stays_as_it_is(catalog: Catalog) -> None:
    catalog.add(search("ferry", "ferry", engine="a"))
    plan_searches(catalog, ENGINES)
    (fault,) = plan_searches(catalog, ENGINES[1:])
    assert fault == "source ferry: there is no engine 'a' in the settings; there are b"
    assert asked(catalog, "ferry") == ["https://a.test/?q=ferry"]


def test_a_definition_may_say_hot_for_the_list_of_hot_keywords() -> None:
    source = source_from_dict({"name": "hot", "kind": "search", "keywords": "hot"})
    assert source.keywords == (HOT,)
    assert source_from_dict(source_to_dict(source)) == source
