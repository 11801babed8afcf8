"""Make up forum engines: how a thread is laid out, what its parts are named, which words and times stand around posts.

An engine is drawn by chance and keeps its ways over a page. Layouts are those that forums of all ages use: rows of a
table, cards, headings with text below, posts in posts, questions with answers, a first post apart from the others.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from html import escape
from random import Random
from typing import NamedTuple

from thresher.lab.train.kind_rows import Artist, Words

LAYOUTS = ("table", "rows", "cards", "cards", "flat", "nested", "answers", "apart", "apart", "list")
COUNTS = (1, 2, 2, 2, 3, 3, 4, 5, 6, 8, 10, 12, 15, 20, 25, 30, 40)  # posts of a page
NAMED, HASHED = 0.6, 0.15  # share of the engines whose classes say what they hold, and that say nothing
_LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"


class Labels(NamedTuple):
    """What an engine writes around posts in one language."""

    answers: str
    said: str
    member: Sequence[str]
    buttons: Sequence[str]
    edited: str
    ago: Sequence[str]
    dates: Sequence[str]
    about: Sequence[str]  # the page: where it stands, and what may be done


_NUMERIC = (
    "%Y-%m-%d %H:%M",
    "%Y-%m-%d %H:%M:%S",
    "%d.%m.%Y %H:%M",
    "%d/%m/%Y, %H:%M",
    "%m-%d-%Y, %I:%M %p",
    "%Y/%m/%d %H:%M",
)
_LABELS = (
    Labels(
        "{n} Answers", "{u} wrote:", ("Member", "Posts: {v}", "Joined: {d}", "Location: Here", "Rep: {v}", "Online"),
        ("Reply", "Quote", "Report", "Like", "Share", "Top", "Permalink", "Edit", "Flag", "PM"),
        "Last edited by {u}; {d}",
        ("{} minutes ago", "{} hours ago", "{} days ago", "{}d", "{}h", "{} years ago"),
        ("%d %b %Y %H:%M", "%B %d, %Y, %I:%M %p", "%b %d, %Y at %I:%M %p", "%a %b %d, %Y %I:%M %p", "%B %d, %Y"),
        ("Home", "Forums", "New posts", "Search", "Register", "Log in", "Similar threads", "Post reply", "Watch"),
    ),
    Labels(
        "{n} Antworten", "{u} schrieb:", ("Mitglied", "Beiträge: {v}", "Registriert: {d}", "Wohnort: Hier", "Offline"),
        ("Antworten", "Zitieren", "Melden", "Gefällt mir", "Teilen", "Nach oben"), "Zuletzt bearbeitet von {u} am {d}",
        ("vor {} Minuten", "vor {} Stunden", "vor {} Tagen"), ("%d. %m. %Y um %H:%M Uhr", "%d.%m.%Y"),
        ("Startseite", "Forum", "Neue Beiträge", "Suche", "Registrieren", "Anmelden", "Ähnliche Themen", "Antworten"),
    ),
    Labels(
        "{n} réponses", "{u} a écrit :", ("Membre", "Messages : {v}", "Inscrit le {d}", "Lieu : Ici"),
        ("Répondre", "Citer", "Signaler", "J'aime", "Partager"), "Modifié par {u} le {d}",
        ("il y a {} minutes", "il y a {} jours", "il y a {} ans"), ("Posté le %d-%m-%Y à %H:%M:%S", "%d/%m/%Y à %H:%M"),
        ("Accueil", "Forum", "Recherche", "Connexion", "Inscription", "Sujets similaires", "Répondre"),
    ),
    Labels(
        "{n} respuestas", "{u} escribió:", ("Miembro", "Mensajes: {v}", "Registrado: {d}"),
        ("Responder", "Citar", "Denunciar", "Compartir"), "Editado por {u}, {d}", ("hace {} horas", "hace {} días"),
        ("%d/%m/%Y %H:%M", "%d-%m-%Y, %I:%M %p"),
        ("Inicio", "Foros", "Buscar", "Registrarse", "Entrar", "Temas similares"),
    ),
    Labels(
        "{n} ответов", "{u} писал(а):", ("Участник", "Сообщений: {v}", "Зарегистрирован: {d}", "Откуда: Москва"),
        ("Ответить", "Цитата", "Жалоба", "Наверх"), "Изменено: {u}, {d}", ("{} часов назад", "{} дней назад"),
        ("%d.%m.%Y, %H:%M", "%d/%m/%y %H:%M"), ("Главная", "Форум", "Поиск", "Вход", "Регистрация", "Похожие темы"),
    ),
)  # fmt: skip
_WIDE_LABELS = (
    Labels(
        "{n} 个回复", "{u} 发表于 {d}", ("会员", "帖子 {v}", "注册时间 {d}", "积分 {v}", "威望 {n}", "来自 北京"),
        ("回复", "引用", "举报", "支持", "收藏", "分享", "只看该作者", "TOP"), "本帖最后由 {u} 于 {d} 编辑",
        ("{} 分钟前", "{} 小时前", "{} 天前", "昨天 1{}:04"),
        ("%Y-%m-%d %H:%M", "发表于 %Y-%m-%d %H:%M:%S", "%Y年%m月%d日 %H:%M"),
        ("首页", "论坛", "搜索", "注册", "登录", "相关主题", "发表回复", "上一主题", "下一主题"),
    ),
    Labels(
        "回答 {n} 件", "{u}さん", ("会員", "投稿数 {v}", "登録日 {d}"), ("返信", "引用", "通報", "いいね"), "編集 {d}",
        ("{}分前", "{}時間前", "{}日前"), ("%Y/%m/%d %H:%M:%S", "%Y年%m月%d日 %H時%M分"),
        ("ホーム", "掲示板", "検索", "ログイン", "新規登録", "関連スレッド"),
    ),
)  # fmt: skip
_ABOUT = ("Home", "About", "Archives", "News", "Search", "Register", "Log in", "Contact", "RSS")  # of other pages
_ROLES = {
    "post": ("post", "msg", "message", "comment", "reply", "topic-item", "postbit", "floor", "entry", "item", "node"),
    "body": (
        "content",
        "body",
        "text",
        "post-text",
        "message-body",
        "md",
        "entry-content",
        "postbody",
        "inner",
        "copy",
    ),
    "author": ("author", "user", "username", "poster", "nick", "name", "byline", "who", "userinfo", "creator"),
    "time": ("date", "time", "posted", "when", "postdate", "meta", "stamp", "info", "details", "small"),
    "foot": ("buttons", "actions", "footer", "tools", "controls", "links", "options"),
    "sign": ("signature", "sig", "user-sig", "after"),
    "list": ("posts", "thread", "messages", "comments", "stream", "list", "topic", "replies", "discussion", "main"),
}


class Engine:
    """Draws threads in the way of one made-up engine: layout, names, words and times stay the same on a page."""

    def __init__(self, dice: Random, words: Words, *, is_wide: bool) -> None:
        self.dice, self._words = dice, words
        self._artist = Artist(dice, words)
        self._labels = dice.choice(_WIDE_LABELS if is_wide else (_LABELS[0], *_LABELS))
        self._layout = dice.choice(LAYOUTS)
        dates = (*self._labels.dates, *self._labels.dates, *_NUMERIC)
        self._form = dice.choice(self._labels.ago if dice.random() < 0.25 else dates)
        self._marked = dice.choice(("", "", "", "time", "time", "title", "epoch"))
        self._break = dice.choice(("p", "p", "br", "div"))
        self._names = self._named()
        self._cast: Sequence[str] = self._people(1, back=0.0)
        self._now = datetime(2024, 5, 17, 21, 4) - timedelta(days=dice.randint(0, 7000))
        self._step = dice.choice((3, 40, 600, 5_000, 90_000))  # minutes between posts, at most
        self._shown = {part: dice.random() < share for part, share in _SHOWN.items()}
        self._profile = dice.choice(("/user/{}", "/u/{}", "/profile.php?id={}", "/members/{}.html", "", ""))

    def thread(self) -> str:
        """Return the posts of a thread, with its title and what stands between and around them."""
        count = self.dice.choice(COUNTS)
        self._cast = self._people(count, back=self.dice.choice((0.0, 0.1, 0.3, 0.5)))
        if self._layout == "nested":
            posts = self._nested(count)
        elif self._layout in ("answers", "apart"):
            posts = self._first_apart(count)
        else:
            posts = self._wrapped([self._post(number) for number in range(1, count + 1)])
        title = f"<{self._names['title']}>{self._title()}</{self._names['title']}>" if self.dice.random() < 0.9 else ""
        return f"{title}{self._pager()}{posts}{self._pager()}{self._below()}"

    def comments(self) -> str:
        """Return the comments under an article in the same markup as posts."""
        count = self.dice.choice(COUNTS)
        self._cast = self._people(count, back=0.03)
        posts = self._nested(count) if self._layout == "nested" else ""
        head = f"<h3>{self._labels.answers.format(n=count)}</h3>" if self.dice.random() < 0.6 else ""
        return head + (posts or self._wrapped([self._post(number) for number in range(1, count + 1)]))

    def page(self, content: str) -> str:
        """Return a page that has nothing but a forum's own frame around the content."""
        return self._framed(content, list(self._labels.about))

    def article(self) -> str:
        """Return an article in a frame as bare as that of a forum: whoever has no such frame may be either."""
        dice = self.dice
        first = dice.randrange(len(self._words.sentences))
        said = self._words.sentences[first : first + dice.choice((4, 8, 15, 30, 60))]
        parts = []
        while said:
            size = dice.randint(1, 6)
            parts.append(escape(" ".join(said[:size])))
            said = said[size:]
        if dice.random() < 0.2:
            parts.insert(len(parts) // 2, f"<b>{self._title()}</b>")
        text = "<br><br>".join(parts) if self._break == "br" else "".join(f"<p>{part}</p>" for part in parts)
        writer = escape(dice.choice(self._words.names))
        byline = dice.choice(
            (f"{writer} {self._date()}", self._date(), f"By {writer}", f"<i>{self._date()} | {writer}</i>")
        )
        head = f"<{self._names['title']}>{self._title()}</{self._names['title']}>"
        told = f"{head}<div>{byline}</div>" if dice.random() < 0.8 else head
        tag = dice.choice(("div", "div", "article", "main", "td"))
        content = f"{told}<{tag}{self._class('body')}>{text}</{tag}>"
        if dice.random() < 0.5:
            content += f"<div>{self.comments()}</div>"
        return self._framed(content, list(_ABOUT))

    def listing(self) -> str:
        """Return a list of teasers in a bare frame."""
        return self._framed(self._artist.teasers(), list(_ABOUT))

    def _framed(self, content: str, labels: list[str]) -> str:
        dice = self.dice
        about = [f"<a href=/{place}>{word}</a>" for place, word in enumerate(labels)]
        dice.shuffle(about)
        parting = dice.choice((" | ", " &gt; ", " ", " &raquo; "))
        bars = [parting.join(about[:4]), parting.join(about[4:]), parting.join(about[2:5])]
        aside = f"<div{self._class('list')}>{self._artist.aside()}</div>" if dice.random() < 0.3 else ""
        side = (aside, "") if dice.random() < 0.5 else ("", aside)
        holder = f"<div{self._class('list')}>{content}</div>" if dice.random() < 0.7 else content
        if dice.random() < 0.25:
            holder = f"<table width=100%><tr><td>{holder}</td></tr></table>"
        foot = dice.choice(("", "All rights reserved", "All times are GMT +1", "Contact us - Archive - Top"))
        head = f"<html><head><title>{self._title()}</title></head><body><div>{bars[0]}</div><p>{bars[1]}</p>"
        return f"{head}{side[0]}{holder}{side[1]}<div>{bars[2]}</div><div>{foot}</div></body></html>"

    def _named(self) -> dict[str, str]:
        """Return what each role is named: by what it holds, by chance, or not at all."""
        dice, way = self.dice, self.dice.random()
        names = {"title": dice.choice(("h1", "h2", "h3", "div", "b"))}
        prefix = dice.choice(("", "", "", "ipb-", "x", "f_", "b-", "Forum"))
        for role, known in _ROLES.items():
            if way < NAMED:
                names[role] = prefix + dice.choice(known)
            elif way < NAMED + HASHED:
                names[role] = dice.choice(("css-", "sc-", "_", "c")) + "".join(dice.choice(_LETTERS) for _ in range(5))
            else:
                names[role] = ""
        return names

    def _class(self, role: str) -> str:
        name = self._names[role]
        return f' class="{name}"' if name else ""

    def _post(self, number: int, text: str | None = None) -> str:
        """Return a post in the layout of the engine."""
        parts = self._parts(number, text)
        return str(getattr(self, f"_as_{self._layout}")(parts, number))

    def _parts(self, number: int, text: str | None) -> dict[str, str]:
        dice, shown = self.dice, self._shown
        writer = self._writer(number)
        self._now += timedelta(minutes=dice.randint(1, self._step))
        name = f"<a href={self._profile.format(number)}>{writer}</a>" if self._profile else f"<b>{writer}</b>"
        if shown["rank"]:
            name += dice.choice((" (Member)", " <i>Senior</i>", f" ({dice.randint(1, 900)})"))
        body = self._prose(number) if text is None else text
        if shown["quotes"] and number > 1 and dice.random() < 0.4:
            said = self._labels.said.format(u=writer, d=self._date(marked=False))
            body = f"<blockquote>{said}<br>{self._sentence()}</blockquote>{body}"
        if shown["edited"] and dice.random() < 0.2:
            body += f"<div><i>{self._labels.edited.format(u=writer, d=self._date(marked=False))}</i></div>"
        head = f"Re: {self._title()}" if shown["subject"] and number > 1 else ""
        return {
            "author": name,
            "card": "<br>".join(self._card()) if shown["card"] else "",
            "date": self._date(),
            "number": f"#{number}" if shown["number"] else "",
            "subject": head,
            "text": body,
            "sign": f"<div{self._class('sign')}>{self._sentence()}</div>"
            if shown["sign"] and dice.random() < 0.5
            else "",
            "foot": self._buttons() if shown["buttons"] else "",
            "id": dice.choice((f" id=p{4000 + number}", f" id=comment-{number}")) if shown["ids"] else "",
        }

    def _people(self, count: int, *, back: float) -> list[str]:
        """Return who writes each post: some write again, and who asked comes back to those who answer."""
        dice = self.dice
        several = max(1, round(count * dice.uniform(0.4, 1.2)))
        names = [
            escape(dice.choice(self._words.names)) + (str(dice.randint(1, 99)) if dice.random() < 0.4 else "")
            for _ in range(several)
        ]
        others = names[1:] or names
        return [names[0], *(names[0] if dice.random() < back else dice.choice(others) for _ in range(count - 1))]

    def _writer(self, number: int) -> str:
        return self._cast[min(number, len(self._cast)) - 1]

    def _card(self) -> list[str]:
        lines = [line for line in self._labels.member if self.dice.random() < 0.5]
        joined = self._artist.day()
        return [line.format(v=self.dice.randint(1, 9000), n=self.dice.randint(1, 9), d=joined) for line in lines]

    def _buttons(self) -> str:
        buttons = self._labels.buttons[: 2 + len(self._labels.buttons) // 2]
        return f"<div{self._class('foot')}>{' '.join(f'<a href=#>{word}</a>' for word in buttons)}</div>"

    def _as_table(self, p: dict[str, str], number: int) -> str:
        """Draw a post as one row: who wrote it on the left, head and text on the right."""
        return (
            f"<tr{p['id']}{self._class('post')}><td{self._class('author')} width=20%>{p['author']}<br>{p['card']}</td>"
            f"<td{self._class('body')}><div{self._class('time')}>{p['subject']} {p['date']} {p['number']}</div><hr>"
            f"<div>{p['text']}</div>{p['sign']}{p['foot']}</td></tr>"
        )

    def _as_rows(self, p: dict[str, str], number: int) -> str:
        """Draw a post as two or three rows."""
        foot = f"<tr><td>&nbsp;</td><td>{p['foot']}</td></tr>" if p["foot"] else ""
        return (
            f"<tr><td colspan=2{self._class('time')}>{p['date']} {p['subject']} {p['number']}</td></tr><tr{p['id']}>"
            f"<td{self._class('author')}>{p['author']}<br>{p['card']}</td><td{self._class('body')}>{p['text']}{p['sign']}"
            f"</td></tr>{foot}"
        )

    def _as_cards(self, p: dict[str, str], number: int) -> str:
        tag = self._names.setdefault("tag", self.dice.choice(("div", "div", "article", "section", "li")))
        who = f"<div{self._class('author')}><img src=a.png>{p['author']}{p['card'] and '<br>' + p['card']}</div>"
        when = f"<div{self._class('time')}>{p['date']} {p['number']}</div>"
        text = (
            f"{p['subject'] and '<h4>' + p['subject'] + '</h4>'}<div{self._class('body')}>{p['text']}</div>{p['sign']}"
        )
        order = self._names.setdefault("order", self.dice.choice(("awt", "awt", "wat", "atw")))
        drawn = "".join({"a": who, "w": when, "t": text}[part] for part in order)
        return f"<{tag}{p['id']}{self._class('post')}>{drawn}{p['foot']}</{tag}>"

    def _as_list(self, p: dict[str, str], number: int) -> str:
        when = f"<span{self._class('time')}>{p['date']}</span> {p['number']}"
        head = f"<p{self._class('author')}>{p['author']} {when}</p>"
        return f"<li{p['id']}{self._class('post')}>{head}<div{self._class('body')}>{p['text']}</div>{p['foot']}</li>"

    def _as_flat(self, p: dict[str, str], number: int) -> str:
        """Draw a post without an element of its own, as archives and old boards do."""
        way = self._names.setdefault("flat", self.dice.choice(("dl", "h", "p", "hr")))
        head = f"{p['author']} {p['date']} {p['number']}"
        if way == "dl":
            return f"<dt>{number} {head}</dt><dd>{p['text']}</dd>"
        if way == "h":
            return f"<h4>{p['subject']} {head}</h4><div>{p['text']}</div>"
        if way == "p":
            return f"<p><b>{p['author']}</b> <small>{p['date']}</small></p><blockquote>{p['text']}</blockquote><hr>"
        return f"<div>{head}</div>{p['text']}<hr>"

    _as_nested = _as_apart = _as_answers = _as_cards

    def _nested(self, count: int) -> str:
        """Return posts that lie in those that they answer, or are moved to the right of them."""
        dice = self.dice
        tag = dice.choice(("ul", "ol", "div"))
        inner = "div" if tag == "div" else "li"
        is_flat = dice.random() < 0.3
        drawn, depth = "", 0
        for number in range(1, count + 1):
            post = self._as_cards(self._parts(number, None), number)
            level = min(depth + 1, 5) if dice.random() < 0.4 else dice.randint(0, depth)
            if is_flat:
                drawn += f"<div style='margin-left:{20 * level}px'>{post}</div>"
                depth = level
                continue
            if number > 1:
                drawn += f"<{tag}>" if level > depth else f"</{inner}>" + f"</{tag}></{inner}>" * (depth - level)
            drawn += f"<{inner}>{post}"
            depth = max(level, 0) if number > 1 else 0
        closing = "" if is_flat else f"</{inner}>" + f"</{tag}></{inner}>" * depth
        return f"<{tag}{self._class('list')}>{drawn}{closing}</{tag}>"

    def _first_apart(self, count: int) -> str:
        """Return a first post in markup of its own, and the others below a heading."""
        dice, p = self.dice, self._parts(1, self._prose(1))
        who = f"<span>{p['author']}</span>"
        order = (who, f"<div>{p['text']}</div>", f"<span>{p['date']}</span>")
        is_question = self._layout == "answers"
        asked = f"<div>{order[1]}<div>{order[2]} {order[0]}</div></div>" if is_question or dice.random() < 0.4 else ""
        asked = asked or f"<div><div>{order[0]} {order[2]}</div>{order[1]}</div>"
        tags = " ".join(f"<a href=/t>{self._title().split()[0]}</a>" for _ in range(3)) if is_question else ""
        heading = f"<h2>{self._labels.answers.format(n=count - 1)}</h2>" if dice.random() < 0.7 else ""
        answers = [self._post(number) for number in range(2, count + 1)]
        votes = "<div>{} <span>votes</span></div>"
        if is_question and dice.random() < 0.7:
            answers = [f"<div>{votes.format(dice.randint(0, 40))}{answer}</div>" for answer in answers]
        opening = (
            f"<article>{asked}{tags}{p['foot']}</article>"
            if dice.random() < 0.3
            else f"<div>{asked}{tags}{p['foot']}</div>"
        )
        return f"{opening}{heading if answers else ''}<div{self._class('list')}>{''.join(answers)}</div>"

    def _wrapped(self, posts: Sequence[str]) -> str:
        dice, name = self.dice, self._class("list")
        advert = f"<div>{self._sentence()} <a href=/ad>{self._title()}</a></div>"
        drawn = list(posts)
        if self._layout in ("table", "rows"):
            if dice.random() < 0.4:  # a table for each post
                return "".join(f"<table border=0{name}>{post}</table>" for post in drawn)
            return f"<table{name}>{''.join(drawn)}</table>"
        if len(drawn) > 1 and dice.random() < 0.15:
            drawn.insert(1, advert)
        tag = {"list": "ol", "flat": "div"}.get(self._layout, "div")
        tag = "dl" if self._names.get("flat") == "dl" else "ul" if self._names.get("tag") == "li" else tag
        return f"<{tag}{name}>{''.join(drawn)}</{tag}>"

    def _prose(self, number: int) -> str:
        """Return the text of a post: most have a few lines, first ones often more, some a word or nothing."""
        dice = self.dice
        if dice.random() < 0.04:
            return "<img src=smile.gif>"
        if number > 1 and dice.random() < 0.15:
            return self._sentence()[: dice.randint(8, 40)]
        many = (2, 3, 5, 8, 12) if number == 1 and dice.random() < 0.5 else (1, 1, 1, 2, 2, 3)
        texts = [" ".join(self._sentence() for _ in range(dice.randint(1, 3))) for _ in range(dice.choice(many))]
        if self._break == "br":
            return "<br><br>".join(texts)
        return "".join(f"<{self._break}>{text}</{self._break}>" for text in texts) if len(texts) > 1 else texts[0]

    def _sentence(self) -> str:
        return escape(self.dice.choice(self._words.sentences))

    def _title(self) -> str:
        return escape(self.dice.choice(self._words.titles)[: self.dice.choice((40, 60, 90))])

    def _date(self, *, marked: bool = True) -> str:
        is_ago = "{" in self._form
        shown = self._form.format(self.dice.randint(1, 9)) if is_ago else self._now.strftime(self._form)
        if not marked or not self._marked:
            return f"<span{self._class('time')}>{shown}</span>" if marked and self._shown["span"] else shown
        told = self._now.isoformat()
        given = {"time": f"time datetime={told}", "title": f'span title="{told}"'}
        element = given.get(self._marked, f"span data-time={int(self._now.timestamp())}")
        return f"<{element}>{shown}</{element.split()[0]}>"

    def _pager(self) -> str:
        if self.dice.random() < 0.6:
            return ""
        return "<div>" + " ".join(f"<a href=/p{page}>{page}</a>" for page in range(1, 6)) + "</div>"

    def _below(self) -> str:
        """Return what forums put below their posts: a form, and threads like this one."""
        form = "<form><textarea></textarea><input type=submit></form>" if self.dice.random() < 0.4 else ""
        return form + (self._artist.aside() if self.dice.random() < 0.25 else "")


_SHOWN = {
    "rank": 0.15, "quotes": 0.5, "edited": 0.4, "subject": 0.2, "card": 0.5, "number": 0.4, "sign": 0.3, "buttons": 0.6,
    "ids": 0.4, "span": 0.5,
}  # fmt: skip
