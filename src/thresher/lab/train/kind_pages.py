"""Make pages of rare kinds from labelled ones: their frames, with lists of threads or teasers in place of the text.

Labelled boards come from three engines and labelled listings are few. A frame is a real page whose text is taken out;
what is put in is drawn in markup of many shapes with the words of other pages, so that only structure can be learned.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from zlib import crc32

from lxml import etree, html

from thresher.extraction.algorithms.thresher import extract_sheet
from thresher.extraction.contract import CHOSEN
from thresher.extraction.fields.clues import gather
from thresher.extraction.kinds.marks import mark
from thresher.extraction.kinds.records import COLUMNS, OWN, POSTS, best_kind, count_records, running_counts
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.sheet import lay_out
from thresher.extraction.learned.walk import walk
from thresher.html import Tree, parse
from thresher.lab.kinds import KindPage
from thresher.lab.train.engines import Engine
from thresher.lab.train.kind_rows import Artist, Words
from thresher.lab.train.noise import WORDS, Supply, disturb, sentences_of, teasers
from thresher.model import Kind

MADE_EVERY = 2  # pages: of one of so many others are made, so that real ones are not outnumbered
WORDS_EVERY = 3  # articles: of one of so many the words are taken
MADE = "made"  # the dataset of pages that are made
COPIES = 1  # of an article in other surroundings
SHORTENED = 0.6  # of them that are shortened
MAX_TITLE = 90  # characters
_SAID = "//script|//meta[@property]|//meta[@name]|//time/@datetime/.."


@dataclass(frozen=True, slots=True)
class Frame:
    """A parsed page, and the element that holds its text."""

    page: KindPage
    tree: Tree
    core: etree._Element
    text: Sequence[etree._Element]  # the elements of its main text, in order


def made_pages(pages: Sequence[KindPage]) -> Iterator[KindPage]:
    """Yield pages made of labelled ones, each of the group of its frame; the same pages give the same ones."""
    supplies = words_of(pages)
    for page in pages:
        if crc32(f"thin {page.id}".encode()) % MADE_EVERY == 0:
            yield from made_of(page, supplies)


def words_of(pages: Sequence[KindPage]) -> dict[bool, Words]:
    """Return the words of the articles among pages: in Chinese, Japanese and Korean, and in other languages."""
    articles = [page for page in pages if page.kind is Kind.ARTICLE and crc32(page.id.encode()) % WORDS_EVERY == 0]
    return {is_cjk: _words(articles, is_cjk) for is_cjk in (False, True)}


def made_of(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Yield the pages that are made of one."""
    number = crc32(f"made {page.id}".encode())
    if page.kind is Kind.THREAD and not page.is_live:
        yield from _boarded(page, supplies)
    if page.kind is not Kind.ARTICLE:
        return
    yield from _disturbed(page, supplies)
    yield from _relisted(page, supplies)
    yield from _talked_about(page, supplies)
    if number % 3 == 0:
        yield from _as_forum(page, supplies)
    elif number % 3 == 1:
        yield from _as_thread(page, supplies)
    else:
        yield from _bare(page, supplies)
    yield _bare_article(page, supplies)
    if number % 5 == 0:
        yield from _plain_lists(page, supplies)


def _plain_lists(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Yield boards and listings that have a line of text for each entry, in frames of a real page and of their own."""
    dice, is_cjk = Random(crc32(f"{page.id} lines".encode())), _is_cjk(page.html)
    engine, artist = Engine(dice, supplies[is_cjk], is_wide=is_cjk), Artist(dice, supplies[is_cjk])
    for kind, draw in ((Kind.BOARD, artist.plain_threads), (Kind.LISTING, artist.plain_entries)):
        yield KindPage(f"{page.id} plain {kind}", MADE, page.group, kind, engine.page(draw()), site=page.site)
        frame = _frame(page)
        if frame is not None:
            yield _refilled(frame, draw(), kind, artist.name(), said=" plain")


def _relisted(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    frame, dice = _frame(page), Random(crc32(page.id.encode()))
    if frame is not None:
        artist = Artist(dice, supplies[_is_cjk(page.html)])
        yield _refilled(frame, artist.teasers(), Kind.LISTING, artist.name())


def _as_forum(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Put a thread or a board into the frame of an article."""
    frame, dice = _frame(page), Random(crc32(page.id.encode()))
    if frame is not None:
        artist = Artist(dice, supplies[_is_cjk(page.html)])
        is_thread = dice.random() < 0.7
        if is_thread:
            yield _refilled(frame, artist.posts(), Kind.THREAD)
        else:
            yield _refilled(frame, artist.threads(), Kind.BOARD)


def _as_thread(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Put a thread of a made-up engine into the frame of an article."""
    frame, dice = _frame(page), Random(crc32(f"{page.id} thread".encode()))
    if frame is not None:
        is_cjk = _is_cjk(page.html)
        drawn = Engine(dice, supplies[is_cjk], is_wide=is_cjk).thread()
        yield _refilled(frame, drawn, Kind.THREAD, said=" engine")


def _talked_about(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Put comments in the markup of a forum below an article, which stays one."""
    frame, dice = _frame(page), Random(crc32(f"{page.id} talk".encode()))
    if frame is None:
        return
    if dice.random() < SHORTENED:
        _shorten(frame.text, dice)
    is_cjk = _is_cjk(page.html)
    comments = html.fragment_fromstring(f"<div>{Engine(dice, supplies[is_cjk], is_wide=is_cjk).comments()}</div>")
    holder = frame.core if dice.random() < 0.5 else frame.core.getparent()
    (frame.core if holder is None else holder).append(comments)
    if dice.random() < 0.5:
        _silence(frame)
    yield replace(page, id=f"{page.id} talk", dataset=MADE, html=_html(frame.tree))


def _bare(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Yield a thread, a board and a listing, each in a frame that has little else."""
    dice, is_cjk = Random(crc32(f"{page.id} bare".encode())), _is_cjk(page.html)
    engine, artist = Engine(dice, supplies[is_cjk], is_wide=is_cjk), Artist(dice, supplies[is_cjk])
    yield KindPage(
        f"{page.id} bare thread", MADE, page.group, Kind.THREAD, engine.page(engine.thread()), site=page.site
    )
    board = artist.front() if dice.random() < 0.25 else artist.threads()
    yield KindPage(f"{page.id} bare board", MADE, page.group, Kind.BOARD, engine.page(board), site=page.site)


def _bare_article(page: KindPage, supplies: dict[bool, Words]) -> KindPage:
    """Return an article in a bare frame: pages of old sites have no more, and are no threads for that."""
    dice, is_cjk = Random(crc32(f"{page.id} plain".encode())), _is_cjk(page.html)
    html = Engine(dice, supplies[is_cjk], is_wide=is_cjk).article()
    return KindPage(f"{page.id} bare article", MADE, page.group, Kind.ARTICLE, html, site=page.site)


def _boarded(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    dice = Random(crc32(page.id.encode()))
    for number, is_front in enumerate((False, False, True)):
        frame = _frame(page)
        if frame is not None:
            artist = Artist(dice, supplies[_is_cjk(page.html)])
            drawn = artist.front() if is_front else artist.threads()
            yield _refilled(frame, drawn, Kind.BOARD, said=f" {number}")


def _disturbed(page: KindPage, supplies: dict[bool, Words]) -> Iterator[KindPage]:
    """Yield an article in other surroundings, mostly shortened; whatever stands around it, it stays one."""
    is_cjk = _is_cjk(page.html)
    supply = Supply(supplies[is_cjk].sentences, (), "zh" if is_cjk else "en")
    for copy in range(COPIES):
        frame, dice = _frame(page), Random(crc32(f"{page.id} {copy}".encode()))
        if frame is None:
            return
        if dice.random() < SHORTENED:
            _shorten(frame.text, dice)
        disturb(frame.core, frame.text, supply, dice)
        for _ in range(dice.choice((0, 0, 1, 3))):
            frame.tree.body.insert(dice.choice((0, len(frame.tree.body))), teasers(supply, dice))
        said = "said" if dice.random() < 0.5 else "unsaid"
        if said == "unsaid":
            _silence(frame)
        yield replace(page, id=f"{page.id} {copy} {said}", dataset=MADE, html=_html(frame.tree))


def _shorten(text: Sequence[etree._Element], dice: Random) -> None:
    """Take all but the first elements of a text away: the articles of small papers and agencies are short."""
    for element in text[dice.choice((2, 3, 4, 6, 9)) :]:
        parent = element.getparent()
        if parent is not None:
            parent.remove(element)


def _frame(page: KindPage) -> Frame | None:
    """Return a page and the innermost element around its text or posts; None where that is the whole page."""
    tree = parse(page.html, url=page.url)
    clues = gather(tree)
    sheet = lay_out(walk(tree.body), read_about(clues))
    if not sheet.table.texts:
        return None
    content = extract_sheet(sheet, None, model=None, favour="balance")
    chosen = content.facts[CHOSEN]
    nodes = [sheet.table.nodes[sheet.table.owner[place]] for place in chosen]
    if page.kind is Kind.THREAD:
        counts = running_counts(sheet, mark(sheet), sheet.table.links)
        best = best_kind(count_records(sheet, counts), POSTS, OWN) // COLUMNS
        nodes = [node for node, kind in zip(sheet.table.nodes, sheet.kind, strict=True) if kind == best]
    core = _common(nodes)
    return (
        Frame(page, tree, core, list(dict.fromkeys(nodes)))
        if core is not None and core.tag not in ("body", "html")
        else None
    )


def _common(nodes: Sequence[etree._Element]) -> etree._Element | None:
    """Return the innermost element that holds all of several elements; None for fewer than two."""
    if len(nodes) < 2:
        return None
    around = [nodes[0], *nodes[0].iterancestors()]
    for node in nodes[1:]:
        held = {node, *node.iterancestors()}
        around = [element for element in around if element in held]
    return around[0] if around else None


def _refilled(frame: Frame, content: str, kind: Kind, name: str | None = None, *, said: str = "") -> KindPage:
    """Put a list in place of the text; what the page says of itself goes as well, for it speaks of the text."""
    _silence(frame)
    if name is not None:
        _rename(frame, name)
    tail = frame.core.tail
    for child in list(frame.core):
        frame.core.remove(child)
    frame.core.text, frame.core.tail = None, tail
    frame.core.append(html.fragment_fromstring(f"<div>{content}</div>"))
    page = frame.page
    return KindPage(f"{page.id} {kind}{said}", MADE, page.group, kind, _html(frame.tree), site=page.site)


def _rename(frame: Frame, name: str) -> None:
    """Give a page the short name of a list in place of an article's title."""
    for element in frame.tree.root.iter("title", "h1"):
        if len(element) == 0:
            element.text = name


def _silence(frame: Frame) -> None:
    """Take away what a page says of itself."""
    for element in frame.tree.root.xpath(_SAID):
        if element.getparent() is not None and element is not frame.core:
            element.getparent().remove(element)


def _html(tree: Tree) -> str:
    return etree.tostring(tree.root, encoding="unicode", method="html")


def _words(articles: Sequence[KindPage], is_cjk: bool) -> Words:
    """Return the titles and sentences of some articles."""
    titles: list[str] = []
    sentences: list[str] = []
    for page in articles:
        if _is_cjk(page.html) is not is_cjk:
            continue
        tree = parse(page.html)
        clues = gather(tree)
        sheet = lay_out(walk(tree.body), read_about(clues))
        if clues.title and sheet.table.texts:
            titles.append(clues.title[:MAX_TITLE])
            chosen = extract_sheet(sheet, None, model=None, favour="balance").blocks
            sentences += sentences_of("\n".join(block.text for block in chosen[:5]))
    names = WORDS["cjk_names" if is_cjk else "names"]
    return Words(titles, sentences, names)


def _is_cjk(text: str) -> bool:
    return sum("一" <= char <= "鿿" for char in text[:50_000]) > 200
