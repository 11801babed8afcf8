"""Posts as Markdown, text and HTML: who and when in a line, then what is quoted, then the post's own words."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from thresher.model.content import Block, Image, Post, Span
from thresher.model.rendering.clean_html import html_parts
from thresher.model.rendering.markdown import markdown_parts
from thresher.model.rendering.markdown_line import markdown_line
from thresher.model.rendering.outline import outline
from thresher.model.rendering.parts import Part, Quote, with_images


def heading_of(post: Post) -> str:
    """Return number, author and time of a post, as far as they are known."""
    time = f"{post.published:%Y-%m-%d %H:%M}" if post.published else ""
    answer = f"to {post.reply_to}" if post.reply_to else ""
    return " · ".join(filter(None, (f"#{post.position}", post.author or "", time, answer)))


def with_blocks(
    posts: Iterable[Post], blocks: Sequence[Block], images: Sequence[Image] = ()
) -> Iterator[tuple[Post, Sequence[Block]]]:
    """Yield each post with its blocks; with its lines where its text is not among the blocks, which are in order.

    Its images are among its blocks.
    """
    place = 0
    for post in posts:
        own = blocks[place : place + post.text.count("\n") + 1] if post.text else ()
        if "\n".join(block.text for block in own) == post.text:
            shown = [image for image in images if place <= image.place <= place + len(own) and _is_in(image, post)]
            yield post, with_images(own, shown, place) if shown else own
            place += len(own)
        else:
            yield post, _lines(post.text)


def _is_in(image: Image, post: Post) -> bool:
    return bool(post.xpath) and f"{image.xpath}/".startswith(f"{post.xpath}/")


def post_to_markdown(post: Post, blocks: Sequence[Block]) -> str:
    """Return a post, whose own text these blocks are, with its heading in bold."""
    heading = markdown_line((Span(heading_of(post), strong=True),))
    return "\n\n".join(filter(None, (heading, markdown_parts(_parts(post, blocks)))))


def post_to_text(post: Post) -> str:
    """Return a post as plain text, quotations marked by a sign at the start of their lines."""
    quoted = (f"> {line}" for quote in post.quotes for line in quote.split("\n"))
    return "\n".join((heading_of(post), *quoted, post.text)).rstrip()


def post_to_html(post: Post, blocks: Sequence[Block]) -> str:
    """Return a post, whose own text these blocks are, as a <section>."""
    inner = html_parts(_parts(post, blocks))
    return f"<section>\n<h2>{escape(heading_of(post))}</h2>\n" + (f"{inner}\n" if inner else "") + "</section>"


def _parts(post: Post, blocks: Sequence[Block]) -> Sequence[Part]:
    quotes = [Quote(outline(_lines(quote))) for quote in post.quotes]
    return [*quotes, *outline(blocks)]


def _lines(text: str) -> Sequence[Block]:
    """Return the lines of a text as those of one paragraph."""
    return tuple(Block((Span(line),), "p", "/p") for line in text.split("\n")) if text else ()
