"""The posts of a page make it a thread, or are comments under an article."""

from datetime import UTC, datetime

import pytest

from tests.extraction.forum.engines import conversation
from thresher import Document, extract
from thresher.errors import UsageError
from thresher.extraction.discussion import Posts
from thresher.model import Kind

NOW = datetime(2019, 3, 22, 18, 2, tzinfo=UTC)
STORY = """The old ferry between the two banks of the estuary has made its last crossing, and nobody on either side
quite knows what is to take its place. For sixty years it carried cattle, brides and schoolchildren over the water,
and its captain says that he never lost a passenger, though he mislaid a few sheep in the winter of the great storm."""
ARTICLE = f"""<html lang="en"><head><title>The last ferry - The Estuary Post</title></head><body><main><article>
<h1>The last ferry</h1><p class="byline">By Ada Marsh, 12 March 2019</p>{"".join(f"<p>{STORY}</p>" for _ in range(5))}
</article><section id="comments"><h2>Comments</h2><ol class="comment-list">
<li class="comment" id="comment-1"><div class="comment-author"><b class="fn">heron</b></div>
<div class="comment-meta"><a href="#comment-1">March 12, 2019 at 10:05 am</a></div>
<div class="comment-body"><p>My mother met my father on that very ferry, in the rain.</p></div></li>
<li class="comment" id="comment-2"><div class="comment-author"><b class="fn">curlew</b></div>
<div class="comment-meta"><a href="#comment-2">March 12, 2019 at 11:40 am</a></div>
<div class="comment-body"><p>They should have built the bridge twenty years ago.</p></div></li></ol></section></main>
</body></html>"""


def read(html: str, posts: Posts = "threads") -> Document:
    return extract(html, "https://estuary.example/last-ferry", fetched_at=NOW, posts=posts)


def test_a_page_of_posts_is_a_thread_of_them() -> None:
    html, said = conversation("mybb")
    document = read(html)
    assert document.kind is Kind.THREAD
    assert [post.author for post in document.posts] == [each.author for each in said]
    assert document.text == "\n".join(each.own for each in said)
    assert document.authors == (said[0].author,)
    assert document.published == said[0].at


def test_comments_are_left_out_of_an_article() -> None:
    document = read(ARTICLE)
    assert document.kind is Kind.ARTICLE
    assert document.posts == ()


def test_comments_are_posts_of_the_article_when_asked_for() -> None:
    document = read(ARTICLE, "comments")
    assert document.kind is Kind.ARTICLE
    assert [(post.position, post.author) for post in document.posts] == [(1, "heron"), (2, "curlew")]
    assert document.posts[1].text == "They should have built the bridge twenty years ago."
    assert "sixty years" in document.text
    assert "bridge" not in document.text


def test_any_page_can_be_read_as_posts() -> None:
    assert read(ARTICLE, "always").kind is Kind.THREAD


def test_a_page_of_posts_can_be_read_as_no_thread() -> None:
    html, _ = conversation("mybb")
    document = read(html, "never")
    assert document.kind is not Kind.THREAD
    assert document.posts == ()
    assert read(ARTICLE, "never").text == read(ARTICLE).text


def test_a_strange_wish_for_posts_is_refused() -> None:
    with pytest.raises(UsageError, match="threads, comments, always, never"):
        read(ARTICLE, "some")  # type: ignore[arg-type]


@pytest.mark.parametrize("clock", [datetime.min, datetime.max, datetime.min.replace(tzinfo=UTC)])
def test_a_clock_at_the_end_of_the_calendar_tells_no_times(clock: datetime) -> None:
    words = "We said so in May, and we say so now. " * 4
    said = "".join(f"<div><b>Ann{n}</b> <i>Yesterday, 10:3{n}</i><p>{words}</p></div>" for n in range(5))
    document = extract(f"<html><body>{said}</body></html>", fetched_at=clock, posts="always")
    assert len(document.posts) == 5
    assert {post.published for post in document.posts} == {None}
