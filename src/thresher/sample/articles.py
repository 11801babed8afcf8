"""Articles: everything that is true of one article, from its number alone."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import lru_cache

from thresher.model import Post
from thresher.sample.compose import compose
from thresher.sample.dice import dice
from thresher.sample.editions import (
    BLOG,
    CHINESE,
    ENGLISH,
    Edition,
    Section,
    article_path,
    heading_words,
    headline,
    published_at,
    section_of,
    series_of,
    topic_of,
    url_of,
)
from thresher.sample.passages import Passage
from thresher.sample.plan import Plan
from thresher.sample.prose import Writer

_BLOGGERS = 3
_MOST_COMMENTS = 6


@dataclass(frozen=True, slots=True)
class Card:
    """What a listing shows of an article."""

    number: int
    title: str
    path: str
    section: Section
    published: datetime
    teaser: str


@dataclass(frozen=True, slots=True)
class Article:
    """An article as its site knows it."""

    card: Card
    authors: tuple[str, ...]
    passages: tuple[Passage, ...]
    comments: tuple[Post, ...]


@lru_cache(maxsize=1024)
def card(plan: Plan, edition: Edition, number: int) -> Card:
    """Return what a listing shows of an article, without composing it."""
    writer = _writer(plan, edition, number)
    return Card(
        number=number,
        title=headline(plan, edition, number),
        path=article_path(plan, edition, number),
        section=section_of(plan, edition, number),
        published=published_at(plan, edition, number),
        teaser=writer.write("lead"),
    )


def article(plan: Plan, edition: Edition, number: int) -> Article:
    """Return an article, composed anew and always the same."""
    writer = _writer(plan, edition, number)
    lead = writer.write("lead")
    passages = compose(writer, lead, _links(plan, edition, number))
    comments = _comments(plan, edition, number, writer)
    return Article(card(plan, edition, number), authors_of(plan, edition, number), passages, comments)


def authors_of(plan: Plan, edition: Edition, number: int) -> tuple[str, ...]:
    """Return who wrote an article; every seventh English news article has two authors."""
    pool = number % _BLOGGERS if edition is BLOG else number
    writer = Writer(edition.language, (), dice(plan.seed, edition.name, "author", pool))
    count = 2 if edition is ENGLISH and number % 7 == 0 else 1
    return tuple(writer.write("person") for _ in range(count))


def _writer(plan: Plan, edition: Edition, number: int) -> Writer:
    """Return the writer of an article, told what the headline speaks of."""
    scopes = (topic_of(plan, edition, number), edition.name)
    writer = Writer(edition.language, scopes, dice(plan.seed, edition.name, "text", number))
    for symbol, words in heading_words(plan, edition, number).items():
        writer.name(symbol.capitalize(), words)
    return writer


def _links(plan: Plan, edition: Edition, number: int) -> list[str]:
    """Return where the text itself links to: the previous article, and from the blog also the news."""
    links = [article_path(plan, edition, number - 1)] if number > 1 else []
    if edition is BLOG:
        other = ENGLISH if number % 3 else CHINESE
        count = series_of(plan, other).count
        path = article_path(plan, other, 1 + number * 7 % count)
        links.append(url_of(plan, other, path))
    return links


def _comments(plan: Plan, edition: Edition, number: int, writer: Writer) -> tuple[Post, ...]:
    rng = dice(plan.seed, edition.name, "comments", number)
    moment = published_at(plan, edition, number)
    comments = []
    for position in range(1, rng.randint(0, _MOST_COMMENTS) + 1):
        moment += timedelta(minutes=rng.randint(2, 900))
        if moment > plan.reference:
            break
        author = writer.write("nick" if rng.random() < 0.7 else "person")
        comment_id = str(number * 100 + position)
        comments.append(Post(author, moment, writer.write("comment"), position, id=comment_id))
    return tuple(comments)
