"""Write the beginning of a labelled text as the page of a blog: a short post amid side bars, archives and comments.

Labelled pages are long articles of large sites for the most part; short texts, and blogs of older makes, are few. The
markup is of our own, after how such software writes it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape
from random import Random

from lxml import etree

from thresher.lab.train.noise import MAX_TITLE, Supply, comments, prose, when

MAX_LINES = 12  # of a post

_TOPICS = (
    *("News", "Life", "Travel", "Music", "Books", "Design", "Politics", "Food"),
    *("Photos", "Science", "Work", "Family", "Web", "Ideas", "Video", "Art"),
)
_SHARED = ("Tweet", "Share", "Email This", "Digg this", "Like", "Print", "Share on Facebook", "Bookmark", "Stumble")
_WIDGETS = ("Archives", "Categories", "Blogroll", "Recent Posts", "Recent Comments", "Links", "Popular Posts", "Tags")


@dataclass(frozen=True, slots=True)
class _Make:
    """What a kind of blog software calls its parts; None for no name."""

    page: str | None
    main: str | None
    post: str | None
    title: str | None
    body: str | None
    foot: str | None
    side: str | None
    widget: str | None


_MAKES = (
    _Make("page", "content", "post", "post-title", "entry", "postmetadata", "sidebar", "widget"),
    _Make("wrapper", "container", "post hentry", "entry-title", "entry-content", "entry-utility", "primary", "widget"),
    _Make("outer-wrapper", "main", "post", "post-title", "post-body", "post-footer", "sidebar", "widget"),
    _Make("container", "alpha", "entry", "entry-header", "entry-body", "entry-footer", "beta", "module"),
    _Make("page", "squeeze", "node", "title", "content", "links", "sidebar-right", "block"),
    _Make("wrap", "left", "item", "headline", "text", "info", "right", "box"),
    _Make("site", "column1", "story", "storytitle", "storycontent", "feedback", "column2", None),
    _Make(None, None, None, None, None, None, None, None),
    _Make("main", "center", "blogbody", "title", "body", "posted", "links", "sidetitle"),
    _Make("wrapper", "maincol", "article", None, "article-text", "meta", "rightcol", "panel"),
)


def write_blog(title: str, lines: Sequence[str], supply: Supply, random: Random) -> str:
    """Return a page of a made-up blog that holds some text, given by lines, under a title."""
    make = random.choice(_MAKES)
    name = " ".join(random.sample(_TOPICS, 2)) + random.choice((" Blog", "", " Daily", " Notes"))
    main = f"<div{_named(make.main, random)}>{_post(title, lines, make=make, supply=supply, random=random)}</div>"
    side = _side(make, supply, random)
    parts = [side, main] if random.random() < 0.25 else [main, side]
    put = _in_table if random.random() < 0.15 else "".join
    shown = random.choice((f"{title} | {name}", f"{name}: {title}", title, f"{title} « {name}", name))
    return (
        f"<html><head><title>{escape(shown)}</title></head><body><div{_named(make.page, random)}>"
        f"{_head(name, supply, random)}{put(parts)}{_foot(name, supply, random)}</div></body></html>"
    )


def _named(name: str | None, random: Random) -> str:
    return f' {random.choice(("class", "id"))}="{name}"' if name else ""


def _link(text: str) -> str:
    return f'<a href="/{len(text)}">{escape(text)}</a>'


def _in_table(parts: Sequence[str]) -> str:
    return "<table><tr>" + "".join(f'<td valign="top">{part}</td>' for part in parts) + "</tr></table>"


def _head(name: str, supply: Supply, random: Random) -> str:
    tag = random.choice(("h1", "h1", "div", "h2"))
    tagline = f"<p>{escape(prose(supply, random, 1)[:MAX_TITLE])}</p>" if random.random() < 0.5 else ""
    menu = "".join(f"<li>{_link(topic)}</li>" for topic in random.sample(_TOPICS, random.randint(3, 8)))
    return f'<div id="header"><{tag}>{_link(name)}</{tag}>{tagline}</div><ul class="menu">{menu}</ul>'


def _foot(name: str, supply: Supply, random: Random) -> str:
    about = f"<p>{escape(prose(supply, random, 2))}</p>" if random.random() < 0.3 else ""
    return f'<div id="footer">{about}<p>© {random.randint(2004, 2014)} {escape(name)}. {_link("Contact")}</p></div>'


def _post(title: str, lines: Sequence[str], *, make: _Make, supply: Supply, random: Random) -> str:
    tag = random.choice(("h1", "h2", "h2", "h3", "div"))
    headline = _link(title) if random.random() < 0.6 else escape(title)
    parts = [f"<{tag}{_class(make.title)}>{headline}</{tag}>"]
    if random.random() < 0.7:
        parts.insert(random.choice((0, 1)), _signature(supply, random))
    if random.random() < 0.4:
        parts.append(_shares(random))
    parts.append(f"<div{_class(make.body)}>{_body(lines, random)}{_ending(supply, random)}</div>")
    if random.random() < 0.8:
        parts.append(f"<p{_class(make.foot)}>{_filed(supply, random)}</p>")
    if random.random() < 0.4:
        parts.append(f"<p>{_link('« ' + _headline(supply, random))} | {_link('Main')}</p>")
    post = f"<div{_class(make.post)}>{''.join(parts)}</div>"
    return post + _talk(supply, random)


def _class(name: str | None) -> str:
    return f' class="{name}"' if name else ""


def _headline(supply: Supply, random: Random) -> str:
    return random.choice(supply.sentences)[:MAX_TITLE]


def _signature(supply: Supply, random: Random) -> str:
    name, time = random.choice(supply.words("names")), when(supply, random)
    shown = (f"Posted by {name} on {time}", f"{time} by {name}", time, f"By {name} | {time} | {random.choice(_TOPICS)}")
    tag = random.choice(("p", "div", "h2", "small", "h4"))
    return f"<{tag}>{escape(random.choice(shown))}</{tag}>"


def _shares(random: Random) -> str:
    words = random.sample(_SHARED, random.randint(2, 5))
    if random.random() < 0.5:
        return "<div>" + " ".join(_link(word) for word in words) + "</div>"
    return '<ul class="share">' + "".join(f"<li>{_link(word)}</li>" for word in words) + "</ul>"


def _body(lines: Sequence[str], random: Random) -> str:
    shapes: dict[str, Callable[[str], str]] = {
        "p": lambda text: f"<p>{text}</p>",
        "br": lambda text: f"{text}<br><br>",
        "div": lambda text: f"<div>{text}</div>",
        "p img": lambda text: f'<p><img src="/i.jpg"></p><p>{text}</p>',
    }
    write = shapes[random.choice(("p", "p", "p", "br", "div", "p img"))]
    return "".join(write(_with_link(line, random)) for line in lines)


def _with_link(line: str, random: Random) -> str:
    """Return a line as markup, some of its words a link as bloggers write them."""
    words = line.split(" ")
    if len(words) < 12 or random.random() < 0.6:
        return escape(line)
    start = random.randrange(len(words) - 5)
    end = start + random.randint(1, 5)
    before, linked, after = " ".join(words[:start]), " ".join(words[start:end]), " ".join(words[end:])
    return f'{escape(before)} <a href="http://example.org/">{escape(linked)}</a> {escape(after)}'


def _ending(supply: Supply, random: Random) -> str:
    """Return what stands inside the post's body after its text: shares, other posts, a word about the writer."""
    kind = random.random()
    if kind < 0.2:
        return _shares(random)
    if kind < 0.35:
        posts = "".join(f"<li>{_link(_headline(supply, random))}</li>" for _ in range(random.randint(3, 6)))
        return f"<h3>{random.choice(supply.words('teaser_heads'))}</h3><ul>{posts}</ul>"
    if kind < 0.42:
        name = random.choice(supply.words("names"))
        return f"<div><h4>About {name}</h4><p>{name} writes this blog. {escape(prose(supply, random, 2))}</p></div>"
    return ""


def _filed(supply: Supply, random: Random) -> str:
    topics = ", ".join(_link(topic) for topic in random.sample(_TOPICS, random.randint(1, 4)))
    count = random.choice(("No Comments", "1 Comment", f"{random.randint(2, 90)} Comments"))
    name, time = random.choice(supply.words("names")), when(supply, random)
    return random.choice(
        (
            f"Posted in {topics} | {_link(count)} »",
            f"Posted by {name} at {time} | {_link('Permalink')} | {_link(count)} | {_link('TrackBack (0)')}",
            f"Filed under: {topics} | Tags: {topics}",
            f"This entry was posted on {time} and is filed under {topics}. You can leave a response.",
            f"Labels: {topics} {count}",
        )
    )


def _talk(supply: Supply, random: Random) -> str:
    kind = random.random()
    if kind < 0.35:
        return "<h3>No comments yet.</h3><p>RSS feed for comments on this post.</p>" if kind < 0.15 else ""
    if kind < 0.65:
        return str(etree.tostring(comments(supply, random), encoding="unicode", method="html"))
    signed = []
    for _ in range(random.choice((1, 2, 4, 8, 16))):
        text = "".join(f"<p>{escape(prose(supply, random, 4))}</p>" for _ in range(random.choice((1, 1, 2))))
        who = f"<p>Posted by: {random.choice(supply.words('names'))} at {when(supply, random)}</p>"
        signed.append(f"<div>{text}</div>{who}" if kind < 0.85 else f"{who}{text}")
    return "<h2>Comments</h2>" + "".join(signed) + "<h2>Post a comment</h2><p>Remember personal info?</p>"


def _side(make: _Make, supply: Supply, random: Random) -> str:
    boxes = [_widget(name, make, supply, random) for name in random.sample(_WIDGETS, random.randint(2, 7))]
    if random.random() < 0.6:
        about = prose(supply, random, random.choice((1, 2, 5)))
        boxes.insert(0, f"<div{_class(make.widget)}><h2>About</h2><p>{escape(about)}</p></div>")
    if random.random() < 0.3:
        feed = "".join(f"<li>{escape(prose(supply, random, 1))} {_link('2 days ago')}</li>" for _ in range(5))
        boxes.append(f"<div{_class(make.widget)}><h3>Twitter</h3><ul>{feed}</ul></div>")
    return f"<div{_named(make.side, random)}>{''.join(boxes)}</div>"


def _widget(name: str, make: _Make, supply: Supply, random: Random) -> str:
    def entry() -> str:
        if name == "Archives":
            month = f"{random.choice(supply.words('months'))} {random.randint(2004, 2014)}"
            return _link(month) + random.choice(("", " (7)"))
        if name in ("Categories", "Tags"):
            return _link(random.choice(_TOPICS))
        if name == "Recent Comments":
            return f"{random.choice(supply.words('names'))} on {_link(_headline(supply, random))}"
        return _link(_headline(supply, random)[: random.choice((25, 50, MAX_TITLE))])

    tag = random.choice(("h2", "h3", "h4", "div"))
    entries = "".join(f"<li>{entry()}</li>" for _ in range(random.randint(3, 24)))
    return f"<div{_class(make.widget)}><{tag}>{name}</{tag}><ul>{entries}</ul></div>"
