"""The title of a thread is its topic, without the names of board and forum."""

import pytest

from thresher.extraction.extractor import extract
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.near import PlainLine
from thresher.extraction.fields.topic import find_topic
from thresher.html import parse
from thresher.model import Kind


def topic_of(title: str, *lines: tuple[str, str], h1: str = "", top: str = "") -> str | None:
    tree = parse(f"<html><head><title>{title}</title></head><body>{top}<h1>{h1}</h1></body></html>")
    topic = find_topic(tree, gather(tree), [PlainLine(text, tag) for tag, text in lines])
    return topic.value if topic else None


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("A dull chisel - The Bench", [("h2", "A dull chisel")]),
        ("A dull chisel - Page 2 - Tools - The Bench", [("p", "Tools"), ("h2", "A dull chisel")]),
        ("A dull chisel (Page 2) / Tools and more / The Bench", [("h1", "The Bench"), ("li", "» A dull chisel")]),
        ("A dull chisel - Tools - The Bench", [("h1", "A dull chisel [copy link]")]),
        ("steel - A dull chisel - The Bench", [("a", "steel"), ("h1", "A dull chisel")]),
        ("The Workshop Bench • A dull chisel", [("h1", "The Workshop Bench"), ("h2", "A dull chisel")]),
        ("The Bench :: View topic - A dull chisel", []),
        ("The Bench • View topic - A dull chisel", [("h1", "The Bench")]),
        ("La Table - Consulter le sujet : A dull chisel", []),
        ("A dull chisel - 查看主题 • 木工论坛", []),
    ],
)
def test_the_topic_is_the_part_of_the_title_that_the_page_shows(title: str, lines: list[tuple[str, str]]) -> None:
    assert topic_of(title, *lines) == "A dull chisel"


@pytest.mark.parametrize("tag", ["h1", "h2"])
@pytest.mark.parametrize("bench", ["a", "h1", "h4"])
def test_the_forum_that_comes_first_is_known_by_the_link_to_its_front_page(tag: str, bench: str) -> None:
    lines = (bench, "The Old Workshop Bench"), (tag, "A dull chisel")
    top = '<a href="/">The Old Workshop Bench</a>'
    assert topic_of("The Old Workshop Bench — A dull chisel", *lines, top=top) == "A dull chisel"
    assert topic_of("A dull chisel — The Old Workshop Bench", *lines, top=top) == "A dull chisel"


def test_the_topic_may_come_last_where_only_the_headline_shows_a_part_of_the_title() -> None:
    assert topic_of("The Bench — A dull chisel", ("h1", "A dull chisel")) == "A dull chisel"


def test_borders_within_a_topic_stay() -> None:
    assert topic_of("The Bench :: View topic - Saws 2 - 5") == "Saws 2 - 5"
    assert topic_of("Saws 2 - 5 | The Bench", ("h1", "Saws 2 - 5")) == "Saws 2 - 5"


def test_a_label_in_the_headline_is_left_out() -> None:
    assert topic_of("钝了的凿子-C/C++-Forum.example", h1="钝了的凿子 [复制链接]") == "钝了的凿子"
    assert topic_of("Chisel [solved]", h1="Chisel [solved]") is None


def test_nothing_is_told_where_no_part_of_the_title_is_shown() -> None:
    assert topic_of("A dull chisel - The Bench", ("h1", "Something else"), ("p", "The Bench")) is None
    assert topic_of("A dull chisel", ("h1", "A dull chisel")) is None
    assert topic_of(" - The Bench", ("h1", ""), ("p", "»")) is None
    assert topic_of("View topic - ") is None


def test_a_thread_has_its_topic_as_title() -> None:
    head = "<b class=author>Edda{n}</b> <span class=date>2021-03-0{n} 10:00</span>"
    post = f"<div class=post id=p{{n}}>{head}<p>{{text}}</p></div>"
    text = "I have sharpened it three times now, and it still tears the end grain of the pine that I have here. "
    posts = "".join(post.format(n=n, text=text[n:] + text[:n]) for n in range(1, 7))
    page = (
        f"<title>The Bench :: View topic - A dull chisel</title><body class=viewtopic><h1>The Bench</h1>{posts}</body>"
    )
    document = extract(page, "http://bench.example/viewtopic.php?t=3")
    assert document.kind is Kind.THREAD
    assert document.title == "A dull chisel"
