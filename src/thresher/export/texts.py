"""The text of a document whose posts come one by one."""

from collections.abc import Iterator

from thresher.export.contract import Posts
from thresher.model import Document, Kind


def whole_text(document: Document, posts: Posts) -> Iterator[str]:
    """Yield what Document.text gives, piece by piece: of a thread the posts, else the main text."""
    found = False
    if document.kind is Kind.THREAD:
        for post in posts():
            if post.text:
                yield f"\n{post.text}" if found else post.text
                found = True
    if not found:
        yield "\n".join([block.text for block in document.blocks])
