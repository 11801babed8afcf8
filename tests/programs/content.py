"""What the programs are filled with: articles and threads in English and Chinese, the same every time.

Some items are there because they are easily mistaken: a number or a date in a title, a text in three parts, comments
over several pages, threads of two posts and of several pages, pinned ones; and some that no visitor may see.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from html import escape
from typing import Any, Generic, TypeVar

from thresher.sample.articles import article
from thresher.sample.boards import board_of, subject
from thresher.sample.editions import BLOG, CHINESE, ENGLISH, Edition, series_of
from thresher.sample.passages import Passage, text_of
from thresher.sample.plan import REFERENCE, Plan, origins_at
from thresher.sample.threads import postings

THREADS = 26
LATER_THREADS = 2  # that are begun after the first crawl
PLAN = Plan(
    pages=90,
    seed=7,
    crawl_delay_s=None,
    slow_s=0,
    reference=REFERENCE,
    origins=origins_at(80),
    added=tuple(
        (number, 60) for number in range(1, THREADS + LATER_THREADS + 1)
    ),  # enough posts for every thread to choose from
)
PUBLISHED = "published"
HIDDEN = ("draft", "private", "protected", "future", "deleted")  # states in which no visitor may read an item
LONG_TALKS = {"thread-2": 45, "thread-5": 23, "thread-9": 61}  # posts of threads that need several pages
ODD_TITLES = {
    "english-3": "10 books for a wet week",
    "english-6": "What the harbour said on 3 March 2024",
    "chinese-2": "2023年10月5日大桥通车仪式侧记",
}
ODD_SUBJECTS = {"thread-4": "Trip to the lighthouse, 14 June 2024", "thread-6": "11月2日线下聚会报名"}
PINNED = ("thread-3", "thread-8")
# Numbers of the items of each series that have something of everything, and all that the changes below name.
FEW = {
    "english": (1, 2, 3, 4, 6, 7, 9, 14),
    "chinese": (1, 2, 3, 4, 5, 6),
    "blog": (1, 8, 10),
    "thread": (1, 2, 4, 5, 6, 7, 8, 10, 12, 14, 15, 16, 18, 20),
}
ADDED = {
    "en": "We looked into it again on Monday, and the clerk gave us another figure.",
    "zh": "周一我们又去核实了一次，办事员给了另一个数字。",
}
ANSWERS = {
    "en": (
        "Mine did the same last winter, and it went away by itself when the weather turned.",
        "Have you looked behind the cover? There is a second screw there that nobody mentions.",
        "Thank you both. I shall try that on Saturday and tell you how it went.",
    ),
    "zh": (
        "我家那台去年冬天也这样，天气一暖和自己就好了。",
        "后盖里面看过没有？那里还有一颗螺丝，说明书上没写。",
        "谢谢两位，我周六照着试试，有结果再来回复。",
    ),
}
ABOUT = {
    "en": (
        "About us",
        "We are a small paper on the coast. Four people write it, two of them on most days, and the harbour office "
        "lends us a room above the ice house. We print what we have seen ourselves, and we correct what we got wrong.",
    ),
    "zh": (
        "关于我们",
        "我们是海边的一份小报，四个人写稿，平时两个人值班，办公室在冰库楼上。我们只登自己见过的事，写错了就更正。"
        "欢迎来信来访，也欢迎指出我们的错误。编辑部每天上午九点开门，下午五点关门，周末只有一个人在，电话打不通时请写信。",
    ),
}


Inserted = TypeVar("Inserted")


@dataclass(frozen=True)
class Remark:
    """A comment under an article, or a post of a thread."""

    author: str
    published: datetime
    text: str


@dataclass(frozen=True)
class Piece:
    """An article, as its author handed it in."""

    key: str
    language: str
    title: str
    author: str
    published: datetime
    section: str
    parts: tuple[str, ...]  # its markup; most have one part
    text: str
    passages: tuple[Passage, ...] = ()  # the same, for programs with a markup of their own
    state: str = PUBLISHED
    pinned: bool = False
    is_page: bool = False  # a page of the site ("About us"), not one of its articles
    remarks: tuple[Remark, ...] = ()


@dataclass(frozen=True)
class Talk:
    """A thread of a forum."""

    key: str
    language: str
    title: str
    board: str
    posts: tuple[Remark, ...]
    pinned: bool = False
    state: str = PUBLISHED


@dataclass(frozen=True)
class Changes(Generic[Inserted]):
    """What happens to a site between two crawls; items go by their keys."""

    insert: tuple[Inserted, ...] = ()
    edit: Mapping[str, str] = field(default_factory=dict)  # another text of an article, or of a thread's first post
    reply: Mapping[str, tuple[Remark, ...]] = field(default_factory=dict)
    move: Mapping[str, str] = field(default_factory=dict)  # to another section or board
    delete: tuple[str, ...] = ()


def pieces(*, few: bool = False) -> list[Piece]:
    """Return all articles, hidden ones included; or a few that have something of everything."""
    found = [*_series(ENGLISH, 1, 14), *_series(CHINESE, 1, 12), *_series(BLOG, 1, 12)]
    by_key = {piece.key: piece for piece in found}
    changes: dict[str, dict[str, Any]] = {
        "english-2": {"remarks": _many_remarks(by_key["english-2"], 25)},
        "english-5": {"pinned": True},
        "chinese-4": {"remarks": _many_remarks(by_key["chinese-4"], 25)},
        "english-8": {"parts": _in_three(by_key["english-8"].parts[0])},
        **{f"blog-{number}": {"state": state} for number, state in enumerate(HIDDEN, start=8)},
    }
    for key, title in ODD_TITLES.items():
        changes[key] = {**changes.get(key, {}), "title": title}
    changed = [replace(piece, **changes.get(piece.key, {})) for piece in found] + list(_about())
    return [piece for piece in changed if not few or _is_of_few(piece.key)]


def talks(*, few: bool = False) -> list[Talk]:
    """Return all threads, hidden ones included; or a few that have something of everything."""
    found = [_talk(number) for number in range(1, THREADS + 1)]
    changed = [replace(each, title=ODD_SUBJECTS.get(each.key, each.title)) for each in found]
    return [
        replace(each, pinned=each.key in PINNED, state="deleted" if each.key == "thread-7" else PUBLISHED)
        for each in changed
        if not few or _is_of_few(each.key)
    ]


def article_changes() -> Changes[Piece]:
    """Return what happens to a blog or wiki: new, edited, answered, moved and deleted articles in both languages."""
    by_key = {piece.key: piece for piece in pieces()}
    edited = [by_key[key] for key in ("english-1", "chinese-1", "english-14")]  # the last one is new enough for feeds
    return Changes(
        insert=(*_series(ENGLISH, 15, 16), *_series(CHINESE, 13, 13)),
        edit={piece.key: f"{piece.text}\n{ADDED[piece.language]}" for piece in edited},
        reply={key: _many_remarks(by_key[key], 2) for key in ("english-9", "chinese-6")},
        move={"english-7": "Culture", "chinese-5": "社会"},
        delete=("english-4", "chinese-3"),
    )


def thread_changes() -> Changes[Talk]:
    """Return what happens to a forum: new, edited, answered, moved and deleted threads in both languages."""
    by_key = {talk.key: talk for talk in talks()}
    edited = [by_key[key] for key in ("thread-12", "thread-10")]
    return Changes(
        insert=tuple(_talk(number) for number in range(THREADS + 1, THREADS + LATER_THREADS + 1)),
        edit={talk.key: f"{talk.posts[0].text}\n{ADDED[talk.language]}" for talk in edited},
        reply={key: _replies(by_key[key]) for key in ("thread-1", "thread-2", "thread-5", "thread-14")},
        move={"thread-15": by_key["thread-16"].board},
        delete=("thread-20", "thread-18"),
    )


def _is_of_few(key: str) -> bool:
    series, _, number = key.partition("-")
    return series == "about" or int(number) in FEW[series]


def _series(edition: Edition, first: int, last: int) -> Iterator[Piece]:
    assert last <= series_of(PLAN, edition).count
    for number in range(first, last + 1):
        story = article(PLAN, edition, number)
        yield Piece(
            key=f"{edition.name}-{number}",
            language=edition.language,
            title=story.card.title,
            author=story.authors[0],
            published=story.card.published,
            section=story.card.section.label,
            parts=("\n".join(map(markup, story.passages)),),
            text=text_of(story.passages),
            passages=story.passages,
            remarks=tuple(
                Remark(each.author or "", each.published or story.card.published, each.text) for each in story.comments
            ),
        )


def _about() -> Iterator[Piece]:
    for language, (title, text) in ABOUT.items():
        day = REFERENCE - timedelta(days=700)
        yield Piece(f"about-{language}", language, title, "Ada Byrne", day, "", (f"<p>{text}</p>",), text, is_page=True)


def _many_remarks(under: Piece | Talk, count: int) -> tuple[Remark, ...]:
    """Return so many comments, an hour apart."""
    begun = under.published if isinstance(under, Piece) else under.posts[0].published
    words = {
        "en": "I have seen the same thing, and it was number {} that day.",
        "zh": "我也见过同样的事，那天是第{}次了。",
    }
    return tuple(
        Remark(f"reader{number}", begun + timedelta(hours=number), words[under.language].format(number))
        for number in range(1, count + 1)
    )


def _replies(talk: Talk) -> tuple[Remark, ...]:
    """Return answers of the last minutes: a list that shows a thread's last answer then shows that it is new.

    Each says something else, as people do: where posts of a page differ in a number alone, as some programs fill
    forums, nothing tells what was written from the line above it.
    """
    now = datetime.now(UTC).replace(second=0, microsecond=0) - timedelta(minutes=5)
    return tuple(
        replace(remark, published=now + timedelta(minutes=number), text=ANSWERS[talk.language][number - 1])
        for number, remark in enumerate(_many_remarks(talk, 3), start=1)
    )


def _in_three(whole: str) -> tuple[str, ...]:
    lines = whole.split("\n")
    third = max(1, len(lines) // 3)
    return tuple("\n".join(part) for part in (lines[:third], lines[third : 2 * third], lines[2 * third :]))


def _talk(number: int) -> Talk:
    key = f"thread-{number}"
    board = board_of(PLAN, number)
    count = LONG_TALKS.get(key, 2 + number % 7)
    said = postings(PLAN, number, range(1, count + 1))
    begun = said[0].post.published
    assert begun
    posts = [
        Remark(each.post.author or "", begun + timedelta(minutes=37 * place), each.post.text)
        for place, each in enumerate(said)
    ]
    return Talk(key, board.language, subject(PLAN, number), board.title, tuple(posts))


def markup(passage: Passage) -> str:
    """Return a passage as the plain markup that an editor of any program writes."""
    lines = [escape("".join(span.text for span in line), quote=False) for line in passage.lines]
    if passage.kind == "list":
        return "<ul>" + "".join(f"<li>{line}</li>" for line in lines) + "</ul>"
    if passage.kind == "table":
        rows = [lines[start : start + passage.columns] for start in range(0, len(lines), passage.columns)]
        cells = ("".join(f"<td>{cell}</td>" for cell in row) for row in rows)
        return "<table><tbody>" + "".join(f"<tr>{row}</tr>" for row in cells) + "</tbody></table>"
    wrap = {"h2": "<h2>{}</h2>", "quote": "<blockquote><p>{}</p></blockquote>"}.get(passage.kind, "<p>{}</p>")
    return wrap.format(lines[0])


def paragraphs(text: str) -> str:
    """Return a text as markup, a paragraph for each line."""
    return "\n".join(f"<p>{escape(line, quote=False)}</p>" for line in text.split("\n"))
