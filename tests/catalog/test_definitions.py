"""Definitions of sources in TOML: round trips, plans, duplicates."""

import random
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from tests.contracts.catalog_words import endpoint, source
from thresher.catalog.definitions import Definition, duplicate_of, from_toml, plan, to_toml
from thresher.errors import UsageError
from thresher.model import EndpointKind, Source, SourceKind, SourceState

FEED = ("https://example.com/feed.xml", EndpointKind.FEED)


def definition(name: str = "example", *endpoints: tuple[str, EndpointKind], **values: Any) -> Definition:
    return Definition(source(name, created_at=None, **values), endpoints)


def full() -> Definition:
    return definition(
        "新闻-1",
        FEED,
        ("https://example.com/", EndpointKind.LISTING),
        kind=SourceKind.FORUM,
        include=(r"/\d{4}/", 'quote " and \\ back', "line\nbreak"),
        exclude=("ü",),
        frequency="*/15 6-22 * * 1-5",
        language="zh",
        channel="forum",
        tags=("a", "b c", "降准"),
        limit=50,
        since=date(2026, 1, 31),
        state=SourceState.PAUSED,
    )


def search() -> Definition:
    return Definition(Source(name="s", kind=SourceKind.SEARCH, keywords=("降准", "x y"), engine="searx"))


def test_what_is_written_is_read_back_and_nothing_is_left_to_do() -> None:
    definitions = [definition("a", FEED), full(), search()]
    read = from_toml(to_toml(definitions))
    assert [d.source for d in read] == [d.source for d in definitions]
    assert [set(d.endpoints) for d in read] == [set(d.endpoints) for d in definitions]
    assert plan(read, definitions, prune=True) == []
    assert from_toml(to_toml([])) == []


def test_a_few_lines_are_enough() -> None:
    (found,) = from_toml('[[source]]\nname = "ferry"\naddress = "ferry.example/news"\n')
    assert found == Definition(Source(name="ferry", kind=SourceKind.SITE, address="https://ferry.example/news"), ())


def test_random_definitions_survive_the_round_trip() -> None:
    dice = random.Random(19)
    letters = "ab Z0\\\"'\n\t#=[]{}é漢🙂\u200b"

    def text() -> str:
        return "".join(dice.choices(letters, k=dice.randrange(1, 12)))

    for number in range(200):
        made = definition(f"s{number}", tags=tuple(text() for _ in range(3)), language=text(), channel=text())
        assert from_toml(to_toml([made])) == [made]


def test_a_plan_names_what_is_added_changed_and_removed_with_fields() -> None:
    present = [definition("same", FEED), definition("other", tags=("x",), limit=5), definition("old")]
    wanted = [definition("new", tags=("t",)), definition("same"), definition("other", tags=("y",))]
    changes = plan(wanted, present, prune=True)
    assert [(change.action, change.name) for change in changes] == [
        ("add", "new"),
        ("change", "other"),
        ("remove", "old"),
    ]
    assert changes[0].fields == {
        "kind": (None, "site"),
        "address": (None, "https://example.com/"),
        "tags": (None, ["t"]),
    }
    assert changes[1].fields == {"tags": (["x"], ["y"]), "limit": (5, None)}
    assert [change.action for change in plan(wanted, present, prune=False)] == ["add", "change", "keep"]


def test_endpoints_that_a_file_does_not_name_stay() -> None:
    present = [definition("a", FEED)]
    (change,) = plan([definition("a", limit=3)], present, prune=False)
    assert change.definition == replace(present[0], source=replace(present[0].source, limit=3))
    (change,) = plan([definition("a", ("https://example.com/x", EndpointKind.FEED))], present, prune=False)
    assert set(change.fields) == {"endpoint"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[[source]", "not valid TOML"),
        ('[sources]\nname = "a"', "unknown table 'sources'"),
        ('[source]\nname = "a"', "two brackets"),
        ('[[source]]\naddress = "a.example"', "a source without a name"),
        ('[[source]]\nname = "a"', "source a: a site needs an address"),
        ('[[source]]\nname = "a"\nadress = "x"', "source a: unknown field 'adress'"),
        ('[[source]]\nname = "a"\naddress = "ftp://x/"', "source a: address"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nkind = "news"', "source a: kind: 'news' is not one of feed"),
        ('[[source]]\nname = "a"\naddress = "x.example"\ntags = "x"', "source a: tags: 'x' is not a list"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nlimit = true', "source a: limit: True is not a whole number"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nlimit = 0', "source a: limit 0 is less than 1"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nsince = "soon"', "source a: since: 'soon' is not a date"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nfrequency = "often"', "source a: 'often' is not a frequency"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nfrequency = "99 * * * *"', "is not a cron line"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nfrequency = "0 0 31 2 *"', "source a: .*cron line"),
        ('[[source]]\nname = "a"\naddress = "x.example"\nfrequency = "1s"', "not between one minute and one year"),
        ('[[source]]\nname = "a"\naddress = "x.example"\ninclude = ["("]', "source a: .* is not a regular expression"),
        ('[[source]]\nname = "a b"\naddress = "x.example"', "'a b' is not a name"),
        (
            '[[source]]\nname = "a"\naddress = "x.example"\nendpoint = [{url = "x"}]',
            "source a: endpoint: an endpoint has",
        ),
        (
            '[[source]]\nname = "a"\naddress = "x.example"\nendpoint = [{url = "https://x.example/", kind = "y"}]',
            "the kind of an endpoint is one of feed",
        ),
        ('[[source]]\nname = "a"\naddress = "x.example"\n' * 2, "source a: it is there twice"),
    ],
)
def test_a_wrong_file_is_told_what_is_wrong_with_which(text: str, words: str) -> None:
    with pytest.raises(UsageError, match=words):
        from_toml(text)


def test_the_same_place_is_a_duplicate_however_it_is_spelled() -> None:
    sources = [source("a", address="https://www.example.com/news/")]
    endpoints = [endpoint("https://example.org/feed", source="b"), endpoint("https://c.example/", source="c")]
    endpoints[1] = replace(endpoints[1], kind=EndpointKind.LISTING)
    assert duplicate_of(["http://example.com/news"], sources, endpoints) == "a"
    assert duplicate_of(["https://x.example/", "http://www.example.org/feed/"], sources, endpoints) == "b"
    assert duplicate_of(["https://c.example/"], sources, endpoints) is None
    assert duplicate_of(["https://example.com/"], sources, endpoints) is None
