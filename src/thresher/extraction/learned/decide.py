"""Choose the blocks of the main text from their chances, for the whole page at once."""

from array import array

from thresher.extraction.contract import Favour
from thresher.extraction.learned.captions import with_captions_of_tables, without_captions
from thresher.extraction.learned.closing import without_closing
from thresher.extraction.learned.completion import complete
from thresher.extraction.learned.hints import BIT
from thresher.extraction.learned.lexicon import BYLINE, DATE
from thresher.extraction.learned.measure import MEASURES, WIDTH
from thresher.extraction.learned.notes import with_last_lines, without_offers
from thresher.extraction.learned.one_article import of_one_article
from thresher.extraction.learned.second import top_chance
from thresher.extraction.learned.sheet import Sheet
from thresher.extraction.learned.slides import without_slides
from thresher.extraction.learned.table import SHAPE_CODE, Table
from thresher.extraction.learned.wholes import with_wholes

# A block is kept when its chance is above CUT, or above SHARE of the page's top chance where that is less: on a page of
# an unknown make all chances are low, and the text still stands out. The balance was set on articles/train (shingles
# F1, headline removed, macro over five datasets) by sites left out and by whole datasets left out. With a forerunner of
# the shipped model: .946 and .938 with 0.5 and 0.5, .946 and .940 with 0.4 and 0.4, .947 and .939 with 0.3 and 0.3. The
# other two are set by hand; docs/evaluation.md has what they do.
CUT: dict[Favour, float] = {"precision": 0.75, "balance": 0.4, "recall": 0.2}
SHARE: dict[Favour, float] = {"precision": 0.75, "balance": 0.4, "recall": 0.25}
# Where the top chance lies between these, a smaller share is enough: set in the same way with the shipped model, .9548
# and .9480 without this, .9557 and .9492 with it, .9549 and .9491 with all pages below the latter.
UNSURE, SMALLER = (0.5, 0.8), 0.75
SURE = 0.6  # what is in a box named for a notice, or in an element named for pictures, must be likelier than this
MAX_BOX = 3  # blocks of such a box
# On a page whose best part is less likely than this, elements named for a sidebar, comments or other articles are left
# out: those of a short text are the likeliest parts of some. Of articles/train, sites left out, 3 pages change and the
# macro stays; of those pages cut to their first parts 14, and it rises from .815 to .816.
DOUBTFUL = 0.6
MIN_TOP = 0.1  # a page whose best part is less likely than this has no main text
LONG = 60  # characters; a longer text is kept once
PARAGRAPH = 100  # of size; where the text begins at the latest
SIGNATURE = 80  # of size; a longer line says more than author and time

_ASIDE = BIT["side"] | BIT["comment"] | BIT["related"]
_HEADINGS = frozenset(SHAPE_CODE[name] for name in ("h1", "h2", "h3", "h4", "h5", "h6"))
_SIZE, _SENSES, _DATED, _FINAL = (MEASURES.index(name) for name in ("size", "senses", "dated", "final"))


def choose(sheet: Sheet, chances: "array[float]", favour: Favour) -> tuple[list[int], float]:
    """Return the numbers of the chosen blocks in reading order, and the confidence, which is the top chance."""
    top = top_chance(sheet, chances)
    if top < DOUBTFUL:
        apart = _without_asides(sheet, chances)
        top_apart = top_chance(sheet, apart)
        if top_apart >= MIN_TOP:
            chances, top = apart, top_apart
    if top < MIN_TOP:
        return [], top
    cut = threshold(top, favour)
    sure = max(cut, SURE)
    chosen = likelier(sheet.table, chances, cut, sure)
    chosen = without_captions(sheet, chances, without_repeats(sheet, chances, chosen), sure)
    whole = complete(sheet, chances, without_slides(sheet, chosen), cut)
    whole = with_wholes(sheet, whole)
    of_one = of_one_article(sheet, chances, with_captions_of_tables(sheet, whole))
    text = without_signatures(sheet, without_closing(sheet, of_one))
    return with_last_lines(sheet, chances, without_offers(sheet, text)), top


def threshold(top: float, favour: Favour) -> float:
    """Return the chance that a block must have on a page of this top chance."""
    share = SMALLER * SHARE[favour] if UNSURE[0] <= top < UNSURE[1] else SHARE[favour]
    return min(CUT[favour], share * top)


def _without_asides(sheet: Sheet, chances: "array[float]") -> "array[float]":
    """Take away the chances of blocks in elements that are named for what stands beside a text."""
    return array("d", [0.0 if is_aside(sheet, place) else chance for place, chance in enumerate(chances)])


def is_aside(sheet: Sheet, place: int) -> bool:
    """Say whether a block is in an element named for a sidebar, comments or other articles."""
    return bool(sheet.around[sheet.table.owner[place]] & _ASIDE)


def likelier(table: Table, chances: "array[float]", cut: float, sure: float) -> list[int]:
    """Return the blocks that are likelier than `cut`, and in boxes likelier than `sure`."""
    chosen = []
    for place in range(len(chances)):
        if chances[place] > cut and (chances[place] > sure or not is_boxed(table, place)):
            chosen.append(place)
    return chosen


def is_boxed(table: Table, place: int) -> bool:
    """Say whether a block is in a small element whose names tell a notice: a newsletter, a login, cookies."""
    element = table.owner[place]
    while element > 0 and table.end[element] - table.first[element] <= MAX_BOX:
        if table.hints[element] & BIT["box"]:
            return True
        element = table.parent[element]
    return False


def without_repeats(sheet: Sheet, chances: "array[float]", chosen: list[int]) -> list[int]:
    """Keep a long text that stands in elements of several kinds, such as a teaser and a paragraph, in the likeliest."""
    texts, owner, kind = sheet.table.texts, sheet.table.owner, sheet.kind
    best: dict[str, int] = {}
    has_repeats = False
    for place in chosen:
        text = texts[place]
        if len(text) < LONG:
            continue
        other = best.setdefault(text, place)
        if other != place:
            has_repeats = True
            if chances[place] > chances[other]:
                best[text] = place
    if not has_repeats:
        return chosen
    return [place for place in chosen if kind[owner[best.get(texts[place], place)]] == kind[owner[place]]]


def without_signatures(sheet: Sheet, chosen: list[int]) -> list[int]:
    """Leave out the lines before the first paragraph that tell who wrote the text and when."""
    rows = sheet.rows
    start = 0
    for number in range(len(chosen)):
        if rows[chosen[number] * WIDTH + _SIZE] >= PARAGRAPH:
            start = number
            break
    if not start:
        return chosen
    return [place for place in chosen[:start] if not is_signature(sheet, place)] + chosen[start:]


def is_signature(sheet: Sheet, place: int) -> bool:
    """Say whether a block is a line that tells who wrote the text, or when."""
    row = place * WIDTH
    tells = int(sheet.rows[row + _SENSES]) & (BYLINE | DATE) or sheet.rows[row + _DATED]
    is_line = sheet.rows[row + _SIZE] < SIGNATURE and not sheet.rows[row + _FINAL]
    return bool(tells) and is_line and sheet.table.shape[place] not in _HEADINGS
