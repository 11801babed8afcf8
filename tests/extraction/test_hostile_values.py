"""One bad date, number, link or field never costs its document, and one bad post never its thread."""

import random
from datetime import UTC, datetime

import pytest
from lxml import html as lxml_html

from tests.extraction.forum.engines import ENGINES, conversation
from thresher import extract
from thresher.extraction.fields import all_fields
from thresher.extraction.fields.dates import read_date
from thresher.extraction.fields.json_ld import read_items
from thresher.model import Kind

NOW = datetime(2026, 11, 16, tzinfo=UTC)
NEVER = [
    "0001-01-01T00:00:00",  # what .NET writes for an empty date
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59.9999999",
    "9999-12-31T23:59:59-14:00",
    "0001-01-01",
    "9999-12-31",
]
BAD = [
    *NEVER,
    *("-0001-11-30T00:00:00", "0000-00-00 00:00:00", "2024-02-30", "2024-06-08T25:61:61", "2024-06-08T10:00:00+99:99"),
    *("2024-W99", "20240608T101500Z", "1" * 5_000, "9" * 13, "253402300800000", "²⁰²⁴", "٢٠٢٤-٠٦-٠٨", "1e400", "NaN"),
    *("999 years ago", "Mon, 01 Jan 2024 00:00:00 +99999999999999", "today 99:99", "昨天 99:99", "31 Dec 9999"),
    *("http://-1.1.1.1/", "http://1_27.0.0.1/", "http://[", "http://[::1%25eth0]/", "//[x", "http://a:99999999999/"),
    *("?page=" + "9" * 5_000, "#p" + "9" * 5_000, "http://u:p@h/", "http://xn--/", "-" + "9" * 5_000, "½", ""),
]
ATTRIBUTES = ("datetime", "title", "href", "content", "data-time", "data-timestamp", "id", "value", "start", "name")
STORY = (
    "<p>The ferry runs again from Monday on, and the harbour has put up new signs for everybody who waits there.</p>"
)


@pytest.mark.parametrize("written", NEVER)
def test_a_date_that_stands_for_never_is_none(written: str) -> None:
    assert read_date(written) is None


@pytest.mark.parametrize("written", NEVER)
@pytest.mark.parametrize("name", ["invision", "nodebb", "vbulletin4", "xiuno"])
def test_a_thread_with_an_empty_date_keeps_its_posts(name: str, written: str) -> None:
    page, said = conversation(name)
    shown = page.replace("<body>", f'<body><p><time datetime="{written}">2019-03-14 10:00</time></p>')
    marked = lxml_html.document_fromstring(shown)
    for element in (*marked.iter("time"), *marked.xpath("//*[@data-timestamp]")):
        element.set("datetime", written)
        element.attrib.pop("data-timestamp", None)
    document = extract(lxml_html.tostring(marked, encoding="unicode"), "http://e.com/t/1", fetched_at=NOW)
    assert document.kind is Kind.THREAD
    assert [post.author for post in document.posts] == [each.author for each in said]


@pytest.mark.parametrize("written", BAD, ids=lambda value: ascii(value)[:30])
def test_an_article_with_a_bad_date_or_link_keeps_its_text(written: str) -> None:
    page = f"""<title>The ferry runs again</title><link rel=canonical href="{written}"><base href="{written}">
    <meta property="article:published_time" content="{written}"><h1>The ferry runs again</h1>
    <time datetime="{written}">{written}</time><p><a href="{written}">{written}</a></p>{STORY * 9}
    <ol start="{written}"><li value="{written}">{STORY}</ol>
    <script type="application/ld+json">{{"@type": "Article", "datePublished": "{written}", "url": "{written}"}}
    </script>"""
    document = extract(page, "http://e.com/a", fetched_at=NOW)
    assert document.title == "The ferry runs again"
    assert "The ferry runs again from Monday on" in document.text
    assert document.markdown()
    assert document.html()


@pytest.mark.parametrize("seed", range(40))
def test_bad_values_anywhere_are_read_without_complaint(seed: int) -> None:
    rng = random.Random(seed)
    page, _ = conversation(rng.choice(list(ENGINES)))
    root = lxml_html.document_fromstring(page)
    elements = [element for element in root.iter() if isinstance(element.tag, str)]
    for element in rng.sample(elements, 12):
        value = rng.choice(BAD)
        known = sorted(map(str, element.attrib)) or ATTRIBUTES
        element.set(rng.choice(known), value)
        element.set(rng.choice(ATTRIBUTES), value)
        element.text = value if rng.random() < 0.3 else element.text
    markup = lxml_html.tostring(root, encoding="unicode")
    for now in (NOW, None, datetime.min, datetime.max.replace(tzinfo=UTC)):
        document = extract(markup, "http://e.com/t/1", fetched_at=now, posts="always")
        assert document.to_dict()["url"] == "http://e.com/t/1"


def test_a_number_of_thousands_of_digits_costs_nothing_else() -> None:
    assert read_items(['{"headline": "Ferry", "id": ' + "9" * 5_000 + "}"])[0]["headline"] == "Ferry"


def test_half_a_character_is_left_out_of_fields() -> None:
    data = '{"@type": "NewsArticle", "author": {"name": "Ann \\udfff Miller"}, "image": "http://h/\\ud800a.png"}'
    page = f'<script type="application/ld+json">{data}</script><h1>The ferry runs again</h1>{STORY * 9}'
    document = extract(page, "http://e.com/a")
    assert document.authors == ("Ann Miller",)
    assert str(document.to_dict()).encode()


def test_a_search_that_fails_on_a_value_costs_its_field_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    def too_far(*_: object, **__: object) -> None:
        raise OverflowError("date value out of range")

    monkeypatch.setattr(all_fields, "find_date", too_far)
    document = extract(f"<title>The ferry runs again</title><h1>The ferry runs again</h1>{STORY * 9}")
    assert document.published is None
    assert document.title == "The ferry runs again"
