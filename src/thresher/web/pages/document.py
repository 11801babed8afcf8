"""Document: what was kept of a page, where each field came from, its copies, versions and posts, and the original."""

import difflib
import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, time
from functools import partial
from itertools import pairwise
from typing import Any

from markupsafe import Markup
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from thresher import urls
from thresher.errors import QueryError, UsageError
from thresher.extraction.extractor import extract_tree
from thresher.extraction.xray import xray
from thresher.html import parse
from thresher.index.query import parse as parse_query
from thresher.index.snippet import Highlighter
from thresher.model import Document, Kind, Page, Post
from thresher.model.document import fields_of
from thresher.store.contract import Version
from thresher.web.corpora import OpenCorpus
from thresher.web.frame import N_, address, wording_of
from thresher.web.problems import Refused
from thresher.web.shown import FRAME_HEADERS, FRAME_POLICY, article, framed, marked_text, powerless
from thresher.web.site import site_of
from thresher.web.views import View, page

POSTS = 50  # of a thread on one page
SHOWN_COPIES = 30
CONTEXT = 1  # unchanged lines around a change
VIEWS = {
    "text": N_("Text"),
    "removed": N_("What was removed"),
    "original": N_("The original"),
    "versions": N_("Versions"),
}
FIELDS = {
    "title": N_("Title"),
    "authors": N_("Author"),
    "published": N_("Date"),
    "language": N_("Language"),
    "kind": N_("Kind"),
    "site_name": N_("Name of the site"),
    "canonical_url": N_("Canonical address"),
    "description": N_("Description"),
    "text": N_("Text"),
}
# On a phone the panel is above the text, and would fill the frame.
NARROW = "@media (max-width: 60rem) { #panel { max-height: 8rem } }\n"
_NUMBERED = re.compile(r"[0-9]{1,7}")


async def document(request: Request) -> View:
    """Show one document; of a thread some posts."""
    params, site = request.query_params, site_of(request)
    url, view = _wanted(request), params.get("view", "text")
    view = view if view in VIEWS else "text"
    first = _whole(params.get("post"), 1)
    found = await site.corpora.read(partial(_read, url=url, view=view, first=first))
    kept: Document = found["document"]
    highlighter = _highlighter(params.get("q", ""))
    data = {
        "document": fields_of(kept),
        "text": kept.text if kept.kind is not Kind.THREAD else None,
        "view": view,
        "copies": found["copies"],
        "versions": found["versions"],
        "posts": [post.to_dict() for post in found["posts"]],
        "post_count": found["post_count"],
        "first_post": first,
    }
    extra = {
        "_q": params.get("q", ""),
        "_kept": kept,
        "_article": article(kept, highlighter) if view == "text" and kept.kind is not Kind.THREAD else Markup(""),
        "_posts": [_shown_post(post, highlighter, found["places"]) for post in found["posts"]],
        "_next": first + POSTS if first + POSTS <= found["post_count"] else None,
        "_changes": list(_changes(found["versions"])) if view == "versions" else [],
        "_views": _tabs(request, kept, view, len(found["versions"])),
        "_facts": _facts(request, kept),
        "_raw": found["raw"],
        "_label": address(site.paths, "label.page", url=kept.url),
        "_people": found["people"],
        "_precision": "moment" if kept.published and kept.published.time() != time() else "day",
        "_minutes": max(1, round(len(kept.text) / (500 if kept.language == "zh" else 1200))),
        "_cli": f"thresher show '{kept.url}'",
        "_size": POSTS,
    }
    rows = [post.to_dict() for post in found["posts"]] or [{**fields_of(kept), "text": kept.text}]
    return View("document.html", kept.title or url, {**data, **extra}, rows=rows)


async def frame(request: Request) -> Response:
    """Return the stored page as it was, or with what was removed marked, for a frame without rights."""
    url, marked = _wanted(request), request.query_params.get("view") == "removed"
    stored: Page | None = await site_of(request).corpora.read(
        lambda corpus: corpus.store.page(_address_in(corpus, url))
    )
    if stored is None:
        raise Refused(404, f"no page is stored under {url}")
    if not marked:
        return framed(powerless(stored), stored)
    html = await site_of(request).corpora.read(lambda _: _xray_of(stored))
    headers = {**FRAME_HEADERS, "content-security-policy": FRAME_POLICY}
    return Response(html, headers=headers, media_type="text/html; charset=utf-8")


async def markdown(request: Request) -> Response:
    """Return a document as Markdown."""
    url = _wanted(request)
    found = await site_of(request).corpora.read(lambda corpus: corpus.corpus.get(url))
    if found is None:
        raise _missing(url)
    return Response(found.markdown(), media_type="text/markdown; charset=utf-8")


def _read(corpus: OpenCorpus, *, url: str, view: str, first: int) -> dict[str, Any]:
    kept = corpus.corpus.get(url, posts=False)
    if kept is None or kept.url is None:
        raise _missing(url)
    posts, places, count = [], {}, 0
    people: set[str] = set()
    for count, post in enumerate(corpus.store.posts(kept.url), start=1):
        if first <= count < first + POSTS:
            posts.append(post)
        if post.id:
            places[post.id] = count
        if post.author:
            people.add(post.author)
    return {
        "document": kept,
        "posts": posts,
        "places": places,
        "post_count": count,
        "people": len(people),
        "copies": list(_copies(corpus, kept)),
        "versions": corpus.store.versions(kept.url),
        "raw": corpus.store.page(kept.url) is not None,
    }


def _copies(corpus: OpenCorpus, kept: Document) -> Iterator[dict[str, Any]]:
    """Yield who else has the text, the first publisher first; nothing where nobody has."""
    found = corpus.store.copies(kept.url or "")
    for place, url in enumerate(found[:SHOWN_COPIES] if len(found) > 1 else ()):
        copy = corpus.store.document(url, posts=False)
        if copy:
            title, when = copy.title, copy.published
            yield {
                "url": url,
                "site": copy.site,
                "title": title,
                "published": when,
                "first": place == 0,
                "of": len(found),
            }


def _address_in(corpus: OpenCorpus, url: str) -> str:
    """Return the address under which the document of a URL is stored."""
    if corpus.store.page(urls.canonical(url)):
        return urls.canonical(url)
    kept = corpus.corpus.get(url, posts=False)
    return kept.url if kept and kept.url else url


def _xray_of(stored: Page) -> str:
    tree = parse(stored.body, url=stored.url, content_type=stored.content_type or None)
    shown = xray(tree, extract_tree(tree, fetched_at=stored.fetched_at))
    return shown.replace("</style>", f"{NARROW}</style>", 1)


def _highlighter(text: str) -> Highlighter | None:
    try:
        return Highlighter(parse_query(text, datetime.now(UTC))) if text.strip() else None
    except QueryError:
        return None


def _shown_post(post: Post, highlighter: Highlighter | None, places: dict[str, int]) -> dict[str, Any]:
    answered = places.get(post.reply_to or "")
    return {
        "post": post,
        "text": marked_text(post.text, highlighter),
        "quotes": [marked_text(quote, highlighter) for quote in post.quotes],
        "answers": answered,
        "answers_page": (answered - 1) // POSTS * POSTS + 1 if answered else None,
    }


def _changes(versions: Sequence[Version]) -> Iterator[dict[str, Any]]:
    """Yield what each version changed, the latest first, as lines with their words compared."""
    for before, after in reversed(list(pairwise(versions))):
        old, new = ([version.title, *version.text.splitlines()] for version in (before, after))
        lines: list[tuple[str, Markup]] = []
        matcher = difflib.SequenceMatcher(None, old, new, autojunk=False)
        for group in matcher.get_grouped_opcodes(CONTEXT):
            for kind, a, b, c, d in group:
                if kind == "equal":
                    lines += [("same", Markup("{}").format(line)) for line in old[a:b]]
                else:
                    lines += list(_changed_lines(old[a:b], new[c:d]))
        yield {"at": after.at, "lines": lines}


def _changed_lines(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, Markup]]:
    for place in range(max(len(old), len(new))):
        if place >= len(new):
            yield "gone", Markup("<del>{}</del>").format(old[place])
        elif place >= len(old):
            yield "come", Markup("<ins>{}</ins>").format(new[place])
        else:
            yield "changed", _changed_words(old[place], new[place])


def _changed_words(old: str, new: str) -> Markup:
    before, after = (re.findall(r"[A-Za-z0-9_À-ɏ]+|.", line) for line in (old, new))
    parts = []
    for kind, a, b, c, d in difflib.SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        gone, come = "".join(before[a:b]), "".join(after[c:d])
        if kind == "equal":
            parts.append(Markup("{}").format(gone))
            continue
        parts += [Markup("<del>{}</del>").format(gone)] if gone else []
        parts += [Markup("<ins>{}</ins>").format(come)] if come else []
    return Markup("").join(parts)


def _tabs(request: Request, kept: Document, view: str, versions: int) -> list[tuple[str, str, bool]]:
    language, paths = wording_of(request), site_of(request).paths
    query = request.query_params.get("q") or None
    found = []
    for name, text in VIEWS.items():
        label = language.gettext(text) + (f" {versions}" if name == "versions" and versions > 1 else "")
        target = paths.of("document", url=kept.url, q=query, view=name if name != "text" else None)
        if name != "versions" or kept.kind is not Kind.THREAD:
            found.append((label, target, view == name))
    return found


def _facts(request: Request, kept: Document) -> list[dict[str, Any]]:
    """Return each field that has evidence: its value, where it was found, how sure that is."""
    language = wording_of(request)
    found = []
    for name, label in FIELDS.items():
        evidence = kept.evidence.get(name)
        value = getattr(kept, name, "") if name != "text" else kept.algorithm
        if evidence is None or not value:
            continue
        shown = language.formats.moment(value) if isinstance(value, datetime) else _plain(value)
        if name == "kind":
            shown = language.gettext(shown)
        found.append(
            {
                "name": language.gettext(label),
                "value": shown,
                "source": evidence.source,
                "confidence": evidence.confidence,
                "raw": evidence.raw[:300],
            }
        )
    return found


def _plain(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, tuple) else str(value)


def _wanted(request: Request) -> str:
    url = request.query_params.get("url", "").strip()
    if not url:
        raise UsageError("which document? Give its address: /document?url=https://…")
    return url


def _missing(url: str) -> Refused:
    return Refused(404, f"no document is stored under {url}; `thresher why {url}` says what became of it")


def _whole(text: str | None, otherwise: int) -> int:
    return max(1, int(text)) if text and _NUMBERED.fullmatch(text) else otherwise


ROUTES: list[Route] = [
    *page("/document", document, name="document"),
    *page("/document/frame", frame, name="document.frame"),
    *page("/document.md", markdown, name="document.md"),
]
