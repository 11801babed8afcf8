"""Search engines: where their result pages are, and what makes no engine."""

import re

import pytest

from thresher.errors import UsageError
from thresher.model.engine import Engine, EngineKind, chosen, engines_from, engines_to, result_pages


def urls_of(keyword: str, **table: object) -> list[str]:
    (engine,) = engines_from({"e": table})
    return [page.url for page in engine.result_pages(keyword)]


def test_a_template_is_filled_with_the_keyword_and_the_number_of_the_page() -> None:
    found = urls_of("tea & 茶", url="https://e.test/s?q={keyword}&p={page}", pages=2)
    assert found == [f"https://e.test/s?q=tea%20%26%20%E8%8C%B6&p={number}" for number in (1, 2)]


def test_offsets_count_results() -> None:
    assert urls_of("x", url="https://e.test/{keyword}?from={offset}", pages=3)[1:] == [
        "https://e.test/x?from=10",
        "https://e.test/x?from=20",
    ]
    found = urls_of("x", url="https://e.test/?q={keyword}&first={offset}", pages=2, first=1, step=8)
    assert found == ["https://e.test/?q=x&first=1", "https://e.test/?q=x&first=9"]


def test_keywords_are_sent_in_the_encoding_of_the_engine() -> None:
    assert urls_of("茶", url="https://e.test/?q={keyword}", encoding="gbk") == ["https://e.test/?q=%B2%E8"]


@pytest.mark.parametrize("address", ["https://s.test", "https://s.test/", "https://s.test/search"])
def test_a_searxng_instance_is_asked_for_json(address: str) -> None:
    found = urls_of("a b", url=address, kind="searxng", pages=2)
    assert found == [f"https://s.test/search?q=a%20b&format=json&pageno={number}" for number in (1, 2)]


def test_parameters_of_a_searxng_address_are_kept() -> None:
    found = urls_of("a", url="https://s.test/searx/?categories=news&language=de", kind="searxng")
    assert found == ["https://s.test/searx/search?q=a&format=json&pageno=1&categories=news&language=de"]


def test_the_pattern_fits_result_pages_and_nothing_else_of_the_host() -> None:
    (engine,) = engines_from({"e": {"url": "https://e.test/find/{keyword}?p={page}", "pages": 2}})
    assert all(re.fullmatch(engine.pattern, page.url) for page in engine.result_pages("a/b c?d"))
    assert not re.fullmatch(engine.pattern, "https://e.test/find/a/b")
    assert not re.fullmatch(engine.pattern, "https://e.test/about")


@pytest.mark.parametrize(
    ("table", "word"),
    [
        ({}, "has no url"),
        ({"url": "https://e.test/"}, "has no {keyword}"),
        ({"url": "ftp://e.test/{keyword}"}, "not an http"),
        ({"url": "https://{keyword}.test/"}, "place of a host"),
        ({"url": "https://e.test/{keyword}", "pages": 3}, "needs {page} or {offset}"),
        ({"url": "https://e.test/{keyword}/{page}", "pages": 99}, "between 1 and 50"),
        ({"url": "https://e.test/{keyword}", "kind": "rss"}, "not one of template, searxng"),
        ({"url": "https://e.test/{keyword}", "colour": 1}, "unknown field 'colour'"),
        ({"url": "https://e.test/{keyword}", "pages": "2"}, "wrong type"),
        ({"url": "https://e.test/{keyword}", "pages": True}, "wrong type"),
        ({"url": "https://e.test/{keyword}", "delay_s": -1}, "less than 0"),
        ({"url": "https://e.test/{keyword}", "encoding": "klingon"}, "not an encoding"),
    ],
)
def test_an_engine_that_cannot_be_asked_is_refused(table: dict[str, object], word: str) -> None:
    with pytest.raises(UsageError, match=re.escape(word)) as refused:
        engines_from({"mine": table})
    assert str(refused.value).startswith("engine mine: ")


def test_engines_are_written_as_they_are_read() -> None:
    tables: dict[str, dict[str, object]] = {
        "a": {"url": "https://a.test/{keyword}"},
        "b": {"url": "https://b.test", "kind": "searxng", "pages": 2},
    }
    plain = [{"name": name} | table for name, table in tables.items()]
    assert engines_to(plain) == tables
    assert [engine.kind for engine in engines_from(tables)] == [EngineKind.TEMPLATE, EngineKind.SEARXNG]


def test_an_engine_that_is_not_set_up_is_named_with_those_that_are() -> None:
    engines = [Engine(name=name, url="https://e.test/{keyword}") for name in ("b", "a")]
    assert [engine.name for engine in chosen(engines, [])] == ["b", "a"]
    assert [engine.name for engine in chosen(engines, ["a", "a"])] == ["a"]
    with pytest.raises(UsageError, match="no engine 'c' in the settings; there are a, b"):
        chosen(engines, ["c"])
    with pytest.raises(UsageError, match=r"\[engines.NAME\]"):
        chosen([], [])


def test_first_pages_come_before_second_ones_and_keywords_once() -> None:
    engines = [Engine(name=name, url=f"https://{name}.test/{{keyword}}/{{page}}", pages=2) for name in ("a", "b")]
    pages = result_pages([" x ", "x", "", "y  z"], engines)
    assert [(page.engine, page.keyword, page.number) for page in pages] == [
        (engine, word, number) for number in (1, 2) for word in ("x", "y z") for engine in ("a", "b")
    ]
