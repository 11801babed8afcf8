"""Draw lists in markup that no engine has: rows of threads, rows of boards, teasers and cards, with the words given."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from html import escape
from random import Random

ADVICE = 0.2  # of lists that have a text below
MAX_NAME = 40  # characters, where words are not parted by spaces
NEWEST = datetime(2024, 5, 17, 21, 4)
_DATES = (
    "%Y-%m-%d %H:%M", "%d %b %Y", "%B %d, %Y", "%b %d, %Y at %I:%M %p", "%d.%m.%Y, %H:%M", "%d/%m/%Y", "%Y/%m/%d",
    "%a %b %d, %Y %I:%M %p", "%m-%d-%Y, %I:%M %p", "%Y年%m月%d日", "%Y-%m-%d", "%H:%M", "%m-%d %H:%M",
)  # fmt: skip
_AGO = (
    "{} minutes ago", "{} hours ago", "{} days ago", "{}d", "{}h", "{} 小时前", "{} 天前", "{}分钟前", "vor {} Tagen",
    "il y a {} jours", "hace {} días", "{} дней назад", "Yesterday at 1{}:04", "昨天 1{}:04",
)  # fmt: skip
_COUNTS = ("{}", "{}", "{}", "{} replies", "Replies: {}", "回复 {}", "{} Antworten", "({})", "{} comments", "{}.1k")
_VIEWS = ("{}", "{}", "{} views", "Views: {}", "查看 {}", "{}k")
_BY = ("", "", "by ", "Started by ", "von ", "par ", "作者: ", "автор ", "de ")
_HEADS = (
    ("Topic", "Replies", "Views", "Last post"), ("Title", "Author", "Replies", "Last reply"),
    ("主题", "作者", "回复/查看", "最后发表"),
    ("Thema", "Antworten", "Zugriffe", "Letzter Beitrag"), ("Sujets", "Réponses", "Vues", "Dernier message"), (),
)  # fmt: skip
_SHAPES = (
    ("table", "tr", "td"), ("ul", "li", "div"), ("ol", "li", "span"), ("div", "div", "div"), ("div", "article", "p"),
    ("section", "div", "span"), ("tbody", "tr", "td"), ("dl", "dt", "span"), ("div", "section", "div"),
)  # fmt: skip
# Rows of one line, as archives and old boards have them: {t} a title's link, {u} a user, {d} a date, {n} a number.
_PLAIN_ROWS = (
    "{t} ({n})", "{t} ({n} replies)", "{t} [{n}]", "{t} <i>{u}</i>", "{k}: {t} ({n})", "{t} - {u}, {d}",
    "{d} {t} ({n})",
    "{u}: {t} ({n})", "{t} {n} / {v} {d}", "{t} by {u} ({n} posts)", "{t} ({n}) {d}", "{t} {u} {d}", "{t} ({n} 回复)",
    "{t} | {u} | {n}", "{n} {t} {d} {u}", "{t} <span>({n} Replies)</span>", "{t} <small>{n} comments, {d}</small>",
)  # fmt: skip
_PLAIN_ENTRIES = (
    "{t}", "{t}", "{d} {t}", "{t} ({d})", "{t} - {s}", "{t} <i>{b}</i>", "{t}: {s}", "{k}. {t}", "<b>{b}</b> {t}",
    "{t} {b}",
)  # fmt: skip
_NAMES = (
    "item",
    "row",
    "card",
    "entry",
    "box",
    "list",
    "cell",
    "media",
    "tile",
    "story",
    "topic",
    "teaser",
    "x1",
    "a-b",
)


@dataclass(frozen=True, slots=True)
class Words:
    """What lists are made of: titles, sentences and names of one language."""

    titles: Sequence[str]
    sentences: Sequence[str]
    names: Sequence[str]


class Artist:
    """Draws lists in a style of its own: how dates, counts and pagers are written stays the same on a page."""

    def __init__(self, dice: Random, words: Words) -> None:
        self.dice, self._words = dice, words
        self._counts, self._views = dice.choice(_COUNTS), dice.choice(_VIEWS)
        self._breaks = dice.random() < 0.5
        self._date_form = dice.choice(_DATES if dice.random() < 0.6 else _AGO)

    def threads(self) -> str:
        """Return the thread list of a board."""
        return self._list(self._thread_cells(), self.dice.randint(4, 45), self.dice.choice(_HEADS))

    def plain_threads(self) -> str:
        """Return the thread list of a board that has a line of text for each."""
        return self._plain(self.dice.choice(_PLAIN_ROWS), self.dice.randint(5, 60))

    def plain_entries(self) -> str:
        """Return a list of titles, with hardly more than these."""
        return self._plain(self.dice.choice(_PLAIN_ENTRIES), self.dice.randint(5, 60))

    def _plain(self, row: str, count: int) -> str:
        """Return a list that has a line for each entry: in elements of their own, or parted by line breaks."""
        outer, inner = self.dice.choice(
            (("ul", "li"), ("ol", "li"), ("div", "p"), ("div", "div"), ("table", "tr><td"), ("div", ""))
        )
        name = self._class()
        lines = [self._fill(row.replace("{k}", str(place))) for place in range(1, count + 1)]
        opening, closing = (f"<{inner}{name}>", f"</{inner.split('>')[0]}>") if inner else ("", "<br>")
        drawn = "".join(f"{opening}{line}{closing}" for line in lines)
        return f"<{outer}{self._class()}>{drawn}</{outer}>{self._pager()}"

    def front(self) -> str:
        """Return a forum's front page: groups of boards."""
        cells = self._board_cells()
        groups = self.dice.randint(1, 4)
        return "".join(f"<h2>{self._title()}</h2>{self._list(cells, self.dice.randint(2, 9))}" for _ in range(groups))

    def teasers(self) -> str:
        """Return lists of teasers or cards, one or several."""
        parts = 1 if self.dice.random() < 0.6 else self.dice.randint(2, 5)
        lists = "".join(
            (f"<h2>{self._title()}</h2>" if parts > 1 else "")
            + self._list(self._teaser_cells(), self.dice.randint(*self.dice.choice(((2, 5), (5, 40), (5, 40)))))
            for _ in range(parts)
        )
        return lists + (self._advice() if self.dice.random() < ADVICE else "")

    def _advice(self) -> str:
        """Return the text that shops put below their goods: about the goods at large."""
        parts = [f"<h2>{self._title()}</h2>{self._prose()}" for _ in range(self.dice.randint(1, 5))]
        return f"<div{self._class()}>{''.join(parts)}</div>"

    def aside(self) -> str:
        """Return a short list of threads, as it stands beside or below the posts of one."""
        return f"<h4>{self._title()[:20]}</h4>{self._list(self._thread_cells(), self.dice.randint(3, 10))}"

    def day(self) -> str:
        """Return a date as users have them who joined then."""
        return self._date()

    def name(self) -> str:
        """Return the title of a page of lists: few words, as sections, shops and boards have them."""
        return " ".join(self.dice.choice(self._words.titles).split()[: self.dice.randint(1, 4)])[:MAX_NAME]

    def posts(self) -> str:
        """Return the posts of a thread: user cards, dates, prose and buttons, in an order of their own."""
        dice, parts = self.dice, self._post_parts()
        tag, name = dice.choice(("div", "article", "li", "section", "table")), self._class()
        inner = [self._class() for _ in parts]
        count = dice.choice((1, 2, 3, 4, 6, 10, 15, 20, 25))
        posts = []
        for number in range(1, count + 1):
            filled = "".join(
                f"<div{given}>{self._fill(part.replace('{#}', str(number)))}</div>"
                for part, given in zip(parts, inner, strict=True)
            )
            cell = f"<tr><td>{filled}</td></tr>" if tag == "table" else filled
            posts.append(f"<{tag}{name}>{cell}</{tag}>")
        return f"<h1>{self._title()}</h1><div>{''.join(posts)}</div>{self._pager()}"

    def _post_parts(self) -> list[str]:
        """Return what a post shows besides its text: {x} stands for the text, {#} for the number of the post."""
        dice = self.dice
        card = [
            "{u}",
            *dice.sample(("Member", "Posts: {v}", "Joined: {d}", "<img src=a.png>", "Location: Here", "Lv {n}"), 2),
        ]
        head = ["{d}"] + (["#{#}"] if dice.random() < 0.4 else [])
        parts = ["<br>".join(card) if dice.random() < 0.5 else "{u}", " ".join(head), "{x}"]
        if dice.random() < 0.3:
            parts = [parts[0], parts[2], parts[1]]
        if dice.random() < 0.2:
            parts.insert(0, parts.pop(1))
        if dice.random() < 0.2:
            parts[parts.index("{x}")] = "<blockquote>{u} said: {s}</blockquote>{x}"
        if dice.random() < 0.7:
            buttons = dice.sample(("Reply", "Quote", "Report", "Like", "Share", "回复", "举报", "Antworten", "Link"), 2)
            parts.append(" ".join(f"<a href=/r>{button}</a>" for button in buttons))
        return parts

    def _list(self, cells: Sequence[str], count: int, heads: Sequence[str] = ()) -> str:
        outer, row, cell = self.dice.choice(_SHAPES)
        names = [self._class() for _ in range(len(cells) + 3)]
        inner, close = ("<div>", "</div>") if row != "tr" and self.dice.random() < 0.4 else ("", "")
        rows = []
        if heads and self.dice.random() < 0.6:
            rows.append(f"<{row}>" + "".join(f"<{cell}>{head}</{cell}>" for head in heads) + f"</{row}>")
        for _ in range(count):
            filled = "".join(
                f"<{cell}{name}>{self._fill(text)}</{cell}>" for text, name in zip(cells, names[3:], strict=True)
            )
            rows.append(f"<{row}{names[1]}>{inner}{filled}{close}</{row}>")
        return f"<{outer}{names[0]}>{''.join(rows)}</{outer}>{self._pager()}"

    def _thread_cells(self) -> list[str]:
        """Return what stands in each cell: {t} a title's link, {u} a user's, {d} a date, {n} and {v} counts."""
        flip = self.dice.random
        title = "{t}" + (" {p}" if flip() < 0.3 else "")
        by = self.dice.choice(_BY) + "{u}"
        started = by + (", {d}" if flip() < 0.5 else "")
        cells = [title + ("<br>" + started if flip() < 0.5 else "")]
        if len(cells[0]) < 12:
            cells.append(started)
        if flip() < 0.15:
            cells.append("{s}")
        cells += self.dice.choice((["{n}", "{v}"], ["{n}"], ["{n} / {v}"], ["{n}<br>{v}"]))
        cells.append(self.dice.choice(("{d}", "{d}<br>{u}", "{u} {d}", "{u}<br>{d}", "<a href='#l'>{d}</a> {u}")))
        if flip() < 0.3:
            cells.insert(0, self.dice.choice(("", "<img src=i.png>", "{n}", "<a href=/u><img src=a.png></a>")))
        return cells

    def _board_cells(self) -> list[str]:
        cells = ["{b}" + ("<br>{s}" if self.dice.random() < 0.7 else "")]
        cells += self.dice.choice((["{n}", "{v}"], ["{n} / {v}"], ["{n}<br>{v}"]))
        return [*cells, self.dice.choice(("{t}<br>{u} {d}", "{d}<br>{u}", "{t} {d}"))]

    def _teaser_cells(self) -> list[str]:
        flip = self.dice.random
        tag = self.dice.choice(("h2", "h3", "h4", "b", "span"))
        cells = ["<a href=/i><img src=a.jpg></a>"] if flip() < 0.6 else []
        cells.append(f"<{tag}>{{t}}</{tag}>")
        if flip() < 0.35:
            cells.append("{d}" + (" {u}" if flip() < 0.4 else ""))
        if flip() < 0.6:
            cells.append("{s}")
        if flip() < 0.25:
            cells.append("{price}")
        if flip() < 0.2:
            cells.append("<a href=/m>Read more</a>")
        return cells

    def _fill(self, cell: str) -> str:
        dice, number = self.dice, str(self.dice.randint(0, 40))
        values = {
            "t": f"<a href=/t/{number}>{self._title()}</a>",
            "b": f"<a href=/f/{number}>{self._title()[:24]}</a>",
            "u": f"<a href=/u/{number}>{escape(dice.choice(self._words.names))}</a>",
            "s": escape(dice.choice(self._words.sentences)),
            "d": self._date(),
            "n": self._counts.format(number),
            "v": self._views.format(dice.randint(10, 9_000)),
            "p": "<a href=/p2>2</a> <a href=/p3>3</a>" if dice.random() < 0.2 else "",
            "price": f"${number}.99",
            "x": self._prose() if "{x}" in cell else "",
        }
        return cell.format(**values)

    def _prose(self) -> str:
        dice = self.dice
        paragraphs = [
            escape(" ".join(dice.choice(self._words.sentences) for _ in range(dice.randint(1, 4))))
            for _ in range(dice.choice((1, 1, 1, 2, 3)))
        ]
        if dice.random() < 0.2:
            return escape(dice.choice(self._words.titles)[: dice.randint(8, 40)])
        return "<br><br>".join(paragraphs) if self._breaks else "".join(f"<p>{text}</p>" for text in paragraphs)

    def _title(self) -> str:
        return escape(self.dice.choice(self._words.titles))

    def _class(self) -> str:
        return f" class={self.dice.choice(_NAMES)}" if self.dice.random() < 0.6 else ""

    def _date(self) -> str:
        if "{" in self._date_form:
            return self._date_form.format(self.dice.randint(1, 9))
        return (NEWEST - timedelta(minutes=self.dice.randint(0, 900_000))).strftime(self._date_form)

    def _pager(self) -> str:
        if self.dice.random() < 0.5:
            return ""
        return (
            "<div>" + " ".join(f"<a href=/p{page}>{page}</a>" for page in range(1, 6)) + " <a href=/p2>&gt;</a></div>"
        )
