"""The structure of HTML in a normal form, for the comparison of two ways to the same."""

from collections.abc import Iterator
from typing import NamedTuple
from urllib.parse import unquote

from lxml import etree
from markdown_it import MarkdownIt

_MARKDOWN = MarkdownIt("commonmark").enable(["table", "strikethrough"])
_STYLES = {"strong": "strong", "em": "em", "code": "code", "s": "s"}
_LINES = (
    "p",
    "li",
    "td",
    "th",
    "h1",
    "h2",
    "h3",
    "h4",
    "h5",
    "h6",
    "pre",
    "blockquote",
    "article",
    "ul",
    "ol",
    "table",
)


class Line(NamedTuple):
    """A line of text: the elements it lies in, its text, and the formatting of each letter and digit in it."""

    places: tuple[str, ...]
    text: str
    styles: tuple[tuple[str, frozenset[str]], ...]


def of_markdown(markdown: str) -> list[Line]:
    """Return the lines of Markdown, as a parser of CommonMark with GitHub's tables reads it."""
    return of_html(f"<article>{_MARKDOWN.render(markdown)}</article>")


def of_html(html: str) -> list[Line]:
    """Return the lines of HTML."""
    walker = _Walker()
    root = etree.fromstring(html, etree.HTMLParser())
    walker.walk(root, (), frozenset())
    walker.end((), frozenset())
    return walker.lines


class _Walker:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self._letters: list[tuple[str, frozenset[str]]] = []
        self._places: tuple[str, ...] = ()

    def walk(self, element: etree._Element, places: tuple[str, ...], styles: frozenset[str]) -> None:
        tag = str(element.tag)
        if tag in _LINES or tag == "br":
            self.end(places, styles)
        inner = (*places, *_place(element))
        styles |= set(_style(element))
        self.add(element.text, inner, styles)
        for child in element:
            self.walk(child, inner, styles)
            self.add(child.tail, inner, styles)
        if tag in _LINES:
            self.end(inner, styles)

    def add(self, text: str | None, places: tuple[str, ...], styles: frozenset[str]) -> None:
        for piece in (text or "").splitlines(keepends=True) if "pre" in places else [text or ""]:
            self._letters += [(letter, styles) for letter in piece]
            self._places = places
            if "pre" in places and piece.endswith("\n"):
                self.end(places, styles)

    def end(self, places: tuple[str, ...], styles: frozenset[str]) -> None:
        text = " ".join("".join(letter for letter, _ in self._letters).split())
        if text:
            told = tuple((letter, styles) for letter, styles in self._letters if letter.isalnum())
            self.lines.append(Line(self._places, text, told))
        self._letters = []


def _style(element: etree._Element) -> Iterator[str]:
    tag = str(element.tag)
    if tag == "a":
        yield f"link {unquote(element.get('href') or '')}"
    elif tag in _STYLES and (tag != "code" or not any(above.tag == "pre" for above in element.iterancestors())):
        yield _STYLES[tag]


def _place(element: etree._Element) -> Iterator[str]:
    tag, parent = str(element.tag), element.getparent()
    before = sum(1 for _ in element.itersiblings(tag, preceding=True))
    if tag == "li" and parent is not None and parent.tag == "ol":
        yield f"ol {_number(element, parent)}"
    elif tag == "li" and parent is not None:
        lists = sum(1 for _ in parent.itersiblings("ul", preceding=True))
        yield f"ul {lists} {before}"
    elif tag in ("td", "th") and parent is not None:
        rows = parent.getroottree().getroot().iter("tr")
        full = [row for row in rows if any("".join(map(str, cell.itertext())).strip() for cell in row)]
        yield (
            f"cell {full.index(parent)} {sum(1 for _ in element.itersiblings(preceding=True))}"
            if parent in full
            else ""
        )
    elif tag in ("blockquote", "pre") or (tag[0] == "h" and tag[1:].isdigit()):
        yield tag


def _number(item: etree._Element, listing: etree._Element) -> int:
    number = int(listing.get("start") or 1)
    for other in listing:
        number = int(other.get("value") or number)
        if other is item:
            return number
        number += 1
    return number
