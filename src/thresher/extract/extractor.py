"""Reading 5 of 6: Page → Document: article or thread, then content, then fields."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from thresher import urls
from thresher.errors import UsageError
from thresher.extract.algorithms import ALGORITHMS, check_name
from thresher.extract.blocks import cut
from thresher.extract.contract import FAVOURS, Content, Favour
from thresher.extract.fields.all_fields import find_fields
from thresher.extract.fields.clues import Clues, gather
from thresher.extract.fields.found import Found, found
from thresher.extract.kind import find_kind
from thresher.extract.validity import judge
from thresher.html import Tree, parse
from thresher.model import Block, Document, Kind

MAX_BLOCKS = 20_000  # of a page that kind and fields are judged by; the main text is not limited
TEXT_BLOCKS = 100  # of the main text that tell its language


def extract(
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
) -> Document:
    """Return the article or thread of a page, or what else the page turns out to be; raise only a ThresherError.

    Bytes are decoded by content_type, BOM, meta and content. `fetched_at` is the clock: no date is later, and "2 hours
    ago" counts from it; a naive one is taken as UTC. `algorithm` names a published method, `model` the file it was
    trained to. Raises UsageError for an unknown algorithm or favour, NotHtml for binary input and PageTooLarge.
    """
    tree = parse(html, url=url, content_type=content_type)
    return extract_tree(tree, fetched_at=fetched_at, algorithm=algorithm, model=model, favour=favour)


def extract_tree(
    tree: Tree,
    *,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
) -> Document:
    """Return the document of a parsed page, which stays as it is."""
    name = check_name(algorithm)
    if favour not in FAVOURS:
        raise UsageError(f"cannot favour {favour!r}; there are: {', '.join(FAVOURS)}")
    clues = gather(tree)
    page = cut(tree.body, bare=True, limit=MAX_BLOCKS)

    kind = find_kind(tree, clues, page)
    content = ALGORITHMS[name](tree, model=model, favour=favour)
    fields = _find_fields(tree, clues, page, content=content, fetched_at=fetched_at)

    if content.posts:
        kind = found(Kind.THREAD, f"{name} found posts", content.confidence)
    elif not content.blocks and kind.value is Kind.ARTICLE:
        kind = found(Kind.OTHER, f"{name} found no text", 0.5)
    fields["kind"], fields["text"] = kind, found("", name, content.confidence)
    return _document(tree, name, content, fields)


def _find_fields(
    tree: Tree, clues: Clues, page: Sequence[Block], *, content: Content, fetched_at: datetime | None
) -> dict[str, Found[Any] | None]:
    """Look for each field in what the page says of itself and in its text; None where it does not tell."""
    text = "\n".join(block.text for block in islice(content.blocks or page, TEXT_BLOCKS))
    return find_fields(tree, clues, page, text=text, fetched_at=fetched_at)


def _document(tree: Tree, algorithm: str, content: Content, fields: Mapping[str, Found[Any] | None]) -> Document:
    """Put the parts together, and judge the whole."""
    values = {name: field.value for name, field in fields.items() if field is not None and name != "text"}
    kind = fields["kind"]
    hrefs = [span.href for block in content.blocks for span in block.spans if span.href]
    document = Document(
        url=tree.url,
        confidence=kind.evidence.confidence if kind else 0.0,
        blocks=content.blocks,
        posts=content.posts,
        links=tuple(dict.fromkeys((*hrefs, *content.links))),
        site=urls.site_of(tree.url) if tree.url else None,
        algorithm=algorithm,
        evidence={name: field.evidence for name, field in fields.items() if field is not None},
        **values,
    )
    return replace(document, verdict=judge(document))
