"""A document as Markdown and as clean HTML: escaped, with http(s) links only."""

from collections.abc import Sequence
from html import escape

from thresher.extraction.clean_html import html_parts
from thresher.extraction.markdown import markdown_parts
from thresher.extraction.markdown_line import markdown_heading, markdown_line
from thresher.extraction.outline import outline
from thresher.extraction.render_posts import blocks_of_posts, post_to_html, post_to_markdown
from thresher.model import Block, Document, Kind, Span

_RIGHT_TO_LEFT = frozenset(["ar", "arc", "ckb", "dv", "fa", "he", "ps", "sd", "ug", "ur", "yi"])  # languages


def to_markdown(document: Document) -> str:
    """Return the title as a heading, then the text; of a thread the posts, under an article its comments."""
    title = markdown_heading(markdown_line((Span(document.title),)))
    posts = zip(document.posts, blocks_of_posts(document), strict=True)
    parts = [f"# {title}" if title else "", markdown_parts(outline(_below_title(document)))]
    parts += [post_to_markdown(post, blocks) for post, blocks in posts]
    text = "\n\n".join(filter(None, parts))
    return text + "\n" if text else ""


def to_html(document: Document) -> str:
    """Return an <article> with the title and the text, fit to be shown inside any page."""
    direction = ' dir="rtl"' if (document.language or "").split("-")[0] in _RIGHT_TO_LEFT else ""
    posts = zip(document.posts, blocks_of_posts(document), strict=True)
    parts = [
        f"<h1>{escape(document.title)}</h1>" if document.title else "",
        html_parts(outline(_below_title(document))),
    ]
    parts += [post_to_html(post, blocks) for post, blocks in posts]
    return f"<article{direction}>\n" + "\n".join(filter(None, parts)) + "\n</article>\n"


def _below_title(document: Document) -> Sequence[Block]:
    """Return the blocks without a first one that repeats the title; none of a thread, whose posts hold them."""
    blocks = () if document.kind is Kind.THREAD and document.posts else document.blocks
    return blocks[1:] if blocks and document.title and blocks[0].text == document.title else blocks
