"""Whether a document is worth storing: a title, a text and a date, as the thesis that brings CEVC asks (§4.4.2)."""

from thresher.model import Document, Verdict

MIN_TITLE = 5  # characters; the title must have more
MIN_TEXT = 100  # characters; the text must have more


def judge(document: Document) -> Verdict:
    """Return what the document lacks: short-title, short-text, no-date."""
    faults = {
        "short-title": len(document.title) <= MIN_TITLE,
        "short-text": len(document.text) <= MIN_TEXT,
        "no-date": document.published is None,
    }
    return Verdict(tuple(fault for fault, failed in faults.items() if failed))
