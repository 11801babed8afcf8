"""What every index finds with which query (index/contract.py)."""

from dataclasses import replace

import pytest

from tests.contracts.index_words import NOW, document, found, marked, only_hit
from thresher import urls
from thresher.errors import UsageError
from thresher.index.contract import Index
from thresher.index.labels import resolved
from thresher.index.query import parse


@pytest.mark.parametrize(
    ("text", "query", "marks"),
    [
        ("央行今日宣布下调存款准备金率。", "准备", ["准备"]),
        ("央行今日宣布下调存款准备金率。", "存款准备金", ["存款准备金"]),
        ("央行今日宣布下调存款准备金率。", "率", ["率"]),
        ("央行今日宣布下调存款准备金率。", "央", ["央"]),
        ("今天Ａ股大涨", "a股", ["Ａ股"]),
        ("東京タワーに行きました", "ﾀﾜｰ", ["タワー"]),
        ("한국어를 배우고 있어요", "한국어", ["한국어"]),
        ("ภาษาไทยไม่มีช่องว่าง", "ไม่", ["ไม่"]),
        ("Le Café de la Gare", "cafe", ["Café"]),
        ("Le Cafe\u0301 de la Gare", "café", ["Cafe\u0301"]),
        ("Die STRASSE ist lang", "straße", ["STRASSE"]),
        ("Ελλάδα και Κύπρος", "ελλαδα", ["Ελλάδα"]),
        ("Новый йогурт", "ЙОГУРТ", ["йогурт"]),
        ("Covid-19 spread", "covid-19", ["Covid-19"]),
        ("won 3.14 million", "3.14", ["3.14"]),
        ("Full ｗｉｄｔｈ letters", "width", ["ｗｉｄｔｈ"]),
        ("a searching man", "search*", ["searching"]),
        ("臺灣後來的國際關係", "国际关系", ["國際關係"]),
        ("台湾后来的国际关系", "臺灣後來", ["台湾后来"]),
        ("one two three four", "one NEAR/2 four", ["one", "four"]),
        ("four three two one", "one NEAR/2 four", ["four", "one"]),
        ("央行今日宣布下调存款准备金率。", "央行 NEAR/6 存款", ["央行", "存款"]),
    ],
)
def test_words_are_found_and_marked(index: Index, text: str, query: str, marks: list[str]) -> None:
    index.add([document(text=text)], NOW)
    assert marked(only_hit(index, query)) == marks


@pytest.mark.parametrize(
    ("text", "query"),
    [
        ("央行今日宣布下调存款准备金率。", "存准"),
        ("央行。行长", "央行行长"),
        ("и только", "й"),
        ("か", "が"),
        ("searching", "search"),
        ("foo bar", '"bar foo"'),
        ("foo x bar", '"foo bar"'),
        ("one two three four", "one NEAR/1 four"),
        ("央行今日宣布下调存款准备金率。", "央行 NEAR/5 存款"),
        ("one", "one NEAR/5 two"),
        ("b a x c", '"a b" NEAR/5 c'),
        ("c x b a", '"a b" NEAR/5 c'),
    ],
)
def test_other_words_are_not_found(index: Index, text: str, query: str) -> None:
    index.add([document(text=text)], NOW)
    assert found(index, query) == []


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("", "abc"),
        ("banana", "ab"),
        ("banana apple", "a"),
        ("banana -apple", "b"),
        ("apple | cherry", "abc"),
        ("apple OR cherry -banana", "ac"),
        ("(apple | cherry) banana", "ab"),
        ("-banana", "c"),
        ("-banana -cherry", ""),
        ("apple | -banana", "ac"),
        ("apple | site:news.example.com", "ab"),
        ("cherry -(site:news.example.com | apple)", "c"),
        ("title:fruit", "a"),
        ("body:fruit", ""),
        ("fruit", "a"),
        ("title:(fruit | cherry)", "a"),
        ("author:张三", "b"),
        ('author:"jane doe"', "b"),
        ("jane", "b"),
        ("site:example.com", "abc"),
        ("site:news.example.com", "b"),
        ("site:*.example.com", "abc"),
        ("site:ample.com", ""),
        ("-site:news.example.com", "ac"),
        ("url:NEWS", "b"),
        ("https://example.com/c", "c"),
        ("http://example.com/c#top", "c"),
        ("lang:zh", "b"),
        ("lang:zh-cn", "b"),
        ("-lang:zh", "ac"),
        ("is:article", "ac"),
        ("is:thread", ""),
        ("has:date", "ac"),
        ("-has:date", "b"),
        ("has:author", "b"),
        ("date:7d", "c"),
        ("-date:7d", "ab"),
        ("date:2026-10", "a"),
        ("date:2026-10-01..2026-11", "ac"),
        ("date:<2026-11", "a"),
        ("seen:3d", "abc"),
        ("seen:today", ""),
        ("run:1", "abc"),
        ("run:2", ""),
        ("len:>800", "c"),
        ("len:12", "a"),
        ("len:..100", "ab"),
        ("cherry date:7d", "c"),
        ("cherry (date:7d | lang:zh)", "bc"),
    ],
)
def test_a_query_finds_what_it_says(three: Index, query: str, expected: str) -> None:
    assert sorted(path[-1] for path in found(three, query)) == list(expected)


@pytest.mark.parametrize("query", ["tag:x", "apple -channel:news"])
def test_a_field_without_data_is_refused_rather_than_empty(three: Index, query: str) -> None:
    with pytest.raises(UsageError, match="cannot be answered here"):
        three.search(parse(query, NOW))


def test_documents_are_found_by_the_sources_that_brought_them(three: Index) -> None:
    one, other = (document(f"https://example.com/{name}", "banana " + name) for name in "de")
    three.add([replace(one, sources=("daily", "harbour")), replace(other, sources=("harbour",))], NOW)
    three.add([replace(other, sources=("weekly",))], NOW)
    expected = {"source:daily": "d", "source:harbour": "de", "source:weekly": "e", "source:dail": ""}
    expected |= {"banana source:daily": "d", "banana -source:harbour": "ab", "source:daily | source:weekly": "de"}
    assert {query: "".join(sorted(path[-1] for path in found(three, query))) for query in expected} == expected
    three.remove([urls.key_of("https://example.com/d")])
    assert found(three, "source:daily") == []


def test_channels_and_tags_stand_for_the_sources_that_have_them(three: Index) -> None:
    labels = {("tag", "sea"): ["daily", "harbour"], ("channel", "news"): ["harbour"]}
    three.add([document("https://example.com/d", "ferry", sources=("daily",))], NOW)
    for query, expected in (("tag:sea", 1), ("channel:news", 0), ("-tag:sea", 3), ("tag:none", 0), ("-tag:none", 4)):
        meant = resolved(parse(query, NOW), lambda field, value: labels.get((field, value), []))
        assert three.search(meant).total == expected, query
