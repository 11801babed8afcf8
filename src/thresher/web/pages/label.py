"""Label: mark by hand what the main text, title, author and date of a stored page are; `thresher train` learns from it.

stored page ──powerless──▶ tree ──▶ its blocks, numbered ──▶ a frame where clicks mark them (static/js/marking.js)
numbers and fields ──POST──▶ the same blocks of the same page ──▶ a label in the data folder
"""

import json
import re
import secrets
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from lxml import etree
from lxml.html import HtmlElement
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher.errors import UsageError
from thresher.extraction.tags import BLOCK_LEVEL, UNSEEN
from thresher.model import Document, Kind, Page
from thresher.store.labels import FOLDER, Label, LabelledPost, Labels
from thresher.web import drawings
from thresher.web.access import noted
from thresher.web.corpora import OpenCorpus
from thresher.web.frame import N_, wording_of
from thresher.web.pages.corpus import tabs
from thresher.web.problems import Refused
from thresher.web.shown import framed, powerless, text_of
from thresher.web.site import Site, site_of
from thresher.web.templates import STATIC
from thresher.web.views import View, page, redirect

# Only the script that marks blocks runs, and it has neither an origin nor a network.
MARKING_POLICY = (
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; script-src 'nonce-{nonce}'; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'self'; sandbox allow-scripts"
)
NUMBER = "data-thresher-block"
MODES = {"text": N_("Main text"), "title": N_("Title"), "authors": N_("Author"), "published": N_("Date")}
POST_MODES = {
    "post": N_("Text of a post"),
    "post-author": N_("Author of the post"),
    "post-time": N_("Time of the post"),
}
REPORT = "report.json"  # what the last training made of the labelled pages
MAX_BLOCKS = 20_000
MIN_PART = 12  # characters of a block that may be found anywhere in the main text; shorter ones are a line of it
MAX_FIELD = 500  # characters
MAX_POSTS = 2_000
MAX_BESIDE = 40  # characters that may stand beside the author of a post in one block
_DAY = re.compile(r"\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d)?([+-]\d\d:?\d\d|Z)?)?")


async def labels(request: Request) -> View:
    """List the labelled pages with what training made of them."""
    site, removed = site_of(request), request.query_params.get("removed", "")
    rows = await site.corpora.read(lambda _: _rows(site))
    report = _report(site)
    extra = {
        "_report": report,
        "_tabs": tabs(site, wording_of(request), "label"),
        "_bar": drawings.bar,
        "_removed": removed,
        "_cli": "thresher train --algorithm dgwc-svm",
    }
    return View("labels.html", N_("Labels"), {"labels": rows, **extra}, rows=rows)


async def label(request: Request) -> View:
    """Show a stored page for marking, with what is marked now or what was extracted."""
    site, url = site_of(request), _wanted(request)
    stored, document = await site.corpora.read(partial(_read, url=url))
    blocks = [text for _, text in blocks_of(_tree(stored))]
    known = _labels(site).get(stored.url)
    posts = [_marks(post) for post in known.posts] if known else extracted_posts(blocks, document)
    marked = list(known.blocks) if known else [] if posts else extracted(blocks, document)
    data: dict[str, Any] = {
        "_of": stored.url,
        "url": stored.url,
        "labelled": known is not None,
        "blocks": len(blocks),
        "marked": marked,
        "posts": posts,
        "title": known.title if known else document.title if document else "",
        "authors": list(known.authors if known else document.authors if document else ()),
        "published": known.published if known else _day(document),
    }
    names = {part: wording_of(request).gettext(name) for part, name in (("author", "Author"), ("time", "Time"))}
    shown = {"marked": marked, "posts": posts, "sizes": [len(text) for text in blocks], "names": names}
    extra = {
        "_modes": MODES | POST_MODES,
        "_mode": "post" if posts else "text",
        "_shown": shown,
        "_by": known.by if known else "",
        "_at": known.at if known else None,
        "_values": {name: data[name] for name in ("title", "published")} | {"authors": "; ".join(data["authors"])},
        "_cli": "thresher train --algorithm dgwc-svm",
    }
    rows = [{"block": number, "marked": number in set(marked), "text": text} for number, text in enumerate(blocks)]
    return View("label.html", N_("Mark a page"), {**data, **extra}, rows=rows)


async def frame(request: Request) -> Response:
    """Return the stored page with its blocks numbered, and the script that marks them."""
    site, url, nonce = site_of(request), _wanted(request), secrets.token_urlsafe(16)
    stored, _ = await site.corpora.read(partial(_read, url=url))
    root = _tree(stored)
    for number, (element, _text) in enumerate(blocks_of(root)):
        element.set(NUMBER, str(number))
    style, script = etree.SubElement(root, "style"), etree.SubElement(root, "script", nonce=nonce)
    style.text = (STATIC / "css" / "marking.css").read_text("utf-8")
    script.text = (STATIC / "js" / "marking.js").read_text("utf-8")
    return framed(root, stored, policy=MARKING_POLICY.format(nonce=nonce))


async def save(request: Request) -> Response:
    """Keep what was marked."""
    site, url = site_of(request), _wanted(request)
    form = {name: str(value).strip() for name, value in (await request.form()).items()}
    stored, document = await site.corpora.read(partial(_read, url=url))
    blocks = [text for _, text in blocks_of(_tree(stored))]
    marked, posts = _numbers(form.get("blocks", ""), len(blocks)), _posts(form.get("posts", ""), blocks)
    if not marked and not posts:
        raise UsageError("nothing is marked: click the blocks of the main text first")
    found = Label(
        url=stored.url,
        html=text_of(stored),
        text="\n".join([post.text for post in posts] or [blocks[number] for number in marked]),
        blocks=tuple(marked),
        posts=tuple(posts),
        title=form.get("title", "")[:MAX_FIELD],
        authors=tuple(filter(None, (part.strip() for part in form.get("authors", "")[:MAX_FIELD].split(";")))),
        published=_checked_day(form.get("published", "")),
        language=(document.language or "") if document else "",
        by=request.state.user.name,
        at=datetime.now(UTC).replace(microsecond=0),
    )
    await site.corpora.write(lambda _: _labels(site).save(found))
    await noted(request, "label.save", url)
    _ = wording_of(request)
    notice = _.gettext("Kept. %(count)s blocks are the main text of this page.", count=len(marked))
    if posts:
        notice = _.ngettext("Kept. The page has %(num)s post.", "Kept. The page has %(num)s posts.", len(posts))
    return redirect(request, "label", notice=notice)


async def remove(request: Request) -> Response:
    """Forget a label; the list offers to take that back."""
    site, url = site_of(request), str((await request.form()).get("url", ""))
    if not await site.corpora.write(lambda _: _labels(site).remove(url)):
        raise Refused(404, f"no label of {url} is kept")
    await noted(request, "label.remove", url)
    return redirect(request, "label", removed=url)


async def restore(request: Request) -> Response:
    """Take the removal of a label back."""
    site, url = site_of(request), request.query_params.get("url", "")
    if not await site.corpora.write(lambda _: _labels(site).restore(url)):
        raise Refused(404, f"no label of {url} was removed")
    return redirect(request, "label")


def blocks_of(root: HtmlElement) -> list[tuple[HtmlElement, str]]:
    """Return the blocks of a page: elements that hold text and no other block, text between blocks put into spans."""
    body = next(iter(root.iter("body")), root)
    runs = {run for element in list(_outer_first(body)) for run in _runs(element)}
    texts = ((run, " ".join(" ".join(run.itertext()).split())) for run in body.iter(etree.Element) if run in runs)
    return list(islice(((run, text) for run, text in texts if text), MAX_BLOCKS))


def extracted(blocks: Sequence[str], document: Document | None) -> list[int]:
    """Return the numbers of the blocks that make up the main text, or the posts, as they were extracted."""
    if document is None:
        return []
    texts = [document.text, *(post.text for post in document.posts)]
    lines = {_plain(line) for text in texts for line in text.splitlines()}
    whole = _plain(" ".join(texts))
    return [
        number
        for number, block in enumerate(blocks)
        if (plain := _plain(block)) in lines or (len(plain) >= MIN_PART and plain in whole)
    ]


def extracted_posts(blocks: Sequence[str], document: Document | None) -> list[dict[str, Any]]:
    """Return the blocks of each post as it was extracted, and of its author where one names it; times are not known."""
    if document is None or document.kind is not Kind.THREAD:
        return []
    found, start, plains = [], 0, [_plain(block) for block in blocks]
    for post in document.posts:
        lines, whole = {_plain(line) for line in post.text.splitlines()}, _plain(post.text)
        mine: list[int] = []
        for number in range(start, len(plains)):
            if plains[number] in lines or (len(plains[number]) >= MIN_PART and plains[number] in whole):
                mine.append(number)
            elif mine and sum(len(plains[each]) for each in mine) >= len(whole):
                break
        if mine:
            author = _author_before(plains, _plain(post.author or ""), start, mine[0])
            found.append({"text": mine, "author": author, "time": None})
            start = mine[-1] + 1
    return found


def _author_before(plains: Sequence[str], author: str, start: int, end: int) -> int | None:
    """Return the last block before a post that names its author and little more."""
    near = (
        n for n in reversed(range(start, end)) if author in plains[n] and len(plains[n]) <= len(author) + MAX_BESIDE
    )
    return next(near, None) if author else None


def _outer_first(body: HtmlElement) -> Iterator[HtmlElement]:
    """Yield the elements that break lines, in the order of the page; nothing that is not seen."""
    yield body
    for child in body.iterchildren(etree.Element):
        if child.tag not in UNSEEN:
            yield from _outer_first(child) if child.tag in BLOCK_LEVEL or _holds_block(child) else ()


def _runs(element: HtmlElement) -> list[HtmlElement]:
    """Return the text of an element that is not in blocks of its own: the element itself, or new spans in it."""
    children = list(element)
    inner = [child for child in children if not _is_inline(child)]
    if not inner and element.tag != "body":
        return [element]
    runs, start = [], None
    for child in [*children, None]:
        if child is not None and _is_inline(child):
            start = child if start is None else start
            continue
        wrapped = _wrap(element, start, child)
        runs += [wrapped] if wrapped is not None else []
        start = None
    return runs


def _wrap(parent: HtmlElement, first: HtmlElement | None, stop: HtmlElement | None) -> HtmlElement | None:
    """Put the text before `stop` into a span, with the inline elements from `first` on; None where there is none."""
    begin = first if first is not None else stop
    place = list(parent).index(begin) if begin is not None else len(parent)
    before = parent[place - 1] if place else None
    lead = (before.tail if before is not None else parent.text) or ""
    inside = []
    for child in list(parent)[place:]:
        if child is stop:
            break
        inside.append(child)
    if not lead.strip() and not any("".join(child.itertext(with_tail=True)).strip() for child in inside):
        return None
    span: HtmlElement = etree.SubElement(parent, "span")
    parent.insert(place, span)
    span.text = lead
    for child in inside:
        span.append(child)
    if before is not None:
        before.tail = None
    else:
        parent.text = None
    return span


def _is_inline(element: HtmlElement) -> bool:
    return not isinstance(element.tag, str) or (element.tag not in BLOCK_LEVEL and not _holds_block(element))


def _holds_block(element: HtmlElement) -> bool:
    return any(
        isinstance(each.tag, str) and each.tag in BLOCK_LEVEL and each.tag != "br" for each in element.iterdescendants()
    )


def _plain(text: str) -> str:
    return "".join(text.split())


def _tree(stored: Page) -> HtmlElement:
    root = powerless(stored)
    if root is None:
        raise Refused(409, "this is no HTML page, so there is nothing to mark")
    return root


def _read(corpus: OpenCorpus, *, url: str) -> tuple[Page, Document | None]:
    document = corpus.corpus.get(url)
    stored = corpus.store.page(document.url if document and document.url else url)
    if stored is None:
        raise Refused(404, f"no page is stored under {url}; `thresher why {url}` says what became of it")
    return stored, document


def _rows(site: Site) -> list[dict[str, Any]]:
    told = {each["url"]: each for each in (_report(site) or {}).get("pages", [])}
    return [
        {
            "url": each.url,
            "title": each.title,
            "language": each.language,
            "blocks": len(each.blocks),
            "characters": len(each.text),
            "posts": len(each.posts),
            "by": each.by,
            "at": each.at,
            "before": told.get(each.url, {}).get("before"),
            "after": told.get(each.url, {}).get("after"),
        }
        for each in _labels(site).all()
    ]


def _report(site: Site) -> dict[str, Any] | None:
    """Return what `thresher train` wrote about the labelled pages; None where nobody has trained."""
    path = Path(site.settings.data) / FOLDER / REPORT
    try:
        found: dict[str, Any] = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError):
        return None
    return found | {"at": datetime.fromisoformat(found["at"])}


def _labels(site: Site) -> Labels:
    return Labels(Path(site.settings.data) / FOLDER)


def _numbers(text: str, count: int) -> list[int]:
    parts = text.split(",") if text else []
    if not all(part.isascii() and part.isdigit() and len(part) < 8 and int(part) < count for part in parts):
        raise UsageError("these blocks are not those of the page as it is stored now; open it again")
    return sorted(set(map(int, parts)))


def _posts(text: str, blocks: Sequence[str]) -> list[LabelledPost]:
    """Return the posts that a form tells as JSON; raise UsageError for what does not fit the page."""
    try:
        told = json.loads(text) if text else []
        return [_post(each, blocks) for each in told[:MAX_POSTS] if each["text"]]
    except (ValueError, KeyError, TypeError, IndexError, AttributeError, RecursionError):
        raise UsageError("these blocks are not those of the page as it is stored now; open it again") from None


def _post(told: dict[str, Any], blocks: Sequence[str]) -> LabelledPost:
    numbers = _numbers(",".join(map(str, told["text"])), len(blocks))
    beside = [
        _numbers(str(told[part]), len(blocks))[0] if told[part] is not None else None for part in ("author", "time")
    ]
    said = ["" if number is None else blocks[number][:MAX_FIELD] for number in beside]
    return LabelledPost(
        text="\n".join(blocks[number] for number in numbers),
        blocks=tuple(numbers),
        author=said[0],
        author_block=beside[0],
        time=said[1],
        time_block=beside[1],
    )


def _marks(post: LabelledPost) -> dict[str, Any]:
    return {"text": list(post.blocks), "author": post.author_block, "time": post.time_block}


def _checked_day(text: str) -> str:
    if text and not _DAY.fullmatch(text):
        raise UsageError(f"{text!r} is not a date such as 2026-11-19 or 2026-11-19T08:30+08:00")
    return text


def _day(document: Document | None) -> str:
    if document is None or document.published is None:
        return ""
    moment = document.published
    return (
        moment.isoformat(timespec="minutes") if moment.time().isoformat() != "00:00:00" else moment.date().isoformat()
    )


def _wanted(request: Request) -> str:
    url = request.query_params.get("url", "").strip()
    if not url:
        raise UsageError("which page? Give its address: /label/page?url=https://…")
    return url


ROUTES: list[Route] = [
    *page("/label", labels, name="label"),
    *page("/label/page", label, name="label.page", role="analyst"),
    *page("/label/frame", frame, name="label.frame", role="analyst"),
    *page("/label/save", save, name="label.save", role="analyst", methods=("POST",)),
    *page("/label/remove", remove, name="label.remove", role="analyst", methods=("POST",)),
    *page("/label/restore", restore, name="label.restore", role="analyst", methods=("POST",)),
]
