"""Threads and boards are found on forum pages of any engine, and what only costs requests is left."""

from dataclasses import replace

import pytest

from tests.discovery.forum_pages import ENGINES, Engine
from thresher import urls
from thresher.crawling.reasons import meaning_of
from thresher.discovery.board_rows import has_words_beside_time
from thresher.discovery.board_words import LEFT
from thresher.discovery.links import Found, discover
from thresher.html import parse
from thresher.sample import SampleWeb

SITE = "https://forum.example/"


def found_on(html: str, url: str = SITE) -> Found:
    return discover(parse(html, url=url), url)


def by_reason(found: Found, why: str) -> set[str]:
    return {link.url for link in found.links if link.why == why}


def absolute(hrefs: list[str]) -> set[str]:
    return {urls.canonical(href, SITE) for href in hrefs}


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_thread_of_a_board_is_told_as_one(engine: Engine) -> None:
    found = found_on(engine.board_page())
    assert by_reason(found, "thread") == absolute(engine.threads())
    assert not by_reason(found, "board")


DATED = ("Fair, 3 June", "Boats 2024-06-14", "11-02 聚会报名", "Picnic June 9", "2024年6月1日线下", "Swap 12 September")


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_a_thread_may_have_a_date_in_its_title(engine: Engine) -> None:
    found = found_on(replace(engine, titles=DATED).board_page())
    assert by_reason(found, "thread") == absolute(engine.threads())
    assert not set(dict(found.skipped)) & absolute(engine.threads())


def test_a_date_alone_is_no_title() -> None:
    assert not any(
        map(has_words_beside_time, ("3 June", "12 September 2024", "2024-06-14 10:30 pm", "3 days ago", "昨天"))
    )


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_every_board_of_a_front_page_is_told_as_one(engine: Engine) -> None:
    assert by_reason(found_on(engine.front_page()), "board") == absolute(engine.boards())


@pytest.mark.parametrize("engine", ENGINES, ids=lambda engine: engine.name)
def test_members_are_left_with_a_reason(engine: Engine) -> None:
    skipped = dict(found_on(engine.board_page()).skipped)
    members = {url for url, reason in skipped.items() if reason == "forum-member"}
    shown = {word for word in ("member", "user", "/u/", "profile", "folk", "home") for url in members if word in url}
    assert members
    assert shown


def test_logging_in_sorting_and_last_posts_are_left_each_with_its_reason() -> None:
    skipped = dict(found_on(ENGINES[0].board_page()).skipped)
    assert skipped[urls.canonical("login.php?do=login", SITE)] == "forum-login"
    assert skipped[urls.canonical("forumdisplay.php?f=4&order=desc&sort=title", SITE)] == "forum-order"
    assert skipped[urls.canonical("showthread.php?p=550#post550", SITE)] == "forum-last-post"
    assert skipped[urls.canonical("calendar.php", SITE)] == "forum-calendar"


def test_the_next_page_of_a_board_is_followed() -> None:
    links = {link.url for link in found_on(ENGINES[0].board_page()).links}
    assert urls.canonical("forumdisplay.php?f=4&page=2", SITE) in links


def test_the_thread_that_was_active_last_comes_first() -> None:
    rows = "".join(
        f"<tr><td><a href=/thread-{n}.html>A thread about number {n}</a></td><td>{n}</td><td>1{n}</td>"
        f"<td>2024-05-{d}</td></tr>"
        for n, d in ((1, "03"), (2, "17"), (3, "09"), (4, "11"))
    )
    found = found_on(f"<table>{rows}</table>")
    threads = [link for link in found.links if link.why == "thread"]
    assert [link.url[-6] for link in threads] == ["2", "4", "3", "1"]


def test_threads_come_before_boards_and_boards_before_deep_pages() -> None:
    front = found_on(ENGINES[0].front_page()).links
    priority = {link.why: link.priority for link in front}
    assert priority["thread"] > priority["board"] > max(link.priority for link in front if link.why == "page")


def test_links_of_other_pages_stay_as_they_are() -> None:
    news = "".join(
        f"<li><a href=/2024/05/story-{n}>The harbour is full again, part {n}</a> <a href=/author/anna>Anna</a> "
        f"May {n}, 2024 "
        "<a href=/members/>5 comments</a></li>"
        for n in range(1, 8)
    )
    found = found_on(f"<ul>{news}</ul><a href=/login>Log in</a><a href=/search?q=x>Search</a>")
    assert {link.why for link in found.links} == {"page"}
    assert not found.skipped


def test_every_reason_is_explained() -> None:
    assert all(meaning_of(reason) for reason in (*LEFT, "forum-order"))


def test_all_markups_of_the_sample_forum_are_understood() -> None:
    web = SampleWeb(60)
    expected = web.expected_urls()
    threads = {urls.canonical(url) for url in expected.threads}
    met: set[str] = set()
    for url in sorted(expected.boards):
        found = found_on_sample(web, url)
        named = by_reason(found, "thread")
        assert named <= threads, url
        met |= named
        assert not (threads & {link.url for link in found.links}) - named or len(named) == 0, url
    assert len(met) > len(threads) / 2  # the last page of a board may show a single thread, which is no list


def test_the_sample_forums_front_page_leads_to_its_boards() -> None:
    web = SampleWeb(60)
    found = found_on_sample(web, f"{web.origins.forum}/")
    assert len(by_reason(found, "board")) == 4
    assert by_reason(found, "board") <= {urls.canonical(url) for url in web.expected_urls().boards}


def found_on_sample(web: SampleWeb, url: str) -> Found:
    return discover(parse(web.answer(url).body, url=url), urls.canonical(url))
