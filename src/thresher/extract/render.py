"""A document's blocks as Markdown and as clean HTML: escaped, with http(s) links only."""

import re
from collections.abc import Iterator, Sequence
from html import escape
from itertools import groupby
from urllib.parse import quote

from thresher.extract.render_posts import post_to_html, post_to_markdown
from thresher.model import Block, Document, Kind, Span

_MARKDOWN_SIGN = re.compile(r"([\\`*_\[\]<>&])")
_LINE_START = re.compile(r"^(#{1,6}\s|[-+]\s|={3,}|-{3,}|~{3,}|\||\d{1,9}[.)]\s)")
_FENCE = re.compile(r"`{3,}")


def to_markdown(document: Document) -> str:
    """Return the title as a heading, then the blocks; of a thread the posts, under an article its comments."""
    parts = [f"# {_escaped(document.title)}"] if document.title else []
    for tag, group in _groups(_below_title(document)):
        parts.append(_markdown_group(tag, group))
    parts += map(post_to_markdown, document.posts)
    return "\n\n".join(parts) + "\n" if parts else ""


def to_html(document: Document) -> str:
    """Return an <article> with the title and the blocks, fit to be shown inside any page."""
    parts = [f"<h1>{escape(document.title)}</h1>"] if document.title else []
    for tag, group in _groups(_below_title(document)):
        parts.append(_html_group(tag, group))
    parts += map(post_to_html, document.posts)
    return "<article>\n" + "\n".join(parts) + "\n</article>\n"


def _below_title(document: Document) -> Sequence[Block]:
    """Return the blocks without a first one that repeats the title; none of a thread, whose posts hold them."""
    blocks = () if document.kind is Kind.THREAD and document.posts else document.blocks
    return blocks[1:] if blocks and document.title and blocks[0].text == document.title else blocks


def _groups(blocks: Sequence[Block]) -> Iterator[tuple[str, list[Block]]]:
    """Yield the blocks that belong together: list items, and lines of one element that <br> or a line end parts."""
    for (tag, _), group in groupby(enumerate(blocks), key=lambda pair: _group_key(*pair)):
        yield tag, [block for _, block in group]


def _group_key(place: int, block: Block) -> tuple[str, str]:
    if block.tag == "li":
        return "li", ""
    return block.tag, block.xpath or str(place)


def _markdown_group(tag: str, blocks: list[Block]) -> str:
    if tag == "pre":
        code = "\n".join(block.text for block in blocks)
        fence = "`" * max(3, 1 + max((len(ticks) for ticks in _FENCE.findall(code)), default=0))
        return f"{fence}\n{code}\n{fence}"
    lines = [_markdown_line(block) for block in blocks]
    match tag:
        case "li":
            return "\n".join(f"- {line}" for line in lines)
        case "blockquote":
            return "\n".join(f"> {line}" for line in lines)
        case "h1" | "h2" | "h3" | "h4" | "h5" | "h6":
            # The title is the only first-level heading.
            return f"{'#' * max(2, int(tag[1]))} {' '.join(lines)}"
        case _:
            return "  \n".join(lines)


def _markdown_line(block: Block) -> str:
    line = "".join(map(_markdown_span, block.spans)).strip()
    return _LINE_START.sub(lambda match: "\\" + match[0], line)


def _markdown_span(span: Span) -> str:
    text = span.text.strip()
    if not text:
        return span.text
    before, after = span.text.partition(text)[::2]
    marked = _code(text) if span.code else _escaped(text)
    if span.emphasis:
        marked = f"*{marked}*"
    if span.strong:
        marked = f"**{marked}**"
    if _is_web(span.href):
        marked = f"[{marked}](<{_link_target(span.href)}>)"
    return before + marked + after


def _html_group(tag: str, blocks: list[Block]) -> str:
    lines = [_html_line(block) for block in blocks]
    if tag == "li":
        return "<ul>\n" + "\n".join(f"<li>{line}</li>" for line in lines) + "\n</ul>"
    if tag == "pre":
        return "<pre>" + "\n".join(lines) + "</pre>"
    name = {"td": "p", "h1": "h2"}.get(tag, tag)
    return f"<{name}>" + "<br>\n".join(lines) + f"</{name}>"


def _html_line(block: Block) -> str:
    return "".join(map(_html_span, block.spans))


def _html_span(span: Span) -> str:
    marked = escape(span.text)
    for wanted, name in ((span.code, "code"), (span.emphasis, "em"), (span.strong, "strong")):
        if wanted:
            marked = f"<{name}>{marked}</{name}>"
    return f'<a href="{escape(span.href or "")}">{marked}</a>' if _is_web(span.href) else marked


def _code(text: str) -> str:
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def _escaped(text: str) -> str:
    return _MARKDOWN_SIGN.sub(r"\\\1", text)


def _link_target(href: str | None) -> str:
    return re.sub(r"[\s<>\\]", lambda match: quote(match[0]), href or "")


def _is_web(href: str | None) -> bool:
    return bool(href) and str(href).lower().startswith(("http://", "https://"))
