"""A document as Markdown, clean HTML (escaped, with http(s) links only) and plain text, whole or piece by piece."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape
from itertools import chain
from typing import Protocol

from thresher.model.content import Block, Image, Kind, Post, Span
from thresher.model.rendering.clean_html import html_parts
from thresher.model.rendering.markdown import markdown_parts
from thresher.model.rendering.markdown_line import markdown_heading, markdown_line
from thresher.model.rendering.outline import outline
from thresher.model.rendering.parts import IMAGE, with_images
from thresher.model.rendering.posts import post_to_html, post_to_markdown, post_to_text, with_blocks

_RIGHT_TO_LEFT = frozenset(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])  # languages


class Readable(Protocol):
    """What is needed of a Document."""

    @property
    def kind(self) -> Kind:
        """What the page is."""

    @property
    def title(self) -> str:
        """The title; may be empty."""

    @property
    def language(self) -> str | None:
        """The language, as far as it is known."""

    @property
    def blocks(self) -> tuple[Block, ...]:
        """The main text."""

    @property
    def images(self) -> tuple[Image, ...]:
        """The images of the main text."""

    @property
    def posts(self) -> tuple[Post, ...]:
        """The posts of a thread, the comments below an article."""


def to_markdown(document: Readable) -> str:
    """Return the title as a heading, then the text; of a thread the posts, under an article its comments."""
    return "".join(markdown_pieces(document, document.posts))


def to_text(document: Readable) -> str:
    """Return title and text, the title once; the posts of a thread, and the comments below an article."""
    return "".join(text_pieces(document, document.posts))


def to_html(document: Readable, *, source: str | None = None) -> str:
    """Return an <article> with the title and the text, fit to be shown inside any page; it may tell its source."""
    direction = ' dir="rtl"' if (document.language or "").split("-")[0] in _RIGHT_TO_LEFT else ""
    parts = [
        f"<h1>{escape(document.title)}</h1>" if document.title else "",
        html_parts(outline(_below_title(document, has_posts=bool(document.posts)))),
    ]
    parts += [post_to_html(post, blocks) for post, blocks in _of_posts(document, document.posts)]
    told = f' data-source="{escape(source)}"' if source is not None else ""
    return f"<article{direction}{told}>\n" + "\n".join(filter(None, parts)) + "\n</article>\n"


def to_xml(document: Readable) -> str:
    """Return the text as elements that XML parsers read: those of `to_html`, without title and posts."""
    return html_parts(outline(with_images(document.blocks, document.images))).replace("<br>", "<br/>")


def markdown_pieces(document: Readable, posts: Iterable[Post]) -> Iterator[str]:
    """Yield the Markdown of a document whose posts come one by one, however many there are."""
    coming, has_posts = _looked_ahead(posts)
    title = markdown_heading(markdown_line((Span(document.title),)))
    head = [f"# {title}" if title else "", markdown_parts(outline(_below_title(document, has_posts=has_posts)))]
    rest = (post_to_markdown(post, blocks) for post, blocks in _of_posts(document, coming))
    yield from _parted(chain(head, rest))


def text_pieces(document: Readable, posts: Iterable[Post]) -> Iterator[str]:
    """Yield the plain text of a document whose posts come one by one, however many there are."""
    coming, has_posts = _looked_ahead(posts)
    blocks = _below_title(document, has_posts=has_posts)
    body = "\n".join(block.text for block in blocks if block.tag != IMAGE)
    yield from _parted(chain([document.title, body], map(post_to_text, coming)))


def _looked_ahead(posts: Iterable[Post]) -> tuple[Iterator[Post], bool]:
    coming = iter(posts)
    first = next(coming, None)
    return (chain([first], coming), True) if first else (coming, False)


def _parted(parts: Iterable[str]) -> Iterator[str]:
    """Yield the parts that are not empty with a blank line between them, and a line end after the last."""
    between = ""
    for part in filter(None, parts):
        yield between + part
        between = "\n\n"
    if between:
        yield "\n"


def _of_posts(document: Readable, posts: Iterable[Post]) -> Iterator[tuple[Post, Sequence[Block]]]:
    """Yield posts with their blocks, which are among those of a thread."""
    return with_blocks(posts, document.blocks if document.kind is Kind.THREAD else (), document.images)


def _below_title(document: Readable, *, has_posts: bool) -> Sequence[Block]:
    """Return the blocks, but a first one that repeats the title, and images; none of a thread: its posts hold them."""
    if document.kind is Kind.THREAD and has_posts:
        return ()
    blocks = document.blocks
    first = int(bool(blocks and document.title and blocks[0].text == document.title))
    return with_images(blocks[first:], document.images, first) if document.images else blocks[first:]
