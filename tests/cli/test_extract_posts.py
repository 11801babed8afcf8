"""`thresher extract` on threads and on comments, as a person types it."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from tests.extraction.forum.engines import conversation
from tests.extraction.test_discussion import ARTICLE
from thresher.cli.extract import command
from thresher.errors import UsageError


def shown(page: Path, *flags: str) -> str:
    ended = CliRunner().invoke(command, [str(page), *flags], standalone_mode=False)
    if ended.exception is not None:
        raise ended.exception
    return ended.stdout


@pytest.fixture
def thread(tmp_path: Path) -> Path:
    path = tmp_path / "thread.html"
    path.write_text(conversation("mybb")[0], "utf-8")
    return path


@pytest.fixture
def article(tmp_path: Path) -> Path:
    path = tmp_path / "article.html"
    path.write_text(ARTICLE, "utf-8")
    return path


def test_markdown_shows_who_wrote_when_and_what_is_quoted(thread: Path) -> None:
    lines = shown(thread).splitlines()
    place = lines.index("**#3 · ada_lune · 2019-03-14 11:01**")
    assert any(line.startswith("> ") and "thin oil" in line for line in lines[place : place + 5])
    assert any(line.startswith("Before you drain anything") for line in lines[place : place + 6])


def test_text_shows_each_post_below_its_author(thread: Path) -> None:
    assert "\n#2 · Saltmarsh · 2019-03-14 10:13\nThat sounds like the usual thin oil" in shown(thread, "-f", "txt")


def test_json_holds_the_posts(thread: Path) -> None:
    posts = json.loads(shown(thread, "-f", "json"))["posts"]
    assert [post["position"] for post in posts] == [1, 2, 3, 4, 5, 6]
    assert posts[1]["author"] == "Saltmarsh"


def test_comments_stand_below_the_article_when_asked_for(article: Path) -> None:
    assert "curlew" not in shown(article)
    text = shown(article, "--comments", "-f", "txt")
    assert text.index("sixty years") < text.index("#2 · curlew") < text.index("They should have built the bridge")


def test_any_page_can_be_read_as_posts(article: Path) -> None:
    assert json.loads(shown(article, "--posts", "-f", "json"))["kind"] == "thread"


def test_posts_and_comments_are_two_wishes(article: Path) -> None:
    with pytest.raises(UsageError, match="give one of them"):
        shown(article, "--posts", "--comments")
