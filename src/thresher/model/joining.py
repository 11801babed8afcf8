"""Articles of several pages or versions: which pages are of one article, and what they say together."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from thresher.model.content import Block, Image, Kind
from thresher.model.document import Document

MAX_PAGES = 100  # of an article; what has more is an archive
MAX_PAGER_CHARS = 300  # of a line that is nothing but a pager
SAME_TIME = timedelta(days=1)  # a page may tell the day, or "3 hours ago", where another tells the minute
SHARED_TEXT = 0.5  # of the shorter of two texts that the other has too: they are versions of one article
MUCH_MORE = 1.5  # times the text of the main page that another version has: the main page shows a part only
COMPARED_CHARS = 50_000  # of a text
SHINGLE = 12  # letters
KNOWN_SHARE = 0.8  # of a page's characters that earlier pages have too: it adds nothing, as a page of comments does not

# What a title says of a page's number: "Title (2)", "Title – Page 2 of 3", "Title 第2页", "Page 2: Title".
_WORDS = r"(?:page|pg\.?|p\.|part|seite|página|pagina|pág\.?|pag\.?|side|sida|strona|strana|страница|стр\.?|第)"
_GAP = r"\s{0,3}"
_NUMBER = r"\d{1,4}"
_OF = rf"(?:{_GAP}(?:/|of|von|de|sur|di|из){_GAP}{_NUMBER})?"
_NAMED = rf"{_WORDS}{_GAP}{_NUMBER}{_OF}{_GAP}[页頁]?"
_BRACED = rf"[(（\[【]{_GAP}{_NUMBER}{_OF}{_GAP}[)）\]】]"
_SHARE = rf"{_NUMBER}{_GAP}/{_GAP}{_NUMBER}"
_EDGE = r"[\s\-–—|_,:：·•«»()（）\[\]【】]"
_MARKED = re.compile(
    rf"(?:^|(?<=\W)|(?<=[^\x00-\x7f])|_){_EDGE}{{0,5}}(?:{_NAMED}|{_BRACED}|{_SHARE})(?=$|\W)|_\d{{1,3}}$",
    re.IGNORECASE,
)
_PIECES = re.compile(r"[^\W\d_]+|\d+")
_PAGER = """
    page pages next previous prev first last of seite seiten weiter zurück suivant précédent página páginas siguiente
    anterior 第 页 頁 共 上一页 下一页 上一頁 下一頁 首页 尾页 末页 страница страницы
"""
_PAGER_WORDS = frozenset(_PAGER.split())
_DIGITS = re.compile(r"\d{1,4}")
_NOT_WORDS = re.compile(r"[\W_]+")


def is_page_of(first: Document, other: Document, number: int) -> bool:
    """Say whether a document, found on page `number`, goes on where an article's first page ends, or repeats it.

    It has the same title but for its number, and neither another author nor another day.
    """
    if first.kind is not Kind.ARTICLE or other.kind is not Kind.ARTICLE:
        return False
    if not _same_title(first.title, other.title, number):
        return False
    if first.authors and other.authors and not set(first.authors) & set(other.authors):
        return False
    apart = abs(_utc(first.published) - _utc(other.published)) if first.published and other.published else SAME_TIME
    return apart <= SAME_TIME


def is_edition_of(main: Document, other: Document) -> bool:
    """Say whether a document is another version of an article: most of the shorter text is in the longer one."""
    if main.kind is not Kind.ARTICLE or other.kind is not Kind.ARTICLE:
        return False
    ours, theirs = _shingles(main), _shingles(other)
    return len(ours & theirs) >= SHARED_TEXT * max(1, min(len(ours), len(theirs)))


def fullest(main: Document, editions: Sequence[Document]) -> Document:
    """Return an article with the text of another version of it that says what it says and much more."""
    longest = max(editions, key=lambda edition: len(edition.text), default=main)
    if len(longest.text) < MUCH_MORE * len(main.text):
        return main
    ours = _shingles(main)
    if len(ours & _shingles(longest)) < KNOWN_SHARE * len(ours):
        return main
    return replace(main, blocks=longest.blocks, images=longest.images, links=longest.links)


def joined(pages: Sequence[Document]) -> Document:
    """Return the first of an article's pages with the text, the links and the images of all, each page's own once."""
    adding = _adding(pages)
    if len(adding) > 1:
        adding = [replace(page, blocks=_without_pager(page.blocks)) for page in adding]
    first = adding[0]
    blocks: list[Block] = []
    images: list[Image] = []
    links = dict.fromkeys(first.links)
    for number, page in enumerate(adding, start=1):
        start = _repeated_lead(first, page) if page is not first else 0
        end = len(page.blocks) - (_repeated_end(page, adding[-1]) if page is not adding[-1] else 0)
        own = page.blocks[start : max(start, end)]
        for image in page.images:
            place = len(blocks) + min(max(image.place - start, 0), len(own))
            images.append(replace(image, place=place, xpath=_on_page(image.xpath, number)))
        blocks += [replace(block, xpath=_on_page(block.xpath, number)) for block in own]
        links |= dict.fromkeys(page.links)
    return replace(first, blocks=tuple(blocks), images=tuple(images), links=tuple(links))


def _shingles(document: Document) -> set[str]:
    """Return all short pieces of a text, its beginning if it is very long, without what editions write differently."""
    letters = _letters(document.text[:COMPARED_CHARS])
    return {letters[start : start + SHINGLE] for start in range(max(1, len(letters) - SHINGLE + 1))}


def _same_title(first: str, other: str, number: int) -> bool:
    plain, told = _letters(first), _letters(_unmarked(other, number))
    return bool(told) and (_letters(other) == plain or told in (plain, _letters(_unmarked(first, 1))))


def _unmarked(title: str, number: int) -> str:
    """Return a title without what says that it is that of page `number`."""

    def left(match: re.Match[str]) -> str:
        said = _DIGITS.search(match[0])
        return " " if said and int(said[0]) == number else match[0]

    return _MARKED.sub(left, title)


def _letters(text: str) -> str:
    return _NOT_WORDS.sub("", text).casefold()


def _utc(moment: datetime) -> datetime:
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _adding(pages: Sequence[Document]) -> list[Document]:
    """Return the first page and those that say more than the pages before them."""
    adding: list[Document] = []
    said: set[str] = set()
    for page in pages:
        texts = [block.text for block in page.blocks]
        known = sum(len(text) for text in texts if text in said)
        if adding and known >= KNOWN_SHARE * sum(map(len, texts)):
            continue
        adding.append(page)
        said.update(texts)
    return adding


def _without_pager(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return blocks without those at the end that only name the pages: "Pages: 1 2 3"."""
    end = len(blocks)
    while end and _is_pager(blocks[end - 1].text):
        end -= 1
    return blocks[:end]


def _is_pager(text: str) -> bool:
    words = _PIECES.findall(text[:MAX_PAGER_CHARS].casefold())
    numbers = [word for word in words if word.isdecimal()]
    named = len(numbers) > 1 or any(word in _PAGER_WORDS for word in words)
    return len(text) < MAX_PAGER_CHARS and named and all(word.isdecimal() or word in _PAGER_WORDS for word in words)


def _repeated_lead(first: Document, page: Document) -> int:
    """Return how many blocks at the top of a page stand at the top of the first one too, the title among them."""
    ours, theirs = ([block.text for block in each.blocks] for each in (page, first))
    titles = int(ours[:1] in ([first.title], [page.title]))
    return titles + _shared(ours[titles:], theirs[int(theirs[:1] == [first.title]) :])


def _repeated_end(page: Document, last: Document) -> int:
    """Return how many blocks at the end of a page stand at the end of the last one too."""
    texts, others = ([block.text for block in reversed(each.blocks)] for each in (page, last))
    return _shared(texts, others)


def _shared(texts: Sequence[str], others: Sequence[str]) -> int:
    """Return how many texts two sequences share from their beginning."""
    pairs = zip(texts, others, strict=False)
    return next((number for number, (one, other) in enumerate(pairs) if one != other), min(len(texts), len(others)))


def _on_page(xpath: str, number: int) -> str:
    """Return a place that no other page has: what stands in two of them is in no one list or paragraph."""
    return f"/page[{number}]{xpath}" if xpath and number > 1 else xpath
