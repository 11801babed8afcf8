"""Page → Document: article or thread, then content, then fields."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice
from typing import Any

from thresher import urls
from thresher.errors import UsageError
from thresher.extraction.algorithms import ALGORITHMS, DEFAULT, check_name
from thresher.extraction.algorithms.thresher import choose_content
from thresher.extraction.algorithms.thresher_any import content_of_any, is_article
from thresher.extraction.confidence import ANY_TEXT, TEXT, Reading, calibrated
from thresher.extraction.contract import FAVOURS, PAGES, TALK, Content, Favour, Pages
from thresher.extraction.discussion import POSTS, Posts
from thresher.extraction.drawn import draw
from thresher.extraction.fields.all_fields import find_fields
from thresher.extraction.fields.clues import gather
from thresher.extraction.fields.found import Found, found
from thresher.extraction.fields.language import SAMPLE
from thresher.extraction.fields.near import Shown
from thresher.extraction.fields.topic import find_topic
from thresher.extraction.images import find_images
from thresher.extraction.kind import judge_kind
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.sheet import lay_out
from thresher.extraction.learned.table import lines_of
from thresher.extraction.learned.walk import walk
from thresher.extraction.memory import SiteMemory, Traces
from thresher.extraction.validity import judge
from thresher.html import Tree, parse
from thresher.model import Document, Kind, Post

MAX_BLOCKS = 20_000  # blocks of a page that fields are looked for in; the main text is not limited
TEXT_BLOCKS = 100  # of the main text that tell its language


def extract(  # noqa: PLR0913  # the front door: one word for each wish
    html: str | bytes,
    url: str | None = None,
    *,
    content_type: str | None = None,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
    memory: SiteMemory | None = None,
    posts: Posts = "threads",
    pages: Pages = "articles",
    images: bool = False,
) -> Document:
    """Return the article or thread of a page, or what else the page turns out to be; raise only a ThresherError.

    Bytes are decoded by content_type, BOM, meta and content. `fetched_at` is the clock: no date is later, and "2 hours
    ago" counts from it; a naive one is taken as UTC. `algorithm` names a published method, `model` the file it was
    trained to, `memory` is what other pages of the site showed, for our own method. `posts` says which posts are read:
    those of threads, the comments under articles too, always or never. `pages` says which have a main content: articles
    and threads, or any: documentation, products, services and lists too. `images` are looked for on wish. Raises
    UsageError for an unknown algorithm, favour, kind of posts or of pages, NotHtml for binary input and PageTooLarge.
    """
    tree = parse(html, url=url, content_type=content_type, images=images)
    how: dict[str, Any] = {"algorithm": algorithm, "model": model, "favour": favour, "memory": memory, "posts": posts}
    how["pages"] = pages
    document, _ = extract_traced(tree, fetched_at=fetched_at, **how)
    return replace(document, images=find_images(tree, document)) if images else document


def extract_tree(
    tree: Tree,
    *,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
    pages: Pages = "articles",
) -> Document:
    """Return the document of a parsed page, which stays as it is."""
    how: dict[str, Any] = {"algorithm": algorithm, "model": model, "favour": favour, "pages": pages}
    return extract_traced(tree, fetched_at=fetched_at, **how)[0]


def extract_traced(  # noqa: PLR0913  # as the front door
    tree: Tree,
    *,
    fetched_at: datetime | None = None,
    algorithm: str | None = None,
    model: str | None = None,
    favour: Favour = "balance",
    memory: SiteMemory | None = None,
    posts: Posts = "threads",
    pages: Pages = "articles",
) -> tuple[Document, Traces | None]:
    """Return the document of a parsed page, and what it leaves to a memory; no traces without a memory."""
    name = check_name(algorithm)
    _check(favour, posts, pages)
    how: dict[str, Any] = {"model": model, "favour": favour, "memory": memory, "posts": posts, "pages": pages}
    reading = read_tree(tree, name, fetched_at=fetched_at, **how)
    fields = calibrated(reading) if name == DEFAULT and model is None else reading.fields
    return _document(tree, name, reading.content, fields), reading.content.traces


def read_tree(  # noqa: PLR0913  # as the front door
    tree: Tree,
    name: str = DEFAULT,
    *,
    fetched_at: datetime | None = None,
    model: str | None = None,
    favour: Favour = "balance",
    memory: SiteMemory | None = None,
    posts: Posts = "threads",
    pages: Pages = "articles",
) -> Reading:
    """Read a parsed page by an algorithm; confidences are in the measures of those who found something."""
    clues = gather(tree)
    sheet = lay_out(walk(tree.body), read_about(clues))
    if name == DEFAULT:
        content = choose_content(sheet, model=model, favour=favour, memory=memory)
    else:
        content = ALGORITHMS[name](tree, model=model, favour=favour)
    judged = judge_kind(tree, clues, sheet, content)
    kind = judged.kind
    if name == DEFAULT:
        content, kind = draw(tree, judged, sheet.table, content, posts=posts, fetched_at=fetched_at)
    elif content.posts:
        kind = found(Kind.THREAD, f"{name} found posts", content.confidence)
    page = lines_of(sheet.table, MAX_BLOCKS, content.facts.get(TALK, ()))
    known = _of_thread(content.posts, find_topic(tree, clues, page)) if kind.value is Kind.THREAD else {}
    text = _beginning(content.blocks or page)
    fields = find_fields(tree, clues, page, text=text, fetched_at=fetched_at, known=known)
    measure = TEXT
    is_signed = fields["published"] is not None and fields["authors"] is not None
    if pages == "any" and name == DEFAULT and not is_article(kind.value, clues, is_signed=is_signed):
        content, measure = content_of_any(tree, sheet, clues, content, favour), ANY_TEXT
    if not content.blocks and kind.value is Kind.ARTICLE:
        kind = found(Kind.OTHER, f"{name} found no text", 0.5)
    fields["kind"], fields["text"] = kind, found("", name, content.confidence)
    return Reading(content, fields, measure, judged.chances[Kind.ARTICLE])


def _check(favour: str, posts: str, pages: str) -> None:
    if favour not in FAVOURS:
        raise UsageError(f"cannot favour {favour!r}; choose one of: {', '.join(FAVOURS)}")
    if posts not in POSTS:
        raise UsageError(f"cannot read posts {posts!r}; choose one of: {', '.join(POSTS)}")
    if pages not in PAGES:
        raise UsageError(f"cannot read {pages!r} pages; choose one of: {', '.join(PAGES)}")


def _beginning(lines: Sequence[Shown]) -> str:
    """Return the first lines, as many as are asked for the language."""
    texts: list[str] = []
    size = 0
    for line in islice(lines, TEXT_BLOCKS):
        texts.append(line.text)
        size += len(texts[-1])
        if size >= SAMPLE:
            break
    return "\n".join(texts)


def _of_thread(posts: Sequence[Post], topic: Found[str] | None) -> dict[str, Found[Any]]:
    """Return title, author and date of a thread: the latter are those of the first post, where it tells them."""
    fields: dict[str, Found[Any]] = {"title": topic} if topic else {}
    if posts and posts[0].author:
        fields["authors"] = found((posts[0].author,), "first post", 0.9)
    if posts and posts[0].published:
        fields["published"] = found(posts[0].published, "first post", 0.9)
    return fields


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
