"""Take the headline out of a text: corpora disagree on whether it belongs to the gold."""

import html as entities
import re

LINES = 3  # only this many lines at the top may be the headline

_TITLE = re.compile(r"<title\b[^>]*>(.*?)</title\s*>", re.IGNORECASE | re.DOTALL)


def without_headline(text: str, page_title: str, gold_title: str) -> str:
    """Return the text without those of its first lines that the page's title contains or that equal the gold title.

    Blank lines do not count, white space is squeezed before comparing, case is kept.
    """
    page_title, gold_title = _squeezed(page_title), _squeezed(gold_title)
    lines = [line for line in text.splitlines() if line.strip()]
    head = [line for line in lines[:LINES] if not _is_headline(_squeezed(line), page_title, gold_title)]
    return "\n".join(head + lines[LINES:])


def title_of(html: str) -> str:
    """Return what stands in the first <title> of a page; empty when there is none."""
    found = _TITLE.search(html)
    return _squeezed(entities.unescape(found[1])) if found else ""


def _is_headline(line: str, page_title: str, gold_title: str) -> bool:
    return line in page_title or line == gold_title


def _squeezed(text: str) -> str:
    return " ".join(text.split())
