"""The text of a post is told from the lines around it where its words come again and again."""

from collections.abc import Iterable
from datetime import UTC, datetime

import pytest

from thresher.extraction.forum.thread import find_thread
from thresher.html import parse

NOW = datetime(2026, 11, 20, tzinfo=UTC)
POST = """<div id="{number}" class="card post"><div class="wrapper">
<h4 class="subject">Re: Which oil for a gearbox? <a href="/topic/9/?post={number}#{number}">&#182;</a></h4>
<p><small>By: <a href="/member/{number}/">reader{number}</a> on Nov. 19, 2026, {hour}</small></p>
<div class="post-content"><p>{text}</p></div></div>
<div class="sidebar"><a href="/member/{number}/"><b>reader{number}</b></a>
<div><b>Posts:</b> {number}</div></div></div>"""


def texts(posts: Iterable[str], url: str) -> list[str]:
    html = f"<title>Which oil for a gearbox?</title><h1>Which oil for a gearbox?</h1><div>{''.join(posts)}</div>"
    return [post.text for post in find_thread(parse(html, url=url), fetched_at=NOW).posts]


@pytest.mark.parametrize("hours", ["10 p.m., 11 p.m., noon", "11 a.m., noon, 1 p.m.", "3 p.m., 4 p.m., 5 p.m."])
@pytest.mark.parametrize("text", ["我也见过同样的事，那天是第{}次了。", "It was number {} that day."])
def test_posts_that_differ_in_a_number_alone_keep_their_text(text: str, hours: str) -> None:
    rows = [(number, text.format(number), hour) for number, hour in enumerate(hours.split(", "), start=1)]
    posts = [POST.format(number=number, text=said, hour=hour) for number, said, hour in rows]
    assert texts(posts, "https://garage.example/topic/9/?page=4") == [said for _, said, _ in rows]


@pytest.mark.parametrize("text", ["ok", "I agree with {}.", "Mine whines in second, too, and that since number {}."])
def test_posts_that_stand_in_one_line_with_their_time_keep_their_text(text: str) -> None:
    rows = [(number, text.format(number)) for number in range(1, 7)]
    posts = [
        f'<li class="post"><b>reader{number}</b> <small>2026-11-19 10:0{number}</small> <span>{said}</span></li>'
        for number, said in rows
    ]
    assert texts(posts, "https://garage.example/t/12") == [said for _, said in rows]


def test_posts_that_all_say_the_same_are_not_left_without_text() -> None:
    said = "The rain that fell on the harbour in the night had gone by the time the boats came home."
    posts = [
        f"<div class=post><b>reader {number}</b> <i>2026-11-1{number} 10:00</i><p>{said}</p></div>"
        for number in range(6)
    ]
    found = texts(posts, "https://garage.example/t/12")
    assert len(found) == 6
    assert all(said in text for text in found)
