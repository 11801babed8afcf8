"""Find the images of a main text whose blocks are known: those among its blocks, without what stands there by the way.

An image belongs to the text when it lies in the element that holds most of the text, and when what lies around it, up
to the next element with text of the document, says nothing but a caption: teasers and boxes have words and links.
"""

import re
from collections import Counter
from collections.abc import Sequence

from lxml import etree

from thresher.extraction.blocks import absolute
from thresher.extraction.paths import Paths
from thresher.extraction.tags import BLOCK_LEVEL, UNSEEN
from thresher.html import Tree
from thresher.html.lean_words import READ_OF_IMAGES
from thresher.model import Block, Document, Image
from thresher.text import clean, strip_unseen

MAX_IMAGES = 1_000  # of a page
MAX_ALT = 500  # characters of what an image shows
MAX_CAPTION = 300  # characters beside an image that are no text of the document
MIN_SIDE = 32  # pixels; smaller ones are icons, emoticons and counters
MAIN_SHARE = 0.8  # of the text's characters, which the element with the text holds
MAX_STEPS = 50_000_000  # characters looked through for the pieces of blocks; a page that takes more was made to
LOOK_AHEAD = 8  # blocks of one element among which that of a piece of text is looked for

_SKIPPED = UNSEEN - {"noscript"}  # which holds the image that a script would load
_FRAMES = frozenset(("nav", "aside", "footer", "form", "pre"))  # in them is no image of the text
_LAZY = tuple(name for name in READ_OF_IMAGES if name not in ("src", "srcset", "width", "height"))
_SET = re.compile(r"([^\s,]\S*?),?(?:\s+([0-9.]{1,9})[wx])?\s*(?:,|$)")
_PLACEHOLDER = re.compile(
    r"(?:blank|spacer|placeholder|fallback|loading|loader|lazy|transparent|pixel|grey|gray|1x1|dot)[^/]{0,20}\.(?:gif|png|svg)$",
    re.IGNORECASE,
)
_NUMBER = re.compile(r"\s*([0-9]{1,6})")
_Element = etree._Element


def find_images(tree: Tree, document: Document) -> tuple[Image, ...]:
    """Return the images of a document's main text in order, each address once; the tree must be parsed for images."""
    seen = _Walk(document.blocks)
    seen.over(tree.body)
    if not seen.weights:
        return ()
    main = _main(tree.body, seen.weights)
    found: dict[str, Image] = {}
    judged: dict[_Element, bool] = {}
    real = -1  # the place of the last image that is not only for browsers without scripts
    for element, place, path in seen.images:
        url = _address(element, tree.base_url)
        is_spare = next(element.iterancestors("noscript"), None) is not None
        if url is None or url in found or not _is_large(element) or (is_spare and place == real):
            continue
        real = real if is_spare else place
        island, holder = _surroundings(element, seen.weights)
        if island not in judged:
            judged[island] = _is_in(island, main) and _is_caption(island)
        is_beside = holder is tree.body and place in (0, len(document.blocks))  # a logo above, a banner below
        if url == document.image or (judged[island] and not is_beside):
            found[url] = Image(url, clean(element.get("alt") or "")[:MAX_ALT], place, path)
            if len(found) == MAX_IMAGES:
                break
    return tuple(found.values())


class _Walk:
    """One walk over a page in reading order: where the document's blocks begin, and which images stand between them."""

    def __init__(self, blocks: Sequence[Block]) -> None:
        self.images: list[
            tuple[_Element, int, str]
        ] = []  # with how many blocks stand above, and the XPath of its owner
        self.weights: Counter[_Element] = Counter()  # characters of the document's text in an element
        self._texts = ["".join(block.text.split()) for block in blocks]
        self._places: dict[str, list[int]] = {}  # of blocks, by XPath
        for number, block in enumerate(blocks):
            if block.xpath:
                self._places.setdefault(block.xpath, []).append(number)
        self._paths = Paths()
        self._ends = [0] * len(blocks)  # how far the text of each was seen
        self._budget = MAX_STEPS
        self._place = 0

    def over(self, body: _Element) -> None:
        """Walk over the page."""
        owners = [body]
        unseen = 0  # how deep in <noscript>
        walk = etree.iterwalk(body, events=("start", "end"))
        for event, node in walk:
            tag = str(node.tag)
            if event == "start":
                if tag in _SKIPPED:
                    walk.skip_subtree()
                    continue
                owners += [node] if tag in BLOCK_LEVEL else []
                unseen += tag == "noscript"
                if tag == "img":
                    self.images.append((node, self._place, self._paths.of(owners[-1])))
                self._read(node.text, owners[-1], unseen)
                continue
            unseen -= tag == "noscript"
            if tag in BLOCK_LEVEL:
                owners.pop()
            if node is not body:
                self._read(node.tail, owners[-1], unseen)

    def _read(self, text: str | None, owner: _Element, unseen: int) -> None:
        """Note the block that a piece of text belongs to, if it is one of the document's."""
        if unseen or not text or text.isspace() or self._budget < 0:
            return
        numbers = self._places.get(self._paths.of(owner), [])
        piece = "".join(strip_unseen(text).split())
        for ahead, number in enumerate(numbers[:LOOK_AHEAD]):
            if self._holds(number, piece):
                del numbers[:ahead]
                self._place = number + 1
                self.weights[owner] += len(piece)
                break

    def _holds(self, number: int, piece: str) -> bool:
        """Say whether a block goes on with a piece of text, somewhere after the last one."""
        start, text = self._ends[number], self._texts[number]
        end = text.find(piece, start) + len(piece)
        is_held = end >= len(piece)
        self._budget -= (end if is_held else len(text)) - start
        if is_held:
            self._ends[number] = end
        return is_held


def _main(body: _Element, weights: Counter[_Element]) -> _Element:
    """Return the innermost element that holds most of the text; `weights` then has the elements above, as well."""
    total = weights.total()
    for owner, weight in list(weights.items()):
        for above in owner.iterancestors():
            weights[above] += weight
    main = body
    while True:
        inner = max(main, key=lambda child: weights.get(child, 0), default=None)
        if inner is None or weights.get(inner, 0) < MAIN_SHARE * total:
            return main
        main = inner


def _surroundings(element: _Element, weights: Counter[_Element]) -> tuple[_Element, _Element | None]:
    """Return the outermost element around an image that has no text of the document, and the one right above it."""
    island = element
    for above in element.iterancestors():
        if above in weights:
            return island, above
        island = above
    return island, None


def _is_in(element: _Element, outer: _Element) -> bool:
    return any(above is outer for above in element.iterancestors())


def _is_caption(island: _Element) -> bool:
    """Say whether an element has few words, links only in a caption, and no frame of the page in it."""
    links = captions = count = 0
    walk = etree.iterwalk(island, events=("start", "end"))
    for event, node in walk:
        if event == "start" and node.tag in _FRAMES:
            return False
        if event == "start" and node.tag in UNSEEN:
            walk.skip_subtree()
            continue
        step = 1 if event == "start" else -1
        links += step * (node.tag == "a")
        captions += step * (node.tag == "figcaption")
        text = node.text if event == "start" else node.tail if node is not island else None
        length = len((text or "").strip())
        count += length
        if count > MAX_CAPTION or (length and links and not captions):
            return False
    return True


def _address(element: _Element, base_url: str | None) -> str | None:
    """Return the address of an image: the one that a script would put in place before the one that is there now."""
    for name in _LAZY:
        value = (element.get(name) or "").strip()
        wanted = _largest(value) if name.endswith("srcset") else value if _looks_like_address(value) else None
        if url := absolute(wanted, base_url):
            return url
    own = absolute(element.get("src"), base_url)
    if own and not _PLACEHOLDER.search(own):
        return own
    picture = next(element.iterancestors("picture"), None)
    sets = [element, *(picture.iter("source") if picture is not None else ())]
    candidates = (_largest(each.get(name) or "") for each in sets for name in ("srcset", "data-srcset"))
    return next((url for wanted in candidates if (url := absolute(wanted, base_url))), None)


def _looks_like_address(value: str) -> bool:
    return ("/" in value or "." in value) and not any(sign in value for sign in " \t\n{}<>\"'")


def _largest(srcset: str) -> str | None:
    """Return the address of the largest of several images."""
    found = [(float(size.strip(".") or 1) if size else 1.0, url) for url, size in _SET.findall(srcset[:10_000])]
    return max(found, key=lambda each: each[0])[1] if found else None


def _is_large(element: _Element) -> bool:
    sides = (_NUMBER.match(element.get(name) or "") for name in ("width", "height"))
    return all(int(side[1]) >= MIN_SIDE for side in sides if side)
