"""Crawled content made fit to be shown: text with its hits marked, and stored pages without their powers."""

import re
from collections.abc import Sequence
from html import unescape
from urllib.parse import urljoin

import nh3
from lxml import etree
from lxml.html import HtmlElement, document_fromstring
from markupsafe import Markup, escape
from starlette.responses import Response

from thresher.html import decode
from thresher.index.snippet import Highlighter
from thresher.model import Document, Page
from thresher.text import strip_unseen

# A stored page may look as it did, and do nothing: no script, no form, no request, no address of its own.
FRAME_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox"
)
FRAME_HEADERS = {
    "cache-control": "private, max-age=60",
    "x-dns-prefetch-control": "off",
    "referrer-policy": "no-referrer",
}
MAX_MARKED = 400_000  # characters of a text in which hits are marked
_TAGS = {
    *("p", "br", "h1", "h2", "h3", "h4", "h5", "h6", "ul", "ol", "li", "dl", "dt", "dd", "blockquote", "pre", "code"),
    *("table", "thead", "tbody", "tr", "td", "th", "caption", "a", "strong", "em", "mark", "article", "section", "hr"),
    *("header", "footer", "time", "cite", "span", "div"),
}
_ATTRIBUTES = {
    "a": {"href"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan"},
    "ol": {"start"},
    "li": {"value"},
}
_DROPPED = ("script", "link", "base", "iframe", "frame", "frameset", "object", "embed", "applet", "template", "portal")
_LOADING = ("src", "srcset", "poster", "background", "data", "ping", "autofocus", "lowsrc", "xlink:href")
_CSS_ADDRESS = re.compile(r"@import[^;]*;?|url\(\s*(?![\s\"']*data:)[^)]*\)", re.IGNORECASE)
_PIECES = re.compile(r"(<[^>]*>)")


def article(document: Document, highlighter: Highlighter | None) -> Markup:
    """Return the text of a document as clean HTML, without its title, with what was searched for marked."""
    html = nh3.clean(document.html(), tags=_TAGS, attributes=_ATTRIBUTES, url_schemes={"http", "https"})
    html = re.sub(r"^\s*<article>?\s*(<h1>.*?</h1>)?", "<article>", html, count=1, flags=re.DOTALL)
    inner = html.strip().removeprefix("<article>").removesuffix("</article>")
    if highlighter is None or len(inner) > MAX_MARKED:
        return Markup(inner)
    pieces = [
        piece if piece.startswith("<") else marked_text(unescape(piece), highlighter) for piece in _PIECES.split(inner)
    ]
    return Markup("").join(map(Markup, pieces))


def marked_text(text: str, highlighter: Highlighter | None) -> Markup:
    """Return a plain text, escaped, with what was searched for marked."""
    return marked(text, highlighter.marks(text) if highlighter and text.strip() else ())


def marked(text: str, marks: Sequence[tuple[int, int]]) -> Markup:
    """Return a text, escaped, with some places of it marked."""
    parts: list[Markup] = []
    last = 0
    for start, end in marks:
        parts.append(Markup("{}<mark>{}</mark>").format(text[last:start], text[start:end]))
        last = end
    return Markup("").join(parts) + escape(text[last:])


def text_of(page: Page) -> str:
    """Return the source of a stored page as text."""
    return strip_unseen(decode(page.body, page.content_type).text)


def powerless(page: Page) -> HtmlElement | None:
    """Return the tree of a stored page without what runs, loads or leads away; None for what is no HTML."""
    kind = page.content_type.partition(";")[0].strip().lower()
    source = text_of(page)
    if (kind and "html" not in kind and "xml" not in kind) or not source.strip():
        return None
    try:
        root = document_fromstring(source.encode("utf-8", "replace"), parser=etree.HTMLParser(encoding="utf-8"))  # type: ignore[arg-type]
    except (etree.ParserError, ValueError):
        return None
    for element in list(root.iter(*_DROPPED)):
        _drop(element)
    for meta in list(root.iter("meta")):
        if meta.get("http-equiv") or meta.get("charset"):
            _drop(meta)
    for element in root.iter(etree.Element):
        for name, value in element.attrib.items():
            if name.lower().startswith("on") or (name in _LOADING and not value.startswith("data:")):
                del element.attrib[name]
            elif name == "style":
                element.set(name, _loads_nothing(value))
    for style in root.iter("style"):
        style.text = _loads_nothing(style.text or "")
    for link in root.iter("a", "area"):
        target = urljoin(page.url, (link.get("href") or "").strip())
        link.set("title", target[:300])
        link.attrib.pop("href", None)
    return root


def framed(root: HtmlElement | None, page: Page, *, policy: str = FRAME_POLICY) -> Response:
    """Return a stored page for a frame without rights; what is no HTML as the text that it is."""
    headers = {**FRAME_HEADERS, "content-security-policy": policy}
    if root is None:
        return Response(text_of(page)[:2_000_000], headers=headers, media_type="text/plain; charset=utf-8")
    html = b"<!doctype html>" + etree.tostring(root, encoding="utf-8", method="html")
    return Response(html, headers=headers, media_type="text/html; charset=utf-8")


def _loads_nothing(css: str) -> str:
    """Return a style without addresses; the policy would refuse them, and say so in the browser's console."""
    return _CSS_ADDRESS.sub("none", css)


def _drop(element: HtmlElement) -> None:
    """Take an element out of its tree and leave the text behind it."""
    parent = element.getparent()
    if parent is None:
        return
    before, tail = element.getprevious(), element.tail or ""
    if before is None:
        parent.text = (parent.text or "") + tail
    else:
        before.tail = (before.tail or "") + tail
    parent.remove(element)
