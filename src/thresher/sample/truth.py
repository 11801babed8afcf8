"""Truth: what a crawl of the sample web should bring home, known without parsing any page."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime

from thresher.model import Kind, Post
from thresher.sample.articles import article
from thresher.sample.boards import board_of, subject, thread_path, threads_of
from thresher.sample.editions import EDITIONS, Edition, series_of, url_of
from thresher.sample.passages import text_of
from thresher.sample.plan import Plan
from thresher.sample.threads import page_count, post_count, postings


@dataclass(frozen=True, slots=True)
class Truth:
    """All that is true of one article or thread."""

    url: str  # of a thread: of its first page
    site: str  # news, blog or forum
    skin: str  # which markup it is in
    kind: Kind
    title: str
    text: str  # a paragraph, heading, list item or table cell a line; of a thread: its posts' own words
    authors: tuple[str, ...]
    published: datetime  # aware; in the zone that the page shows
    language: str
    posts: tuple[Post, ...] = ()
    comments: tuple[Post, ...] = ()  # below an article
    pages: tuple[str, ...] = field(default=())  # the addresses of all pages of a thread, in order


def truths(plan: Plan) -> Iterator[Truth]:
    """Yield the truth of every article and thread, made one at a time."""
    for edition in EDITIONS:
        for number in range(1, series_of(plan, edition).count + 1):
            yield article_truth(plan, edition, number)
    for number in range(1, threads_of(plan).count + 1):
        yield thread_truth(plan, number)


def article_truth(plan: Plan, edition: Edition, number: int) -> Truth:
    """Return the truth of an article."""
    story = article(plan, edition, number)
    url = url_of(plan, edition, story.card.path)
    return Truth(
        url=url,
        site=edition.site,
        skin=edition.name,
        kind=Kind.ARTICLE,
        title=story.card.title,
        text=text_of(story.passages),
        authors=story.authors,
        published=story.card.published,
        language=edition.language,
        comments=story.comments,
        pages=(url,),
    )


def thread_truth(plan: Plan, number: int) -> Truth:
    """Return the truth of a thread; times of a board that shows relative ones are relative to the reference."""
    board = board_of(plan, number)
    posts = tuple(posting.post for posting in postings(plan, number, range(1, post_count(plan, number) + 1)))
    pages = range(1, page_count(plan, number) + 1)
    return Truth(
        url=plan.origins.forum + thread_path(plan, number),
        site="forum",
        skin=board.skin,
        kind=Kind.THREAD,
        title=subject(plan, number),
        text="\n".join(post.text for post in posts),
        authors=(posts[0].author or "",),
        published=posts[0].published or plan.reference,
        language=board.language,
        posts=posts,
        pages=tuple(plan.origins.forum + thread_path(plan, number, page) for page in pages),
    )
