"""Posts are found in the markup of forums that nothing here was tuned on."""

from datetime import UTC, datetime

import pytest

from tests.extraction.forum import engines, engines_more
from tests.extraction.forum.talk import Said
from thresher.extraction.forum.thread import Thread, find_thread
from thresher.html import parse

NOW = datetime(2019, 3, 22, 18, 2, tzinfo=UTC)
NAMES = [*engines.ENGINES, *engines_more.ENGINES]
ODD_OPENING = "tianya"  # author and time of the first post stand apart from its text


def read(name: str, posts: int) -> tuple[Thread, list[Said]]:
    source = engines if name in engines.ENGINES else engines_more
    html, said = source.conversation(name, posts)
    return find_thread(parse(html, url="https://garage.example/t/12"), fetched_at=NOW), said


@pytest.mark.parametrize("name", NAMES)
def test_every_post_is_found_with_its_own_words(name: str) -> None:
    thread, said = read(name, 6)
    assert [post.text for post in thread.posts] == [each.own for each in said]


@pytest.mark.parametrize("name", [name for name in NAMES if name != ODD_OPENING])
def test_every_post_has_its_author(name: str) -> None:
    thread, said = read(name, 6)
    assert [post.author for post in thread.posts] == [each.author for each in said]


@pytest.mark.parametrize("name", [name for name in NAMES if name not in engines.UNTIMED])
def test_every_post_has_its_time(name: str) -> None:
    thread, said = read(name, 6)
    shape = "%Y-%m-%d" if name in engines_more.COARSE else "%Y-%m-%d %H:%M"
    assert [post.published and post.published.strftime(shape) for post in thread.posts] == [
        each.at.strftime(shape) for each in said
    ]


@pytest.mark.parametrize("name", [name for name in NAMES if name != ODD_OPENING])
def test_two_posts_are_a_thread(name: str) -> None:
    thread, said = read(name, 2)
    assert [(post.author, post.text) for post in thread.posts] == [(each.author, each.own) for each in said]


@pytest.mark.parametrize("name", ["nodebb", "invision", "vbulletin3", "vbulletin4", "smf", "mybb", "xiuno", "tieba"])
def test_one_post_is_a_thread(name: str) -> None:
    thread, (only,) = read(name, 1)
    assert [(post.author, post.text) for post in thread.posts] == [(only.author, only.own)]


@pytest.mark.parametrize("name", ["flarum", "nodebb", "invision", "vbulletin3", "vbulletin4", "smf", "mybb", "xiuno"])
def test_what_is_quoted_is_marked_as_such(name: str) -> None:
    thread, said = read(name, 6)
    for post, each in zip(thread.posts, said, strict=True):
        assert bool(post.quotes) == bool(each.quote)
        assert each.quote in "\n".join(post.quotes)


@pytest.mark.parametrize("name", [name for name in NAMES if name not in engines.UNTIMED | engines_more.COARSE])
def test_threads_are_told_with_confidence(name: str) -> None:
    assert read(name, 6)[0].confidence >= 0.5
