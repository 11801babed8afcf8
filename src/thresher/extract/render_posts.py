"""Posts as Markdown, text and HTML: who and when in a line, then what is quoted, then the post's own words."""

import re
from collections.abc import Iterator
from html import escape

from thresher.model import Post

_SIGN = re.compile(r"([\\`*_\[\]<>&])")
_LINE_START = re.compile(r"^(#{1,6}\s|[-+]\s|={3,}|-{3,}|~{3,}|\||\d{1,9}[.)]\s)")


def heading_of(post: Post) -> str:
    """Return number, author and time of a post, as far as they are known."""
    time = f"{post.published:%Y-%m-%d %H:%M}" if post.published else ""
    answer = f"to {post.reply_to}" if post.reply_to else ""
    return " · ".join(filter(None, (f"#{post.position}", post.author or "", time, answer)))


def post_to_markdown(post: Post) -> str:
    """Return a post with its heading in bold."""
    parts = [f"**{_escaped(heading_of(post))}**"]
    parts += ["\n".join(f"> {line}" for line in _lines(quote)) for quote in post.quotes]
    if post.text:
        parts.append("  \n".join(_lines(post.text)))
    return "\n\n".join(parts)


def post_to_text(post: Post) -> str:
    """Return a post as plain text, quotations marked by a sign at the start of their lines."""
    quoted = (f"> {line}" for quote in post.quotes for line in quote.split("\n"))
    return "\n".join((heading_of(post), *quoted, post.text)).rstrip()


def post_to_html(post: Post) -> str:
    """Return a post as a <section>, escaped."""
    quotes = "".join(f"<blockquote>{_html_lines(quote)}</blockquote>\n" for quote in post.quotes)
    return f"<section>\n<h2>{escape(heading_of(post))}</h2>\n{quotes}<p>{_html_lines(post.text)}</p>\n</section>"


def _lines(text: str) -> Iterator[str]:
    for line in text.split("\n"):
        yield _LINE_START.sub(lambda match: "\\" + match[0], _escaped(line))


def _escaped(text: str) -> str:
    return _SIGN.sub(r"\\\1", text)


def _html_lines(text: str) -> str:
    return "<br>\n".join(map(escape, text.split("\n")))
