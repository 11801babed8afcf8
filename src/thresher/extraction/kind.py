"""What a page is: an article, a thread, a board, a listing or something else, by trees over features of the page.

Features are counts of repeated records with dates, counts, headlines and prices, the prose and its place, what the page
says of itself, and its address; see kinds/. Whether a page with posts is a thread is told by these as well; see
discussion.py. docs/evaluation-kinds.md has data, splits and scores.
"""

from array import array
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import expm1
from operator import itemgetter
from pathlib import Path
from typing import NamedTuple

from thresher.errors import UsageError
from thresher.extraction.contract import Content
from thresher.extraction.evidence import EVIDENCE
from thresher.extraction.fields.clues import Clues
from thresher.extraction.fields.found import Found, found
from thresher.extraction.kinds.features import COUNT, FEATURES, describe
from thresher.extraction.learned.forest import LearnedModel, chances, load
from thresher.extraction.learned.sheet import Sheet
from thresher.html import Tree
from thresher.model import Kind

KINDS = (Kind.ARTICLE, Kind.THREAD, Kind.BOARD, Kind.LISTING, Kind.OTHER)  # in the order of the model's forests
# What each kind's chance counts: an article taken for a listing is lost for a crawl, and a listing is worth following
# where a page of no kind is not. Set on pages of sites left out.
WEIGHTS = (2.0, 1.0, 1.0, 2.7, 0.5)
# Of boards and listings, which a crawl treats alike, the likelier one: there the weights do not count, and neither does
# that listings have four times the weight of boards in training.
AS_LIKELY = 4 * WEIGHTS[3] / WEIGHTS[2]
MIN_BOARD = 0.1  # chance of a board, which has dates or rows like those of one as well
MIN_LETTERS = 250  # of a page that is an article, a thread, a board or a listing
MIN_HEADLINES = 5  # links that make a page of fewer letters a listing all the same
MIN_CORE = 0.8  # of the chosen prose that one element holds
# Of the prose of an article in sections: plain headings in it, share of its blocks that are prose, and of the page's
# text; elements that hold it beside those below these headings. Of 2,165 labelled pages 37 are so made and hold it in
# no single element: 35 articles, and two of no kind.
MIN_SECTIONS, MIN_COMPACT, MIN_SHARE, MORE_PARTS = 2, 0.6, 0.6, 2
ALL_DATED = 0.9  # share of the records with dates from which on they are rather posts than sections
MAX_BETWEEN = 0.3  # headlines, and dates, between the first and the last block of the prose, by number of blocks
MAX_PRICES = 2
SHOP_LABELS = 4  # such as "cart" and "sale": the text may be advice below goods that scripts show
MIN_GOODS, PRICED = 8, 0.8  # goods of a shop's list, and the share of them that have prices
SMALL_PART, MANY_HEADLINES = 0.1, 100  # share of the prose on a page of links that introduces them
MAX_SHARED = 0.1  # of the main text that lies in records like posts, where these are comments
MAX_ARTICLES = 3  # on an endless page
LONG_RECORD = 400  # letters outside links, of the articles of an endless page; posts of a paragraph or two have fewer
SHIPPED = Path(__file__).parent / "models" / "kind.model"
_SHOWN = ("prose_n", "dates", "posts_n", "rows_n", "teasers_n", "cards_n")  # counts that the evidence names
_shown = itemgetter(*map(FEATURES.index, _SHOWN))
_COUNTS = (
    "%.0f blocks of prose, %.0f dates, %.0f records like posts, %.0f like rows of threads, %.0f like teasers,"
    " %.0f like cards"
)

_OF_POSTS = ("posts_n", "posts_chosen", "posts_own", "labels_t")
_POSTS, _POSTS_CHOSEN, _POSTS_OWN, _LABELS = map(FEATURES.index, _OF_POSTS)
_ASKED = ("size", "headlines", "odds", "core_share", "span_heads", "span_dates", "prices", "item_list", "item_product")
_SIZE, _HEADLINES, _ODDS, _CORE, _HEADS, _DATES, _PRICES, _ITEM_LIST, _ITEM_PRODUCT = map(FEATURES.index, _ASKED)
_OF_LISTS = ("chosen_share", "date_near", "url_last", "url_list")
_CHOSEN, _DATE_NEAR, _URL_LAST, _URL_LIST = map(FEATURES.index, _OF_LISTS)
_OF_SHOPS = ("labels_s", "labels_a", "cards_n", "cards_prices")
_SHOP, _ARTICLE_LABELS, _CARDS, _CARD_PRICES = map(FEATURES.index, _OF_SHOPS)
_OF_SECTIONS = ("own_heads_plain", "compact", "cores", "posts_dates")
_OWN_HEADS, _COMPACT, _CORES, _POSTS_DATES = map(FEATURES.index, _OF_SECTIONS)
_SOLID, _CHOSEN_SIZE = map(FEATURES.index, ("solid", "chosen"))
_ALL_DATES, _ROWS = map(FEATURES.index, ("dates", "rows_n"))
_URL_TALK, _ITEM_THREAD, _ITEM_ARTICLE = map(FEATURES.index, ("url_talk", "item_thread", "item_article"))


class Judged(NamedTuple):
    """The kind of a page, and how likely each kind is."""

    kind: Found[Kind]
    chances: Mapping[Kind, float]
    says_thread: bool = False  # by its address or its JSON-LD, which are hints beside the looks


def judge_kind(tree: Tree, clues: Clues, sheet: Sheet, content: Content) -> Judged:
    """Return what a page is, and the chances of all kinds, which add up to one."""
    row = describe(tree, clues, sheet, content)
    return judge_row(row, _chances(row) if any(row) else ())


def judge_row(row: Sequence[float], given: Sequence[float]) -> Judged:
    """Return what a page of these features is by the chances that the forests give it."""
    if not any(row):
        return Judged(found(Kind.OTHER, "no text", 1.0), dict.fromkeys(KINDS, 0.0) | {Kind.OTHER: 1.0})
    likely = decide(row, given)
    best = max(likely, key=likely.__getitem__)
    counts = _COUNTS % _shown(row)
    says_thread = bool(row[_URL_TALK] or (row[_ITEM_THREAD] and not row[_ITEM_ARTICLE]))
    return Judged(found(best, "features", likely[best], counts), likely, says_thread)


def decide(row: Sequence[float], given: Sequence[float]) -> dict[Kind, float]:
    """Return chances that add up to one from those of the forests, each counted by its weight.

    Some rules go before them. A page of next to no text is none of the four kinds. A shop's page of goods with prices
    is no article, and neither is one whose main text is short, undated and no prose. A page whose prose stands in one
    element, or in sections, with neither headlines nor dates in between and without prices, is no list, unless it is a
    shop's or says that it is one: pages much older or plainer than those learned from are told by that. It is no thread
    either where it lies outside the records like posts, which are comments then, where these are two or three long
    ones, the articles of an endless page, or where they are the sections of one text.
    """
    weighed = [chance * weight for chance, weight in zip(given, WEIGHTS, strict=True)]
    total = sum(weighed) or 1.0
    likely = {kind: value / total for kind, value in zip(KINDS, weighed, strict=True)}
    best = max(likely, key=likely.__getitem__)
    may_be_board = max(row[_ALL_DATES], row[_ROWS]) > 0 and likely[Kind.BOARD] > MIN_BOARD
    if best is Kind.LISTING and may_be_board and AS_LIKELY * likely[Kind.BOARD] > likely[Kind.LISTING]:
        likely, best = _swapped(likely, Kind.BOARD, Kind.LISTING), Kind.BOARD
    if row[_HEADLINES] < MIN_HEADLINES and expm1(row[_SIZE]) < MIN_LETTERS:
        return _swapped(likely, best, Kind.OTHER)
    if best is Kind.ARTICLE and (_has_goods(row) or _is_furniture(row)):
        return _swapped(likely, best, Kind.LISTING)
    if best is not Kind.ARTICLE and _is_one_text(row) and (best is not Kind.THREAD or _has_no_posts(row)):
        return _swapped(likely, best, Kind.ARTICLE)
    return likely


def _is_one_text(row: Sequence[float]) -> bool:
    is_whole = row[_ODDS] >= 0 and (row[_CORE] >= MIN_CORE or _is_in_sections(row))
    is_list = row[_HEADS] > MAX_BETWEEN or row[_DATES] > MAX_BETWEEN or row[_PRICES] > MAX_PRICES
    is_aside = row[_CHOSEN] < SMALL_PART and row[_HEADLINES] >= MANY_HEADLINES and not row[_DATE_NEAR]
    is_named = row[_URL_LAST] and row[_URL_LIST]
    is_said = row[_ITEM_LIST] or row[_ITEM_PRODUCT] or is_named
    return is_whole and not (is_list or is_aside or is_said or _is_shop(row))


def _is_in_sections(row: Sequence[float]) -> bool:
    """Say whether the prose stands in a few elements below headings without links, as wikis have it."""
    is_headed = row[_OWN_HEADS] >= MIN_SECTIONS and row[_CORES] <= row[_OWN_HEADS] + MORE_PARTS
    return is_headed and row[_COMPACT] >= MIN_COMPACT and row[_CHOSEN] >= MIN_SHARE


def _is_shop(row: Sequence[float]) -> bool:
    return row[_SHOP] >= SHOP_LABELS and row[_SHOP] > row[_ARTICLE_LABELS]


def _has_goods(row: Sequence[float]) -> bool:
    """Say whether a shop shows goods, each with its price: what it writes below is advice to buyers."""
    return _is_shop(row) and row[_CARDS] >= MIN_GOODS and row[_CARD_PRICES] >= PRICED


def _is_furniture(row: Sequence[float]) -> bool:
    """Say whether the main text is next to nothing: a notice or the foot of a page without entries.

    Of 2,165 labelled pages 68 have as little prose, and two of them are articles.
    """
    return row[_SOLID] == 0 and not row[_DATE_NEAR] and expm1(row[_CHOSEN_SIZE]) < MIN_LETTERS


def _has_no_posts(row: Sequence[float]) -> bool:
    are_comments = row[_POSTS] >= 2 and row[_POSTS_CHOSEN] < MAX_SHARED
    are_articles = 2 <= row[_POSTS] <= MAX_ARTICLES and not row[_LABELS] and expm1(row[_POSTS_OWN]) >= LONG_RECORD
    are_sections = _is_in_sections(row) and row[_POSTS_DATES] < ALL_DATED
    return are_comments or are_articles or are_sections


def chance_of_thread(evidence: "array[float]") -> float:
    """Return the chance that a page is a thread, from what it and its posts say together: the features EVIDENCE."""
    return chances(read_kinds().stages[len(KINDS)], evidence, len(EVIDENCE), 1)[0]


def _swapped(likely: dict[Kind, float], one: Kind, other: Kind) -> dict[Kind, float]:
    return likely | {one: likely[other], other: likely[one]}


def _chances(row: "array[float]") -> "array[float]":
    return array("d", [chances(forest, row, COUNT, 1)[0] for forest in read_kinds().stages[: len(KINDS)]])


@lru_cache(maxsize=1)
def read_kinds() -> LearnedModel:
    """Return the shipped model; raise UsageError when it is not there or of another version."""
    try:
        model = load(SHIPPED.read_bytes())
    except OSError as error:
        raise UsageError(f"cannot read the model {SHIPPED}: {error.strerror}") from error
    if model.features != (*(tuple(FEATURES),) * len(KINDS), EVIDENCE):
        raise UsageError(f"{SHIPPED} is a model for other features than this version's; train it again")
    return model
