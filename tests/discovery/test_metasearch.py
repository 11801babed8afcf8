"""Result pages of search engines: which of their links are results, in which order."""

import json
from datetime import UTC, datetime

from thresher.discovery.metasearch import discover_results
from thresher.model import Page

NOW = datetime(2026, 3, 4, tzinfo=UTC)
URL = "https://engine.test/search?q=ferry"


def page(body: str | bytes, content_type: str = "text/html", **headers: str) -> Page:
    raw = body.encode() if isinstance(body, str) else body
    return Page(URL, 200, raw, NOW, {"content-type": content_type, **headers})


def found(body: str | bytes, content_type: str = "text/html", **headers: str) -> list[str]:
    return [link.url for link in discover_results(page(body, content_type, **headers)).found.links]


def searxng(*results: object, **more: object) -> str:
    """Return what a SearXNG instance answers with format=json."""
    whole = {"query": "ferry", "number_of_results": 0, "results": list(results), "answers": [], "corrections": []}
    return json.dumps(whole | {"infoboxes": [], "suggestions": ["ferry times"], "unresponsive_engines": []} | more)


def result(url: str, **more: object) -> dict[str, object]:
    known = {"url": url, "title": "A title", "content": "Some words", "engine": "bing", "category": "general"}
    scored = {"engines": ["bing"], "positions": [1], "score": 1.0, "parsed_url": ["https", "a.test", "/", "", "", ""]}
    return known | scored | {"publishedDate": None, "template": "default.html"} | more


HTML = """<html><head><title>ferry - Engine</title></head><body>
<nav><ul><li><a href="/images">Pictures of everything there is in the whole wide world</a></li></ul></nav>
<form action="/search"><input name="q"><a href="/help">Help with searching for things that you want</a></form>
<div class="filters"><a href="?q=ferry&t=day">Day</a> <a href="?q=ferry&t=week">Past week</a></div>
<ol><li class="hit"><h3><a href="https://one.test/ferry-late">The ferry was late again</a></h3>
<p>On Tuesday the ferry … <a href="/cache/1">Saved</a></p></li>
<li class="hit"><h3><a href="/url?q=https%3A%2F%2Ftwo.test%2Fa%3Fid%3D7&sa=U">
Islanders wait for their ferry</a></h3></li>
<li class="hit"><h3><a href="https://three.test/x">Three ferries for four islands</a></h3></li></ol>
<div class="pager"><a rel="next" href="?q=ferry&page=2">Next page</a></div>
<footer><a href="/privacy">What we do with what you have searched for here</a></footer></body></html>"""


def test_the_results_of_a_page_are_taken_in_their_order_and_nothing_else_of_it() -> None:
    assert found(HTML) == ["https://one.test/ferry-late", "https://two.test/a?id=7", "https://three.test/x"]


def test_results_are_links_one_step_away_that_say_what_they_are() -> None:
    links = discover_results(page(HTML)).found.links
    assert {(link.why, link.depth, link.found_on) for link in links} == {("result", 1, URL)}


def test_results_on_the_host_of_the_engine_are_results() -> None:
    items = "".join(f'<li><a href="/news/{n}">Short report number {n} of the harbour</a></li>' for n in range(5))
    assert found(f"<body><ul class=r>{items}</ul></body>") == [f"https://engine.test/news/{n}" for n in range(5)]


def test_chinese_titles_count_though_they_are_short() -> None:
    items = "".join(f'<div class="c"><h3><a href="https://x{n}.test/">渡轮又晚点了</a></h3></div>' for n in range(3))
    menu = "".join(f'<div class="m"><b><a href="/{n}">Tab {n}</a></b></div>' for n in range(4))
    assert found(f"<body>{menu}{items}</body>") == [f"https://x{n}.test/" for n in range(3)]


def test_a_page_without_links_has_no_results() -> None:
    assert found("<body><p>Nothing was found for ferry</p></body>") == []


def test_what_a_page_asks_not_to_follow_is_left() -> None:
    results = discover_results(page(HTML, **{"x-robots-tag": "nofollow"}))
    assert results.found.links == ()
    assert ("https://one.test/ferry-late", "nofollow") in results.found.skipped


def test_the_entries_of_a_feed_are_results() -> None:
    items = "".join(f"<item><title>T{n}</title><link>https://x{n}.test/a</link></item>" for n in (2, 1))
    feed = f'<?xml version="1.0"?><rss version="2.0"><channel><title>q</title>{items}</channel></rss>'
    assert found(feed, "application/rss+xml") == ["https://x2.test/a", "https://x1.test/a"]


def test_searxng_results_keep_their_rank_and_are_taken_once() -> None:
    body = searxng(result("https://b.test/2"), result("https://a.test/1#top"), result("https://b.test/2"))
    assert found(body, "application/json") == ["https://b.test/2", "https://a.test/1"]


def test_the_header_that_searxng_sends_with_everything_is_not_meant_for_its_api() -> None:
    body = searxng(result("https://b.test/2"))
    assert found(body, "application/json", **{"x-robots-tag": "noindex, nofollow"}) == ["https://b.test/2"]


def test_engines_that_did_not_answer_searxng_are_told() -> None:
    silent = [["google", "CAPTCHA"], ["qwant", "timeout"], ["odd"]]
    results = discover_results(page(searxng(unresponsive_engines=silent), "application/json"))
    assert results.note == "no answer from google (CAPTCHA), qwant (timeout), odd"


def test_json_of_another_form_gives_no_results_and_no_error() -> None:
    odd = [result("javascript:alert(1)"), result("mailto:a@b.test"), {"title": "no url"}, 7, None, result("")]
    assert found(searxng(*odd), "application/json") == []
    assert found(searxng(unresponsive_engines={"a": 1}), "application/json") == []
    for body in ("{", "[]", '{"results": 5}', '{"results": [' + "[" * 5_000, "{}"):
        assert found(body, "application/json") == []
