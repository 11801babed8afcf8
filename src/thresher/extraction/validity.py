"""Whether a document is worth storing: a title, a text and a date, as the thesis that brings CEVC asks (§4.4.2).

The thesis asks for a title of more than five characters. It takes most of them from <title>, where the name of the site
stands beside them; without that name "About" is a title, and so are four Chinese characters.
"""

from collections.abc import Iterable

from thresher.model import Block, Document, Verdict
from thresher.text import has_cjk

MIN_TITLE = 4  # characters, a Chinese one counted twice; the title must have more
MIN_TEXT = 100  # characters; the text must have more


def judge(document: Document) -> Verdict:
    """Return what the document lacks: short-title, short-text, no-date."""
    faults = {
        "short-title": _width(document.title) <= MIN_TITLE,
        "short-text": not _is_longer(document.blocks, MIN_TEXT),
        "no-date": document.published is None,
    }
    return Verdict(tuple(fault for fault, failed in faults.items() if failed))


def _width(title: str) -> int:
    return sum(1 + has_cjk(char) for char in title[: MIN_TITLE + 1])


def _is_longer(blocks: Iterable[Block], size: int) -> bool:
    """Say whether a text, one block a line, has more characters; most have, and are not put together for it."""
    count = -1
    for block in blocks:
        count += 1 + len(block.text)
        if count > size:
            return True
    return False
