"""The press: an edition's articles, listings and plain pages as HTML in its skin."""

import json
from collections.abc import Sequence

from thresher.sample.answer import Answer, page
from thresher.sample.articles import Article, Card, article, card
from thresher.sample.clock import shown
from thresher.sample.editions import CHINESE, Edition, listing_pages, listing_path, series_of, url_of
from thresher.sample.filler import state, style
from thresher.sample.passages import markup_of
from thresher.sample.plan import Plan, pager_numbers
from thresher.sample.skin import fill

_FILLER = {"english": (70, 45), "chinese": (60, 60), "blog": (40, 12)}  # style rules, state entries
_INTERLUDE_AFTER = 2  # paragraphs before the advertisement inside an article
SHORT_LINK_EVERY = 10  # articles; the others do not show theirs
_RELATED = 4
_LATEST = 8


def article_page(plan: Plan, edition: Edition, number: int) -> Answer:
    """Return an article's page."""
    story = article(plan, edition, number)
    slots = _card_slots(edition, story.card) | {
        "author": " and ".join(story.authors),
        "author_path": "/by/" + story.authors[0].lower().replace(" ", "-") + "/",
        "editor": story.authors[0],
        "comment_count": len(story.comments),
        "minutes": 1 + len(story.passages) // 3,
        "url": url_of(plan, edition, story.card.path),
        "image": url_of(plan, edition, f"/img/{number}-1280.jpg"),
        "section_slug": story.card.section.slug,
    }
    main = fill(
        edition.name,
        "article",
        slots,
        body=_body(plan, edition, story),
        related=_each(edition, "related", related(plan, edition, number)),
        comments=_comments(edition, story),
        nav_footer=_nav(edition, "nav_footer"),
        short=fill(edition.name, "short", slots) if number % SHORT_LINK_EVERY == 1 else "",
    )
    head = fill(edition.name, "head", slots, json_ld=_json_ld(slots, story))
    meta = fill(edition.name, "meta", slots)
    html = frame(plan, edition, story.card.title, main, kind="single", meta=meta, head=head)
    return _served(edition, html, number, story)


def _served(edition: Edition, html: str, number: int, story: Article) -> Answer:
    """Return the page in the edition's encoding; every third Chinese page names it in its meta element only."""
    modified = story.comments[-1].published if story.comments else story.card.published
    encoding = "gbk" if edition is CHINESE else "utf-8"
    return page(html, encoding=encoding, declared=edition is not CHINESE or number % 3 != 0, modified=modified)


def listing_page(plan: Plan, edition: Edition, group: int | None, number: int) -> Answer | None:
    """Return a page of a section's listing, or of the list of everything; None where there is no such page."""
    series, pages = series_of(plan, edition), listing_pages(plan, edition, group)
    if not 1 <= number <= pages:
        return None
    heading = "Latest" if group is None else edition.sections[group].label
    if edition is CHINESE and group is None:
        heading = "最新"
    cards = [card(plan, edition, each) for each in series.on_page(number, group)]
    paths = {each: listing_path(edition, group, each) for each in pager_numbers(number, pages)}
    main = fill(
        edition.name,
        "listing",
        {"heading": heading},
        cards=_each(edition, "card", cards),
        pager=pager(edition.name, number, paths, "下一页" if edition is CHINESE else "Next"),
    )
    title = heading if number == 1 else f"{heading} ({number})"
    modified = cards[0].published if cards else None
    html = frame(plan, edition, title, main, kind="listing")
    return page(html, encoding="gbk" if edition is CHINESE else "utf-8", modified=modified)


def plain_page(plan: Plan, edition: Edition, title: str, paragraphs: Sequence[str], head: str = "") -> Answer:
    """Return a page that is neither article nor listing; the paragraphs are markup."""
    body = "".join(f"<p>{paragraph}</p>\n" for paragraph in paragraphs)
    main = fill(edition.name, "plain", {"title": title}, body=body)
    html = frame(plan, edition, title, main, kind="page", meta=head)
    return page(html, encoding="gbk" if edition is CHINESE else "utf-8")


def frame(plan: Plan, edition: Edition, title: str, main: str, **slots: str) -> str:
    """Return a whole page around its main part: head, navigation, sidebar and footer."""
    rules, entries = _FILLER[edition.name]
    series = series_of(plan, edition)
    newest = [card(plan, edition, each) for each in range(series.count, max(0, series.count - _LATEST), -1)]
    parts = {"meta": "", "head": ""} | slots
    return fill(
        edition.name,
        "frame",
        {"title": title, "news": plan.origins.news, "forum": plan.origins.forum},
        main=main,
        nav=_nav(edition, "nav"),
        nav_footer=_nav(edition, "nav_footer"),
        latest=_each(edition, "latest", newest),
        css=style(edition.name, rules),
        state=state(edition.name, entries),
        **parts,
    )


def pager(skin: str, here: int, paths: dict[int, str], following: str) -> str:
    """Return the links to other pages of a listing or thread, with one to the next page at the end."""
    links = [
        fill(skin, "pager_here", {"label": number, "path": path})
        if number == here
        else fill(skin, "pager", {"label": number, "path": path}, rel="")
        for number, path in paths.items()
    ]
    if here + 1 in paths:
        links.append(fill(skin, "pager", {"label": following, "path": paths[here + 1]}, rel=' rel="next"'))
    return "\n".join(links)


def related(plan: Plan, edition: Edition, number: int) -> list[Card]:
    """Return the articles that a page recommends: neighbours in its section."""
    series = series_of(plan, edition)
    near = [number + step * series.groups for step in (-1, 1, -2, 2, -3, 3)]
    return [card(plan, edition, each) for each in near if 1 <= each <= series.count][:_RELATED]


def _card_slots(edition: Edition, item: Card) -> dict[str, object]:
    group = edition.sections.index(item.section)
    return {
        "number": item.number,
        "title": item.title,
        "path": item.path,
        "section": item.section.label,
        "section_path": listing_path(edition, group),
        "description": item.teaser,
        "published_iso": item.published.isoformat(),
        "published_shown": shown(edition.name, item.published),
    }


def _each(edition: Edition, fragment: str, cards: Sequence[Card]) -> str:
    return "\n".join(fill(edition.name, fragment, _card_slots(edition, item)) for item in cards)


def _nav(edition: Edition, fragment: str) -> str:
    links = [(listing_path(edition, group), section.label) for group, section in enumerate(edition.sections)]
    return "\n".join(fill(edition.name, fragment, {"path": path, "label": label}) for path, label in links)


def _body(plan: Plan, edition: Edition, story: Article) -> str:
    pieces = [markup_of(edition.name, passage) for passage in story.passages]
    advert = related(plan, edition, story.card.number)[:1]
    pieces.insert(_INTERLUDE_AFTER, _each(edition, "interlude", advert))
    return "\n".join(pieces)


def _comments(edition: Edition, story: Article) -> str:
    return "\n".join(
        fill(
            edition.name,
            "comment",
            {
                "id": comment.id,
                "author": comment.author,
                "text": comment.text,
                "path": story.card.path,
                "published_iso": comment.published.isoformat() if comment.published else "",
                "published_shown": shown(edition.name, comment.published) if comment.published else "",
            },
        )
        for comment in story.comments
    )


def _json_ld(slots: dict[str, object], story: Article) -> str:
    data = {
        "@context": "https://schema.org",
        "@type": "NewsArticle",
        "headline": story.card.title,
        "datePublished": story.card.published.isoformat(),
        "author": [{"@type": "Person", "name": author} for author in story.authors],
        "publisher": {"@type": "NewsMediaOrganization", "name": "The Harbour Courier"},
        "mainEntityOfPage": slots["url"],
        "image": [slots["image"]],
        "isAccessibleForFree": True,
    }
    return json.dumps(data, ensure_ascii=False).replace("<", "\\u003c")
