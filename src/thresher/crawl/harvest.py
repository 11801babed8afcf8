"""Harvest one page: parse it once, discover its links, extract its document. Runs in a pool process."""

import json
from datetime import datetime

from thresher.crawl.landing import Harvest
from thresher.discovery.links import discover_any, is_feed_or_sitemap
from thresher.errors import ExtractionError, NotHtml, PageTooLarge
from thresher.extract.extractor import extract_tree
from thresher.html import parse
from thresher.model import Page
from thresher.model.codec import document_from_dict, document_to_dict, links_from_dict, links_to_dict

FAULTS = {NotHtml: "not-html", PageTooLarge: "too-large"}
KEPT_HEADERS = ("content-type", "x-robots-tag")


def harvest(page: Page, depth: int, algorithm: str | None) -> Harvest:
    """Return what a page holds; a page that cannot be read gives its fault and nothing else."""
    try:
        medium = is_feed_or_sitemap(page.content_type, page.body)
        tree = None if medium else parse(page.body, url=page.url, content_type=page.content_type)
        found = discover_any(page, depth=depth, tree=tree)
        if tree is None or found.noindex:
            return Harvest(medium or "page", None, found.links, found.skipped, noindex=found.noindex)
        document = extract_tree(tree, fetched_at=page.fetched_at, algorithm=algorithm)
    except ExtractionError as error:
        return Harvest("none", fault=FAULTS.get(type(error), "unreadable"))
    return Harvest("page", document, found.links, found.skipped)


def request(page: Page, depth: int, algorithm: str | None) -> bytes:
    """Encode a page for a pool process: a line of JSON, then the body."""
    head = {
        "url": page.url,
        "status": page.status,
        "fetched_at": page.fetched_at.isoformat(),
        "headers": {name: page.headers[name] for name in KEPT_HEADERS if name in page.headers},
        "depth": depth,
        "algorithm": algorithm,
    }
    return json.dumps(head).encode() + b"\n" + page.body


def answer(encoded: bytes) -> bytes:
    """Decode a request, harvest its page, encode what was found."""
    head, body = encoded.split(b"\n", 1)
    told = json.loads(head)
    at = datetime.fromisoformat(told["fetched_at"])
    page = Page(told["url"], told["status"], body, at, told["headers"])
    found = harvest(page, told["depth"], told["algorithm"])
    values = {
        "medium": found.medium,
        "document": document_to_dict(found.document) if found.document else None,
        "links": links_to_dict(found.links),
        "skipped": found.skipped,
        "noindex": found.noindex,
        "fault": found.fault,
    }
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def read(encoded: bytes) -> Harvest:
    """Decode what a pool process answered."""
    values = json.loads(encoded.decode("utf-8", "surrogatepass"))
    return Harvest(
        values["medium"],
        document_from_dict(values["document"]) if values["document"] else None,
        links_from_dict(values["links"]),
        tuple((url, reason) for url, reason in values["skipped"]),
        values["noindex"],
        values["fault"],
    )
