"""Find the posts of a thread page: which parts of it are posts, who wrote them, when, and in which words.

Idea. Forums tell the time of every post at the same place of their markup. So stamps (times told in text or attributes)
are grouped into families by place; each family cuts the page into records, and the family wins whose records hold most
new text and whose times look like those of posts. Inside the records new text comes again and again at one place, names
at another; repeated text, user cards and signatures do not count as new.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import MAXYEAR, MINYEAR, UTC, datetime, timezone
from itertools import islice
from typing import Any

from thresher.extraction.fields.language import zone_of_language
from thresher.extraction.forum.bodies import find_bodies
from thresher.extraction.forum.choice import choose
from thresher.extraction.forum.confidence import confidence_of, signs_of
from thresher.extraction.forum.details import Details, read_details, with_answers, with_own_links
from thresher.extraction.forum.families import Family, with_untimed
from thresher.extraction.forum.flat import lay_flat
from thresher.extraction.forum.layout import Layout
from thresher.extraction.forum.opening import with_opening
from thresher.extraction.forum.own_text import OwnText, own_text, without_signatures
from thresher.extraction.forum.records import Record, roots_of
from thresher.extraction.forum.stamps import Stamp, find_stamps, find_zones
from thresher.extraction.forum.writers import are_titles, find_writers, same_times
from thresher.extraction.paths import Paths
from thresher.html import Tree
from thresher.model import Block, Post

ZONE_LINES = 100  # of a page that tell the language of its zone


@dataclass(frozen=True, slots=True)
class Thread:
    """The posts of a page in order, and the blocks of their own text; no posts where there is no thread."""

    posts: tuple[Post, ...] = ()
    blocks: tuple[Block, ...] = ()
    confidence: float = 0.0  # 0 to 1, that these are posts
    facts: Mapping[str, Any] = field(default_factory=dict)  # plain data that explains the choice
    signs: Sequence[float] = ()  # features of the posts, in the order of SIGNS; none where there are none


def find_thread(tree: Tree, *, fetched_at: datetime | None = None) -> Thread:
    """Return the posts of a page, none where it has no thread; times told against now count from `fetched_at`."""
    now = _clock(fetched_at)
    layout = lay_flat(tree.body)
    zones = find_zones(layout)
    thread, bodies = _read(tree, layout, now, zones[0].zone if zones else _zone_of_language(tree, layout))
    if not any(layout.holds(body, told.element) for told in zones[:1] for body in bodies):
        return thread
    # What a post says of times is not said of the page's.
    told = [each.zone for each in zones if not any(layout.holds(body, each.element) for body in bodies)]
    return _read(tree, layout, now, told[0] if told else _zone_of_language(tree, layout))[0]


def _zone_of_language(tree: Tree, layout: Layout) -> timezone | None:
    """Return the zone in which the language of a page is spoken; None where there are several."""
    return zone_of_language(tree, "\n".join(islice((text for text in layout.texts if len(text) > 1), ZONE_LINES)))


def _read(tree: Tree, layout: Layout, now: datetime | None, zone: timezone | None) -> tuple[Thread, list[int]]:
    """Return the posts of a page whose times are in a zone, and the elements that hold their texts."""
    stamps = find_stamps(layout, now, zone)
    family = choose(layout, stamps)
    if family is None:
        return Thread(facts={"stamps": len(stamps)}), []
    return _thread(tree, layout, with_opening(layout, with_untimed(layout, family), stamps), stamps)


def _clock(at: datetime | None) -> datetime | None:
    """Return a time in a zone; None at the ends of the calendar, where days before or after it may be none."""
    if at is None or not MINYEAR < at.year < MAXYEAR:
        return None
    return at.replace(tzinfo=UTC) if at.tzinfo is None else at


def _thread(tree: Tree, layout: Layout, family: Family, stamps: list[Stamp]) -> tuple[Thread, list[int]]:
    """Read the records of a family, and say which elements hold their texts."""
    records = family.records
    bodies = find_bodies(layout, family)
    alike = same_times(family, stamps)
    writers = find_writers(layout, family, bodies, alike)
    if are_titles(writers):
        writers = [None] * len(records)
    paths = Paths()
    texts = without_signatures([own_text(layout, body, tree.base_url, paths) for body in bodies], writers)
    anchors = [stamp.element if stamp else -1 for stamp in family.stamps]
    told = [read_details(layout, *each) for each in zip(records, bodies, anchors, strict=True)]
    details = with_answers(layout, records, with_own_links(told, url=tree.url, base_url=tree.base_url))
    shown = [_shown(*each) for each in zip(family.stamps, alike, strict=True)]
    family = family.with_records(shown, records)
    kept = [number for number in range(len(records)) if not _is_empty(family, texts, writers, number)]
    posts = tuple(
        [
            _post(
                layout,
                (records[number], shown[number]),
                place,
                writer=writers[number],
                text=texts[number],
                details=details[number],
                paths=paths,
            )
            for place, number in enumerate(kept, start=1)
        ]
    )
    blocks = tuple([block for text in texts for block in text.blocks])
    facts = {"stamps": len(stamps), "score": round(family.score)}
    sure = confidence_of(layout, family, posts)
    thread = Thread(posts, blocks, sure, facts, signs_of(layout, family, posts, sure))
    return thread, [element for body in bodies for element in body]


def _shown(stamp: Stamp | None, alike: Sequence[Stamp]) -> Stamp | None:
    """Return of the stamps that tell one moment the one that is shown: it tells the day as people there saw it."""
    return next((each for each in alike if each.is_shown), stamp) if stamp and not stamp.is_shown else stamp


def _is_empty(family: Family, texts: Sequence[OwnText], writers: Sequence[str | None], number: int) -> bool:
    """Say whether a record without text is no post: no one wrote it, or its time is told otherwise than that of posts.

    The latter are such as the day on which a member joined; or the time is that of the next record once more.
    """
    if texts[number].blocks or texts[number].quotes:
        return False
    own = family.stamps[number]
    following = family.stamps[number + 1] if number + 1 < len(texts) else None
    if own is not None and following is not None and own.at == following.at:
        return True
    posts = [place for place in range(len(texts)) if texts[place].blocks and writers[place]]
    if not posts:
        return False
    times = [stamp for stamp in (family.stamps[place] for place in posts) if stamp is not None]
    is_day = own is not None and not own.has_time and all(stamp.has_time for stamp in times)
    return writers[number] is None or (is_day and bool(times))


def _post(
    layout: Layout,
    told: tuple[Record, Stamp | None],
    place: int,
    *,
    writer: str | None,
    text: OwnText,
    details: Details,
    paths: Paths,
) -> Post:
    record, stamp = told
    roots = roots_of(layout, record)
    return Post(
        author=writer,
        published=stamp.at if stamp else None,
        text=text.text,
        position=details.floor or place,
        id=details.id,
        permalink=details.permalink,
        reply_to=details.reply_to,
        quotes=text.quotes,
        xpath="|".join(paths.of(layout.elements[root]) for root in roots),
    )
