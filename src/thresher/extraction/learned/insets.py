"""Take boxes out of the paragraphs that they were opened in, and join what stood around them.

A box is a card on a person, a list of links, a hint that shows on hovering: the sentence goes on behind it. Those that
are elements of block level are blocks of their own, which were not chosen, and have parted the paragraph in two. Those
that are inline are part of the paragraph's text; they are told by their names, or by holding links and nothing right in
themselves.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from lxml import etree

from thresher.extraction.learned.hints import BIT, hints_of
from thresher.extraction.learned.kept import kept
from thresher.extraction.learned.table import NOTED, SHAPE_CODE, TAG_CODE, Table
from thresher.extraction.paths import Paths
from thresher.extraction.tags import BLOCK_LEVEL, STYLES, UNSEEN
from thresher.model import Block, Span

MIN_BOX = 20  # characters
LINKED = 0.5  # share of a box that is links, at least
MAX_LOOKED = 200  # elements of a paragraph that are looked at
_NAMES = BIT["related"] | BIT["box"] | BIT["share"] | BIT["advert"] | BIT["nav"] | BIT["hidden"]
_ROLES = frozenset(("tooltip", "dialog", "complementary", "navigation"))
_TEXT_TAGS = STYLES.keys() | {"a", "font", "u", "s", "sup", "sub", "small", "big", "mark", "q", "abbr", "time", "ins"}
_P = TAG_CODE["p"]
_PARAGRAPHS = (SHAPE_CODE["p"], SHAPE_CODE["li"])
_ENDS = tuple(".!?…:;。！？：；")
_CLOSING = "\"'”’»)]）」』"
_GOES_ON = tuple(",.;:!?)–—-，。、；：）’")


def paragraphs_of(
    table: Table, chosen: Sequence[int], *, base_url: str | None = None, paths: Paths | None = None
) -> tuple[Block, ...]:
    """Return the blocks of these numbers as `kept` gives them, less the boxes in them."""
    return without_insets(table, chosen, kept(table, chosen, base_url=base_url, paths=paths))


def without_insets(table: Table, chosen: Sequence[int], blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """Return the blocks of these numbers less the boxes in them; a paragraph that a box has parted is one again."""
    links, shape, inner = table.links, table.shape, table.inner
    found = [
        place
        for place, number in enumerate(chosen)
        if links[number] and (links[number] > 1 or inner[number] & _NAMES) and shape[number] in _PARAGRAPHS
    ]
    parted = [place for place in range(1, len(chosen)) if chosen[place] > chosen[place - 1] + 1]
    if not found and not parted:
        return blocks
    changed = list(blocks)
    for place in found:
        for start, end in _boxes(table, chosen[place]):
            changed[place] = replace(changed[place], spans=tuple(_cut(changed[place].spans, start, end)))
    for place in reversed(parted):
        if _is_parted(table, chosen[place - 1], chosen[place]):
            one, two = changed[place - 1], changed[place]
            gap = "" if two.text[:1] in _GOES_ON else " "
            changed[place - 1] = replace(one, spans=_joined(one.spans, two.spans, gap))
            del changed[place]
    return tuple(changed)


def _is_parted(table: Table, one: int, two: int) -> bool:
    """Say whether a sentence goes on from one block to another, with boxes in between that lie in the same element.

    An element of block level ends a <p>: what follows it stands in the element around that.
    """
    owner, around = table.owner[one], table.owner[two]
    is_ended = table.tag[owner] == _P and table.parent[owner] == around
    if (owner != around and not is_ended) or table.shape[one] != table.shape[two]:
        return False
    if any(table.owner[place] in (owner, around) for place in range(one + 1, two)):
        return False
    return _is_interrupted(table.texts[one], table.texts[two])


def _is_interrupted(before: str, after: str) -> bool:
    """Say whether a sentence begun before goes on after."""
    before, after = before.rstrip().rstrip(_CLOSING), after.lstrip()
    if not before or not after or (before.endswith(_ENDS) and not after.startswith(_GOES_ON)):
        return False
    return after.startswith(_GOES_ON) or after[0].islower()


def _boxes(table: Table, number: int) -> Iterator[tuple[int, int]]:
    """Yield where the boxes of a block stand in its text, the last first."""
    text, owner = table.texts[number], table.nodes[table.owner[number]]
    found: list[tuple[int, int]] = []
    looked = 0
    for node in owner.iterdescendants(etree.Element):
        looked += 1
        if looked > MAX_LOOKED or not isinstance(node.tag, str):
            break
        if node.tag in _TEXT_TAGS or node.tag in BLOCK_LEVEL or node.tag in UNSEEN or not _is_box(node):
            continue
        own = " ".join(_text_of(node).split())
        start = text.find(own) if len(own) >= MIN_BOX else -1
        if start >= 0 and _is_interrupted(text[:start], text[start + len(own) :]):
            found.append((start, start + len(own)))
    yield from sorted(found, reverse=True)


def _is_box(node: etree._Element) -> bool:
    """Say whether an inline element is one: named so, or made of links and without a word right in itself."""
    links = [_text_of(link) for link in node.iterdescendants("a")]
    whole = "".join(_text_of(node).split())
    if not links or len("".join("".join(links).split())) < LINKED * len(whole):
        return False
    names = 0
    for name in NOTED:
        names |= hints_of(node.get(name, ""))
    if names & _NAMES or node.get("role") in _ROLES or node.get("hidden") is not None:
        return True
    return len(links) > 1 and not (node.text or "").strip() and not any((child.tail or "").strip() for child in node)


def _text_of(node: etree._Element) -> str:
    return "".join(node.itertext())


def _cut(spans: Sequence[Span], start: int, end: int) -> Iterator[Span]:
    """Yield spans less the characters from `start` up to `end`; no space is left before what ends a sentence."""
    whole = "".join(span.text for span in spans)
    if whole[start - 1 : start] == " " and (whole[end : end + 1] == " " or whole[end:].startswith(_GOES_ON)):
        start -= 1
    elif whole[start - 1 : start] != " " and not whole[end:].startswith((*_GOES_ON, " ")):
        end -= 1
    at = 0
    for span in spans:
        text = span.text[: max(start - at, 0)] + span.text[max(end - at, 0) :]
        at += len(span.text)
        if text:
            yield replace(span, text=text)


def _joined(one: Sequence[Span], two: Sequence[Span], gap: str) -> tuple[Span, ...]:
    last, first = one[-1], two[0]
    if (last.href, last.strong, last.emphasis, last.code) == (first.href, first.strong, first.emphasis, first.code):
        return (*one[:-1], replace(last, text=f"{last.text}{gap}{first.text}"), *two[1:])
    if last.href:
        return (*one, replace(first, text=f"{gap}{first.text}"), *two[1:])
    return (*one[:-1], replace(last, text=f"{last.text}{gap}"), *two)
