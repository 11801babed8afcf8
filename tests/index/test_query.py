"""The query language: what is read from a text, and what is said when it cannot be read."""

import re
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from thresher.errors import QueryError, UsageError
from thresher.index.nodes import And, Dated, Everything, Labelled, Long, Near, Node, Not, Or, Site, Sources, Url, Words
from thresher.index.query import parse
from thresher.index.sqlite import SqliteIndex
from thresher.sqlite import connect

NOW = datetime(2026, 11, 20, 12, 30, tzinfo=UTC)


def day(year: int, month: int, day: int) -> datetime:
    return datetime(year, month, day, tzinfo=UTC)


def root(text: str) -> Node:
    return parse(text, NOW).root


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", Everything()),
        ("  \u3000", Everything()),
        ("a", Words("a")),
        ("a b", And((Words("a"), Words("b")))),
        ("a + b", And((Words("a"), Words("b")))),
        ("a+b", And((Words("a"), Words("b")))),
        ("+a +b", And((Words("a"), Words("b")))),
        ("a AND b", And((Words("a"), Words("b")))),
        ("a and b", And((Words("a"), Words("and"), Words("b")))),
        ("a | b", Or((Words("a"), Words("b")))),
        ("a|b", Or((Words("a"), Words("b")))),
        ("a OR b", Or((Words("a"), Words("b")))),
        ("a b | c", Or((And((Words("a"), Words("b"))), Words("c")))),
        ("a (b | c)", And((Words("a"), Or((Words("b"), Words("c")))))),
        ("-a", Not(Words("a"))),
        ("!a", Not(Words("a"))),
        ("NOT a", Not(Words("a"))),
        ("--a", Words("a")),
        ("-(a b)", Not(And((Words("a"), Words("b"))))),
        ("covid-19", Words("covid-19")),
        ("a - b", And((Words("a"), Words("b")))),
        ('"a b"', Words("a b")),
        ('-"a b"', Not(Words("a b"))),
        ("a*", Words("a", prefix=True)),
        ("a & b", And((Words("a"), Words("b")))),
        ("AT&T", Words("AT&T")),
        ("12:30", Words("12:30")),
        ("Re: a", And((Words("Re:"), Words("a")))),
        ("央行：降准", Words("央行:降准")),
        ("降准，央行。", And((Words("降准"), Words("央行")))),
        ("降准！央行", And((Words("降准"), Words("央行")))),
        ("title:a", Words("a", "title")),
        ("TITLE: a", Words("a", "title")),
        ('body:"a b"', Words("a b", "body")),
        ("author:(a | b)", Or((Words("a", "author"), Words("b", "author")))),
        ("title:(a -b)", And((Words("a", "title"), Not(Words("b", "title"))))),
        ("site:Example.com", Site("example.com")),
        ("site:https://example.com/x", Site("example.com")),
        ("site:*.example.com", Site("example.com")),
        ("site:127.0.0.1:8080", Site("127.0.0.1:8080")),
        ("site:(a.com | b.com)", Or((Site("a.com"), Site("b.com")))),
        ("url:news", Url("news", whole=False)),
        ("url:https://example.com", Url("https://example.com/", whole=True)),
        ("https://Example.com/A_(b)", Url("https://example.com/A_(b)", whole=True)),
        ("(https://example.com/a)", Url("https://example.com/a", whole=True)),
        ("lang:zh_CN", Labelled("lang", "zh-cn")),
        ("source:新华社", Sources(("新华社",))),
        ("channel:forum", Labelled("channel", "forum")),
        ("run:012", Labelled("run", "12")),
        ("is:Article", Labelled("is", "article")),
        ("has:date", Labelled("has", "date")),
        ("len:>800", Long(801, None)),
        ("len:<=800", Long(None, 800)),
        ("len:800", Long(800, 800)),
        ("len:10..20", Long(10, 20)),
        ("len:10..", Long(10, None)),
        ("a NEAR/5 b", Near(Words("a"), Words("b"), 5)),
        ('title:("a b" NEAR/1 c)', Near(Words("a b", "title"), Words("c", "title"), 1)),
        ("title:a NEAR/2 b", Near(Words("a", "title"), Words("b", "title"), 2)),
        ("a NEAR/5 b NEAR/9 c", And((Near(Words("a"), Words("b"), 5), Near(Words("b"), Words("c"), 9)))),
        ("Foo NEAR/5 foo", Words("Foo")),
        ("a near/5 b", And((Words("a"), Words("near/5"), Words("b")))),
        ("NEAR b", And((Words("NEAR"), Words("b")))),
    ],
)
def test_a_text_means_this(text: str, expected: Node) -> None:
    assert root(text) == expected


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("7d", NOW - timedelta(days=7), None),
        ("24h", NOW - timedelta(hours=24), None),
        ("2W", NOW - timedelta(weeks=2), None),
        ("today", day(2026, 11, 20), day(2026, 11, 21)),
        ("yesterday", day(2026, 11, 19), day(2026, 11, 20)),
        ("2026", day(2026, 1, 1), day(2027, 1, 1)),
        ("2026-11", day(2026, 11, 1), day(2026, 12, 1)),
        ("2026-12", day(2026, 12, 1), day(2027, 1, 1)),
        ("2026-11-05", day(2026, 11, 5), day(2026, 11, 6)),
        ("2026/11/5", day(2026, 11, 5), day(2026, 11, 6)),
        ("2026年11月5日", day(2026, 11, 5), day(2026, 11, 6)),
        ("2026年11月", day(2026, 11, 1), day(2026, 12, 1)),
        ("2026-11-01..2026-11-15", day(2026, 11, 1), day(2026, 11, 16)),
        ("2026-10..2026", day(2026, 10, 1), day(2027, 1, 1)),
        ("2026-11-01..", day(2026, 11, 1), None),
        ("..2026-11-01", None, day(2026, 11, 2)),
        ("7d..2d", NOW - timedelta(days=7), NOW - timedelta(days=2)),
        (">2026-11-01", day(2026, 11, 2), None),
        (">=2026-11-01", day(2026, 11, 1), None),
        ("<2026-11-01", None, day(2026, 11, 1)),
        ("<=2026-11-01", None, day(2026, 11, 2)),
    ],
)
def test_a_date_means_this_period(text: str, since: datetime | None, until: datetime | None) -> None:
    assert root(f"date:{text}") == Dated("date", since, until)
    assert root(f"seen:{text}") == Dated("seen", since, until)


def test_days_begin_where_the_asker_is() -> None:
    shanghai = timezone(timedelta(hours=8))
    query = parse("date:today", datetime(2026, 11, 20, 1, tzinfo=shanghai))
    assert query.root == Dated("date", datetime(2026, 11, 19, 16, tzinfo=UTC), datetime(2026, 11, 20, 16, tzinfo=UTC))


def test_full_width_signs_do_what_their_plain_forms_do() -> None:
    plain = '降准 "存款准备金" -传闻 !谣言 (site:xinhuanet.com | site:reuters.com) date:7d lang:zh'
    wide = "降准　“存款准备金” －传闻 ！谣言 （site：xinhuanet.com ｜ site：reuters.com） date：７ｄ ｌａｎｇ：zh"
    assert root(wide) == root(plain)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('a "b', "character 3.*never closed"),
        ("a (b", "character 3.*parenthesis is never closed"),
        ("a ) b", "character 3.*without its opening"),
        ("a ()", "character 3.*hold nothing"),
        ("a |", "character 3.*stand between"),
        ("| a", "character 1.*stand between"),
        ("a OR", "stand between"),
        ("a AND", "is missing"),
        ("- !", "nothing to search for"),
        ("。", "nothing to search for"),
        ('"。"', "no word between"),
        ("foo:bar", "no field 'foo:'; the fields are author, body, .* quotation marks"),
        ("title:", "title: needs a value"),
        ("title:。", "title: (needs a value|takes words)"),
        ("title:-a", "title: needs a value"),
        ("title:(site:a)", "is missing"),
        ("date:soon", "date: takes a date like 7d"),
        ("date:2026-02-30", "date: takes a date"),
        ("date:99999y", "date: takes a date"),
        ("date:..", "date: takes a date"),
        ("site:/", "site: takes a host"),
        ("lang:?", "lang: takes"),
        ("run:x", "run: takes the number"),
        ("run:99999999999999999999", "run: takes the number"),
        ("is:cat", "is: takes one of article, thread"),
        ("has:fleas", "has: takes one of date, author"),
        ("len:long", "len: takes a number"),
        ("a NEAR/5", "character 3.*between two words"),
        ("a NEAR/5 site:x.com", "between two words"),
        ("site:x.com NEAR/5 a", "between two words"),
        ("a NEAR/0 b", "distance from 1 to 100"),
        ("a NEAR/x b", "character 3.*distance from 1 to 100, like NEAR/5"),
        ("(a NEAR/5) b", "character 4.*between two words"),
        ("a NEAR/101 b", "distance from 1 to 100"),
        ("a* NEAR/5 b", "takes whole words"),
        ("准 NEAR/5 存款", "two characters and more"),
        ("titel:a", "no field 'titel:'; did you mean title:"),
        ("kind:article", "no field 'kind:'; did you mean is:"),
        ("date:2024-12..2024-01", "character 6.*ends before it begins"),
        ("len:9..3", "character 5.*ends before it begins"),
        ("is:artcle", "did you mean is:article"),
        ("x" * 6000, "6000 characters; the limit is 5000"),
        ("x " * 201, "too many terms; the limit is 200"),
        ("(" * 20 + "x" + ")" * 20, "nested more than"),
    ],
)
def test_a_text_that_cannot_be_read_says_why(text: str, message: str) -> None:
    with pytest.raises(UsageError, match=message):
        root(text)


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ('a "b', '\n  a "b\n    ^'),
        ("降准 titel:x", "\n  降准 titel:x\n       ^"),
        ("x " * 100 + ") y", "\n  " + "x " * 15 + ") y\n  " + " " * 30 + "^"),
    ],
)
def test_an_error_points_at_the_character(text: str, shown: str) -> None:
    with pytest.raises(QueryError) as raised:
        root(text)
    assert str(raised.value).endswith(shown)
    assert text[raised.value.place] in '"t)'


@pytest.mark.parametrize(
    ("text", "clauses"),
    [
        ("降准 (b | c) -传闻 site:x.com", ["降准", "(b | c)", "-传闻", "site:x.com"]),
        ("a | b c", ["a", "b c"]),
        ("a", ["a"]),
        ("(a b)", ["(a b)"]),
        ("a NEAR/5 b NEAR/9 c", ["a NEAR/5 b NEAR/9 c"]),
        ("", []),
    ],
)
def test_a_query_consists_of_these_clauses(text: str, clauses: list[str]) -> None:
    assert [clause.text for clause in parse(text, NOW).clauses] == clauses


SIGNS = [*'()|"-!+*:：“”（ ', "OR ", " AND ", "NOT ", " NEAR/3 ", "\0", "\ud800", "]"]
VALUES = [
    "a",
    "é",
    "降准",
    "率",
    "x.com",
    "7d",
    "2026-11",
    ">5",
    "thread",
    "lang:zh",
    "has:date",
    "run:1",
    "https://x.com/",
]
FIELDS = ["title:", "site:", "date:", "len:", "is:", "url:"]
SYNTAX = st.lists(st.sampled_from(SIGNS + VALUES + FIELDS), max_size=25).map("".join)


@given(st.one_of(st.text(), SYNTAX))
def test_any_text_is_read_and_runs_or_is_a_usage_error(text: str) -> None:
    connection = connect(":memory:")
    with closing(connection), suppress(UsageError):  # any other error fails
        SqliteIndex(connection).search(parse(text, NOW))


SEARCHES = {
    "harbour": "harbour | 港口",
    "ships": "saved:harbour -mooring",
    "a": "saved:b",
    "b": "x saved:a",
    "bad": "(",
}


def test_a_saved_search_stands_for_its_query() -> None:
    query = parse("saved:ships title:storm", NOW, SEARCHES.get)
    assert query.root == parse("((harbour | 港口) -mooring) title:storm", NOW).root
    assert [clause.text for clause in query.clauses] == ["saved:ships", "title:storm"]


def test_words_of_a_saved_search_have_no_place_in_the_query() -> None:
    assert [words.place for words in parse("saved:harbour storm", NOW, SEARCHES.get).words()] == [None, None, (14, 19)]


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("storm saved:nobody", 12, "there is no saved search nobody"),
        ("storm saved:a", 12, "the saved searches contain each other: a → b → a"),
        ("storm (saved:bad)", 13, "in the saved search bad: query, character 1: the parenthesis is never closed"),
    ],
)
def test_errors_in_saved_searches_point_at_their_name(text: str, place: int, message: str) -> None:
    with pytest.raises(QueryError, match=re.escape(message)) as raised:
        parse(text, NOW, SEARCHES.get)
    assert raised.value.place == place


def test_saved_searches_are_nested_so_deep_and_no_deeper() -> None:
    chain = {f"s{number}": f"saved:s{number + 1}" for number in range(20)} | {"s20": "x"}
    parse("saved:s13", NOW, chain.get)
    with pytest.raises(QueryError, match="nested more than 8 deep"):
        parse("saved:s0", NOW, chain.get)


def test_terms_of_saved_searches_count() -> None:
    many = {"many": " ".join("ab" * 1 for _ in range(150))}
    with pytest.raises(QueryError, match="too many terms"):
        parse("saved:many saved:many", NOW, many.get)
