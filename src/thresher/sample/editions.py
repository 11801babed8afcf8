"""Editions: the series of articles that the web has, with their sections, headlines and addresses."""

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, timezone
from zlib import crc32

from thresher.sample.dice import picks
from thresher.sample.plan import Plan, Series
from thresher.sample.prose import choices, fill_in


@dataclass(frozen=True, slots=True)
class Section:
    """A part of an edition and the topics it covers."""

    slug: str
    label: str
    topics: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Edition:
    """A series of articles in one language and one skin (which bears the edition's name)."""

    name: str
    site: str
    language: str
    sections: tuple[Section, ...]
    zone: timezone = UTC  # of the times shown on its pages


ENGLISH = Edition(
    "english",
    "news",
    "en",
    (
        Section("world", "World", ("harbour", "railway")),
        Section("business", "Business", ("grain", "tidal")),
        Section("science", "Science", ("seabirds", "glacier")),
        Section("culture", "Culture", ("library", "football")),
    ),
)
CHINESE = Edition(
    "chinese",
    "news",
    "zh",
    (
        Section("finance", "财经", ("monetary", "trade")),
        Section("tech", "科技", ("chips", "space")),
        Section("society", "社会", ("metro", "school")),
    ),
    timezone(timedelta(hours=8)),
)
BLOG = Edition(
    "blog",
    "blog",
    "en",
    (
        Section("garden", "Garden", ("garden",)),
        Section("bicycles", "Bicycles", ("cycling",)),
        Section("bread", "Bread", ("bread",)),
        Section("radio", "Radio", ("radio",)),
    ),
)
EDITIONS = (ENGLISH, CHINESE, BLOG)


def series_of(plan: Plan, edition: Edition) -> Series:
    """Return the edition's numbered articles, dealt out to its sections."""
    return Series(edition.name, plan.counts()[edition.name], len(edition.sections), plan)


def section_of(plan: Plan, edition: Edition, number: int) -> Section:
    """Return the section of an article."""
    return edition.sections[series_of(plan, edition).group_of(number)]


def topic_of(plan: Plan, edition: Edition, number: int) -> str:
    """Return the topic of an article."""
    topics = section_of(plan, edition, number).topics
    return topics[series_of(plan, edition).rank_of(number) % len(topics)]


def published_at(plan: Plan, edition: Edition, number: int) -> datetime:
    """Return when an article appeared, in the edition's time zone."""
    return series_of(plan, edition).published(number).astimezone(edition.zone)


def heading_words(plan: Plan, edition: Edition, number: int) -> dict[str, str]:
    """Return the words that an article's headline is made of; no other article of its section has the same."""
    topic = topic_of(plan, edition, number)
    symbols = ("number", "span", "lesson", "hobby") if edition is BLOG else ("place", "actor", "action", "object")
    lists = [choices(edition.language, (topic,), symbol) for symbol in (*symbols, _PATTERN[edition.name])]
    rank = series_of(plan, edition).rank_of(number) // len(section_of(plan, edition, number).topics)
    return dict(zip((*symbols, "pattern"), picks(rank, lists, plan.seed + crc32(topic.encode())), strict=True))


_PATTERN = {"english": "headline", "chinese": "headline", "blog": "blogtitle"}


def headline(plan: Plan, edition: Edition, number: int) -> str:
    """Return an article's title."""
    words = heading_words(plan, edition, number)
    return fill_in(words["pattern"], words)


def article_path(plan: Plan, edition: Edition, number: int) -> str:
    """Return the path of an article."""
    slug = section_of(plan, edition, number).slug
    day = published_at(plan, edition, number)
    if edition is CHINESE:
        return f"/cn/{slug}/{day:%Y%m%d}/{number}.shtml"
    title = re.sub(r"[^a-z0-9]+", "-", headline(plan, edition, number).lower()).strip("-")
    return f"/{day:%Y/%m}/{title}-{number}/" if edition is BLOG else f"/{slug}/{day:%Y/%m/%d}/{title}-{number}.html"


def listing_path(edition: Edition, group: int | None, page: int = 1) -> str:
    """Return the path of a page of a section's listing, or of the list of everything (group None)."""
    root = {"english": "/", "chinese": "/cn/", "blog": "/"}[edition.name]
    if group is not None:
        root += ("category/" if edition is BLOG else "") + edition.sections[group].slug + "/"
    if page == 1:
        return root
    return f"{root}index_{page}.shtml" if edition is CHINESE else f"{root}page/{page}/"


def listing_pages(plan: Plan, edition: Edition, group: int | None) -> int:
    """Return how many pages a listing has; a newspaper's front page is one page only."""
    return 1 if group is None and edition is not BLOG else series_of(plan, edition).pages(group)


def url_of(plan: Plan, edition: Edition, path: str) -> str:
    """Return the address of a path on the edition's site."""
    return str(getattr(plan.origins, edition.site)) + path
