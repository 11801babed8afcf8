"""Whether a document is worth storing: a title, a text and a date, as the thesis that brings CEVC asks (§4.4.2)."""

from collections.abc import Iterable

from thresher.model import Block, Document, Verdict

MIN_TITLE = 5  # characters; the title must have more
MIN_TEXT = 100  # characters; the text must have more


def judge(document: Document) -> Verdict:
    """Return what the document lacks: short-title, short-text, no-date."""
    faults = {
        "short-title": len(document.title) <= MIN_TITLE,
        "short-text": not _is_longer(document.blocks, MIN_TEXT),
        "no-date": document.published is None,
    }
    return Verdict(tuple(fault for fault, failed in faults.items() if failed))


def _is_longer(blocks: Iterable[Block], size: int) -> bool:
    """Say whether a text, one block a line, has more characters; most have, and are not put together for it."""
    count = -1
    for block in blocks:
        count += 1 + len(block.text)
        if count > size:
            return True
    return False
