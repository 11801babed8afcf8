"""The conversation in markups that break one rule or the other: nested, in rows, without dates, with gaps."""
# ruff: noqa: E501  # markup, in lines as forums write it

from collections.abc import Callable
from datetime import UTC, datetime

from tests.extraction.forum.talk import TITLE, TITLE_ZH, Said, page, talk

Engine = Callable[[list[Said]], str]
NOW = datetime(2019, 3, 22, 18, 2, tzinfo=UTC)


def nested(posts: list[Said]) -> str:
    """Each answer lies in the post it answers."""

    def one(rest: list[Said]) -> str:
        if not rest:
            return ""
        p, *others = rest
        return f"""<li class="comment" id="comment-{p.number}"><div class="comment-meta"><cite class="fn">{p.author}</cite>
        <a href="/t/12#comment-{p.number}"><time datetime="{p.at:%Y-%m-%dT%H:%M:%S+00:00}">{p.at:%B %d, %Y at %I:%M %p}</time>
        </a></div><div class="comment-content">{"".join(f"<p>{t}</p>" for t in p.text)}</div>
        <div class="reply"><a href="#respond">Reply</a></div>{f'<ol class="children">{one(others)}</ol>' if others else ""}
        </li>"""

    return page(f'<h1>{TITLE}</h1><ol class="comment-list">{one(posts)}</ol>')


def rows(posts: list[Said]) -> str:
    """Three rows of one table make a post, and nothing is named."""
    cells = "".join(
        f"""<tr bgcolor="#dddddd"><td><b>{p.author}</b></td><td align="right">{p.at:%d %b %Y %H:%M}</td></tr>
        <tr><td colspan="2">{"<br>".join(p.text)}</td></tr><tr><td colspan="2"><hr></td></tr>"""
        for p in posts
    )
    return page(f"<h2>{TITLE}</h2><table width='90%'>{cells}</table>")


def aggregator(posts: list[Said]) -> str:
    """Rows of tables in tables, ages in words with the moment in a title, as sites for hackers have them."""
    cells = "".join(
        f"""<tr class="athing comtr" id="{20000 + p.number}"><td><table border="0"><tr><td class="ind"><img width="{p.number}">
        </td><td class="votelinks"><a href="vote?id={p.number}"></a></td><td class="default"><div><span class="comhead">
        <a href="user?id={p.author}" class="hnuser">{p.author}</a> <span class="age" title="{p.at:%Y-%m-%dT%H:%M:%S}">
        <a href="item?id={20000 + p.number}">{(NOW - p.at).days} days ago</a></span> <span class="navs"> | <a href="#1">next</a>
        </span></span></div><br><div class="comment"><div class="commtext c00">{"<p>".join(p.text)}</div>
        <div class="reply"><p><font size="1"><u><a href="reply?id={p.number}">reply</a></u></font></div></div></td></tr>
        </table></td></tr>"""
        for p in posts
    )
    return page(
        f'<table class="fatitem"><tr><td><a href="/x">{TITLE}</a></td></tr></table>'
        f'<table border="0" class="comment-tree"><tbody>{cells}</tbody></table>'
    )


def ages(posts: list[Said]) -> str:
    """Only ages are told, in Chinese, as sites for programmers have them."""
    cells = "".join(
        f"""<div id="r_{700 + p.number}" class="cell"><table><tr><td width="48"><img class="avatar"></td><td>
        <div class="fr"><div class="thank_area"></div> &nbsp; <span class="no">{p.number}</span></div>
        <strong><a href="/member/{p.number}" class="dark">{p.author}</a></strong>&nbsp; <span class="ago">
        {(NOW - p.at).days} 天前</span><div class="sep5"></div><div class="reply_content">{"<br>".join(p.text)}</div></td></tr>
        </table></div>"""
        for p in posts
    )
    return page(f'<h1>{TITLE_ZH}</h1><div class="box">{cells}</div>', TITLE_ZH)


def gaps(posts: list[Said]) -> str:
    """Advertisements and a deleted post stand between the posts."""
    cells = []
    for p in posts:
        cells.append(
            f"""<div class="msg-row" id="m{p.number}"><div class="msg-side"><a href="/people/{p.number}">{p.author}</a>
            <span>Joined 2 May 2011</span></div><div class="msg-main"><div class="msg-when">{p.at:%a, %d %b %Y %H:%M}</div>
            <div class="msg-words">{"".join(f"<p>{t}</p>" for t in p.text)}</div></div></div>"""
        )
        if p.number == 2:
            cells.append('<div class="promo"><p>Buy three filters and pay for two, until 31 March 2019 only!</p></div>')
    return page(f"<h1>{TITLE}</h1><div class='flow'>{''.join(cells)}</div>")


def newest_first(posts: list[Said]) -> str:
    """The last post comes first, and time and author stand below the text in one line."""
    cells = "".join(
        f"""<section class="entry"><div class="entry__words"><p>{"</p><p>".join(p.text)}</p></div><p class="entry__by">
        <a href="/u/{p.number}" rel="author">{p.author}</a> wrote this on {p.at:%d/%m/%Y} at {p.at:%H:%M}</p></section>"""
        for p in reversed(posts)
    )
    return page(f"<h1>{TITLE}</h1><main>{cells}</main>")


ENGINES: dict[str, Engine] = {
    "nested": nested, "rows": rows, "aggregator": aggregator, "ages": ages, "gaps": gaps, "newest_first": newest_first,
}  # fmt: skip
UNTIMED: frozenset[str] = frozenset()
COARSE = frozenset({"ages"})  # only the day is told


def conversation(name: str, posts: int = 6) -> tuple[str, list[Said]]:
    """Return a page of a markup, and what is said on it, in the order of the page."""
    said = talk("zh" if name == "ages" else "en", posts=posts)
    return ENGINES[name](said), said[::-1] if name == "newest_first" else said
