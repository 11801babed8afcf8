"""Golden pages: what is extracted of each folder's source.html stands in its expected.json.

Where there is an expected.md or an expected.html, that is the document in this format. To add a page, put a folder with
a source.html here, and an empty file for each format; run `python -m tests.pages SLUG`, and read what it wrote.
"""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import thresher
from thresher.model.rendering.render import to_html, to_markdown

FOLDER = Path(__file__).parent
FORMATS = {"expected.md": to_markdown, "expected.html": to_html}
FETCHED_AT = datetime(2026, 3, 20, tzinfo=UTC)


def slugs() -> list[str]:
    """Name the golden pages."""
    return sorted(path.parent.name for path in FOLDER.glob("*/source.html"))


def told_of(slug: str) -> dict[str, Any]:
    """Return what is extracted of a golden page, as far as it is pinned."""
    document = _document(slug)
    posts = {"posts": [_post(post) for post in document.posts]} if document.posts else {}
    return posts | {
        "kind": document.kind.value,
        "title": document.title,
        "published": document.published.isoformat() if document.published else None,
        "authors": list(document.authors),
        "language": document.language,
        "site_name": document.site_name,
        "description": document.description,
        "image": document.image,
        "canonical_url": document.canonical_url,
        "faults": list(document.verdict.faults),
        "text": document.text.splitlines(),
    }


def formats_of(slug: str) -> list[str]:
    """Name the files of formats that a golden page has."""
    return [name for name in FORMATS if (FOLDER / slug / name).exists()]


def written_of(slug: str, name: str) -> str:
    """Return a golden page in a format, by the name of its file."""
    return FORMATS[name](_document(slug))


def _document(slug: str) -> thresher.Document:
    html = (FOLDER / slug / "source.html").read_bytes()
    return thresher.extract(html, f"https://harbourpost.example/pages/{slug}", fetched_at=FETCHED_AT)


def _post(post: thresher.Post) -> dict[str, Any]:
    return {
        "position": post.position,
        "author": post.author,
        "published": post.published.isoformat() if post.published else None,
        "text": post.text.splitlines(),
        "quotes": list(post.quotes),
        "id": post.id,
        "permalink": post.permalink,
        "reply_to": post.reply_to,
    }
