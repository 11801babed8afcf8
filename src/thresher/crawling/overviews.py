"""Overviews: pages that only show what other pages of the site hold, told by what their titles link to; and locks.

    an article            an archive with one entry          a list of threads, read as posts
    <h1>The ferry</h1>    <h1>Month: June</h1>               <div><a href="/topic/9">The ferry</a></div>
    <p>It was late…       <article>                          <div><a href="/topic/7">The bridge</a></div>
                            <h2><a href="/ferry">The ferry</a></h2>
                            <p>It was late…

The title of an entry leads to the page that holds it; that of an article leads nowhere, or to the article itself.
"""

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from itertools import permutations, takewhile

from lxml import etree

from thresher import urls
from thresher.errors import UsageError
from thresher.html import Tree
from thresher.model import Document, Kind

HEADINGS = ("h1", "h2", "h3", "h4")
MIN_ROWS = 3  # of a list of threads
MIN_TITLE = 8  # characters of the title of one
MOSTLY = 0.8  # of the rows; of the characters of a heading
MAIN = ("main", "article")  # elements with what a page is about: forms to sign in stand elsewhere
MAX_FORM_TEXT = 600  # characters of a page that asks for a password and says why
MAX_ANNOUNCED = 100  # of these, before the form
MAX_BETWEEN = 400  # elements between a title and its text
LONG_TITLE = 24  # characters, those of Chinese and the like twice: names of months, sections and people are shorter


def is_overview(document: Document, tree: Tree, own: Collection[str]) -> bool:
    """Say whether a page shows what other pages hold; `own` are the addresses that it goes by itself."""
    own = {_bare(address) for address in own}
    if document.kind is Kind.THREAD and len(document.posts) > 1:
        return _lists_threads(document, tree, own)
    first = next((block for block in document.blocks if block.xpath and block.tag not in HEADINGS), None)
    text = _element(tree, first.xpath) if first else None
    title = _title_above(text) if text is not None else None
    if text is None or title is None or not _leads_elsewhere(title, tree, own) or _has_own_title(document, tree):
        return False
    entry = next(each for each in title.iterancestors() if each in set(text.iterancestors()))
    return not any(_is_above(each, title) for each in entry.iter(*HEADINGS))


def is_locked(document: Document, tree: Tree) -> bool:
    """Say whether a page asks for a password where its text should be: a form stands at the start of its few words.

    The form may be announced in a line: "This content is protected".
    """
    posts = [(post.xpath.partition("|")[0], len(post.text)) for post in document.posts]
    said = [(block.xpath, len(block.text)) for block in document.blocks if block.tag not in HEADINGS] + posts
    if sum(size for _, size in said) > MAX_FORM_TEXT:
        return False
    fields = (field for field in tree.body.iter("input") if _is_secret(field))
    forms = {form for field in fields for form in field.iterancestors("form") if _is_inside(form, MAIN)}
    sizes = {element: size for path, size in said if (element := _element(tree, path)) is not None}
    if not forms or not sizes:
        return False
    around = {above for form in forms for above in form.iterancestors()}  # a text with a form in it stands on no side
    before = takewhile(lambda each: each not in forms, tree.body.iter(etree.Element))
    announced = sum(sizes[each] for each in before if each in sizes and each not in around)
    return announced <= (MAX_ANNOUNCED if len(document.posts) <= 1 else 0)


def _is_inside(element: etree._Element, names: Collection[str]) -> bool:
    return any(above.tag in names or above.get("role") == "main" for above in element.iterancestors())


def _is_secret(field: etree._Element) -> bool:
    return (field.get("type") or "").lower() == "password"


def _lists_threads(document: Document, tree: Tree, own: Collection[str]) -> bool:
    """Say whether what was taken for posts are rows of a list: each leads to a page of its own.

    It does by a link and little else, or by its heading. Headings of posts lead to the thread's own path, if anywhere.
    """
    roots = [_element(tree, post.xpath.partition("|")[0]) for post in document.posts]
    rows = [root for root in roots if root is not None]
    if len(rows) < MIN_ROWS:
        return _are_two_entries(rows, document.title, tree, own)
    targets = {target for row in rows if (target := _titled(row, tree, own))}
    paths = {path for row in rows if (path := _headed(row, tree, own))}
    return max(len(targets), len(paths)) >= MOSTLY * len(rows)


def _are_two_entries(rows: Sequence[etree._Element], title: str, tree: Tree, own: Collection[str]) -> bool:
    """Say whether two rows are entries of a list: their headings lead to pages of their own, and name what these show.

    Headings of posts may lead to pages of single posts, but repeat the title of the thread.
    """
    paths = {path for row in rows if (path := _headed(row, tree, own))}
    if len(rows) != 2 or len(paths) != 2:
        return False
    names = [_text(heading).casefold() for row in rows if (heading := next(row.iter(*HEADINGS), None)) is not None]
    names.append("".join(title.split()).casefold())
    return not any(one in other for one, other in permutations(names, 2))


def _headed(row: etree._Element, tree: Tree, own: Collection[str]) -> str | None:
    """Return the path that the heading of a row leads to, if it is another than the page's.

    On a front page that is the whole address: no thread stands there whose posts differ in a parameter.
    """
    heading = next(row.iter(*HEADINGS), None)
    target = _elsewhere(heading, tree, own) if heading is not None else None
    if target is None:
        return None
    path, front = target.partition("?")[0], urls.origin_of(target)
    if path == f"{front}/":
        return target if front in own else None
    return None if path in {address.partition("?")[0] for address in own} else path


def _titled(row: etree._Element, tree: Tree, own: Collection[str]) -> str | None:
    """Return what the longest link of a row leads to, if it is longer than all the row says besides links."""
    anchors = [anchor for anchor in row.iter("a") if anchor.get("href")]
    title = max(anchors, key=lambda anchor: len(_text(anchor)), default=None)
    if title is None or not _leads_elsewhere(title, tree, own):
        return None
    besides = len(_text(row)) - sum(len(_text(anchor)) for anchor in anchors)
    return title.get("href") if len(_text(title)) >= max(besides, MIN_TITLE) else None


def _title_above(text: etree._Element) -> etree._Element | None:
    """Return the heading that stands nearest above a text."""
    for _, element in zip(range(MAX_BETWEEN), _before(text), strict=False):
        if element.tag in HEADINGS:
            return element
    return None


def _before(element: etree._Element) -> Iterator[etree._Element]:
    """Yield the elements that stand before one, the nearest first, with those that they are in left out."""
    for place in (element, *element.iterancestors()):
        for earlier in place.itersiblings(preceding=True):
            yield from reversed(list(earlier.iter(etree.Element)))


def _has_own_title(document: Document, tree: Tree) -> bool:
    """Say whether the page shows its title, a long one, as a heading that leads nowhere: it is not a section's name."""
    title = "".join(document.title.split())
    width = sum(1 + (char > "\u2e80") for char in title)
    headings = (each for each in tree.body.iter(*HEADINGS) if not each.xpath(".//a[@href] | ancestor::a[@href]"))
    return width >= LONG_TITLE and any(_text(each) == title for each in headings)


def _is_above(heading: etree._Element, title: etree._Element) -> bool:
    """Say whether a heading of the same entry is its title rather than the one that was found: a rank above it."""
    return heading is not title and str(heading.tag) < str(title.tag) and not heading.xpath(".//a[@href]")


def _leads_elsewhere(heading: etree._Element, tree: Tree, own: Collection[str]) -> bool:
    return _elsewhere(heading, tree, own) is not None


def _elsewhere(heading: etree._Element, tree: Tree, own: Collection[str]) -> str | None:
    """Return the other page of the site that a heading is a link to; the front page does not count."""
    around = [heading, *heading.iterancestors("a"), *heading.iter("a")]
    anchors = [each for each in around if each.tag == "a" and each.get("href")]
    for anchor in anchors:
        with suppress(UsageError):
            target = urls.canonical(anchor.get("href") or "", tree.base_url or tree.url)
            inside = urls.origin_of(target) in {urls.origin_of(address) for address in own}
            whole = len(_text(anchor)) >= MOSTLY * len(_text(heading)) > 0
            if inside and whole and not _is_own(target, own) and target != f"{urls.origin_of(target)}/":
                return target
    return None


def _is_own(target: str, own: Collection[str]) -> bool:
    """Say whether an address is one of the page's own, or one with a parameter added: its comments, its print."""
    path = _bare(target.partition("?")[0])
    return _bare(target) in own or (path in own and path != urls.origin_of(target))


def _bare(address: str) -> str:
    """Return an address without the slash at its end."""
    return address.rstrip("/")


def _text(element: etree._Element) -> str:
    return "".join("".join(element.itertext()).split())


def _element(tree: Tree, xpath: str) -> etree._Element | None:
    found = tree.root.getroottree().xpath(xpath) if xpath else []
    return found[0] if isinstance(found, list) and found and isinstance(found[0], etree._Element) else None
