"""The main content of a page of any kind: documentation, services, products, lists of goods, front pages.

Idea. An article's method leaves out what makes up such pages: short lines, prices, lists of links. A third forest of
trees judges the same blocks. It sees what the two stages of `thresher` see, what the second stage says of the blocks
around, and what page it is: prices, the share of long texts and of list items, the types in its structured data.

Reference. As `thresher`; trained on the pages of WCXB that are no articles, see docs/model-card.md.

Where it fails. Pages of one product amid goods like it: it keeps some of these. Articles: `thresher` is better.

Cost. About as much as the two stages of `thresher`, in addition to them.
"""

import re
from array import array
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache
from pathlib import Path

from thresher.errors import UsageError
from thresher.extraction.algorithms.thresher import MAX_JUDGED, judge_blocks
from thresher.extraction.confidence import text_signs
from thresher.extraction.contract import OWN, SIGNS, Content, Favour
from thresher.extraction.fields.clues import Clues, gather
from thresher.extraction.learned.about import read_about
from thresher.extraction.learned.decide import without_repeats
from thresher.extraction.learned.features import COUNT, FEATURES
from thresher.extraction.learned.forest import LearnedModel, chances, load
from thresher.extraction.learned.insets import paragraphs_of
from thresher.extraction.learned.second import COUNT as SECOND_COUNT
from thresher.extraction.learned.second import SECOND, fill_second
from thresher.extraction.learned.sheet import Sheet, lay_out, without
from thresher.extraction.learned.table import SHAPE_CODE
from thresher.extraction.learned.walk import walk
from thresher.html import Tree
from thresher.model import Kind

PAGE = (
    *("says_product", "says_list", "says_article", "says_service"),
    *("prices", "price_share", "blocks", "mean_size", "page_size", "listed_share", "long_share", "long", "head_share"),
)
ANY = (*FEATURES, *SECOND, *PAGE)
# Set on pages/wcxb_other, sites left out; docs/evaluation.md has what they do.
CUT: dict[Favour, float] = {"precision": 0.6, "balance": 0.4, "recall": 0.25}
SHARE = 0.5  # of the best block's chance that is enough where all are low
LONG = 100  # characters of a text that is more than a label
MAX_ITEMS = 50  # of structured data that are looked at
MAX_LABEL = 200  # characters of a block that may be a price
SHIPPED = Path(__file__).parent.parent / "models" / "thresher-any.model"

_PRICE = re.compile(r"[$€£¥₹]\s?\d|\d[\d.,]{0,12}\s?(?:€|£|USD|EUR|kr\b|zł)")
_PRODUCTS = frozenset(("product", "productgroup"))
_LISTS = frozenset(("itemlist", "collectionpage", "searchresultspage", "offercatalog"))
_SERVICES = frozenset(("webapplication", "softwareapplication", "service", "localbusiness", "organization", "faqpage"))
_LI = SHAPE_CODE["li"]
_HEADINGS = range(SHAPE_CODE["h1"], SHAPE_CODE["h6"] + 1)


def extract_thresher_any(tree: Tree, *, model: str | None = None, favour: Favour = "balance") -> Content:
    """Return the main content of a page of any kind; no blocks where it has none."""
    clues = gather(tree)
    sheet = lay_out(walk(tree.body), read_about(clues))
    content = choose_any(sheet, clues, favour=favour, model=model)
    own, confidence = content.facts[OWN]
    return Content(paragraphs_of(sheet.table, own, base_url=tree.base_url), confidence)


def is_article(kind: Kind, clues: Clues, *, is_signed: bool) -> bool:
    """Say whether a page is a thread, or an article that says so or is signed and dated, as documentation is not."""
    return kind is Kind.THREAD or (kind is Kind.ARTICLE and (is_signed or says_article(clues)))


def content_of_any(tree: Tree, sheet: Sheet, clues: Clues, content: Content, favour: Favour) -> Content:
    """Return the content of a page with its main content, whatever its kind, in the place of an article's text."""
    chosen = choose_any(sheet, clues, favour=favour)
    own, confidence = chosen.facts[OWN]
    blocks = paragraphs_of(sheet.table, own, base_url=tree.base_url)
    facts = {**content.facts, SIGNS: chosen.facts[SIGNS]}
    return replace(content, blocks=blocks, confidence=confidence, links=(), facts=facts)


def choose_any(sheet: Sheet, clues: Clues, *, favour: Favour, model: str | None = None) -> Content:
    """Return the same without blocks: which they are, and the best one's chance; those after MAX_JUDGED are left out.

    Raise UsageError for a model that cannot be used.
    """
    count = len(sheet.table.texts)
    part = sheet if count <= MAX_JUDGED else without(sheet, [(MAX_JUDGED, count)])
    judgement = judge_blocks(part)
    rows = rows_of(part, judgement.chances, judgement.rows, clues)
    judged = chances(read_any(model).stages[0], rows, len(ANY), len(part.table.texts))
    top = max(judged, default=0.0)
    cut = min(CUT[favour], SHARE * top)
    chosen = without_repeats(part, judged, [place for place, chance in enumerate(judged) if chance > cut])
    return Content(confidence=top, facts={OWN: (chosen, top), SIGNS: text_signs(judged, part.table.texts, chosen)})


def rows_of(sheet: Sheet, guess: "array[float]", rows: "array[float]", clues: Clues) -> "array[float]":
    """Return the features ANY of every block: those of the second stage, made of its own chances, then the page's.

    `guess` are these chances, `rows` the features that they came from.
    """
    width = COUNT + SECOND_COUNT
    given = array("f", rows)
    fill_second(sheet, guess, given, COUNT)
    page = page_features(sheet, clues)
    out = array("f")
    for place in range(len(guess)):
        out += given[place * width : (place + 1) * width]
        out += page
    return out


def page_features(sheet: Sheet, clues: Clues) -> "array[float]":
    """Return what page it is, in the order of PAGE."""
    texts, shapes = sheet.table.texts, sheet.table.shape
    sizes = [len(text) for text in texts]
    count, whole = len(texts) or 1, sum(sizes) or 1
    prices = sum(size < MAX_LABEL and bool(_PRICE.search(text)) for text, size in zip(texts, sizes, strict=True))
    listed = sum(size for size, shape in zip(sizes, shapes, strict=True) if shape == _LI)
    long = [size for size in sizes if size >= LONG]
    heads = sum(shape in _HEADINGS for shape in shapes)
    shares = (listed / whole, sum(long) / whole, len(long), heads / count)
    return array("f", [*_said(clues), prices, prices / count, count, whole / count, whole, *shares])


def _said(clues: Clues) -> list[float]:
    """Return whether a page says that it is a product, a list, an article or a service."""
    types = _types(clues)
    og_type = clues.meta.get("og:type", "").lower()
    is_product = "product" in og_type or bool(types & _PRODUCTS)
    return [float(is_product), float(bool(types & _LISTS)), float(says_article(clues)), float(bool(types & _SERVICES))]


def says_article(clues: Clues) -> bool:
    """Say whether a page says of itself that it is an article."""
    if "article" in clues.meta.get("og:type", "").lower():
        return True
    return any("article" in name or name in ("blogposting", "report") for name in _types(clues))


def _types(clues: Clues) -> set[str]:
    return {name.lower() for item in clues.items[:MAX_ITEMS] for name in _strings(item.get("@type"))}


def _strings(value: object) -> Sequence[str]:
    values = value if isinstance(value, list) else [value]
    return [each for each in values if isinstance(each, str)]


def read_any(path: str | None) -> LearnedModel:
    """Return the model of a file, or the shipped one for None; raise UsageError for one that cannot be used."""
    return _read(Path(path) if path else SHIPPED)


@lru_cache(maxsize=8)
def _read(file: Path) -> LearnedModel:
    try:
        model = load(file.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the model {file}: {error.strerror}") from error
    except UsageError as error:
        raise UsageError(f"{file}: {error}") from error
    if model.features != (ANY,):
        raise UsageError(f"{file} is a model for other features than this version's; train it again")
    return model
