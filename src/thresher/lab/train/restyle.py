"""Write a page's text another way: shorter, as lists, quotes, cells or lines, in other elements than its own.

Labelled pages of some collections hold few lists, quotes and tables, or leave them out of their gold; a text is main
text in any of these shapes.
"""

from collections.abc import Sequence
from random import Random

from lxml import etree

LONGEST_RUN = 8  # paragraphs that become one list or table
MAX_ITEM = 120  # characters after which an item of a list may end with its sentence
_WHOLE = ("body", "td", "tr", "tbody", "table", "li")


def restyle(core: etree._Element, gold: Sequence[etree._Element], random: Random, *, is_chinese: bool) -> None:
    """Change the shape of the text in an element, `gold` being the elements of its parts; often leave it as it is.

    Chinese texts are not made into lists: they hold few, and the lists of teasers beside them were then kept (F1 on
    Chinese pages of datasets left out .92 instead of .95).
    """
    if random.random() < 0.25:
        _shorten([part for part in gold if part is not core], random)
    if not is_chinese:
        _regroup(core, random)
    if random.random() < 0.15:
        _part_by_breaks(core)
    if random.random() < 0.1:
        _put_in_table(core)


def _regroup(core: etree._Element, random: Random) -> None:
    if random.random() < 0.35:
        _list_some(core, random)
    if random.random() < 0.1:
        _quote_some(core, random)
    if random.random() < 0.08:
        _tabulate_some(core, random)
    if random.random() < 0.1:
        _rename_paragraphs(core)


def element(tag: str, text: str | None = None, *, tail: str | None = None, **attributes: str | None) -> etree._Element:
    """Return an element; attributes that are None are left out, and `class_` is class."""
    made = etree.Element(tag)
    made.text, made.tail = text, tail
    for name, value in attributes.items():
        if value:
            made.set(name.rstrip("_"), value)
    return made


def _shorten(gold: Sequence[etree._Element], random: Random) -> None:
    """Take all but the first few elements of the text away: short articles are rare in the corpora."""
    for part in gold[random.choice((1, 1, 2, 3, 4)) :]:
        parent = part.getparent()
        if parent is not None:
            parent.remove(part)


def _run(core: etree._Element, random: Random) -> list[etree._Element]:
    """Return some paragraphs that stand side by side; none where there are fewer than three."""
    children = list(core)
    starts = [place for place, child in enumerate(children) if child.tag == "p"]
    if len(starts) < 3:
        return []
    start = random.choice(starts)
    run: list[etree._Element] = []
    for child in children[start : start + random.randint(2, LONGEST_RUN)]:
        if child.tag != "p":
            break
        run.append(child)
    return run


def _list_some(core: etree._Element, random: Random) -> None:
    """Turn neighbouring paragraphs into the items of a list, some of them cut to a sentence."""
    for _ in range(random.choice((1, 1, 2))):
        run = _run(core, random)
        if not run:
            return
        entries = element(random.choice(("ul", "ul", "ol")))
        core.insert(core.index(run[0]), entries)
        is_short = random.random() < 0.6
        for paragraph in run:
            paragraph.tag = "li"
            paragraph.attrib.clear()
            if is_short:
                _cut(paragraph)
            entries.append(paragraph)


def _cut(paragraph: etree._Element) -> None:
    """End a paragraph of plain text with its first sentence, or after so many characters."""
    text = paragraph.text or ""
    if len(text) < 30:
        return
    ends = [text.find(mark, 20) for mark in (". ", "! ", "? ", "。", "！", "？")]
    end = min((place + 1 for place in ends if place >= 0), default=MAX_ITEM)
    for child in list(paragraph):
        paragraph.remove(child)
    paragraph.text = text[: min(end, MAX_ITEM)]


def _quote_some(core: etree._Element, random: Random) -> None:
    run = _run(core, random)[: random.choice((1, 1, 2))]
    if run:
        quote = element("blockquote")
        core.insert(core.index(run[0]), quote)
        quote.extend(run)


def _tabulate_some(core: etree._Element, random: Random) -> None:
    """Turn neighbouring paragraphs into the rows of a table of one or two columns."""
    run = _run(core, random)
    if not run:
        return
    table = element("table")
    core.insert(core.index(run[0]), table)
    columns = random.choice((1, 2))
    for place, paragraph in enumerate(run):
        if place % columns == 0:
            table.append(element("tr"))
        paragraph.tag = "td"
        paragraph.attrib.clear()
        table[-1].append(paragraph)


def _rename_paragraphs(core: etree._Element) -> None:
    """Turn the text's paragraphs into <div>, as some editors write them."""
    for child in core:
        if child.tag == "p":
            child.tag = "div"


def _part_by_breaks(core: etree._Element) -> None:
    """Turn the text's paragraphs into lines that <br> parts, as old pages and some editors write them."""
    for paragraph in [child for child in core if child.tag == "p"]:
        paragraph.tag = "span"
        paragraph.attrib.clear()
        breaks = [element("br"), element("br", tail=paragraph.tail)]
        paragraph.tail = None
        place = core.index(paragraph)
        core[place + 1 : place + 1] = breaks


def _put_in_table(core: etree._Element) -> None:
    """Put the text's element into the cell of a table, as pages were laid out once."""
    parent = core.getparent()
    if parent is None or core.tag in _WHOLE:
        return
    table, row, cell = element("table"), element("tr"), element("td")
    table.append(row)
    row.append(cell)
    table.tail, core.tail = core.tail, None
    parent.replace(core, table)
    cell.append(core)
