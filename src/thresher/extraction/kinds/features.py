"""Features of a page that tell its kind: its text, its records, what it says of itself, and its address."""

import re
from array import array
from math import log

from thresher.extraction.algorithms.thresher import extract_sheet
from thresher.extraction.contract import CHOSEN as CHOSEN_BLOCKS
from thresher.extraction.contract import Content
from thresher.extraction.fields.clues import Clues
from thresher.extraction.kinds.address import ADDRESS, fill_address
from thresher.extraction.kinds.headings import fill_heads, fill_labels
from thresher.extraction.kinds.marks import mark
from thresher.extraction.kinds.prose import TEXT, date_near, fill_cores, fill_span, fill_text, fill_totals
from thresher.extraction.kinds.records import (
    RECORDS,
    fill_records,
    running_counts,
)
from thresher.extraction.kinds.words import BODY_CLASSES, ITEM_TYPES, OG_TYPES, OTHER_OG_TYPE, PUBLISHED, SIGNED
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.sheet import Sheet, lay_out
from thresher.extraction.learned.walk import walk
from thresher.extraction.tags import BLOCK_LEVEL
from thresher.html import Tree
from thresher.text import CJK

SAID = (
    "og_type",
    *(f"item_{name}" for name in ("article", "thread", "list", "product", "answers")),
    *(f"body_{name}" for name in ("thread", "board", "list", "single", "other")),
    "times",
    "h1",
    "published",
    "signed",
    "title_size",
    "h1_size",
)
FEATURES = (*TEXT, *RECORDS, *SAID, *ADDRESS)
COUNT = len(FEATURES)
CONFIDENCE, ODDS, DATE_NEAR = map(TEXT.index, ("confidence", "odds", "date_near"))
EVEN_ODDS = 0.85  # of our own method's confidence, at which it speaks neither for nor against an article
FEW_BLOCKS = 12  # a page of fewer may be an empty shell that scripts fill
USUAL_CONFIDENCE = 0.9  # in place of that of another method, which has a measure of its own
_PARTED = re.compile(r"\s[|\-–—:»·•]\s|[|_｜]")  # between a title and the name of the site
_WIDE = re.compile(f"[{CJK}]")
MAX_CLASSES = 2_000  # characters of the body's class and id that are looked at


def describe(tree: Tree, clues: Clues, sheet: Sheet, content: Content) -> "array[float]":
    """Return the features of a page, in the order of FEATURES; all zero for one without text."""
    out = array("f", bytes(4 * COUNT))
    if len(sheet.table.texts) < FEW_BLOCKS:
        sheet, content = _without_scripts(tree, clues, sheet, content)
    if not sheet.table.texts:
        return out
    marks = mark(sheet)
    chosen = _chosen(content, len(marks))
    counts = running_counts(sheet, marks, chosen)
    fill_totals(sheet, counts, out)
    fill_text(sheet, marks, chosen, counts, out)
    out[DATE_NEAR] = date_near(marks, chosen)
    fill_cores(sheet, marks, chosen, out)
    fill_span(sheet, marks, chosen, counts, out)
    fill_labels(marks, out)
    fill_heads(sheet, marks, chosen, counts, out)
    out[CONFIDENCE] = confidence = content.confidence if CHOSEN_BLOCKS in content.facts else USUAL_CONFIDENCE
    bounded = min(max(confidence, 0.02), 0.98)
    out[ODDS] += log(bounded / (1 - bounded)) - EVEN_ODDS
    fill_records(sheet, counts, out, len(TEXT))
    _fill_said(tree, clues, out, len(TEXT) + len(RECORDS))
    fill_address(tree.url or clues.canonical or clues.meta.get("og:url"), out, len(TEXT) + len(RECORDS) + len(SAID))
    return out


def _without_scripts(tree: Tree, clues: Clues, sheet: Sheet, content: Content) -> tuple[Sheet, Content]:
    """Return the part of an empty page that is meant for readers without scripts, where it says more."""
    parts = [child for part in tree.body.iter("noscript") for child in part if len(child) and child.tag in BLOCK_LEVEL]
    if not parts:
        return sheet, content
    largest = max(parts, key=lambda part: sum(1 for _ in part.iter()))
    spoken = lay_out(walk(largest), read_about(clues))
    if len(spoken.table.texts) <= len(sheet.table.texts):
        return sheet, content
    return spoken, extract_sheet(spoken, None, model=None, favour="balance")


def _chosen(content: Content, count: int) -> "array[int]":
    """Return 1 for each block that our own method chose; for all of them where the content comes from another."""
    if CHOSEN_BLOCKS not in content.facts:
        return array("i", [1]) * count
    chosen = array("i", bytes(4 * count))
    for place in content.facts[CHOSEN_BLOCKS]:
        chosen[place] = 1
    return chosen


def _fill_said(tree: Tree, clues: Clues, out: "array[float]", o: int) -> None:
    types = _types(clues)
    classes = _classes(tree)
    values = (
        OG_TYPES.get(clues.meta.get("og:type", "").lower(), OTHER_OG_TYPE),
        *(float(not types.isdisjoint(known)) for known in ITEM_TYPES),
        *(float(not classes.isdisjoint(known)) for known in BODY_CLASSES),
        len(clues.times),
        len(clues.headings),
        float(not PUBLISHED.isdisjoint(clues.meta) or any("datePublished" in item for item in clues.items)),
        float(not SIGNED.isdisjoint(clues.meta) or any("author" in item for item in clues.items)),
        max(map(_words, _PARTED.split(clues.title))),
        max(map(_words, clues.headings), default=0.0),
    )
    out[o : o + len(values)] = array("f", values)


def _words(text: str) -> float:
    """Return how many words a title has; two Chinese, Japanese or Korean characters count as one."""
    if text.isascii():
        return float(len(text.split()))
    wide = len(_WIDE.findall(text))
    return len(_WIDE.sub(" ", text).split()) + wide / 2


def _types(clues: Clues) -> set[str]:
    """Return the types of the page's JSON-LD objects, and the ends of those such as NewsArticle."""
    types: set[str] = set()
    for item in clues.items:
        told = item.get("@type")
        for name in told if isinstance(told, list) else [told]:
            if isinstance(name, str):
                types.add("Article" if name.endswith("Article") else name)
    return types


def _classes(tree: Tree) -> set[str]:
    """Return the words of the body's class and id."""
    body = tree.body
    said = f"{body.get('class') or ''} {body.get('id') or ''}"[:MAX_CLASSES].lower()
    return set(said.replace("_", "-").split())
