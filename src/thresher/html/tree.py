"""A page parsed once; extraction and link discovery share the Tree, and nobody changes it."""

from dataclasses import dataclass

from lxml import etree

from thresher import urls
from thresher.errors import ExtractionError, PageTooLarge, UsageError
from thresher.html.bombs import (
    LONG_TAG,
    MAX_ATTRIBUTES,
    MAX_UNCHECKED_TAGS,
    check_tags,
    flatten,
    is_too_deep,
    most_attributes,
)
from thresher.html.decode import decode
from thresher.html.encode import encode
from thresher.html.lean import Lean, lean
from thresher.html.scan import has_controls, scan
from thresher.html.sniff import refuse_binary

MAX_SIZE = 64 * 2**20  # bytes, or characters of a str: above what a crawl lets through, below what hurts a laptop

# What markup cannot hold: control characters are dropped, vertical white space becomes a space.
_CONTROLS = bytes(set(range(32)) - set(b"\t\n\v\f\r")) + b"\x7f"
_SPACES = bytes.maketrans(b"\v\f", b"  ")
# Before 2.14 libxml2 had rules of its own for where tags, comments and scripts end.
IS_LEAN = etree.LIBXML_VERSION >= (2, 14)
_EMPTY_PAGE = b"<html><head></head><body></body></html>"


@dataclass(frozen=True, slots=True)
class Tree:
    """A parsed page. `root` is a plain lxml element: read, never change.

    It has no comments and no processing instructions, of attributes those that `lean_words` has (those of images on
    wish), and of scripts and styles how they begin; JSON-LD is whole.
    """

    root: etree._Element  # <html>, also for empty input
    url: str | None
    base_url: str | None  # what relative links are relative to
    encoding: str | None  # None when the page came as str
    size: int  # bytes, or characters of a str
    source: str = ""  # the markup, decoded and otherwise as it came; methods that read lines need it

    @property
    def body(self) -> etree._Element:
        """The <body>, or the root where there is none (a frameset)."""
        body = next(self.root.iterchildren("body"), None)
        return self.root if body is None else body


def parse(
    html: str | bytes,
    *,
    url: str | None = None,
    content_type: str | None = None,
    max_size: int = MAX_SIZE,
    images: bool = False,
) -> Tree:
    """Parse a page of any quality; raise NotHtml for binary content and PageTooLarge beyond the limits.

    The tree has the addresses of images only where `images` are asked for.
    """
    if len(html) > max_size:
        raise PageTooLarge(f"page of {len(html):,} bytes: more than the limit of {max_size:,}")
    refuse_binary(html)
    encoding = markup = None
    text = html
    if isinstance(text, bytes):
        decoded = decode(text, content_type)
        markup = text if decoded.is_same_in_utf8 else None
        text, encoding = decoded.text, decoded.encoding
    root, has_base = _root_of(encode(text) if markup is None else markup, images=images)
    base_url = _base_of(root, url) if has_base else url
    return Tree(root=root, url=url, base_url=base_url, encoding=encoding, size=len(html), source=text)


def _root_of(markup: bytes, *, images: bool) -> tuple[etree._Element, bool]:
    """Parse markup and say whether it may have a <base>; what is nested too deep is flattened and parsed again."""
    if has_controls(markup):
        markup = markup.translate(_SPACES, _CONTROLS)
    made = (lean(markup, LONG_TAG, images=images) if IS_LEAN else None) or _whole(markup)
    check_tags(made.tags, made.attributes)
    if made.tags > MAX_UNCHECKED_TAGS:
        return _parse_markup(flatten(markup)), made.has_base
    root = _parse_markup(made.markup)
    return (_parse_markup(flatten(markup)) if is_too_deep(root) else root), made.has_base


def _whole(markup: bytes) -> Lean:
    """Return markup that is parsed as it is."""
    tags, is_long, has_base = scan(markup, LONG_TAG, MAX_ATTRIBUTES)
    # The quick look that found a long tag may have been deceived by a script; counting tells the truth.
    return Lean(markup, tags, most_attributes(markup) if is_long else 0, has_base)


def _parse_markup(markup: bytes) -> etree._Element:
    # huge_tree lifts the limits on text length (10 MB) and depth (256); an own parser per page keeps threads apart.
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, collect_ids=False
    )
    try:
        root = etree.fromstring(markup, parser)
        # lxml answers None for a page without any element or text.
        return etree.fromstring(_EMPTY_PAGE, parser) if root is None else root
    except etree.XMLSyntaxError as error:
        if not markup.strip():
            return etree.fromstring(_EMPTY_PAGE, parser)
        raise ExtractionError(f"the parser gave up on the page (out of memory, most likely): {error}") from error


def _base_of(root: etree._Element, url: str | None) -> str | None:
    """Resolve <base href>, of which only the first counts and only where it gives an http(s) URL."""
    element = next(root.iter("base"), None)
    href = (element.get("href") or "").strip() if element is not None else ""
    if not href:
        return url
    try:
        return urls.canonical(href, url)
    except UsageError:
        return url
